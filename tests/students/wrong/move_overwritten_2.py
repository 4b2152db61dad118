import tkinter as tk
from tkinter import messagebox


class TicTacToe:
    """Tic-tac-toe with buttons; the human is X and the computer is O."""

    WINS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def __init__(self, window=None):
        self.board = [""] * 9
        self.window = window
        self.buttons = []
        if window is not None:
            window.title("Tic Tac Toe")
            for i in range(9):
                b = tk.Button(window, text="", width=5, height=2, command=lambda i=i: self.click(i))
                b.grid(row=i // 3, column=i % 3)
                self.buttons.append(b)

    def wins(self, who):
        return any(all(self.board[i] == who for i in line) for line in self.WINS)

    def empty_squares(self):
        return [i for i, v in enumerate(self.board) if v == ""]

    def over(self):
        return self.wins("X") or self.wins("O") or not self.empty_squares()

    def put(self, i, who):
        self.board[i] = who
        if self.buttons:
            self.buttons[i].config(text=who)

    def click(self, i):
        if self.board[i] != "" or self.over():
            return
        self.put(i, "X")
        if not self.over():
            self.put(self.computer_move(), "O")
        if self.over():
            messagebox.showinfo("Game over", "O wins" if self.wins("O") else "X wins" if self.wins("X") else "draw")

    def __repr__(self):
        return "/".join("".join(v or "." for v in self.board[r:r + 3]) for r in (0, 3, 6))

    best_move = None

    def minimax(self, alpha, beta, is_computer):
        if self.wins("O"):
            return 1
        if self.wins("X"):
            return -1
        if not self.empty_squares():
            return 0
        best = -10 if is_computer else 10
        move = None
        for i in self.empty_squares():
            self.board[i] = "O" if is_computer else "X"
            value = self.minimax(alpha, beta, not is_computer)
            self.board[i] = ""
            if is_computer and value > best:
                best = value
                self.best_move = i
                alpha = max(alpha, best)
            elif not is_computer and value < best:
                best = value
                beta = min(beta, best)
            if alpha >= beta:
                break
        return best

    def computer_move(self):
        self.minimax(-10, 10, True)
        return self.best_move



def example(moves=(0, 4, 5)):
    game = TicTacToe()
    for i, who in zip(moves, "XOXOXOXO"):
        game.put(i, who)
    return game


if __name__ == "__main__":
    root = tk.Tk()
    TicTacToe(root)
    root.mainloop()
