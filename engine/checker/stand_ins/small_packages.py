"""Stand-ins for small packages that a search may need, where a plain stub would change what it does."""

from collections.abc import Iterable, Iterator
from typing import Any

from engine.checker.sandbox.import_stubs import AbsorbingStub, StubModule
from engine.checker.stand_ins.chess_stub import ChessModule

# ---- anytree


class TreeNode:
    """A node of a tree, as in anytree: it is linked by its parent or by its children."""

    def __init__(self, name: Any = None, parent: Any = None, children: Iterable[Any] | None = None, **attributes: Any):
        self._parent: Any = None
        self._children: list[Any] = []
        if name is not None:
            self.name = name
        self.__dict__.update(attributes)
        self.parent = parent
        for child in children or ():
            child.parent = self

    @property
    def parent(self) -> Any:
        return self.__dict__.get("_parent")

    @parent.setter
    def parent(self, value: Any) -> None:
        if self.parent is not None:
            self.parent._held().remove(self)
        self.__dict__["_parent"] = value
        if value is not None:
            value._held().append(self)

    def _held(self) -> list[Any]:
        held: list[Any] = self.__dict__.setdefault("_children", [])  # a class may not call our constructor
        return held

    @property
    def children(self) -> tuple[Any, ...]:
        return tuple(self._held())

    @children.setter
    def children(self, value: Iterable[Any]) -> None:
        for child in [*self._held()]:
            child.parent = None
        for child in value:
            child.parent = self

    @property
    def is_leaf(self) -> bool:
        return not self._held()

    @property
    def is_root(self) -> bool:
        return self.parent is None

    @property
    def path(self) -> tuple[Any, ...]:
        return (*(self.parent.path if self.parent is not None else ()), self)

    @property
    def ancestors(self) -> tuple[Any, ...]:
        return self.path[:-1]

    @property
    def root(self) -> Any:
        return self.path[0]

    @property
    def depth(self) -> int:
        return len(self.path) - 1

    @property
    def height(self) -> int:
        return max((child.height + 1 for child in self._held()), default=0)

    @property
    def descendants(self) -> tuple[Any, ...]:
        return tuple(iterate_before(self))[1:]

    @property
    def leaves(self) -> tuple[Any, ...]:
        return tuple(node for node in iterate_before(self) if node.is_leaf)

    @property
    def siblings(self) -> tuple[Any, ...]:
        return () if self.parent is None else tuple(node for node in self.parent.children if node is not self)

    def __repr__(self) -> str:
        return f"Node({getattr(self, 'name', '')!r})"


class AnyTreeNode(TreeNode):
    """A node that has only the attributes it was given."""

    def __init__(self, parent: Any = None, children: Iterable[Any] | None = None, **attributes: Any):
        super().__init__(None, parent, children, **attributes)


def iterate_before(node: Any, *options: Any, **more: Any) -> Iterator[Any]:
    """Yield a node, then the nodes below it."""
    yield node
    for child in node.children:
        yield from iterate_before(child)


def iterate_after(node: Any, *options: Any, **more: Any) -> Iterator[Any]:
    """Yield the nodes below a node, then the node."""
    for child in node.children:
        yield from iterate_after(child)
    yield node


def iterate_levels(node: Any, *options: Any, **more: Any) -> Iterator[Any]:
    """Yield the nodes of a tree level by level."""
    waiting = [node]
    for one in waiting:
        waiting.extend(one.children)
        yield one


class RenderedTree:
    """Lines to print a tree: (before, fill, node)."""

    def __init__(self, node: Any, *options: Any, **more: Any):
        self.node = node

    def __iter__(self) -> Iterator[tuple[str, str, Any]]:
        for node in iterate_before(self.node):
            indent = "    " * (node.depth - self.node.depth)
            yield indent, indent, node

    def by_attr(self, name: str = "name") -> str:
        return "\n".join(f"{before}{getattr(node, name, '')}" for before, _, node in self)

    def __str__(self) -> str:
        return "\n".join(f"{before}{node!r}" for before, _, node in self)


class AnytreeModule(StubModule):
    """The package anytree."""

    def __init__(self, name: str):
        super().__init__(name)
        self.Node, self.AnyNode, self.NodeMixin = TreeNode, AnyTreeNode, TreeNode
        self.PreOrderIter, self.PostOrderIter, self.LevelOrderIter = iterate_before, iterate_after, iterate_levels
        self.RenderTree = RenderedTree


# ---- packages that hand on what they get


def pass_on(value: Any = None, *arguments: Any, **options: Any) -> Any:
    """Return the first argument: a progress bar is what it counts, a coloured text is the text."""
    return range(value) if isinstance(value, int) and not isinstance(value, bool) else value


class ProgressModule(StubModule):
    """The packages tqdm, alive_progress and progressbar: the loop is what matters."""

    def __init__(self, name: str):
        super().__init__(name)
        self.tqdm = self.trange = self.progressbar = self.alive_it = pass_on


class ColorModule(StubModule):
    """The package termcolor: a coloured text is the text."""

    def __init__(self, name: str):
        super().__init__(name)
        self.colored = lambda text="", *arguments, **options: str(text)


class CompilerModule(StubModule):
    """The package numba: functions run as they were written, so that their calls can be recorded."""

    def __getattr__(self, name: str) -> Any:
        if name in ("jit", "njit", "vectorize", "guvectorize", "jitclass", "cfunc"):
            return _leave_uncompiled
        return range if name == "prange" else super().__getattr__(name)


def _leave_uncompiled(*arguments: Any, **options: Any) -> Any:
    if len(arguments) == 1 and callable(arguments[0]) and not isinstance(arguments[0], AbsorbingStub):
        return arguments[0]
    return lambda function: function


SMALL_PACKAGES: dict[str, type[StubModule]] = {
    "chess": ChessModule,
    "anytree": AnytreeModule,
    "anytree.node": AnytreeModule,
    **dict.fromkeys(("tqdm", "tqdm.auto", "tqdm.notebook", "alive_progress", "progressbar"), ProgressModule),
    "termcolor": ColorModule,
    "numba": CompilerModule,
}
