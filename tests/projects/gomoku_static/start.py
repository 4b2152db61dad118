from gomoku.match import Match

if __name__ == "__main__":
    print("winner:", Match().run())
