from .cli import play

play()
