"""Links between columns in a release: techniques work on free columns, trees and people see those of the table.

`tables.links` knows how linked columns become free and back. Here are the rules' boxes for free columns, and the plan
in terms of the table's own columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from hushwood.arrays import Array, Codes, Flags
from hushwood.errors import InputError
from hushwood.releasing.certifying.checks import COARSE
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.plan import Following, Plan, Step
from hushwood.segments.partition import columns_tested
from hushwood.segments.segments import Allowed, Segments, domain_intervals
from hushwood.tables.domains import Intervals, from_steps
from hushwood.tables.links.counting import countable
from hushwood.tables.links.linked_columns import LinkedColumns
from hushwood.tables.links.links import Link
from hushwood.tables.links.numbers import AllowedValues
from hushwood.tables.links.seen import Seen, see
from hushwood.tables.links.structure import After, JoinedColumns, Looked, Structure, Total, structure_of
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.promises import Missing, Promise
from hushwood.techniques.protocol import Within
from hushwood.techniques.suppression import Suppression
from hushwood.trees.forest import Forest

# What is promised about the gaps of a column that moves with others, by what is promised about the values.
_GAPS: Mapping[str, Missing] = {"same": "same", "dealt": "dealt", "held": "drawn"}


def linked_columns(
    schema: Schema,
    plan: Plan,
    batches: Iterable[Mapping[str, Array]],
    sample: Mapping[str, Array],
) -> LinkedColumns:
    """The linked columns of a table, given all its records; none where a plan releases ranges and groups of values."""
    structure = structure_of(schema) if keeps_links(plan, schema) else Structure()
    seen = Seen() if structure.empty else see(schema, structure, batches, sample)
    return LinkedColumns.of(schema, structure, seen)


def linked_names(schema: Schema) -> tuple[str, ...]:
    """The columns that links are about."""
    kept = {a.name for a in schema.kept}
    return tuple(dict.fromkeys(name for link in schema.links for name in link.columns if name in kept))


def keeps_links(plan: Plan, schema: Schema) -> bool:
    """Whether released values are values of the table, so that links can hold between them."""
    promises = plan.promises(schema).values()
    return bool(schema.links) and not any(promise.values in COARSE for promise in promises)


def warnings_of(linked: LinkedColumns) -> tuple[str, ...]:
    """What cannot be kept."""
    return tuple(
        f"The link between {', '.join(link.columns)} cannot be kept together with the others; declare which of them "
        "matter in the schema, with --links declared."
        for link in linked.structure.lost
    )


def for_trees(table: Table, linked: LinkedColumns) -> Table:
    """The table without columns that trees must not test."""
    gone = linked.structure.computed
    if not gone:
        return table
    kept = tuple(a for a in table.schema.attributes if a.name not in gone or a.role == "class")
    return replace(table, schema=replace(table.schema, attributes=kept))


def check_tests(forest: Forest, linked: LinkedColumns) -> None:
    """Refuse a forest from elsewhere that tests a column which is computed from others."""
    found = sorted(columns_tested(forest) & linked.structure.computed)
    if found:
        raise InputError(
            f"The forest tests {found[0]!r}, which is computed from other columns. Grow a new forest, or release "
            "without links (--links none)."
        )


def linked_noise(options: PerturbOptions, linked: LinkedColumns) -> PerturbOptions:
    """The options with noise by free column: that of a number that comes after others is for its distance."""
    afters = {one.column: name for one, name in linked.names.items() if isinstance(one, After)}
    given = {
        new: noise
        for name, noise in options.noise_by_column.items()
        for new in (name, afters.get(name))
        if new is not None and new in linked.free.names
    }
    return replace(options, noise_by_column=given)


def own_schema(released: Schema, linked: LinkedColumns) -> Schema:
    """The schema of the release in columns of the table; only plain columns may have got new categories."""
    schema = linked.schema
    for attribute in released.attributes:
        if attribute.name in schema.names and attribute != linked.free[attribute.name]:
            schema = schema.with_attribute(attribute)
    return schema


def free_segments(segments: Segments, linked: LinkedColumns) -> Segments:
    """The same segments with boxes for free columns."""
    if not linked.any:
        return segments
    tight = _tightened(segments.intervals, linked)
    # A range that leaves others room is a rule for the number itself: techniques may not take its whole domain.
    narrowed = {name: tight[name].high < own.high for name, own in segments.intervals.items()}
    influential = {name: own | narrowed.get(name, False) for name, own in segments.influential.items()}
    segments = replace(segments, intervals=tight)
    intervals, allowed = dict(tight), dict(segments.allowed)
    for one, name in linked.names.items():
        if isinstance(one, JoinedColumns):
            allowed[name], influential[name] = _combined(one, segments, linked)
        else:
            intervals[name] = domain_intervals(linked.free[name], segments.count)
            influential[name] = np.zeros(segments.count, bool)
    names = set(linked.free.names)
    return replace(
        segments,
        intervals={n: v for n, v in intervals.items() if n in names},
        allowed={n: v for n, v in allowed.items() if n in names},
        influential={n: v for n, v in influential.items() if n in names},
    )


def _tightened(intervals: Mapping[str, Intervals], linked: LinkedColumns) -> dict[str, Intervals]:
    """Ranges in which a number that comes before others leaves them room: no record of the segment lies outside."""
    found = dict(intervals)
    for one in reversed(linked.structure.derived):
        if not isinstance(one, After) or one.column not in found:
            continue
        above = found[one.column]
        limit = from_steps(above.high, above.precision)
        for base in one.bases:
            if base in found:
                own = found[base]
                high = limit if own.precision is None else np.floor(limit * 10.0**own.precision + 1e-6)
                # Where a number is missing, the one before it may lie above all that are known.
                found[base] = replace(
                    own, high=np.where(high >= own.low, np.minimum(own.high, high), own.high)
                )
    return found


def _combined(whole: JoinedColumns, segments: Segments, linked: LinkedColumns) -> tuple[Allowed, Flags]:
    """The combinations that the rules of every segment allow."""
    combined = linked.seen.combined[whole]
    sets = np.ones((1, len(combined.codes) + 1), bool)
    of_segment = np.zeros(segments.count, np.int64)
    influential = np.zeros(segments.count, bool)
    for place, name in enumerate(whole.categories):
        if name not in segments.allowed:
            continue
        own = segments.allowed[name]
        there = np.column_stack([own.sets[:, combined.codes[:, place]], np.ones(len(own.sets), bool)])
        keys, of_segment = np.unique(of_segment * len(there) + own.of_segment, return_inverse=True)
        sets = sets[keys // len(there)] & there[keys % len(there)]
        influential |= segments.influential[name]
    for place, name in enumerate(whole.numbers):
        if name not in segments.intervals or not segments.influential[name].any():
            continue
        inside, values = segments.intervals[name], combined.numbers[:, place]
        low, high = (from_steps(end, inside.precision)[:, None] for end in (inside.low, inside.high))
        fits = np.isnan(values) | ((values >= low) & (values <= high))
        there, of_number = np.unique(
            np.column_stack([fits, np.ones(len(fits), bool)]), axis=0, return_inverse=True
        )
        keys, of_segment = np.unique(of_segment * len(there) + of_number.reshape(-1), return_inverse=True)
        sets = sets[keys // len(there)] & there[keys % len(there)]
        influential |= segments.influential[name]
    return Allowed(sets, of_segment.astype(np.int32)), influential


def room_of(segments: Segments, ids: Codes, linked: LinkedColumns) -> AllowedValues:
    """What the rules allow every record to have, in the columns that are computed again or filled."""
    if not linked.any:
        return AllowedValues()
    wanted = {one.column for one in linked.structure.derived if isinstance(one, After)}
    wanted |= {condition.column for condition in linked.structure.known_if}
    ranges, allowed, intervals = {}, {}, _tightened(segments.intervals, linked)
    for name in wanted:
        if name in intervals:
            inside = intervals[name]
            ends = (from_steps(end, inside.precision) for end in (inside.low, inside.high))
            low, high = (end[ids] for end in ends)
            ranges[name] = low, high
        elif name in segments.allowed and segments.influential[name].any():
            allowed[name] = segments.allowed[name].sets[segments.allowed[name].of_segment[ids]]
    return AllowedValues(ranges, allowed)


def in_own_columns(plan: Plan, linked: LinkedColumns) -> Plan:
    """The plan as people read it: what happens to every column of the table, and which links hold afterwards."""
    if not linked.any:
        return replace(plan, links=_untouched_links(plan, linked.schema))
    promised = plan.promises(linked.free)
    steps: list[Step] = []
    done: set[str] = set()
    for step in plan.steps:
        names: list[str] = []
        linked_here: dict[str, Following] = {}
        for attribute in linked.schema.kept:
            made_of = linked.stand_ins(attribute.name)
            changed = next((name for name in made_of if name in step.attributes), None)
            follows = attribute.name in linked.following
            if changed is None or (follows and attribute.name in done):
                continue
            names.append(attribute.name)
            if follows:
                done.add(attribute.name)
                told = step.technique.says_for(linked.free[changed])
                promise = _promise(attribute, [promised[name] for name in made_of], linked)
                linked_here[attribute.name] = Following(f"{linked.says(attribute.name)} {told}", promise)
        steps += [replace(step, attributes=tuple(names), following=linked_here)] if names else []
    blanked = {n for step in plan.steps if isinstance(step.technique, Suppression) for n in step.attributes}
    kept = tuple(link for link in linked.structure.kept if not blanked & set(link.columns))
    return replace(plan, steps=tuple(steps), links=kept)


def _untouched_links(plan: Plan, schema: Schema) -> tuple[Link, ...]:
    """Links between columns that are all copied."""
    if not schema.links:
        return ()
    kept = {a.name for a in schema.kept}
    copied = {n for n, p in plan.promises(schema).items() if n in kept and p.values == p.missing == "same"}
    return countable(schema.links, copied)


def _promise(attribute: Attribute, given: Sequence[Promise], linked: LinkedColumns) -> Promise:
    """What remains of the promises about the columns that a column is made of."""
    first = given[0]
    gaps: Missing = "same" if all(promise.missing == "same" for promise in given) else "any"
    within: Within = "table" if any(promise.within == "table" for promise in given) else "segment"
    derived = linked.structure.derivation(attribute.name)
    if isinstance(derived, After):
        ends = [linked.schema[name].high for name in derived.bases]
        room = attribute.high is not None and all(end is not None and end <= attribute.high for end in ends)
        return Promise(gaps, "inside" if room else "any", within)
    if isinstance(derived, Total):
        return Promise(gaps, "any", within)
    if isinstance(derived, Looked):
        return Promise("any", "inside", within)
    if linked.moves_with_others(attribute.name):
        values = first.values if attribute.kind == "categorical" else "inside"
        return Promise(_GAPS.get(first.values, "any"), values, within, first.lone_moves)
    bounded = first.values in ("same", "dealt", "held", "inside")
    return Promise("any", "inside" if bounded else first.values, within)
