"""Which technique is ahead of which, on numbers that can be checked by eye."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hushwood.experiments.forest_framework.means import Folds, on
from hushwood.experiments.forest_framework.names import ACCURACY, LABELS, PRINTED_WAYS, SERS, key


def folds_with(values: Mapping[str, tuple[float, ...]], measure: str = "EDUDS") -> Folds:
    """The same numbers of the four techniques on every table."""
    return Folds({key(label, way, measure): values[way] for label in LABELS for way in values}, {})


FOUR = folds_with({"FF": (0.9, 0.8), "F": (0.7, 0.9), "GADP": (0.8, 0.8), "RT": (0.1, 0.1)})


def test_ahead_means_ahead_of_all_in_the_mean() -> None:
    assert FOUR.ahead("EDUDS") == list(LABELS)
    assert FOUR.ahead("EDUDS", "F") == []
    assert FOUR.ahead("EDUDS", "F", ("GADP",)) == []  # equal means are no lead
    assert FOUR.behind("EDUDS", "RT", PRINTED_WAYS[:3]) == list(LABELS)
    assert FOUR.difference("Wine", "FF", "RT", "EDUDS") == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ((0.9, 0.91, 0.92), (0.1, 0.12, 0.11), True),
        ((0.9, 0.1, 0.5), (0.1, 0.9, 0.6), False),
        ((0.5, 0.6, 0.7), (0.5, 0.6, 0.7), False),
        ((1.0, 2.0, 3.0), (0.0, 1.0, 2.0), True),
        ((0.9,), (0.1,), False),  # one fold tells nothing
    ],
)
def test_told_apart_over_the_folds(one: tuple[float, ...], other: tuple[float, ...], told: bool) -> None:
    folds = folds_with({"FF": one, "F": other})
    assert folds.told_apart("EDUDS", "FF", "F") == (list(LABELS) if told else [])


def test_a_run_without_a_table_is_not_complete() -> None:
    everything = {key(label, way, SERS): (1.0,) for label in LABELS for way in PRINTED_WAYS}
    assert Folds(everything, {}).complete
    del everything[key("Abalone", "RT", SERS)]
    assert not Folds(everything, {}).complete


@pytest.mark.parametrize(("folds", "enough"), [(4, False), (5, True)])
def test_a_t_test_needs_five_folds(folds: int, enough: bool) -> None:
    numbers = {key(label, "FF", SERS): [1.0] * folds for label in LABELS}
    assert Folds(numbers, {}).can_tell is enough


def test_numbers_in_words() -> None:
    said = FOUR.listed("EDUDS", ("FF", "RT"), ("Wine", "CMC"))
    assert said == "EDUDS, of FF / RT: Wine 0.850 / 0.100, CMC 0.850 / 0.100"
    accuracies = folds_with({"FF": (90.0, 91.0)}, ACCURACY)
    assert accuracies.listed(ACCURACY, ("FF",), ("WBC",)) == f"{ACCURACY}, of FF: WBC 90.5"
    assert on(["Wine"]) == "on 1 of 5 tables (Wine)"
