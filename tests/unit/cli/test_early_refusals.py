"""What can be refused without data is refused before the table is opened: here no table is there to be opened."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import hushwood as hw
from hushwood.errors import InputError
from hushwood.jobs.requests import ReleaseRequest
from hushwood.jobs.resolve import resolve
from hushwood.releasing.options import PerturbOptions
from support.command_line import Command, refused
from support.people_files import contents

WRONG: dict[str, tuple[list[str], str]] = {
    "technique": (["--technique", "mdaf"], "Did you mean 'mdav'?"),
    "policy": (["--policy", "pubic"], "Did you mean 'public'?"),
    "limit": (["--limit", "linkige<=0.1"], "Did you mean 'linkage'?"),
    "k": (["--k", "1"], "--k must be 2 or more"),
    "seed": (["--seed", "12ab"], "exactly 64 hexadecimal digits"),
    "parameter": (["--technique", "mdav", "--set", "mdav.k=1"], "2 or more; 1 was given"),
    "rule": (["--suppress", "old people"], "'old people'"),
    "forest": (["--forest", "nowhere.json"], "cannot be read"),
    "hierarchy": (["--technique", "tds", "--hierarchy", "city=nowhere.csv"], "nowhere.csv"),
    "destination": (["--to", "somewhere"], "--to takes the address of a table"),
    "k without segments": (["--k", "5", "--technique", "gadp"], "gadp has no smallest segment"),
    "correlated": (["--correlated", "gadp"], "--correlated is for the extended frameworks"),
    "noise by default": (["--noise", "1/4"], "segment-shuffle adds none"),
    "trees by default": (["--trees", "3"], "uses the segments of one tree"),
    "clusters": (["--technique", "gadp", "--value-clusters", "rock"], "--value-clusters is for CAPT"),
    "teacher": (["--technique", "mdav", "--teacher", "tree"], "--teacher is for techniques that ask a model"),
    "blur": (["--technique", "linfapt", "--blur", "9"], "hands out none"),
    "settings": (
        ["--set", "gadp.rho=0.5"],
        "Parameters of gadp are set, but segment-shuffle does not use it",
    ),
    "nothing to blank": (["--technique", "suppress"], "Say what to blank with --suppress"),
    "criterion": (["--variant", "see5", "--criterion", "gini"], "See5 chooses by gain_ratio"),
    "sysfor": (["--goodness", "0.2"], "segment-shuffle grows one tree"),
    "weight to drop": (["--drop-weight"], "drops the column that --weight names"),
    "two roles": (["--identifier", "zip", "--ignore", "zip"], "cannot be both identifier and ignored"),
    "synthesis of persons": (
        ["--technique", "cart-synthesis", "--person", "patient"],
        "makes up one record after the other",
    ),
    "persons in batches": (
        ["--person", "patient", "--engine", "streaming"],
        "need the whole table in memory",
    ),
    "persons and blanks": (["--person", "patient", "--suppress", "age > 80"], "blanks single rows"),
    "tuned k": (["--tune", "--k", "9"], "Tuning chooses k itself"),
    "tuned without evidence": (["--tune", "--evidence", "none"], "Tuning compares releases"),
    "tuned persons": (["--tune", "--person", "patient"], "The search counts rows"),
    "tuned technique": (["--tune", "--technique", "mdaf"], "Did you mean 'mdav'?"),
}
DATABASE = "sqlite:///nowhere.db?table=people"
OF_DATABASES: dict[str, tuple[list[str], str]] = {
    "no key": ([], "name a unique column with --row-key"),
    "spark": (["--row-key", "id", "--engine", "spark"], "--engine spark does not read databases"),
    "person": (["--row-key", "id", "--person", "patient"], "need the whole table in memory"),
    "search": (["--row-key", "id", "--tune"], "--tune searches on a file"),
    "itself": (["--row-key", "id", "--to", DATABASE], "--to names the table itself"),
}


@pytest.mark.parametrize(("words", "says"), WRONG.values(), ids=WRONG)
def test_what_needs_no_data_is_refused_before_the_table_is_opened(
    hushwood: Command, tmp_path: Path, words: list[str], says: str
) -> None:
    before = contents(tmp_path)
    refused(hushwood("release", "nowhere.csv", "--class", "ill", "-o", "out", *words), says)
    assert contents(tmp_path) == before


@pytest.mark.parametrize(("words", "says"), OF_DATABASES.values(), ids=OF_DATABASES)
def test_databases_are_not_opened_for_what_cannot_be_done(
    hushwood: Command, tmp_path: Path, words: list[str], says: str
) -> None:
    before = contents(tmp_path)
    refused(hushwood("release", DATABASE, "--class", "ill", "-o", "out", *words), says)
    assert contents(tmp_path) == before


def test_other_jobs_refuse_as_early(hushwood: Command) -> None:
    given = ["nowhere.csv", "--class", "ill", "-o", "out"]
    refused(hushwood("tune", *given, "--technique", "mdaf"), "Did you mean 'mdav'?")
    refused(hushwood("tune", *given, "--policy", "pubic"), "Did you mean 'public'?")
    refused(hushwood("publish-tree", *given, "--person", "patient"), "A published tree counts rows")
    refused(hushwood("audit", "nowhere.csv", "nothing.csv", "--only", "linkige"), "Did you mean 'linkage'?")
    Path("out").mkdir()
    Path("out/thesis.txt").touch()
    for command in ("release", "tune", "publish-tree"):
        refused(hushwood(command, *given), "The folder out is not empty")


@pytest.mark.parametrize("wrong", ["noise by default", "settings", "teacher", "synthesis of persons"])
def test_what_needs_no_data_is_refused_before_numba_is_loaded(wrong: str) -> None:
    """Loading it takes longer than everything else before a refusal."""
    words = ["release", "nowhere.csv", "-o", "out", *WRONG[wrong][0]]
    program = f"""
import sys
from hushwood.cli.main import app
try:
    app({words!r})
except Exception as refusal:
    print(refusal, "numba" in sys.modules)"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert WRONG[wrong][1] in done.stdout
    assert done.stdout.endswith("False\n")


class Unopened:
    """A table of which nobody asks anything."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"The table was asked for {name}.")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"technique": "mdaf"}, "Did you mean 'mdav'?"),
        ({"technique": "gadp", "k": 5}, "k is for segment-shuffle"),
        ({"engine": "streaming"}, "reads files; this table is in memory already"),
        ({"policy": "pubic"}, "Did you mean 'public'?"),
    ],
)
def test_python_refuses_as_early(options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        hw.release(Unopened(), target="ill", **options)


def test_what_was_read_already_says_who_its_persons_are() -> None:
    frame = pl.DataFrame({"patient": ["a", "a", "b"], "age": [1, 2, 3]})
    table = hw.read_table(frame, roles={"patient": "person"})
    request = ReleaseRequest(PerturbOptions(technique="cart-synthesis"))
    with pytest.raises(InputError, match="no rows stay together"):
        resolve(request, table)


def test_a_request_is_resolved_once() -> None:
    asked = resolve(ReleaseRequest(), "nowhere.csv")
    assert resolve(asked, "elsewhere.csv") is asked
    assert asked.policy.name == "public"
