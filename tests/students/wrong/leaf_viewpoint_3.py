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
            self.put(self.alphabeta("O", -2, 2)[0], "O")
        if self.over():
            messagebox.showinfo("Game over", "O wins" if self.wins("O") else "X wins" if self.wins("X") else "draw")

    def __repr__(self):
        return "/".join("".join(v or "." for v in self.board[r:r + 3]) for r in (0, 3, 6))

    def evaluate(self, player):
        """1 if player has won, -1 if he has lost"""
        opponent = "X" if player == "O" else "O"
        if self.wins(player):
            return 1
        if self.wins(opponent):
            return -1
        return 0

    def alphabeta(self, player, alpha, beta):
        # returns (move, score)
        if self.over():
            return None, self.evaluate(player)
        best_move = None
        if player == "O":
            best = -2
            for i in self.empty_squares():
                self.board[i] = "O"
                score = self.alphabeta("X", alpha, beta)[1]
                self.board[i] = ""
                if score > best:
                    best, best_move = score, i
                alpha = max(alpha, best)
                if alpha >= beta:
                    break
        else:
            best = 2
            for i in self.empty_squares():
                self.board[i] = "X"
                score = self.alphabeta("O", alpha, beta)[1]
                self.board[i] = ""
                if score < best:
                    best, best_move = score, i
                beta = min(beta, best)
                if alpha >= beta:
                    break
        return best_move, best



def example(moves=(0, 4, 5)):
    game = TicTacToe()
    for i, who in zip(moves, "XOXOXOXO"):
        game.put(i, who)
    return game


if __name__ == "__main__":
    root = tk.Tk()
    TicTacToe(root)
    root.mainloop()
