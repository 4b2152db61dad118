import tkinter as tk
from functools import partial

import logic


class App(tk.Tk):
    def __init__(self):
        super().__init__()
        self.board = logic.empty_board()
        self.buttons = {}
        for cell in self.board:
            button = tk.Button(self, width=4, command=partial(self.on_click, cell))
            button.grid(row=cell[0], column=cell[1])
            self.buttons[cell] = button

    def on_click(self, cell):
        if self.board[cell] or logic.finished(self.board):
            return
        self.set_cell(cell, "X")
        if not logic.finished(self.board):
            score, answer = logic.minimax(self.board, "O")
            self.set_cell(answer, "O")

    def set_cell(self, cell, mark):
        self.board[cell] = mark
        self.buttons[cell].config(text=mark)


if __name__ == "__main__":
    App().mainloop()
