"""Text on its way into a page."""


def plain(words: str) -> str:
    """Foreign text inside Markdown: every sign that could mean something there stands for itself."""
    return "".join(f"\\{sign}" if sign in r"\`*_{}[]()<>#+-.!|~$:" else " " if sign in "\r\n" else sign for sign in words)


def counted(number: int, thing: str, things: str = "") -> str:
    """A number of things, one or more."""
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"
