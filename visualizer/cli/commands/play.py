"""The command `plyscope play`: sets up a match between a person and the computer."""

from typing import Any

import click

from visualizer.cli import options as shared


@click.command(
    "play",
    cls=shared.AnySearchCommand,
    epilog=shared.examples(
        "plyscope play connect4 --depth 6",
        "plyscope play connect4 --against perfect --you min",
        "plyscope play connect4 --against mcts:iterations=10000",
        "plyscope play pig --seed 7",
    ),
)
@click.argument("game")
@shared.depth_option("Depth limit of the computer in plies, for example 6.")
@shared.algorithm_option
@shared.evaluation_option
@click.option("--prefer-faster-win", is_flag=True, help="The computer prefers a faster win to a slower one.")
@click.option("--you", type=click.Choice(["max", "min"]), help="Your side. [default: max; presets: the human's side]")
@click.option(
    "--starts",
    "--first",
    type=click.Choice(["max", "min", "random"]),
    help="Side that moves first. [default: you; trees: the side at the root]",
)
@click.option(
    "--against",
    default="search",
    show_default=True,
    metavar="PLAYER",
    help="Your opponent: search, perfect (the exact solver), random, human (a second person), or a player with its settings, "
    "for example mcts:iterations=1000 or policy:hold=5.",
)
@click.option("--moves", default="", help="Start after these moves, for example 334 or 3,3,4.")
def play_command(
    game: str,
    depth: int | None,
    algorithm: str | None,
    evaluation: str | None,
    prefer_faster_win: bool,
    you: str | None,
    starts: str | None,
    against: str,
    moves: str,
    options: dict[str, Any],
) -> None:
    """Play against the computer in the terminal.

    Choose a move with the arrow keys and Enter, or type it. Other commands: hint, undo, why, new, help, quit.

    Dice and other chance follow from --seed, as do random players.
    """
    from engine.algorithms import find_algorithm
    from engine.games.capabilities import default_depth, has_leaf_values_only, is_searcher_max
    from engine.matches.match import HUMAN, Match, choose_starting_side, default_starting_side
    from engine.matches.players import (
        PerfectPlayer,
        Player,
        RandomPlayer,
        SearchPlayer,
        check_player,
        options_by_key,
        read_player,
        seed_player,
    )
    from engine.searcher import default_algorithm
    from visualizer.cli.game_argument import read_game_argument
    from visualizer.cli.play_session import play_match
    from visualizer.cli.user_algorithms import read_algorithm_argument

    played = read_game_argument(game, evaluation)
    hint_depth = default_depth(played) if depth is None else depth
    name, usual = default_algorithm(played) if algorithm is None else (read_algorithm_argument(algorithm), {})
    seed = options.pop("seed", 0)
    K = depth if find_algorithm(name).iterate is not None else hint_depth
    searcher = seed_player(
        SearchPlayer(K, name, prefer_faster_win=prefer_faster_win, **options_by_key(name, {**usual, **options})), seed
    )
    opponents: dict[str, Player] = {
        "search": searcher,
        "perfect": PerfectPlayer(),
        "random": RandomPlayer(seed),
        "human": HUMAN,
    }
    opponent = opponents.get(against) or seed_player(read_player(against), seed)
    you = you or ("min" if is_searcher_max(played) else "max")
    for player in (searcher, opponent):
        check_player(player, played, "min" if you == "max" else "max")
    starts = starts or (
        default_starting_side(played) if has_leaf_values_only(played) or default_starting_side(played) == "min" else you
    )
    max_player, min_player = (HUMAN, opponent) if you == "max" else (opponent, HUMAN)
    match = Match.read(played, moves, choose_starting_side(starts, f"{seed}:0"), max_player, min_player, seed)
    play_match(match, starts, seed, hint_depth)
