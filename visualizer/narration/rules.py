"""The interpreter of rules that choose words (engine/algorithms/templates.py); the browser's is `viewer/assets/model/rules.js`.

Of the rules of a part the first holds whose facts are all as they must be. Nothing is said where none holds: that is an error.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from engine.algorithms.templates import Rule, Rules, When

SLOT = re.compile(r"\{(\w+)\}")

Facts = Mapping[str, str | bool]


class NoRule(LookupError):
    """There are no words for something that happened."""


def holds(when: When, facts: Facts) -> bool:
    """Whether all of these facts are as they must be."""
    for fact, wanted in when.items():
        if fact not in facts:
            raise NoRule(f"there is no fact {fact}")
        if facts[fact] != wanted:
            return False
    return True


def chosen(rules: Sequence[Rule], facts: Facts) -> Rule:
    """The rule that holds."""
    found = next((rule for rule in rules if holds(rule.when, facts)), None)
    if found is None:
        raise NoRule(f"there is no rule for {dict(facts)}")
    return found


def said(rules: Rules, part: str, facts: Facts, slots: Mapping[str, str]) -> str:
    """The words of a part."""

    def fill(slot: str) -> str:
        if slot in rules:
            return said(rules, slot, facts, slots)
        if slot not in slots:
            raise NoRule(f"nothing fills the slot {slot}")
        return slots[slot]

    return filled(chosen(rules[part], facts).words, fill)


def filled(words: str, fill: Callable[[str], str]) -> str:
    """The words with their slots filled in one pass: what is filled in is never read as a template."""
    return SLOT.sub(lambda found: fill(found[1]), words)
