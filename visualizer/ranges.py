"""Lists on the command line: 3-6, or 1,2,5, or both; and words with commas."""

from engine.errors import PlyscopeError

MOST = 1000  # numbers in a list


class BadRange(PlyscopeError):
    """A list of numbers that cannot be read."""


def read_numbers(text: str | None, what: str) -> tuple[int, ...]:
    """The numbers of a text, in the order they are written; none for no text.

    >>> read_numbers("3-6", "sizes"), read_numbers("1,4-5", "depths")
    ((3, 4, 5, 6), (1, 4, 5))
    """
    numbers: list[int] = []
    for piece in (text or "").split(",") if text is not None else ():
        low, dash, high = (part.strip() for part in piece.partition("-"))
        if not all(part.isascii() and part.isdigit() and len(part) < 19 for part in ((low, high) if dash else (low,))):
            raise BadRange(f"{text[:40]!r} is no list of {what}: write it like 3-6, or 1,2,5")  # type: ignore[index]
        first, last = int(low), int(high or low)
        if last < first or len(numbers) + last - first + 1 > MOST:
            raise BadRange(f"{piece.strip()!r} in the {what}: write the smaller number first, and {MOST} numbers at most")
        numbers += range(first, last + 1)
    if len(set(numbers)) < len(numbers):
        raise BadRange(f"{text!r} names some {what} twice")
    return tuple(numbers)


def read_words(text: str | None) -> tuple[str, ...]:
    """The words between commas, each once.

    >>> read_words("lines, threats")
    ('lines', 'threats')
    """
    return tuple(dict.fromkeys(word.strip() for word in (text or "").split(",") if word.strip()))
