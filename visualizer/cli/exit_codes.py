"""Exit codes of the commands, beside 0 and click's 2 for bad input."""

from engine.core.stop_reason import StopReason

EXIT_FAILED, EXIT_STOPPED, EXIT_INTERRUPTED = 1, 3, 130


def exit_if_stopped(stopped: StopReason) -> None:
    """End the command with the exit code for this reason; return if the search is complete."""
    if stopped:
        raise SystemExit(EXIT_INTERRUPTED if stopped == StopReason.INTERRUPTED else EXIT_STOPPED)
