"""What every measure promises, over all that are registered, on tables that are hard on them."""

from __future__ import annotations

import inspect
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Required,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

import numpy as np
import pytest

from hushwood.measures.protocol import Context, Measure, Measurement, NotComputable
from hushwood.measures.registry import MEASURES
from hushwood.releasing.perturb import PerturbOptions, perturb
from hushwood.tables.recoding.cells import Generalised
from hushwood.tables.table import Table
from support.mixed_tables import CITIES, category, mixed_table, number, table_of, target
from support.rearranged_tables import column_by_column_shuffled, in_another_unit, in_tenths, locked
from support.table_pairs import STREAMS, context_for

ROOT = Path(__file__).parents[2]
NAMES = tuple(MEASURES)
UTILITY = tuple(name for name in MEASURES if MEASURES[name]().side == "utility")
PLAIN = {str, int, float, bool, type(None)}

IN_ORDER = (
    "rule_types prediction_accuracy means_and_variances correlations distribution_distances eduds edusc sers "
    "reidentification_entropy class_entropy unchanged_cells changed_classes k_anonymity l_diversity t_closeness "
    "discernibility generalisation_loss clustering told_apart count_queries exact_copies variance_explained "
    "perceived_risk biases regression_coefficients contingency_tables association_rules odds_ratios"
)  # the names that an evaluation document promises

each_measure = pytest.mark.parametrize("name", NAMES)

UNITS: Mapping[str, Callable[[Table], Table]] = {
    "negated": lambda table: in_another_unit(table, -1.0, 0.0),
    "plus 64": lambda table: in_another_unit(table, 1.0, 64.0),
    "in tenths": in_tenths,
}
# What a change of unit or sign may change, and why. A measure that is not named here must not notice any of them.
_ON_A_CUT = (
    "A decimal number half-way between two others may come to lie a bit beside the cut between their cells."
)
_DATA_VALUE = (
    "C4.5 cuts at the data value below a gap; negated, that is the one above it, and the gap changes sides."
)
_SMALLEST_GAP = "C4.5 never cuts between two values less than 0.00001 apart, whatever the unit."
MAY_DIFFER: Mapping[tuple[str, str], str] = {
    ("distribution_distances", "plus 64"): _ON_A_CUT,
    ("distribution_distances", "in tenths"): _ON_A_CUT,
    ("rule_types", "negated"): _DATA_VALUE,
    ("prediction_accuracy", "negated"): _DATA_VALUE,
    ("eduds", "negated"): _DATA_VALUE,
    ("edusc", "negated"): _DATA_VALUE,
    ("edusc", "in tenths"): _SMALLEST_GAP,
    ("odds_ratios", "negated"): "Numbers that equal the median are not above it, and negated not below it.",
    ("weighted_totals", "negated"): "A weight below 0 counts as 0.",
    ("weighted_totals", "plus 64"): "A weight that is larger by 64 is another weight.",
}


@dataclass(frozen=True)
class Case:
    """Two tables, and what is known beside them; `partner` None: rows are not paired."""

    original: Table
    released: Table
    more: dict[str, Any]

    def context(self, **more: Any) -> Context:
        return context_for(self.original, self.released, paired=False, **{**self.more, **more})

    def answer(self, name: str, **more: Any) -> Measurement | NotComputable:
        case = self.weighted() if MEASURES[name]().of_weights else self
        return MEASURES[name]().compute(case.original, case.released, case.context(**more))

    def weighted(self) -> Case:
        """The same where the first column of numbers, if there is one, holds survey weights."""
        numbers = [a for a in self.original.schema.inputs if a.kind == "numeric"]
        weights = {a.name: replace(a, weight=True) for a in numbers[:1]}
        tables = [
            replace(
                table,
                schema=replace(
                    table.schema, attributes=tuple(weights.get(a.name, a) for a in table.schema.attributes)
                ),
            )
            for table in (self.original, self.released)
        ]
        return replace(self, original=tables[0], released=tables[1])


def people(seed: int, rows: int) -> Table:
    """A mixed table some of whose columns an intruder may know, and one of which is nobody's business."""
    table = mixed_table(seed, rows)
    schema = table.schema.with_role(("count", "price", "city"), "quasi-identifier")
    return replace(table, schema=schema.with_role(("job",), "confidential"))


def paired(original: Table, released: Table, **more: Any) -> Case:
    return Case(original, released, {"partner": np.arange(original.rows), **more})


def own_release() -> Case:
    table = people(21, 250)
    made = perturb(table, PerturbOptions(technique="forest-framework", trees=2, min_leaf=10), STREAMS)
    return paired(table, made.table, segment_ids=made.segments.ids, steps=made.steps)


def some_dropped_and_the_rest_reordered() -> Case:
    table = people(22, 150)
    order = np.random.default_rng(1).permutation(150)[:90]
    partner = np.full(150, -1)
    partner[order] = np.arange(90)
    return Case(table, column_by_column_shuffled(table.take(order), 2), {"partner": partner})


def nobody_kept() -> Case:
    table = people(23, 40)
    return Case(table, people(24, 30), {"partner": np.full(40, -1)})


def nothing_but_gaps() -> Case:
    table = people(25, 50)
    gaps = {
        name: np.full_like(values, np.nan if values.dtype.kind == "f" else -1)
        for name, values in table.columns.items()
    }
    return paired(table, table.with_columns(gaps))


def gaps_in_the_original() -> Case:
    case = nothing_but_gaps()
    return paired(case.released, case.original)


def every_number_outside(factor: float, offset: float) -> Case:
    table = people(26, 60)
    far = {n: values * factor + offset for n, values in table.columns.items() if values.dtype.kind == "f"}
    return paired(table, table.with_columns(far))


def generalised() -> Case:
    """Counts in fives with some suppressed, two cities in one name that the original does not have."""
    table = people(28, 80)
    wider = table.schema.with_attribute(replace(table.schema["city"], categories=(*CITIES, "{Mel, Syd}")))
    table = replace(table, schema=wider)
    count, city = table.columns["count"], table.columns["city"]
    suppressed = np.arange(80) % 9 == 0
    low, high = np.floor(count / 5) * 5, np.floor(count / 5) * 5 + 4
    low, high = np.where(suppressed, 0.0, low), np.where(suppressed, 25.0, high)
    covers = np.vstack([np.eye(4, dtype=bool), [False, True, False, True]])
    codes = np.where(np.isin(city, (1, 3)), 4, city).astype(np.int32)
    groups = {
        "count": Generalised(suppressed, low, high),
        "city": Generalised(np.zeros(80, bool), covers=covers),
    }
    return paired(table, table.with_columns({"count": (low + high) / 2, "city": codes}), generalised=groups)


def one_value_per_column() -> Case:
    table = people(27, 50)
    return paired(table, table.take(np.zeros(50, np.int64)))


def constants() -> Case:
    table = table_of(
        {
            "x": (number("x", 5, 5), [5.0] * 6),
            "c": (category("c", "a"), [0] * 6),
            "k": (target("k", "no"), [0, 1, 0, 1, 0, 1]),
        }
    )
    return paired(table, table)


def other_categories() -> Case:
    """The release has categories and a class that the original never shows."""
    job, risk = category("job", "abcdef"), target("k", "xyz")
    original = table_of({"job": (job, [0, 1, 2] * 8), "k": (risk, [0, 1] * 12)})
    return paired(original, table_of({"job": (job, [3, 4, 5] * 8), "k": (risk, [2, 1] * 12)}))


CASES: Mapping[str, Callable[[], Case]] = {
    "own release": own_release,
    "no roles": lambda: paired(mixed_table(30, 80), mixed_table(29, 80)),
    "shuffled columns": lambda: paired(people(31, 200), column_by_column_shuffled(people(31, 200), 1)),
    "unpaired, fewer rows": lambda: Case(people(32, 120), people(33, 70), {}),
    "unpaired, more rows": lambda: Case(people(34, 40), people(35, 90), {}),
    "dropped and reordered": some_dropped_and_the_rest_reordered,
    "nobody kept": nobody_kept,
    "one record": lambda: paired(people(36, 1), people(37, 1)),
    "two records": lambda: paired(people(38, 2), people(39, 2)),
    "one of many": lambda: Case(people(40, 30), people(41, 1), {}),
    "many of one": lambda: Case(people(42, 1), people(43, 30), {}),
    "nothing but gaps": nothing_but_gaps,
    "gaps in the original": gaps_in_the_original,
    "far outside": lambda: every_number_outside(-1e6, -1e9),
    "enormous numbers": lambda: every_number_outside(1e68, 0.0),
    "generalised": generalised,
    "one value per column": one_value_per_column,
    "constants": constants,
    "other categories": other_categories,
    "survey weights": lambda: paired(people(47, 90), people(48, 90)).weighted(),
    "a hold-out": lambda: paired(people(44, 90), people(45, 90), holdout=people(46, 40)),
}
each_case = pytest.mark.parametrize("case", CASES)


class Asked:
    """The cases, with tables that cannot be written to, and every answer that was given about them."""

    def __init__(self) -> None:
        self.cases: dict[str, Case] = {}
        self.answers: dict[tuple[str, str], Measurement | NotComputable] = {}

    def case(self, name: str) -> Case:
        if name not in self.cases:
            made = CASES[name]()
            self.cases[name] = replace(made, original=locked(made.original), released=locked(made.released))
        return self.cases[name]

    def answer(self, measure: str, case: str) -> Measurement | NotComputable:
        if (measure, case) not in self.answers:
            self.answers[measure, case] = self.case(case).answer(measure)
        return self.answers[measure, case]


@pytest.fixture(scope="module")
def asked() -> Asked:
    return Asked()


def within(measure: Measure, value: float) -> bool:
    low, high = measure.bounds
    return (low is None or value >= low - 1e-9) and (high is None or value <= high + 1e-9)


def leaves(data: Any) -> Iterator[Any]:
    if type(data) is dict:
        assert all(type(key) is str for key in data)
        for value in data.values():
            yield from leaves(value)
    elif type(data) is list:
        for value in data:
            yield from leaves(value)
    else:
        yield data


def test_the_promised_measures_are_there_in_order() -> None:
    assert [name for name in NAMES if name in IN_ORDER.split()] == IN_ORDER.split()


@each_measure
def test_facts_are_well_formed(name: str) -> None:
    measure = MEASURES[name]()
    assert measure.name == name
    assert measure.question.endswith("?")
    assert measure.title[0].isupper()
    assert measure.meaning.format(like="8").endswith(".")
    assert measure.quick_settings.keys() <= inspect.signature(MEASURES[name]).parameters.keys()
    assert measure.side in {"utility", "risk"}
    assert measure.better in {"higher", "lower"}
    low, high = measure.bounds
    assert low is None or high is None or low < high
    if measure.best is not None:
        assert measure.side == "utility"
        assert within(measure, measure.best)
        good_end = high if measure.better == "higher" else low
        assert good_end in (None, measure.best)


def test_headlines_of_a_side_have_different_places() -> None:
    for side in ("utility", "risk"):
        places = [m.headline for m in (make() for make in MEASURES.values()) if m.side == side and m.headline]
        assert sorted(places) == list(range(1, len(places) + 1))


@each_measure
def test_what_stands_behind_a_number_can_be_shown(name: str, asked: Asked) -> None:
    measure, found = MEASURES[name](), asked.answer(name, "own release")
    assert isinstance(found, Measurement)
    _, published = measure.publishable(found.value, found.details, 250)
    for details in (dict(found.details), published, {}):
        for table in measure.tables(details):
            assert {len(row) for row in table.rows} == {len(table.columns)}
            assert table.says.endswith(".")
        for said in (measure.remarks(details), measure.headline_remarks(details)):
            assert said == "" or said.endswith(".")
        assert measure.tone(details) in {"good", "care", "bad", None}


@each_measure
def test_details_are_as_they_are_declared(name: str, asked: Asked) -> None:
    """Every field is there under its name and holds what its type says, so that marks for outsiders miss nothing."""
    for case in ("own release", "survey weights", "a hold-out"):
        found = asked.answer(name, case)
        if isinstance(found, Measurement) and MEASURES[name]().declared is not None:
            assert misfits(MEASURES[name]().declared, dict(found.details)) == []


def misfits(kind: Any, value: Any, where: str = "") -> list[str]:
    """What of some plain data is not as declared."""
    origin, parts = get_origin(kind), get_args(kind)
    if origin in (Annotated, NotRequired, Required):
        return misfits(parts[0], value, where)
    if origin in (Union, UnionType):
        return [] if any(not misfits(part, value) for part in parts) else [f"{where}: {value!r}"]
    if is_typeddict(kind):
        hints = get_type_hints(kind, include_extras=True)
        needed = {n for n, hint in hints.items() if kind.__total__ and get_origin(hint) is not NotRequired}
        names = [f"{where}.{name}" for name in needed - value.keys() | value.keys() - hints.keys()]
        return names + [
            m for n in hints.keys() & value.keys() for m in misfits(hints[n], value[n], f"{where}.{n}")
        ]
    if origin in (list, Sequence, dict):
        if not isinstance(value, origin):
            return [f"{where}: {value!r}"]
        inner = value.values() if origin is dict else value
        return [m for each in inner for m in misfits(parts[-1], each, f"{where}[]")]
    if kind is Any or origin is Literal:
        return []
    return [] if isinstance(value, int | float if kind is float else kind) else [f"{where}: {value!r}"]


@each_measure
def test_what_outsiders_see_is_rounded_and_plain(name: str, asked: Asked) -> None:
    measure, found = MEASURES[name](), asked.answer(name, "own release")
    assert isinstance(found, Measurement)
    value, published = measure.publishable(found.value, found.details, 250)
    assert value is None or value == pytest.approx(found.value, abs=0.05 * max(1.0, abs(found.value)) + 2)
    assert measure.publishable(None, {}, 250) == (None, {})
    assert published.keys() <= found.details.keys()
    assert {type(leaf) for leaf in leaves(published)} <= PLAIN
    assert all(leaf == round(leaf, 4) for leaf in leaves(published) if type(leaf) is float)


@each_measure
def test_every_measure_has_its_own_file_and_test(name: str) -> None:
    measure = MEASURES[name]()
    assert type(measure).__module__ == f"hushwood.measures.{measure.side}.{name}"
    assert (ROOT / "tests" / "unit" / "measures" / measure.side / f"test_{name}.py").is_file()


@each_measure
def test_every_measure_is_documented(name: str) -> None:
    assert f"`{name}`" in (ROOT / "docs" / "measures.md").read_text("utf-8")


@each_case
@each_measure
def test_an_answer_is_a_number_in_bounds_or_a_reason(name: str, case: str, asked: Asked) -> None:
    found = asked.answer(name, case)
    if isinstance(found, NotComputable):
        assert found.reason.endswith(".")
        assert len(found.reason.split()) > 3
        return
    assert type(found.value) is float
    assert math.isfinite(found.value)
    assert within(MEASURES[name](), found.value)
    assert {type(leaf) for leaf in leaves(dict(found.details))} <= PLAIN
    json.dumps(dict(found.details), allow_nan=False)
    for values in found.records.values():
        assert values.shape == (asked.case(case).original.rows,)


@each_case
@each_measure
def test_the_value_alone_is_the_same_value(name: str, case: str, asked: Asked) -> None:
    brief = asked.case(case).answer(name, value_only=True)
    assert _value(brief) == pytest.approx(_value(asked.answer(name, case)), abs=1e-12)


@pytest.mark.parametrize("name", UTILITY)
@pytest.mark.parametrize("case", ["own release", "no roles", "two records", "other categories"])
def test_a_table_and_itself_have_the_best_value(name: str, case: str, asked: Asked) -> None:
    measure, table = MEASURES[name](), asked.case(case).original
    for paired in (True, False):
        found = measure.compute(table, table, context_for(table, table, paired=paired, value_only=True))
        if measure.best is not None and isinstance(found, Measurement):
            assert found.value == pytest.approx(measure.best, abs=1e-9)


@each_measure
def test_every_measure_can_be_computed_for_an_ordinary_pair(name: str, asked: Asked) -> None:
    assert isinstance(asked.answer(name, "own release"), Measurement)
    assert isinstance(asked.answer(name, "shuffled columns"), Measurement)


@each_measure
def test_the_same_key_gives_the_same_answer(name: str, asked: Asked) -> None:
    again = asked.case("own release").answer(name)
    assert json.dumps(_plain(again)) == json.dumps(_plain(asked.answer(name, "own release")))


@each_measure
def test_threads_do_not_change_the_value(name: str, asked: Asked) -> None:
    two = asked.case("own release").answer(name, threads=2, value_only=True)
    assert _value(two) == pytest.approx(_value(asked.answer(name, "own release")), abs=1e-9)


@pytest.mark.parametrize("unit", UNITS)
@each_measure
def test_units_and_signs_of_numbers_make_no_difference(name: str, unit: str, asked: Asked) -> None:
    for case in ("shuffled columns", "unpaired, fewer rows"):
        given = asked.case(case)
        original, released = UNITS[unit](given.original), UNITS[unit](given.released)
        other = replace(given, original=original, released=released).answer(name, value_only=True)
        if (name, unit) not in MAY_DIFFER:
            assert _value(other) == pytest.approx(_value(asked.answer(name, case)), abs=1e-7)


def test_exceptions_are_of_measures_and_units_that_there_are() -> None:
    assert {name for name, _ in MAY_DIFFER} <= set(MEASURES)
    assert {unit for _, unit in MAY_DIFFER} <= set(UNITS)


def _value(answer: Measurement | NotComputable) -> float | None:
    return answer.value if isinstance(answer, Measurement) else None


def _plain(answer: Measurement | NotComputable) -> Any:
    return [answer.value, dict(answer.details)] if isinstance(answer, Measurement) else answer.reason
