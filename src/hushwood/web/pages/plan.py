"""Plan: who gets the table and what for, what must stay predictable, by which technique, and how strongly."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hushwood.web.commands import Command, release_command
from hushwood.web.desk import Desk, OpenTable
from hushwood.web.fields import BadField, text_of
from hushwood.web.paths import free_name, new_folder, stem_of
from hushwood.web.rendering import desk_of, page
from hushwood.web.schemas import CLASS, DROP, ORDINARY, Decision, classes_in

DIALS = {
    "k": (
        "Smallest group",
        "People whose values change places among themselves. Larger groups: less risk, less detail.",
    ),
    "noise": (
        "Noise",
        "As a share of the range a value stays in, from 0.1 to 1. More noise: less risk, less detail.",
    ),
}
OTHER_DIAL = ("Smallest leaf", "Records that a made-up value is drawn from. Larger: less risk, less detail.")


async def show(request: Request) -> Response:
    """The page as it was last filled in for this job or table, with what a point of a map or a result advises."""
    desk, table = desk_of(request), _table(request)
    number = request.query_params.get("job", "")
    form = desk.job(int(number)).form if number.isdecimal() else table.form
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
    result = f"/result?folder={quote(form['output'])}"
    job = desk.queue.add(f"{verb} {table.name}", command, result=result)
    job.form, job.back = form, f"/tables/{table.number}/plan?job={job.number}"
    return RedirectResponse(f"/jobs/{job.number}", 303)


async def _page(request: Request, given: dict[str, str], wrong: BadField | None = None) -> Response:
    desk, table = desk_of(request), _table(request)
    described, choices = await desk.described(table), await desk.choices()
    usual = {
        "policy": choices["policies"][0]["name"],
        "technique": choices["techniques"][0]["name"],
        "strength": "hand",
        "dial": "",
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
    kept = [
        column["name"]
        for column in described["columns"]
        if (table.decisions or {}).get(column["name"], Decision()).role not in (DROP, "ignored")
    ]
    return page(
        request,
        "plan.html.j2",
        status,
        table=table,
        form=form,
        choices=choices,
        dials=DIALS,
        kept=kept,
        other_dial=OTHER_DIAL,
        wrong=wrong,
        command=command,
    )


async def _asked(request: Request) -> tuple[Desk, OpenTable, dict[str, str]]:
    given, table = await request.form(), _table(request)
    form = {name: str(value) for name, value in given.items()}
    form["output"] = form.get("output", "").strip()
    table.form = form
    return desk_of(request), table, form


def _table(request: Request) -> OpenTable:
    return desk_of(request).table(int(request.path_params["number"]))


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


ROUTES = [
    Route("/tables/{number:int}/plan", show),
    Route("/tables/{number:int}/plan/command", preview, methods=["POST"]),
    Route("/tables/{number:int}/plan", release, methods=["POST"]),
]
