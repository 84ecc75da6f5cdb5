"""`hushwood web`: the same jobs in a browser, on this machine only."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hushwood.cli.printing import Stopped, say
from hushwood.errors import InputError

Table = Annotated[
    Path | None, typer.Argument(metavar="[TABLE]", help="A table below this folder to begin with.")
]
Port = Annotated[
    int, typer.Option(metavar="N", help="Port to listen on; 0 takes any that is free.", min=0, max=65535)
]
MaxUpload = Annotated[
    int, typer.Option(metavar="N", help="Largest file that a browser may hand over, in bytes.", min=1)
]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Only print the link.")]


def web(
    table: Table = None, port: Port = 8765, max_upload: MaxUpload = 1 << 30, no_browser: NoBrowser = False
) -> None:
    """Open Hushwood in a browser: inspect, release, tune, audit and verify with forms, offline, on this machine only.

    Tables below the folder that you are in can be picked, others dropped. Every page shows the command that does the
    same. Stop it with Ctrl-C.

    Example: hushwood web people.csv
    """
    try:
        from hushwood.web.server import serve
    except ModuleNotFoundError as missing:
        if (missing.name or "").partition(".")[0] not in {"starlette", "uvicorn", "python_multipart"}:
            raise
        raise InputError(
            "The web app needs libraries that are not installed here; install them with pip install '.[web]' in "
            "Hushwood's folder."
        ) from None
    try:
        serve(table, port, open_browser=not no_browser, largest_upload=max_upload, said=_say_link)
    except (Stopped, KeyboardInterrupt):
        say("Stopped; uploaded files and unfinished jobs are removed.")


def _say_link(link: str) -> None:
    say("Hushwood opens in your browser. If it does not, follow this link; it works once:")
    say(f"  {link}")
    say("Nobody else can reach it: it listens on this machine only. Stop it with Ctrl-C.")
    say("If your browser cannot find that address, use Chrome, Edge or Firefox.")
    say("Keep the link at hand: downloading private/ asks for it.")
