"""Audit: an original and anybody's release of it, given as two files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from hushwood.errors import InputError
from hushwood.web.commands import Source, audit_command
from hushwood.web.desk import Desk
from hushwood.web.fields import BadField, text_of
from hushwood.web.paths import Received, inside, received, releases_below, tables_below
from hushwood.web.rendering import desk_of, form_of_job, page
from hushwood.web.safety import REPORT_HEADERS


async def show(request: Request) -> Response:
    """The form, as it was filled in for a job."""
    return await _page(request, form_of_job(request))


async def _page(request: Request, given: Mapping[str, str], wrong: BadField | None = None) -> Response:
    desk, choices = desk_of(request), await desk_of(request).choices()
    usual = {"policy": choices["policies"][0]["name"], "evidence": "quick", "class": ""}
    shown = {"original": Source("ORIGINAL", "ORIGINAL"), "released": Source("RELEASED", "RELEASED")}
    command = audit_command(**shown, form={}, report=Path("audit.html"), document=Path("audit.json"))
    return page(
        request,
        "audit.html.j2",
        422 if wrong else 200,
        below=tables_below(desk.root),
        releases=releases_below(desk.root),
        choices=choices,
        command=command,
        form={"original_below": "", "released_below": "", **usual, **given},
        wrong=wrong,
    )


async def audit(request: Request) -> Response:
    """Start the job, whose report is kept with the session; a form that cannot be used comes back."""
    desk = desk_of(request)
    form = await received(request.headers.get("content-type", ""), request.stream(), desk.session)
    try:
        original, released = (_source(desk, form, name) for name in ("original", "released"))
    except BadField as wrong:
        return await _page(request, form.fields, wrong)
    target = form.fields.get("class", "").strip()
    if target:
        original = Source(original.path, original.name, classes=(target,))
    number = len(desk.queue.jobs) + 1
    report, document = (desk.session / f"audit-{number}.{ending}" for ending in ("html", "json"))
    command = audit_command(original, released, form.fields, report, document)
    job = desk.queue.add(f"Audit {released.name}", command, result=f"/audit/{number}")
    job.form, job.back = form.fields, f"/audit?job={number}"
    return RedirectResponse(f"/jobs/{job.number}", 303)


def _source(desk: Desk, form: Received, name: str) -> Source:
    """A file that was sent, or one below the folder of the server, or a release there."""
    if name in form.files:
        path = form.files[name]
        return Source(str(path), path.name)
    picked = text_of(
        form.fields, f"{name}_below", f"Choose the {name} table; files of yours have to be chosen again."
    )
    try:
        path = inside(desk.root, picked)
    except InputError as fault:
        raise BadField(f"{name}_below", str(fault)) from None
    if not path.exists():
        sentence = f"There is no file {picked} below the folder that Hushwood was started in."
        raise BadField(f"{name}_below", sentence)
    return Source(picked, path.name)


async def found(request: Request) -> Response:
    """What the audit said, and its report."""
    desk = desk_of(request)
    job = desk.job(int(request.path_params["number"]))
    return page(request, "audited.html.j2", job=job, number=job.number)


async def report(request: Request) -> Response:
    """The report, in a frame."""
    path = desk_of(request).session / f"audit-{int(request.path_params['number'])}.html"
    if not path.is_file():
        raise InputError("There is no such report.")
    return FileResponse(path, media_type="text/html", headers=REPORT_HEADERS)


ROUTES = [
    Route("/audit", show),
    Route("/audit", audit, methods=["POST"]),
    Route("/audit/{number:int}", found),
    Route("/audit/{number:int}/report", report),
]
