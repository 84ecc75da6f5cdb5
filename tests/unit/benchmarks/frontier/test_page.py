from __future__ import annotations

import json
from pathlib import Path

import pytest
from frontier.__main__ import chosen_units, main, publish
from frontier.contenders import DIAL, OURS, shuffled
from frontier.document import document_of, read_document, write_document
from frontier.page import number, page, with_interval
from frontier.running import Run, Unit
from frontier.summary import Estimate, Runs, behind, dial, estimate, limits_shown
from frontier.yardstick import RISK, UTILITY

from support.frontier_document import small_document


def test_a_document_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_document(small_document(), tmp_path / "frontier.json")
    assert read_document(tmp_path / "frontier.json") == small_document()
    found = json.loads((tmp_path / "frontier.json").read_text("utf-8"))
    assert found["format"] == "hushwood-frontier"
    assert found["tables"] == {"development": ["wbc", "wine"], "apart": ["iris"]}


def test_runs_are_put_in_order_and_the_others_have_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HUSHWOOD_ARFPY", raising=False)
    runs = [
        Run("wine", 1, "noise"),
        Run("wine", 0, "framework"),
        Run("wine", 0, "noise"),
        Run("adult", 0, "noise"),
    ]
    document = document_of(runs)
    assert [(run.table, run.seed, run.contender) for run in document.runs] == [
        ("adult", 0, "noise"),
        ("wine", 0, "noise"),
        ("wine", 0, "framework"),
        ("wine", 1, "noise"),
    ]
    assert document.seeds == 2
    assert document.skipped["untouched"] == "it was not asked for"
    assert document.skipped["arfpy"].startswith("HUSHWOOD_ARFPY")
    assert "hushwood" in document.versions


def test_the_interval_by_hand() -> None:
    """Mean 2, standard error 1/√3; Student's t of 2 degrees of freedom is 4.3027."""
    found = estimate([1.0, 2.0, 3.0])
    assert found is not None
    assert (found.mean, found.tables) == (2.0, 3)
    assert found.half == pytest.approx(4.302653 / 3**0.5, abs=1e-6)
    assert found.low == pytest.approx(2 - 2.484138, abs=1e-5)
    single = estimate([0.7])
    assert single is not None
    assert (single.half, single.low, single.high) == (None, 0.7, 0.7)
    assert estimate([]) is None


def test_seeds_are_averaged_before_tables() -> None:
    """Table a has three seeds, table b one; both weigh the same."""
    runs = Runs.of(
        [_run("a", s, "x", linkage=v) for s, v in enumerate((1, 2, 3))] + [_run("b", 0, "x", linkage=4)], "ab"
    )
    found = runs.mean("x", "linkage")
    assert found is not None
    assert (found.mean, found.tables) == (3.0, 2)
    assert runs.mean("y", "linkage") is None


def test_differences_are_paired_and_other_tables_do_not_count() -> None:
    some = [_run(t, 0, "x", linkage=v) for t, v in (("a", 0.9), ("b", 0.3), ("c", 9.0))]
    others = [_run(t, 0, "y", linkage=v) for t, v in (("a", 0.8), ("b", 0.2))]
    found = Runs.of([*some, *others], ["a", "b", "c"]).difference("x", "y", "linkage")
    assert found is not None
    assert found.mean == pytest.approx(0.1)
    assert found.half == pytest.approx(0, abs=1e-9)
    assert found.tables == 2
    assert Runs.of(some, ["a"]).difference("x", "y", "linkage") is None


def test_a_missing_number_is_not_a_zero() -> None:
    runs = Runs.of([Run("a", 0, "x", {"linkage": None, "told_apart": 0.6})], ["a"])
    assert runs.mean("x", "linkage") is None


def _run(table: str, seed: int, contender: str, **values: float) -> Run:
    return Run(table, seed, contender, values)


def _dial_runs(*means: float) -> Runs:
    """Three tables that differ in level, not in their steps."""
    return Runs.of(
        [
            _run(table, 0, shuffled(k).name, **dict.fromkeys(RISK, mean + shift))
            for k, mean in zip(DIAL, means, strict=True)
            for table, shift in (("a", 0.0), ("b", 0.1), ("c", 0.3))
        ],
        "abc",
    )


def test_the_dial_falls_only_if_no_step_rises() -> None:
    falling = dial(_dial_runs(0.5, 0.4, 0.3, 0.2, 0.1), "ensemble")
    assert len(falling) == len(RISK)
    assert all(one.falls and one.fit == pytest.approx(one.means) for one in falling)
    bent = dial(_dial_runs(0.5, 0.4, 0.45, 0.2, 0.1), "ensemble")[0]
    assert not bent.falls
    assert bent.fit[1] == bent.fit[2] == pytest.approx(0.425 + 0.4 / 3)
    assert not dial(_dial_runs(0.1, 0.1, 0.1, 0.1, 0.1), "ensemble")[0].falls


def test_a_dial_with_a_gap_is_not_judged() -> None:
    assert dial(_dial_runs(0.5, 0.4, 0.3, 0.2, 0.1), "tree") == []


def test_limits_are_kept_or_not_or_not_run() -> None:
    shown = {
        one.what: one
        for one in limits_shown(Runs.of([_run("a", 0, OURS, linkage=0.01, told_apart=0.7)], ["a"]))
    }
    assert shown[f"{OURS}: linkage"].holds is True
    assert shown[f"{OURS}: told apart"].holds is False
    assert shown[f"{OURS}: accuracy share"].holds is None


def test_behind_names_where_a_rival_is_as_good() -> None:
    ours = dict.fromkeys(UTILITY, 0.5)
    rival = ours | {"lift_share": 0.4, "told_apart": 0.4, "query_error": 0.6}
    runs = Runs.of([_run("a", 0, OURS, **ours), _run("a", 0, "framework", **rival)], ["a"])
    assert behind(runs, "framework") == [key for key in UTILITY if key not in ("lift_share", "query_error")]
    assert behind(runs, "arfpy") is None


DOCS = Path(__file__).parents[4] / "docs"
PAGE = page(small_document())


def cells(start: str) -> list[str]:
    """The first row of a table that starts so."""
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {start}"))
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_limits_with_their_numbers() -> None:
    assert cells("segment-shuffle k=50: accuracy share")[1:] == ["≥ 0.98", "0.9900 ± 0.0000", "yes"]
    # 0.9 − 0.05 on wbc, 0.02 less on wine
    assert cells("segment-shuffle k=50: AUC-lift share")[1:] == ["≥ 0.975", "0.8400 ± 0.1271", "**no**"]
    assert cells("segment-shuffle k=50: linkage")[2:] == ["–", "not run"]
    assert cells("segment-shuffle k=50: certificate")[2:] == ["1.0000 ± 0.0000", "yes"]


def test_means_are_those_of_the_development_tables() -> None:
    """Untouched: 0.9 on wbc, 0.88 on wine; iris is shown apart, alone and so without an interval."""
    assert cells("untouched")[1] == "0.890 ± 0.127"
    apart = PAGE.partition("## Tables shown apart")[2]
    assert "| untouched | 0.860 | 0.860 |" in apart


def test_differences_are_paired_with_ours() -> None:
    """Untouched and ours differ by the same on both tables, 0.05 in every share."""
    rows = PAGE.partition("## Paired differences")[2].splitlines()
    row = next(line for line in rows if line.startswith("| untouched"))
    assert row.split("|")[3].strip() == "−0.050 ± 0.000"


def test_the_dial_with_its_fit() -> None:
    row = next(
        line for line in PAGE.splitlines() if line.startswith("| attribute inference |") and "yes" in line
    )
    assert row.split("|")[2:7] == [f" {m} ({m}) " for m in ("0.050", "0.040", "0.033", "0.029", "0.025")]
    assert "With teacher tree: no runs over the whole dial yet." in PAGE


def test_ahead_and_behind() -> None:
    assert cells("framework")[1] == "**no**"
    assert cells("arfpy")[1:] == ["not run", "–"]


def test_what_did_not_run_has_its_reason() -> None:
    assert "- It is not installed: arfpy; noise." in PAGE
    assert "- rankswap on wbc: It finds no column." in PAGE


def test_every_table_has_its_picture() -> None:
    for name in ("frontier.svg", "frontier-wbc.svg", "frontier-wine.svg", "frontier-iris.svg"):
        assert f"(pictures/{name})" in PAGE


def test_the_page_in_the_docs_says_what_the_results_say() -> None:
    results = DOCS / "frontier.json"
    if not results.is_file():
        pytest.skip("make frontier has not been run yet")
    assert (DOCS / "frontier.md").read_text("utf-8") == page(read_document(results))


def test_numbers_for_people() -> None:
    assert (number(-0.04), number(-0.0001), number(0.12345, 4)) == ("−0.040", "0.000", "0.1235")
    assert with_interval(None) == "–"
    assert with_interval(Estimate(0.5, None, 1)) == "0.500"


def test_what_cannot_run_is_printed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("HUSHWOOD_DATA", raising=False)
    monkeypatch.delenv("HUSHWOOD_ARFPY", raising=False)
    units = chosen_units(["wine", "adult"], ["noise", "arfpy"], 2)
    assert units == [Unit("wine", 0, "noise"), Unit("wine", 1, "noise")]
    said = capsys.readouterr().out.splitlines()
    assert said == [
        "arfpy is skipped: HUSHWOOD_ARFPY does not name an interpreter that has it.",
        "adult is skipped: HUSHWOOD_DATA does not name a folder that holds it.",
    ]


def test_results_are_written_and_the_page_again_from_them(tmp_path: Path) -> None:
    publish(small_document().runs, tmp_path)
    page = tmp_path / "frontier.md"
    written = page.read_text("utf-8")
    page.unlink()
    assert main(["--page-only", "--docs", str(tmp_path)]) == 0
    assert page.read_text("utf-8") == written
    drawn = sorted(path.name for path in (tmp_path / "pictures").iterdir())
    assert drawn == ["frontier-iris.svg", "frontier-wbc.svg", "frontier-wine.svg", "frontier.svg"]
