"""A game at the terminal: reads moves and commands, lets the computer move, and shows the board."""

import re
from dataclasses import dataclass, field, replace
from typing import Any

from rich.table import Table
from rich.text import Text

from engine.core.errors import BadGame, PlyscopeError
from engine.core.parsing import whole_number
from engine.games.capabilities import declared_name, has_leaf_values_only, move_phrase
from engine.games.chance_outcomes import has_chance
from engine.games.policies import list_policies
from engine.games.registry import game_text
from engine.matches.match import Hint, Match, choose_starting_side
from engine.matches.move_choice import Choice
from engine.matches.players import HumanPlayer, PolicyPlayer, RandomPlayer, SearchPlayer, seed_player
from engine.searcher import MAX_NODES
from visualizer.cli.keyboard import Keyboard
from visualizer.cli.output.console import PlainConsole
from visualizer.cli.output.progress import search_progress
from visualizer.cli.output.terminal_board import describe_letters, format_board
from visualizer.narration.escapes import sanitize_line
from visualizer.narration.move_reasons import COMMAND_INTRO, describe_depth, describe_shortened_depth, explain_choice
from visualizer.narration.move_text import describe_draw, describe_moves
from visualizer.narration.numbers import distinct_formatter, format_count, format_number
from visualizer.narration.player_messages import player_title
from visualizer.narration.truth_messages import describe_best_move

COMMANDS = {
    "hint": "show the value of every move",
    "undo": "take back your last move",
    "why": "explain the computer's last move",
    "new": "start a new game",
    "help": "show this list",
    "quit": "leave",
}
MAX_TITLE_CHARS = 100  # of the game in the first line
MAX_SHORT_NAME_CHARS = 3  # of a move's name; with longer names the hints are shown one below the other


@dataclass
class PlaySession:
    """The state of the session: the match, the computer's last move, and the results of finished games."""

    match: Match
    starts: str
    seed: int
    hint_depth: int | None
    console: PlainConsole = field(default_factory=PlainConsole)
    keyboard: Keyboard = field(default_factory=Keyboard)
    last: Choice | None = None
    game_number: int = 0
    winners: dict[int, str] = field(default_factory=dict)  # by number of the game; empty: a draw
    last_move: int | None = None  # of the person


def _name_game(game: Any) -> str:
    """Return the text of the game, or its name if that is too long for a line."""
    text = game_text(game)
    return text if len(text) <= MAX_TITLE_CHARS else declared_name(game)[:MAX_TITLE_CHARS]


def play_match(match: Match, starts: str, seed: int, hint_depth: int | None) -> None:
    """Play until the user quits. `starts` and `seed` are for new games."""
    session = PlaySession(match, starts, seed, hint_depth)
    letters = f" {text}." if (text := describe_letters(match)) else ""
    print_sentence(session, f"{_name_game(match.game)}: {_describe_sides(match)}.{letters}", "bold")
    commands = ", ".join(COMMANDS)
    print_sentence(session, f"Choose a move with the arrow keys and Enter, or type it. Other commands: {commands}.", "dim")
    show_position(session)
    try:
        while _play_turn(session):
            pass
    finally:
        _show_farewell(session)


def _play_turn(session: PlaySession) -> bool:
    """Play one turn of the side to move. Return False when the user quits."""
    match = session.match
    if not match.is_finished and not isinstance(match.player, HumanPlayer):
        _play_computer_move(session)
        return True
    line = session.keyboard.read_answer(match, session.last_move)
    if line is None or (word := read_command(line)) == "quit":
        return False
    if word:
        COMMAND_ACTIONS[word](session)
    elif line:
        try:
            move = read_move(match, line)
            session.match = match.play(move)
            session.last_move = move
            if session.match.is_finished or isinstance(session.match.player, HumanPlayer):
                show_position(session)
        except BadGame:  # no other move can help
            raise
        except PlyscopeError as error:
            print_sentence(session, f"{str(error)[:1].upper()}{str(error)[1:]}.", "yellow")
    return True


def read_command(line: str) -> str:
    """Return the command whose name starts with the line, or an empty text."""
    word = line.strip().lower()
    if word == "?":
        return "help"
    return next((name for name in COMMANDS if word and name.startswith(word.removesuffix("s") or word)), "")


def read_move(match: Match, line: str) -> int:
    """Return the move that a line means: its number, its name, or the numbers in its name."""
    if match.is_finished:
        raise PlyscopeError("the game is over: type new, undo, why or quit")
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
    raise PlyscopeError(f"{line[:40]!r} is not a move: type, for example, {names[match.legal_moves[0]]!r}, or help")


def _play_computer_move(session: PlaySession) -> None:
    match, player = session.match, session.match.player
    if match.is_chance:
        _draw_outcome(session)
        return
    question = player.make_question(match.question) if isinstance(player, SearchPlayer) else match.question
    with search_progress(question, MAX_NODES) as on_progress:
        choice = match.choose(on_progress, may_shorten=True)
    if choice is None:  # it was stopped, and only Ctrl-C stops it
        raise KeyboardInterrupt
    name = move_phrase(match.game, match.legal_move_name(choice.move))
    result = ""
    if choice.tree is not None and choice.tree.has_iterations:
        iterations = format_count(choice.tree.iterations, "iteration")
        result = f" (mean {choice.tree.root.value:.2f} for MAX, {iterations})"
    elif choice.tree is not None:
        result = f" (value {format_number(choice.tree.root.value)}, {choice.tree.expanded:,} nodes)"
    elif choice.truth:
        result = f", which {choice.truth}"
    session.match, session.last = match.play(choice.move), choice
    print_sentence(session, f"{match.side.upper()}, the computer: {name}{result}.")
    if choice.shortened_to is not None:
        print_sentence(session, describe_shortened_depth(choice.shortened_to), "dim")
    if not session.match.is_chance:
        show_position(session)


def _draw_outcome(session: PlaySession) -> None:
    """Let chance move, and show what it brings."""
    match = session.match
    drawn = match.choose()
    if drawn is None:
        return
    session.match = match.play(drawn.move)
    print_sentence(session, f"{describe_draw(session.match)}.", "bold")
    if not session.match.is_chance:
        show_position(session)


# ---- commands


def _show_hints(session: PlaySession) -> None:
    from engine.matches.game_review import solve_hints
    from engine.solver.solvable import why_not_solvable

    if session.match.is_finished:
        print_sentence(session, "The game is over: there are no moves.", "yellow")
        return
    with search_progress(session.match.question.replace(depth=session.hint_depth), MAX_NODES) as on_progress:
        hints = solve_hints(session.match, session.hint_depth, on_progress=on_progress)
    best = f"(* best for {session.match.side.upper()})"
    if hints[0].truth:
        print_sentence(session, f"Exact result of each move {best}:", "dim")
    else:
        note = "" if why_not_solvable(session.match.game) else " The position is not solved: these are estimates of the search."
        print_sentence(session, f"Value of each move, for MAX, {describe_depth(session.hint_depth)} {best}:{note}", "dim")
    session.console.print(_hint_table(hints, session.console.width))


def _hint_table(hints: list[Hint], width: int) -> Table:
    """Return the hints in one row if they fit, else one below the other."""
    format_value = distinct_formatter(*(hint.value for hint in hints))
    values = [
        Text(hint.truth or ("?" if hint.value is None else format_value(hint.value))) + Text("*" * hint.best) for hint in hints
    ]
    names = [sanitize_line(hint.name) for hint in hints]
    row_width = sum(max(len(name), len(value)) + 4 for name, value in zip(names, values, strict=True))
    if max(map(len, names)) > MAX_SHORT_NAME_CHARS or row_width > width:
        table = Table(box=None, show_header=False, padding=(0, 2))
        for name, value in zip(names, values, strict=True):
            table.add_row(name, value)
        return table
    table = Table(box=None, padding=(0, 2))
    for name in names:
        table.add_column(name, justify="right")
    table.add_row(*values)
    return table


def _undo_move(session: PlaySession) -> None:
    earlier = session.match.undo()
    if earlier == session.match:
        print_sentence(session, "You have no move to take back.", "yellow")
        return
    session.winners.pop(session.game_number, None)
    session.match, session.last = earlier, None
    show_position(session)


def _explain_move(session: PlaySession) -> None:
    if session.last is not None and session.last.truth:
        print_sentence(session, f"The position is solved: the move {describe_best_move(session.last.truth)}.")
        return
    if session.last is None or session.last.tree is None:
        print_sentence(session, _explain_rule(session.match), "yellow")
        return
    for reason in filter(None, explain_choice(session.last)):
        print_sentence(session, reason)


def _explain_rule(match: Match) -> str:
    """Explain the moves of a player that does not search."""
    for player in (match.max_player, match.min_player):
        if isinstance(player, RandomPlayer):
            return "The computer plays random moves."
        if isinstance(player, PolicyPlayer):
            return f"The computer plays by the rule {player_title(player)}: {list_policies(match.game)[player.policy]}."
    drawn = match.previous_match is not None and match.previous_match.is_chance
    return "Chance drew the last move." if drawn else "The computer has not moved yet."


def _begin_game(session: PlaySession) -> None:
    """Begin a game with new random numbers."""
    session.game_number += 1
    session.last = session.last_move = None
    session.match = replace(
        session.match,
        max_player=seed_player(session.match.max_player, 1),
        min_player=seed_player(session.match.min_player, 1),
        moves=(),
        first=choose_starting_side(session.starts, f"{session.seed}:{session.game_number}"),
        seed=session.match.seed + 1,
    )
    show_position(session)


def _show_help(session: PlaySession) -> None:
    for name, meaning in COMMANDS.items():
        print_sentence(session, f"{name:5} {meaning}", "dim")


COMMAND_ACTIONS = {"hint": _show_hints, "undo": _undo_move, "why": _explain_move, "new": _begin_game, "help": _show_help}


# ---- output


def print_sentence(session: PlaySession, sentence: str, style: str = "") -> None:
    """Print a sentence. A terminal wraps it between words, but not a command, so that it can be copied."""
    one_line = not session.console.is_terminal or COMMAND_INTRO in sentence
    session.console.print(Text(sanitize_line(sentence), style=style), soft_wrap=one_line)


def show_position(session: PlaySession) -> None:
    """Show the side to move, the score so far, the board, and the result of a finished game."""
    match = session.match
    status = [] if match.is_finished else [f"{match.side.upper()} to move"]
    if match.scores is not None:
        status.append(f"MAX {match.scores[0]}, MIN {match.scores[1]}")
    session.console.print()
    if status:
        print_sentence(session, "  " + " · ".join(status), "dim")
    session.console.print(format_board(match), soft_wrap=True)
    if match.outcome is not None:
        session.winners[session.game_number] = match.outcome.winner
        print_sentence(session, _describe_ending(match), "bold")


def _describe_sides(match: Match) -> str:
    humans = [side for side, player in (("MAX", match.max_player), ("MIN", match.min_player)) if isinstance(player, HumanPlayer)]
    return "two people play" if len(humans) == 2 else f"you are {humans[0]}" if humans else "the computer plays against itself"


def _describe_ending(match: Match) -> str:
    outcome = match.outcome
    if outcome is None:
        return ""
    if has_leaf_values_only(match.game):
        return f"The game is over: this leaf has the value {format_number(outcome.value)} for MAX."
    if not outcome.winner:
        return "A draw."
    winner = match.max_player if outcome.winner == "max" else match.min_player
    humans = sum(isinstance(player, HumanPlayer) for player in (match.max_player, match.min_player))
    result = "You win" if isinstance(winner, HumanPlayer) and humans == 1 else f"{outcome.winner.upper()} wins"
    return f"{result}, {max(outcome.scores)} to {min(outcome.scores)}." if outcome.scores else f"{result}."


def _show_farewell(session: PlaySession) -> None:
    """Show the moves, so that the game can be continued later, and the results of several games."""
    match = session.match
    if match.moves:
        moves = describe_moves(match.game, match.position or "")
        seed = f" --seed {match.seed}" if has_chance(match.game) else ""
        print_sentence(session, f"Use --moves {match.position}{seed} to continue later. The moves were {moves}.", "dim")
    if len(session.winners) > 1:
        winners = list(session.winners.values())
        print_sentence(
            session, f"MAX won {winners.count('max')}, MIN won {winners.count('min')}, draws {winners.count('')}.", "dim"
        )
