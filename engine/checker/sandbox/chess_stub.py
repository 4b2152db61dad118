"""The stand-in for the package `chess` where it is not installed: boards, moves and the rules, with the names of that package.

Squares are numbered 0 (a1) to 63 (h8). A board keeps them as a list of letters, "." for an empty one, so that a record shows
the position. Drawings, engines and files of games are plain stubs.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from engine.checker.sandbox.import_stubs import StubModule

WHITE, BLACK = True, False
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(1, 7)
LETTERS = " pnbrqk"
PIECE_NAMES = [None, "pawn", "knight", "bishop", "rook", "queen", "king"]
EMPTY = "."
FILE_NAMES, RANK_NAMES = list("abcdefgh"), list("12345678")
SQUARE_NAMES = [file + rank for rank in RANK_NAMES for file in FILE_NAMES]
STARTING_BOARD_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
STARTING_FEN = f"{STARTING_BOARD_FEN} w KQkq - 0 1"
STRAIGHT, DIAGONAL = ((0, 1), (1, 0), (0, -1), (-1, 0)), ((1, 1), (1, -1), (-1, -1), (-1, 1))
KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
SLIDES = {"b": DIAGONAL, "r": STRAIGHT, "q": STRAIGHT + DIAGONAL}
STEPS = {"n": KNIGHT_STEPS, "k": STRAIGHT + DIAGONAL}
ROOK_MOVES = {6: (7, 5), 2: (0, 3), 62: (63, 61), 58: (56, 59)}  # the king's target -> the rook's squares
CASTLING_SQUARES = {"K": (4, 6), "Q": (4, 2), "k": (60, 62), "q": (60, 58)}
CORNERS = {0: "Q", 4: "KQ", 7: "K", 56: "q", 60: "kq", 63: "k"}  # a move from or to here ends these rights


def square(file: int, rank: int) -> int:
    return rank * 8 + file


def parse_square(name: str) -> int:
    return SQUARE_NAMES.index(name)


def step(start: int, across: int, up: int) -> int | None:
    """Return the square beside another one, or None beyond the edge."""
    file, rank = start % 8 + across, start // 8 + up
    return rank * 8 + file if 0 <= file < 8 and 0 <= rank < 8 else None


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


class LegalMoves:
    """The legal moves of a board, made each time they are asked for."""

    def __init__(self, board: "Board"):
        self.board = board

    def __iter__(self) -> Iterator[Move]:
        return iter(self.board.generate_legal_moves())

    def __len__(self) -> int:
        return self.count()

    def count(self) -> int:
        return len(self.board.generate_legal_moves())

    def __bool__(self) -> bool:
        return self.count() > 0

    def __contains__(self, move: object) -> bool:
        return move in self.board.generate_legal_moves()


class Outcome(NamedTuple):
    """The end of a game: its reason, and the winner if there is one."""

    termination: str
    winner: bool | None

    def result(self) -> str:
        return "1/2-1/2" if self.winner is None else "1-0" if self.winner else "0-1"


class Board:
    """A position with its moves so far."""

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
        return isinstance(other, Board) and self.fen() == other.fen()

    __hash__ = None  # type: ignore[assignment]

    def copy(self, **options: Any) -> "Board":
        made = Board(None)
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
        return next(iter(self.pieces(KING, color)), None)

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
        return bool(self.attackers(color, target))

    def is_check(self) -> bool:
        king = self.king(self.turn)
        return king is not None and self.is_attacked_by(not self.turn, king)

    def checkers(self) -> SquareSet:
        king = self.king(self.turn)
        return SquareSet() if king is None else self.attackers(not self.turn, king)

    # ---- moves

    @property
    def legal_moves(self) -> LegalMoves:
        return LegalMoves(self)

    def generate_legal_moves(self, *masks: Any) -> list[Move]:
        return [move for move in [*self._iterate_moves()] if not self._leaves_king(move)]

    def generate_legal_captures(self, *masks: Any) -> list[Move]:
        return [move for move in self.generate_legal_moves() if self.is_capture(move)]

    def _iterate_moves(self) -> Iterator[Move]:
        """Yield the moves without looking at the own king. It may not castle out of, through or into an attack."""
        for start, letter in enumerate(self.squares):
            if letter == EMPTY or letter.isupper() != self.turn:
                continue
            if letter.lower() == "p":
                yield from self._iterate_pawn_moves(start)
            else:
                for target in self._attacked_from(start):
                    if self.squares[target] == EMPTY or self.squares[target].isupper() != self.turn:
                        yield Move(start, target)
        for right in self.rights:
            if right.isupper() == self.turn:
                yield from self._iterate_castling(right)

    def _iterate_pawn_moves(self, start: int) -> Iterator[Move]:
        up = 1 if self.turn else -1
        targets = [place for place in self._attacked_from(start) if self._is_capturable(place)]
        ahead = step(start, 0, up)
        if ahead is not None and self.squares[ahead] == EMPTY:
            targets.append(ahead)
            further = step(ahead, 0, up)
            if start // 8 == (1 if self.turn else 6) and further is not None and self.squares[further] == EMPTY:
                targets.append(further)
        for target in targets:
            if target // 8 in (0, 7):
                yield from (Move(start, target, kind) for kind in (QUEEN, ROOK, BISHOP, KNIGHT))
            else:
                yield Move(start, target)

    def _is_capturable(self, place: int) -> bool:
        return place == self.ep_square or (self.squares[place] != EMPTY and self.squares[place].isupper() != self.turn)

    def _iterate_castling(self, right: str) -> Iterator[Move]:
        start, target = CASTLING_SQUARES[right]
        corner, _ = ROOK_MOVES[target]
        between = range(min(start, corner) + 1, max(start, corner))
        if self.squares[start].lower() != "k" or any(self.squares[place] != EMPTY for place in between):
            return
        if not any(self.is_attacked_by(not self.turn, place) for place in (start, (start + target) // 2, target)):
            yield Move(start, target)

    def _leaves_king(self, move: Move) -> bool:
        """Return True if the own king could be captured after a move."""
        mover = self.turn
        self.push(move)
        king = self.king(mover)
        left = king is not None and self.is_attacked_by(not mover, king)
        self.pop()
        return left

    def push(self, move: Move) -> None:
        start, target = move.from_square, move.to_square
        kept = (list(self.squares), self.turn, self.rights, self.ep_square, self.halfmove_clock, self.fullmove_number)
        self.earlier.append(kept)
        self.move_stack.append(move)
        letter, captured = self.squares[start], self.squares[target]
        if letter.lower() == "p" and target == self.ep_square:
            self.squares[target + (-8 if self.turn else 8)] = EMPTY
        is_castling = letter.lower() == "k" and abs(start - target) == 2
        self.squares[start], self.squares[target] = EMPTY, letter
        if move.promotion:
            self.squares[target] = Piece(move.promotion, self.turn).symbol()
        if is_castling:
            corner, beside = ROOK_MOVES[target]
            self.squares[beside], self.squares[corner] = self.squares[corner], EMPTY
        lost = CORNERS.get(start, "") + CORNERS.get(target, "")
        self.rights = "".join(right for right in self.rights if right not in lost)
        is_pawn = letter.lower() == "p"
        self.ep_square = (start + target) // 2 if is_pawn and abs(start - target) == 16 else None
        self.halfmove_clock = 0 if is_pawn or captured != EMPTY else self.halfmove_clock + 1
        self.fullmove_number += not self.turn
        self.turn = not self.turn

    def pop(self) -> Move:
        kept = self.earlier.pop()
        self.squares, self.turn, self.rights, self.ep_square, self.halfmove_clock, self.fullmove_number = kept
        return self.move_stack.pop()

    def peek(self) -> Move:
        return self.move_stack[-1]

    def ply(self) -> int:
        return 2 * (self.fullmove_number - 1) + (not self.turn)

    def is_legal(self, move: Move) -> bool:
        return move in self.generate_legal_moves()

    def is_en_passant(self, move: Move) -> bool:
        return self.squares[move.from_square].lower() == "p" and move.to_square == self.ep_square

    def is_capture(self, move: Move) -> bool:
        return self.squares[move.to_square] != EMPTY or self.is_en_passant(move)

    def is_castling(self, move: Move) -> bool:
        return self.squares[move.from_square].lower() == "k" and abs(move.from_square - move.to_square) == 2

    def gives_check(self, move: Move) -> bool:
        self.push(move)
        found = self.is_check()
        self.pop()
        return found

    def parse_uci(self, text: str) -> Move:
        move = Move.from_uci(text)
        if not self.is_legal(move):
            raise ValueError(f"illegal uci: {text!r} in {self.fen()}")
        return move

    def push_uci(self, text: str) -> Move:
        move = self.parse_uci(text)
        self.push(move)
        return move

    def san(self, move: Move) -> str:
        """Return a move in short algebraic notation."""
        if self.is_castling(move):
            return "O-O" if move.to_square % 8 == 6 else "O-O-O"
        letter, target = self.squares[move.from_square].upper(), SQUARE_NAMES[move.to_square]
        takes = "x" if self.is_capture(move) else ""
        if letter == "P":
            promotion = f"={LETTERS[move.promotion].upper()}" if move.promotion else ""
            return f"{SQUARE_NAMES[move.from_square][0] + takes if takes else ''}{target}{promotion}"
        rivals = [
            other.from_square
            for other in self.generate_legal_moves()
            if other.to_square == move.to_square and other.from_square != move.from_square
            and self.squares[other.from_square] == self.squares[move.from_square]
        ]  # fmt: skip
        name = SQUARE_NAMES[move.from_square]
        same_file = any(rival % 8 == move.from_square % 8 for rival in rivals)
        same_rank = any(rival // 8 == move.from_square // 8 for rival in rivals)
        own = "" if not rivals else name if same_file and same_rank else name[1] if same_file else name[0]
        return f"{letter}{own}{takes}{target}"

    def parse_san(self, text: str) -> Move:
        for move in self.generate_legal_moves():
            if self.san(move) == text.rstrip("+#!?"):
                return move
        raise ValueError(f"invalid san: {text!r} in {self.fen()}")

    def push_san(self, text: str) -> Move:
        move = self.parse_san(text)
        self.push(move)
        return move

    # ---- the end

    def is_checkmate(self) -> bool:
        return self.is_check() and not self.generate_legal_moves()

    def is_stalemate(self) -> bool:
        return not self.is_check() and not self.generate_legal_moves()

    def is_insufficient_material(self) -> bool:
        others = sorted(letter.lower() for letter in self.squares if letter not in (EMPTY, "K", "k"))
        return others in ([], ["b"], ["n"])

    def is_seventyfive_moves(self) -> bool:
        return self.halfmove_clock >= 150

    def is_fifty_moves(self) -> bool:
        return self.halfmove_clock >= 100

    def is_repetition(self, count: int = 3) -> bool:
        same = sum(1 for kept in self.earlier if kept[:4] == (self.squares, self.turn, self.rights, self.ep_square))
        return same + 1 >= count

    def is_fivefold_repetition(self) -> bool:
        return self.is_repetition(5)

    def can_claim_draw(self) -> bool:
        return self.is_fifty_moves() or self.is_repetition(3)

    can_claim_fifty_moves, can_claim_threefold_repetition = is_fifty_moves, is_repetition

    def outcome(self, *, claim_draw: bool = False) -> Outcome | None:
        if not self.generate_legal_moves():
            return Outcome("CHECKMATE", not self.turn) if self.is_check() else Outcome("STALEMATE", None)
        if self.is_insufficient_material():
            return Outcome("INSUFFICIENT_MATERIAL", None)
        if self.is_seventyfive_moves() or self.is_fivefold_repetition() or (claim_draw and self.can_claim_draw()):
            return Outcome("DRAW", None)
        return None

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        return self.outcome(claim_draw=claim_draw) is not None

    def result(self, *, claim_draw: bool = False) -> str:
        found = self.outcome(claim_draw=claim_draw)
        return "*" if found is None else found.result()

    def has_kingside_castling_rights(self, color: bool) -> bool:
        return ("K" if color else "k") in self.rights

    def has_queenside_castling_rights(self, color: bool) -> bool:
        return ("Q" if color else "q") in self.rights

    def has_castling_rights(self, color: bool) -> bool:
        return self.has_kingside_castling_rights(color) or self.has_queenside_castling_rights(color)


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
