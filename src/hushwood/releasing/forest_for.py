"""The forest behind a release: what it predicts, how large it is, on which rows, and what if there are few good splits.

It predicts the classes or, in a table without any, the columns that others predict best: rules that predict columns
from each other say how columns go together, and keeping them keeps that.
"""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Codes, Integers
from hushwood.distances.principal_score import NAME, THIRDS, principal_scores, thirds
from hushwood.errors import InputError
from hushwood.random_streams import Rows, Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.plan import Plan
from hushwood.tables.columns.class_column import MOST_NAMED_CLASSES, for_class
from hushwood.tables.resampling import people_behind
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, class_codes, label_names, missing_values
from hushwood.trees.builder_options import SYSFOR_OPTIONS, TREE_OPTIONS, changed_options
from hushwood.trees.coarsening import merged_small_leaves
from hushwood.trees.forest import Forest, joined
from hushwood.trees.grow import class_forest, learnt_forest
from hushwood.trees.options import Builder, GrowOptions, default_min_leaf
from hushwood.trees.routing import leaves_reached, predictions
from hushwood.trees.training import MOST_BRANCHES, TrainingSet, testable

FOREST_ROWS = "forest rows"
_ONE_SEGMENT = (
    "The table has too few people for several segments whose counts do not say who is in it, so it is one segment, and "
    "the certificate says nothing about rules. A larger --redraw needs fewer people in a segment."
)


@dataclass(frozen=True, slots=True)
class Learning:
    """A table to learn from: all of that many records, or a sample of them; `drawn` are the numbers of drawn ones."""

    table: Table
    of: int
    drawn: Rows | None = None

    @property
    def people(self) -> Table:
        """The records of different people."""
        if self.drawn is None:
            return self.table
        return self.table.take(np.unique(people_behind(self.drawn), return_index=True)[1])


def forest_behind(
    sample: Learning, plan: Plan, options: PerturbOptions, streams: Streams, given: Forest | None
) -> tuple[Forest, tuple[str, ...]]:
    """The forest that is given, or a new one, with leaves that are large enough for the plan, and warnings."""
    table, rows = sample.table, sample.of
    if given is None:
        grown, warnings = forest_for(
            table,
            plan,
            options.builder(rows),
            streams,
            exactly=options.trees is not None,
            threads=options.threads,
        )
        merged, gone = with_large_leaves(grown, sample.people, plan.smallest_segment)
        return merged, (*warnings, *([_ONE_SEGMENT] if gone and options.drawn else gone))
    _check_given_forest(plan, options, given)
    if options.trees is not None and options.trees != len(given.trees):
        raise InputError(
            f"The forest given has {len(given.trees)} trees, but {options.trees} were asked for; omit --trees."
        )
    check_fits(given, table.schema)
    if plan.smallest_segment is not None and len(given.trees) > 1:
        raise InputError(
            f"{plan.recipe} uses the segments of one tree, but the forest given has {len(given.trees)}; give one tree."
        )
    return with_large_leaves(given, sample.people, plan.smallest_segment)


def _check_given_forest(plan: Plan, options: PerturbOptions, given: Forest) -> None:
    """Refuse options for growing a forest that is given, unless they say how it was grown.

    Techniques that grow trees of their own take some of them.
    """
    taken = any("grow" in step.technique.options.values() for step in plan.steps)
    asked = SYSFOR_OPTIONS if taken else (*SYSFOR_OPTIONS, *TREE_OPTIONS)
    unused = changed_options(options, [n for n in asked if given.grown.get(n) != getattr(options, n)])
    if unused:
        raise InputError(f"{unused[0]} has no use for a forest that is given; omit it, or omit --forest.")


def forest_for(
    table: Table,
    plan: Plan,
    builder: Builder,
    streams: Streams,
    *,
    exactly: bool = False,
    threads: int = 1,
) -> tuple[Forest, tuple[str, ...]]:
    """Grow the plan's forest, and warnings; with `exactly` fewer trees than asked for are an error.

    Every class gets a forest of its own. Without a class every tree predicts another column. Where one tree must do, it
    predicts all classes together, or what stands in for the class.
    """
    warnings: tuple[str, ...] = ()
    label = None if plan.smallest_segment is None else one_label(table)
    if label is not None:
        forest = _labelled(table, label, builder.with_trees(1), threads)
    else:
        names = predicted_columns(table, plan.trees, streams, threads)
        each = plan.trees if table.schema.classes else 1
        found = [
            learnt_forest(for_class(table, name), builder.with_trees(each), threads=threads) for name in names
        ]
        forest, wanted = joined(found), plan.trees
        short = [one for one in found if len(one.trees) < each] if table.schema.classes else []
        warnings = tuple(
            _too_few(len(one.trees), wanted, exactly, one.class_name if len(found) > 1 else "")
            for one in short
        )
        if not table.schema.classes and len(found) < wanted:
            warnings = (_too_few(len(found), wanted, exactly),)
    if not table.schema.classes:
        warnings += (_no_class(forest),)
    if any(len(tree) > 1 for tree in forest.trees):
        return forest, warnings
    dial = "a smaller --min-leaf" if plan.smallest_segment is None else "a smaller --k"
    if plan.row_order == "drawn":
        dial = "a larger --redraw, which needs fewer people in a segment,"
    what = "separates the classes" if table.schema.classes else "predicts one column from the others"
    nothing = f"No rule was found that {what}, so the whole table is one segment; {dial} may find some."
    return forest, (*warnings, nothing)


def _no_class(forest: Forest) -> str:
    """What the rules are about instead; whoever forgot to name the class must notice."""
    names = dict.fromkeys(target.name for target in forest.predicts)
    return (
        f"No class is named, so the rules that are kept predict {', '.join(names)} from the other columns; name what "
        "analysts want to predict with --class."
    )


def _labelled(table: Table, label: Label, builder: Builder, threads: int) -> Forest:
    """One tree for classes that no column holds."""
    inputs = testable(table.schema)
    columns = [np.asarray(table.columns[a.name]) for a in inputs]
    training = TrainingSet.from_columns(inputs, columns, label.codes, label.classes, threads, table.weights)
    return class_forest(label.name, training, builder, threads)


def builder_of(forest: Forest, plan: Plan, usual: Builder) -> Builder:
    """What grew a forest, as far as the forest says; the usual builder for the rest."""
    grown = usual.with_trees(max(len(part.trees) for part in forest.parts)).like(forest.grown)
    return replace(grown, smallest_segment=plan.smallest_segment)


def _too_few(found: int, wanted: int, exactly: bool, name: str = "") -> str:
    of = f" for {name!r}" if name else ""
    if exactly:
        raise InputError(
            f"{wanted} trees{of} were asked for, but this table has good splits for only {found}; "
            f"ask for --trees {found}, or lower --min-leaf."
        )
    return f"The forest{of} has {found} instead of {wanted} trees: the table has no more good splits."


def sampled_rows(row_ids: Rows, most: int, streams: Streams) -> Integers | None:
    """The places of a keyed sample of at most `most` rows, ascending; None for all rows."""
    return None if len(row_ids) <= most else streams.sample(FOREST_ROWS, "", row_ids, most)


def sampled_chunks(chunks: Iterable[Rows], rows: int, most: int, streams: Streams) -> Integers:
    """The same of rows whose ids come in chunks; the places of all rows, if there are no more."""
    return np.arange(rows) if rows <= most else streams.sample_of(FOREST_ROWS, "", chunks, most)


def with_large_leaves(forest: Forest, table: Table, least: int | None) -> tuple[Forest, tuple[str, ...]]:
    """The forest with small leaves merged until each holds `least` records of the table, and a warning if none is left.

    Without a least size it stays as it is.
    """
    if least is None or all(len(tree) == 1 for tree in forest.trees):
        return forest, ()
    reached = leaves_reached(forest, table)
    trees = tuple(
        merged_small_leaves(tree, leaf, least) for tree, leaf in zip(forest.trees, reached, strict=True)
    )
    gone = (
        f"No rule leaves {least} records on every side, so the whole table is one segment; "
        "a smaller --k may keep some."
    )
    return replace(forest, trees=trees), (gone,) if all(len(tree) == 1 for tree in trees) else ()


def check_fits(forest: Forest, schema: Schema) -> None:
    """A forest from a file must test columns that the table has, of the same kind, and lead every record to a leaf."""
    if not forest.trees:
        raise InputError("The forest given has no trees; give the forest of this table, or none.")
    inputs = {attribute.name: attribute.kind for attribute in schema.inputs}
    for tree in forest.trees:
        tests = np.flatnonzero(tree.attribute >= 0)
        for a in np.unique(tree.attribute[tests]).tolist():
            tested = forest.attributes[a]
            if inputs.get(tested.name) != tested.kind:
                raise InputError(
                    f"The forest tests {tested.name!r} as a {tested.kind} column, which this table does not have; "
                    "give the forest of this table, or none."
                )
        numeric = np.array([forest.attributes[a].kind == "numeric" for a in tree.attribute[tests]], bool)
        endless = tests[numeric & ~np.isfinite(tree.threshold[tests])]
        if len(endless):
            raise InputError(
                f"The forest file is damaged: node {endless[0]} has no finite threshold; make it again."
            )


TRIED_ROWS = 20_000  # half of them to learn from, half to predict
TRIED_COLUMNS = 50
JOINED = ", "


@dataclass(frozen=True, slots=True)
class Label:
    """Classes that no column holds: one code for every record (-1: unknown), and what the codes stand for."""

    name: str
    codes: Codes
    classes: tuple[str, ...]


def predicted_columns(table: Table, count: int, streams: Streams, threads: int = 1) -> tuple[str, ...]:
    """The classes of a table; without any, the `count` columns that a tree on the others predicts best."""
    classes = tuple(a.name for a in table.schema.classes)
    return classes or most_predictable(table, streams, threads)[:count]


def most_predictable(table: Table, streams: Streams, threads: int = 1) -> tuple[str, ...]:
    """The columns that vary, those first whose unseen values a tree on the other columns predicts best.

    Judged by the share of the majority's errors that a tree avoids or, for numbers, by R². Of a wide table the first 50
    columns are tried.
    """
    names = [
        a.name
        for a in table.schema.tested
        if len(a.categories) <= MOST_BRANCHES and _varies(np.asarray(table.columns[a.name]))
    ]
    tried = names[:TRIED_COLUMNS]
    if len(tried) < 2:
        return tuple(tried or (a.name for a in table.schema.tested[:1]))
    rows = streams.sample("predictable columns", "", table.rows, min(table.rows, TRIED_ROWS))
    learnt = np.zeros(len(rows), bool)
    learnt[streams.sample("predictable columns", "learnt", len(rows), len(rows) // 2)] = True
    halves = table.take(rows[learnt]), table.take(rows[~learnt])

    def score(name: str) -> float:
        return _predicted(*halves, name)

    with ThreadPoolExecutor(max(threads, 1)) as pool:
        scores = list(pool.map(score, tried))
    # Scores that differ by less than a thousandth are equal: a record more or less must not decide.
    order = np.argsort(-np.round(np.array(scores), 3), kind="stable")
    return tuple(tried[i] for i in order.tolist())


def _varies(column: Array) -> bool:
    known = column[~missing_values(column)]
    return bool(len(known)) and bool((known != known[0]).any())


def _predicted(learnt: Table, unseen: Table, name: str) -> float:
    """How well a tree on one half of the records predicts a column in the other: 1 is perfect, 0 no better than one
    answer for all."""
    true, own = (np.asarray(table.columns[name]) for table in (unseen, learnt))
    true, own = true[~missing_values(true)], own[~missing_values(own)]
    if not len(true) or not len(own):
        return 0.0
    builder = Builder(GrowOptions(min_leaf=default_min_leaf(learnt.rows))).with_trees(1)
    forest = learnt_forest(for_class(learnt, name), builder)
    found = predictions(forest, unseen)[~missing_values(np.asarray(unseen.columns[name]))]
    if forest.classes:
        wrong, all_wrong = np.mean(found != true), np.mean(true != np.bincount(own).argmax())
    else:
        wrong, all_wrong = np.mean((found - true) ** 2), np.mean((true - own.mean()) ** 2)
    return float(1.0 - wrong / all_wrong) if all_wrong > 0 else 0.0


def one_label(table: Table) -> Label | None:
    """What one tree is to predict where one tree must do for all: several classes together, or the principal score.

    None if the table has one class, which needs no other. Of classes with too many combinations the first must do.
    """
    classes = table.schema.classes
    if len(classes) == 1:
        return None
    if not classes:
        return Label(NAME, thirds(principal_scores(table)), THIRDS)
    codes, names = np.zeros(table.rows, np.int64), [""]
    for attribute in classes:
        own = class_codes(attribute, np.asarray(table.columns[attribute.name]))
        values = label_names(attribute)
        codes = np.where((codes < 0) | (own < 0), -1, codes * len(values) + own)
        names = [f"{a}{JOINED if a else ''}{value}" for a in names for value in values]
        if len(names) > MOST_NAMED_CLASSES:
            return None
    return Label(" and ".join(a.name for a in classes), codes.astype(np.int32), tuple(names))
