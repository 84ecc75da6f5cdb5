from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

from hushwood.measures.protocol import NOT_PAIRED, Measurement, NotComputable
from hushwood.measures.risk.class_entropy import ClassEntropy
from hushwood.random_streams import Streams
from hushwood.tables.table import Table, class_labels, label_columns
from hushwood.trees.routing import leaf_of_each
from oracles import reidentification as oracle
from support.mixed_tables import RISKS, category, mixed_table, number, table_of, target
from support.noisy_tables import cells, noisy, some_left
from support.table_pairs import context_for, measuring

INPUTS = ["count", "price", "ratio", "constant", "void", "city", "job", "nothing"]
measured = measuring(ClassEntropy)


def posteriors(original: Table, released: Table) -> list[list[float]]:
    x, y = cells(original), cells(released)
    kernels = {}
    for name in INPUTS:
        precision = original.schema[name].precision
        step = None if precision is None else 10.0**-precision
        kernels[name] = oracle.fitted(x[name], y[name], y[name], step)
    return oracle.posteriors(x, y, kernels, INPUTS)


def people(illness: str, towns: str = "") -> Table:
    """People who are ill (y), well (n) or of whom that is not known (-), by town."""
    classes = ["ny-".index(c) if c != "-" else -1 for c in illness]
    return table_of(
        {
            "town": (category("town", "abc"), ["abc".index(t) for t in towns or "a" * len(illness)]),
            "ill": (target("ill", "ny"), classes),
        }
    )


@pytest.mark.parametrize("chosen", [("high",), ("low", "middle"), RISKS])
def test_as_the_oracle_says(chosen: tuple[str, ...]) -> None:
    original = mixed_table(3, 45)
    released = noisy(original, 3)
    found = measured(original, released, ClassEntropy(classes=chosen))
    classes = [str(name) for name in cells(released)["risk"]]
    wanted = [oracle.in_set(shares, classes, chosen) for shares in posteriors(original, released)]
    np.testing.assert_allclose(found.records["class_bits"], wanted, atol=2e-5)
    assert found.value == pytest.approx(np.mean(wanted), abs=2e-5)
    assert found.details["classes"] == list(chosen)
    json.dumps(found.details, allow_nan=False)


def test_the_leaves_of_the_released_tree_can_speak_for_its_records() -> None:
    original = mixed_table(3, 120)
    released = noisy(original, 3)
    context = context_for(original, released)
    found = ClassEntropy(classes=("low",), class_from="leaves").compute(original, released, context)
    assert isinstance(found, Measurement)
    forest = context.released_grown.tree
    leaf = leaf_of_each(forest.trees[0], forest, label_columns(released.schema, released.columns)).tolist()
    codes = class_labels(released)[0].tolist()
    share = {
        at: sum(c == RISKS.index("low") for c, own in zip(codes, leaf, strict=True) if own == at)
        / sum(c >= 0 for c, own in zip(codes, leaf, strict=True) if own == at)
        for at in set(leaf)
    }
    assert len(share) > 1
    for x, shares in enumerate(posteriors(original, released)):
        p = sum(one * share[at] for one, at in zip(shares, leaf, strict=True))
        assert found.records["class_bits"][x] == pytest.approx(oracle.entropy([p, 1 - p]), abs=2e-5)


def test_by_hand() -> None:
    """In town a one of four is ill, in town b everybody, and towns are known."""
    table = people("ynnnyy", "aaaabb")
    found = measured(table, table)
    quarter = oracle.entropy([1 / 4, 3 / 4])
    np.testing.assert_allclose(found.records["class_bits"], [quarter] * 4 + [0] * 2, atol=2e-6)
    assert found.value == pytest.approx(4 * quarter / 6, abs=2e-6)
    assert found.details["prior_bits"] == 1.0
    assert [entry["mean_bits"] for entry in found.details["by_size"]] == pytest.approx(
        [1, found.value], abs=2e-6
    )


def test_of_several_classes_the_one_that_is_known_best_counts() -> None:
    """Without any difference between records the rarest class has the least entropy."""
    codes = [0] * 5 + [1] * 4 + [2]
    table = table_of({"x": (number("x", 0, 1), [0] * 10), "k": (target("k", "abc"), codes)})
    found = measured(table, table)
    assert found.details["classes"] == ["c"]
    assert found.value == pytest.approx(oracle.entropy([0.1, 0.9]), abs=2e-6)
    each = {entry["classes"][0]: entry["mean_bits"] for entry in found.details["each"]}
    assert each == pytest.approx({"a": 1.0, "b": oracle.entropy([0.4, 0.6]), "c": found.value}, abs=2e-6)


def test_two_classes_are_one_question() -> None:
    original = mixed_table(3, 60)
    two = original.with_columns({"risk": np.minimum(original.columns["risk"], 1).clip(0)})
    released = noisy(original, 3).with_columns({"risk": two.columns["risk"][::-1].copy()})
    values = [measured(two, released, ClassEntropy(classes=(name,))).value for name in ("high", "low")]
    assert values[0] == pytest.approx(values[1], abs=1e-9)
    assert measured(two, released).value == pytest.approx(values[0], abs=1e-9)


def test_records_without_a_class_are_not_in_the_set() -> None:
    table = people("yn-")
    found = measured(table, table, ClassEntropy(classes=("y",)))
    np.testing.assert_allclose(found.records["class_bits"], oracle.entropy([1 / 3, 2 / 3]), atol=2e-6)


def test_released_classes_count_not_original_ones() -> None:
    original, released = people("yyyn", "abca"), people("nyyy", "abca")
    found = measured(original, released)
    np.testing.assert_allclose(found.records["class_bits"], [1, 0, 0, 1], atol=2e-6)


def test_entropy_lies_between_0_and_1_and_thresholds_work() -> None:
    original = mixed_table(6, 200)
    released = noisy(original, 6)
    found = measured(original, released, ClassEntropy(threshold_bits=0.5, allowed_share=1.0))
    bits = found.records["class_bits"]
    assert ((bits >= 0) & (bits <= 1)).all()
    assert found.details["below_threshold"] == pytest.approx((bits < 0.5).mean())
    assert found.details["secure"] is True
    assert measured(original, released).details["threshold_bits"] == pytest.approx(
        measured(original, released).details["prior_bits"] / 2
    )
    brief = measured(original, released, value_only=True)
    assert brief.value == found.value
    assert not brief.details


def test_estimates_cover_the_truth() -> None:
    original = mixed_table(2, 300)
    released = noisy(original, 2)
    truth = measured(original, released).value
    sampled, hits = ClassEntropy(exact_up_to=100, targets=60), 0
    for key in range(40):
        context = replace(context_for(original, released), streams=Streams(bytes([key]) * 32))
        found = sampled.compute(original, released, context)
        assert isinstance(found, Measurement)
        low, high = found.details["interval"]
        hits += low <= truth <= high
    assert hits >= 34


def test_what_cannot_be_judged() -> None:
    table = people("yn")
    measure = ClassEntropy()
    assert measure.compute(table, table, context_for(table, table, paired=False)) == NOT_PAIRED
    gone = measure.compute(table, table, context_for(table, table, partner=np.full(2, -1)))
    assert isinstance(gone, NotComputable)
    strange = ClassEntropy(classes=("maybe",)).compute(table, table, context_for(table, table))
    assert isinstance(strange, NotComputable)
    assert "'maybe'" in strange.reason
    nameless = people("--")
    unknown = measure.compute(table, nameless, context_for(table, nameless))
    assert isinstance(unknown, NotComputable)
    assert "has a class" in unknown.reason


def test_dropped_records_have_no_number() -> None:
    original = mixed_table(3, 40)
    released, partner = some_left(noisy(original, 3), 3, 30)
    bits = measured(original, released, partner=partner).records["class_bits"]
    assert np.array_equal(np.isnan(bits), partner < 0)


def test_one_class_alone_is_certain() -> None:
    table = people("yyy")
    assert measured(table, table).value == 0
