from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from hushwood.arrays import Array
from hushwood.random_streams import Rows, Streams
from hushwood.releasing.fitted import (
    FittedStep,
    FittedSteps,
    Outcomes,
    PartOutcome,
    changed,
    fitted_step,
    places_of,
    same_columns,
)
from hushwood.releasing.parts import part_plans
from hushwood.segments.partition import intersections, whole_table
from hushwood.tables.schema import Schema
from hushwood.techniques.domain_noise import Linnapt
from hushwood.techniques.protocol import Columns, Within
from hushwood.techniques.segment_shuffle import SegmentShuffle, ShufflePerturber
from hushwood.techniques.shuffle import Shuffle
from hushwood.techniques.swap import Swap
from support.mixed_tables import category, grown_forest, mixed_table, number, table_of

STREAMS = Streams(bytes(range(32)))
TABLE = mixed_table(4, 120)
SEGMENTS = whole_table(TABLE)


def outcome(texts: Sequence[str], codes: Sequence[int], **more: object) -> PartOutcome:
    columns: dict[str, Array] = {"place": np.array(codes, np.int32)}
    return PartOutcome(columns, Schema((category("place", texts),)), **more)  # type: ignore[arg-type]


def read(outcomes: Outcomes, codes: Array) -> list[str | None]:
    texts = (*outcomes.schema["place"].categories, None)
    return [texts[code] for code in codes.tolist()]


def test_labels_of_several_parts_get_one_coding() -> None:
    """Each part has labels of its own; a code means the same text afterwards, and earlier codes stay."""
    outcomes = Outcomes(Schema((category("place", ("a", "b", "c")),)))
    parts = [
        outcome(("a", "b", "c", "a or b"), [3, 2, -1]),
        outcome(("a", "b", "c", "b or c"), [3, 0, 3]),
        outcome(("a", "b", "c", "b or c", "a or b"), [4, 3, 1]),
    ]
    found = [outcomes.add(part)["place"] for part in parts]
    assert [read(outcomes, codes) for codes in found] == [
        ["a or b", "c", None],
        ["b or c", "a", "b or c"],
        ["a or b", "b or c", "b"],
    ]
    assert outcomes.schema["place"].categories == ("a", "b", "c", "a or b", "b or c")


def test_columns_with_the_categories_of_the_table_keep_their_codes() -> None:
    outcomes = Outcomes(Schema((category("place", ("a", "b")), number("age", 0, 9))))
    codes = np.array([1, 0, -1], np.int32)
    part = PartOutcome({"place": codes, "age": np.array([1.5, np.nan, 2])}, outcomes.schema)
    found = outcomes.add(part)
    assert found["place"] is codes
    assert found["age"][0] == 1.5
    assert outcomes.schema["place"].categories == ("a", "b")


def test_a_part_without_new_labels_after_one_that_has_some() -> None:
    outcomes = Outcomes(Schema((category("place", ("a", "b")),)))
    outcomes.add(outcome(("b", "a or b"), [0]))
    assert read(outcomes, outcomes.add(outcome(("a", "b"), [0, 1, -1]))["place"]) == ["a", "b", None]


def test_counts_of_parts_are_added_up() -> None:
    outcomes = Outcomes(Schema((category("place", ("a",)),)))
    outcomes.add(outcome(("a",), [0], stuck={"x": 2}, ways={"own": (1, 10)}, labels={"place": {"*": ["a"]}}))
    outcomes.add(outcome(("a",), [0], stuck={"x": 3, "y": 1}, ways={"own": (2, 5), "kept": (1, 1)}))
    assert outcomes.stuck == {"x": 5, "y": 1}
    assert outcomes.ways == {"own": (3, 15), "kept": (1, 1)}
    assert outcomes.labels == {"place": {"*": ["a"]}}


@pytest.mark.parametrize("count", [4, 1 << 17])
def test_records_of_a_part_keep_their_order(count: int) -> None:
    parts = np.array([3, 0, 3, 1, 0, 3])
    assert [rows.tolist() for rows in places_of(parts, count)] == [[1, 4], [3], [0, 2, 5]]


class Adding:
    """Adds an amount to some columns of covered segments."""

    whole_column = False

    def __init__(self, names: Sequence[str], amount: float, covered: Sequence[bool] | None = None) -> None:
        self.attributes, self.amount, self.covered = tuple(names), amount, covered

    def covers(self, attribute: str) -> np.ndarray[tuple[int], np.dtype[np.bool_]] | None:
        return None if self.covered is None else np.array(self.covered)

    def perturb(self, columns: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        return {name: columns[name] + self.amount for name in self.attributes}

    def law(self) -> None:
        raise NotImplementedError


def test_every_perturber_reads_the_original_and_changes_its_own_segments() -> None:
    columns = {"x": np.array([1.0, 2.0, 3.0]), "y": np.zeros(3)}
    group = [Adding(["x"], 10, [True, False]), Adding(["x"], 100, [False, True]), Adding(["y"], 1)]
    found = changed([group], columns, np.array([0, 1, 0]), range(3), STREAMS)  # type: ignore[list-item]
    assert {name: values.tolist() for name, values in found.items()} == {"x": [11, 102, 13], "y": [1, 1, 1]}


def step(names: Sequence[str], takes: str) -> FittedStep:
    return FittedStep(Adding(names, 1), takes, Swap())  # type: ignore[arg-type]


def test_steps_that_share_columns_directly_or_not_are_one_group() -> None:
    steps = [step("a", "rows"), step("bc", "rows"), step("d", "rows"), step("ab", "rows"), step("e", "rows")]
    groups = [{name for s in group for name in s.attributes} for group in same_columns(steps)]
    assert sorted(map(sorted, groups)) == [["a", "b", "c"], ["d"], ["e"]]


def fitted(*steps: FittedStep) -> FittedSteps:
    plans = part_plans(np.zeros(1, np.uint64), np.array([TABLE.rows]), TABLE.rows, 50)
    return FittedSteps(TABLE.schema, replace(SEGMENTS, ids=np.zeros(0, np.int32)), steps, plans)


def test_a_group_takes_what_the_most_demanding_of_its_steps_takes() -> None:
    steps = fitted(
        step("a", "rows"), step("b", "segment"), step("ab", "rows"), step("c", "table"), step("d", "rows")
    )
    assert steps.layouts == ("segment", "table")
    assert set(steps.columns_of("segment")) == {"a", "b"}
    assert steps.columns_of("table") == ("c",)
    assert steps.columns_of("rows") == ("d",)


def prepared(technique: Swap | Linnapt | Shuffle, names: Sequence[str], in_parts: bool) -> FittedStep:
    return fitted_step(technique, technique.prepare(TABLE, names, SEGMENTS), in_parts)


def test_what_a_step_is_given_follows_from_its_technique() -> None:
    assert prepared(Linnapt(), ["price"], True).takes == "rows"
    assert prepared(Swap(), ["city"], True).takes == Swap().changes_within
    assert not prepared(Swap(), ["city"], True).by_part
    assert prepared(Shuffle(), ["price", "ratio"], True).by_part
    assert not prepared(Shuffle(), ["price", "ratio"], False).by_part


def test_single_records_are_changed_in_any_batch() -> None:
    steps = fitted(prepared(Linnapt(), ["price"], True))
    ids = np.zeros(TABLE.rows, np.int32)
    whole = steps.change_rows(TABLE.columns, ids, range(TABLE.rows), STREAMS)["price"]
    rows = np.array([100, 3, 57])
    part = TABLE.take(rows)
    assert np.array_equal(
        steps.change_rows(part.columns, ids[rows], rows, STREAMS)["price"], whole[rows], equal_nan=True
    )


def shuffled(within: Within = "segment") -> tuple[FittedSteps, ShufflePerturber]:
    forest = grown_forest(TABLE, min_leaf=20, trees=1)
    segments = intersections(TABLE, forest)
    technique = SegmentShuffle(10, "tree", 5)
    names = [a.name for a in TABLE.schema.kept]
    made = fitted_step(technique, technique.prepare(TABLE, names, segments), True)
    made = made.taught(TABLE.columns, range(TABLE.rows), STREAMS)
    assert isinstance(made.perturber, ShufflePerturber)
    return replace(fitted(made), boxes=replace(segments, ids=np.zeros(0, np.int32))), made.perturber


def test_parts_on_other_threads_do_not_share_their_counts() -> None:
    """Each part reports its own numbers that had no room; what was fitted is not written to."""
    steps, perturber = shuffled()
    ids = intersections(TABLE, grown_forest(TABLE, min_leaf=20, trees=1)).ids
    part = steps.change_part("segment", TABLE, ids, range(TABLE.rows), STREAMS)
    assert perturber.stuck == {}
    assert perturber.lessons is not None
    assert set(part.columns) == {a.name for a in TABLE.schema.kept}


def test_a_part_is_made_ready_by_its_own_records() -> None:
    """SHUFFLE of a part gives out numbers of the part alone."""
    table = table_of(
        {
            "x": (number("x", 0, 999), list(range(100))),
            "y": (number("y", 0, 999), [v * 2 for v in range(100)]),
            "c": (category("c", "ab"), [0, 1] * 50),
        }
    )
    segments = whole_table(table)
    made = fitted_step(Shuffle(), Shuffle().prepare(table, ["x", "y"], segments), True)
    plans = part_plans(np.zeros(1, np.uint64), np.array([100]), 100, 50)
    steps = FittedSteps(table.schema, replace(segments, ids=np.zeros(0, np.int32)), (made,), plans)
    rows = np.arange(40, 80)
    found = steps.change_part(
        steps.layouts[0], table.take(rows), np.zeros(40, np.int32), rows, STREAMS
    ).columns["x"]
    assert found.min() >= 0
    assert np.abs(np.sort(found) - np.arange(40, 80)).max() < 40
