"""The former name of engine.tree.trace, for programs that import it."""

from engine.tree.trace import Cause, Step, Timeline, Trace

__all__ = ["Cause", "Step", "Timeline", "Trace"]
