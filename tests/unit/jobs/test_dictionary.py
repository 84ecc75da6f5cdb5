from __future__ import annotations

import polars as pl
import pytest

from hushwood.jobs.dictionary import dictionary
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import PerturbOptions, perturb
from hushwood.tables.reading import read
from hushwood.techniques.domain_noise import Rnat
from hushwood.techniques.registry import TECHNIQUES
from support.people_files import HEADER, people

FRAME = pl.DataFrame(people(), schema=list(HEADER), orient="row").with_columns(
    pl.col("age").cast(pl.Int64), pl.col("score").cast(pl.Float64)
)


def rows_of(frame: pl.DataFrame, target: str = "ill", **options: object) -> dict[str, list[str]]:
    table = read(
        frame.with_columns(name=pl.int_range(frame.height), town=pl.lit("Oz")),
        target=target,
        roles={"name": "identifier", "town": "ignored"},
    ).table
    page = dictionary(table.schema, perturb(table, PerturbOptions(**options), Streams(bytes(32))))  # type: ignore[arg-type]
    cells = [line.strip("| ").split(" | ") for line in page.splitlines() if line.startswith("| ")]
    return {row[0]: row[1:] for row in cells}


def test_every_column_has_its_row() -> None:
    rows = rows_of(FRAME, technique="forest-framework")
    assert list(rows) == ["column", *HEADER, "name", "town"]
    assert rows["ill"][0] == "categorical (class)"
    assert "noise" in rows["age"][1]
    assert rows["name"] == ["identifier", "Dropped.", "Not in the table."]
    assert rows["town"] == ["categorical", "Copied.", "Exactly as in the original."]


def test_by_default_every_column_is_drawn() -> None:
    rows = rows_of(FRAME)
    assert {row[1].split(" of at least")[0] for name, row in rows.items() if name in HEADER} == {
        "Drawn from the values of its segment"
    }
    assert not any("exact" in " ".join(row) for row in rows.values())


def test_exact_counts_are_handed_out_again() -> None:
    rows = rows_of(FRAME, redraw=0)
    assert {row[1].split(" records,")[0] for name, row in rows.items() if name in HEADER} == {
        "Handed out again within its segment of at least 12"
    }
    assert [name for name in HEADER if "blurred" in rows[name][1]] == ["age", "score"]
    assert all("Do not rely on single records." in rows[name][2] for name in HEADER)
    assert not any("Elsewhere copied" in row[1] for row in rows.values())


def test_what_is_copied_in_part_says_so() -> None:
    rows = rows_of(FRAME, technique="linfapt", min_leaf=20)
    assert [name for name, row in rows.items() if row[1].endswith("Elsewhere copied.")] == ["age"]
    assert rows["group"][1] == "Copied."
    controls = rows_of(FRAME, technique="random-framework")
    assert controls["age"][2] == Rnat.trust


@pytest.mark.parametrize("technique", [acronym.lower() for acronym in TECHNIQUES])
def test_every_technique_says_how_far_to_trust_it(technique: str) -> None:
    frame = FRAME.with_columns(sex=pl.col("ill").reverse())
    coarsen = ("age: 10",) if technique == "coarsen" else ()
    rows = rows_of(frame, technique=technique, min_leaf=20, suppress=("age > 40",), coarsen=coarsen)
    assert all(len(row) == 3 and row[2].endswith(".") for name, row in rows.items() if name != "column")
    assert any(row[1] != "Copied." for name, row in rows.items() if name not in {"column", "name"})


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a|b\nc\\|d", r"a\|b\\nc\\\|d"),
        ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)&gt;"),
        ("[free](https://evil.example)", r"\[free\](https\://evil.example)"),
        ("www.evil.example", r"www\.evil.example"),
        ("\x1b[31m\u202eevil", r"\\x1b\[31m\\u202eevil"),
        ("*", r"\*"),
        ("hours-per_week", "hours-per_week"),
    ],
)
def test_names_cannot_break_the_page(name: str, shown: str) -> None:
    assert rows_of(FRAME.rename({"group": name}))[shown][0] == "categorical"
