from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
import run
from document import read_document
from lines import Line
from measuring import Failed

from support.benchmark_results import small_results

LINES = {result.name: list(result.lines) for result in small_results()}


def asked(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["run.py", *arguments])
    return run.main()


@pytest.fixture
def benchmarks(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Benchmarks that give the lines of the small results, or raise what they are told to."""
    faults: dict[str, Any] = {}

    def import_module(name: str) -> ModuleType:
        module = ModuleType(name, f"About {name}.")

        def compare() -> list[Line]:
            if name in faults:
                raise faults[name]
            return LINES.get(name, [])

        module.compare = compare  # type: ignore[attr-defined]
        return module

    monkeypatch.setattr(importlib, "import_module", import_module)
    return faults


@pytest.mark.parametrize("name", run.BENCHMARKS)
def test_every_benchmark_says_what_it_compares(name: str) -> None:
    module = importlib.import_module(name)
    assert module.__doc__
    assert callable(module.compare)


def test_selections_are_of_benchmarks_that_there_are() -> None:
    assert {*run.HUGE, *run.QUICK} <= set(run.BENCHMARKS)


@pytest.mark.usefixtures("benchmarks")
def test_one_benchmark_is_renewed_in_the_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "found.json"
    assert asked(monkeypatch, "--json", str(file), "tree_vs_sklearn") == 1  # a limit is missed
    assert asked(monkeypatch, "--json", str(file), "startup") == 0
    startup, tree = read_document(file)
    assert (startup.name, startup.about, len(startup.lines)) == ("startup", "About startup.", 1)
    assert (tree.name, len(tree.lines)) == ("tree_vs_sklearn", 2)


def test_a_benchmark_that_fails_leaves_the_others(
    benchmarks: dict[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    benchmarks["tree_vs_sklearn"] = Failed("no memory")
    file = tmp_path / "found.json"
    assert asked(monkeypatch, "--json", str(file), "tree_vs_sklearn", "startup") == 1
    assert [result.name for result in read_document(file)] == ["startup"]
    assert "Failed: tree_vs_sklearn." in capsys.readouterr().out


@pytest.mark.usefixtures("benchmarks")
def test_huge_tables_only_when_asked_for(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    asked(monkeypatch)
    assert "huge_tables …" not in capsys.readouterr().err
    asked(monkeypatch, "--huge")
    assert "huge_tables …" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [("nothing",), ("--quick", "--json", "found.json")])
def test_what_cannot_be_asked_for(arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(SystemExit):
        asked(monkeypatch, *arguments)


def test_the_table_shows_both_sides() -> None:
    shown = run.table(LINES["streaming_vs_polars"])
    assert "release of 10,000,000  " in shown
    assert "≤ 6 (goal 3)" in shown
    assert "1/1" in shown
