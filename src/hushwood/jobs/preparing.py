"""How a table is prepared for a release: coarser columns, then rare levels, and what that takes from it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.arrays import Integers
from hushwood.jobs.requests import ReleaseRequest
from hushwood.random_streams import Streams
from hushwood.releasing.forest_for import sampled_rows
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.persons.levels import by_level
from hushwood.tables.links.finding import ChosenLinks, Wanted, chosen_links
from hushwood.tables.long.table import LongTable
from hushwood.tables.persons.units import holders, levels_of, outermost, unit_columns
from hushwood.tables.reading import Reading
from hushwood.tables.recoding.preparation import CoarseColumns, Preparation
from hushwood.tables.recoding.rare_levels import RareLevels, with_levels
from hushwood.tables.recoding.rules import CoarseningRule, file_and_level
from hushwood.tables.recoding.taxonomies import Taxonomy, read_hierarchies, read_hierarchy
from hushwood.tables.schema import Schema
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


def prepared_table(
    reading: Reading,
    ids: Integers | None,
    request: ReleaseRequest,
    streams: Streams,
    *,
    group_rare: bool = True,
) -> tuple[Table, Prepared]:
    """The table as it is learnt from; percentiles and links are those of the sample that all else is learnt on."""
    table, options, rules = reading.table, request.options, _rules_before(request.options)
    sample = sampled_rows(range(table.rows) if ids is None else ids, options.forest_rows, streams)
    coarse = CoarseColumns()
    if rules:
        learnt = table if sample is None else table.take(sample)
        coarse = CoarseColumns.of(rules, learnt, _hierarchies(rules, reading.form))
    preparation = Preparation(coarse)
    if group_rare:
        preparation = Preparation(coarse, _rare_levels(coarse.on_table(table), options))
    changed = preparation.on_table(table)
    learnt = changed if sample is None else changed.take(sample)
    chosen = chosen_links(request.links, table.schema, learnt, lambda _: [changed])
    links = chosen.links
    if links and unit_columns(table.schema):
        links = by_level(links, levels_of(changed))
    preparation = replace(preparation, links=links)
    linked = replace(changed, schema=replace(changed.schema, links=links))
    return linked, replace(prepared_for(preparation, table), notes=chosen.notes)


def _rare_levels(table: Table, options: PerturbOptions) -> RareLevels:
    """The levels that few records have, or few persons or households, where those are the records."""
    units = outermost(table)
    if units is None:
        return RareLevels.of(table, options.rare_rule, options.rare_limit(table.rows))
    held = {
        a.name: holders(table.columns[a.name], units, len(a.categories)) for a in with_levels(table.schema)
    }
    return RareLevels.of_counts(table.schema, held, options.rare_rule, options.rare_limit(units.count))


def prepared_long(
    table: LongTable, request: ReleaseRequest, form: Mapping[str, Any]
) -> tuple[LongTable, Prepared]:
    """The same for a table of any length, by its sample and the counts of its categories."""
    options, rules = request.options, _rules_before(request.options)
    sample = table.sample or next(table.batches(table.rows))[1]
    coarse = CoarseColumns.of(rules, sample, _hierarchies(rules, form)) if rules else CoarseColumns()
    schema, counts = coarse.on_schema(table.schema), coarse.on_counts(table.counts, table.schema)
    by_category = {
        a.name: np.array([counts[a.name].get(text, 0) for text in a.categories], np.int64)
        for a in with_levels(schema)
        if a.name in counts
    }
    rare = RareLevels.of_counts(schema, by_category, options.rare_rule, options.rare_limit(table.rows))
    preparation = Preparation(coarse, rare)
    chosen = long_links(request.links, table.prepared(preparation), table.schema, request.memory)
    preparation = replace(preparation, links=chosen.links)
    prepared = replace(prepared_for(preparation, sample), notes=chosen.notes)
    return table.prepared(preparation), prepared


def long_links(wanted: Wanted, table: LongTable, read_as: Schema, memory: int) -> ChosenLinks:
    """The links of a table of any length, found in its sample and counted in all its records."""
    sample = table.sample or next(table.batches(table.rows))[1]

    def batches(names: tuple[str, ...]) -> Iterator[Table]:
        return (records for _, records in table.batches(table.batch_rows(memory), names))

    return chosen_links(wanted, read_as, sample, batches)


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


def _rules_before(options: PerturbOptions) -> list[CoarseningRule]:
    return [] if options.coarsens_itself else options.coarsening_rules()


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
