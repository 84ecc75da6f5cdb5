"""What users and programs rely on does not change by accident: the help of commands, and the shape of documents.

With HUSHWOOD_FREEZE=1 the test writes the files in `frozen/` again, for a change that is meant.
"""

from __future__ import annotations

import difflib
import json
import os
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from hushwood.cli.main import app
from hushwood.jobs.requests import TuneOptions, TuneRequest
from hushwood.jobs.tune import tune
from hushwood.tables.reading import read
from support.command_line import Command
from support.people_files import SEED, write_people
from support.tuned_scores import QUICKLY, two_checks

FROZEN = Path(__file__).parent / "frozen"
COMMANDS = [[], *([name] for name in getattr(get_command(app), "commands", ()))]
# Lists whose entries are different things, each with a name.
NAMED = ("measures", "attacks")


@pytest.fixture
def hushwood(capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(capsys)


def check(name: str, text: str) -> None:
    """Compare with the frozen file, and show the lines that differ."""
    path = FROZEN / name
    if os.environ.get("HUSHWOOD_FREEZE"):
        path.write_text(text, "utf-8")
    lines = difflib.unified_diff(
        path.read_text("utf-8").splitlines(), text.splitlines(), "frozen", "now", n=2
    )
    assert not (difference := "\n".join(lines)), f"{path.name} differs:\n{difference}"


def test_help(hushwood: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "COLUMNS": "110",
        "TERM": "dumb",
        "NO_COLOR": "1",
        "_TYPER_FORCE_DISABLE_TERMINAL": "1",
    }.items():
        monkeypatch.setenv(name, value)
    pages = (hushwood(*words, "--help").out for words in COMMANDS)
    check(
        "help.txt",
        "".join(f"{line.rstrip()}\n" for page in pages for line in page.splitlines() if line.strip()),
    )


@pytest.mark.usefixtures("tried_advice")
def test_documents(hushwood: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys, their order and the types of values; what is a list of like things is one entry."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HUSHWOOD_LEDGER", "ledger.json")
    people, seeded = write_people(tmp_path).name, ("--seed", SEED, "--evidence", "none")
    quick = ("--seed", SEED, "--evidence", "quick")
    asked = (people, "--class", "ill")
    hushwood("release", *asked, "-o", "one", "--technique", "framework", "--noise", "0.1", *quick)
    hushwood(
        "release", *asked, "-o", "two", "--coarsen", "score=5", "--rare", "group", "--reuse-key", *seeded
    )
    hushwood("release", *asked, "-o", "zero", "--redraw", "0", "--reuse-key", *seeded)
    hushwood(
        "audit", people, "one", "--evidence", "quick", "--policy", "public", "--json", "audit/evaluation.json"
    )
    hushwood("compare", "one", "one", "--json", "comparison.json")
    hushwood("accept", "one", "--reason", "a trial", "--by", "a test")
    hushwood("reconstruct", "one", "--original", people, "--json", "reconstruction.json")
    hushwood("publish-tree", *asked, "-k", "5", "-o", "tree")
    hushwood("clusters", people, "--json", "clusters.json")
    request = TuneRequest(TuneOptions(threads=1), Path("tuned"), policy=two_checks()).as_release()
    tune(read(people, target="ill"), request, ["copula-synthesis"], thoroughness=QUICKLY)
    documents: dict[str, list[Any]] = {}
    for path in sorted(path for path in Path().rglob("*.*") if path.suffix in {".json", ".toml"}):
        text = path.read_text("utf-8")
        documents.setdefault(path.name, []).append(
            tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
        )
    check(
        "documents.txt", "".join(line for name, found in documents.items() for line in lines_of(name, found))
    )


def lines_of(name: str, documents: list[Any]) -> Iterator[str]:
    yield f"\n{name}\n"
    yield from (f"  {line}\n" for line in shape(*documents))


def shape(*documents: Any) -> list[str]:
    """One line for every place of documents of one kind: its path and the types there, in the order of the keys."""
    types: dict[str, set[str]] = {}
    for document in documents:
        for place, kind in places(document, ""):
            types.setdefault(place, set()).add(kind)
    return [f"{place or '.'}: {' | '.join(sorted(kinds))}" for place, kinds in types.items()]


def places(value: Any, path: str) -> Iterator[tuple[str, str]]:
    yield path, "null" if value is None else type(value).__name__
    if isinstance(value, dict):
        for key, part in value.items():
            yield from places(part, f"{path}.{key}".lstrip("."))
    elif isinstance(value, list):
        for part in value:
            named = path.rpartition(".")[2] in NAMED and isinstance(part, dict) and "name" in part
            yield from places(part, f"{path}[{part['name'] if named else ''}]")


def test_a_shape_says_keys_order_and_types() -> None:
    document = {"b": [{"x": 1}, {"x": None, "y": "z"}], "a": 1.5}
    assert shape(document) == [
        ".: dict",
        "b: list",
        "b[]: dict",
        "b[].x: int | null",
        "b[].y: str",
        "a: float",
    ]
