"""Check the loop over the root's moves."""

import re
from collections.abc import Iterator

from engine.checker.diagnosis import boards, cutoffs, moves
from engine.checker.diagnosis.black_box import answer_in_order
from engine.checker.diagnosis.context import SearchContext
from engine.checker.diagnosis.evidence import Suspicion, format_window, is_close
from engine.checker.diagnosis.node_facts import INSIDE, WORSE, NodeFacts
from engine.checker.diagnosis.windows import is_window_narrowed
from engine.checker.recording.argument_roles import ROLE_PATTERNS, to_snake_case


def check_root_loop(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    """Yield the mistakes of a loop over the root's moves."""
    yield from boards.check_shared_boards(search, facts)
    yield from cutoffs.check_repeated_calls(search, facts)
    arguments = [to_snake_case(name) for name in facts.node.names]
    if not search.program.has_windows and all(
        any(re.search(ROLE_PATTERNS[role], name) and len(name) > 1 for name in arguments) for role in ("alpha", "beta")
    ):
        yield Suspicion(
            "calls-plain-minimax",
            facts.row,
            "it has alpha and beta, but it calls a search that has no window",
            function=facts.node.name,
        )
    if not facts.known:
        if facts.children < 2:
            return  # the same position again and again: iterative deepening
        choices = set() if search.stopped else set(_iterate_root_choices(facts))
        if len(choices) == 1 and "None" not in choices:
            yield Suspicion(
                "move-not-tracked",
                facts.row,
                "it makes the same choice, whichever of its moves is the best",
                certain=False,
                function=facts.node.name,
            )
        return
    yield from moves.check_returned_move(search, facts)
    windows = facts.windows[0] if facts.windows else []
    inner_narrow = any(is_window_narrowed(other) for other in search.nodes)
    if len(windows) > 2 and is_close(windows[1][0], INSIDE * facts.span) and is_close(windows[2][0], WORSE * facts.span):
        yield Suspicion("bound-loosened", facts.row, "a worse move moves the bound back", function=facts.node.name)
    elif (
        len(windows) > 1
        and windows[1] == windows[0]
        and windows[0][0] < INSIDE * facts.span
        and inner_narrow
        and not moves.is_random_move(facts)  # a random choice among equal moves needs their exact scores
    ):
        yield Suspicion(
            "root-fresh-window",
            facts.row,
            f"every move gets the window {format_window(facts.raw_windows[0])}, whatever the moves before it score",
            function=facts.node.name,
        )
    yield from _check_root_depth(search, facts)


def _iterate_root_choices(facts: NodeFacts) -> Iterator[str]:
    for best in range(facts.children):
        for sign in (1, -1):
            scores = [sign * facts.span * (0.7 if child == best else 0.01 * child) for child in range(facts.children)]
            yield facts.node.run(answer_in_order(scores)).choice


def _check_root_depth(search: SearchContext, facts: NodeFacts) -> Iterator[Suspicion]:
    run = search.program.calls.runs[facts.node.snapshot.number]
    for name, value in zip(run.arguments, run.values, strict=False):
        if re.search(ROLE_PATTERNS["depth"], to_snake_case(name)) and isinstance(value, int) and not isinstance(value, bool):
            below = {call.depth for call in facts.direct.child_calls}
            if below == {value} and search.depth_steps() == {-1}:
                yield Suspicion(
                    "off-by-one",
                    facts.row,
                    f"it is asked for {value} moves, plays one and then searches {value} more",
                    certain=False,
                    function=run.name,
                )
