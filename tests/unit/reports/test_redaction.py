"""What outsiders may see: nothing about fewer than five records, and nothing that was not asked for."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import polars as pl
import pytest

import hushwood as hw
from hushwood.evaluation.distributions import Distribution, Histogram
from hushwood.evaluation.evaluation import About, Evaluation
from hushwood.evaluation.release_facts import UniqueExtremes
from hushwood.reports.redaction import publishable, safe_forest
from hushwood.reports.release.page import publishable_report
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json, forest_to_json
from support.sample_entries import attack_entry, evaluation_of, measured
from support.sample_release import RARE, credit_evaluation, foreign_evaluation
from support.sample_verdicts import excess
from support.small_trees import income_forest


@pytest.fixture(scope="module")
def evaluation() -> Evaluation:
    return credit_evaluation()


def only_histogram(evaluation: Evaluation, histogram: Histogram) -> Histogram:
    """What is published of one column, if the evaluation has no other."""
    column = Distribution("age", "numeric", "ordinary", "Int64", histogram)
    changed = replace(evaluation, release=replace(evaluation.release, distributions=(column,)))
    published = publishable(changed).release.distributions[0].histogram
    assert published is not None
    return published


def everything_in(part: Any) -> Iterator[str | float]:
    """All texts and numbers of plain data, keys too."""
    if isinstance(part, dict):
        for key, value in part.items():
            yield key
            yield from everything_in(value)
    elif isinstance(part, list):
        for value in part:
            yield from everything_in(value)
    elif part is not None:
        yield part


def extremes_of(evaluation: Evaluation) -> UniqueExtremes:
    assert evaluation.release.unique_extremes is not None
    return evaluation.release.unique_extremes


def secrets_in(evaluation: Evaluation, shown: Evaluation) -> list[str | float]:
    """The planted secrets that are found: a rare job, and numbers that one record alone had."""
    extremes = {extreme.value for extreme in extremes_of(evaluation).values if extreme.value > 20}
    return [
        found
        for found in everything_in(plain(shown))
        if (found in extremes if not isinstance(found, str) else "lighthouse" in found)
    ]


def plain(evaluation: Evaluation) -> dict[str, Any]:
    """An evaluation with withheld counts in its trees as plain data."""
    forests = [tree.counts.tolist() for forest in evaluation.forests.values() for tree in forest.trees]
    names = [
        (f.class_name, *f.classes, *(a.categories for a in f.attributes)) for f in evaluation.forests.values()
    ]
    return {**replace(evaluation, forests={}).to_json(), "forests": str(forests) + str(names)}


def test_planted_secrets_are_in_the_evaluation_and_not_in_what_is_published(evaluation: Evaluation) -> None:
    inside = {str(found) for found in secrets_in(evaluation, evaluation)}

    assert {RARE, "250000.0"} <= inside
    assert secrets_in(evaluation, publishable(evaluation)) == []


def test_planted_secrets_are_not_on_the_published_page(evaluation: Evaluation) -> None:
    page = re.sub(r"<script>.*?</script>", "", publishable_report(evaluation), flags=re.DOTALL)

    assert "lighthouse" not in page
    assert not re.search(r"(?<![\d.,])250,?000(?![\d,.])", page)


def test_what_is_published_of_a_foreign_release_names_no_rare_category() -> None:
    foreign = foreign_evaluation()
    safe = publishable(foreign)

    assert foreign.release.rare_categories is None
    assert "lighthouse" in str(plain(foreign))
    assert "lighthouse" not in str(plain(safe))
    assert (safe.forests, safe.release.certificate, safe.audit.notes) == ({}, None, ())


def test_publishing_changes_nothing_in_the_evaluation(evaluation: Evaluation) -> None:
    before = json.dumps(evaluation.to_json())
    safe = plain(publishable(evaluation))

    assert json.dumps(evaluation.to_json()) == before
    assert plain(publishable(evaluation)) == safe


def test_no_count_below_five_is_published(evaluation: Evaluation) -> None:
    safe = publishable(evaluation)
    release = plain(safe)["release"]
    counts = [
        *(
            None if n != n else n
            for forest in safe.forests.values()
            for tree in forest.trees
            for n in tree.counts.ravel().tolist()
        ),
        *(
            n
            for d in release["distributions"]
            for side in ("before", "after", "missing")
            for n in d.get(side, [])
        ),
        *(band[key] for band in release["segments"]["sizes"] for key in ("segments", "records")),
        *(release["segments"][key] for key in ("count", "alone", "below_small", "smallest", "largest")),
        *(release["rare_categories"][key] for key in ("count", "records", "unchanged")),
        *(release["unique_extremes"][key] for key in ("count", "unchanged")),
        *(column.missing for column in safe.columns),
    ]

    assert all(n is None or n == 0 or n % 5 == 0 for n in counts)
    assert None in counts


def test_published_tails_hold_at_least_five(evaluation: Evaluation) -> None:
    histograms = [d.histogram for d in publishable(evaluation).release.distributions if d.histogram]

    assert histograms
    for found in histograms:
        ends = [side[end] for side in (found.before, found.after) for end in (0, -1)]
        assert all(n is not None and n >= 5 for n in ends)


def test_redaction_keeps_only_what_it_knows(evaluation: Evaluation) -> None:
    mark = "SECRET-MARK"
    release, audit = evaluation.release, evaluation.audit
    forest = evaluation.forests["original"]
    marked = replace(
        evaluation,
        measures=(
            *(replace(m, details={**m.details, "later": mark}) for m in evaluation.measures),
            measured("new", details={"x": mark}),
        ),
        attacks=tuple(replace(a, details={**a.details, "later": mark}) for a in evaluation.attacks),
        forests={
            **evaluation.forests,
            "later": replace(forest, class_name=mark),
            "original": replace(forest, grown={**forest.grown, "seed": mark}),
        },
        release=replace(
            release,
            about=About(mark, mark, technique="forest-framework"),
            warnings=(mark,),
            unreleased_categories={"job": (mark,)},
        ),
        audit=replace(
            audit,
            notes=(mark,),
            control=mark,
            left_out=tuple(replace(entry, reason=mark) for entry in audit.left_out),
        ),
    )

    safe = publishable(marked)

    assert mark not in str(plain(safe))
    assert mark not in str([forest.grown for forest in safe.forests.values()])


def test_limits_that_cut_off_a_few_are_rounded(evaluation: Evaluation) -> None:
    model = forest_to_json(evaluation.forests["original"])
    nodes = model["trees"][2]["nodes"]
    nodes[0]["test"]["threshold"] = 23_457
    nodes[4]["counts"] = [2, 1]
    marked = replace(evaluation, forests={"original": forest_from_json(model)})

    assert publishable(marked).forests["original"].trees[2].threshold[0] == 20_000


def test_tails_are_pooled_until_both_sides_hold_five(evaluation: Evaluation) -> None:
    found = only_histogram(
        evaluation,
        Histogram(
            edges=(0, 10, 20, 30, 40, 50),
            labels=("0 – 9", "10 – 19", "20 – 29", "30 – 39", "40 – 49"),
            before=(1, 12, 2, 21, 4),
            after=(9, 9, 9, 9, 9),
        ),
    )

    assert list(found.edges) == [10, 20, 30, 40]
    assert found.labels == ("up to 19", "20 – 29", "30 and more")
    assert found.before == (15, None, 25)
    assert found.after == (20, 10, 20)


def test_a_column_of_few_values_is_one_bin(evaluation: Evaluation) -> None:
    found = only_histogram(evaluation, Histogram((0, 1, 2), ("0", "1"), (3, 4), (4, 3)))

    assert (found.labels, found.before, found.after) == (("all values",), (5,), (5,))


def test_rare_categories_are_pooled_without_their_names(evaluation: Evaluation) -> None:
    jobs = next(d.counts for d in publishable(evaluation).release.distributions if d.column == "job")

    assert jobs is not None
    assert RARE not in jobs.categories
    assert (jobs.others, jobs.before[-1], jobs.after[-1]) == (1, None, None)
    assert len(jobs.before) == len(jobs.categories) + 1


def test_warnings_and_the_name_of_the_table_stay_inside(evaluation: Evaluation) -> None:
    release = publishable(evaluation).release

    assert release.warnings == ()
    assert release.about == About(hushwood="0.1.0", technique="forest-framework")


def test_notes_and_reasons_to_leave_columns_out_stay_inside(evaluation: Evaluation) -> None:
    foreign = foreign_evaluation()
    audit = publishable(replace(foreign, audit=replace(foreign.audit, control="the 3 people"))).audit

    assert (audit.notes, {entry.reason for entry in audit.left_out}) == ((), {""})
    assert [entry.column for entry in audit.left_out] == [entry.column for entry in foreign.audit.left_out]
    assert audit.control == "people who were never in the table"
    assert publishable(evaluation).audit.control is None


def test_categories_that_the_release_no_longer_names_are_not_named() -> None:
    """Town decides the class, so the forest on the original tests it and names every town."""
    towns = ["Oslo", "Bergen", "Zxqv"]
    frame = pl.DataFrame(
        {
            "town": [towns[row % 3] for row in range(90)],
            "age": [row * 7 % 50 for row in range(90)],
            "ill": ["yes" if row % 3 == 2 else "no" for row in range(90)],
        }
    )
    released = frame.with_columns(town=pl.col("town").replace("Zxqv", "Oslo"))
    evaluation = hw.audit(frame, released, target="ill", match="rows", evidence="quick").evaluation
    assert evaluation.release.unreleased_categories == {"town": ("Zxqv",)}
    assert "Zxqv" in plain(evaluation)["forests"]
    public = str(plain(publishable(evaluation)))
    assert "Zxqv" not in public
    assert "unreleased value 1" in public
    assert "Zxqv" not in publishable_report(evaluation)


def changed_income_forest(threshold: float | None = None) -> Forest:
    """The income forest, perhaps with another threshold in its first tree."""
    model = forest_to_json(income_forest())
    if threshold is not None:
        model["trees"][0]["nodes"][3]["test"]["threshold"] = threshold
    return safe_forest(forest_from_json(model), {})


def test_rare_values_lose_their_names_everywhere() -> None:
    hidden = {"sex": {"Other": "rare value 1"}, "income": {"high": "rare value 2"}}

    safe = safe_forest(income_forest(), hidden)

    assert safe.classes == ("low", "rare value 2")
    assert safe.attributes[1].categories == ("Female", "Male", "rare value 1")
    assert safe.trees[0].branches_of(1).tolist() == [2, 3, 3]


def test_counts_are_rounded_and_few_withheld() -> None:
    counts = changed_income_forest().trees[0].counts

    assert counts[0].tolist() == [10, 15]
    assert counts[2, 0] == 5
    assert counts[2, 1] != counts[2, 1]


def test_a_limit_around_a_few_records_is_rounded() -> None:
    assert changed_income_forest().trees[0].threshold[[0, 3]].tolist() == [27, 20]
    assert changed_income_forest(23).trees[0].threshold[3] == 20


def test_extremes_of_attributes_are_gone() -> None:
    safe = safe_forest(replace(income_forest(), grown={"variant": "c45", "seed": "SECRET"}), {})

    assert (safe.attributes[0].low, safe.attributes[0].high) == (None, None)
    assert safe.grown == {"variant": "c45"}


def test_an_excess_is_published_in_whole_points_and_not_if_its_rate_is_withheld() -> None:
    found = evaluation_of(
        attack_entry(excess=excess(0.0314, 0.0123, 0.0567, attempts=1003)),
        attack_entry("outlier_linkage", 0.04, attempts=50, excess=excess(0.04, 0.01, 0.1)),
        attack_entry("membership"),
    )
    first, withheld, none = publishable(found).attacks

    assert first.excess is not None
    assert (first.excess.value, first.excess.interval) == (0.03, (0.01, 0.06))
    assert (first.excess.attempts, first.excess.control_attempts) == (1005, 1005)
    assert (withheld.success, withheld.excess) == (None, None)
    assert none.excess is None
