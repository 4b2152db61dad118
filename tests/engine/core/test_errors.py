"""Errors travel from worker processes whole."""

import pickle

from engine.core.errors import UnknownName


def test_an_unknown_name_survives_the_way_from_a_worker():
    error = UnknownName("algorithm", "alfabeta", ["minimax", "alphabeta"])
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (UnknownName, str(error))
    assert "did you mean 'alphabeta'?" in str(again)
