"""The ladder kernel writes the rows of the readable algorithms, for all boards, options and limits."""

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from engine import connect, preset, search
from engine.algorithms import ALGORITHMS
from engine.algorithms.spec import LADDER
from engine.compiled import alphabeta_driver, ladder_driver
from engine.core.errors import BadLimit, NotCompilable
from engine.core.stop_reason import StopReason
from engine.record.recorder import ENTRY_BYTES
from engine.searcher import check_question, create_kernel_search, search_unrecorded
from tests.engine.algorithms.test_laws import same_table
from tests.support.games import connect_games, random_positions
from tests.support.marks import examples
from visualizer.cli.main import plyscope

RUNGS = [name for name, algorithm in ALGORITHMS.items() if algorithm.kernel == LADDER]
CLASSIC = connect(rows=4, cols=5, connect=3)
every_rung = pytest.mark.parametrize("rung", RUNGS)


def same_search(one, other):
    """Compare row for row, including links, bounds of table answers and passes."""
    same_table(one, other)
    np.testing.assert_array_equal(one.columns.flags, other.columns.flags)
    np.testing.assert_array_equal(one.columns.link, other.columns.link)
    assert one.passes == other.passes


@st.composite
def algorithm_options(draw, algorithm):
    """Draw options of an algorithm that the kernel supports."""
    numbers = {
        "slots": st.sampled_from([0, 1, 2, 7, 64, 1000, 1 << 16]),
        "guess": st.none() | st.integers(-40, 40),
        "width": st.sampled_from([0, 1, 5, 100]),
        "quiescence": st.just(0),  # the kernel supports no other
    }
    chosen = {}
    for option in ALGORITHMS[algorithm].options:
        usual = st.sampled_from([choice for choice in option.choices if choice not in option.readable] or [False, True])
        chosen[option.name] = draw(numbers.get(option.name, usual))
    return {name: value for name, value in chosen.items() if name != "as_published"}


@given(st.data())
@examples(300)
def test_the_ladder_kernel_equals_the_readable_algorithms(data):
    game = data.draw(
        connect_games().filter(lambda game: game.evaluation != "spread" and not alphabeta_driver.why_board_not_compiled(game))
    )
    state = data.draw(random_positions(game))
    depth = data.draw(st.integers(0, 5 if game.cols < 5 else 4 if game.cols < 6 else 3 if game.cols < 8 else 2))
    algorithm = data.draw(st.sampled_from(["alphabeta", *RUNGS]))
    chosen = data.draw(algorithm_options(algorithm))
    readable = search(game, state, depth, algorithm, compiled=False, max_nodes=5_000, **chosen)
    same_search(search(game, state, depth, algorithm, compiled=True, max_nodes=5_000, **chosen), readable)


@given(st.data())
@examples(60)
def test_a_stopped_rung_has_the_rows_of_the_readable_algorithm(data):
    rung = data.draw(st.sampled_from(RUNGS))
    chosen = data.draw(algorithm_options(rung))
    whole = search(CLASSIC, depth=4, algorithm=rung, **chosen)
    most = data.draw(st.integers(1, len(whole)))
    part = search(CLASSIC, depth=4, algorithm=rung, max_nodes=most, **chosen)
    assert part.complete == (most == len(whole))
    same_search(part, search(CLASSIC, depth=4, algorithm=rung, max_nodes=most, compiled=False, **chosen))


@every_rung
def test_a_rung_that_continues_in_slices_gives_the_same_rows(rung):
    """Files are read like this: the search continues to the last row of each piece."""
    whole = search(CLASSIC, depth=5, algorithm=rung)
    kernel_search = create_kernel_search(whole.search)
    for most in (1, 2, 30, 31, 200, 1000, len(whole)):
        assert bool(kernel_search.advance(most)) == (most < len(whole))
    columns = kernel_search.finish_table(len(whole), "")
    for name, column in whole.columns._asdict().items():
        np.testing.assert_array_equal(getattr(columns, name), column, err_msg=name)
    assert kernel_search.passes() == whole.notes


@every_rung
def test_an_unrecorded_rung_finds_the_same_value(rung):
    whole = search(CLASSIC, depth=5, algorithm=rung)
    alone = search_unrecorded(CLASSIC, depth=5, algorithm=rung)
    assert (alone.expanded, alone.value) == (len(whole), whole.root.value)
    assert search_unrecorded(CLASSIC, depth=5, algorithm=rung, max_nodes=50)[::3] == (50, "node limit")


@pytest.mark.parametrize("rung", ["table", "iterative", "mtdf"])
def test_a_table_that_keeps_everything_grows(rung, monkeypatch):
    monkeypatch.setattr(ladder_driver, "FIRST_SLOTS", 512)
    grown = search(CLASSIC, "2", depth=6, algorithm=rung, slots=0)
    kernel_search = create_kernel_search(grown.search)
    kernel_search.advance(len(grown))
    assert kernel_search.slots >= 4 * 512
    same_search(grown, search(CLASSIC, "2", depth=6, algorithm=rung, slots=0, compiled=False))


@every_rung
def test_a_rung_can_be_cancelled_between_its_passes(rung):
    """Small passes end before the first progress report. Then the next pass does not begin, and the finished passes stay."""
    seen = []
    tree = search(connect(), depth=9, algorithm=rung, on_progress=lambda nodes: seen.append(nodes) or False)
    assert tree.stopped == StopReason.CANCELLED
    assert len(seen) == 1
    assert len(tree.roots) == 1 or all(tree[row].status != "open" for row in tree.roots)


def test_searches_that_only_the_readable_algorithm_can_run_are_refused():
    for chosen, why in (
        ({"algorithm": "table", "order": "static"}, "order=static"),
        ({"algorithm": "alphabeta", "order": "best"}, "order=best"),
        ({"algorithm": "mtdf", "guess": 0.5}, "guess 0.5"),
        ({"algorithm": "aspiration", "width": 1e30}, "width 1e"),
    ):
        with pytest.raises(NotCompilable, match=f"cannot run compiled: .*{why}"):
            search(connect(), depth=2, compiled=True, **chosen)
        assert not search(connect(), depth=2, **chosen).compiled
    with pytest.raises(NotCompilable, match="spread"):
        search(preset("long-state"), depth=2, algorithm="pvs", compiled=True)
    assert search(preset("long-state"), depth=2, algorithm="pvs").complete


def test_a_table_counts_towards_the_memory_of_a_search():
    with pytest.raises(BadLimit, match=r"a table of 1,048,576 slots takes 34 MB, but a search may take 20 MB"):
        search(connect(), depth=3, algorithm="table", max_memory=20_000_000)
    table = (1 << 16) * ladder_driver.SLOT_BYTES
    tree = search(connect(), depth=8, algorithm="table", slots=1 << 16, max_memory=table + 24 * 1000)
    assert (tree.stopped, len(tree)) == (StopReason.MEMORY_LIMIT, 1000)
    limited = search(connect(), depth=9, algorithm="mtdf", max_memory=6_000_000)
    assert limited.stopped == StopReason.MEMORY_LIMIT


@pytest.mark.slow
def test_counts_of_connect4_to_11_plies_match_the_prototype():
    """Within 3 %: the prototype replaced table entries differently."""
    table = search_unrecorded(connect(), depth=11, algorithm="table", slots=1 << 22)
    deepening = search_unrecorded(connect(), depth=11, algorithm="iterative", slots=1 << 22)
    assert table.value == deepening.value
    assert table.expanded == pytest.approx(2_137_942, rel=0.03)
    assert deepening.expanded == pytest.approx(421_862, rel=0.03)


def test_a_search_is_checked_before_its_kernel_is_chosen():
    question = check_question(search(connect(), depth=1, algorithm="pvs").question, 100, None)
    assert isinstance(create_kernel_search(question), ladder_driver.LadderKernelSearch)
    assert create_kernel_search(question._replace(compiled=False)) is None


def test_ctrl_c_in_the_middle_of_a_later_pass_returns_the_tree_so_far(ctrl_c):
    def interrupt(nodes):
        if nodes >= 300_000:
            ctrl_c.press_or_wait()

    tree = search(connect(), depth=14, algorithm="iterative", on_progress=interrupt)
    *finished, last = (each_pass.result is not None for each_pass in tree.passes)
    assert tree.stopped == "interrupted"
    assert finished
    assert all(finished)
    assert last == (tree.root.status != "open")  # it may come between two passes, where no row is open


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (["connect4", "--algorithm", "table"], "the table has 1,048,576 slots and takes 33.6 MB"),
        (["connect4", "--algorithm", "mtdf"], "the table stores every position: it takes 48 to 96 bytes for each"),
        (
            ["tictactoe", "--algorithm", "table", "--slots", "1000"],
            "about 300 bytes for each entry, at most 0 MB",
        ),
        (["connect4", "--algorithm", "pvs"], ""),
    ],
)
def test_the_memory_of_a_table_is_announced_before_the_search(chosen, message):
    result = CliRunner().invoke(plyscope, ["search", *chosen, "--depth", "2"])
    assert result.exit_code == 0
    assert message in result.stderr
    assert bool(message) == bool(result.stderr)


def test_a_table_in_python_counts_towards_the_memory_limit():
    memory, row_bytes = 200_000, 46  # with the link of a row, and arrays a sixteenth longer than needed
    for algorithm, chosen, rows in (
        ("pvs", {}, memory // row_bytes),
        ("table", {}, memory // (row_bytes + ENTRY_BYTES)),
        ("table", {"slots": 10}, (memory - 10 * ENTRY_BYTES) // row_bytes),
    ):
        tree = search(connect(), depth=6, algorithm=algorithm, compiled=False, max_memory=memory, **chosen)
        assert (tree.stopped, len(tree)) == (StopReason.MEMORY_LIMIT, rows)
