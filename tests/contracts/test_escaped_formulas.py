"""A release whose formulas are escaped is still verified, audited and rebuilt."""

from __future__ import annotations

import csv
from pathlib import Path

import polars as pl
import pytest

import hushwood as hw
from support.release_parts import files_in

FORMULA = '=HYPERLINK("http://evil.example","x")'


@pytest.fixture
def people(tmp_path: Path) -> Path:
    rows = range(60)
    path = tmp_path / "people.csv"
    pl.DataFrame(
        {
            "=age": [20 + row * 7 % 40 - 40 for row in rows],
            "town": [FORMULA if row % 3 else "Oslo" for row in rows],
            "note": [f"-note {row % 4}" for row in rows],
            "ill": ["+yes" if 20 + row * 7 % 40 > 35 else "no" for row in rows],
        }
    ).write_csv(path)
    return path


def cells(path: Path) -> list[list[str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_a_release(people: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    warned = hw.release(
        people, target="ill", roles={"note": "ignored"}, seed="1" * 64, evidence="none", redraw=0
    )
    done = hw.release(
        people,
        target="ill",
        roles={"note": "ignored"},
        seed="1" * 64,
        output=out,
        evidence="none",
        redraw=0,
        escape_formulas=True,
    )
    assert sum("escape_formulas=True" in warning for warning in warned.warnings) == 4
    assert not any("escape_formulas=True" in warning for warning in done.warnings)
    written = cells(files_in(out) / "released.csv")
    assert written[0] == ["'=age", "town", "note", "ill"]
    assert {row[1] for row in written[1:]} == {"'" + FORMULA, "Oslo"}
    assert {row[3] for row in written[1:]} == {"'+yes", "no"}
    assert any(row[0].startswith("-") for row in written[1:]), "numbers stay numbers"
    assert done.frame.equals(warned.frame), "only the file is changed"
    assert "single quotation mark" in (files_in(out) / "dictionary.md").read_text(encoding="utf-8")
    assert hw.verify(out, people).holds
    found = hw.audit(people, out, only=["unchanged_cells"], evidence="quick")
    plain = hw.audit(people, warned, target="ill", roles={"note": "ignored"}, only=["unchanged_cells"])
    assert found["unchanged_cells"].value == plain["unchanged_cells"].value


def test_a_published_tree(people: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    hw.publish_tree(people, target="ill", k=3, output=out, escape_formulas=True)
    share = out / "share"
    assert cells(share / "released.csv")[0] == ["'=age", "town", "note", "ill"]
    assert hw.verify_tree(share / "released.csv", share / "tree.json")
    assert hw.verify_tree(out, share / "tree.json")
    assert hw.verify(out, people).holds
