from tictactoe.cli import play

if __name__ == "__main__":
    play()
