"""The desk: tables that are open, what was decided about them, and where that is saved."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.web.commands import Command
from hushwood.web.desk import Desk
from hushwood.web.schemas import Decision
from support.people_files import write_people

DESCRIBED = {
    "columns": [{"name": "name", "drop": True}, {"name": "age", "drop": False}],
    "kinds": ["numeric", "categorical"],
    "roles": ["class", "ordinary", "confidential", "identifier"],
}


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    for name in ("root", "session"):
        (tmp_path / name).mkdir()
    write_people(tmp_path / "root")
    desk = Desk(tmp_path / "root", tmp_path / "session")

    async def ask(what: str, *words: str, files: tuple[Path, ...] = ()) -> dict[str, Any]:
        del what, words, files
        return DESCRIBED

    desk.documents.ask = ask  # type: ignore[method-assign]
    return desk


def test_a_file_is_opened_once(desk: Desk) -> None:
    assert desk.open_below("people.csv") is desk.open_below("people.csv")
    for name in ("nowhere.csv", "../session", "."):
        with pytest.raises(InputError):
            desk.open_below(name)
    with pytest.raises(InputError, match="no longer open"):
        desk.table(9)
    with pytest.raises(InputError, match="no such job"):
        desk.job(9)


def test_proposals_are_made_once_and_saved_when_the_job_starts(desk: Desk) -> None:
    async def run() -> None:
        table = desk.open_below("people.csv")
        before = await desk.source(table)
        assert (before.schema, table.decisions) == (
            "people.schema.toml",
            {"name": Decision(role="identifier")},
        )
        assert not (desk.root / "people.schema.toml").exists()

        table.decisions = {"age": Decision(role="class"), "name": Decision(role="ordinary", reason="a ship")}
        source = await desk.source(table, save=True)
        assert (source.classes, source.keep) == (("age",), {"name": "a ship"})
        assert source.schema == "people.schema.toml"

        table.decisions["age"] = Decision(role="confidential")
        source = await desk.source(table, save=True)
        assert 'role = "confidential"' in (desk.root / source.schema).read_text()

    asyncio.run(run())


def test_a_schema_file_of_someone_else_is_not_replaced(desk: Desk) -> None:
    (desk.root / "people.schema.toml").write_text("mine")

    async def run() -> None:
        table = desk.open_below("people.csv")
        for _ in range(2):
            source = await desk.source(table, save=True)
            assert source.schema == "people-2.schema.toml"

    asyncio.run(run())
    assert (desk.root / "people.schema.toml").read_text() == "mine"


def test_a_schema_file_that_is_not_ours_is_read_and_not_replaced(desk: Desk) -> None:
    mine = '[[attribute]]\nname = "age"\nrole = "confidential"\nprecision = 0 # years\n'
    (desk.root / "people.schema.toml").write_text(mine)

    async def run() -> None:
        table = desk.open_below("people.csv")
        source = await desk.source(table, save=True)
        assert (table.found, source.schema) == ("people.schema.toml", "people-2.schema.toml")
        assert "precision = 0" in (desk.root / source.schema).read_text()
        assert (table.decisions or {})["age"].role == "confidential"

    asyncio.run(run())
    assert (desk.root / "people.schema.toml").read_text() == mine


def test_a_job_that_waits_finds_the_decisions_that_it_was_given(desk: Desk) -> None:
    async def run() -> None:
        table = desk.open_below("people.csv")
        given = await desk.source(table, save=True)
        text = (desk.root / given.schema).read_text()
        job = desk.queue.add("A job", Command(("release", *given.words())))
        table.decisions = {"age": Decision(role="confidential")}
        later = await desk.source(table, save=True)
        assert (desk.root / given.schema).read_text() == text
        assert later.schema == "people-2.schema.toml"

        job.state = "running"
        table.decisions = {}
        assert (await desk.source(table, save=True)).schema == ""
        assert "[[attribute]]" not in (desk.root / later.schema).read_text()

    asyncio.run(run())


def test_two_tables_of_one_name_keep_their_own_decisions(desk: Desk) -> None:
    (desk.root / "a.b").mkdir()
    write_people(desk.root / "a.b")

    async def run() -> None:
        for path in ("people.csv", "a.b/people.csv", str(desk.root / "people.csv")):
            table = desk.open(path, "people.csv")
            await desk.source(table, save=True)
        saved_as = [table.saved_as for table in desk.tables.values()]
        assert saved_as == ["people.schema.toml", "a.b/people.schema.toml", "people-2.schema.toml"]

    asyncio.run(run())


def test_the_job_of_a_folder(desk: Desk) -> None:
    job = desk.queue.add("A job", Command(("release",), output="out"))
    assert desk.job_for("out") is None
    job.state = "done"
    assert desk.job_for("out") is job
