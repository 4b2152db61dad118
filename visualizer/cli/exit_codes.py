"""Exit codes of the commands, beside 0 and click's 2 for bad input."""

EXIT_FAILED, EXIT_STOPPED, EXIT_INTERRUPTED = 1, 3, 130


def exit_if_stopped(stopped: str) -> None:
    """End the command with the exit code for this reason to stop. An empty reason means that nothing was stopped."""
    from engine.record.recorder import INTERRUPTED

    if stopped:
        raise SystemExit(EXIT_INTERRUPTED if stopped == INTERRUPTED else EXIT_STOPPED)
