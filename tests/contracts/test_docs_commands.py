"""Every command that a page shows is run, on small tables that are called as the page calls them.

Evidence is cut short, because pages are about options and not about numbers. What cannot be run here is parsed: its
options exist, and their values are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

from hushwood.cli.main import app
from support.command_line import Command
from support.documented_files import people, prepare, write_table
from website.page_commands import page_commands

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
# These commands are only parsed, and why.
NOT_RUN = {
    "demo": "tests/unit/cli/test_demo.py runs it, and it takes a while",
    "tune": "takes minutes; tests/unit/cli/test_tune.py runs it on a cheaper search",
    "reproduce": "needs the papers' tables, and for most experiments hours",
    "web": "runs until it is stopped",
}
# So are those with a word that begins like this.
NOT_RUN_WITH = {
    "--tune": "takes minutes",
    "postgresql:": "needs a server",
    "duckdb:": "needs a database; tests/unit/jobs/test_release_sql.py makes one",
    "sqlite:": "the same",
    "spark": "needs Java; tests/unit/releasing/engines/spark run it",
}
# Cut short, unless the page says otherwise.
SHORTER = {"release": ("--evidence", "none"), "audit": ("--only", "unchanged_cells,linkage")}
# The gate stops this one on purpose.
STOPPED = {"release clinic.csv --class readmitted -o out"}


def all_commands() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Every different command with the page it is on."""
    seen: dict[tuple[str, ...], str] = {}
    for page in PAGES:
        for found in page_commands(page.read_text("utf-8")):
            seen.setdefault(found.words, f"{page.relative_to(ROOT).as_posix()}:{found.line}")
    return ((where, words) for words, where in seen.items())


def not_run(words: tuple[str, ...]) -> bool:
    return words[0] in NOT_RUN or any(word.startswith(tuple(NOT_RUN_WITH)) for word in words)


COMMANDS = list(all_commands())
RUN = [(where, words) for where, words in COMMANDS if not not_run(words)]
PARSED = [(where, words) for where, words in COMMANDS if not_run(words)]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release, a published tree and a schema file, for commands that go on from one."""
    import hushwood as hw

    folder = tmp_path_factory.mktemp("made")
    write_table(people(), folder / "people.csv")
    hw.publish_tree(folder / "people.csv", target="income", k=5, output=folder / "tree")
    people().write_parquet(folder / "people.parquet")
    for source, out, evidence in (("people.csv", "out", "quick"), ("people.parquet", "out.parquet", "none")):
        how: dict[str, Any] = {"output": folder / out, "ledger": folder / "ledger", "evidence": evidence}
        hw.release(folder / source, target="income", **how)
    (folder / "my-schema.toml").write_text((folder / "out" / "private" / "schema.toml").read_text())
    return folder


def test_commands_are_found() -> None:
    assert len(RUN) > 45
    assert {words[0] for _, words in PARSED} >= {"demo", "tune", "reproduce", "release"}


@pytest.mark.parametrize(("where", "words"), RUN, ids=[f"{where} {' '.join(words)}" for where, words in RUN])
def test_a_documented_command_works(
    where: str,
    words: tuple[str, ...],
    made: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    prepare(words, tmp_path, made)
    option, value = SHORTER.get(words[0], ("", ""))
    more = (option, value) if option and option not in words else ()
    done = Command(capsys)(*words, *more)
    text = " ".join(words)
    # 1 is an answer: not cleared without evidence, or a limit that is exceeded.
    assert done.code in ((2,) if text in STOPPED else (0, 1)), f"{where}: hushwood {text}\n{done.err}"


@pytest.mark.parametrize(
    ("where", "words"), PARSED, ids=[f"{where} {' '.join(words)}" for where, words in PARSED]
)
def test_a_command_that_is_not_run_here_can_be_parsed(where: str, words: tuple[str, ...]) -> None:
    known: Any = typer.main.get_command(app)
    command = known.commands.get(words[0])
    if command is None and words[0] == "web":
        pytest.skip("there is no such command here")
    assert command is not None, where
    command.make_context(
        words[0], list(words[1:])
    )  # raises if an option is unknown or its value cannot be read
