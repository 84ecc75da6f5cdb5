from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from document import merged, read_document, write_document
from page import page

from support.benchmark_results import small_results


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
