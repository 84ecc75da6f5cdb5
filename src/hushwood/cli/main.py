"""The `hushwood` command: words in, jobs called, results shown. Computes nothing itself."""

from __future__ import annotations

import gc
import io
import os
import signal
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from types import FrameType
from typing import Annotated, Any, NoReturn

import typer

from hushwood.cli.audit import audit, reconstruct
from hushwood.cli.clusters import clusters
from hushwood.cli.demo import demo
from hushwood.cli.folders import accept, compare, policies, verify
from hushwood.cli.inspect import inspect
from hushwood.cli.printing import Stopped, say
from hushwood.cli.release import release, tune
from hushwood.cli.trees import publish_tree, verify_tree
from hushwood.cli.web import web
from hushwood.errors import HushwoodError, InputError, InternalFault
from hushwood.jobs.folder.exchange import stop_signals
from hushwood.parent_process import end_with_parent
from hushwood.tables.sql.addresses import hide_passwords
from hushwood.version import __version__

app = typer.Typer(
    name="hushwood",
    help="Release tables about people: the patterns stay, the people do not show.\n\n"
    "Start with `hushwood demo`, then `hushwood inspect TABLE`, then `hushwood release TABLE --class C -o DIR`.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
)
app.command()(demo)
app.command()(inspect)
app.command()(clusters)
app.command()(release)
app.command()(tune)
app.command()(audit)
app.command()(compare)
app.command()(policies)
app.command()(reconstruct)
app.command()(verify)
app.command()(accept)
app.command()(publish_tree)
app.command()(verify_tree)
app.command()(web)


# Its options are those of another package, so everything, --help included, is handed on.
@app.command(
    add_help_option=False, context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
)
def reproduce(context: typer.Context) -> None:
    """Run the experiments of the papers again and compare their numbers with ours.

    Example: hushwood reproduce forest-framework --data tables
    """
    inner = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")
    inner.command()(_experiments())
    code = inner(args=context.args, prog_name=context.command_path, standalone_mode=False)
    if code:
        raise typer.Exit(code)


def _experiments() -> Callable[..., Any]:
    """The command of hushwood-papers, a package of its own that is found by its entry point."""
    from importlib.metadata import entry_points

    for found in entry_points(group="hushwood.commands", name="reproduce"):
        command: Callable[..., Any] = found.load()
        return command
    raise InputError(
        "The experiments are in a package of their own, hushwood-papers; install it with `pip install ./papers` "
        "from a copy of Hushwood's repository."
    )


def _show_version(wanted: bool) -> None:
    if wanted:
        say(f"hushwood {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop."),
    ] = False,
) -> None:
    del version


def command() -> NoReturn:
    """Run the command as a program of its own; with an answer given the system tidies up, faster than Python."""
    code: str | int | None = 0
    # Libraries make objects by the hundred thousand when they are loaded, and all stay: looking for garbage after
    # every 700 took a seventh of a small release.
    gc.set_threshold(50_000)
    try:
        run()
    except SystemExit as ended:
        code = ended.code
    except Stopped as late:  # when the last word was said
        code = late.exit_code
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # the reader has gone
            if stream is not None:
                stream.flush()
    if code in (None, 0, 1):  # all went well, though the answer may be no
        os._exit(int(code or 0))
    sys.exit(code)


def run() -> None:
    """Run the command; every error that Hushwood knows becomes one sentence and its exit code."""
    _give_memory_back()
    _heed_signals()
    end_with_parent()
    _print_any_name()
    # Before anything reads the command, so that no message, report or traceback can repeat a password.
    hide_passwords(sys.argv)
    ending = _ending()
    # Only now is a fault forgotten, and with it the tables that its traceback held: there is memory for a sentence.
    if ending is not None:
        _fail(*ending)


def _ending() -> tuple[str, int] | None:
    """Run the command; the sentence and the exit code of an error, if there was one."""
    try:
        app()
    except HushwoodError as fault:
        return f"{fault}", fault.exit_code
    except Stopped as stopped:
        return stopped.sentence, stopped.exit_code
    except OSError as fault:
        return f"The system refused: {fault.strerror or fault}.", InputError.exit_code
    except BaseException as fault:
        # The outermost border: an unknown fault must not end as exit code 1. A panic of Polars is no Exception.
        if not isinstance(fault, Exception) and type(fault).__name__ != "PanicException":
            raise
        if _lacks_memory(fault):
            sentence = (
                "The memory of this machine is not enough for this table; release fewer rows or columns."
            )
            return sentence, InputError.exit_code
        for line in traceback.format_exc().splitlines():
            say(line, err=True)
        sentence = f"Internal fault ({type(fault).__name__}); please report the lines above."
        return sentence, InternalFault.exit_code
    return None


def _lacks_memory(fault: BaseException) -> bool:
    """Also recognise libraries and threads that report it only in their message."""
    words = ("allocate memory", "failed to map segment", "can't start new thread")
    return isinstance(fault, MemoryError) or any(word in f"{fault}" for word in words)


def _give_memory_back() -> None:
    """Have Polars return freed memory soon: kept for seconds, it adds a third to what a large release needs."""
    os.environ.setdefault("_RJEM_MALLOC_CONF", "dirty_decay_ms:1000,muzzy_decay_ms:0")


def _heed_signals() -> None:
    """Clean up also when asked to end by a signal, unless it is to be ignored (as under nohup)."""
    for number in stop_signals():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)


def _print_any_name() -> None:
    """Column names that the terminal cannot show must not stop a release."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    # A closed terminal sends several: the first decides, and the others must not disturb the tidying up.
    for other in stop_signals():
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(number)


def _fail(sentence: str, exit_code: int) -> NoReturn:
    say(f"hushwood: {sentence}", colour="red", err=True)
    sys.exit(exit_code)


if __name__ == "__main__":
    command()
