"""Laws asked about every pair, and boxes that only say who can be in them, compared with the laws themselves."""

from __future__ import annotations

from math import exp, inf, log, log2
from typing import Any

import numpy as np
import pytest

from hushwood.measures.posterior import pair_likelihoods
from hushwood.measures.posterior.evidence import Targets, evidence_for
from hushwood.measures.posterior.fitted_likelihoods import fitted_evidence
from hushwood.measures.posterior.law_likelihoods import affordable_by_laws, law_evidence
from hushwood.measures.posterior.likelihoods import Evidence
from hushwood.measures.posterior.posteriors import posteriors
from hushwood.measures.protocol import Measurement
from hushwood.measures.risk.reidentification_entropy import ReidentificationEntropy
from hushwood.releasing.engines.memory import run
from hushwood.releasing.fitted import PreparedStep
from hushwood.segments.partition import intersections, whole_table
from hushwood.segments.segments import Segments, domain_intervals
from hushwood.tables.domains import Intervals, to_steps
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import Kim, KimWinkler, LogNoise, Sadp
from hushwood.techniques.gadp import Cgadp, Egadp, Gadp
from hushwood.techniques.laws.forms import BoxForm
from hushwood.techniques.laws.joint import JointLaw
from hushwood.techniques.mdav import Mdav
from hushwood.techniques.protocol import Technique
from hushwood.techniques.rank_swapping import RankSwap, RankSwapLaw
from hushwood.techniques.shuffle import Rotation, Shuffle
from oracles import reidentification as oracle
from support.mixed_tables import category, number, one_tree, table_of, target
from support.table_pairs import STREAMS, context_for
from support.technique_variants import prepared

NUMBERS = ("size", "age", "rate")
GAP = float("nan")
CASES: dict[str, Technique] = {
    "GADP": Gadp(rho=0.6),
    "GADP segment": Gadp(rho=0.6, within="segment"),
    "GADP given": Gadp(rho=0.6, given=("rate", "city")),
    "GADP given, rho 0": Gadp(within="segment", given=("rate",)),
    "CGADP": Cgadp(rho=0.6, within="segment"),
    "KIM": Kim(0.3),
    "KIM segment": Kim(0.3, within="segment"),
    "LOGNOISE": LogNoise(0.3),
    "SADP": Sadp(0.3, within="segment", bounded=False),
    "KIMWINKLER": KimWinkler(0.1),
    "KIMWINKLER segment": KimWinkler(0.1, within="segment"),
    "RANKSWAP": RankSwap(15),
    "RANKSWAP segment": RankSwap(30, within="segment"),
    "MDAV": Mdav(),
    "MDAV segment": Mdav(within="segment"),
}


def table_with_gaps(rows: int) -> Table:
    """Correlated numbers on grids and reals; the age of every third is missing, and some classes are."""
    chance = np.random.default_rng(3)
    common = chance.normal(size=rows)
    size = np.clip(np.rint(5.5 + 2 * common + chance.normal(size=rows)), 1, 10)
    age = np.clip(np.rint(50 + 15 * common + 5 * chance.normal(size=rows)), 10, 99)
    rate = np.clip(2 + common + 0.5 * chance.normal(size=rows), -2, 6)
    return table_of(
        {
            "size": (number("size", 1, 10), size.tolist()),
            "age": (number("age", 10, 99), np.where(np.arange(rows) % 3 == 0, GAP, age).tolist()),
            "rate": (number("rate", -2, 6, None), rate.tolist()),
            "city": (category("city", "ab"), chance.integers(0, 2, rows).tolist()),
            "k": (target("k", "ab"), np.where(np.arange(rows) % 9 == 0, -1, common > 0).tolist()),
        }
    )


def halves(table: Table) -> Segments:
    """Two segments: sizes up to 5, and above."""
    nodes: list[dict[str, Any]] = [
        {
            "id": 0,
            "test": {"attribute": "size", "threshold": 5},
            "children": {"le": 1, "gt": 2},
            "missing_to": 1,
            "counts": [2, 2],
        },
        {"id": 1, "counts": [1, 1]},
        {"id": 2, "counts": [1, 1]},
    ]
    forest = one_tree({"name": "size", "kind": "numeric", "integer": True, "precision": 0}, nodes)
    return intersections(table, forest)


class Made:
    """A table released by one technique, and the evidence of the laws."""

    def __init__(self, technique: Technique, table: Table, segments: Segments) -> None:
        self.table, self.segments = table, segments
        self.steps = prepared(technique, table, segments)
        self.released = table.with_columns(run(table, self.steps, STREAMS))
        self.context = context_for(table, self.released, steps=tuple(self.steps))
        self.targets = np.arange(table.rows)

    def laws(self) -> Evidence:
        found = law_evidence(self.table, self.released, self.context, self.targets)
        assert found is not None
        return found

    def fitted(self) -> Evidence:
        found = fitted_evidence(self.table, self.released, self.context, self.targets)
        assert found is not None
        return found

    def bits(self, evidence: Evidence) -> Any:
        return posteriors(evidence, np.zeros(self.table.rows, np.int64), 1).bits


def row_of(table: Table, row: int) -> dict[str, Any]:
    return {name: column[row : row + 1] for name, column in table.columns.items()}


def fits(made: Made, name: str, x: int, i: int) -> bool:
    """Whether record x can be in the segment of record i, as far as one number tells."""
    own, other = made.table.columns[name][x], made.table.columns[name][i]
    if np.isnan(own) or np.isnan(other):
        return bool(np.isnan(own) and np.isnan(other))
    inside = made.segments.intervals[name].take(made.segments.ids[i : i + 1])
    steps = to_steps(np.array([own]), inside.precision)
    return bool(inside.low[0] <= steps[0] <= inside.high[0])


def chance_of(made: Made, step: PreparedStep, x: int, i: int, within: str, reads_class: bool) -> float:
    """Natural logarithm of P(numbers of released record i | record x), over all classes it may have."""
    law, names = step.perturber.law(), step.perturber.attributes
    if within == "segment" and not all(fits(made, name, x, i) for name in names):
        return -inf
    if not all(np.isnan(made.table.columns[n][x]) == np.isnan(made.table.columns[n][i]) for n in names):
        return -inf
    total = 0.0
    for one, share in classes_of(made, reads_class).items():
        record = row_of(made.table, x) | {"k": np.array([one], np.int32)}
        found = law.log_prob(record, row_of(made.released, i), made.segments.ids[i : i + 1])
        total += share * exp(float(found[0]))
    only = law.laws[0] if isinstance(law, JointLaw) else law
    if isinstance(only, RankSwapLaw) and not np.isnan(made.released.columns[names[0]][i]):
        total /= holders(made, names[0], i, within)
    return log(total) if total > 0 else -inf


def classes_of(made: Made, read: bool) -> dict[int, float]:
    """The classes with their shares, missing among them; any one if they are not read."""
    classes = made.table.columns["k"].tolist()
    return {one: classes.count(one) / len(classes) for one in set(classes)} if read else {0: 1.0}


def holders(made: Made, name: str, i: int, within: str) -> int:
    ids = made.segments.ids.tolist() if within == "segment" else [0] * made.table.rows
    values = made.released.columns[name].tolist()
    return [*zip(ids, values, strict=True)].count((ids[i], values[i]))


@pytest.mark.parametrize("name", CASES)
def test_posteriors_are_those_of_the_law_asked_pair_by_pair(name: str) -> None:
    table = table_with_gaps(48)
    segments = halves(table)
    made = Made(CASES[name], table, segments)
    found = made.bits(made.laws().knowing(NUMBERS if "given" not in name else (*NUMBERS, "city")))
    perturbed = {one for step in made.steps for one in step.perturber.attributes}
    copied = [one for one in (*NUMBERS, "city") if one not in perturbed and "given" in name]
    within = getattr(CASES[name], "within", "table")
    for x in range(0, table.rows, 7):
        logs = []
        for i in range(table.rows):
            alike = all(
                np.array_equal(row_of(table, x)[one], row_of(made.released, i)[one], equal_nan=True)
                for one in copied
            )
            each = [chance_of(made, step, x, i, within, name == "GADP") for step in made.steps]
            logs.append(sum(each) if alike else -inf)
        assert found[x] == pytest.approx(oracle.entropy(oracle.posterior(logs)), abs=2e-4), x


def correlated(rows: int) -> Table:
    """Four columns with correlations of .95."""
    chance = np.random.default_rng(5)
    common = chance.normal(size=rows)
    columns = [np.sqrt(0.95) * common + np.sqrt(0.05) * chance.normal(size=rows) for _ in range(4)]
    numbers = {f"x{j}": (number(f"x{j}", -6, 6, None), column.tolist()) for j, column in enumerate(columns)}
    return table_of({**numbers, "k": (target("k", "ab"), (common > 0).tolist())})


@pytest.mark.parametrize(("technique", "most"), [(Kim(0.1), 0.7), (Gadp(rho=0.9, given=()), 0.85)])
def test_correlated_noise_hides_less_than_the_columns_one_by_one_would_say(
    technique: Technique, most: float
) -> None:
    table = correlated(400)
    made = Made(technique, table, whole_table(table))
    assert made.bits(made.laws()).mean() < most * made.bits(made.fitted()).mean()


def test_entropies_of_the_joint_law_are_the_surprise_at_the_true_record() -> None:
    """An intruder who is right about the noise is as sure as he may be; one who takes columns one by one is not."""
    table = correlated(400)
    made = Made(Kim(0.1), table, whole_table(table))
    missed = []
    for evidence in (made.laws(), made.fitted()):
        found = posteriors(evidence, np.arange(400), 1)
        surprise = -np.log2(np.maximum(np.diagonal(found.mass), 1e-30))
        missed.append(abs(float(surprise.mean() - found.bits.mean())))
    assert missed[0] < 0.2
    assert missed[1] > 0.5


def test_only_some_of_a_group_are_judged_by_fitted_kernels() -> None:
    table = table_with_gaps(60)
    made = Made(Kim(0.3), table, whole_table(table))
    laws, fitted = made.laws(), made.fitted()
    assert laws.source == "laws"
    assert laws.described["size"]["together_with"] == ["age", "rate"]
    for known in (["size"], ["rate", "age"], ["size", "age", "city"]):
        np.testing.assert_allclose(
            made.bits(laws.knowing(known)), made.bits(fitted.knowing(known)), atol=1e-5
        )
    everything = [*NUMBERS, "city"]
    assert np.abs(made.bits(laws.knowing(everything)) - made.bits(fitted.knowing(everything))).mean() > 0.02
    turned = made.bits(laws.knowing(everything[::-1]))
    np.testing.assert_allclose(made.bits(laws.knowing(everything)), turned, atol=1e-4)


def test_columns_that_are_given_must_be_known_too() -> None:
    table = table_with_gaps(60)
    made = Made(Gadp(rho=0.6, given=("city",)), table, whole_table(table))
    laws, fitted = made.laws(), made.fitted()
    without = made.bits(laws.knowing(NUMBERS))
    np.testing.assert_allclose(without, made.bits(fitted.knowing(NUMBERS)), atol=1e-5)
    assert len(laws.knowing([*NUMBERS, "city"]).together().likelihoods) == 2


def test_whoever_knows_everything_knows_the_groups() -> None:
    """The last of the random sets is the whole record, and so is the measure's own number."""
    table = correlated(80)
    made = Made(Kim(0.1), table, whole_table(table))
    found = ReidentificationEntropy().compute(table, made.released, made.context)
    assert isinstance(found, Measurement)
    assert found.details["by_size"][-1]["mean_bits"] == pytest.approx(found.value, abs=1e-5)


def test_groups_of_means_are_as_large_as_they_are() -> None:
    """Groups of three among distinct records: log2 3 bits, by any column or all of them."""
    values = [1.0, 2.0, 3.0, 11.0, 12.0, 13.0]
    table = table_of(
        {
            "a": (number("a", 0, 20), values),
            "b": (number("b", 0, 20), values[::-1]),
            "k": (target("k", "xy"), [0, 1, 0, 1, 0, 1]),
        }
    )
    made = Made(Mdav(3), table, whole_table(table))
    np.testing.assert_allclose(made.bits(made.laws()), log2(3), atol=1e-6)


def test_a_swap_over_all_ranks_of_equal_numbers_tells_nothing() -> None:
    """Every value goes to anybody, so that all holders are alike, however frequent their value is."""
    values = [1.0] * 6 + [2.0] * 2
    table = table_of({"a": (number("a", 0, 5), values), "k": (target("k", "xy"), [0, 1] * 4)})
    made = Made(RankSwap(100), table, whole_table(table))
    law = made.steps[0].perturber.law()
    bits = made.bits(made.laws())
    chance = exp(float(law.log_prob({"a": np.ones(1)}, {"a": np.ones(1)}, np.zeros(1, np.int64))[0]))
    shares = [chance / 6] * 6 + [(1 - chance) / 2] * 2
    assert bits[0] == pytest.approx(oracle.entropy(shares), abs=1e-5)


@pytest.mark.parametrize("technique", [Egadp(rho=0.6), Rotation()])
def test_draws_that_only_all_records_explain_stay_with_fitted_kernels(technique: Technique) -> None:
    table = table_with_gaps(60)
    made = Made(technique, table, whole_table(table))
    assert law_evidence(table, made.released, made.context, made.targets) is None
    found = evidence_for(table, made.released, made.context, made.targets)
    assert found is not None
    assert found.source == "fitted"


def test_cells_with_too_few_records_stay_with_fitted_kernels() -> None:
    table = table_with_gaps(12)
    made = Made(Gadp(rho=0.6, within="segment"), table, halves(table))
    assert law_evidence(table, made.released, made.context, made.targets) is None


def test_gaps_that_the_law_never_saw_are_impossible() -> None:
    """A release that lost a number is nobody's, instead of anybody's of another cell."""
    table = correlated(30)
    made = Made(Kim(0.3), table, whole_table(table))
    gone = made.released.columns["x1"].copy()
    gone[4] = np.nan
    made.released = made.released.with_columns({"x1": gone})
    found = posteriors(made.laws(), np.arange(30), 1)
    assert (found.mass[:, 4] == 0).all()
    assert not found.impossible.any()


def test_large_releases_are_asked_about_fewer_targets(monkeypatch: pytest.MonkeyPatch) -> None:
    table = correlated(120)
    made = Made(Kim(0.3), table, whole_table(table))
    few = affordable_by_laws(table, made.released, made.context, 4 * 120 * 70)
    assert few == 70
    assert affordable_by_laws(table, made.released, made.context, 4 * 120 * 120) == 120
    monkeypatch.setattr("hushwood.measures.posterior.evidence._MOST_QUESTIONS", 4 * 120 * 70)
    some = Targets("purpose", 1000, 1000).all_known(table, made.released, made.context)
    assert isinstance(some, Evidence)
    assert (some.source, len(some.targets)) == ("laws", 70)
    monkeypatch.setattr(pair_likelihoods, "MOST_PAIRS", 120 * 119)
    assert law_evidence(table, made.released, made.context, made.targets) is None


ROWS = 60
ANEW: dict[str, Technique] = {
    "GADP": Gadp(within="segment"),
    "CGADP": Cgadp(within="segment"),
    "SHUFFLE": Shuffle(within="segment"),
    "SHUFFLE class": Shuffle(within="segment", given=("k",)),
    "GADP table": Gadp(),
    "SHUFFLE table": Shuffle(),
}


def two_numbers(gaps: int) -> Table:
    """Sizes 1 to 20, reals around them, the first `gaps` of which are missing, and a class."""
    chance = np.random.default_rng(8)
    size = chance.integers(1, 21, ROWS).astype(float)
    ratio = np.clip(size / 20 + chance.normal(0, 0.1, ROWS), 0, 1)
    ratio[:gaps] = np.nan
    return table_of(
        {
            "size": (number("size", 1, 20), size.tolist()),
            "ratio": (number("ratio", 0, 1, None), ratio.tolist()),
            "k": (target("k", "ab"), (np.arange(ROWS) % 2).tolist()),
        }
    )


def overlapping(table: Table) -> Segments:
    """Sizes up to 10 or from 8 on: those from 8 to 10 can be in either."""
    size = table.columns["size"]
    ids = np.where((size > 10) | ((size >= 8) & (np.arange(ROWS) % 2 == 0)), 1, 0).astype(np.int32)
    boxes = Intervals(np.array([1.0, 8.0]), np.array([10.0, 20.0]), 0)
    ratio = domain_intervals(table.schema["ratio"], 2)
    return Segments(ids, 2, {"size": boxes, "ratio": ratio}, {}, {})


@pytest.mark.parametrize("gaps", [0, 24])
@pytest.mark.parametrize("name", ANEW)
def test_everybody_who_fits_the_segment_and_has_the_same_gaps_is_equally_likely(name: str, gaps: int) -> None:
    table = two_numbers(gaps)
    segments = overlapping(table)
    steps = prepared(ANEW[name], table, segments)
    released = table.with_columns(run(table, steps, STREAMS))
    context = context_for(table, released, steps=tuple(steps))
    evidence = law_evidence(table, released, context, np.arange(ROWS))
    assert evidence is not None
    assert not evidence.groups
    found = posteriors(evidence, np.zeros(ROWS, np.int64), 1)
    size, gone = table.columns["size"].tolist(), np.isnan(table.columns["ratio"]).tolist()
    ids = segments.ids.tolist()
    for x in range(ROWS):
        possible = {0: size[x] <= 10, 1: size[x] >= 8}
        inside = [possible[ids[i]] or "table" in name for i in range(ROWS)]
        both = [inside[i] and gone[i] == gone[x] for i in range(ROWS)]
        assert found.bits[x] == pytest.approx(log2(sum(both)), abs=1e-5)
    assert not found.impossible.any()
    alone = posteriors(evidence.knowing(["ratio"]), np.zeros(ROWS, np.int64), 1).bits
    np.testing.assert_allclose(alone, [log2(gone.count(one)) for one in gone], atol=1e-5)


def test_what_looks_at_known_columns_is_none_of_these() -> None:
    table = two_numbers(0)
    segments = overlapping(table)

    def in_a_box(technique: Technique) -> bool:
        forms = prepared(technique, table, segments)[0].perturber.law().forms(table.schema)
        return any(isinstance(form, BoxForm) for form in forms.values())

    assert in_a_box(Gadp(given=("k",)))
    assert not in_a_box(Gadp(given=("ratio",)))
    assert not in_a_box(Gadp(rho=0.3))
    assert not in_a_box(Kim())


def test_shuffling_given_known_columns_stays_with_fitted_kernels() -> None:
    table = two_numbers(0)
    steps = prepared(Shuffle(given=("ratio",)), table, overlapping(table))
    released = table.with_columns(run(table, steps, STREAMS))
    context = context_for(table, released, steps=tuple(steps))
    assert law_evidence(table, released, context, np.arange(ROWS)) is None
