from tkinter import *
from tkinter import messagebox

from grid import Grid
from player import Computer


class Window:
    def __init__(self):
        self.root = Tk()
        self.root.title("Connect 4")
        self.grid = Grid()
        self.computer = Computer("Y", 3)
        self.canvas = Canvas(self.root, width=350, height=300, bg="blue")
        self.canvas.pack()
        for column in range(7):
            Button(self.root, text=str(column), command=lambda c=column: self.clicked(c)).pack(side=LEFT)

    def clicked(self, column):
        if column not in self.grid.open_columns():
            return
        self.grid.drop(column, "R")
        if self.finish():
            return
        self.grid.drop(self.computer.play(self.grid), "Y")
        self.finish()
        self.draw()

    def finish(self):
        if self.grid.has_four("R") or self.grid.has_four("Y") or not self.grid.open_columns():
            messagebox.showinfo("The end", "Game over")
            return True
        return False

    def draw(self):
        for index, disc in enumerate(self.grid.cells):
            row, column = divmod(index, 7)
            colour = {".": "white", "R": "red", "Y": "yellow"}[disc]
            self.canvas.create_oval(column * 50, row * 50, column * 50 + 45, row * 50 + 45, fill=colour)


if __name__ == "__main__":
    Window().root.mainloop()
