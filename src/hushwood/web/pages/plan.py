"""Plan: who gets the table and what for, what must stay predictable, by which technique, and how strongly.

Or else a decision tree, published with a table from which others rebuild exactly that tree.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hushwood.web.commands import Command, release_command, tree_command
from hushwood.web.desk import Desk, OpenTable
from hushwood.web.fields import BadField, text_of
from hushwood.web.paths import free_name, new_folder, stem_of
from hushwood.web.rendering import desk_of, form_of_job, page, table_of
from hushwood.web.schemas import CLASS, DROP, ORDINARY, Decision, classes_in

DIALS = {
    "k": (
        "Smallest group",
        "People whose values are drawn together. Larger groups: less risk, less detail.",
    ),
    "noise": (
        "Noise",
        "As a share of the range a value stays in, from 0.1 to 1. More noise: less risk, less detail.",
    ),
}
OTHER_DIAL = ("Smallest leaf", "Records that a made-up value is drawn from. Larger: less risk, less detail.")
_USUAL_TREE = {"k": "5", "l": "", "missing": ""}


async def show(request: Request) -> Response:
    """The page as it was last filled in for this job or table, with what a point of a map or a result advises."""
    form = form_of_job(request, table_of(request).form)
    advised = {name: value for name, value in request.query_params.items() if name != "job"}
    return await _page(request, {**form, **({"strength": "hand"} if advised else {}), **advised})


async def preview(request: Request) -> Response:
    """The command that the form as it stands would run."""
    desk, table, form = await _asked(request)
    return page(request, "command.html.j2", command=await _command(desk, table, form))


async def release(request: Request) -> Response:
    """Start the job; a form that cannot be used comes back, with what is wrong with it."""
    desk, table, form = await _asked(request)
    try:
        new_folder(desk.root, form["output"])
        command = await _command(desk, table, form, save=True)
    except BadField as wrong:
        return await _page(request, form, wrong)
    verb = "Tune" if command.words[0] == "tune" else "Release"
    return _queued(desk, f"{verb} {table.name}", command, form, f"/tables/{table.number}/plan")


def _queued(desk: Desk, title: str, command: Command, form: Mapping[str, str], back: str) -> Response:
    """Put the job into the queue, and go to its page; `back` is the page of the form."""
    job = desk.queue.add(title, command, result=f"/result?folder={quote(form['output'])}")
    job.form, job.back = form, f"{back}?job={job.number}"
    return RedirectResponse(f"/jobs/{job.number}", 303)


async def _page(request: Request, given: dict[str, str], wrong: BadField | None = None) -> Response:
    desk, table = desk_of(request), table_of(request)
    described, choices = await desk.described(table), await desk.choices()
    usual = {
        "policy": choices["policies"][0]["name"],
        "technique": choices["techniques"][0]["name"],
        "strength": "hand",
        "dial": "",
        "redraw": "",
        "blur": "",
        "rare": "",
        "top_code": "",
        "bottom_code": "",
        "evidence": "quick",
        "purpose": "",
        "rows_are_people": "",
        "output": f"{stem_of(table.name)}-release",
        "class": "",
    }
    form = usual | {name: text for name, text in given.items() if name in usual}
    status, command = 200 if wrong is None else 422, None
    if wrong is None:
        form["class"] = next(iter(classes_in(table.decisions or {})), "")
        form["output"] = free_name(desk.root, form["output"])
        try:
            command = await _command(desk, table, form)
        except BadField as fault:
            wrong = fault
    return page(
        request,
        "plan.html.j2",
        status,
        table=table,
        form=form,
        choices=choices,
        dials=DIALS,
        kept=_kept(table, described),
        other_dial=OTHER_DIAL,
        wrong=wrong,
        command=command,
    )


def _kept(table: OpenTable, described: Mapping[str, Any]) -> list[str]:
    """The columns that are neither dropped nor ignored."""
    decisions, names = table.decisions or {}, [column["name"] for column in described["columns"]]
    return [name for name in names if decisions.get(name, Decision()).role not in (DROP, "ignored")]


async def _asked(request: Request) -> tuple[Desk, OpenTable, dict[str, str]]:
    given, table = await request.form(), table_of(request)
    form = {name: str(value) for name, value in given.items()}
    form["output"] = form.get("output", "").strip()
    table.form = form
    return desk_of(request), table, form


async def _command(desk: Desk, table: OpenTable, form: dict[str, str], *, save: bool = False) -> Command:
    choices = await desk.choices()
    technique = next((one for one in choices["techniques"] if one["name"] == form.get("technique")), None)
    if technique is None:
        raise BadField("technique", "Choose a technique from the list.")
    if form.get("policy") not in [one["name"] for one in choices["policies"]]:
        raise BadField("policy", "Choose a policy from the list.")
    text_of(form, "output", "Name the new folder.")
    await choose_class(desk, table, form.get("class", ""))
    return release_command(await desk.source(table, save=save), form, technique)


async def choose_class(desk: Desk, table: OpenTable, name: str) -> None:
    """Make a column the class; others that were declared stay, unless there is to be none or another."""
    await desk.described(table)
    decisions = table.decisions
    if decisions is None or name in (classes_in(decisions) or [""]):
        return
    for other in classes_in(decisions):
        decisions[other] = replace(decisions[other], role=ORDINARY)
    if name:
        decisions[name] = replace(decisions.get(name, Decision()), role=CLASS)
    await desk.source(table, save=True)


async def show_tree(request: Request) -> Response:
    """The form, as it was filled in for a job."""
    return await _tree_page(request, form_of_job(request))


async def preview_tree(request: Request) -> Response:
    """The command that the form as it stands would run."""
    return page(request, "command.html.j2", command=await _tree_command(*await _tree_asked(request)))


async def publish(request: Request) -> Response:
    """Start the job; a form that cannot be used comes back, with what is wrong with it."""
    desk, table, form = await _tree_asked(request)
    try:
        new_folder(desk.root, form["output"])
        command = await _tree_command(desk, table, form, save=True)
    except BadField as wrong:
        return await _tree_page(request, form, wrong)
    return _queued(desk, f"Publish a tree of {table.name}", command, form, f"/tables/{table.number}/tree")


async def _tree_page(request: Request, given: Mapping[str, str], wrong: BadField | None = None) -> Response:
    desk, table = desk_of(request), table_of(request)
    names = _kept(table, await desk.described(table))
    usual = _USUAL_TREE | {
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


async def _tree_asked(request: Request) -> tuple[Desk, OpenTable, dict[str, str]]:
    given = await request.form()
    form = _USUAL_TREE | {name: str(value).strip() for name, value in given.items()}
    form["sensitive"] = json.dumps(given.getlist("sensitive"))
    return desk_of(request), table_of(request), form


def _sensitive(form: Mapping[str, str]) -> list[str]:
    """The columns that were ticked; a form holds texts."""
    return list(json.loads(form.get("sensitive", "[]")))


async def _tree_command(
    desk: Desk, table: OpenTable, form: Mapping[str, str], *, save: bool = False
) -> Command:
    text_of(form, "output", "Name the new folder.")
    await choose_class(desk, table, text_of(form, "class", "Choose what the tree predicts."))
    return tree_command(await desk.source(table, save=save), form, _sensitive(form))


ROUTES = [
    Route("/tables/{number:int}/plan", show),
    Route("/tables/{number:int}/plan/command", preview, methods=["POST"]),
    Route("/tables/{number:int}/plan", release, methods=["POST"]),
    Route("/tables/{number:int}/tree", show_tree),
    Route("/tables/{number:int}/tree/command", preview_tree, methods=["POST"]),
    Route("/tables/{number:int}/tree", publish, methods=["POST"]),
]
