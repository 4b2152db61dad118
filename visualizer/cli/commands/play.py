"""The command `plyscope play`: a person at the terminal against a search."""

import re
from dataclasses import dataclass, field, replace
from typing import Any

from rich.table import Table
from rich.text import Text

from engine.core.errors import BadGame, PlyscopeError
from engine.core.parsing import whole_number
from engine.games.capabilities import default_depth, only_leaves_count, searcher_is_max, spoken_move
from engine.games.registry import game_text
from engine.matches.match import HUMAN, Hint, Match, starting_side, usual_first
from engine.matches.players import Choice, Human, PerfectPlayer, Player, RandomPlayer, SearchPlayer, by_key, check_player
from engine.searcher import MAX_NODES
from visualizer.cli.game_argument import typed_game
from visualizer.cli.keyboard import Keyboard
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.progress import search_progress
from visualizer.cli.output.terminal_board import board, letters
from visualizer.narration.escapes import plain
from visualizer.narration.move_reasons import COMMAND, deep, explanation, shortened_words
from visualizer.narration.move_text import spoken_moves
from visualizer.narration.numbers import number, telling_apart
from visualizer.narration.truth_messages import chosen_words

COMMANDS = {
    "hint": "the value of every move",
    "undo": "take your last move back",
    "why": "explain the computer's last move",
    "new": "begin a new game",
    "help": "show this",
    "quit": "leave",
}
SHORT_NAME = 3  # characters of a move's name; hints of longer ones stand below each other


@dataclass
class Sitting:
    """What goes on at the terminal: the match, the last move of the computer, and how the games ended."""

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
    """Set the match up as the options say, and play it."""
    played = typed_game(game, evaluation)
    K = default_depth(played) if depth is None else depth
    searcher = SearchPlayer(K, algorithm, prefer_faster_win=prefer_faster_win, **by_key(algorithm, options))
    opponents: dict[str, Player] = {
        "search": searcher,
        "perfect": PerfectPlayer(),
        "random": RandomPlayer(seed),
        "human": HUMAN,
    }
    opponent = opponents[against]
    you = you or ("min" if searcher_is_max(played) else "max")
    for player in (searcher, opponent):
        check_player(player, played, "min" if you == "max" else "max")
    starts = starts or (usual_first(played) if only_leaves_count(played) or usual_first(played) == "min" else you)
    players = (HUMAN, opponent) if you == "max" else (opponent, HUMAN)
    play(Match.read(played, moves, starting_side(starts, f"{seed}:0"), *players), starts, seed, K)


def play(match: Match, starts: str, seed: int, hint_depth: int | None) -> None:
    """Play until the person leaves; `starts` and `seed` are for new games."""
    sitting = Sitting(match, starts, seed, hint_depth)
    marks = f" {whose}." if (whose := letters(match)) else ""
    say(sitting, f"{game_text(match.game)[:100]}: {_who(match)}.{marks}", "bold")
    say(sitting, "Choose with the arrow keys and Enter, or type a move, or: " + ", ".join(COMMANDS) + ".", "dim")
    show(sitting)
    try:
        while _turn(sitting):
            pass
    finally:
        _leave(sitting)


def _turn(sitting: Sitting) -> bool:
    """One turn of whoever is to move; False when the person leaves."""
    match = sitting.match
    if not match.over and not isinstance(match.player, Human):
        _computer_moves(sitting)
        return True
    line = sitting.keyboard.read(match, sitting.chosen)
    if line is None or (word := command(line)) == "quit":
        return False
    if word:
        ACTIONS[word](sitting)
    elif line:
        try:
            move = read_move(match, line)
            sitting.match = match.play(move)
            sitting.chosen = move
            if sitting.match.over or isinstance(sitting.match.player, Human):
                show(sitting)
        except BadGame:  # no other move would do
            raise
        except PlyscopeError as error:
            say(sitting, f"{str(error)[:1].upper()}{str(error)[1:]}.", "yellow")
    return True


def command(line: str) -> str:
    """The command that a line begins the name of; empty if it is none."""
    word = line.strip().lower()
    if word == "?":
        return "help"
    return next((name for name in COMMANDS if word and name.startswith(word.removesuffix("s") or word)), "")


def read_move(match: Match, line: str) -> int:
    """The move that a line means: its number, or its name, or the numbers in its name."""
    if match.over:
        raise PlyscopeError("the game is over: new, undo, why or quit")
    names = {move: match.name_of(move).lower() for move in match.legal}
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
    raise PlyscopeError(f"{line[:40]!r} is no move: write one like {names[match.legal[0]]!r}, or help")


def _computer_moves(sitting: Sitting) -> None:
    match, player = sitting.match, sitting.match.player
    question = player.asks(match.question) if isinstance(player, SearchPlayer) else match.question
    with search_progress(question, MAX_NODES) as on_progress:
        choice = match.choose(on_progress, may_shorten=True)
    if choice is None:  # nothing stops it but Ctrl-C, which does not come back here
        raise KeyboardInterrupt
    name = spoken_move(match.game, match.name_of(choice.move))
    known = ""
    if choice.tree is not None:
        known = f" (value {number(choice.tree.root.value)}, {choice.tree.expanded:,} nodes)"
    elif choice.truth:
        known = f", which {choice.truth}"
    sitting.match, sitting.last = match.play(choice.move), choice
    say(sitting, f"{match.side.upper()}, the computer: {name}{known}.")
    if choice.shortened_to is not None:
        say(sitting, shortened_words(choice.shortened_to), "dim")
    show(sitting)


# ---- commands


def _hint(sitting: Sitting) -> None:
    from engine.matches.game_review import true_hints
    from engine.solver.solvable import why_not_solvable

    if sitting.match.over:
        say(sitting, "The game is over: there is no move to value.", "yellow")
        return
    with search_progress(sitting.match.question.replace(depth=sitting.hint_depth), MAX_NODES) as on_progress:
        found = true_hints(sitting.match, sitting.hint_depth, on_progress=on_progress)
    best = f"(* best for {sitting.match.side.upper()})"
    if found[0].truth:
        say(sitting, f"In truth each move {best}:", "dim")
    else:
        believed = (
            "" if why_not_solvable(sitting.match.game) else " The position is not solved: this is what the search believes."
        )
        say(sitting, f"Value of each move, for MAX, {deep(sitting.hint_depth)} {best}:{believed}", "dim")
    sitting.console.print(_hint_table(found, sitting.console.width))


def _hint_table(found: list[Hint], width: int) -> Table:
    """Beside each other where there is room, else below each other."""
    written = telling_apart(*(hint.value for hint in found))
    values = [Text(hint.truth or ("?" if hint.value is None else written(hint.value))) + Text("*" * hint.best) for hint in found]
    names = [plain(hint.name) for hint in found]
    beside = sum(max(len(name), len(value)) + 4 for name, value in zip(names, values, strict=True))
    if max(map(len, names)) > SHORT_NAME or beside > width:
        shown = Table(box=None, show_header=False, padding=(0, 2))
        for name, value in zip(names, values, strict=True):
            shown.add_row(name, value)
        return shown
    shown = Table(box=None, padding=(0, 2))
    for name in names:
        shown.add_column(name, justify="right")
    shown.add_row(*values)
    return shown


def _undo(sitting: Sitting) -> None:
    earlier = sitting.match.undo()
    if earlier == sitting.match:
        say(sitting, "There is no move of yours to take back.", "yellow")
        return
    sitting.ends.pop(sitting.number, None)
    sitting.match, sitting.last = earlier, None
    show(sitting)


def _why(sitting: Sitting) -> None:
    if sitting.last is not None and sitting.last.truth:
        say(sitting, f"The position is solved: in truth the move {chosen_words(sitting.last.truth)}.")
        return
    if sitting.last is None or sitting.last.tree is None:
        random = any(isinstance(player, RandomPlayer) for player in (sitting.match.max_player, sitting.match.min_player))
        say(sitting, "It plays by chance." if random else "The computer has not moved yet.", "yellow")
        return
    for said in filter(None, explanation(sitting.last)):
        say(sitting, said)


def _new(sitting: Sitting) -> None:
    sitting.number += 1
    sitting.last = sitting.chosen = None
    sitting.match = replace(sitting.match, moves=(), first=starting_side(sitting.starts, f"{sitting.seed}:{sitting.number}"))
    show(sitting)


def _help(sitting: Sitting) -> None:
    for name, meaning in COMMANDS.items():
        say(sitting, f"{name:5} {meaning}", "dim")


ACTIONS = {"hint": _hint, "undo": _undo, "why": _why, "new": _new, "help": _help}


# ---- what is said


def say(sitting: Sitting, sentence: str, style: str = "") -> None:
    """A sentence; wrapped between words at a terminal, but never a command, which is there to be copied."""
    whole = not sitting.console.is_terminal or COMMAND in sentence
    sitting.console.print(Text(plain(sentence), style=style), soft_wrap=whole)


def show(sitting: Sitting) -> None:
    """Whose turn it is, the score so far, the board, and how it ended if it has."""
    match = sitting.match
    said = [] if match.over else [f"{match.side.upper()} to move"]
    if match.scores is not None:
        said.append(f"MAX {match.scores[0]}, MIN {match.scores[1]}")
    sitting.console.print()
    if said:
        say(sitting, "  " + " · ".join(said), "dim")
    sitting.console.print(board(match), soft_wrap=True)
    if match.outcome is not None:
        sitting.ends[sitting.number] = match.outcome.winner
        say(sitting, _ending(match), "bold")


def _who(match: Match) -> str:
    persons = [side for side, player in (("MAX", match.max_player), ("MIN", match.min_player)) if isinstance(player, Human)]
    return "two persons play" if len(persons) == 2 else f"you are {persons[0]}" if persons else "the computer plays itself"


def _ending(match: Match) -> str:
    end = match.outcome
    if end is None:
        return ""
    if only_leaves_count(match.game):
        return f"The end: this leaf is worth {number(end.value)} to MAX."
    if not end.winner:
        return "A draw."
    player = match.max_player if end.winner == "max" else match.min_player
    persons = sum(isinstance(one, Human) for one in (match.max_player, match.min_player))
    who = "You win" if isinstance(player, Human) and persons == 1 else f"{end.winner.upper()} wins"
    return f"{who}, {max(end.scores)} to {min(end.scores)}." if end.scores else f"{who}."


def _leave(sitting: Sitting) -> None:
    """The moves, so that the game can be taken up again, and how the games ended."""
    match = sitting.match
    if match.moves:
        moves = spoken_moves(match.game, match.position or "")
        say(sitting, f"The moves were {moves}: --moves {match.position} goes on from there.", "dim")
    if len(sitting.ends) > 1:
        ends = list(sitting.ends.values())
        say(sitting, f"MAX won {ends.count('max')}, MIN won {ends.count('min')}, drawn {ends.count('')}.", "dim")
