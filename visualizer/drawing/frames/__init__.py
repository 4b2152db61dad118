"""The frames of animations: the path view, the board, and the slide of one step."""
