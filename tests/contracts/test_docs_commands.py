"""Every command that a page shows is run, on small tables that are called as the page calls them.

Evidence is cut short, because pages are about options and not about numbers. What cannot be run here is parsed: its
options exist, and their values are read.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import typer

from hushwood.cli.main import app
from support.command_line import Command
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


ROWS = 160
SEED = "5" * 64
_OUTPUTS = ("-o", "--output", "--save", "--json", "--report")
_NO_COLUMNS = {"rows", "none"}
_TABLES = (".csv", ".parquet", ".arrow", ".dta", ".sav", ".xlsx", ".jsonl")
Column = Callable[[int], object]

_USUAL: Mapping[str, Column] = {
    "age": lambda i: 18 + (i * 37) % 63,
    "pay": lambda i: ((i * 53) % 1000) / 10,
    "job": lambda i: ("clerk", "nurse", "farmer")[(i * 7) % 3],
    "sex": lambda i: ("f", "m")[i % 2],
    "town": lambda i: ("Ulm", "Bonn", "Kiel", "Trier")[(i * 11) % 4],
    "income": lambda i: "high" if (18 + (i * 37) % 63) + ((i * 53) % 1000) / 10 > 95 else "low",
    "ill": lambda i: "yes" if (i * 37) % 63 > 40 or i % 9 == 0 else "no",
}
# Columns that a page speaks of and a table has only then.
_SPECIAL: Mapping[str, Column] = {
    "name": lambda i: f"Ann{i} Weber{i}",
    "rank": lambda i: i + 1,
    "patient_id": lambda i: 10_000 + i,
    "id": lambda i: 10_000 + i,
    "price": lambda i: 1000 + (i * 997) % 9000,
    "Rings": lambda i: 3 + (i * 7) % 12,
    "birth": lambda i: date(1940, 1, 1) + timedelta(days=97 * i),
    "visit": lambda i: date(2024, 1, 1) + timedelta(days=i % 300),
    "zip": lambda i: f"0{1000 + (i * 7919) % 8000}",
    "icd": lambda i: ("I10", "E11.9", "J45", "I21.0")[i % 4],
    "city": lambda i: ("Ulm", "Bonn", "Kiel")[i % 3],
}
# Tables that a page says more about.
_MORE: Mapping[str, Mapping[str, Column]] = {
    "clinic.csv": {"PatID": lambda i: 70_000 + i, "E-Mail": lambda i: f"ann{i}@example.org"}
}
# Options whose value names a column, alone or before a sign; most do not care what it holds.
_BY_OPTION: Mapping[str, Column | None] = {
    **dict.fromkeys(
        ("--class", "--identifier", "--quasi-identifier", "--confidential", "--ignore", "--sensitive")
    ),
    **dict.fromkeys(("--row-key", "--keep", "--coarsen", "--hierarchy", "--match")),
    "--top-code": lambda i: 100 + (i * 71) % 900,
    "--bottom-code": lambda i: 100 + (i * 71) % 900,
    "--weight": lambda i: 1.0 + (i % 5) / 2,
    "--person": lambda i: f"p{i // 2}",
    "--household": lambda i: f"h{i // 4}",
}


def columns_of(words: Sequence[str]) -> dict[str, Column]:
    """Columns that the options of a command name, each as its option needs it."""
    found: dict[str, Column] = {}
    for option, value in pairwise(words):
        name = value.partition("=")[0]
        if (
            option in _BY_OPTION
            and name not in _NO_COLUMNS
            and not (name in _USUAL and _BY_OPTION[option] is None)
        ):
            found[name] = _BY_OPTION[option] or _SPECIAL.get(name) or (lambda i: "abc"[i % 3])
    return {name: make for name, make in found.items() if name != "age"}


def people(extra: Mapping[str, Column] | None = None, *, first: int = 0) -> pl.DataFrame:
    """People with the usual columns and those that are asked for."""
    known = {**_USUAL, **(extra or {})}
    return pl.DataFrame({name: [make(i) for i in range(first, first + ROWS)] for name, make in known.items()})


def write_table(frame: pl.DataFrame, path: Path) -> None:
    """Write a frame as the ending of the file asks."""
    path.parent.mkdir(parents=True, exist_ok=True)
    match path.suffix:
        case ".parquet":
            frame.write_parquet(path)
        case ".arrow":
            frame.write_ipc(path)
        case ".xlsx":
            frame.write_excel(path)
        case ".jsonl":
            frame.write_ndjson(path)
        case ".dta" | ".sav":
            import pyreadstat

            write: Any = pyreadstat.write_dta if path.suffix == ".dta" else pyreadstat.write_sav
            write(frame.to_pandas(), path)
        case _:
            frame.write_csv(path)


def prepare(words: Sequence[str], folder: Path, made: Path) -> None:
    """Put all that a command reads into the folder; `made` holds a release `out` and a published tree `tree`."""
    extra = columns_of(words)
    outputs = {value for option, value in pairwise(words) if option in _OUTPUTS}
    source = "out.parquet" if any(word.endswith(".parquet") for word in words) else "out"
    for word in words[1:]:
        column, _, hierarchy = re.sub(r":\d+$", "", word).partition("=")
        name = hierarchy if hierarchy.endswith(".csv") else word
        path = folder / name
        if name in outputs or path.exists() or name.startswith("-"):
            continue
        if name == hierarchy:
            write_hierarchy(path, people(extra)[column])
        elif name.startswith(("tree/", "adult-tree/")):
            shutil.copytree(made / "tree", folder / name.partition("/")[0], dirs_exist_ok=True)
        elif path.suffix in _TABLES:
            more = {**extra, **_MORE.get(name, {})}
            write_table(people(more, first=ROWS if "other" in name else 0), path)
        elif name.endswith("/"):
            write_table(people(extra), path / "part-1.parquet")
            write_table(people(extra, first=ROWS), path / "part-2.parquet")
        elif name == "my-key":
            path.write_text(SEED)
        elif name.endswith(".toml"):
            shutil.copyfile(made / "my-schema.toml", path)
        elif (
            words[0] in ("audit", "verify", "compare", "accept", "reconstruct")
            and name.replace("-", "").isalpha()
        ):
            shutil.copytree(made / source, path, dirs_exist_ok=True)


def write_hierarchy(path: Path, values: pl.Series) -> None:
    """Every value with the group it belongs to, as ARX writes it."""
    path.write_text("".join(f"{value};{str(value)[0]}*;*\n" for value in values.unique().sort()))
