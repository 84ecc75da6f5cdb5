"""Verify: is a release as it was written, and do its rules hold for the original?"""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hushwood.errors import InputError
from hushwood.web.commands import Source, verify_command
from hushwood.web.paths import inside, releases_below, tables_below
from hushwood.web.rendering import desk_of, page


async def show(request: Request) -> Response:
    """The form."""
    desk = desk_of(request)
    tables = [Source(table.path, table.name) for table in desk.tables.values()]
    known = {table.path for table in tables}
    tables += [Source(name, name) for name in tables_below(desk.root) if name not in known]
    releases = releases_below(desk.root)
    chosen = request.query_params.get("folder", "")
    command = verify_command(chosen or next(iter(releases), "RELEASE"), None)
    return page(request, "verify.html.j2", releases=releases, tables=tables, chosen=chosen, command=command)


async def verify(request: Request) -> Response:
    """Start the job; the page of the job shows what it says."""
    desk, form = desk_of(request), await request.form()
    folder, original = str(form.get("folder", "")), str(form.get("original", ""))
    if not inside(desk.root, folder).is_dir():
        raise InputError(f"There is no release {folder} below the folder that Hushwood was started in.")
    opened = next((table for table in desk.tables.values() if table.path == original), None)
    source = None
    if opened is not None:
        source = Source(opened.path, opened.name)
    elif original:
        if not inside(desk.root, original).is_file():
            raise InputError(f"There is no file {original} below the folder that Hushwood was started in.")
        source = Source(original, original)
    job = desk.queue.add(f"Verify {folder}", verify_command(folder, source), back="/verify")
    return RedirectResponse(f"/jobs/{job.number}", 303)


ROUTES = [Route("/verify", show), Route("/verify", verify, methods=["POST"])]
