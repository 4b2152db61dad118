"""A position of chess: its pieces, its notation, and which squares are attacked."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from engine.checker.stand_ins.chess_pieces import (
    EMPTY,
    LETTERS,
    SQUARE_NAMES,
    STARTING_FEN,
    WHITE,
    Move,
    Piece,
    SquareSet,
    parse_square,
)

STRAIGHT, DIAGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0)), ((1, 1), (1, -1), (-1, -1), (-1, 1))
KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
SLIDES = {"b": DIAGONAL, "r": STRAIGHT, "q": STRAIGHT + DIAGONAL}
STEPS = {"n": KNIGHT_STEPS, "k": STRAIGHT + DIAGONAL}


def step(start: int, across: int, up: int) -> int | None:
    """Return the square beside another one, or None beyond the edge."""
    file, rank = start % 8 + across, start // 8 + up
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else None


class Position:
    """A position: pieces, side to move, rights. Its squares are letters, "." for an empty one, so that a record shows them."""

    def __init__(self, fen: str | None = STARTING_FEN, **options: Any):
        self.squares = [EMPTY] * 64
        self.turn = WHITE
        self.rights = ""
        self.ep_square: int | None = None
        self.halfmove_clock, self.fullmove_number = 0, 1
        self.move_stack: list[Move] = []
        self.earlier: list[tuple[Any, ...]] = []  # what a move takes back
        if fen is not None:
            self.set_fen(fen)

    # ---- reading and writing

    def set_fen(self, fen: str) -> None:
        board, turn, rights, passed, half, full = [*fen.split(), *["w", "-", "-", "0", "1"][len(fen.split()) - 1 :]][:6]
        self.set_board_fen(board)
        self.turn, self.rights = turn == "w", rights.strip("-")
        self.ep_square = None if passed == "-" else parse_square(passed)
        self.halfmove_clock, self.fullmove_number = int(half), int(full)

    def set_board_fen(self, fen: str) -> None:
        rows = [re.sub(r"\d", lambda digit: EMPTY * int(digit[0]), row) for row in fen.split("/")]
        if len(rows) != 8 or any(len(row) != 8 for row in rows):
            raise ValueError(f"invalid board part of a fen: {fen!r}")
        self.squares = list("".join(reversed(rows)))
        self.clear_stack()

    def reset(self) -> None:
        self.set_fen(STARTING_FEN)

    def clear(self) -> None:
        self.set_fen("8/8/8/8/8/8/8/8 w - - 0 1")

    def clear_stack(self) -> None:
        self.move_stack, self.earlier = [], []

    def board_fen(self) -> str:
        rows = ["".join(self.squares[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1)]
        return re.sub(r"\.+", lambda gap: str(len(gap[0])), "/".join(rows))

    def epd(self) -> str:
        passed = "-" if self.ep_square is None else SQUARE_NAMES[self.ep_square]
        return f"{self.board_fen()} {'w' if self.turn else 'b'} {self.rights or '-'} {passed}"

    def fen(self, **options: Any) -> str:
        return f"{self.epd()} {self.halfmove_clock} {self.fullmove_number}"

    def __str__(self) -> str:
        return "\n".join(" ".join(self.squares[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and self.fen() == other.fen()

    __hash__ = None  # type: ignore[assignment]

    def copy(self, **options: Any) -> Any:
        made = type(self)(None)
        made.squares, made.turn, made.rights, made.ep_square = list(self.squares), self.turn, self.rights, self.ep_square
        made.halfmove_clock, made.fullmove_number = self.halfmove_clock, self.fullmove_number
        made.move_stack, made.earlier = list(self.move_stack), list(self.earlier)
        return made

    __copy__ = copy

    # ---- pieces

    def piece_at(self, place: int) -> Piece | None:
        return None if self.squares[place] == EMPTY else Piece.from_symbol(self.squares[place])

    def piece_type_at(self, place: int) -> int | None:
        return None if self.squares[place] == EMPTY else LETTERS.index(self.squares[place].lower())

    def color_at(self, place: int) -> bool | None:
        return None if self.squares[place] == EMPTY else self.squares[place].isupper()

    def piece_map(self, **options: Any) -> dict[int, Piece]:
        return {place: Piece.from_symbol(letter) for place, letter in enumerate(self.squares) if letter != EMPTY}

    def pieces(self, piece_type: int, color: bool) -> SquareSet:
        letter = Piece(piece_type, color).symbol()
        return SquareSet(place for place, held in enumerate(self.squares) if held == letter)

    def pieces_mask(self, piece_type: int, color: bool) -> int:
        return int(self.pieces(piece_type, color))

    def king(self, color: bool) -> int | None:
        letter = "K" if color else "k"
        return self.squares.index(letter) if letter in self.squares else None

    def set_piece_at(self, place: int, piece: Piece | None, **options: Any) -> None:
        self.squares[place] = EMPTY if piece is None else piece.symbol()

    def remove_piece_at(self, place: int) -> Piece | None:
        found = self.piece_at(place)
        self.squares[place] = EMPTY
        return found

    @property
    def occupied_co(self) -> list[int]:
        return [self._mask(str.islower), self._mask(str.isupper)]

    @property
    def occupied(self) -> int:
        return self._mask(str.isalpha)

    def _mask(self, holds: Callable[[str], bool]) -> int:
        return sum(1 << place for place, letter in enumerate(self.squares) if holds(letter))

    def __getattr__(self, name: str) -> Any:
        kinds = dict(zip(("pawns", "knights", "bishops", "rooks", "queens", "kings"), "pnbrqk", strict=True))
        if name not in kinds or "squares" not in self.__dict__:
            raise AttributeError(f"'Board' object has no attribute {name!r}")
        return self._mask(lambda letter: letter.lower() == kinds[name])

    # ---- attacks

    def attacks(self, start: int) -> SquareSet:
        return SquareSet(sorted(self._attacked_from(start)))

    def _attacked_from(self, start: int) -> Iterator[int]:
        letter = self.squares[start]
        kind = letter.lower()
        if kind == "p":
            up = 1 if letter.isupper() else -1
            yield from (place for across in (-1, 1) if (place := step(start, across, up)) is not None)
        for across, up in STEPS.get(kind, ()):
            if (place := step(start, across, up)) is not None:
                yield place
        for across, up in SLIDES.get(kind, ()):
            place = step(start, across, up)
            while place is not None:
                yield place
                place = step(place, across, up) if self.squares[place] == EMPTY else None

    def attackers(self, color: bool, target: int) -> SquareSet:
        own = [place for place, letter in enumerate(self.squares) if letter != EMPTY and letter.isupper() == color]
        return SquareSet(place for place in own if target in self._attacked_from(place))

    def is_attacked_by(self, color: bool, target: int) -> bool:
        own = (place for place, letter in enumerate(self.squares) if letter != EMPTY and letter.isupper() == color)
        return any(target in self._attacked_from(place) for place in own)

    def is_check(self) -> bool:
        king = self.king(self.turn)
        return king is not None and self.is_attacked_by(not self.turn, king)

    def checkers(self) -> SquareSet:
        king = self.king(self.turn)
        return SquareSet() if king is None else self.attackers(not self.turn, king)
