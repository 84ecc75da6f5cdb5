"""The paper's sentences on invented numbers: one world in which all of them hold, and what refutes each."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from hushwood_papers.forest_framework.claims import JUDGES, Folds, claims_of, on
from hushwood_papers.forest_framework.folds import ACCURACY, LABELS, PRINTED_WAYS, ROOTS, SERS, key
from hushwood_papers.reproducing.printed_numbers import printed


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
def test_distinguished_over_the_folds(one: tuple[float, ...], other: tuple[float, ...], told: bool) -> None:
    folds = folds_with({"FF": one, "F": other})
    assert folds.distinguished("EDUDS", "FF", "F") == (list(LABELS) if told else [])


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


COLUMNS = dict.fromkeys(LABELS, (0, 3))
SHORTFALL = "log2 n - SERS, bits"
QUALITY = {
    ACCURACY: {"FF": 80.0, "F": 79.0, "GADP": 78.0, "RT": 50.0, "GADP, class left out": 40.0},
    "EDUDS": {"FF": 0.9, "F": 0.88, "GADP": 0.5, "RT": 0.49, "GADP, class left out": 0.3},
    "EDUDS of one tree per table": {"FF": 0.6, "F": 1.0},
    ROOTS: {"FF": 100.0, "F": 40.0},
    "EDUSC": {"FF": 0.9, "F": 0.89, "GADP": 0.85, "RT": 0.8, "GADP, class left out": 0.7},
    "EDUSC, nodes weighted by records": {"FF": 0.9, "F": 0.89, "GADP": 0.85, "RT": 0.8},
    "SERS, bits": {"FF": 9.240, "F": 9.245, "GADP": 9.246, "RT": 9.247, "untouched": 9.215},
    SHORTFALL: {"FF": 0.012, "F": 0.007, "GADP": 0.007, "RT": 0.007},
}
# What the paper says of single tables.
SINGLE = {
    f"Credit, F: {ACCURACY}": 81.0,
    f"Credit, RT: {ACCURACY}": 79.0,
    "Abalone, FF: EDUDS": 0.87,
    **{f"{label}, original: {ACCURACY}": 80.0 for label in LABELS},
    **{f"{label}, majority class: {ACCURACY}": 45.0 for label in LABELS},
    f"Abalone, original: {ACCURACY}": 26.0,
}


def numbers_with(changes: Mapping[str, float]) -> dict[str, list[float]]:
    """The paper's world with some means changed; five folds that differ a little."""
    means = {
        key(label, way, measure): value
        for label in LABELS
        for measure, ways in QUALITY.items()
        for way, value in ways.items()
    }
    return {
        name: [value * (1 + step * 1e-3) for step in (-1, -0.5, 0, 0.5, 1)]
        for name, value in {**means, **SINGLE, **changes}.items()
    }


def test_the_papers_own_world_holds() -> None:
    found = claims_of(numbers_with({}), COLUMNS)
    broken = {name for name, finding in found.items() if not finding.holds}
    assert broken == {"accuracy: cannot tell FF from F"}


@pytest.mark.parametrize(
    ("claim", "changes"),
    [
        ("accuracy: FF above F and GADP on all but Credit", {f"Wine, F: {ACCURACY}": 81.0}),
        ("accuracy: FF above F and GADP on all but Credit", {f"Credit, F: {ACCURACY}": 70.0}),
        ("accuracy: FF clearly above RT", {f"Wine, RT: {ACCURACY}": 80.0}),
        ("accuracy: Abalone is hard", {f"CMC, original: {ACCURACY}": 30.0}),
        ("EDUDS: FF ahead on all but Abalone", {"WBC, GADP: EDUDS": 0.95}),
        ("EDUDS: FF not ahead on Abalone", {"Abalone, FF: EDUDS": 0.95}),
        ("EDUDS: tells FF from F", {f"{label}, F: EDUDS": 0.9 for label in LABELS[:3]}),
        ("EDUDS: GADP falls", {"CMC, GADP: EDUDS": 0.79}),
        ("accuracy: GADP like F and FF", {f"{label}, GADP: {ACCURACY}": 70.0 for label in LABELS[:4]}),
        ("EDUDS: two groups", {"CMC, GADP: EDUDS": 0.87}),
        ("EDUSC: FF ahead", {"Wine, GADP: EDUSC": 0.91}),
        ("EDUSC: kinder to GADP", {"Wine, GADP: EDUSC": 0.1}),
        ("EDUSC: kinder to GADP", {"Wine, RT: EDUSC": 0.95}),
        ("EDUSC: GADP below F in most cases", {f"{label}, GADP: EDUSC": 0.895 for label in LABELS[:3]}),
        ("EDUSC: GADP below FF in all cases", {"CMC, GADP: EDUSC": 0.91}),
        ("accuracy: RT sometimes high", {f"Credit, RT: {ACCURACY}": 60.0}),
        ("accuracy: RT sometimes high", {f"Credit, majority class: {ACCURACY}": 79.0}),
        ("SERS: FF comparable", {f"CMC, RT: {SHORTFALL}": 0.03}),
        ("SERS: FF comparable", {f"CMC, RT: {SHORTFALL}": 0.005}),
        ("SERS: FF slightly worse", {f"CMC, RT: {SHORTFALL}": 0.005}),
        ("SERS: tells a release from the untouched table", {"WBC, FF: SERS, bits": 9.23}),
        ("SERS: tells a release from the untouched table", {"WBC, untouched: SERS, bits": 9.25}),
        ("quality: FF best", {f"{label}, F: EDUSC": 0.95 for label in LABELS[:3]}),
        ("EDUDS and EDUSC: RT below FF", {"CMC, RT: EDUSC": 0.95}),
        ("EDUDS and EDUSC: RT worst", {"CMC, RT: EDUDS": 0.6}),
        ("EDUDS and EDUSC: F close to FF", {"WBC, F: EDUSC": 0.8}),
    ],
)
def test_every_sentence_can_be_overturned(claim: str, changes: dict[str, float]) -> None:
    assert claims_of(numbers_with({}), COLUMNS)[claim].holds
    assert not claims_of(numbers_with(changes), COLUMNS)[claim].holds


def test_accuracy_that_hardly_differs_does_not_tell() -> None:
    same = {f"{label}, F: {ACCURACY}": 80.0 for label in LABELS}
    assert claims_of(numbers_with(same), COLUMNS)["accuracy: cannot tell FF from F"].holds


def test_too_few_folds_leave_out_what_needs_a_t_test() -> None:
    few = {name: values[:4] for name, values in numbers_with({}).items()}
    left_out = set(JUDGES) - set(claims_of(few, COLUMNS))
    assert left_out == {
        "accuracy: FF clearly above RT",
        "accuracy: cannot tell FF from F",
        "EDUDS: tells FF from F",
    }


def test_the_untouched_table_is_named_with_its_bits() -> None:
    changed = numbers_with({"CMC, untouched: SERS, bits": 9.243})
    finding = claims_of(changed, COLUMNS)["SERS: tells a release from the untouched table"]
    assert (
        "on 4 of 5 tables (Wine, WBC, Credit, Abalone), and one of them is below it on 1 of 5"
        in finding.numbers
    )
    assert "Wine 9.215 / 9.245 / 9.240" in finding.numbers


def test_columns_that_are_not_normal_are_counted() -> None:
    finding = claims_of(numbers_with({}), {**COLUMNS, "WBC": (2, 3)})["tables: normal"]
    assert not finding.holds
    assert finding.numbers.startswith("2 of 15 numeric columns")


def test_without_a_table_nothing_is_judged() -> None:
    numbers = {name: values for name, values in numbers_with({}).items() if not name.startswith("CMC")}
    assert claims_of(numbers, COLUMNS) == {}


def test_every_printed_sentence_has_a_judge() -> None:
    assert [claim.key for claim in printed("forest-framework").claims] == list(JUDGES)
