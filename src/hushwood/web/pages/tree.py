"""Tree: publish a decision tree with a table from which others rebuild exactly that tree."""

from __future__ import annotations

from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from hushwood.errors import InputError
from hushwood.web.commands import Command, tree_command
from hushwood.web.desk import Desk, OpenTable
from hushwood.web.pages.plan import choose_class
from hushwood.web.paths import free_name, new_folder, stem_of
from hushwood.web.rendering import desk_of, page
from hushwood.web.schemas import DROP, Decision, classes_in

USUAL = {"k": "5", "l": "", "missing": ""}


async def show(request: Request) -> Response:
    """The form."""
    desk, table = desk_of(request), _table(request)
    described = await desk.described(table)
    names = [
        column["name"]
        for column in described["columns"]
        if (table.decisions or {}).get(column["name"], Decision()).role not in (DROP, "ignored")
    ]
    form = USUAL | {
        "output": free_name(desk.root, f"{stem_of(table.name)}-tree"),
        "class": next(iter(classes_in(table.decisions or {})), names[-1]),
    }
    command = await _command(desk, table, form, [])
    return page(request, "tree.html.j2", table=table, names=names, form=form, command=command)


async def preview(request: Request) -> Response:
    """The command that the form as it stands would run."""
    return page(request, "command.html.j2", command=await _command(*await _asked(request)))


async def publish(request: Request) -> Response:
    """Start the job."""
    desk, table, form, sensitive = await _asked(request)
    new_folder(desk.root, form["output"])
    command = await _command(desk, table, form, sensitive, save=True)
    job = desk.queue.add(
        f"Publish a tree of {table.name}",
        command,
        back=f"/tables/{table.number}/tree",
        result=f"/result?folder={quote(form['output'])}",
    )
    return RedirectResponse(f"/jobs/{job.number}", 303)


async def _asked(request: Request) -> tuple[Desk, OpenTable, dict[str, str], list[str]]:
    given = await request.form()
    form = USUAL | {name: str(value).strip() for name, value in given.items()}
    if not form.get("class") or not form.get("output"):
        raise InputError("Choose what the tree predicts, and a name for the folder.")
    return desk_of(request), _table(request), form, [str(one) for one in given.getlist("sensitive")]


def _table(request: Request) -> OpenTable:
    return desk_of(request).table(int(request.path_params["number"]))


async def _command(
    desk: Desk, table: OpenTable, form: dict[str, str], sensitive: list[str], *, save: bool = False
) -> Command:
    await choose_class(desk, table, form["class"])
    return tree_command(await desk.source(table, save=save), form, sensitive)


ROUTES = [
    Route("/tables/{number:int}/tree", show),
    Route("/tables/{number:int}/tree/command", preview, methods=["POST"]),
    Route("/tables/{number:int}/tree", publish, methods=["POST"]),
]
