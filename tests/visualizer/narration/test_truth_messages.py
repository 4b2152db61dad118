"""Sentences about exact results are true: they are parsed and compared with a brute-force search."""

import re
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import connect, search, solve
from engine.matches.game_review import review_moves
from engine.matches.match import Match
from engine.solver.scores import ordinal
from engine.solver.solver import Solver
from tests.support.marks import examples
from visualizer.narration.truth_messages import describe_belief, describe_believed_move, describe_mistake

BOARDS = [(4, 4, 3), (4, 4, 4), (3, 5, 3), (5, 3, 3), (2, 6, 2), (1, 8, 3), (8, 1, 2), (2, 1, 2), (1, 2, 2)]
FEW = 11  # empty cells: the rest of a game is played out in a moment
PLACES = st.tuples(st.sampled_from(BOARDS), st.integers(0, 10**6), st.floats(0.3, 1))


@cache
def make_outcome_finder(board):
    """Return the outcome of a state (1, 0, -1 for the side to move), and the number of plies with best play: the winner
    to win soon, the loser to lose late."""
    game = connect(*board)

    @cache
    def end(state):
        if game.is_over(state):
            return (-1 if game.won_by(state) else 0), 0
        found = [(-outcome, plies + 1) for outcome, plies in (end(game.play(state, move)) for move in game.moves(state))]
        best = max(outcome for outcome, _ in found)
        return best, (min if best > 0 else max)(plies for outcome, plies in found if outcome == best)

    return end


@cache
def solver_of(board):
    return Solver(connect(*board), 10_007)


def draw_position(drawn):
    """Draw a random position of a board, and the moves that lead to it."""
    board, seed, share = drawn
    game, chance, moves = connect(*board), Random(seed), []
    state = game.start()
    for _ in range(max(round(share * board[0] * board[1]), board[0] * board[1] - FEW)):
        if game.is_over(state):
            break
        moves.append(chance.choice(game.moves(state)))
        state = game.play(state, moves[-1])
    return game, state, moves


def describe_outcome(board, state, move):
    """Return the outcome of a move as a hint writes it: a verb, and the number of the winner's moves."""
    outcome, plies = make_outcome_finder(board)(connect(*board).play(state, move))
    outcome, plies = -outcome, plies + 1
    return "draws" if outcome == 0 else f"{'wins' if outcome > 0 else 'loses'} in {(plies + 1) // 2}"


@examples(60)
@given(PLACES)
def test_words_about_positions_and_columns(drawn):
    game, state, _ = draw_position(drawn)
    outcome, plies = make_outcome_finder(drawn[0])(state)
    solution, weak = (solver_of(drawn[0]).solve(state, weak=weak) for weak in (False, True))
    if game.is_over(state):
        assert solution.words == weak.words == ("has lost" if outcome < 0 else "has drawn") + ": the game is over"
        assert solution.columns == weak.columns == {}
        return
    own, other = (discs.bit_count() for discs in (state.max_discs, state.min_discs)[:: 1 if state.max_to_move else -1])
    moves = (plies + 1) // 2
    soon = f"in {moves} move{'s' * (moves != 1)}"
    assert (
        solution.words
        == {
            1: f"wins with its {ordinal(own + moves)} disc, {soon}",
            0: "draws: the board fills up without a line",
            -1: f"loses to the other side's {ordinal(other + moves)} disc, {soon}",
        }[outcome]
    )
    assert weak.words == {1: "wins", 0: solution.words, -1: "loses"}[outcome]
    assert solution.columns.keys() == weak.columns.keys() == set(game.moves(state))
    for column in game.moves(state):
        words = describe_outcome(drawn[0], state, column)
        assert (solution.column_words(column), weak.column_words(column)) == (words, words.split(" in ")[0])
    assert {describe_outcome(drawn[0], state, column) for column in solution.best_moves} == {
        describe_outcome(drawn[0], state, column) for column in game.moves(state) if solution.columns[column] == solution.score
    }


BELIEF = re.compile(
    r"(?P<who>K=\d+|A search to the end) (?P<verb>estimates|finds) (?P<value>[+−]?\d+) for column (?P<move>\d+); "
    r"in fact column (?P=move) (?P<truth>[a-z]+( in \d+)?)"
    r"(, and (?P<none>no move is better)|, but (?P<soon>the number of moves is not known)|"
    r" and (?P<only>only )?columns? (?P<better>[\d, and column]+?) "
    r"(?P<brings>(wins?|draws?|loses?)( (?P<how>soonest|latest),)?( in \d+)?))\."
)


@examples(60)
@given(PLACES, st.booleans(), st.integers(-9, 9), st.none() | st.integers(1, 20))
def test_sentences_about_beliefs(drawn, weak, value, K):
    game, state, _ = draw_position(drawn)
    solution = solver_of(drawn[0]).solve(state, weak=weak)
    truths = {column: describe_outcome(drawn[0], state, column) for column in game.moves(state)}
    outcomes = {column: ("loses", "draws", "wins").index(words.split()[0]) for column, words in truths.items()}
    for move, truth in truths.items():
        match = BELIEF.fullmatch(describe_believed_move(game, K, value, move, solution))
        assert match
        empty = drawn[0][0] * drawn[0][1] - (state.max_discs | state.min_discs).bit_count()
        assert (match["verb"] == "finds") == (K is None or empty <= K)
        assert int(match["value"].replace("−", "-")) == value
        known = {column: words.split(" in ")[0] if weak else words for column, words in truths.items()}
        assert match["truth"] == known[move]
        if match["better"]:
            better = [int(column) for column in re.findall(r"\d+", match["better"])]
            brings = re.sub(" (soonest|latest),", "", match["brings"]).split()
            verb = brings[0] if brings[0].endswith("s") and brings[0] != "los" else f"{brings[0]}s"
            assert {known[column] for column in better} == {" ".join([verb, *brings[1:]])}
            same_end = [column for column in truths if outcomes[column] == outcomes[better[0]]]
            assert bool(match["only"]) == (len(same_end) == 1)
            assert bool(match["how"]) == (same_end != better)
            ranks = [rank_hint(truths[column]) for column in same_end]
            assert not match["how"] or rank_hint(truths[better[0]]) == max(ranks) > min(ranks)
            assert match["how"] in (None, "soonest" if brings[0].startswith("win") else "latest")
            assert all(column in better for column in truths if known[column] == known[better[0]])
            assert all(rank_hint(truths[column]) >= rank_hint(truth) for column in better)
            assert max(outcomes.values()) == outcomes[better[0]]
        elif match["none"]:
            assert rank_hint(truth) == max(map(rank_hint, truths.values()))
        else:
            assert weak
            assert outcomes[move] == max(outcomes.values()) != 1


def test_only_names_the_only_move_with_that_outcome():
    """Columns 0, 5 and 6 win as well, later; and where every column loses, none is the only one."""
    tree = search(connect(), "44311060161161332566", 1)
    solution = solve(connect(), "44311060161161332566")
    assert describe_belief(tree, solution).endswith("in fact column 2 loses in 11 and column 3 wins soonest, in 6.")
    lost = solve(connect(), "5320223061034215642233")
    words = describe_believed_move(connect(), 1, 0, 0, lost)
    assert words.endswith("in fact column 0 loses in 1 and column 1 loses latest, in 2.")


def rank_hint(words):
    """Return a number that ranks hints: sooner wins and later losses are better."""
    verb, _, moves = words.partition(" in ")
    return {"wins": 1000, "draws": 0, "loses": -1000}[verb] + (int(moves or 0) if verb == "loses" else -int(moves or 0))


MISTAKE = re.compile(r"(\d+)\. column (\d+)\?\? (\w+) → (\w+); (.+?) (was|were) right: (MAX|MIN) (.+), now (.+)\.")


@examples(20)
@given(PLACES, st.sampled_from(["max", "min"]))
def test_sentences_about_mistakes(drawn, first):
    game, _, moves = draw_position(drawn)
    match = Match.read(game, "".join(map(str, moves)), first)
    state, states = Match(game, first=first).state, []
    for move in moves:
        states.append(state)
        state = game.play(state, move)
    for after in review_moves(match, seconds=100.0):
        if drawn[0][0] * drawn[0][1] - after.ply > FEW:
            break
        truths = {column: describe_outcome(drawn[0], states[after.ply], column) for column in game.moves(states[after.ply])}
        verbs = {column: ("loses", "draws", "wins").index(words.split()[0]) for column, words in truths.items()}
        assert after.mistake == (verbs[after.move] < max(verbs.values()))
        assert after.words == truths[after.move]
        if after.mistake:
            number, move, had, has, better, verb, side, before, now = MISTAKE.fullmatch(describe_mistake(match, after)).groups()
            assert (int(number), int(move), now) == (after.ply + 1, moves[after.ply], truths[after.move])
            assert (had, has) == (before.split()[0], now.split()[0])
            assert (side == "MAX") == game.maximizing(states[after.ply])
            named = [int(column) for column in re.findall(r"\d+", better)]
            assert verb == ("was" if len(named) == 1 else "were")
            assert {truths[column] for column in named} == {before}
            assert rank_hint(truths[named[0]]) == max(map(rank_hint, truths.values()))


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_a_board_is_played_from_its_start_to_its_end(board):
    """Best play takes as long as the sentences say, from the first position to the last."""
    game, solver = connect(*board), solver_of(board)
    state = game.start()
    if board[0] * board[1] > 12:
        state = draw_position((board, 1, 0.4))[1]
    while not game.is_over(state):
        outcome, plies = make_outcome_finder(board)(state)
        solution = solver.solve(state)
        assert (solution.score > 0) - (solution.score < 0) == outcome
        after = game.play(state, solution.best_moves[0])
        assert make_outcome_finder(board)(after)[1] == plies - 1
        state = after
    assert solver.solve(state).words.endswith("the game is over")
