"""The choice of a move: a random one, a policy's, or the best move of a search. `Match.choose` is the entry point."""

from collections.abc import Mapping
from random import Random
from typing import Any, NamedTuple

from engine.algorithms.spec import MAX_DEPTH
from engine.core.errors import BadGame, TooDeep, short_repr
from engine.core.stop_reason import StopReason
from engine.games.capabilities import has_leaf_values_only, wins_only_game
from engine.games.policies import policy_move
from engine.games.protocol import MovesByCode
from engine.matches.players import OnProgress, Player, PolicyPlayer, RandomPlayer, SearchPlayer, check_player
from engine.question import Question
from engine.searcher import MAX_NODES, search_uninterrupted
from engine.tree.tree import SearchTree

MAX_GLANCE_NODES = 5_000  # of a first search for any forced win: most positions have none


class Choice(NamedTuple):
    """A move and, of a search player, the search that chose it: `search(question)` gives `tree` again."""

    move: int
    question: Question | None
    tree: SearchTree | None
    reason: str = ""  # with prefer_faster_win: "win" if one can be forced, "loss" if it can be delayed, "lost" if not
    truth: str = ""  # of a perfect player: the exact result of the move ("wins in 7"), if the position was solved
    shortened_to: int | None = None  # the depth that was searched, if the player's own depth was too large


def choose_random_move(player: RandomPlayer, legal: list[int], moves: tuple[int, ...]) -> Choice:
    """Return a random move. The same seed and moves always give the same one."""
    return Choice(Random(f"{player.seed}:{moves}").choice(legal), None, None)  # noqa: S311 - no secret


def choose_policy_move(player: PolicyPlayer, game: Any, state: Any) -> Choice:
    """Return the move of a policy that the game declares."""
    chosen = policy_move(game, state, player.policy, player.number)
    codes = [code for code, move in MovesByCode(game, state).moves.items() if move == chosen]
    if not codes:
        raise BadGame(f"policy_move() returned {short_repr(chosen)} in state {short_repr(state)}: return a legal move")
    return Choice(codes[0], None, None)


def draw_outcome(seed: int, number: int, probabilities: Mapping[int, float]) -> Choice:
    """Return what chance brings when it moves for the time `number`, counted from 0. A seed always brings the same, so a game can
    be resumed anywhere.

    >>> [draw_outcome(7, number, {1: 1 / 2, 2: 1 / 2}).move for number in range(5)]
    [1, 2, 1, 1, 1]
    """
    chance = Random(f"chance {seed}:{number}")  # noqa: S311 - no secret
    return Choice(chance.choices(list(probabilities), list(probabilities.values()))[0], None, None)


def deepest_choice(
    player: SearchPlayer, question: Question, state: Any, on_progress: OnProgress = None, max_nodes: int = MAX_NODES
) -> Choice | None:
    """Return the move of a search player. If its depth needs too many nodes, use the deepest search that does not."""
    try:
        return choose_search_move(player, question, state, on_progress, max_nodes)
    except TooDeep:
        if not can_look_less_far(player, question.game):
            raise
    choice = None
    for depth in range(1, player.depth or MAX_DEPTH):
        try:
            found = choose_search_move(player.replace(depth=depth), question, state, on_progress, max_nodes)
        except TooDeep:
            if choice is None:
                raise
            break
        if found is None:
            return None
        choice = found._replace(shortened_to=depth)
    return choice


def can_look_less_far(player: Player, game: Any) -> bool:
    """Return True if a player can search to a smaller depth. In a literal tree only leaves have values."""
    return isinstance(player, SearchPlayer) and not player.iterates and player.depth != 1 and not has_leaf_values_only(game)


def choose_search_move(
    player: SearchPlayer, question: Question, state: Any, on_progress: OnProgress = None, max_nodes: int = MAX_NODES
) -> Choice | None:
    """Return the move of a search player in a state; None if `on_progress` stopped the search. `question` names game and
    position.
    """
    question = player.make_question(question)
    game = question.game
    if player.as_published:
        check_player(player, game, "max" if game.maximizing(state) else "min")

    def run(question: Question, max_nodes: int) -> SearchTree:
        again = question.replace(position=state, first=None)  # the state is known: no need to replay the moves
        return search_uninterrupted(again, max_nodes=max_nodes, on_progress=on_progress)

    def choose(**changes: Any) -> Choice | None:
        changed = question.replace(**changes)
        tree = run(changed, max_nodes)
        if tree.stopped == StopReason.CANCELLED:
            return None
        if tree.stopped:
            what, lower = f"a search to depth {changed.depth}", "the depth"
            if player.iterates:
                what, lower = f"a search of {changed.options['iterations']:,} iterations", "their number"
            needed = "memory than it may use" if tree.stopped == StopReason.MEMORY_LIMIT else f"than {max_nodes:,} nodes"
            raise TooDeep(f"{what} needs more {needed}: lower {lower}")
        return Choice(tree.root.best_move, changed, tree)

    rules = wins_only_game(game) if player.prefer_faster_win else None
    if rules is None:
        return choose()
    if player.depth is not None:
        whole = run(question.replace(game=rules), min(MAX_GLANCE_NODES, max_nodes))
        if whole.complete and whole.root.value == 0:  # then neither side can force a win within fewer plies
            return choose()
    wanted = 1 if game.maximizing(state) else -1
    no_further = {"quiescence": 0} if player.options.get("quiescence") else {}  # each search must be exactly one ply deeper
    escape = None
    for depth in range(1, (player.depth or MAX_DEPTH) + 1):
        choice = choose(game=rules, depth=depth, **no_further)
        if choice is None or choice.tree is None:
            return None
        if choice.tree.root.value == wanted:
            return choice._replace(reason="win")
        if choice.tree.root.value == -wanted:
            if escape is not None:
                return escape._replace(reason="loss")
            last = choose()
            return last and last._replace(reason="lost")
        if choice.tree.leaves == choice.tree.terminals:  # deeper searches find the same
            break
        escape = choice
    return choose()
