"""The marks of reviewed games, and the effects of moves that players see."""

from itertools import pairwise

import pytest

from engine import connect, literal, nim, solve, tictactoe
from engine.games.capabilities import game_outcome, has_single_digit_moves
from engine.games.positions import write_moves
from engine.games.registry import read_game
from engine.matches.game_review import review_moves
from engine.matches.match import Match
from engine.matches.move_effects import find_effects
from engine.matches.move_marks import SLOW_MOVES, sign_of
from engine.matches.players import RandomPlayer
from engine.solver.scores import moves_to_end

PATIENT = 60.0
MAX_EMPTY_CELLS = 29  # of a position that is solved afresh; a game is reviewed from its end
MAX_JUDGED = 6  # moves of a game, for which plain minimax is quick
GAMES = ["66000256566534232522344344000111115", "14412442232536", "12053311360325255653001626"]


def winning_moves(match):
    """The moves that win at once, found by playing them."""
    after = {move: match.play(move) for move in match.legal_moves}
    return {move for move, then in after.items() if then.outcome and then.outcome.winner == match.side}


@pytest.mark.parametrize("moves", GAMES)
def test_marks_follow_their_rules(moves):
    """Each mark is checked against the scores of a solver that starts afresh."""
    match = Match.read(connect(), moves)
    for after, _ in zip(review_moves(match, PATIENT), range(14), strict=False):
        if 42 - after.ply > MAX_EMPTY_CELLS:
            break
        solution = solve(connect(), moves[: after.ply], table_mb=1)
        scores, score = solution.columns, solution.columns[after.move]
        best = max(scores.values())
        later = score and abs(moves_to_end(score, solution.disc_count) - moves_to_end(best, solution.disc_count))
        assert (after.mark == "??") == after.mistake == (sign_of(score) < sign_of(best))
        assert (after.mark == "?") == (not after.mistake and later >= SLOW_MOVES)
        if after.mark == "!":
            assert score >= 0
            assert all(sign_of(other) < sign_of(score) for move, other in scores.items() if move != after.move)
            assert after.move not in winning_moves(Match.read(connect(), moves[: after.ply]))


@pytest.mark.parametrize(("game", "moves"), [*((connect(), moves) for moves in GAMES), (tictactoe(), "04132")])
def test_effects_are_what_the_rules_say(game, moves):
    """Every effect of every move of a game, against moves that are really played."""
    for ply in range(len(moves)):
        match = Match.read(game, moves[:ply])
        for move in match.legal_moves:
            effects, then = find_effects(game, match.state, move), match.play(move)
            assert effects.completes == (move in winning_moves(match))
            assert set(effects.missed) == (set() if effects.completes else winning_moves(match))
            elsewhere = [match.play(other) for other in match.legal_moves if other != move]
            assert effects.stops == any(move in winning_moves(other) for other in elsewhere)
            if then.is_finished:
                continue
            assert set(effects.allows) == winning_moves(then)
            assert set(effects.opens) <= set(effects.allows)
            assert not any(reply in winning_moves(other) for other in elsewhere for reply in effects.opens)
            replies = [then.play(reply) for reply in then.legal_moves]
            assert effects.wins_next == all(not reply.is_finished and winning_moves(reply) for reply in replies)
            for threat in effects.threatens:
                assert all(
                    threat in winning_moves(reply) for reply in replies if reply.moves[-1] != threat and not reply.is_finished
                )


def test_only_games_that_are_won_by_a_line_have_effects():
    counted = connect(rows=4, cols=4, connect=3, rule="count")
    assert find_effects(counted, counted.start(), 0) is None
    assert find_effects(nim([3]), nim([3]).start(), 0) is None
    over = connect().state("0011223")
    assert game_outcome(connect(), over).winner == "max"
    assert find_effects(connect(), over, 4) is None


SMALL_GAMES = (
    "tictactoe",
    "nim:2,3",
    "othello:size=4",
    "connect:rows=3,cols=3,connect=3,rule=count",
    "connect:rows=9,cols=8,connect=8",  # too large for the solver
)


@pytest.mark.parametrize("text", SMALL_GAMES)
def test_moves_of_games_without_a_solver_are_judged_by_the_end_of_the_game(text):
    """The verdict is that of plain minimax over the winners, from the end of a random game as far as minimax is quick."""
    match = Match(read_game(text), RandomPlayer(5), RandomPlayer(6))
    while not match.is_finished:
        match = match.play(match.choose().move)
    judged = list(zip(review_moves(match, PATIENT), range(MAX_JUDGED), strict=False))
    assert len(judged) == min(len(match.moves), MAX_JUDGED)
    for after, _ in judged:
        before = Match.read(match.game, write_moves(match.moves[: after.ply], has_single_digit_moves(match.game)))
        sign = 1 if before.side == "max" else -1
        own = {move: sign * minimax_winner(before.play(move)) for move in before.legal_moves}
        best = max(own.values())
        assert after.words == {1: "wins", 0: "draws", -1: "loses"}[own[after.move]]
        assert set(after.best) == {move for move, result in own.items() if result == best}
        assert (after.mark == "??") == after.mistake == (own[after.move] < best)
        assert after.score == sign * own[after.move]
        assert after.before.score == sign * best
        if after.mark == "!":
            assert after.best == [after.move]


def minimax_winner(match):
    """Return the winner with best play: 1, 0 or -1. Every position is searched, none is remembered."""
    if match.is_finished:
        return {"max": 1, "": 0, "min": -1}[match.outcome.winner]
    return (max if match.side == "max" else min)(minimax_winner(match.play(move)) for move in match.legal_moves)


def test_a_review_ends_where_the_time_is_too_short_and_trees_have_none():
    match = Match.read(tictactoe(), "012453687")
    assert [after.ply for after in review_moves(match, seconds=0.0)] == [8]  # the only move that is left needs no search
    assert [after.ply for after in review_moves(match, PATIENT, lambda nodes: False)] == [8]
    assert list(review_moves(Match.read(literal([[3, 12], [2, 4]]), "01"), PATIENT)) == []


def test_the_review_goes_from_the_end_to_the_start():
    plies = [after.ply for after in review_moves(Match.read(connect(rows=4, cols=4, connect=3), "31301332"), PATIENT)]
    assert all(later == earlier + 1 for later, earlier in pairwise(plies))
