"""What is on the desk while the server runs: the folder it was started in, tables that are open, jobs, documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.web.commands import Source
from hushwood.web.paths import free_name, inside, stem_of
from hushwood.web.queue import Documents, Job, Queue
from hushwood.web.schemas import (
    OURS,
    Decision,
    Decisions,
    classes_in,
    kept_in,
    nothing_decided,
    proposed,
    saved,
    saved_for,
    schema_text,
)

LARGEST_UPLOAD = 1 << 30


@dataclass
class OpenTable:
    """An open table; `path` is as commands name it, from the folder of the server."""

    number: int
    path: str
    name: str
    dialect: dict[str, str] = field(default_factory=dict)  # how the file is written
    decisions: dict[str, Decision] | None = None  # None until the table was looked at
    links: str = ""  # what a saved schema file says about links
    saved_as: str = (
        ""  # the schema file that is written at every change, by its name from the folder of the server
    )
    found: str = ""  # the saved schema file that the decisions come from
    unused: str = ""  # why a saved schema file is not used
    form: dict[str, str] = field(default_factory=dict)  # the plan as it was last filled in

    def begin_again(self, unused: str = "") -> None:
        """Forget what was decided, and look at the table as if it were new; what was saved stays."""
        self.decisions, self.links, self.saved_as, self.found, self.unused = None, "", "", "", unused


@dataclass
class Desk:
    """Everything that pages share; `session` is a folder of this run alone, removed in the end."""

    root: Path
    session: Path
    largest_upload: int = LARGEST_UPLOAD
    tables: dict[int, OpenTable] = field(default_factory=dict)
    stopping: bool = False
    stop: Callable[[], None] = lambda: None  # ends the server
    owns: Callable[[str], bool] = lambda _: False  # whether a text is the link that only the terminal shows

    def __post_init__(self) -> None:
        self.documents = Documents(self.root)
        self.queue = Queue(self.root)

    def open(self, path: str, name: str) -> OpenTable:
        """Put a table on the desk; the same file again is the same table."""
        for table in self.tables.values():
            if table.path == path:
                return table
        table = OpenTable(len(self.tables) + 1, path, name)
        self.tables[table.number] = table
        return table

    def open_below(self, text: str) -> OpenTable:
        """Open a file below the folder of the server."""
        path = inside(self.root, text)
        if not path.is_file():
            raise InputError(f"There is no file {text} below the folder that Hushwood was started in.")
        return self.open(text, path.name)

    def table(self, number: int) -> OpenTable:
        """An open table."""
        if number not in self.tables:
            raise InputError("This table is no longer open; open it again on the start page.")
        return self.tables[number]

    def job(self, number: int) -> Job:
        """A job of this run."""
        if number not in self.queue.jobs:
            raise InputError("There is no such job; jobs are forgotten when the web app ends.")
        return self.queue.jobs[number]

    def job_for(self, output: str) -> Job | None:
        """The job that made a folder in this run."""
        made = (
            job for job in self.queue.jobs.values() if job.command.output == output and job.state == "done"
        )
        return next(iter(made), None)

    async def choices(self) -> dict[str, Any]:
        """Techniques and policies."""
        return await self.documents.ask("choices")

    async def described(self, table: OpenTable) -> dict[str, Any]:
        """What the columns of a table are. Roles are left out, so that a dropped column still shows what it holds."""
        if table.decisions is None:
            table.decisions = await self._decisions(table)
        return await self._described(table, table.decisions)

    async def _described(self, table: OpenTable, decisions: Decisions) -> dict[str, Any]:
        kinds = {name: Decision(one.kind, low=one.low, high=one.high) for name, one in decisions.items()}
        schema = self._write(self.session / f"looking-{table.number}.toml", schema_text(table.name, kinds))
        path = self.root / table.path
        words = (str(path), schema, json.dumps(table.dialect))
        try:
            return await self.documents.ask("table", *words, files=(path, Path(schema)))
        except InputError as fault:  # a dropped file is known by its name
            raise InputError(str(fault).replace(str(path), table.name)) from None

    async def _decisions(self, table: OpenTable) -> dict[str, Decision]:
        """Those that were saved for it, and proposals for the other columns."""
        found = await self._described(table, {})
        taken = {other.saved_as or other.found for other in self.tables.values() if other is not table}
        name = "" if table.unused else saved_for(self.root, self._schema_name(table), taken)
        if name:
            try:
                text = (self.root / name).read_text("utf-8")
                decisions, table.links = saved(text, found)
                await self._described(table, decisions)
            except (InputError, OSError, ValueError) as fault:
                table.unused = f"{name} lies here and is not used: {str(fault).rstrip('.')}."
            else:
                table.found, table.saved_as = name, name if text.startswith(OURS) else ""
                return proposed(found) | decisions
        return proposed(found)

    async def source(self, table: OpenTable, *, save: bool = False) -> Source:
        """The table as commands read it; `save` writes its schema file."""
        described = await self.described(table)
        decisions = table.decisions or {}
        text = schema_text(table.name, decisions, table.links)
        name = table.saved_as or free_name(self.root, self._schema_name(table))
        if save and text != self._written(name):
            if any(job.state == "waiting" and name in job.command.words for job in self.queue.jobs.values()):
                name = free_name(self.root, self._schema_name(table))  # that job shall find what it was given
            self._write(self.root / name, text or nothing_decided(table.name))
            table.saved_as = name
        return Source(
            table.path,
            table.name,
            name if text else "",
            tuple(classes_in(decisions)),
            kept_in(decisions, described),
            table.dialect,
        )

    def _schema_name(self, table: OpenTable) -> str:
        """The usual name of a table's schema file: next to the table, or in the folder of the server."""
        around = "" if Path(table.path).is_absolute() else table.path.rpartition("/")[0]
        return f"{around}{'/' if around else ''}{stem_of(table.name)}.schema.toml"

    def _written(self, name: str) -> str:
        path = self.root / name
        return path.read_text("utf-8") if path.is_file() else ""

    def _write(self, path: Path, text: str) -> str:
        """Write a file that did not change only once; an empty text is no file."""
        if not text:
            return ""
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, encoding="utf-8")
        return str(path)
