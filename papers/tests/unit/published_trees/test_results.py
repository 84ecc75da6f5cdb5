"""What our runs say to the paper's sentences on published trees, the numbers and the charts, from made-up runs."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

from hushwood_papers.protocol import Measured, Size
from hushwood_papers.published_trees.fold_runs import MONDRIAN, ORIGINAL, TPP, Run
from hushwood_papers.published_trees.results import KINDS, RELEASES, Results, drawn, findings_on
from hushwood_papers.published_trees.tree_publishing_adult import EXPERIMENT, measure, tasks
from hushwood_papers.reproducing.printed_numbers import printed

SIZES = (4, 5)


def made_up(mondrian: float = 0.7, k: int = 60, table: str = "adult") -> Results:
    """Two sizes and folds; TPP is the original, Mondrian as good as is said and of K = 100; K falls by 5."""
    runs = [
        Run(kind, leaves, fold, mondrian if kind == MONDRIAN else 0.8, kind in (ORIGINAL, TPP), k, 2.0)
        for kind in KINDS
        for leaves in SIZES
        for fold in (0, 1)
    ]
    whole = {
        (kind, leaves): 100 if kind == MONDRIAN else k + 5 * (leaves == 4)
        for kind in RELEASES
        for leaves in SIZES
    }
    return Results(table, tuple(runs), whole)


def outcomes() -> dict[str, dict[str, Any]]:
    """The made-up runs as the tasks' outcomes, and the times of two sizes."""
    found: dict[str, dict[str, Any]] = {
        "by records": {"times": "records", "seconds": {"10": [1.0, 1.0, 2.0], "1000": [100.0, 90.0, 120.0]}},
        "by attributes": {"times": "attributes", "seconds": {"2": [1.0], "4": [1.0]}},
    }
    for table in EXPERIMENT.needs:
        results = made_up(table=table)
        whole = {str(n): {kind: results.whole[kind, n] for kind in RELEASES} for n in SIZES}
        found[f"{table}, all"] = {"table": table, "whole": whole, "counts": {"records": 90}}
        for fold in (0, 1):
            own = [asdict(run) for run in results.runs if run.fold == fold]
            found[f"{table}, {fold}"] = {"table": table, "runs": own}
    return found


def held(results: Results) -> set[str]:
    return {sentence for sentence, finding in findings_on(results).items() if finding.holds}


def test_the_papers_words_hold_where_ours_are_alike() -> None:
    told = {claim.key for claim in printed(EXPERIMENT.name).claims if not claim.cannot}
    assert held(made_up()) == told, "every sentence that can be asked is"


def test_each_sentence_can_fail() -> None:
    whole = findings_on(made_up()).keys()
    results = made_up()
    other = tuple(replace(r, score=0.75, same=False) if r.grown_from == TPP else r for r in results.runs)
    kept = tuple(replace(r, same=True) if r.grown_from == MONDRIAN else r for r in results.runs)
    level, rising = ({**results.whole, (TPP, 5): k} for k in (65, 66))
    as_high = {**results.whole, (TPP, 4): 100}
    assert whole - held(made_up(mondrian=0.9)) == {"TPP is more accurate than InfoGain"}
    assert whole - held(made_up(mondrian=0.8)) == {"TPP is more accurate than InfoGain"}, (
        "equal is not higher"
    )
    assert whole - held(made_up(k=49)) == {"K of TPP is slightly below InfoGain's"}, "less than half"
    assert whole - held(replace(results, runs=other)) == {
        "TPP has the original's accuracy",
        "TPP preserves the tree",
    }
    assert whole - held(replace(results, runs=kept)) == {"InfoGain preserves no tree"}
    assert whole - held(replace(results, whole=rising)) == {"K falls with the size of the tree"}
    assert whole - held(replace(results, whole=level)) == {"K falls with the size of the tree"}
    assert whole - held(replace(results, whole=as_high)) == {"K of TPP is slightly below InfoGain's"}


def test_findings_tell_their_numbers() -> None:
    found = findings_on(made_up(mondrian=0.9))
    assert found["TPP is more accurate than InfoGain"].numbers == (
        "higher at 0 of 2 sizes, by -10.0 points at most; lower at 4, 5 leaves"
    )
    assert found["TPP preserves the tree"].numbers == "the same tree in 4 of 4"
    assert found["K falls with the size of the tree"].numbers == "65, 60 for 4 to 5 leaves"
    assert found["K of TPP is slightly below InfoGain's"].numbers == (
        "65 against 100 at 4 leaves; 60 against 100 at 5 leaves (slightly lower means at least 50 % of it)"
    )


def test_outcomes_become_numbers_by_key() -> None:
    found = measure(outcomes())
    assert found.numbers["Adult, Mondrian, 4 leaves: % of unseen records right"] == [70.0, 70.0]
    assert found.numbers["Abalone, TPP, 5 leaves: R squared on unseen records"] == [0.8, 0.8]
    assert found.numbers["Adult, Mondrian, 5 leaves: K, all records"] == [100]
    assert found.numbers["Adult, TPP, 5 leaves: K, training records"] == [60, 60]
    assert found.numbers["Abalone, Mondrian: % of trees that are the original's"] == [0.0]
    assert found.numbers["Adult, 1,000 records: seconds to publish"] == [100.0, 90.0, 120.0]
    assert round(found.numbers["Adult: exponent of the growth in records"][0], 6) == 1.0
    assert found.numbers["Adult: exponent of the growth in attributes"][0] == 0.0
    assert found.numbers["Adult: records"] == [90]
    assert found.claims["TPP preserves the tree"].holds


def test_the_figures_of_the_paper_are_drawn() -> None:
    import vl_convert

    charts = drawn(measure(outcomes()), {})
    assert [chart.title.partition(":")[0] for chart in charts] == [f"Figure {n}" for n in range(5, 11)]
    assert charts[0].rows[2] == (MONDRIAN, "4", "70")
    assert charts[2].rows == [
        ("TPP", "4", "65"),
        ("TPP", "5", "60"),
        (MONDRIAN, "4", "100"),
        (MONDRIAN, "5", "100"),
    ]
    for chart in charts[:4]:
        assert "NaN" not in vl_convert.vegalite_to_svg(dict(chart.spec) | {"width": 300})
    assert drawn(Measured({}), {})[0].rows == [], "nothing was run"


def test_times_are_taken_alone_and_names_differ() -> None:
    planned = tasks(Size(folds=3, repeats=2))
    assert len({task.name for task in planned}) == len(planned) == 2 * (3 + 1) + 2
    assert [task.name for task in planned if task.alone] == ["times by records", "times by attributes"]
    assert planned[0].settings["leaves"] == list(range(2, 11))
    assert tasks(EXPERIMENT.small)[0].settings["leaves"] == [2, 4, 5]
    assert tasks(Size(folds=2, repeats=1))[0].settings["leaves"] == list(range(2, 11))
    assert tasks(Size(folds=3, repeats=1, small=True))[0].settings == {
        "table": "adult",
        "leaves": [2, 4, 5],
        "fold": 0,
        "folds": 3,
    }
