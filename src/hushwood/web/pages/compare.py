"""Compare: two releases of one table side by side."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hushwood.errors import InputError
from hushwood.web.commands import compare_command
from hushwood.web.pages.result import manifests, seen
from hushwood.web.rendering import desk_of, page


async def show(request: Request) -> Response:
    """The page."""
    desk = desk_of(request)
    folders = [request.query_params.get(name, "") for name in ("first", "second")]
    if folders[0] == folders[1]:
        raise InputError("Choose two different releases to compare.")
    files = tuple(file for folder in folders for file in manifests(desk, folder))
    found = await desk.documents.ask("compare", *(str(desk.root / folder) for folder in folders), files=files)
    views = [await seen(desk, folder) for folder in folders]
    return page(
        request,
        "compare.html.j2",
        folders=folders,
        found=found,
        views=views,
        command=compare_command(folders),
    )


ROUTES = [Route("/compare", show)]
