"""Choices and input of a user who wants to see the search: in menus, in forms, after options of a script."""

import re
from collections.abc import Iterable, Iterator
from itertools import cycle

SEARCH_WORDS = r"mini?[ _-]?max|alpha|alfa|negamax|prun|poda"
MACHINE_WORDS = r"\bai\b|\bia\b|\bki\b|\ba\.i|comput|machine|m[aá]quina|\bbot\b|cpu|robot|engine|single|one player|1 player|agent"
OTHER_WORDS = r"exit|quit|sair|salir|quitter|beenden|help|rules|regras|train|two player|2 player|multi"
STRONG_WORDS = r"\bhard|expert|impossible|unbeatable|difficult|dif[ií]cil|schwer|smart|perfect|master|advanced"  # plays by search
MIN_NAME_CHARS = 4  # of a name that an option is compared with
TYPED_NUMBERS = ("3", "10", "1", "5", "2", "15", "7", "0", "20", "4")


class UserChoices:
    """The choices of the user of one check."""

    def __init__(self) -> None:
        self.search_names: list[str] = []  # the functions of the search and their classes, without underscores
        self.numbers: Iterator[str] = cycle(TYPED_NUMBERS)

    def set_search(self, names: Iterable[str]) -> None:
        """Prefer options that name these functions or classes."""
        self.search_names = [plain for name in names if len(plain := _strip_name(name)) >= MIN_NAME_CHARS]

    def restart(self) -> None:
        self.numbers = cycle(TYPED_NUMBERS)

    def rank(self, option: object) -> int:
        """Return a number for an option. It is smaller for one that names the search or a computer."""
        text = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", str(option)).lower()
        plain = _strip_name(str(option))
        if any(name in plain or (plain in name and len(plain) >= MIN_NAME_CHARS) for name in self.search_names):
            return 0
        if re.search(SEARCH_WORDS, text):
            return 1
        if re.search(OTHER_WORDS, text):
            return 5
        return 2 if re.search(MACHINE_WORDS, text) or re.search(STRONG_WORDS, text) else 3

    def type_number(self, low: object = None, high: object = None) -> str:
        """Return a number for a field. It is another one each time, within the limits that are known."""
        for _ in TYPED_NUMBERS:
            number = next(self.numbers)
            if (not isinstance(low, (int, float)) or int(number) >= low) and (
                not isinstance(high, (int, float)) or int(number) <= high
            ):
                return number
        return str(low) if isinstance(low, (int, float)) else next(self.numbers)


def _strip_name(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()


CHOICES = UserChoices()
