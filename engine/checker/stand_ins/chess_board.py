"""A board of chess: the legal moves, how they are made and taken back, and how a game ends."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.checker.stand_ins.chess_pieces import BISHOP, EMPTY, KNIGHT, LETTERS, QUEEN, ROOK, SQUARE_NAMES, Move, Piece
from engine.checker.stand_ins.chess_position import Position, step

ROOK_MOVES = {6: (7, 5), 2: (0, 3), 62: (63, 61), 58: (56, 59)}  # the king's target -> the rook's squares
CASTLING_SQUARES = {"K": (4, 6), "Q": (4, 2), "k": (60, 62), "q": (60, 58)}
CORNERS = {0: "Q", 4: "KQ", 7: "K", 56: "q", 60: "kq", 63: "k"}  # a move from or to here ends these rights


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


class Board(Position):
    """A position with its moves so far."""

    @property
    def legal_moves(self) -> LegalMoves:
        return LegalMoves(self)

    def generate_legal_moves(self, *masks: Any) -> list[Move]:
        return [move for move in [*self._iterate_moves()] if not self._leaves_king(move)]

    def has_legal_move(self) -> bool:
        return any(not self._leaves_king(move) for move in [*self._iterate_moves()])

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
        return self.is_check() and not self.has_legal_move()

    def is_stalemate(self) -> bool:
        return not self.is_check() and not self.has_legal_move()

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
        if not self.has_legal_move():
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
