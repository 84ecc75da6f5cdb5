"""The application: which page answers which path, what happens at the start and at the end, and errors as sentences."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.resources import files
from pathlib import Path
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from hushwood.errors import HushwoodError, InputError
from hushwood.web.desk import Desk
from hushwood.web.fields import BadField
from hushwood.web.pages import audit, plan, result, run, start, table
from hushwood.web.rendering import page

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
