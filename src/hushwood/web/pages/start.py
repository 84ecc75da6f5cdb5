"""Start: drop a file, pick one below the folder of the server, take a demo table, or look at an earlier release."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hushwood.errors import InputError
from hushwood.web.desk import OpenTable
from hushwood.web.paths import ENDINGS, received, releases_below, tables_below
from hushwood.web.rendering import desk_of, page

DEMOS = {
    "credit-risk": (
        "Credit risk",
        "2,000 invented people: rent, income, job grade, dependents, city. Predict: Credit Risk.",
    ),
    "customer-status": (
        "Customer status",
        "2,000 invented customers: countries, car, profession, city. Predict: Status.",
    ),
}


async def start(request: Request) -> Response:
    """The page."""
    desk = desk_of(request)
    below, releases = await asyncio.gather(
        asyncio.to_thread(tables_below, desk.root), asyncio.to_thread(releases_below, desk.root)
    )
    return page(
        request,
        "start.html.j2",
        below=below,
        releases=releases,
        demos=DEMOS,
        endings=",".join(sorted({f".{ending.rpartition('.')[2]}" for ending in ENDINGS})),
    )


async def upload(request: Request) -> Response:
    """Take a file; it is removed when the server ends."""
    desk = desk_of(request)
    form = await received(request.headers.get("content-type", ""), request.stream(), desk.session)
    path = form.files.get("file")
    if path is None:
        raise InputError("No file was chosen; choose one or drop it on the page.")
    return _shown(desk.open(str(path), path.name))


async def open_table(request: Request) -> Response:
    """Open a file below the folder of the server."""
    form = await request.form()
    return _shown(desk_of(request).open_below(str(form.get("path", ""))))


async def demo(request: Request) -> Response:
    """Make up people, and open their table."""
    desk, form = desk_of(request), await request.form()
    which = str(form.get("which", ""))
    if which not in DEMOS:
        raise InputError("There is no such demo table.")
    path = desk.session / f"{which}.csv"
    made = await desk.documents.ask("demo", which, str(path))
    table = desk.open(str(path), path.name)
    await desk.described(table)
    if table.decisions is not None and not table.decisions:
        from hushwood.web.schemas import CLASS, Decision

        table.decisions[made["class"]] = Decision(role=CLASS)
    return _shown(table)


async def stop(request: Request) -> Response:
    """End the server."""
    desk_of(request).stop()
    return page(request, "stopped.html.j2")


def _shown(table: OpenTable) -> Response:
    return RedirectResponse(f"/tables/{table.number}", 303)


ROUTES = [
    Route("/", start),
    Route("/upload", upload, methods=["POST"]),
    Route("/open", open_table, methods=["POST"]),
    Route("/demo", demo, methods=["POST"]),
    Route("/stop", stop, methods=["POST"]),
]
