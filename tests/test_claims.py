"""Claims about the ladder: the false ones are refuted by their example, the true ones hold on every tree that is tried."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Question, literal
from engine.analysis.claims import CLAIMS, MEASURES, RELATIONS
from tests.marks import examples
from tests.test_truths import TIES

TRUE = [claim for claim in CLAIMS if claim.true]
UNIFORM = {"pvs-best-first"}  # said of trees with the best child first, where sides alternate and all lines are equally long
NOT_A_TREE = {"table-value"}


def named(claim):
    return claim.name


@pytest.mark.parametrize("claim", CLAIMS, ids=named)
def test_the_example_shows_what_is_true(claim):
    assert claim.holds() == claim.true
    assert claim.measure in MEASURES
    assert claim.relation in RELATIONS


def test_claims_have_names_and_statements_of_their_own():
    assert len({claim.name for claim in CLAIMS}) == len({claim.statement for claim in CLAIMS}) == len(CLAIMS)
    assert all(claim.statement.endswith(".") and claim.why.endswith(".") for claim in CLAIMS)
    assert 8 <= len(TRUE) <= len(CLAIMS) - 8


@pytest.mark.parametrize("claim", [claim for claim in TRUE if claim.name not in UNIFORM | NOT_A_TREE], ids=named)
@given(TIES, st.sampled_from(["max", "min"]))
@examples(100)
def test_a_true_claim_holds_on_every_tree(claim, leaves, first):
    assert claim.holds(Question(literal([leaves], first=first)))


@pytest.mark.parametrize("claim", [claim for claim in TRUE if claim.name in UNIFORM], ids=named)
@given(st.integers(1, 3), st.integers(1, 4), st.randoms(use_true_random=False))
@examples(100)
def test_a_true_claim_about_uniform_trees_holds_on_every_one(claim, branching, depth, random):
    def grown(plies):
        return random.randint(0, 5) if plies == 0 else [grown(plies - 1) for _ in range(branching)]

    assert claim.holds(Question(literal(grown(depth))))
