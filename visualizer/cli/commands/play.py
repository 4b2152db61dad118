"""The command `plyscope play`: a person at the terminal plays against a search."""

import re
from dataclasses import dataclass, field, replace
from typing import Any

from rich.table import Table
from rich.text import Text

from engine.core.errors import BadGame, PlyscopeError
from engine.core.parsing import whole_number
from engine.games.capabilities import default_depth, has_leaf_values_only, is_searcher_max, move_phrase
from engine.games.registry import game_text
from engine.matches.match import HUMAN, Hint, Match, choose_starting_side, default_starting_side
from engine.matches.players import (
    Choice,
    HumanPlayer,
    PerfectPlayer,
    Player,
    RandomPlayer,
    SearchPlayer,
    check_player,
    options_by_key,
)
from engine.searcher import MAX_NODES
from visualizer.cli.game_argument import read_game_argument
from visualizer.cli.keyboard import Keyboard
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.progress import search_progress
from visualizer.cli.output.terminal_board import describe_letters, format_board
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.move_reasons import COMMAND_INTRO, describe_depth, describe_shortened_depth, explain_choice
from visualizer.narration.move_text import describe_moves
from visualizer.narration.numbers import distinct_formatter, format_number
from visualizer.narration.truth_messages import describe_best_move

COMMANDS = {
    "hint": "the value of every move",
    "undo": "take your last move back",
    "why": "explain the computer's last move",
    "new": "begin a new game",
    "help": "show this",
    "quit": "leave",
}
MAX_SHORT_NAME_CHARS = 3  # characters of a move's name; hints of longer ones stand below each other


@dataclass
class PlaySession:
    """The state of the program: the match, the last move of the computer, and how the games ended."""

    match: Match
    starts: str
    seed: int
    hint_depth: int | None
    console: PlainConsole = field(default_factory=PlainConsole)
    keyboard: Keyboard = field(default_factory=Keyboard)
    last: Choice | None = None
    number: int = 0  # of the game
    ends: dict[int, str] = field(default_factory=dict)  # by number of the game: who has won
    chosen: int | None = None  # the move last played by the person


def play_command(
    game: str,
    depth: int | None,
    algorithm: str,
    evaluation: str | None,
    prefer_faster_win: bool,
    you: str | None,
    starts: str | None,
    against: str,
    seed: int,
    moves: str,
    options: dict[str, Any],
) -> None:
    """Set up the match as the options say, and play it."""
    played = read_game_argument(game, evaluation)
    K = default_depth(played) if depth is None else depth
    searcher = SearchPlayer(K, algorithm, prefer_faster_win=prefer_faster_win, **options_by_key(algorithm, options))
    opponents: dict[str, Player] = {
        "search": searcher,
        "perfect": PerfectPlayer(),
        "random": RandomPlayer(seed),
        "human": HUMAN,
    }
    opponent = opponents[against]
    you = you or ("min" if is_searcher_max(played) else "max")
    for player in (searcher, opponent):
        check_player(player, played, "min" if you == "max" else "max")
    starts = starts or (
        default_starting_side(played) if has_leaf_values_only(played) or default_starting_side(played) == "min" else you
    )
    players = (HUMAN, opponent) if you == "max" else (opponent, HUMAN)
    play_match(Match.read(played, moves, choose_starting_side(starts, f"{seed}:0"), *players), starts, seed, K)


def play_match(match: Match, starts: str, seed: int, hint_depth: int | None) -> None:
    """Play until the person leaves. `starts` and `seed` are for new games."""
    session = PlaySession(match, starts, seed, hint_depth)
    marks = f" {whose}." if (whose := describe_letters(match)) else ""
    print_sentence(session, f"{game_text(match.game)[:100]}: {_describe_sides(match)}.{marks}", "bold")
    print_sentence(session, "Choose with the arrow keys and Enter, or type a move, or: " + ", ".join(COMMANDS) + ".", "dim")
    show_position(session)
    try:
        while _play_turn(session):
            pass
    finally:
        _show_farewell(session)


def _play_turn(session: PlaySession) -> bool:
    """Play one turn of the side to move. Return False when the person leaves."""
    match = session.match
    if not match.is_finished and not isinstance(match.player, HumanPlayer):
        _play_computer_move(session)
        return True
    line = session.keyboard.read_answer(match, session.chosen)
    if line is None or (word := read_command(line)) == "quit":
        return False
    if word:
        COMMAND_ACTIONS[word](session)
    elif line:
        try:
            move = read_move(match, line)
            session.match = match.play(move)
            session.chosen = move
            if session.match.is_finished or isinstance(session.match.player, HumanPlayer):
                show_position(session)
        except BadGame:  # no other move would do
            raise
        except PlyscopeError as error:
            print_sentence(session, f"{str(error)[:1].upper()}{str(error)[1:]}.", "yellow")
    return True


def read_command(line: str) -> str:
    """Return the command whose name the line begins, or an empty text."""
    word = line.strip().lower()
    if word == "?":
        return "help"
    return next((name for name in COMMANDS if word and name.startswith(word.removesuffix("s") or word)), "")


def read_move(match: Match, line: str) -> int:
    """Return the move that a line means: its number, its name, or the numbers in its name."""
    if match.is_finished:
        raise PlyscopeError("the game is over: new, undo, why or quit")
    names = {move: match.legal_move_name(move).lower() for move in match.legal_moves}
    word = " ".join(line.lower().split())
    for move, name in names.items():
        if word == name:
            return move
    number = whole_number(word)
    if number is not None:
        return number
    numbers = re.findall(r"\d+", word)
    for move, name in names.items():
        if len(numbers) > 1 and numbers == re.findall(r"\d+", name):
            return move
    raise PlyscopeError(f"{line[:40]!r} is no move: write one like {names[match.legal_moves[0]]!r}, or help")


def _play_computer_move(session: PlaySession) -> None:
    match, player = session.match, session.match.player
    question = player.make_question(match.question) if isinstance(player, SearchPlayer) else match.question
    with search_progress(question, MAX_NODES) as on_progress:
        choice = match.choose(on_progress, may_shorten=True)
    if choice is None:  # nothing stops it but Ctrl-C, which does not come back here
        raise KeyboardInterrupt
    name = move_phrase(match.game, match.legal_move_name(choice.move))
    known = ""
    if choice.tree is not None:
        known = f" (value {format_number(choice.tree.root.value)}, {choice.tree.expanded:,} nodes)"
    elif choice.truth:
        known = f", which {choice.truth}"
    session.match, session.last = match.play(choice.move), choice
    print_sentence(session, f"{match.side.upper()}, the computer: {name}{known}.")
    if choice.shortened_to is not None:
        print_sentence(session, describe_shortened_depth(choice.shortened_to), "dim")
    show_position(session)


# ---- commands


def _show_hints(session: PlaySession) -> None:
    from engine.matches.game_review import solve_hints
    from engine.solver.solvable import why_not_solvable

    if session.match.is_finished:
        print_sentence(session, "The game is over: there is no move to value.", "yellow")
        return
    with search_progress(session.match.question.replace(depth=session.hint_depth), MAX_NODES) as on_progress:
        found = solve_hints(session.match, session.hint_depth, on_progress=on_progress)
    best = f"(* best for {session.match.side.upper()})"
    if found[0].truth:
        print_sentence(session, f"In truth each move {best}:", "dim")
    else:
        believed = (
            "" if why_not_solvable(session.match.game) else " The position is not solved: this is what the search believes."
        )
        print_sentence(session, f"Value of each move, for MAX, {describe_depth(session.hint_depth)} {best}:{believed}", "dim")
    session.console.print(_hint_table(found, session.console.width))


def _hint_table(found: list[Hint], width: int) -> Table:
    """Return the hints in one row if there is room, else one below the other."""
    written = distinct_formatter(*(hint.value for hint in found))
    values = [Text(hint.truth or ("?" if hint.value is None else written(hint.value))) + Text("*" * hint.best) for hint in found]
    names = [sanitize_line(hint.name) for hint in found]
    beside = sum(max(len(name), len(value)) + 4 for name, value in zip(names, values, strict=True))
    if max(map(len, names)) > MAX_SHORT_NAME_CHARS or beside > width:
        shown = Table(box=None, show_header=False, padding=(0, 2))
        for name, value in zip(names, values, strict=True):
            shown.add_row(name, value)
        return shown
    shown = Table(box=None, padding=(0, 2))
    for name in names:
        shown.add_column(name, justify="right")
    shown.add_row(*values)
    return shown


def _undo_move(session: PlaySession) -> None:
    earlier = session.match.undo()
    if earlier == session.match:
        print_sentence(session, "There is no move of yours to take back.", "yellow")
        return
    session.ends.pop(session.number, None)
    session.match, session.last = earlier, None
    show_position(session)


def _explain_move(session: PlaySession) -> None:
    if session.last is not None and session.last.truth:
        print_sentence(session, f"The position is solved: in truth the move {describe_best_move(session.last.truth)}.")
        return
    if session.last is None or session.last.tree is None:
        random = any(isinstance(player, RandomPlayer) for player in (session.match.max_player, session.match.min_player))
        print_sentence(session, "It plays by chance." if random else "The computer has not moved yet.", "yellow")
        return
    for said in filter(None, explain_choice(session.last)):
        print_sentence(session, said)


def _begin_game(session: PlaySession) -> None:
    session.number += 1
    session.last = session.chosen = None
    session.match = replace(
        session.match, moves=(), first=choose_starting_side(session.starts, f"{session.seed}:{session.number}")
    )
    show_position(session)


def _show_help(session: PlaySession) -> None:
    for name, meaning in COMMANDS.items():
        print_sentence(session, f"{name:5} {meaning}", "dim")


COMMAND_ACTIONS = {"hint": _show_hints, "undo": _undo_move, "why": _explain_move, "new": _begin_game, "help": _show_help}


# ---- what is said


def print_sentence(session: PlaySession, sentence: str, style: str = "") -> None:
    """Print a sentence. A terminal wraps it between words. A command is never wrapped, because it is there to be copied."""
    whole = not session.console.is_terminal or COMMAND_INTRO in sentence
    session.console.print(Text(sanitize_line(sentence), style=style), soft_wrap=whole)


def show_position(session: PlaySession) -> None:
    """Show the side to move, the score so far, the board, and the result of a finished game."""
    match = session.match
    said = [] if match.is_finished else [f"{match.side.upper()} to move"]
    if match.scores is not None:
        said.append(f"MAX {match.scores[0]}, MIN {match.scores[1]}")
    session.console.print()
    if said:
        print_sentence(session, "  " + " · ".join(said), "dim")
    session.console.print(format_board(match), soft_wrap=True)
    if match.outcome is not None:
        session.ends[session.number] = match.outcome.winner
        print_sentence(session, _describe_ending(match), "bold")


def _describe_sides(match: Match) -> str:
    persons = [side for side, player in (("MAX", match.max_player), ("MIN", match.min_player)) if isinstance(player, HumanPlayer)]
    return "two persons play" if len(persons) == 2 else f"you are {persons[0]}" if persons else "the computer plays itself"


def _describe_ending(match: Match) -> str:
    end = match.outcome
    if end is None:
        return ""
    if has_leaf_values_only(match.game):
        return f"The end: this leaf is worth {format_number(end.value)} to MAX."
    if not end.winner:
        return "A draw."
    player = match.max_player if end.winner == "max" else match.min_player
    persons = sum(isinstance(one, HumanPlayer) for one in (match.max_player, match.min_player))
    who = "You win" if isinstance(player, HumanPlayer) and persons == 1 else f"{end.winner.upper()} wins"
    return f"{who}, {max(end.scores)} to {min(end.scores)}." if end.scores else f"{who}."


def _show_farewell(session: PlaySession) -> None:
    """Show the moves, so that the game can be continued later, and how the games ended."""
    match = session.match
    if match.moves:
        moves = describe_moves(match.game, match.position or "")
        print_sentence(session, f"The moves were {moves}: --moves {match.position} goes on from there.", "dim")
    if len(session.ends) > 1:
        ends = list(session.ends.values())
        print_sentence(session, f"MAX won {ends.count('max')}, MIN won {ends.count('min')}, drawn {ends.count('')}.", "dim")
