"""Likelihoods by the laws of our own releases, compared with the laws themselves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import log2
from typing import Any

import numpy as np
import pytest

from hushwood.arrays import Array, Flags, Floats
from hushwood.measures.posterior.evidence import evidence_for
from hushwood.measures.posterior.law_likelihoods import law_evidence, matrix_likelihood
from hushwood.measures.posterior.posteriors import posteriors, posteriors_by_known
from hushwood.releasing.engines.memory import run
from hushwood.releasing.fitted import PreparedStep
from hushwood.segments.partition import intersections, whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.domains import to_steps
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table
from hushwood.techniques.domain_noise import Linfapt, Linnapt
from hushwood.techniques.laws.forms import MatrixForm, RedrawForm
from hushwood.techniques.laws.groupings import ClusterGroups, by_segment, coded
from hushwood.techniques.laws.joint import JointLaw
from hushwood.techniques.laws.noise import NoiseLaw, NoiseParameters
from hushwood.techniques.laws.permutation import PartialPermutationLaw, PermutationLaw
from hushwood.techniques.laws.redraw import RedrawLaw
from hushwood.techniques.pram import InvariantPram, Pram, RandomCategorical, TwoStageLaw
from hushwood.techniques.protocol import Technique
from hushwood.techniques.swap import Swap
from oracles import reidentification as oracle
from support.mixed_tables import (
    category,
    grown_forest,
    mixed_table,
    number,
    one_tree,
    table_of,
    target,
    with_smoker,
)
from support.table_pairs import STREAMS, context_for
from support.technique_variants import VARIANTS, prepared
from support.transition_tables import coded_table, law_of

ROWS = 90


def readable(technique: Technique) -> bool:
    """Whether all its laws are of a kind that the intruder's likelihoods know."""
    table = with_smoker(mixed_table(1, 40))
    joint = [step.perturber.law() for step in prepared(technique, table, whole_table(table))]
    laws = [law for one in joint for law in (one.laws if isinstance(one, JointLaw) else (one,))]
    return all(
        isinstance(law, NoiseLaw | RedrawLaw | TwoStageLaw | PartialPermutationLaw)
        or (isinstance(law, PermutationLaw) and law.group_of is by_segment and law.share == 1)
        for law in laws
    )


INPUTS = {name: t for name, t in VARIANTS.items() if t.perturbs != "class" and name[:7] != "LINNAPT"}
TECHNIQUES = {name: technique for name, technique in INPUTS.items() if readable(technique)}
UNREAD = {"DRSWAP", "DRSWAP share", "DRSWAP segment", "WARNER together", "SUPPRESS"}
SUBSETS = (
    ("count", "price", "ratio", "constant", "void", "city", "job", "nothing", "smoker"),
    ("price", "job"),
    ("ratio",),
    ("count", "city"),
    (),
)


@pytest.fixture(scope="module")
def table() -> Table:
    return with_smoker(mixed_table(4, ROWS))


@pytest.fixture(scope="module")
def segments(table: Table) -> Segments:
    return intersections(table, grown_forest(table, min_leaf=9))


def steps_of(name: str, table: Table, segments: Segments) -> list[PreparedStep]:
    """The technique for all its columns; noise on influential attributes with its twin for the innocent ones."""
    steps = prepared(TECHNIQUES[name], table, segments)
    if name.startswith("LINFAPT"):
        steps += prepared(VARIANTS[name.replace("LINFAPT", "LINNAPT")], table, segments)
    return steps


def no_record(law: Any, x: Mapping[str, Array], ids: Array, low: float | None) -> Flags:
    """Whether a record with these values cannot be in the segment, as far as the law knows its rules."""
    own, law = x[law.attribute], law.marginal if isinstance(law, PartialPermutationLaw) else law
    if isinstance(law, NoiseLaw):
        steps, inside = to_steps(own, law.intervals.precision), law.intervals.take(ids)
        return np.asarray((steps < inside.low) | (steps > inside.high))
    if law.group_of is by_segment:
        known = law.shares if isinstance(law, TwoStageLaw) else law.distributions
        return np.asarray(known.of(ids.astype(np.int64), coded(own, known.width)) == 0)
    if isinstance(law, TwoStageLaw):
        return np.zeros(len(own), bool)
    groups = law.group_of(x, ids)
    held = set((law.distributions.keys // law.distributions.width).tolist())
    gone = np.array([g not in held for g in groups.tolist()]) if law.by_value else groups >= len(law.change)
    if isinstance(law.group_of, ClusterGroups) and law.group_of.allowed is not None:
        allowed = law.group_of.allowed
        gone |= ~allowed.sets[allowed.of_segment[ids], coded(own, law.distributions.width)]
    return np.asarray(gone)


def log_probabilities(
    table: Table, released: Table, steps: Sequence[PreparedStep], ids: Array, name: str
) -> Floats:
    """log P(released value of i | value of x, segment of i) of all pairs (x, i), by the law's own `log_prob`."""
    rows = table.rows
    one, other = np.repeat(np.arange(rows), rows), np.tile(np.arange(rows), rows)
    x = {column: values[one] for column, values in table.columns.items()}
    y = {column: values[other] for column, values in released.columns.items()}
    same = (x[name] == y[name]) | ((x[name] != x[name]) & (y[name] != y[name]))
    logs = np.where(same, 0.0, -np.inf)
    for step in steps:
        law = next((law for law in step.perturber.law().laws if law.attribute == name), None)  # type: ignore[attr-defined]
        if law is None:
            continue
        covers = step.perturber.covers(name)
        here = np.flatnonzero(np.ones(len(one), bool) if covers is None else covers[ids[other]])
        segment = ids[other][here]
        mine, theirs = ({c: values[here] for c, values in columns.items()} for columns in (x, y))
        if isinstance(law, PermutationLaw):
            held = set(zip(ids.tolist(), released.columns[name].tolist(), strict=True))
            there = [pair in held for pair in zip(segment.tolist(), mine[name].tolist(), strict=True)]
            logs[here] = np.where(there, 0.0, -np.inf)
            continue
        barred = no_record(law, mine, segment, table.schema[name].low)
        logs[here] = -np.inf
        free = np.flatnonzero(~barred)
        mine, theirs = ({c: values[free] for c, values in columns.items()} for columns in (mine, theirs))
        logs[here[free]] = law.log_prob(mine, theirs, segment[free])
    return logs.reshape(rows, rows)


@pytest.mark.parametrize("name", TECHNIQUES)
def test_posteriors_follow_from_the_laws(name: str, table: Table, segments: Segments) -> None:
    steps = steps_of(name, table, segments)
    released = table.with_columns(run(table, steps, STREAMS))
    context = context_for(table, released, steps=tuple(steps))
    evidence = law_evidence(table, released, context, np.arange(ROWS))
    assert evidence is not None
    labels = np.arange(ROWS) % 3
    # Continuous uniform noise ends abruptly, and there a table of distances can be wrong about single pairs.
    tolerance = 0.05 if "uniform" in name else 5e-4
    for known in SUBSETS:
        logs = sum(
            (log_probabilities(table, released, steps, segments.ids, one) for one in known),
            start=np.zeros((ROWS, ROWS)),
        )
        shares = np.array([oracle.posterior(row.tolist()) for row in logs])
        found = posteriors(evidence.knowing(known), labels, 1)
        bits = [oracle.entropy(row.tolist()) for row in shares]
        np.testing.assert_allclose(found.bits, bits, atol=tolerance, err_msg=str(known))
        mass = np.stack([shares[:, labels == label].sum(axis=1) for label in range(3)], axis=1)
        np.testing.assert_allclose(found.mass, mass, atol=tolerance, err_msg=str(known))
        assert not found.impossible.any()


@pytest.mark.parametrize("name", sorted(UNREAD))
def test_laws_that_cannot_be_read_give_way_to_fitted_kernels(
    name: str, table: Table, segments: Segments
) -> None:
    steps = prepared(INPUTS[name], table, segments)
    released = table.with_columns(run(table, steps, STREAMS))
    context = context_for(table, released, steps=tuple(steps))
    assert law_evidence(table, released, context, np.arange(ROWS)) is None


def test_the_laws_of_matrices_can_be_read() -> None:
    matrices = {name for name in INPUTS if name.split()[0] in {"PRAM", "IPRAM", "WARNER"}}
    assert matrices - UNREAD <= set(TECHNIQUES)
    assert not UNREAD & set(TECHNIQUES)


def test_known_one_by_one_is_known_together(table: Table, segments: Segments) -> None:
    steps = steps_of("LINFAPT", table, segments) + prepared(Swap(), table, segments)
    released = table.with_columns(run(table, steps, STREAMS))
    evidence = law_evidence(
        table, released, context_for(table, released, steps=tuple(steps)), np.arange(ROWS)
    )
    assert evidence is not None
    names, labels = list(evidence.likelihoods), np.zeros(ROWS, np.int64)
    order = np.argsort(np.random.default_rng(1).random((ROWS, len(names))), axis=1)
    alone, together = posteriors_by_known(evidence, labels, order, 1)
    for j, name in enumerate(names):
        found = posteriors(evidence.knowing([name]), labels, 1)
        np.testing.assert_allclose(alone.bits[:, j], found.bits, atol=1e-5)
    np.testing.assert_allclose(together.bits[:, -1], posteriors(evidence, labels, 1).bits, atol=1e-4)
    first = [names[j] for j in order[0, :3]]
    assert together.bits[0, 2] == pytest.approx(
        posteriors(evidence.knowing(first), labels, 1).bits[0], abs=1e-5
    )


@dataclass(frozen=True)
class Boxed:
    """Whole numbers from 1 to 10 in two segments: up to 3, and from 4 on; another number is tested nowhere."""

    table: Table
    segments: Segments

    @classmethod
    def of(cls, rows: int) -> Boxed:
        chance = np.random.default_rng(7)
        size, age = (chance.integers(1, 11, rows).astype(float).tolist() for _ in range(2))
        table = table_of(
            {
                "size": (number("size", 1, 10), size),
                "age": (number("age", 1, 10), age),
                "k": (target("k", "ab"), (chance.integers(0, 2, rows)).tolist()),
            }
        )
        test = {"attribute": "size", "threshold": 3}
        nodes: list[dict[str, Any]] = [
            {"id": 0, "test": test, "children": {"le": 1, "gt": 2}, "missing_to": 1, "counts": [2, 2]},
            {"id": 1, "counts": [1, 1]},
            {"id": 2, "counts": [1, 1]},
        ]
        forest = one_tree({"name": "size", "kind": "numeric", "integer": True, "precision": 0}, nodes)
        return cls(table, intersections(table, forest))


@pytest.mark.parametrize("noise", [0.1, 1 / 3, 2.0])
def test_wrapped_noise_as_the_oracle_says(noise: float) -> None:
    boxed = Boxed.of(60)
    table, parameters = boxed.table, NoiseParameters(noise)
    steps = [
        PreparedStep(technique.prepare(table, [name], boxed.segments), boxed.segments.ids)
        for technique, name in ((Linfapt(parameters), "size"), (Linnapt(parameters), "age"))
    ]
    released = table.with_columns(run(table, steps, STREAMS))
    evidence = law_evidence(table, released, context_for(table, released, steps=tuple(steps)), np.arange(60))
    assert evidence is not None
    found = posteriors(evidence, np.zeros(60, np.int64), 1)
    ages = [int(v) for v in table.columns["age"]], [int(v) for v in released.columns["age"]]
    sizes = [int(v) for v in table.columns["size"]], [int(v) for v in released.columns["size"]]
    for x in range(60):
        logs = []
        for i in range(60):
            box = (1, 3) if sizes[1][i] <= 3 else (4, 10)
            chance = oracle.wrapped(sizes[0][x], sizes[1][i], *box, noise)
            logs.append(oracle.log(chance * oracle.wrapped(ages[0][x], ages[1][i], 1, 10, noise)))
        assert found.bits[x] == pytest.approx(oracle.entropy(oracle.posterior(logs)), abs=2e-5)


def test_a_permutation_tells_only_who_can_be_in_a_segment() -> None:
    """Segments {a, a, b} and {b, c}: an a is one of three, a c one of two, and a b any of five."""
    table = table_of(
        {"c": (category("c", "abc"), [0, 0, 1, 1, 2]), "k": (target("k", "xy"), [0, 0, 0, 1, 1])}
    )
    ids = np.array([0, 0, 0, 1, 1], np.int32)
    step = PreparedStep(Swap().prepare(table, ["c"], Segments(ids, 2, {}, {}, {})), ids)
    released = table.with_columns(run(table, [step], STREAMS))
    evidence = law_evidence(table, released, context_for(table, released, steps=(step,)), np.arange(5))
    assert evidence is not None
    found = posteriors(evidence, np.zeros(5, np.int64), 1)
    np.testing.assert_allclose(found.bits, [log2(3), log2(3), log2(5), log2(5), 1], atol=1e-6)


def test_a_joint_permutation_tells_which_rows_a_segment_has() -> None:
    """b and d are both in segment 1, but on different records: together they are only in segment 0."""
    table = table_of(
        {
            "x": (category("x", "ab"), [0, 1, 1, 0]),
            "y": (category("y", "cd"), [0, 1, 0, 1]),
            "k": (target("k", "no"), [0, 1, 0, 1]),
        }
    )
    segments = Segments(np.array([0, 0, 1, 1], np.int32), 2, {}, {}, {})
    for joint, possible in ((False, 4), (True, 2)):
        steps = prepared(Swap(joint=joint), table, segments)
        released = table.with_columns(run(table, steps, STREAMS))
        context = context_for(table, released, steps=tuple(steps))
        evidence = law_evidence(table, released, context, np.arange(4))
        assert evidence is not None
        found = posteriors(evidence.knowing(("x", "y")), np.arange(4) // 2, 1)
        assert found.bits == pytest.approx([log2(possible)] * 4, abs=1e-5)
        assert found.mass[1] == pytest.approx([1, 0] if joint else [0.5, 0.5], abs=1e-5)


def test_a_sample_of_the_rows_is_judged_by_the_same_laws(table: Table, segments: Segments) -> None:
    steps = prepared(Swap(), table, segments)
    released = table.with_columns(run(table, steps, STREAMS))
    some = np.arange(0, ROWS, 3)
    fewer = tuple(replace(step, segment_ids=step.segment_ids[some]) for step in steps)
    context = context_for(table.take(some), released.take(some), steps=fewer)
    evidence = law_evidence(table.take(some), released.take(some), context, np.arange(len(some)))
    assert evidence is not None
    assert evidence.source == "laws"
    assert not posteriors(evidence, np.zeros(len(some), np.int64), 1).impossible.any()


@dataclass(frozen=True)
class Unreadable:
    """A law that states no form."""

    attribute: str
    dependent: bool = False

    def forms(self, schema: Schema) -> dict[str, object]:
        return {}


@dataclass(frozen=True)
class Odd:
    """A perturber with such a law."""

    attributes: tuple[str, ...]

    def covers(self, attribute: str) -> None:
        return None

    def law(self) -> Unreadable:
        return Unreadable(self.attributes[0])


@pytest.mark.parametrize("what", ["no steps", "unknown law", "rows dropped", "two laws at once"])
def test_other_releases_are_judged_by_fitted_kernels(what: str, table: Table, segments: Segments) -> None:
    steps = steps_of("RNAT", table, segments)
    released = table.with_columns(run(table, steps, STREAMS))
    partner = np.arange(ROWS)
    if what == "no steps":
        steps = []
    elif what == "unknown law":
        steps = [PreparedStep(Odd(("price",)), segments.ids)]  # type: ignore[arg-type]
    elif what == "two laws at once":
        steps = steps + steps
    else:
        released, partner = released.take(np.arange(1, ROWS)), partner - 1
    context = context_for(table, released, steps=tuple(steps), partner=partner)
    targets = np.flatnonzero(partner >= 0)
    assert law_evidence(table, released, context, targets) is None
    evidence = evidence_for(table, released, context, targets)
    assert evidence is not None
    assert evidence.source == "fitted"


def test_a_wrong_law_gives_other_entropies(table: Table, segments: Segments) -> None:
    """The check above can fail: half as much noise is another law."""
    steps = steps_of("LINFAPT", table, segments)
    released = table.with_columns(run(table, steps, STREAMS))
    wrong = Linfapt(NoiseParameters(1 / 6))
    other = prepared(wrong, table, segments) + steps[len(steps) // 2 :]
    labels, bits = np.zeros(ROWS, np.int64), []
    for given in (steps, other):
        evidence = law_evidence(
            table, released, context_for(table, released, steps=tuple(given)), np.arange(ROWS)
        )
        assert evidence is not None
        bits.append(posteriors(evidence, labels, 1).bits)
    assert np.abs(bits[0] - bits[1]).mean() > 0.05


CODES, IDS = [0, 1, 1, 2, 0, -1, 2, 2], [0, 0, 0, 0, 1, 1, 1, 1]
TURN = [[0.5, 0.5, 0.0], [0.0, 0.9, 0.1], [1.0, 0.0, 0.0]]
LAWS = {
    "matrix": Pram({"x": TURN}),
    "matrix in segments": Pram({"x": TURN}, within="segment"),
    "change in segments": Pram(probability=0.3, within="segment"),
    "two stages": InvariantPram(probability=0.6),
    "two stages in segments": InvariantPram(probability=0.6, within="segment"),
    "direct in segments": InvariantPram("direct", within="segment"),
}


def matrix_of(technique: Technique) -> MatrixForm:
    table = coded_table(CODES, 3)
    form = law_of(technique, table, IDS).forms(table.schema)["x"]
    assert isinstance(form, MatrixForm)
    return form


@pytest.mark.parametrize("technique", LAWS.values(), ids=LAWS)
def test_every_pair_of_values_has_the_laws_probability(technique: Technique) -> None:
    """Blocks are the segments; values that do not occur in a segment cannot be in it."""
    form = matrix_of(technique)
    own, given = np.array([0, 1, 2, -1, 1], np.int32), np.array([2, 0, 1, -1], np.int32)
    found = matrix_likelihood(form, {"x": own}, given, np.array([0, 1]))
    assert found is not None
    inside = "segment" if technique.keeps_segment else "table"
    for block in (0, 1):
        for x in range(len(own)):
            place = found.class_of[block], found.kind[x]
            if inside == "segment" and int(own[x]) not in {
                c for c, s in zip(CODES, IDS, strict=True) if s == block
            }:
                row = found.row[place]
                assert row < 0 or (found.table[row : row + 4] < -1e29).all()
                continue
            for y in range(len(given)):
                one, other = {"x": own[x : x + 1]}, {"x": given[y : y + 1]}
                wanted = form.law.log_prob(one, other, np.array([block]))[0] / np.log(2)
                same = found.code[x] == found.released[y]
                told = found.stay[place] if same else found.table[found.row[place] + int(found.released[y])]
                assert told == pytest.approx(max(wanted, -1e30), rel=1e-5, abs=1e-6)


def test_values_that_the_law_never_knew_are_impossible() -> None:
    found = matrix_likelihood(
        matrix_of(Pram({"x": TURN})), {"x": np.array([0, 1])}, np.array([0, 7]), np.array([0])
    )
    assert found is not None
    assert (found.table.reshape(2, 2)[:, 1] < -1e29).all()


def test_too_many_pairs_are_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hushwood.measures.posterior.law_likelihoods.MOST_PAIRS", 11)
    form = matrix_of(InvariantPram(within="segment"))
    assert matrix_likelihood(form, {"x": np.array([0, 1])}, np.array([0, 1, 2]), np.array([0, 1])) is None
    assert matrix_likelihood(form, {"x": np.array([0])}, np.array([0, 1, 2]), np.array([0, 1])) is not None


def test_one_distribution_for_the_whole_table_is_read_elsewhere() -> None:
    table = coded_table(CODES, 3)
    form = law_of(RandomCategorical(), table, IDS).forms(table.schema)["x"]
    assert isinstance(form, RedrawForm)
