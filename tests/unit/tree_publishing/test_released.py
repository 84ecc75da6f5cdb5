"""What the columns become in the release."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hushwood.arrays import Floats
from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing.growth import BinarySplit
from hushwood.tree_publishing.intervals import Recoding
from hushwood.tree_publishing.kernels.splits import LEFT, RIGHT
from hushwood.tree_publishing.records import Records
from hushwood.tree_publishing.released import (
    EPSILON,
    Column,
    ReleasedPart,
    hidden_mean,
    released_columns,
    released_table,
    suppressed,
)
from support.mixed_tables import category, number, table_of

STREAMS = Streams(bytes(32))
NAN = float("nan")


def one_column(attribute: Attribute, values: Sequence[float]) -> Table:
    return table_of(
        {
            attribute.name: (attribute, values),
            "y": (Attribute("y", "numeric", "class", low=0, high=1), [0.0] * len(values)),
        }
    )


def recoded(
    attribute: Attribute, values: Sequence[float], *tests: BinarySplit, anchored: bool = True
) -> Column:
    """The column after these tests of it."""
    table = one_column(attribute, values)
    records = Records.of(table, [attribute.name])
    recoding = Recoding.untested(records.counts_of_values(0))
    for test in tests:
        recoding = recoding.with_test(test, anchored)
    return released_columns(table, records, {0: recoding}, anchored, STREAMS)[attribute.name]


def cut(below: int, above: int) -> BinarySplit:
    return BinarySplit(0, 0.5, below, above, below, 0.0)


def way(*sides: int) -> BinarySplit:
    return BinarySplit(0, 0.5, sides=np.array(sides, np.uint8))


def texts(column: Column) -> list[str | None]:
    categories = column.attribute.categories
    return [None if code < 0 else categories[code] for code in column.values.tolist()]


class TestNumbers:
    """Ages 20, 25, 30 | 40, 41, 45, some twice."""

    AGES = (45, 20, 25, 30, 40, 41, 41)

    def test_anchored(self) -> None:
        column = recoded(number("age", 20, 45), self.AGES, cut(2, 3))
        assert column.values.tolist() == [40, 30, 30, 30, 40, 40, 40]
        assert (column.map.tested, column.map.before, column.map.after) == (True, 6, 2)
        assert column.map.parts == (ReleasedPart(30, 3, None, 35), ReleasedPart(40, 4, 35, None))

    def test_shifted_whole_numbers_stay_whole(self) -> None:
        """The means are 25 and 41.75; 1.75 is floored to one step."""
        column = recoded(number("age", 20, 45), self.AGES, cut(2, 3), anchored=False)
        assert column.values.tolist() == [41, 29, 29, 29, 41, 41, 41]
        assert column.attribute.integer

    def test_the_domain_is_that_of_the_released_values(self) -> None:
        column = recoded(number("age", 18, 99), self.AGES, cut(2, 3))
        assert (column.attribute.low, column.attribute.high) == (30, 40)

    def test_parts_meet_at_midpoints_between_values_that_are_parted(self) -> None:
        """40 | 41: the interval of 40 has a boundary at both ends and one value."""
        column = recoded(number("age", 20, 45), self.AGES, cut(2, 3), cut(3, 4))
        assert [(part.low, part.high) for part in column.map.parts] == [(None, 35), (35, 40.5), (40.5, None)]
        assert [part.released for part in column.map.parts] == [30, 40, 41]


class TestUntestedNumbers:
    @pytest.mark.parametrize(
        ("attribute", "values"),
        [
            (number("x", 0, 9, None), [0, 1, 1.5]),
            (number("x", 0, 9), [0, 1, 1]),
            (Attribute("x", "numeric", storage="Date", precision=0), [10, 11, 20, 20]),
        ],
    )
    def test_become_one_number_near_their_mean(self, attribute: Attribute, values: list[float]) -> None:
        column = recoded(attribute, values)
        mean = hidden_mean(np.array(values, float), attribute, STREAMS)
        assert column.values.tolist() == [mean] * len(values)
        assert (column.attribute.low, column.attribute.high) == (mean, mean)
        assert column.map.parts == (ReleasedPart(mean, len(values)),)
        assert (column.map.tested, column.map.before, column.map.after) == (False, len(set(values)), 1)

    def test_gaps_become_the_same_number(self) -> None:
        column = suppressed(number("x", 0, 9), np.array([2, NAN, 4, NAN]), STREAMS)
        assert column.values.tolist() == [hidden_mean(np.array([2.0, 4.0]), number("x", 0, 9), STREAMS)] * 4
        assert column.map.before == 2

    def test_a_column_of_gaps_stays_one(self) -> None:
        assert np.isnan(suppressed(number("x", 0, 9), np.array([NAN, NAN]), STREAMS).values).all()


class TestCategories:
    def test_values_that_go_the_same_way_are_merged(self) -> None:
        column = recoded(category("w", "pqr"), [0, 1, 2, 0], way(LEFT, RIGHT, LEFT))
        assert texts(column) == ["{p, r}", "q", "{p, r}", "{p, r}"]
        assert column.attribute.categories == ("p", "q", "r", "{p, r}")
        assert column.map.parts == (
            ReleasedPart("{p, r}", 3, values=("p", "r")),
            ReleasedPart("q", 1, values=("q",)),
        )
        assert (column.map.before, column.map.after) == (3, 2)
        assert column.released_code is not None
        assert column.released_code.tolist() == [3, 1, 3]

    def test_two_values_parted_stay_as_they_are(self) -> None:
        column = recoded(category("w", "pq"), [0, 1, 1], way(LEFT, RIGHT))
        assert texts(column) == ["p", "q", "q"]
        assert column.attribute == category("w", "pq")

    def test_an_untested_column_is_all_and_nothing_else_is_told(self) -> None:
        column = recoded(category("w", "pqr"), [0, 1, 1])
        assert texts(column) == ["ALL"] * 3
        assert column.attribute.categories == ("ALL",)
        assert column.map.parts == (ReleasedPart("ALL", 3),)

    def test_an_untested_constant_keeps_its_value(self) -> None:
        column = recoded(category("w", "pqr"), [1, 1])
        assert texts(column) == ["q", "q"]
        assert column.attribute.categories == ("q",)

    @pytest.mark.parametrize("taken", ["ALL", "{p, q}"])
    def test_a_category_that_looks_like_a_label_is_not_mixed_up_with_one(self, taken: str) -> None:
        column = recoded(category("w", ["p", "q", taken]), [0, 1, 2], way(LEFT, LEFT, RIGHT))
        assert texts(column)[2] == taken
        assert texts(column)[0] == texts(column)[1] != taken
        assert len(set(column.attribute.categories)) == len(column.attribute.categories)

    def test_an_untested_column_with_a_value_called_all_has_a_label_of_its_own(self) -> None:
        assert texts(recoded(category("w", ["ALL", "p"]), [0, 1])) == ["ALL (group)"] * 2

    def test_declared_values_that_nobody_has_go_with_a_group(self) -> None:
        """r is no value of a record; it is told as one of the group that it would go with."""
        column = recoded(category("w", "pqr"), [0, 1, 1], way(LEFT, RIGHT, RIGHT))
        assert texts(column) == ["p", "{q, r}", "{q, r}"]
        assert (column.map.before, column.map.after) == (2, 2)

    def test_a_group_that_nobody_is_in_is_not_counted(self) -> None:
        column = recoded(category("w", "pqr"), [0, 1, 1], way(LEFT, RIGHT, RIGHT), way(LEFT, LEFT, RIGHT))
        assert texts(column) == ["p", "q", "q"]
        assert column.map.after == 2


class TestMissingCategories:
    def test_alone_they_stay_missing(self) -> None:
        column = recoded(category("w", "pq"), [0, 1, -1], way(LEFT, LEFT, RIGHT))
        assert texts(column) == ["{p, q}", "{p, q}", None]
        assert column.map.parts[1] == ReleasedPart(None, 1, values=("missing",))
        assert column.attribute.categories == ("p", "q", "{p, q}")

    def test_merged_they_are_told_in_the_label(self) -> None:
        column = recoded(category("w", "pqr"), [0, 1, 2, -1], way(LEFT, LEFT, RIGHT, RIGHT))
        assert texts(column) == ["{p, q}", "{p, q}", "{r, missing}", "{r, missing}"]

    def test_a_category_called_missing_is_another_value(self) -> None:
        column = recoded(category("w", ["p", "missing"]), [0, 1, -1], way(LEFT, RIGHT, LEFT))
        assert texts(column) == ["{p, missing}", "missing", "{p, missing}"]
        apart = recoded(category("w", ["p", "missing"]), [0, 1, -1], way(LEFT, LEFT, RIGHT))
        assert texts(apart) == ["{p, missing}", "{p, missing}", None]

    def test_untested_they_are_all_with_the_others(self) -> None:
        assert texts(recoded(category("w", "pq"), [0, -1, 1])) == ["ALL"] * 3

    def test_a_column_of_gaps_stays_one(self) -> None:
        column = recoded(category("w", "pq"), [-1, -1])
        assert texts(column) == [None, None]
        assert column.map.parts == (ReleasedPart(None, 2),)


@pytest.mark.parametrize(
    ("storage", "merged"),
    [
        ("String", "String"),
        ("Categorical", "Categorical"),
        ("Enum", "String"),
        ("Boolean", "String"),
        ("Int64", "String"),
    ],
)
def test_a_type_that_cannot_hold_labels_becomes_text_only_if_values_are_merged(
    storage: str, merged: str
) -> None:
    two = replace(category("w", ["false", "true"]), storage=storage)
    assert recoded(two, [0, 1], way(LEFT, RIGHT)).attribute.storage == storage
    assert recoded(two, [0, 1]).attribute.storage == merged
    three = replace(category("w", "pqr"), storage=storage)
    assert recoded(three, [0, 1, 2], way(LEFT, RIGHT, RIGHT)).attribute.storage == merged


def test_the_released_table_has_new_columns_and_the_old_response() -> None:
    table = table_of(
        {
            "w": (category("w", "pq"), [0, 1]),
            "y": (Attribute("y", "numeric", "class", low=3, high=8), [3, 8]),
            "job": (Attribute("job", "categorical", "confidential", "String", categories=("s", "t")), [1, 0]),
        }
    )
    records = Records.of(table, ["w"])
    columns = released_columns(
        table, records, {0: Recoding.untested(records.counts_of_values(0))}, True, STREAMS
    )
    out = released_table(table, columns)
    assert out.schema.names == table.schema.names
    assert out.schema["job"].categories == ("ALL",)
    assert out.schema["job"].role == "confidential"
    assert out.columns["job"].tolist() == [0, 0]
    assert out.columns["y"].tolist() == [3, 8]
    assert out.schema["y"] == table.schema["y"]
    assert table.columns["w"].tolist() == [0, 1]


DRAWS = 2_000
MANY_STREAMS = [Streams(i.to_bytes(32, "big")) for i in range(DRAWS)]
PAY = number("pay", 0, 100, None)


def draws(values: Sequence[float], attribute: Attribute = PAY) -> Floats:
    """What many releases of the same column tell."""
    known = np.array(values, float)
    return np.array([hidden_mean(known, attribute, streams) for streams in MANY_STREAMS])


def test_one_record_changes_no_answer_by_more_than_the_factor_promised() -> None:
    """The same nine people with a tenth who has the least or the most: how often each answer comes up."""
    without, with_most = (np.histogram(draws([50] * 9 + [x]), 10, (0, 100))[0] for x in (0, 100))
    most = math.exp(EPSILON)
    for ours, theirs in ((without, with_most), (with_most, without)):
        # Four standard errors of a count and of the bound.
        slack = 4 * (np.sqrt(ours + 1) + most * np.sqrt(theirs + 1))
        assert (ours <= most * theirs + slack).all()
    assert (without != with_most).any()


def test_two_releases_do_not_give_the_person_who_is_in_one_of_them() -> None:
    """n·m - (n - 1)·m' was the person's pay to the last digit; now it misses by more than the domain is wide."""
    people = [40.0, 55, 61, 30, 70, 45, 52, 66, 58]
    guesses = 10 * draws([*people, 97.0]) - 9 * draws(people)[::-1]
    assert np.median(np.abs(guesses - 97)) > 100


def test_the_number_is_near_the_mean_of_a_large_table() -> None:
    values = np.tile(np.arange(101.0), 100)
    found = [hidden_mean(values, PAY, streams) for streams in MANY_STREAMS[:200]]
    assert np.abs(np.array(found) - 50).max() < 100 * 2 / len(values) * 12


@pytest.mark.parametrize("values", [[0.0], [100.0], [0.0, 100.0], [3.0] * 50])
def test_the_number_stays_in_the_domain_and_piles_up_at_neither_end(values: list[float]) -> None:
    found = draws(values)
    assert ((found >= 0) & (found <= 100)).all()
    assert (found == 0).mean() < 0.02
    assert (found == 100).mean() < 0.02


@pytest.mark.parametrize(
    ("attribute", "step"),
    [(number("x", 0, 100), 1.0), (number("x", 0, 100, 1), 0.1), (number("x", 0, 100, None), 0.1)],
)
def test_the_number_lies_on_a_grid(attribute: Attribute, step: float) -> None:
    """The noise is 20 here, so a column without decimals of its own has steps of 0.1."""
    found = draws([10.0, 20, 30, 40, 60, 70, 80, 90, 10, 20], attribute)[:200] / step
    assert np.abs(found - np.rint(found)).max() < 1e-6
    assert len(set(found)) > 20


def test_single_precision_is_kept() -> None:
    found = hidden_mean(
        np.array([0, 0.5, 0.125]), Attribute("x", "numeric", storage="Float32"), MANY_STREAMS[0]
    )
    assert found == float(np.float32(found))


def test_ends_of_the_data_are_the_domain_where_none_is_declared() -> None:
    found = draws([10.0, 11, 20, 20], Attribute("x", "numeric", storage="Date", precision=0))
    assert (found.min(), found.max()) == (10, 20)


def test_constants_and_gaps() -> None:
    assert (
        hidden_mean(np.array([7.0, 7.0]), Attribute("x", "numeric", low=7.0, high=7.0), MANY_STREAMS[0]) == 7
    )
    assert math.isnan(hidden_mean(np.array([]), PAY, MANY_STREAMS[0]))


def test_very_large_numbers_do_not_overflow() -> None:
    found = draws([-1e70, 1e70], Attribute("x", "numeric", low=-1e70, high=1e70))[:100]
    assert np.isfinite(found).all()
    assert len(set(found.tolist())) > 50
