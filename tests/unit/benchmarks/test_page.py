from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from cost_chart import OURS, PEER, PICTURE, CostPoint, cost_points, picture, specification
from document import merged, read_document, write_document
from page import page, write_page

from support.benchmark_results import MIB, small_results


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    write_document(small_results(), tmp_path / "found.json")
    back = read_document(tmp_path / "found.json")
    assert page(back) == page(small_results())
    write_document(back, tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "found.json").read_bytes()


def test_no_document_yet(tmp_path: Path) -> None:
    assert read_document(tmp_path / "none.json") == []


def test_a_benchmark_that_was_run_again_replaces_its_lines_alone() -> None:
    startup, tree, streaming = small_results()
    newer = replace(tree, date="2026-03-04", lines=tree.lines[:1])
    order = ("startup", "tree_vs_sklearn", "streaming_vs_polars")
    assert merged([startup, tree, streaming], [newer], order) == [startup, newer, streaming]


def test_results_are_in_the_order_of_the_benchmarks_and_old_names_go() -> None:
    startup, tree, streaming = small_results()
    assert merged([tree], [startup, streaming], ("startup", "tree_vs_sklearn")) == [startup, tree]


DOCS = Path(__file__).parents[3] / "docs"
RESULTS = small_results()
PAGE = page(RESULTS)


def cells(start: str) -> list[str]:
    """The first row of the table that starts so."""
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| {start} |"))
    return [cell.strip() for cell in row.strip("|").split("|")]


def test_a_row_has_both_sides_with_their_memory_runs_and_date() -> None:
    assert cells("release of 10,000,000")[1:] == [
        *("20 s", "4 s", "5.00", "≤ 6 (goal 3)", "500 MiB", "100 MiB", "1 and 1", "2026-01-02", "reached")
    ]


def test_what_is_missed_is_said_first_and_in_its_row() -> None:
    assert "**Missed: 1 of 4 limits.**\n\n- tree\n" in PAGE
    assert cells("tree")[-1] == "**missed**"


def test_without_misses_the_page_says_so() -> None:
    assert "All 1 limits are reached." in page(RESULTS[:1])


def test_lines_without_limit_or_peer() -> None:
    assert cells("release of 1,000,000")[4] == "–"
    assert cells("tree beside LightGBM")[2:4] == ["–", "–"]


def test_the_machine_is_named_once_if_it_is_one() -> None:
    assert "Measured on: A processor, 2 cores, 8 GiB, Linux 6; python 3.11.7, polars 2.1.0.\n" in PAGE
    other = replace(RESULTS[0], machine=replace(RESULTS[0].machine, cores=1))
    assert "- A processor, 1 core, 8 GiB, Linux 6; python 3.11.7, polars 2.1.0. (startup)\n" in page(
        [other, *RESULTS[1:]]
    )


def test_what_is_compared_and_the_notes() -> None:
    assert "**startup.** What startup compares.\n" in PAGE
    assert "- tree beside LightGBM: It is not here.\n" in PAGE


def test_a_note_of_several_lines_is_said_once() -> None:
    tree = RESULTS[1]
    shown = page([replace(tree, lines=[tree.lines[1]] * 2)])
    assert shown.count("It is not here.") == 1


def test_other_work_on_the_machine_is_said() -> None:
    assert "other work" not in PAGE
    assert "a load of 3 before the run" in page([replace(RESULTS[0], load=3.0)])


def test_page_and_picture_are_written_from_the_document(tmp_path: Path) -> None:
    (tmp_path / "pictures").mkdir()
    write_document(RESULTS, tmp_path / "benchmarks.json")
    write_page(tmp_path)
    assert (tmp_path / "benchmarks.md").read_text("utf-8") == PAGE
    assert (tmp_path / "pictures" / PICTURE).read_text("utf-8").startswith("<svg")


def test_without_a_document_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="run make bench first"):
        write_page(tmp_path)
    assert not list(tmp_path.iterdir())


def test_the_page_in_the_docs_says_what_the_results_say() -> None:
    results = DOCS / "benchmarks.json"
    if not results.is_file():
        pytest.skip("make bench has not been run yet")
    assert (DOCS / "benchmarks.md").read_text("utf-8") == page(read_document(results))


POINTS = cost_points(small_results())


def test_points_are_the_releases_of_known_size_and_their_copies() -> None:
    assert [(point.who, point.rows, point.seconds) for point in POINTS] == [
        (OURS, 1_000_000, 5.0),
        (PEER, 1_000_000, 1.0),
        (OURS, 10_000_000, 20.0),
        (PEER, 10_000_000, 4.0),
    ]
    assert POINTS[0].gigabytes == 500 * MIB / 1e9


def test_one_panel_of_seconds_and_one_of_memory() -> None:
    panels = specification(POINTS)["hconcat"]
    assert [panel["layer"][0]["encoding"]["y"]["field"] for panel in panels] == ["seconds", "gigabytes"]
    assert panels[0]["data"]["values"][0] == vars(CostPoint(OURS, 1_000_000, 5.0, 500 * MIB / 1e9))


def test_the_picture_has_colours_and_points() -> None:
    drawn = picture(POINTS)
    assert drawn.startswith("<svg")
    assert "NaN" not in drawn
    assert "var(--" not in drawn
    assert OURS in drawn
