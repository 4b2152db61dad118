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

    def score(self, depth, alpha, beta, is_maximizing):
        if self.wins("O"):
            return 10 - depth
        if self.wins("X"):
            return depth - 10
        if not self.empty_squares():
            return 0
        if is_maximizing:
            best = -100
            for i in self.empty_squares():
                self.board[i] = "O"
                best = max(best, self.score(depth + 1, alpha, beta, False))
                self.board[i] = ""
                alpha = max(alpha, best)
                if beta <= alpha:
                    break
            return best
        best = 100
        for i in self.empty_squares():
            self.board[i] = "X"
            best = min(best, self.score(depth + 1, alpha, beta, True))
            self.board[i] = ""
            beta = min(beta, best)
            if beta <= alpha:
                break
        return best

    def computer_move(self):
        best, square = -100, None
        for i in self.empty_squares():
            self.board[i] = "O"
            s = self.score(1, best, 100, False)
            self.board[i] = ""
            if s > best:
                best, square = s, i
        return square



def example(moves=(0, 4, 5)):
    game = TicTacToe()
    for i, who in zip(moves, "XOXOXOXO"):
        game.put(i, who)
    return game


if __name__ == "__main__":
    root = tk.Tk()
    TicTacToe(root)
    root.mainloop()
