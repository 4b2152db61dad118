"""The stand-in for the package `chess` where it is not installed: boards, moves and the rules, with the names of that package.

Drawings, engines and files of games are plain stubs.
"""

from collections.abc import Iterable

from engine.checker.sandbox.import_stubs import StubModule
from engine.checker.stand_ins.chess_board import Board, Outcome
from engine.checker.stand_ins.chess_pieces import (
    BISHOP,
    BLACK,
    FILE_NAMES,
    KING,
    KNIGHT,
    LETTERS,
    PAWN,
    PIECE_NAMES,
    QUEEN,
    RANK_NAMES,
    ROOK,
    SQUARE_NAMES,
    STARTING_BOARD_FEN,
    STARTING_FEN,
    WHITE,
    Move,
    Piece,
    SquareSet,
    parse_square,
    square,
)


def _flip_squares(place: int) -> int:
    return place ^ 56


def _count_bits(mask: int) -> int:
    return int(mask).bit_count()


def _scan_bits(mask: int) -> Iterable[int]:
    return [place for place in range(64) if mask >> place & 1]


class ChessModule(StubModule):
    """The module `chess`."""

    def __init__(self, name: str):
        super().__init__(name)
        self.__dict__.update({name.upper(): place for place, name in enumerate(SQUARE_NAMES)})
        self.__dict__.update(
            WHITE=WHITE, BLACK=BLACK, COLORS=[WHITE, BLACK], COLOR_NAMES=["black", "white"], PIECE_NAMES=PIECE_NAMES,
            PIECE_TYPES=[PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING], PIECE_SYMBOLS=[None, *LETTERS.strip()], PAWN=PAWN,
            KNIGHT=KNIGHT, BISHOP=BISHOP, ROOK=ROOK, QUEEN=QUEEN, KING=KING, SQUARES=list(range(64)), SQUARE_NAMES=SQUARE_NAMES,
            FILE_NAMES=FILE_NAMES, RANK_NAMES=RANK_NAMES, STARTING_FEN=STARTING_FEN, STARTING_BOARD_FEN=STARTING_BOARD_FEN,
            Board=Board, Move=Move, Piece=Piece, SquareSet=SquareSet, Outcome=Outcome, square=square, parse_square=parse_square,
            square_file=lambda place: place % 8, square_rank=lambda place: place // 8, square_name=SQUARE_NAMES.__getitem__,
            square_mirror=_flip_squares, popcount=_count_bits, scan_forward=_scan_bits, scan_reversed=_scan_bits,
            square_distance=lambda a, b: max(abs(a % 8 - b % 8), abs(a // 8 - b // 8)),
            piece_symbol=LETTERS.__getitem__, piece_name=PIECE_NAMES.__getitem__,
        )  # fmt: skip
