"""The reasons why a search stopped early, in words."""

from engine.core.stop_reason import StopReason

STOP_EXPLANATIONS = {
    StopReason.NODE_LIMIT: "it reached its node limit",
    StopReason.MEMORY_LIMIT: "it reached its memory limit",
    StopReason.CANCELLED: "it was cancelled",
    StopReason.INTERRUPTED: "it was interrupted",
    StopReason.BROKEN_OFF: "the program ended before its search did",
}
