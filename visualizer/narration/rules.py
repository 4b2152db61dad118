"""The interpreter of the rules that choose texts (engine/algorithms/templates.py). `viewer/assets/model/rules.js` does the same
in the browser.

The first rule of a part whose facts all match is chosen. It is an error if none matches.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from engine.algorithms.templates import Conditions, Rule, Rules

SLOT_PATTERN = re.compile(r"\{(\w+)\}")

Facts = Mapping[str, str | bool]


class MissingRule(LookupError):
    """No rule matches a step."""


def is_matching(when: Conditions, facts: Facts) -> bool:
    """Return True if all facts have the values in `when`."""
    for fact, wanted in when.items():
        if fact not in facts:
            raise MissingRule(f"there is no fact {fact}")
        if facts[fact] != wanted:
            return False
    return True


def choose_rule(rules: Sequence[Rule], facts: Facts) -> Rule:
    """Return the first rule that matches."""
    found = next((rule for rule in rules if is_matching(rule.when, facts)), None)
    if found is None:
        raise MissingRule(f"there is no rule for {dict(facts)}")
    return found


def format_part(rules: Rules, part: str, facts: Facts, slots: Mapping[str, str]) -> str:
    """Return the text of a part, with its slots filled."""

    def fill(slot: str) -> str:
        if slot in rules:
            return format_part(rules, slot, facts, slots)
        if slot not in slots:
            raise MissingRule(f"nothing fills the slot {slot}")
        return slots[slot]

    return fill_slots(choose_rule(rules[part], facts).words, fill)


def fill_slots(words: str, fill: Callable[[str], str]) -> str:
    """Fill the slots of a template in one pass. The inserted text is never read as a template."""
    return SLOT_PATTERN.sub(lambda found: fill(found[1]), words)
