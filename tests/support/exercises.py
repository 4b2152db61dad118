"""Helpers for tests of exercises: random exercises, random JSON values, and answered exercises as plain data."""

import json

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from engine.learning.exercise import EXERCISE_TYPES, make_exercise
from engine.learning.model import DIFFICULTIES

INFINITY = float("inf")
SEEDS = st.integers(0, 999_999_999)
TREES = st.recursive(st.integers(-6, 6), lambda below: st.lists(below, min_size=1, max_size=3), max_leaves=14)
quick = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def random_exercises(draw, kinds=tuple(EXERCISE_TYPES), cheap=True):
    name = draw(st.sampled_from([kind for kind in kinds if kind != "cut" or not cheap]))
    return make_exercise(name, draw(SEEDS), draw(st.sampled_from(DIFFICULTIES)))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.text(max_size=5), below, max_size=4),
    max_leaves=8,
)


def best_value(values, maximizing):
    return max(values) if maximizing else min(values)


def encode_answers(answers):
    return json.loads(json.dumps([{name: getattr(one, name) for name in one.__struct_fields__} for one in answers]))
