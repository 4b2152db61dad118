'''Game trees of CS188 project 2: files `*.test` of the class GraphGameTreeTest.

    class: "GraphGameTreeTest"       entries: a name, then a text in quotes, or lines between triple quotes
    alg: "ExpectimaxAgent"           or MinimaxAgent, AlphaBetaAgent
    depth: "2"                       in rounds, in which every agent moves once
    num_agents: "3"                  agent 0 is Pacman, the others are ghosts
    start_state: "root"
    win_states: "a b"
    lose_states: ""
    successors: """
    root left a                      state, action, next state
    """
    evaluation: """
    a 3.5                            state, value
    """

A # begins a comment. Other entries, such as `diagram`, are ignored.
'''

import re
from collections.abc import Iterator
from typing import NamedTuple

from engine.core.errors import short_repr
from engine.core.parsing import whole_number
from engine.games.tree_formats.diagnostics import MAX_HEIGHT, MAX_NODES, check_name, raise_at_offset, read_number

EXTENSION = ".test"
CLASS_NAME = "GraphGameTreeTest"
AGENTS = ("MinimaxAgent", "AlphaBetaAgent", "ExpectimaxAgent")
KEYS = ("class", "alg", "depth", "num_agents", "start_state", "win_states", "lose_states", "successors", "evaluation")
START_PATTERN = re.compile(rf'(?:\s|#[^\n]*\n)*(?:{"|".join(KEYS)}|diagram)[ \t]*:[ \t]*"')
WORD_PATTERN = re.compile(r"\S+")
BLOCK_QUOTES = '"""'


class AgentGraph(NamedTuple):
    """A graph of states in which several agents move in turn."""

    agent: str  # one of AGENTS
    rounds: int  # the depth limit
    agents: int
    start: str
    wins: tuple[str, ...]
    losses: tuple[str, ...]
    successors: tuple[tuple[str, str, str], ...]  # state, action, next state
    evaluation: tuple[tuple[str, float], ...]


class Word(NamedTuple):
    """A word of the text, and where it begins."""

    text: str
    offset: int


class Entry(NamedTuple):
    """An entry: where it begins, and the words of its lines."""

    offset: int
    lines: list[list[Word]]

    @property
    def words(self) -> list[Word]:
        return [word for line in self.lines for word in line]


def is_cs188_test(text: str) -> bool:
    """Return True if the text looks like such a file."""
    return START_PATTERN.match(text) is not None


def read_cs188_test(text: str) -> AgentGraph:
    """Read the graph of a file."""
    entries = _read_entries(text)
    if "class" in entries and (found := _read_word(text, entries, "class")) != CLASS_NAME:
        raise_at_offset(text, entries["class"].offset, f"the class {short_repr(found)} has no tree: only {CLASS_NAME} has one")
    for key in KEYS:
        if key not in entries:
            raise_at_offset(text, len(text), f'the entry {key} is missing: add a line such as {key}: "..."')
    agent = _read_word(text, entries, "alg")
    if agent not in AGENTS:
        raise_at_offset(text, entries["alg"].offset, f"there is no agent {short_repr(agent)}: use {', '.join(AGENTS)}")
    rounds, agents = (_read_count(text, entries, key) for key in ("depth", "num_agents"))
    if rounds * agents > MAX_HEIGHT:
        problem = f"{rounds} rounds of {agents} agents are {rounds * agents} plies: the limit is {MAX_HEIGHT}"
        raise_at_offset(text, entries["depth"].offset, problem)
    wins, losses = (tuple(word.text for word in entries[key].words) for key in ("win_states", "lose_states"))
    evaluation = _read_evaluation(text, entries["evaluation"])
    start = _read_word(text, entries, "start_state")
    successors = _read_successors(text, entries, evaluation)
    return AgentGraph(agent, rounds, agents, start, wins, losses, successors, tuple(evaluation.items()))


def _read_entries(text: str) -> dict[str, Entry]:
    """Return the entries by their names."""
    entries: dict[str, Entry] = {}
    open_block: Entry | None = None
    for offset, line in _iterate_lines(text):
        content = line.strip()
        if open_block is not None:
            if content == BLOCK_QUOTES:
                open_block = None
            elif content:
                open_block.lines.append([Word(match[0], offset + match.start()) for match in WORD_PATTERN.finditer(line)])
            continue
        if not content:
            continue
        begin = offset + len(line) - len(line.lstrip())
        key, _, value = (part.strip() for part in content.partition(":"))
        if key in entries:
            raise_at_offset(text, begin, f"the entry {short_repr(key)} occurs twice: remove one of them")
        entries[key] = Entry(begin, [])
        if value == BLOCK_QUOTES:
            open_block = entries[key]
        elif len(value) >= 2 and value[0] == value[-1] == '"' and '"' not in value[1:-1]:
            shift = offset + line.rindex(value) + 1
            entries[key].lines.append([Word(match[0], shift + match.start()) for match in WORD_PATTERN.finditer(value[1:-1])])
        else:
            problem = f"{short_repr(content)} is not an entry: write a name, a colon, and a text in double quotes"
            raise_at_offset(text, begin, problem)
    if open_block is not None:
        raise_at_offset(text, open_block.offset, f"the lines of this entry do not end: add a line {BLOCK_QUOTES}")
    return entries


def _iterate_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield where each line begins, and the line without its comment."""
    offset = 0
    for line in text.split("\n"):
        yield offset, line.partition("#")[0]
        offset += len(line) + 1


def _read_word(text: str, entries: dict[str, Entry], key: str) -> str:
    words = entries[key].words
    if len(words) != 1:
        raise_at_offset(text, entries[key].offset, f'{key} must be one word in double quotes: {key}: "..."')
    return check_name(text, words[0].offset, words[0].text)


def _read_count(text: str, entries: dict[str, Entry], key: str) -> int:
    number = whole_number(_read_word(text, entries, key))
    if number is None or not 1 <= number <= MAX_HEIGHT:
        raise_at_offset(text, entries[key].words[0].offset, f"{key} must be a whole number from 1 to {MAX_HEIGHT}")
    return number


def _read_evaluation(text: str, entry: Entry) -> dict[str, float]:
    values: dict[str, float] = {}
    for line in entry.lines:
        if len(line) != 2:
            raise_at_offset(text, line[0].offset, "a line of evaluation has two words: state and value")
        state, value = line
        if state.text in values:
            raise_at_offset(text, state.offset, f"the state {short_repr(state.text)} has a value already: remove one")
        values[check_name(text, state.offset, state.text)] = float(read_number(text, value.offset, value.text))
    return values


def _read_successors(text: str, entries: dict[str, Entry], evaluation: dict[str, float]) -> tuple[tuple[str, str, str], ...]:
    """Return the lines of `successors`. Every state must have successors, or a value."""
    entry = entries["successors"]
    actions: set[tuple[str, str]] = set()
    for count, line in enumerate(entry.lines, start=1):
        if len(line) != 3:
            raise_at_offset(text, line[0].offset, "a line of successors has three words: state, action, next state")
        if count > MAX_NODES:
            raise_at_offset(text, line[0].offset, f"there are too many successors: the limit is {MAX_NODES:,}")
        state, action, _ = (check_name(text, word.offset, word.text) for word in line)
        if (state, action) in actions:
            raise_at_offset(text, line[1].offset, f"the state {short_repr(state)} has the action {short_repr(action)} already")
        actions.add((state, action))
    known = {state for state, _ in actions} | set(evaluation)
    for word in [*entries["start_state"].words, *(line[2] for line in entry.lines)]:
        if word.text not in known:
            problem = f"the state {short_repr(word.text)} has neither successors nor a value: add a line to one of them"
            raise_at_offset(text, word.offset, problem)
    return tuple((line[0].text, line[1].text, line[2].text) for line in entry.lines)


def write_cs188_test(graph: AgentGraph) -> str:
    """Return the graph as the text of a file, in the order of KEYS."""
    words = (
        CLASS_NAME,
        graph.agent,
        str(graph.rounds),
        str(graph.agents),
        graph.start,
        " ".join(graph.wins),
        " ".join(graph.losses),
    )
    blocks = (
        [" ".join(line) for line in graph.successors],
        [f"{state} {value!r}" for state, value in graph.evaluation],
    )
    lines = [f'{key}: "{word}"' for key, word in zip(KEYS, words, strict=False)]
    for key, block in zip(KEYS[len(words) :], blocks, strict=True):
        lines += [f"{key}: {BLOCK_QUOTES}", *block, BLOCK_QUOTES]
    return "\n".join(lines)
