"""Start the server on this machine alone, let one browser in, and leave nothing behind in the end.

No connection waits without end, and those that wait keep nobody out: uvicorn has no limit for the time that a request
takes to arrive, and its limit of connections turns away the newest, so half-open requests of another user of this
machine would lock the owner out.
"""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import tempfile
import webbrowser
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from importlib.resources import files
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from uvicorn.protocols.http.h11_impl import H11Protocol

from hushwood.errors import HushwoodError, InputError
from hushwood.jobs.folder.work_folders import PREFIX, clear, clear_leftovers, give_back, take
from hushwood.web.desk import LARGEST_UPLOAD, Desk
from hushwood.web.fields import BadField
from hushwood.web.janitor import watched
from hushwood.web.pages import audit, plan, result, run, start, table
from hushwood.web.paths import inside
from hushwood.web.rendering import page
from hushwood.web.safety import Safety

LOOPBACK = ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))
_NO_IPV6 = (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL)
HEAD_SECONDS = 10.0  # for the whole head of a request, from the connection or the last answer on
BODY_SECONDS = 60.0  # without a byte of a body
MOST_WAITING = 150  # connections without a request; systems may allow a process 256 open files
ACCEPTED_AT_ONCE = 100  # before they are counted


def serve(
    table: Path | None,
    port: int,
    *,
    open_browser: bool = True,
    largest_upload: int = LARGEST_UPLOAD,
    said: Callable[[str], None],
) -> None:
    """Serve the folder that this process works in until it is stopped; `said` hears the link."""
    root = Path.cwd()
    first = None if table is None else _first(root, table)
    with ExitStack() as held:
        sockets = _sockets(port, held)
        session = held.enter_context(session_folder())
        desk = Desk(root, session, largest_upload)
        if first is not None:
            desk.open_below(first)
        safety = Safety(application(desk), sockets[0].getsockname()[1], largest_upload)
        config = uvicorn.Config(
            safety,
            http=Connection,
            backlog=ACCEPTED_AT_ONCE,
            ws="none",
            loop="asyncio",
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        desk.stop = lambda: setattr(server, "should_exit", True)
        desk.owns = safety.owns
        said(safety.link)
        if open_browser:
            Thread(target=_open, args=(session, safety.link), daemon=True).start()
        server.run(sockets=sockets)


def _first(root: Path, table: Path) -> str:
    """The table to begin with, by its name below the folder."""
    try:
        name = table.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        raise InputError(f"{table} is not below {root}; start `hushwood web` in its folder.") from None
    if not inside(root, name).is_file():
        raise InputError(f"There is no file {table}; check the name and the folder you are in.")
    return name


def _sockets(port: int, held: ExitStack) -> list[socket.socket]:
    """Listen on the loopback addresses, which other machines cannot reach; 0 takes any free port.

    On both, because a browser may take NAME.localhost for either, and another user could listen on the other one.
    """
    listening: list[socket.socket] = []
    for family, address in LOOPBACK:
        try:
            one = held.enter_context(socket.socket(family, socket.SOCK_STREAM))
            if os.name == "posix":  # on Windows it would let another program share the port
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind((address, port))
            one.listen()  # from now on a browser waits for us, and no other program can take the port
        except (OSError, OverflowError) as fault:
            if listening and getattr(fault, "errno", None) in _NO_IPV6:
                continue  # nobody else has it either
            raise InputError(f"Port {port} is not free; choose another one with --port.") from None
        listening.append(one)
        port = one.getsockname()[1]
    return listening


@contextmanager
def session_folder() -> Iterator[Path]:
    """A folder that only this user can look into; those of servers that were killed are removed first."""
    around = Path(tempfile.gettempdir())
    folder = around / f"{PREFIX}web-{os.urandom(8).hex()}"
    clear_leftovers(around, but=folder)
    lock = take(folder)
    try:
        with watched(folder):
            yield folder
            with suppress(OSError):
                clear(folder)
    finally:
        with suppress(OSError):
            give_back(folder, lock)


def _open(session: Path, link: str) -> None:
    """Open the browser by a file that only this user can read: other users see the words of a command."""
    path = session / "open.html"
    page = f'<!doctype html><title>Hushwood</title><meta http-equiv="refresh" content="0;url={link}">'
    with suppress(OSError, webbrowser.Error):
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(page)
        webbrowser.open(path.as_uri())


class Connection(H11Protocol):
    """One connection: closed if its request does not arrive, or if it has waited longest when too many wait."""

    look = 1.0  # seconds between two looks at the time
    head, body, most = HEAD_SECONDS, BODY_SECONDS, MOST_WAITING
    _since = 0.0  # when the head began to be waited for, or when the last bytes of a body came
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait; one that has waited longer may have to go."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._timer = self.loop.call_later(self.look, self._check)
        waiting = [one for one in self.connections if isinstance(one, Connection) and one.waits]
        if len(waiting) > self.most:
            min(waiting, key=lambda one: one._since).transport.abort()

    @property
    def waits(self) -> bool:
        """Whether it has no request that is being answered."""
        return not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete)

    def data_received(self, data: bytes) -> None:
        """Note when bytes of a body came."""
        super().data_received(data)
        if not self.waits:
            self._since = self.loop.time()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look at the time no longer."""
        super().connection_lost(exc)
        if self._timer is not None:
            self._timer.cancel()

    def _check(self) -> None:
        silent = self.loop.time() - self._since
        # While the disk is slower than the browser, we do not read, and hear nothing.
        stalls = (
            not self.waits and self.cycle is not None and self.cycle.more_body and not self.flow.read_paused
        )
        if (self.waits and silent > self.head) or (stalls and silent > self.body):
            self.transport.abort()
        else:
            self._timer = self.loop.call_later(self.look, self._check)


PAGES = (start, table, plan, run, result, audit)


def application(desk: Desk) -> Starlette:
    """All pages around one desk."""
    static = Mount("/static", StaticFiles(directory=Path(str(files("hushwood.web") / "static"))))
    routes: list[Route | Mount] = [route for each in PAGES for route in each.ROUTES]
    app = Starlette(
        routes=[*routes, static],
        lifespan=_lifespan,
        exception_handlers={HushwoodError: _refused, HTTPException: _lost, OSError: _system},
    )
    app.state.desk = desk
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    """Jobs run as long as the server does, and end with it."""
    desk: Desk = app.state.desk
    working = asyncio.create_task(desk.queue.run())
    ahead = asyncio.create_task(_ask_ahead(desk))
    yield
    desk.stopping = True
    await asyncio.gather(desk.queue.close(), desk.documents.close())
    for task in (working, ahead):
        task.cancel()
    await asyncio.gather(working, ahead, return_exceptions=True)


async def _ask_ahead(desk: Desk) -> None:
    """Techniques and policies take seconds to load, and every plan needs them."""
    with suppress(InputError, asyncio.CancelledError):
        await desk.choices()


async def _refused(request: Request, fault: Exception) -> Response:
    return _problem(request, 422, str(fault), fault.field if isinstance(fault, BadField) else "")


async def _system(request: Request, fault: Exception) -> Response:
    reason = fault.strerror if isinstance(fault, OSError) else None
    return _problem(request, 422, f"The system refused: {reason or fault}.")


async def _lost(request: Request, fault: Exception) -> Response:
    status = fault.status_code if isinstance(fault, HTTPException) else 404
    return _problem(
        request, status, "There is no such page." if status == 404 else "This cannot be done here."
    )


def _problem(request: Request, status: int, sentence: str, field: str = "") -> Response:
    """A page, or, for a part of one, the sentence next to the field or where a page shows its problems."""
    if request.headers.get("hx-request") != "true":
        return page(request, "problem.html.j2", status, sentence=sentence, back=_page_before(request))
    answer = page(request, "problem_part.html.j2", status, sentence=sentence)
    answer.headers["hx-retarget"] = f"#wrong-{field}" if field else "#problem"
    answer.headers["hx-reswap"] = "innerHTML"
    return answer


def _page_before(request: Request) -> str:
    """The page of ours that a request came from; browsers say it to our own pages only."""
    came_from = urlsplit(request.headers.get("referer", ""))
    ours = came_from.netloc == request.headers.get("host") and came_from.path.startswith("/")
    return f"{came_from.path}?{came_from.query}" if ours else ""
