"""Runs the command line. Handles errors, interrupts, and characters that the terminal cannot show."""

import codecs
import io
import os
import sys
from contextlib import suppress

import click

from engine.compiled.compile_policy import has_interpreted, set_announcer
from engine.core.interrupts import is_finishing_work
from visualizer.cli.command_line import plyscope
from visualizer.cli.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED
from visualizer.cli.interrupts import install_sigint_handler
from visualizer.cli.process_start import find_command_start

EXIT_BAD_INPUT = 2
ASCII_REPLACEMENTS = {
    "−": "-",
    "–": "-",
    "∞": "inf",
    "≥": ">=",
    "≤": "<=",
    "≠": "!=",
    "±": "+-",
    "·": "|",
    "…": "...",
    "×": "x",
    "│": "|",
}
ASCII_REPLACEMENTS["µ"] = "u"
BOX_CHARACTERS = "─━┄┈╌╭╮╰╯┌┐└┘├┤┬┴┼╴╶╸╺"


def main(arguments: list[str] | None = None) -> None:
    """Run the command line. Bad input gives one sentence on stderr and exit code 2, never a traceback."""
    open_closed_streams()
    configure_encoding_fallback()
    install_sigint_handler()
    set_announcer(lambda sentence: click.echo(f"plyscope: {sentence}", err=True))
    try:
        _run_and_compile_rest(arguments)
    except SystemExit as end:
        if is_finishing_work():  # the compiler cannot be stopped, and Python would wait for it
            os._exit(end.code if isinstance(end.code, int) else EXIT_FAILED)
        raise


def _run_and_compile_rest(arguments: list[str] | None) -> None:
    """Run the command. Then another process compiles what was not compiled in time."""
    try:
        _run_command(arguments)
    finally:
        if has_interpreted():
            from visualizer.background_compiler import start_background_compile

            start_background_compile()


def _run_command(arguments: list[str] | None) -> None:
    try:
        plyscope.main(arguments, prog_name="plyscope", standalone_mode=False, obj=find_command_start())
        sys.stdout.flush()
    except click.ClickException as error:
        _exit_with_error(_describe_usage_error(error), EXIT_BAD_INPUT)
    except ValueError as error:
        from engine.core.errors import PlyscopeError

        if not isinstance(error, PlyscopeError):
            raise
        _exit_with_error(str(error), EXIT_BAD_INPUT)
    except (KeyboardInterrupt, click.Abort) as stopped:
        _exit_with_error(str(stopped) or "interrupted", EXIT_INTERRUPTED)
    except BrokenPipeError:  # the reader has closed the pipe: write nothing more, not even at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise SystemExit(EXIT_FAILED) from None
    except OSError as error:
        from engine.core.atomic_files import WriteFailed

        message = str(error) if isinstance(error, WriteFailed) else f"cannot write the output: {error.strerror or error}"
        _exit_with_error(message, EXIT_FAILED)


def _describe_usage_error(error: click.ClickException) -> str:
    """Return click's message, and the command that shows the right usage."""
    message = error.format_message()
    context = error.ctx if isinstance(error, click.UsageError) else None
    return message if context is None else f"{message} (see {context.command_path} --help)"


def _exit_with_error(sentence: str, code: int) -> None:
    from visualizer.narration.escapes import sanitize_line

    with suppress(OSError):  # a full disk: only the exit code can report the error
        click.echo(f"plyscope: {sanitize_line(sentence)}", err=True)
    for stream in (sys.stdout, sys.stderr):  # do not try again at exit to write the rest
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    raise SystemExit(code)


def open_closed_streams() -> None:
    """Open each standard stream that was closed (`plyscope list >&-`), so that no other file gets its number.

    Writing to a closed stdout is an error, as on a full disk. Messages to a closed stderr are lost.
    """
    for name, flags, mode in (("stdin", os.O_RDONLY, "r"), ("stdout", os.O_RDONLY, "w"), ("stderr", os.O_WRONLY, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.open(os.devnull, flags), mode, encoding="utf-8"))  # noqa: SIM115 - until the end


def configure_encoding_fallback() -> None:
    """Replace characters that the output cannot encode (an old code page) by ASCII characters."""

    def replace_characters(error: UnicodeError) -> tuple[str, int]:
        assert isinstance(error, UnicodeEncodeError)  # noqa: S101 - streams only encode here
        return "".join(
            ASCII_REPLACEMENTS.get(sign, "-" if sign in BOX_CHARACTERS else "?") for sign in error.object[error.start : error.end]
        ), error.end

    codecs.register_error("plainer", replace_characters)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="plainer")


if __name__ == "__main__":
    main()
