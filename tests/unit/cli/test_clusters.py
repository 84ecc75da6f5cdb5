from __future__ import annotations

import json
from pathlib import Path

import pytest

from support.command_line import Command, refused

CARS = ["place,car\n", *["e,Ford\n"] * 30, *["e,[red]\n"] * 10, *["w,Holden\n"] * 20]


@pytest.fixture
def cars_csv(hushwood: Command) -> Path:
    Path("cars.csv").write_text("".join(CARS), "utf-8")
    return Path("cars.csv")


def test_pairs_and_the_rules_they_come_from(
    hushwood: Command, cars_csv: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    done = hushwood("clusters", cars_csv, "--min-leaf", "2", "--most", "1", "--json", "found.json")
    assert done.code == 0
    lines = [" ".join(line.split()) for line in done.out.splitlines()]
    assert lines[0] == "detective: 60 records"
    assert "car: 3 values, 2 leaves, 2 similar pairs" in lines
    assert "│ Ford - [red] │ 300 │ 0.188 │ place = e │" in lines
    assert "1 more; --most shows more, --json all" in lines
    assert lines[-1] == "This describes the original table: keep it private."
    found = json.loads(Path("found.json").read_text("utf-8"))
    assert found["columns"][1]["pairs"][1]["leaves"] == ["place = e", "place = w"]
    assert Path("found.json").stat().st_mode & 0o077 == 0


def test_clusters_of_records(hushwood: Command, cars_csv: Path) -> None:
    done = hushwood("clusters", cars_csv, "--value-clusters", "ex-detective", "--min-leaf", "2")
    text = " ".join(done.out.split())
    assert "3 clusters of records; they hold 30, 20, 10. 0 records are in none." in text
    assert "Weights: place 1, car 1." in text
    assert "│ 10 │ [red] 10 │" in text


def test_nothing_is_explained(hushwood: Command) -> None:
    Path("noise.csv").write_text("a,b\n" + "x,p\nx,q\ny,p\ny,q\n" * 20, "utf-8")
    done = hushwood("clusters", "noise.csv")
    assert "a: nothing explains its 2 values." in done.out


def test_what_is_refused(hushwood: Command, cars_csv: Path) -> None:
    refused(hushwood("clusters", cars_csv, "--column", "nix"), "no categorical column 'nix'")
    refused(hushwood("clusters", cars_csv, "--value-clusters", "x"), "no value clustering 'x'")
