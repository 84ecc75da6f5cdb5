"""Tree: publish a decision tree with a table from which others rebuild exactly that tree."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hushwood.web.commands import Command, tree_command
from hushwood.web.desk import Desk, OpenTable
from hushwood.web.fields import BadField, text_of
from hushwood.web.pages.plan import choose_class
from hushwood.web.paths import free_name, new_folder, stem_of
from hushwood.web.rendering import desk_of, page
from hushwood.web.schemas import DROP, Decision, classes_in

USUAL = {"k": "5", "l": "", "missing": ""}


async def show(request: Request) -> Response:
    """The form, as it was filled in for a job."""
    number = request.query_params.get("job", "")
    return await _page(request, desk_of(request).job(int(number)).form if number.isdecimal() else {})


async def preview(request: Request) -> Response:
    """The command that the form as it stands would run."""
    return page(request, "command.html.j2", command=await _command(*await _asked(request)))


async def publish(request: Request) -> Response:
    """Start the job; a form that cannot be used comes back, with what is wrong with it."""
    desk, table, form = await _asked(request)
    try:
        new_folder(desk.root, form["output"])
        command = await _command(desk, table, form, save=True)
    except BadField as wrong:
        return await _page(request, form, wrong)
    result = f"/result?folder={quote(form['output'])}"
    job = desk.queue.add(f"Publish a tree of {table.name}", command, result=result)
    job.form, job.back = form, f"/tables/{table.number}/tree?job={job.number}"
    return RedirectResponse(f"/jobs/{job.number}", 303)


async def _page(request: Request, given: Mapping[str, str], wrong: BadField | None = None) -> Response:
    desk, table = desk_of(request), _table(request)
    described = await desk.described(table)
    names = [
        column["name"]
        for column in described["columns"]
        if (table.decisions or {}).get(column["name"], Decision()).role not in (DROP, "ignored")
    ]
    usual = USUAL | {
        "output": f"{stem_of(table.name)}-tree",
        "class": next(iter(classes_in(table.decisions or {})), names[-1]),
    }
    form = {**usual, **given}
    if wrong is None:
        form["output"] = free_name(desk.root, form["output"])
    source = replace(await desk.source(table), classes=(form["class"],))
    command = None if wrong else tree_command(source, form, _sensitive(form))
    view = {"names": names, "form": form, "sensitive": _sensitive(form), "wrong": wrong}
    return page(request, "tree.html.j2", 422 if wrong else 200, table=table, command=command, **view)


async def _asked(request: Request) -> tuple[Desk, OpenTable, dict[str, str]]:
    given = await request.form()
    form = USUAL | {name: str(value).strip() for name, value in given.items()}
    form["sensitive"] = json.dumps(given.getlist("sensitive"))
    return desk_of(request), _table(request), form


def _sensitive(form: Mapping[str, str]) -> list[str]:
    """The columns that were ticked; a form holds texts."""
    return list(json.loads(form.get("sensitive", "[]")))


def _table(request: Request) -> OpenTable:
    return desk_of(request).table(int(request.path_params["number"]))


async def _command(desk: Desk, table: OpenTable, form: Mapping[str, str], *, save: bool = False) -> Command:
    text_of(form, "output", "Name the new folder.")
    await choose_class(desk, table, text_of(form, "class", "Choose what the tree predicts."))
    return tree_command(await desk.source(table, save=save), form, _sensitive(form))


ROUTES = [
    Route("/tables/{number:int}/tree", show),
    Route("/tables/{number:int}/tree/command", preview, methods=["POST"]),
    Route("/tables/{number:int}/tree", publish, methods=["POST"]),
]
