"""Verdicts, tables and pictures of the runs on published trees, from made-up runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from hushwood.experiments.tree_publishing_adult import Results
from hushwood.experiments.tree_publishing_charts import write_charts
from hushwood.experiments.tree_publishing_folds import ASKED, MONDRIAN, ORIGINAL, PARTS, TPP, Run
from hushwood.experiments.tree_publishing_markdown import (
    privacy_table,
    score_table,
    time_tables,
    verdict_table,
)
from hushwood.experiments.tree_publishing_times import Timed, Times
from hushwood.experiments.tree_publishing_verdicts import printed, verdicts

KINDS = (ORIGINAL, TPP, ASKED, MONDRIAN, PARTS)
SIZES = (4, 5)


def made_up(mondrian: float = 0.7, k: int = 60) -> Results:
    """Two sizes and folds; TPP is the original, Mondrian as good as is said and of K = 100."""
    runs = [
        Run(kind, leaves, fold, mondrian if kind == MONDRIAN else 0.8, kind in (ORIGINAL, TPP), k, 2.0)
        for kind in KINDS
        for leaves in SIZES
        for fold in (0, 1)
    ]
    whole = {(kind, leaves): 100 if kind == MONDRIAN else k for kind in KINDS for leaves in SIZES}
    return Results("adult", 1000, 2, False, tuple(runs), whole)


def outcomes(results: Results) -> dict[str, str]:
    keys = [claim["key"] for claim in printed()["claims"] if claim["table"] == "adult"]
    return dict(
        zip(keys, [v.outcome for v in verdicts(results) if v.source not in "Figure 6, Figure 8"], strict=True)
    )


def test_the_papers_words_hold_where_ours_are_alike() -> None:
    found = outcomes(made_up())
    assert found.pop("") == "cannot be compared", "times are curves without numbers"
    assert set(found.values()) == {"agrees"}
    assert set(found) == {"same_score", "better_score", "same_tree", "baseline_changes", "k_falls", "k_below"}


def test_each_sentence_can_differ() -> None:
    assert outcomes(made_up(mondrian=0.9))["better_score"] == "differs"
    assert outcomes(made_up(k=49))["k_below"] == "differs", "less than half is not slightly"
    results = made_up()
    other = [replace(r, score=0.1, same=False) if r.grown_from == TPP else r for r in results.runs]
    kept = [replace(r, same=True) if r.grown_from == MONDRIAN else r for r in results.runs]
    rising = {**results.whole, (TPP, 5): 61}
    assert outcomes(replace(results, runs=tuple(other)))["same_score"] == "differs"
    assert outcomes(replace(results, runs=tuple(other)))["same_tree"] == "differs"
    assert outcomes(replace(results, runs=tuple(kept)))["baseline_changes"] == "differs"
    assert outcomes(replace(results, whole=rising))["k_falls"] == "differs"


def test_the_cancer_table_cannot_be_compared_with_another() -> None:
    abalone = replace(made_up(mondrian=0.9), table="abalone", regression=True)
    cancer = [v for v in verdicts(made_up(), abalone) if v.source in ("Figure 6", "Figure 8")]
    assert {v.outcome for v in cancer} == {"cannot be compared"}
    assert cancer[1].ours == (
        "does not hold on Abalone: higher at 0 of 2 sizes, by -0.10 at most; lower at 4, 5 leaves"
    )


def test_tables_are_markdown() -> None:
    results = made_up()
    assert score_table(results).splitlines()[2] == (
        "| 4 | 80.00 % (80.0-80.0) | 80.00 % (80.0-80.0) | 80.00 % (80.0-80.0) | 70.00 % (70.0-70.0) | "
        "80.00 % (80.0-80.0) |"
    )
    assert privacy_table(results).splitlines()[3] == "| 5 | 60 | 60 | 60 | 60 | 100 | 60 |"
    assert "| 4 | 0.800 (0.800 to 0.800) |" in score_table(replace(results, regression=True))
    assert "| Figure 5 | TPP always preserves" in verdict_table(verdicts(results))


def test_times_are_shown_with_their_exponent() -> None:
    found = Times((Timed(10, 2, 1.0), Timed(1000, 2, 100.0)), (Timed(10, 2, 1.0), Timed(10, 4, 1.0)))
    shown = time_tables(found)
    assert "| 1,000 | 100.000 |" in shown
    assert "Exponent of the growth in records: 1.00." in shown
    assert "Exponent of the growth in attributes: " in shown


def test_two_pictures_are_written(tmp_path: Path) -> None:
    paths = write_charts(made_up(), tmp_path)
    assert [path.name for path in paths] == ["tree-publishing-adult-score.svg", "tree-publishing-adult-k.svg"]
    assert all(path.read_text(encoding="utf-8").startswith("<svg") for path in paths)
    assert "share of unseen records right" in paths[0].read_text(encoding="utf-8")
