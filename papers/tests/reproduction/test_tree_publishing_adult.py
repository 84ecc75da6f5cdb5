"""The paper's figures 5 to 8: TPP's release gives the original's tree and accuracy, Mondrian's gives another tree.

A small version runs always: a generated table without any data, and Adult and Abalone in two folds.
"""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from hushwood.demo.synthetic_tables import credit_risk
from hushwood_papers.paper_tables import PAPER_TABLES, PaperTables
from hushwood_papers.protocol import Measured, Outcome, Size
from hushwood_papers.published_trees.fold_runs import (
    ASKED,
    ASKED_K,
    MONDRIAN,
    ORIGINAL,
    PARTS,
    TPP,
    fold_of_each,
    used_table,
    whole_k,
)
from hushwood_papers.published_trees.results import (
    ATTRIBUTES,
    RECORDS,
    K,
    Results,
    first_attributes,
    key,
    score_key,
)
from hushwood_papers.published_trees.tree_publishing_adult import EXPERIMENT, fold_runs, results_on
from hushwood_papers.reproducing.comparison import rows_of
from hushwood_papers.reproducing.printed_numbers import printed
from support.real_data import data_folder, existing

# Mondrian's release may by chance give a tree that predicts a little better than the original's.
BY_CHANCE = 0.01


def tables() -> PaperTables:
    folder = data_folder()
    for name in EXPERIMENT.needs:
        existing(folder / PAPER_TABLES[name].file)
    return PaperTables(folder)


@cache
def outcomes(size: Size) -> dict[str, Outcome]:
    return {task.name: EXPERIMENT.run(task, tables()) for task in EXPERIMENT.tasks(size)}


@cache
def measured(size: Size) -> Measured:
    return EXPERIMENT.measure(outcomes(size))


def holds_for_a_reason(found: Results) -> None:
    """What must be so whatever the records are, and that the baseline is no better."""
    for leaves in found.sizes:
        original, tpp, parts = (found.of(kind, leaves) for kind in (ORIGINAL, TPP, PARTS))
        assert all(run.same for run in tpp), "the rebuilt tree has the same tests, to the last bit"
        assert [run.score for run in tpp] == [run.score for run in original]
        assert [run.score for run in parts] == [run.score for run in original], "the same splits, best first"
        assert all(run.k >= ASKED_K for run in found.of(ASKED, leaves))
        for own, other in zip(tpp, found.of(MONDRIAN, leaves), strict=True):
            assert own.k <= other.k, "every group of TPP is inside one leaf, and these are Mondrian's parts"
        assert found.score(TPP, leaves) >= found.score(MONDRIAN, leaves) - BY_CHANCE
    for fewer, more in pairwise(found.sizes):
        assert found.whole[TPP, fewer] >= found.whole[TPP, more]
        assert found.whole[MONDRIAN, fewer] >= found.whole[MONDRIAN, more]


def test_a_generated_table_gives_its_tree_again() -> None:
    table, sizes = credit_risk(1500, bytes(32)), [2, 3, 4, 5]
    fold_of = fold_of_each("generated", table.rows, 2)
    assert np.bincount(fold_of).tolist() == [750, 750]
    runs = tuple(run for fold in (0, 1) for run in fold_runs(table, fold_of, fold, sizes))
    whole = {(kind, leaves): k for leaves in sizes for kind, k in whole_k(table, leaves).items()}
    holds_for_a_reason(Results("generated", runs, whole))


@pytest.mark.parametrize("table", EXPERIMENT.needs)
def test_two_folds(table: str) -> None:
    holds_for_a_reason(results_on(table, outcomes(EXPERIMENT.small)))


def test_adult_has_the_size_that_the_paper_gives_but_for_one_record() -> None:
    rows = {row.what: row for row in rows_of(measured(EXPERIMENT.small), printed(EXPERIMENT.name))}
    assert [rows[f"Adult: {what}"].verdict for what in ("records", "numerical attributes")] == [
        "differs",
        "by construction",
    ]
    found = measured(EXPERIMENT.small).numbers
    assert found["Adult: records"] == [30_717 + 1]
    assert (found["Adult: numerical attributes"], found["Adult: categorical attributes"]) == ([5], [7])


def test_the_numbers_of_two_folds() -> None:
    found = measured(EXPERIMENT.small).numbers
    means = {
        (table, kind): [float(np.mean(found[score_key(table, kind, n)])) for n in (2, 4, 5)]
        for table in EXPERIMENT.needs
        for kind in (TPP, MONDRIAN)
    }
    assert means["adult", TPP] == pytest.approx([75.10, 82.43, 84.02], abs=0.01)
    assert means["adult", MONDRIAN] == pytest.approx([75.10, 70.47, 70.55], abs=0.01)
    assert means["abalone", TPP] == pytest.approx([0.275, 0.347, 0.363], abs=0.001)
    assert means["abalone", MONDRIAN] == pytest.approx([0.204, 0.228, 0.113], abs=0.001)
    ks = {
        (table, kind): [found[key(table, kind, n, K)] for n in (2, 4, 5)]
        for table in EXPERIMENT.needs
        for kind in (TPP, MONDRIAN)
    }
    assert ks["adult", TPP] == [[14_139], [120], [1]]
    assert ks["adult", MONDRIAN] == [[14_139], [305], [305]]
    assert ks["abalone", TPP] == [[1_427], [361], [1]]
    assert ks["abalone", MONDRIAN] == [[1_427], [361], [161]]


def test_the_paper_is_right_but_for_how_far_k_falls() -> None:
    rows = rows_of(measured(EXPERIMENT.small), printed(EXPERIMENT.name))
    told = [
        (row.source.partition(",")[0], row.verdict)
        for row in rows
        if row.verdict != "not printed" and row.theirs is None
    ]
    assert told == [
        *[("Figure 5", "agrees")] * 4,
        *[("Figure 6", "cannot be compared")] * 2,
        ("Figure 7", "agrees"),
        ("Figure 7", "differs"),
        *[(f"Figure {n}", "cannot be compared") for n in (8, 8, 9, 10)],
    ]
    differing = next(row.sentence for row in rows if row.verdict == "differs" and row.theirs is None)
    assert differing == (
        "Does not hold: 120 against 305 at 4 leaves; 1 against 305 at 5 leaves (slightly lower means at least 50 % "
        "of it); a possible reason is the order in which leaves are expanded: growth that is asked for a K, and tries "
        "another leaf where one would fail it, has a K of 120 at four and of 120 at five leaves."
    )


def test_times_are_taken_of_the_sizes_named() -> None:
    found = outcomes(EXPERIMENT.small)
    by_records, by_attributes = (found[f"times by {what}"]["seconds"] for what in ("records", "attributes"))
    assert [int(size) for size in by_records] == list(RECORDS)
    assert [int(size) for size in by_attributes] == list(ATTRIBUTES)
    assert all(
        len(own) == EXPERIMENT.small.repeats for own in (*by_records.values(), *by_attributes.values())
    )
    fewer = first_attributes(used_table("adult", tables()), 2)
    assert [attribute.name for attribute in fewer.schema.attributes] == ["age", "workclass", "income"]


@pytest.mark.slow
@pytest.mark.parametrize("table", EXPERIMENT.needs)
def test_ten_folds_and_all_sizes(table: str) -> None:
    holds_for_a_reason(results_on(table, outcomes(EXPERIMENT.full)))
    assert all(
        finding.holds == ("slightly" not in sentence)
        for sentence, finding in measured(EXPERIMENT.full).claims.items()
    )
