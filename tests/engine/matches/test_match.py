"""Players and matches: laws for every game, the faster win, what can be opened again."""

import pickle
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import PlyscopeError, connect, literal, nim, preset, search, tictactoe
from engine.games.capabilities import can_read_positions, game_outcome, winning_line, wins_only_game
from engine.games.registry import game_text, read_game
from engine.matches import move_choice
from engine.matches.match import HUMAN, Match, choose_starting_side, search_hints
from engine.matches.players import HumanPlayer, RandomPlayer, SearchPlayer, player_text, read_player
from tests.engine.algorithms.test_laws import same_table
from tests.support.games import ALL_GAMES, Countdown
from tests.support.marks import mostly_slow
from visualizer.app.state.url_params import read_search_params, search_params

GAMES_IN_ALL = 10_000
every_game = pytest.mark.parametrize("name", ALL_GAMES)


def play_to_the_end(match):
    while not match.is_finished:
        match = match.play(match.choose().move)
    return match


@pytest.mark.parametrize("name", mostly_slow(ALL_GAMES, quick=2))
def test_random_against_random_plays_legal_moves_to_an_end(name):
    """No game of ours goes on for ever, no player leaves the rules, and what is over has an outcome and a position to read."""
    game = ALL_GAMES[name][0]
    sides = ("max", "min") if can_read_positions(game) else (None,)
    ends = set()
    for number in range(-(-GAMES_IN_ALL // len(ALL_GAMES))):
        first = sides[number % len(sides)]
        match = Match(game, RandomPlayer(number), RandomPlayer(number + 1), first)
        while not match.is_finished:
            assert len(match.moves) < 100
            move = match.choose().move
            assert move in match.legal_moves
            match = match.play(move)
        assert match.legal_moves == []
        assert match.outcome.winner in ("max", "min", "")
        ends.add(match.outcome.winner)
        if match.position is not None and number % 50 == 0:
            assert game.state(match.position, first=first) == match.state
            assert Match.read(game, match.position, first).outcome == match.outcome
    assert len(ends) > 1 or name in ("textbook", "named tree", "countdown", "connect big")


@pytest.mark.slow
@pytest.mark.parametrize(("algorithm", "games"), [("alphabeta", 40), ("minimax", 4)])
def test_search_never_loses_to_random_at_tic_tac_toe(algorithm, games):
    for seed in range(games):  # as MAX after its best opening, which would take the longest to find
        searcher, chance = SearchPlayer(None, algorithm), RandomPlayer(seed)
        assert play_to_the_end(Match(tictactoe(), searcher, chance).play(4)).outcome.winner != "min"
        assert play_to_the_end(Match(tictactoe(), chance, searcher)).outcome.winner != "max"


def test_random_players_play_the_same_game_again_from_anywhere():
    match = play_to_the_end(Match(connect(), RandomPlayer(1), RandomPlayer(2)))
    again = Match.read(connect(), match.position[:5], "max", RandomPlayer(1), RandomPlayer(2))
    assert play_to_the_end(again).position == match.position
    assert play_to_the_end(replace(again, max_player=RandomPlayer(3))).position != match.position


# ---- the faster win


def test_the_published_example_of_a_search_that_dawdles():
    """PRESETS.md: column 3 wins at once, and the textbook search plays 2."""
    match = Match.read(preset("threats"), "064262300014510", "min")
    for player, move in (
        (SearchPlayer(4), 2),
        (SearchPlayer(4, as_published=True), 2),
        (SearchPlayer(4, prefer_faster_win=True), 3),
    ):
        assert replace(match, max_player=player).choose().move == move
    assert match.play(3).outcome.winner == "max"
    assert not match.play(2).is_finished


def test_a_position_that_is_rated_above_a_win_does_not_hide_it():
    """The evaluation `threats` gives 102 to a position that is not won; columns 1 and 5 win at once, worth 100."""
    match = Match.read(preset("threats"), "045604021660135226401656")
    plain, faster = (replace(match, max_player=SearchPlayer(1, prefer_faster_win=option)).choose() for option in (False, True))
    assert (plain.move, plain.tree.root.value) == (2, 102)
    assert (faster.move, faster.tree.root.value) == (1, 1)
    assert match.play(1).outcome.winner == "max"


@cache
def solve_with_distance(game, state):
    """Who wins under best play, and how many plies it lasts: the winner hurries, the loser does not."""
    if game.is_over(state):
        winner = game_outcome(game, state).winner
        return (1 if winner == "max" else -1 if winner == "min" else 0), 0
    sign = 1 if game.maximizing(state) else -1
    ends = [solve_with_distance(game, game.play(state, move)) for move in game.moves(state)]
    won = [plies for value, plies in ends if value == sign]
    lost = [plies for value, plies in ends if value == -sign]
    if won:
        return sign, 1 + min(won)
    return (-sign, 1 + max(lost)) if len(lost) == len(ends) else (0, 0)


class Race(Countdown):
    """Countdown with a winner: who takes the last, with a score of its own."""

    def evaluate(self, state):
        return (7.5 if not state[1] else -7.5) if state[0] == 0 else state[0]


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta"])
@pytest.mark.parametrize(
    "game",
    [connect(3, 4, 3), connect(4, 3, 3), nim([2, 3]), tictactoe(), Race()],
    ids=["3x4", "4x3", "nim", "tictactoe", "own"],
)
def test_the_fastest_win_is_played_and_a_loss_put_off(game, algorithm):
    """On every position that random play meets, the move keeps the distance to the end that best play has."""
    player = SearchPlayer(None if algorithm == "alphabeta" else 6, algorithm, prefer_faster_win=True)
    checked = set()
    for seed in range(12):
        match = Match(game, RandomPlayer(seed), RandomPlayer(-seed), None if isinstance(game, Race) else "max")
        while not match.is_finished:
            winner, plies = solve_with_distance(game, match.state)
            if winner and plies <= 6 and len(match.moves) > (0 if algorithm == "alphabeta" else 2):
                choice = replace(match, max_player=player, min_player=player).choose()
                assert solve_with_distance(game, match.play(choice.move).state) == (winner, plies - 1)
                checked.add((winner, plies))
            match = match.play(match.choose().move)
    assert len(checked) > 2


@given(st.text("0123456", max_size=30), st.integers(1, 5), st.sampled_from(["connect4", "connect:rows=4,cols=5,connect=3"]))
def test_asking_first_whether_anything_is_decided_changes_no_choice(moves, depth, name):
    game = read_game(name)
    match = Match(game, *[SearchPlayer(depth, prefer_faster_win=True)] * 2)
    for move in map(int, moves):
        match = match.play(move) if move in match.legal_moves else match
    if match.is_finished:
        return
    usual = match.choose()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(move_choice, "MAX_GLANCE_NODES", 1)  # too few to see anything: every depth is searched
        each = match.choose()
    assert (usual.move, usual.question, usual.reason) == (each.move, each.question, each.reason)


def test_where_no_win_is_faster_the_search_is_the_textbook_one():
    for game in (preset("k-tables"), read_game("tree:[[3,12,8],[2,4,6],[14,5,2]]")):
        match = Match(game, SearchPlayer(game.default_depth))
        faster = replace(match, max_player=SearchPlayer(game.default_depth, prefer_faster_win=True))
        assert faster.choose().question == match.choose().question


# ---- what can be opened again


@pytest.mark.parametrize("faster", [False, True])
@every_game
def test_a_move_opens_as_the_search_that_chose_it(name, faster):
    game, depth = ALL_GAMES[name]
    player = SearchPlayer(depth, prefer_faster_win=faster)
    match = Match(game, player, player, "min" if can_read_positions(game) else None)
    for _ in range(3):
        if match.is_finished:
            break
        choice = match.choose()
        again = search(choice.question)
        same_table(again, choice.tree)
        assert again.root.best_move == choice.move
        if game_text(game):
            question, notice = read_search_params(search_params(choice.question))  # as the address of a page
            assert notice == ""
            same_table(search(question), choice.tree)
        match = match.play(choice.move)


def test_a_player_has_an_evaluation_and_an_order_of_its_own():
    question = Match(connect(), SearchPlayer(2, evaluation="lines", order="centre")).choose().question
    assert question.game == connect(evaluation="lines", order="centre")
    with pytest.raises(PlyscopeError, match="only Connect boards have an evaluation"):
        Match(tictactoe(), SearchPlayer(2, evaluation="lines")).choose()


PLAYERS = [
    HumanPlayer(),
    RandomPlayer(),
    RandomPlayer(7),
    SearchPlayer(),
    SearchPlayer(None),
    SearchPlayer(2, "minimax", "segments:linear", "3-2-1-0/centre", cut_on_equal=False, as_published=True),
    SearchPlayer(2, prefer_faster_win=True),
]


@pytest.mark.parametrize("player", PLAYERS)
def test_players_come_back_from_their_text(player):
    assert read_player(player_text(player)) == player


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("robot", "Known: human, random:seed=7, search:depth=4"),
        ("search:depth=0", "give 1 to 500 plies"),
        ("search:depth=x", "not a whole number"),
        ("search:colour=red", "there is no option of the player"),
        ("search:algorithm=alphabet", "did you mean 'alphabeta'"),
        ("search:published,faster", "no published program prefers the faster win"),
    ],
)
def test_a_player_that_cannot_be(text, words):
    with pytest.raises(PlyscopeError) as error:
        read_player(text)
    assert words in str(error.value)


# ---- the match


def test_undo_goes_back_to_the_persons_last_move():
    match = Match(connect(), HUMAN, SearchPlayer(2))
    match = match.play(3)
    match = match.play(match.choose().move)
    after = match.play(3)
    assert after.undo().position == match.position
    assert match.undo().position == ""
    assert match.undo().undo() == match.undo()
    opened = Match(connect(), SearchPlayer(2), HUMAN).play(3)
    assert opened.undo() == opened


def test_a_match_knows_those_before_it_and_travels_without_them():
    match = play_to_the_end(Match(connect(), RandomPlayer(3), RandomPlayer(4)))
    read = Match.read(connect(), match.position, "max", RandomPlayer(3), RandomPlayer(4))
    while match.moves:
        assert (match.previous_match, match.previous_match.state) == (read.previous_match, read.previous_match.state)
        match, read = match.previous_match, read.previous_match
    assert match.previous_match is None
    long = Match(nim([400]), HUMAN, HUMAN)
    for _ in range(390):
        long = long.play(1)
    assert pickle.loads(pickle.dumps(long)) == long


def test_who_starts():
    assert Match.read(connect(), "33", "min").side == "min"
    assert Match.read(nim([1, 2]), "", "min").play(1).side == "max"
    assert {choose_starting_side("random", seed) for seed in range(20)} == {"max", "min"}
    with pytest.raises(PlyscopeError, match="starting side"):
        choose_starting_side("nobody")


def test_outcomes():
    assert Match.read(connect(), "0011223").outcome.line == {35, 36, 37, 38}
    sample = Match.read(preset("k-tables"), "335505221440012231334444626166515153626000")
    assert (sample.outcome.winner, sample.outcome.scores) == ("min", (2, 8))
    assert Match.read(preset("k-tables"), "0101010").scores == (1, 0)
    assert Match.read(tictactoe(), "021354678").outcome.winner == ""
    assert winning_line(nim([1]), nim([1]).start()) == frozenset()
    assert Match.read(read_game("tree:[[3,12],[2]]"), "01").outcome.value == 12


def test_what_a_match_refuses():
    full = Match.read(connect(rows=2, cols=3, connect=3), "00")
    with pytest.raises(PlyscopeError, match="column 0 is full: choose 1, 2"):
        full.play(0)
    with pytest.raises(PlyscopeError, match="there is no column 9"):
        full.play(9)
    won = Match.read(connect(), "0011223")
    with pytest.raises(PlyscopeError, match="the game is over"):
        won.play(3)
    with pytest.raises(PlyscopeError, match="the game is over"):
        won.choose()
    with pytest.raises(PlyscopeError, match="a person is to move"):
        full.choose()
    with pytest.raises(PlyscopeError, match="lower the depth"):
        Match(connect(), SearchPlayer(6)).choose(max_nodes=100)
    with pytest.raises(PlyscopeError, match="plays only MAX"):
        Match(preset("full-depth"), HUMAN, SearchPlayer(3, as_published=True), "min").choose()
    assert Match(connect(), SearchPlayer(8)).choose(on_progress=lambda nodes: False) is None


@pytest.mark.parametrize("player", [SearchPlayer(8, "minimax"), SearchPlayer(None), SearchPlayer(9, prefer_faster_win=True)])
def test_a_player_whose_depth_is_too_deep_plays_the_deepest_search_that_is_not(player):
    match = Match(connect(), player)
    choice = match.choose(max_nodes=3000, may_shorten=True)
    same = replace(match, max_player=player.replace(depth=choice.shortened_to)).choose()
    assert (choice.move, choice.question) == (same.move, same.question)
    deeper = replace(match, max_player=player.replace(depth=choice.shortened_to + 1))
    with pytest.raises(PlyscopeError, match="lower the depth"):
        deeper.choose(max_nodes=3000)
    assert match.choose(on_progress=lambda nodes: False, may_shorten=True) is None


def test_where_no_depth_is_shallow_enough_that_is_an_error():
    for match in (Match(connect(), SearchPlayer(1)), Match(literal([[1, 2], [3, 4]]), SearchPlayer(None))):
        with pytest.raises(PlyscopeError, match="lower the depth"):
            match.choose(max_nodes=2, may_shorten=True)


# ---- hints


@every_game
def test_hints_are_the_exact_values_of_the_moves(name):
    game, depth = ALL_GAMES[name]
    match = Match(game, first="max" if can_read_positions(game) else None)
    tree = search(match.question.replace(depth=depth, algorithm="minimax"))
    found = search_hints(match, depth)
    assert [(hint.move, hint.value) for hint in found] == [(child.move, child.value) for child in tree.root.children]
    assert next(hint.move for hint in found if hint.best) == tree.root.best_move


def test_hints_tell_how_far_they_are_and_can_be_stopped():
    seen = []
    search_hints(Match(connect()), 5, on_progress=seen.append)
    assert seen == sorted(seen)
    stopped = search_hints(Match(connect()), 12, on_progress=lambda nodes: False)
    assert [hint.value for hint in stopped] == [None] * 7
    assert not any(hint.best for hint in stopped)
    assert {hint.value for hint in search_hints(Match(connect()), 6, max_nodes=50)} == {None}
    with pytest.raises(PlyscopeError, match="1 to 500"):
        search_hints(Match(connect()), 0)


@pytest.mark.parametrize("text", ["connect4", "connect:rows=4,order=centre", "connect-m:size=5", "threats", "tictactoe", "nim:1"])
def test_the_game_that_sees_only_wins_has_the_text_it_is_read_from(text):
    game = wins_only_game(read_game(text))
    assert read_game(game_text(game)) == game
    assert read_game(game_text(game)).evaluate(game.start()) == 0
