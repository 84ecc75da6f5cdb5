"""Table: what each column is, how its values lie, and what is to become of it; every change is kept at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hushwood.errors import InputError
from hushwood.web.commands import inspect_command
from hushwood.web.desk import Desk, OpenTable
from hushwood.web.dialects import dialect_from, fields_of_dialect
from hushwood.web.fields import BadField
from hushwood.web.rendering import desk_of, page, table_of
from hushwood.web.schemas import DROP, ORDINARY, Decision, schema_text

# How roles are called here; a role that is not listed keeps its name. Two of them say how sensitive a kept column is.
ROLES = {
    ORDINARY: "Keep it, protected",
    "class": "Keep it predictable (class)",
    "identifier": "Drop it: it identifies people",
    "person": "It numbers people with several rows",
    "household": "It numbers households of several people",
    "ignored": "Copy it unprotected",
}
SENSITIVITIES = {
    ORDINARY: "Not special",
    "quasi-identifier": "Others may know it",
    "confidential": "Must stay secret",
}


async def show(request: Request) -> Response:
    """The page; its columns come as soon as the table was read."""
    return page(request, "table.html.j2", table=table_of(request), written=fields_of_dialect())


async def columns(request: Request) -> Response:
    """All columns."""
    desk, table = desk_of(request), table_of(request)
    try:
        described = await desk.described(table)
    except (
        InputError
    ) as fault:  # in the place of the columns, where until now it said that they are being read
        return page(request, "problem_part.html.j2", 422, sentence=str(fault))
    return page(request, "columns.html.j2", **await _view(desk, table, described))


async def change(request: Request) -> Response:
    """Keep what was decided about one column, and show it again."""
    desk, table, form = desk_of(request), table_of(request), await request.form()
    described = await desk.described(table)
    name = str(form.get("column", ""))
    column = next((each for each in described["columns"] if each["name"] == name), None)
    if column is None or table.decisions is None:
        raise InputError("There is no such column in this table.")
    place, before = described["columns"].index(column), dict(table.decisions)
    try:
        given = {key: str(value) for key, value in form.items()}
        table.decisions[name] = _decided(given, before.get(name, Decision()), column, described)
        described = await desk.described(table)
    except InputError as fault:
        table.decisions = before
        raise BadField(f"column-{place}", f"Not kept. {fault}") from None
    view = await _view(desk, table, described, save=True)
    return page(request, "column_changed.html.j2", **view, column=described["columns"][place], place=place)


async def dialect(request: Request) -> Response:
    """Read the file again, as the user says that it is written; what was decided counts if it still fits."""
    table, form = table_of(request), await request.form()
    table.dialect = dialect_from({name: str(value) for name, value in form.items()})
    table.begin_again()
    return RedirectResponse(f"/tables/{table.number}", 303)


async def afresh(request: Request) -> Response:
    """Begin without the decisions that were saved; their file stays."""
    table = table_of(request)
    table.begin_again(f"{table.found} lies here and is not used, because you began without it.")
    return RedirectResponse(f"/tables/{table.number}", 303)


async def schema(request: Request) -> Response:
    """The schema file, to keep."""
    table = table_of(request)
    await desk_of(request).described(table)
    text = (
        schema_text(table.name, table.decisions or {}, table.links)
        or "# Nothing was decided; all is found in the data.\n"
    )
    return Response(
        text,
        media_type="application/toml",
        headers={"content-disposition": 'attachment; filename="schema.toml"'},
    )


async def _view(
    desk: Desk, table: OpenTable, described: Mapping[str, Any], *, save: bool = False
) -> dict[str, Any]:
    decisions = table.decisions or {}
    others = [role for role in described["roles"] if role not in {*ROLES, *SENSITIVITIES}]
    return {
        "table": table,
        "described": described,
        "decisions": decisions,
        "doubted": [
            column
            for column in described["columns"]
            if column["drop"] and decisions.get(column["name"], Decision()).role == DROP
        ],
        "nothing": Decision(),
        "roles": {**ROLES, **{role: role.capitalize() for role in others}},
        "sensitivities": SENSITIVITIES,
        "command": inspect_command(await desk.source(table, save=save)),
    }


def _decided(
    form: Mapping[str, str], before: Decision, column: Mapping[str, Any], described: Mapping[str, Any]
) -> Decision:
    """What the form says, where it differs from what was found."""
    role, kind = form.get("role", ORDINARY), form.get("kind", column["kind"])
    if role == ORDINARY:
        role = form.get("sensitivity", ORDINARY)
    if role not in described["roles"] or kind not in described["kinds"]:
        raise InputError("There is no such role or kind.")
    same = kind == column["kind"]
    decision = Decision(
        kind if before.kind or not same else "",
        role,
        reason=form.get("reason", before.reason),
        rest=before.rest if same else "",
    )
    if kind == "numeric":
        low, high = (
            given if known or given != column[end] else ""
            for end, known in (("low", before.low), ("high", before.high))
            for given in [form.get(end, "").strip()]
        )
        decision = replace(decision, low=low, high=high)
    return decision.checked()


ROUTES = [
    Route("/tables/{number:int}", show),
    Route("/tables/{number:int}/columns", columns),
    Route("/tables/{number:int}/columns", change, methods=["POST"]),
    Route("/tables/{number:int}/dialect", dialect, methods=["POST"]),
    Route("/tables/{number:int}/afresh", afresh, methods=["POST"]),
    Route("/tables/{number:int}/schema", schema),
]
