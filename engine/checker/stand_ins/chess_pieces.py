"""Pieces, squares and moves of chess, with the names of the package `chess`. Squares are numbered 0 (a1) to 63 (h8)."""

import re

WHITE, BLACK = True, False
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
LETTERS = " pnbrqk"
PIECE_NAMES = [None, "pawn", "knight", "bishop", "rook", "queen", "king"]
EMPTY = "."
FILE_NAMES, RANK_NAMES = list("abcdefgh"), list("12345678")
SQUARE_NAMES = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]
STARTING_BOARD_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
STARTING_FEN = f"{STARTING_BOARD_FEN} w KQkq - 0 1"


def square(file: int, rank: int) -> int:
    return rank * 8 + file


def parse_square(name: str) -> int:
    return SQUARE_NAMES.index(name)


class Piece:
    """A piece with its colour."""

    def __init__(self, piece_type: int, color: bool):
        self.piece_type = piece_type
        self.color = color

    @classmethod
    def from_symbol(cls, symbol: str) -> "Piece":
        return cls(LETTERS.index(symbol.lower()), symbol.isupper())

    def symbol(self) -> str:
        return LETTERS[self.piece_type].upper() if self.color else LETTERS[self.piece_type]

    def unicode_symbol(self, *, invert_color: bool = False) -> str:
        return chr(0x2660 - self.piece_type - (6 if self.color is not invert_color else 0))

    def __str__(self) -> str:
        return self.symbol()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Piece) and (self.piece_type, self.color) == (other.piece_type, other.color)

    def __hash__(self) -> int:
        return self.piece_type + 6 * self.color


class Move:
    """A move from square to square."""

    def __init__(self, from_square: int, to_square: int, promotion: int | None = None):
        self.from_square = from_square
        self.to_square = to_square
        self.promotion = promotion

    @classmethod
    def from_uci(cls, text: str) -> "Move":
        if not re.fullmatch(r"([a-h][1-8]){2}[nbrq]?", text):
            raise ValueError(f"invalid uci: {text!r}")
        return cls(parse_square(text[:2]), parse_square(text[2:4]), LETTERS.index(text[4]) if len(text) > 4 else None)

    @classmethod
    def null(cls) -> "Move":
        return cls(0, 0)

    def uci(self) -> str:
        promotion = LETTERS[self.promotion] if self.promotion else ""
        return SQUARE_NAMES[self.from_square] + SQUARE_NAMES[self.to_square] + promotion if self else "0000"

    def __str__(self) -> str:
        return self.uci()

    def __repr__(self) -> str:
        return f"Move.from_uci({self.uci()!r})"

    def __bool__(self) -> bool:
        return self.from_square != self.to_square

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Move) and self.uci() == other.uci()

    def __hash__(self) -> int:
        return hash((self.from_square, self.to_square, self.promotion))


class SquareSet(list[int]):
    """Squares, lowest first."""

    def __int__(self) -> int:
        return sum(1 << place for place in self)
