"""What is on the desk while the server runs: the folder it was started in, tables that are open, jobs, documents."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.web.commands import Source
from hushwood.web.documents import Documents
from hushwood.web.paths import free_name, inside, stem_of
from hushwood.web.queue import Job, Queue
from hushwood.web.schemas import Decision, classes_in, kept_in, proposed, schema_text

LARGEST_UPLOAD = 1 << 30


@dataclass
class OpenTable:
    """An open table; `path` is as commands name it, from the folder of the server."""

    number: int
    path: str
    name: str
    dialect: dict[str, str] = field(default_factory=dict)  # how the file is written
    decisions: dict[str, Decision] | None = None  # None until the table was looked at
    saved_as: str = ""  # the schema file in the folder of the server


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
        kinds = {name: replace(one, role="") for name, one in (table.decisions or {}).items()}
        schema = self._write(self.session / f"looking-{table.number}.toml", schema_text(table.name, kinds))
        path = self.root / table.path
        found = await self.documents.ask(
            "table", str(path), schema, json.dumps(table.dialect), files=(path, Path(schema))
        )
        if table.decisions is None:
            table.decisions = proposed(found)
        return found

    async def source(self, table: OpenTable, *, save: bool = False) -> Source:
        """The table as commands read it; `save` writes its schema file into the folder of the server."""
        described = await self.described(table)
        decisions = table.decisions or {}
        text = schema_text(table.name, decisions)
        name = table.saved_as or free_name(self.root, f"{stem_of(table.name)}.schema.toml")
        if save and text:
            self._write(self.root / name, text)
            table.saved_as = name
        return Source(
            table.path,
            table.name,
            name if text else "",
            tuple(classes_in(decisions)),
            kept_in(decisions, described),
            table.dialect,
        )

    def _write(self, path: Path, text: str) -> str:
        """Write a file that did not change only once; an empty text is no file."""
        if not text:
            return ""
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, encoding="utf-8")
        return str(path)
