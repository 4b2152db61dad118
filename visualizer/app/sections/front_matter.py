"""YAML front matter: a text file with blocks of settings between lines `---`, and free text below each block.

Values are read as they are written: `moves: 064626` is a text, and so is `No`. A list in brackets, such as [0,1], is a text, too.
Files may come from anybody. They are read with PyYAML's safe loader, without aliases and with limited nesting.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import yaml

from engine.core.errors import PlyscopeError

FENCE = "---"
MAX_NESTING = 5  # settings, a list, its entry, a value in brackets, a number in it
QUOTING_HINT = "a value that contains ': ' or ' #', or begins with {, [, - or a quote, needs > before it or quotes around it"


class BadLesson(PlyscopeError):
    """A file that is not a lesson. The message begins with its name and line."""


class Entry(NamedTuple):
    """A text of a file, and its line number."""

    text: str
    line: int


class Block(NamedTuple):
    """The lines of YAML between two fences, and the text below them."""

    line: int
    settings: str
    text: Entry


@dataclass(frozen=True)
class Settings:
    """Settings by name: those of a block, or those of one entry in a list."""

    file: str
    line: int
    source: str  # the YAML text, to which the marks of its nodes refer
    nodes: dict[str, yaml.Node]

    def __contains__(self, name: str) -> bool:
        return name in self.nodes

    def line_of(self, name: str) -> int:
        """Return the line number of a setting."""
        return _line_number(self.nodes[name])

    def required(self, name: str) -> Entry:
        """Return the value of a setting. Raise BadLesson if it is missing or not a single value."""
        node = self.nodes.get(name)
        if node is None or node.value == "":
            raise BadLesson(f"{self.file}, line {self.line}: {name} is missing in the block that begins here")
        line = _line_number(node)
        if isinstance(node, yaml.ScalarNode):
            return Entry(node.value.strip(), line)
        if isinstance(node, yaml.SequenceNode) and node.flow_style:
            return Entry(self.source[node.start_mark.index : node.end_mark.index], line)
        raise BadLesson(f"{self.file}, line {line}: {name} takes one value, not a list")

    def optional(self, name: str, default: str = "") -> Entry:
        """Return the value of a setting, or the default."""
        return self.required(name) if name in self.nodes else Entry(default, self.line)

    def entries(self, name: str, keys: tuple[str, ...], minimum: int) -> list[tuple[Entry, ...]]:
        """Return the entries of a list, each as the values of its keys. Return an empty list if there is no such setting."""
        if name not in self.nodes:
            return []
        node = self.nodes[name]
        shape = " and ".join([", ".join(keys[:-1]), keys[-1]])
        if not isinstance(node, yaml.SequenceNode) or not all(isinstance(entry, yaml.MappingNode) for entry in node.value):
            raise BadLesson(f"{self.file}, line {_line_number(node)}: {name} takes a list, and each entry has {shape}")
        if len(node.value) < minimum:
            raise BadLesson(f"{self.file}, line {_line_number(node)}: {name} has too few entries: write {minimum} or more")
        entries = [_read_mapping(entry, self.file, self.source, keys) for entry in node.value]
        return [tuple(entry.required(key) for key in keys) for entry in entries]


def split_blocks(text: str, file: str) -> list[Block]:
    """Split a file at its fences."""
    lines = [line.rstrip() for line in text.splitlines()]
    fences = [number for number, line in enumerate(lines) if line == FENCE]
    if not fences or any(lines[: fences[0]]):
        raise BadLesson(f"{file}, line 1: a lesson begins with a line {FENCE}")
    if len(fences) % 2:
        raise BadLesson(f"{file}, line {fences[-1] + 1}: the block of settings that begins here has no closing {FENCE}")
    blocks = []
    for first, last, after in zip(fences[::2], fences[1::2], [*fences[2::2], len(lines)], strict=True):
        text_line = next((number for number in range(last + 1, after) if lines[number]), last)
        body = Entry("\n".join(lines[last + 1 : after]).strip(), text_line + 1)
        blocks.append(Block(first + 1, "\n".join(lines[first + 1 : last]), body))
    return blocks


def read_settings(block: Block, file: str, known: Sequence[str]) -> Settings:
    """Read the settings of a block. Raise BadLesson if the YAML is wrong or has other names than the known ones."""
    source = "\n" * block.line + block.settings  # so that marks have the line numbers of the file
    loader = None
    try:
        loader = _BoundedLoader(source)
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line + 1 if mark else block.line
        raise BadLesson(f"{file}, line {line}: not valid YAML ({error.problem or error.context}): {QUOTING_HINT}") from None
    except yaml.reader.ReaderError as error:
        line = source.count("\n", 0, error.position) + 1
        raise BadLesson(f"{file}, line {line}: not valid YAML ({error.reason})") from None
    except (ValueError, OverflowError):  # PyYAML lets an escape such as "\UFFFFFFFF" fail in chr()
        raise BadLesson(f"{file}, line {block.line}: an escape in the block that begins here is not a character") from None
    finally:
        if loader is not None:
            loader.dispose()
    if not isinstance(node, yaml.MappingNode):
        raise BadLesson(f"{file}, line {block.line}: the block that begins here has no settings: write name: value")
    return _read_mapping(node, file, source, known, block.line)


def _read_mapping(node: yaml.MappingNode, file: str, source: str, known: Sequence[str], line: int | None = None) -> Settings:
    nodes: dict[str, yaml.Node] = {}
    for key, value in node.value:
        name = key.value if isinstance(key, yaml.ScalarNode) else ""
        if name not in known:
            raise BadLesson(f"{file}, line {_line_number(key)}: there is no setting {name[:40]!r}. Known: {', '.join(known)}")
        if name in nodes:
            raise BadLesson(f"{file}, line {_line_number(key)}: {name} appears twice")
        nodes[name] = value
    return Settings(file, line or _line_number(node), source, nodes)


def _line_number(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


class _BoundedLoader(yaml.SafeLoader):
    """A safe loader that refuses aliases and deep nesting, so that no file makes much work."""

    nesting = 0

    def compose_node(self, parent: yaml.Node | None, index: object) -> yaml.Node | None:
        mark = self.peek_event().start_mark
        if self.check_event(yaml.AliasEvent):
            raise yaml.composer.ComposerError(None, None, "aliases are not allowed", mark)
        if self.nesting == MAX_NESTING:
            raise yaml.composer.ComposerError(None, None, "too many levels of nesting", mark)
        self.nesting += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self.nesting -= 1
