"""Plan: who gets the table and what for, what must stay predictable, by which technique, and how strongly."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hushwood.errors import InputError
from hushwood.web.commands import Command, release_command
from hushwood.web.desk import Desk, OpenTable
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
    """The page, filled with what is recommended, or with what a point of a map asks for."""
    desk, table = desk_of(request), _table(request)
    described, choices = await desk.described(table), await desk.choices()
    usual = {
        "policy": choices["policies"][0]["name"],
        "technique": choices["techniques"][0]["name"],
        "strength": "hand",
        "dial": "",
        "blur": "",
        "evidence": "quick",
        "purpose": "",
        "output": free_name(desk.root, f"{stem_of(table.name)}-release"),
        "class": next(iter(classes_in(table.decisions or {})), ""),
    }
    asked = {name: value for name, value in request.query_params.items() if name in usual}
    form = usual | asked
    view: dict[str, Any] = {"form": form, "described": described, "choices": choices, "dials": DIALS}
    kept = [
        column["name"]
        for column in described["columns"]
        if (table.decisions or {}).get(column["name"], Decision()).role not in (DROP, "ignored")
    ]
    command = await _command(desk, table, form)
    return page(
        request, "plan.html.j2", table=table, **view, kept=kept, other_dial=OTHER_DIAL, command=command
    )


async def preview(request: Request) -> Response:
    """The command that the form as it stands would run."""
    return page(request, "command.html.j2", command=await _command(*await _asked(request)))


async def release(request: Request) -> Response:
    """Start the job."""
    desk, table, form = await _asked(request)
    new_folder(desk.root, form["output"])
    command = await _command(desk, table, form, save=True)
    verb = "Tune" if command.words[0] == "tune" else "Release"
    job = desk.queue.add(
        f"{verb} {table.name}",
        command,
        back=f"/tables/{table.number}/plan",
        result=f"/result?folder={quote(form['output'])}",
    )
    return RedirectResponse(f"/jobs/{job.number}", 303)


async def _asked(request: Request) -> tuple[Desk, OpenTable, dict[str, str]]:
    given = await request.form()
    form = {name: str(value) for name, value in given.items()}
    for name in ("policy", "technique", "output"):
        if not form.get(name, "").strip():
            raise InputError(f"The {name} is missing; choose one.")
    form["output"] = form["output"].strip()
    return desk_of(request), _table(request), form


def _table(request: Request) -> OpenTable:
    return desk_of(request).table(int(request.path_params["number"]))


async def _command(desk: Desk, table: OpenTable, form: dict[str, str], *, save: bool = False) -> Command:
    choices = await desk.choices()
    technique = next((one for one in choices["techniques"] if one["name"] == form["technique"]), None)
    if technique is None or form["policy"] not in [one["name"] for one in choices["policies"]]:
        raise InputError("There is no such technique or policy.")
    await choose_class(desk, table, form.get("class", ""))
    return release_command(await desk.source(table, save=save), form, technique)


async def choose_class(desk: Desk, table: OpenTable, name: str) -> None:
    """Make a column the class; others that were declared stay, unless there is to be none or another."""
    await desk.described(table)
    decisions = table.decisions
    if decisions is None or name in classes_in(decisions):
        return
    for other in classes_in(decisions):
        decisions[other] = Decision(decisions[other].kind, ORDINARY)
    if name:
        decisions[name] = Decision(decisions.get(name, Decision()).kind, CLASS)


ROUTES = [
    Route("/tables/{number:int}/plan", show),
    Route("/tables/{number:int}/plan/command", preview, methods=["POST"]),
    Route("/tables/{number:int}/plan", release, methods=["POST"]),
]
