"""Result: the verdict first, then the report, what changed, what else was tried, and what to download.

Two releases can be compared side by side, and any one verified: is it as it was written, and do its rules hold for the
original?
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, RedirectResponse, Response
from starlette.routing import Route

from hushwood.errors import InputError
from hushwood.jobs.folder.whole_folders import MANIFEST, PRIVATE, SHARE, SHARED, listed_files
from hushwood.web.commands import (
    Source,
    accept_command,
    asked_again,
    compare_command,
    point_command,
    repeated,
    verify_command,
)
from hushwood.web.desk import Desk
from hushwood.web.paths import free_name, inside, releases_below, tables_below
from hushwood.web.rendering import desk_of, page
from hushwood.web.safety import REPORT_HEADERS

REPORTS = {
    "internal": (PRIVATE, "report.html"),
    "map": (PRIVATE, "map.html"),
    "sign-off": (PRIVATE, "signoff.html"),
}
WIDTH, HEIGHT, MARGIN = 640, 360, 48
_FARTHEST = 4.0  # times the limit; what is riskier stands at the right edge


async def show(request: Request) -> Response:
    """The page."""
    desk, folder = desk_of(request), _folder(request)
    view = await seen(desk, folder)
    job = desk.job_for(folder)
    reports = [name for name in (*REPORTS, "shared") if _report(desk, folder, name).is_file()]
    return page(
        request,
        "result.html.j2",
        folder=folder,
        view=view,
        reports=reports,
        others=[name for name in releases_below(desk.root) if name != folder],
        points=placed(view["tried"]) if view["tried"] else [],
        back=job.back if job else "",
        plan_again=asked_again(view) if view["verdict"] else "",
        command=job.command if job else verify_command(folder),
        again=repeated(job.command, folder)
        if job and "-o" in job.command.words and view["verdict"]
        else None,
    )


async def seen(desk: Desk, folder: str) -> dict[str, Any]:
    """What a release folder says."""
    return await desk.documents.ask("release", str(desk.root / folder), files=manifests(desk, folder))


def manifests(desk: Desk, folder: str) -> tuple[Path, ...]:
    """The files that change with a release; where there is none, there is no release."""
    around = inside(desk.root, folder)
    files = tuple(around / part / MANIFEST for part in SHARED)
    if not any(file.is_file() for file in files):
        raise InputError(f"There is no release {folder} below the folder that Hushwood was started in.")
    return files


async def report(request: Request) -> Response:
    """A report, in a frame: it has no origin there and a policy of its own."""
    name = request.query_params.get("which", "")
    path = _report(desk_of(request), _folder(request), name)
    if not path.is_file():
        raise InputError("There is no such report.")
    return FileResponse(path, media_type="text/html", headers=REPORT_HEADERS)


async def share(request: Request) -> Response:
    """What may be handed out, as one file."""
    desk, folder = desk_of(request), _folder(request)
    if not inside(desk.root, f"{folder}/{SHARE}").is_dir():
        raise InputError("This release is not cleared, so there is nothing to hand out.")
    return await _zipped(desk, folder, SHARE)


async def private(request: Request) -> Response:
    """What could undo the release: only for someone who knows that, and who sees the terminal of the server."""
    desk, form = desk_of(request), await request.form()
    if form.get("confirm") != "yes":
        raise InputError("Confirm first that you know what private/ is: whoever has it can undo the release.")
    if not desk.owns(str(form.get("link", ""))):
        raise InputError(
            "That is not the link that `hushwood web` printed in its terminal; copy it from there."
        )
    return await _zipped(desk, _folder(request), PRIVATE)


async def accept(request: Request) -> Response:
    """Hand out what was not cleared, on a person's responsibility."""
    desk, folder, form = desk_of(request), _folder(request), await request.form()
    reason, by = (" ".join(str(form.get(name, "")).split()) for name in ("reason", "by"))
    if not reason or not by:
        raise InputError("Say who takes responsibility, and why; recipients can read both.")
    result = f"/result?folder={quote(folder)}"
    job = desk.queue.add(f"Accept {folder}", accept_command(folder, reason, by), back=result, result=result)
    return RedirectResponse(f"/jobs/{job.number}", 303)


async def point(request: Request) -> Response:
    """Make the release of one point of the map."""
    desk, folder, form = desk_of(request), _folder(request), await request.form()
    search, view = desk.job_for(folder), await seen(desk, folder)
    chosen = [
        one.point for one in placed(view["tried"] or {"points": ()}) if str(one.number) == form.get("number")
    ]
    if search is None or not chosen:
        raise InputError("This search was made earlier; plan the release from its table.")
    output = free_name(desk.root, folder)
    command = point_command(search.command, str(chosen[0]["options"]), output)
    result = f"/result?folder={quote(output)}"
    job = desk.queue.add(f"Release {output}", command, back=search.back, result=result)
    return RedirectResponse(f"/jobs/{job.number}", 303)


def _folder(request: Request) -> str:
    """The folder that a page is about: a release directly below the folder of the server."""
    name = request.query_params.get("folder", "")
    inside(desk_of(request).root, name)
    return name


def _report(desk: Desk, folder: str, name: str) -> Path:
    if name == "shared":
        part = next((part for part in SHARED if (desk.root / folder / part).is_dir()), SHARED[0])
        return inside(desk.root, f"{folder}/{part}/report.html")
    if name not in REPORTS:
        raise InputError("There is no such report.")
    return inside(desk.root, "/".join((folder, *REPORTS[name])))


async def _zipped(desk: Desk, folder: str, part: str) -> Response:
    files = _files(desk, folder, part)
    if not files:
        raise InputError(f"There is nothing in {folder}/{part} that belongs to the release.")
    path = desk.session / f"{os.urandom(8).hex()}.zip"
    await asyncio.to_thread(_zip, files, path, f"{Path(folder).name}-{part}")
    return FileResponse(
        path,
        media_type="application/zip",
        filename=f"{Path(folder).name}-{part}.zip",
        background=BackgroundTask(path.unlink, missing_ok=True),
    )


def _files(desk: Desk, folder: str, part: str) -> dict[str, Path]:
    """The files of a part by their names there: only those that the manifest names, and itself."""
    manifest = next(file for file in manifests(desk, folder) if file.is_file())
    names = [name.as_posix() for name in listed_files(manifest.parent) if name.parent.name == part]
    named = [inside(desk.root, f"{folder}/{name}") for name in names]
    # A table that was written in parts is a folder.
    found = [file for path in named for file in (sorted(path.glob("part-*")) if path.is_dir() else [path])]
    if found and manifest.parent.name == part:
        found.append(manifest)
    around = manifest.parent.parent / part
    files = {
        file.relative_to(around).as_posix(): file
        for file in found
        if file.is_file() and not file.is_symlink()
    }
    if part == SHARE and len(files) < len(found):
        raise InputError(f"Files of {folder}/{part} are missing; verify the release, or make it again.")
    return files


def _zip(files: Mapping[str, Path], path: Path, around: str) -> None:
    with ZipFile(path, "x", ZIP_DEFLATED) as packed:
        for name, file in files.items():
            packed.write(file, f"{around}/{name}")


@dataclass(frozen=True, slots=True)
class Placed:
    """A release on the map: its place in the picture and what was found about it."""

    number: int
    label: str
    x: float
    y: float
    what: str
    chosen: bool
    point: Mapping[str, Any]


def placed(tried: Mapping[str, Any]) -> list[Placed]:
    """Every point of a search; risk grows to the right on a square-root scale, utility upwards."""
    found = []
    for number, point in enumerate(tried["points"], start=1):
        what = (
            "cleared"
            if point["cleared"]
            else "not cleared"
            if point["judged"]
            else "compared on a sample only"
        )
        label = point["score"]["label"]
        chosen = label == tried["winner"]
        found.append(Placed(number, label, across(point["risk"]), up(point["utility"]), what, chosen, point))
    return found


def across(risk: float) -> float:
    """Where a risk stands, as a multiple of its limit.

    >>> across(0), round(across(1)), across(99)
    (48.0, 320, 592.0)
    """
    return round(MARGIN + (WIDTH - 2 * MARGIN) * sqrt(min(max(risk, 0.0), _FARTHEST) / _FARTHEST), 1)


def up(utility: float) -> float:
    """Where a utility from 0 to 1 stands.

    >>> up(0.0), up(1.0)
    (312.0, 48.0)
    """
    return round(HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * min(max(utility, 0.0), 1.0), 1)


async def compare(request: Request) -> Response:
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


async def verify_form(request: Request) -> Response:
    """The form."""
    desk = desk_of(request)
    tables = [Source(table.path, table.name) for table in desk.tables.values()]
    known = {table.path for table in tables}
    tables += [Source(name, name) for name in tables_below(desk.root) if name not in known]
    releases = releases_below(desk.root)
    chosen = request.query_params.get("folder", "")
    command = verify_command(chosen or next(iter(releases), "RELEASE"))
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


ROUTES = [
    Route("/result", show),
    Route("/result/report", report),
    Route("/result/share", share),
    Route("/result/private", private, methods=["POST"]),
    Route("/result/accept", accept, methods=["POST"]),
    Route("/result/point", point, methods=["POST"]),
    Route("/compare", compare),
    Route("/verify", verify_form),
    Route("/verify", verify, methods=["POST"]),
]
