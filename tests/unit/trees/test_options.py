"""Options are checked once, and every refusal says what is allowed."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.trees.options import CONSTANTS, Builder, GrowOptions, SysForOptions

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"variant": "c4.5"}, "Did you mean 'c45'"),
    ({"variant": "see5", "criterion": "gini"}, "See5 chooses by gain_ratio; for gini use 'c45' or 'j48'"),
    (
        {"variant": "credal", "criterion": "gini"},
        "Credal trees choose by imprecise information gain; for gini use",
    ),
    ({"criterion": "gain"}, "criterion must be gain_ratio, information_gain or gini; 'gain' was given"),
    ({"thresholds": "middle"}, "thresholds must be data or midpoint"),
    ({"min_leaf": 0.5}, "min_leaf must be 1 or more; 0.5 was given"),
    ({"min_leaf": float("nan")}, "min_leaf must be a finite number, 1 or more"),
    ({"confidence": 0.0}, "above 0 and at most 0.5; 0 was given"),
    ({"confidence": 0.51}, "above 0 and at most 0.5"),
    ({"max_depth": -1}, "max_depth must be 0 or more; -1 was given"),
]


def test_what_is_not_allowed_is_refused() -> None:
    for given, says in WRONG:
        with pytest.raises(InputError, match=says):
            GrowOptions(**given)


def test_the_limits_themselves_are_allowed() -> None:
    options = GrowOptions(min_leaf=1, confidence=0.5, max_depth=0)
    assert (options.min_leaf, options.confidence, options.max_depth) == (1, 0.5, 0)


def test_constants_are_those_of_the_variant() -> None:
    c45, j48 = GrowOptions().constants, GrowOptions(variant="j48").constants
    assert (c45, j48) == (CONSTANTS["c45"], CONSTANTS["j48"])
    assert (c45.improvement, j48.improvement) == (1e-10, 1e-6)


def test_options_are_described_as_the_forest_file_has_them() -> None:
    assert GrowOptions(min_leaf=30, prune=False).described() == {
        "variant": "c45",
        "criterion": "gain_ratio",
        "min_leaf": 30,
        "confidence": 0.25,
        "prune": False,
        "max_depth": None,
        "thresholds": "data",
    }


def test_only_see5_speaks_of_global_pruning() -> None:
    described = GrowOptions(variant="see5", global_pruning=False).described()
    assert described == GrowOptions().described() | {"variant": "see5", "global_pruning": False}


BUILDER = Builder(GrowOptions("j48", "gini", 7, 0.1), SysForOptions(4, 0.2, 0.1, 0.03))


def test_a_builder_is_read_back_from_what_it_is_described_as() -> None:
    for builder in (
        BUILDER,
        Builder(),
        Builder(GrowOptions("see5", min_leaf=3, global_pruning=False)),
        Builder(GrowOptions("credal", min_leaf=3)),
    ):
        assert Builder().like(builder.described()) == builder
    one = BUILDER.with_trees(1)
    assert "goodness" not in one.described()
    assert Builder().with_trees(1).like(one.described()).grow == one.grow


def test_a_forest_of_another_program_leaves_a_builder_as_it_is() -> None:
    assert BUILDER.like({"variant": "tpp", "min_leaf": 3}) == BUILDER
    assert BUILDER.like({}) == BUILDER
    assert BUILDER.like({"variant": "see5", "criterion": "gain_ratio", "rows": 9}).grow.min_leaf == 7


def test_a_damaged_description_is_refused() -> None:
    with pytest.raises(InputError, match="min_leaf must be a number"):
        BUILDER.like({"variant": "c45", "min_leaf": "many"})


def test_a_credal_tree_has_neither_criterion_nor_pruning() -> None:
    described = GrowOptions(variant="credal", min_leaf=7).described()
    assert described == {"variant": "credal", "min_leaf": 7, "max_depth": None, "thresholds": "data"}
    assert GrowOptions(**described) == GrowOptions(variant="credal", min_leaf=7)
    assert Builder(GrowOptions(variant="credal", min_leaf=7)).described() == described | {"trees": 3}
