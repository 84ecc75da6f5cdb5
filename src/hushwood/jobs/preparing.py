"""How a table is prepared for a release: coarser columns, then rare levels, and what that takes from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.arrays import Integers
from hushwood.jobs.requests import ReleaseRequest
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.persons.levels import by_level
from hushwood.tables.links.finding import chosen_links
from hushwood.tables.long.table import LongReading
from hushwood.tables.persons.units import holders, levels_of, outermost, unit_columns
from hushwood.tables.reading import AnyReading, Reading
from hushwood.tables.recoding.preparation import CoarseColumns, Preparation
from hushwood.tables.recoding.rare_levels import RareLevels, with_levels
from hushwood.tables.recoding.rules import CoarseningRule, file_and_level
from hushwood.tables.recoding.taxonomies import Taxonomy, read_hierarchies, read_hierarchy
from hushwood.tables.table import Table

if TYPE_CHECKING:
    from hushwood.evaluation.evaluation import Evaluation
    from hushwood.evaluation.release_facts import CoarsenedColumn


@dataclass(frozen=True, slots=True)
class Prepared:
    """How a table was prepared, and what coarsening took from it."""

    how: Preparation
    lost: tuple[CoarsenedColumn, ...] = ()
    notes: tuple[str, ...] = ()

    def warnings(self) -> Sequence[str]:
        """What a release says about it to its owner."""
        return (*self.how.warnings(), *self.notes)

    def with_losses(self, evaluation: Evaluation) -> Evaluation:
        """The evaluation of the coarser table with what coarsening took from the table as it was read."""
        if not self.lost:
            return evaluation
        return replace(evaluation, release=replace(evaluation.release, coarsened=self.lost))


def prepared_for(preparation: Preparation, original: Table) -> Prepared:
    """The same preparation with what it takes from a table."""
    from hushwood.evaluation.release_facts import coarsening_facts

    return Prepared(preparation, coarsening_facts(preparation.coarse, original))


def prepared_reading(
    reading: AnyReading, request: ReleaseRequest, sample: Integers | None = None, *, group_rare: bool = True
) -> tuple[AnyReading, Prepared]:
    """The table as it is learnt from; percentiles and links are those of the sample that all else is learnt on.

    The sample is the table of the reading, or some of its rows.
    """
    options = request.options
    rules = [] if options.coarsens_itself else options.coarsening_rules()
    preparation = Preparation()
    if rules:
        hierarchies = _hierarchies(rules, reading.form)
        preparation = Preparation(CoarseColumns.of(rules, _rows(reading.table, sample), hierarchies))
    if group_rare:
        preparation = replace(preparation, rare=_rare_levels(reading, preparation.coarse, options))
    changed = reading.prepared(preparation)
    learnt = _rows(changed.table, sample)
    chosen = chosen_links(request.links, reading.table.schema, learnt, changed.batches)
    if chosen.links:
        links = chosen.links
        if unit_columns(learnt.schema):
            links = by_level(links, levels_of(changed.table))
        preparation = replace(preparation, links=links)
        changed = reading.prepared(preparation)
    return changed, replace(prepared_for(preparation, reading.table), notes=chosen.notes)


def _rows(table: Table, rows: Integers | None) -> Table:
    return table if rows is None else table.take(rows)


def _rare_levels(reading: Reading, coarse: CoarseColumns, options: PerturbOptions) -> RareLevels:
    """The levels that few of all records have, or few persons or households, where those are the records."""
    if isinstance(reading, LongReading):
        long, many = reading.records, reading.records.rows
        schema, counts = coarse.on_schema(long.schema), coarse.on_counts(long.counts, long.schema)
        held = {
            a.name: np.array([counts[a.name].get(text, 0) for text in a.categories], np.int64)
            for a in with_levels(schema)
            if a.name in counts
        }
    else:
        table = coarse.on_table(reading.table)
        units = outermost(table)
        if units is None:
            return RareLevels.of(table, options.rare_rule, options.rare_limit(table.rows))
        schema, many = table.schema, units.count
        held = {a.name: holders(table.columns[a.name], units, len(a.categories)) for a in with_levels(schema)}
    return RareLevels.of_counts(schema, held, options.rare_rule, options.rare_limit(many))


def settled_columns(options: PerturbOptions) -> tuple[str, ...]:
    """Columns that need not be declared any more: nothing but a year or a declared group is left of their values."""
    return tuple(rule.column for rule in options.coarsening_rules() if rule.settles)


def with_hierarchies(request: ReleaseRequest, form: Mapping[str, Any]) -> ReleaseRequest:
    """The request with its hierarchy files read: the plan keeps what they say."""
    options = request.options
    given, coarsen = dict(options.hierarchies), options.coarsen
    if options.coarsens_itself:
        rules = options.coarsening_rules()
        given |= _hierarchies([rule for rule in rules if rule.column not in given], form)
        # Rules are public, and the folder of a file is nobody's business.
        coarsen = tuple(_without_folder(rule).text() for rule in rules)
        options = replace(options, top_code=(), bottom_code=())
    if not given and not options.coarsens_itself:
        return request
    read = read_hierarchies(given, form.get("encoding", "auto"))
    return replace(request, options=replace(options, hierarchies=read, coarsen=coarsen))


def _hierarchies(rules: Sequence[CoarseningRule], form: Mapping[str, Any]) -> dict[str, Taxonomy]:
    """The hierarchies that rules name files for."""
    found: dict[str, Taxonomy] = {}
    for rule in rules:
        for word, value in rule.steps:
            named = file_and_level(value) if word == "file" else None
            if named is not None:
                encoding = form.get("encoding", "auto")
                found[rule.column] = read_hierarchy(Path(named[0]), rule.column, encoding)
    return found


def _without_folder(rule: CoarseningRule) -> CoarseningRule:
    steps = tuple((word, Path(value).name if word == "file" else value) for word, value in rule.steps)
    return CoarseningRule(rule.column, steps)
