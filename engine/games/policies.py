"""Policies: simple rules for choosing a move, which a game may declare as players, such as "hold at 5" in Pig.

A game declares `policies`, a mapping from the name of a policy to what it does, and `policy_move(state, policy, number)`, which
returns a legal move. The number is the parameter of the policy.
"""

from collections.abc import Mapping
from typing import Any

from engine.core.errors import PlyscopeError, UnknownName
from engine.games.capabilities import declared_name


def list_policies(game: Any) -> Mapping[str, str]:
    """Return the policies of a game with their descriptions; empty if it declares none."""
    return getattr(game, "policies", None) or {}


def check_policy(game: Any, policy: str, number: int) -> None:
    """Raise PlyscopeError if the game does not have this policy."""
    known = list_policies(game)
    if not known:
        raise PlyscopeError(f"{declared_name(game)} declares no policies: choose a search or random moves")
    if policy not in known:
        raise UnknownName(f"policy of {declared_name(game)}", policy, known)
    if number < 1:
        raise PlyscopeError(f"the policy {policy}={number} is not possible: give a number from 1")


def policy_move(game: Any, state: Any, policy: str, number: int) -> Any:
    """Return the move of a policy in a state."""
    check_policy(game, policy, number)
    return game.policy_move(state, policy, number)
