"""What an intruder who knows 0 to 9 attributes learns about one record of WBC (thesis 8.1, Table 8.1).

Several intruders compare the values they know with the released ones by the law of the noise; they differ in what they
assume about that law. The strongest also knows the segment of every released record; it is in `hushwood.measures`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np

from hushwood.arrays import Floats
from hushwood.measures.models.grown import Grown
from hushwood.measures.posterior.evidence import ClassShares, binary_entropy, class_shares
from hushwood.measures.posterior.uncertainty import entropies_for
from hushwood.measures.protocol import Context
from hushwood.releasing.perturb import PerturbOptions, laid_out, perturb
from hushwood.releasing.planning import plan_for
from hushwood.tables.table import Table, class_labels
from hushwood.trees.options import Builder
from hushwood.trees.routing import leaf_of_each
from hushwood_papers.disclosure.table_8_1 import drawn, measured
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Experiment, Outcome, Size, Task, paragraphs, public_streams
from hushwood_papers.thesis_frameworks.training_records import WBC_BUILDER, WbcRecords, chapter_seven_records

# The standard deviation of the noise as a share of the attribute's domain, as the thesis writes it.
DEVIATION = 0.3333


@dataclass(frozen=True, slots=True)
class Sought:
    """A target record: its values, and its attributes in the order in which they become known."""

    values: Mapping[str, float]
    order: tuple[str, ...]
    classes: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """Remaining bits about the record and about its class, for 0, 1, 2, ... known attributes."""

    record: tuple[float, ...]
    class_: tuple[float, ...]


def by_leaf(sought: Sought, released: Table, grown: Grown, options: PerturbOptions) -> list[Floats]:
    """Log-likelihoods of every released record, by attribute, given the record's leaf in this tree.

    The leaf's domains are assumed for all released records (thesis 8.1): a value outside them is impossible.
    """
    tree = grown.tree
    laid = laid_out(grown.table, plan_for(options, grown.table), tree, options)
    own = _leaf_of(sought, grown)
    segment = laid.segments.ids[
        np.flatnonzero(leaf_of_each(tree.trees[0], tree, grown.table.columns) == own)[0]
    ]
    there = np.full(released.rows, segment)
    found = {name: np.zeros(released.rows) for name in sought.order}
    for step in laid.prepared:
        for name in set(step.perturber.attributes) & set(sought.order):
            same = {name: np.full(released.rows, sought.values[name])}
            found[name] += step.perturber.law().log_prob(same, released.columns, there)
    return [found[name] for name in sought.order]


def by_bell_curve(sought: Sought, released: Table) -> list[Floats]:
    """Log-likelihoods if the noise were a plain bell curve over the whole domain: no leaf, no wrap-around."""
    found = []
    for name in sought.order:
        values = released.columns[name]
        deviation = DEVIATION * (values.max() - values.min() + 1)
        found.append(-((values - sought.values[name]) ** 2) / (2 * deviation**2))
    return found


def uncertainty(sought: Sought, likelihoods: Sequence[Floats], leaf_shares: ClassShares) -> Uncertainty:
    """Remaining uncertainty when the first 0, 1, 2, ... attributes are known."""
    from scipy.stats import entropy

    together = np.cumsum([np.zeros(len(leaf_shares.labels)), *likelihoods], axis=0)
    highest = together.max(axis=1, keepdims=True)
    # If no released record is possible, all are equally likely (errata E2).
    together = np.where(np.isneginf(highest), 0.0, together - np.where(np.isneginf(highest), 0.0, highest))
    weights = np.exp(together)
    weights /= weights.sum(axis=1, keepdims=True)
    chosen = [leaf_shares.classes.index(name) for name in sought.classes]
    share = leaf_shares.shares[leaf_shares.labels][:, chosen].sum(axis=1)
    bits, class_bits = entropy(weights, base=2, axis=1), binary_entropy(weights @ share)
    return Uncertainty(tuple(map(float, bits)), tuple(map(float, class_bits)))


def _leaf_of(sought: Sought, grown: Grown) -> int:
    """The record's leaf in this tree."""
    one = {name: np.array([value]) for name, value in sought.values.items()}
    return int(leaf_of_each(grown.tree.trees[0], grown.tree, one)[0])


NAME = "disclosure-wbc"
RECORD = 1321264
MALIGNANT = "4"
# Cell size first, then the others in table order: found from the numbers of the original column.
ORDER = (1, 0, 2, 3, 4, 5, 6, 7, 8)
OPTIONS = PerturbOptions(technique="framework", variant="see5", min_leaf=2, threads=1)
BLOCK = 10


def tasks(size: Size) -> Sequence[Task]:
    """The original table once, and the perturbed ones in blocks."""
    runs = size.repeats or 1
    blocks = [(first, min(first + BLOCK - 1, runs)) for first in range(1, runs + 1, BLOCK)]
    perturbed = [
        Task(f"perturbed, runs {first} to {last}", {"first": first, "last": last}, cost=last - first + 1)
        for first, last in blocks
    ]
    return [Task("original"), *perturbed]


def run(task: Task, tables: PaperTables) -> Outcome:
    """Every intruder's remaining uncertainty, by the number of known attributes."""
    records = chapter_seven_records(tables)
    if not task.settings:
        return _original(records)
    numbers = range(task.settings["first"], task.settings["last"] + 1)
    return {"runs": [_perturbed(records, number) for number in numbers]}


def sought_in(records: WbcRecords) -> Sought:
    """The thesis' record in the order in which its attributes become known."""
    table = records.training
    names = [attribute.name for attribute in table.schema.inputs]
    row = records.row(RECORD)
    values = {name: float(table.columns[name][row]) for name in names}
    return Sought(values, tuple(names[place] for place in ORDER), (MALIGNANT,))


def _original(records: WbcRecords) -> dict[str, Any]:
    """The column without noise, and how many pairs and fives of attributes reveal the class or the record."""
    table, row = records.training, np.array([records.row(RECORD)])
    context = _context(table, table)
    names = sought_in(records).order

    def bits(known: Sequence[str]) -> tuple[float, float]:
        record, class_ = entropies_for(table, table, context, known, row, classes=(MALIGNANT,))
        return float(record[0]), float(class_[0])

    by_size = [bits(names[:size]) for size in range(len(names) + 1)]
    pairs = [bits(known)[1] for known in combinations(names, 2)]
    fives = [bits(known)[0] for known in combinations(names, 5)]
    return {
        "record": [record for record, _ in by_size],
        "class": [class_ for _, class_ in by_size],
        "pairs": len(pairs),
        "pairs_that_tell_the_class": sum(one < 1e-9 for one in pairs),
        "fives": len(fives),
        "fives_that_tell_the_record": sum(one < 1e-9 for one in fives),
        "leaf": _leaf_counts(context.original_grown, table, int(row[0])),
    }


def _leaf_counts(grown: Grown, table: Table, row: int) -> dict[str, int]:
    """The number of records in a record's leaf, and how many have its class."""
    leaf, class_ = leaf_of_each(grown.tree.trees[0], grown.tree, table.columns), class_labels(table)[0]
    there = leaf == leaf[row]
    return {"records": int(there.sum()), "of its class": int((there & (class_ == class_[row])).sum())}


def _perturbed(records: WbcRecords, number: int) -> dict[str, Any]:
    """One noise run, as every intruder sees it."""
    table, sought = records.training, sought_in(records)
    made = perturb(table, OPTIONS, public_streams(NAME, "wbc", number))
    context = _context(table, made.table, made.steps)
    leaf_shares = class_shares(made.table, context, "leaves")
    seen = {
        "perturbed tree": by_leaf(sought, made.table, context.released_grown, OPTIONS),
        "original tree": by_leaf(sought, made.table, context.original_grown, OPTIONS),
        "bell curve": by_bell_curve(sought, made.table),
    }
    found: dict[str, Any] = {}
    for intruder, likelihoods in seen.items():
        bits = uncertainty(sought, likelihoods, leaf_shares)
        found[intruder] = {"record": bits.record, "class": bits.class_}
    row = np.array([records.row(RECORD)])
    strongest = [
        entropies_for(
            table, made.table, context, sought.order[:size], row, classes=(MALIGNANT,), class_from="leaves"
        )
        for size in range(len(sought.order) + 1)
    ]
    found["all segments"] = {
        "record": [float(record[0]) for record, _ in strongest],
        "class": [float(class_[0]) for _, class_ in strongest],
    }
    return found


def _context(original: Table, released: Table, steps: Any = ()) -> Context:
    return Context(
        public_streams(NAME, "targets"),
        Grown(original, Builder(WBC_BUILDER)),
        Grown(released, Builder(WBC_BUILDER)),
        partner=np.arange(original.rows),
        steps=steps,
    )


ABOUT = paragraphs(
    """
The thesis takes one record of the 600 that its Framework perturbed and asks how many bits an intruder who knows 0 to 9
of its attributes is missing: about which released record it became (H_RI) and about its class (H_c), in the original
table and in one perturbed table. It states neither the 600 records nor the order in which attributes become known.

Both can be found from the printed numbers. 36 matching records, 4 of them malignant, then 8, 6, 5 and 1, all benign,
out of 600 with 208 malignant: with one known attribute, only cell size can give 36 and 4. The order we use is cell
size, clump thickness, cell shape, adhesion, epithelial cell size, and then as in the table. Two others fit the same
600 records (cell size, adhesion, mitoses, cell shape, then epithelial cell size or nucleoli). The 600 records were
searched for so that this column, the 208 malignant records and the printed means come out; so the column, and the last
row of the perturbed one, which is the same, agree by construction. Errors of the tree (4 of 600, 9 of 83) and
correlations served to choose among 62 candidates, as training_records.py says; several fit equally well. By the plain
reading, 12 % of every leaf and the next records of the file, the column is the same except for two rows: 37 matching
records with 5 malignant ones for one known attribute, and 207 malignant in all.

Perturbed: the Framework with See5, noise with a standard deviation of a third of the sub-domain, wrapped around. The
thesis' intruder reads the record's leaf from the tree on the perturbed table and assumes its sub-domains for all
released records. We add an intruder who has the original tree (errata E9), a stronger one who also knows the segment
of every released record, and one who takes the noise for a plain bell curve over the whole domain, without leaf and
wrap-around. Classes are the shares in the leaves of the perturbed tree.

If cell size is known and stays within [1, 2], only the 368 released records with such a value are possible, which is
8.524 bits: the printed 8.676 for one known attribute cannot come from the text's own domains. The bell curve was found
by trying some 30 combinations of width, wrap-around, leaf and order. So it means little that it comes close to the
printed bits about the record for five to eight known attributes; with fewer it does not, nor does it for the class."""
)

EXPERIMENT = Experiment(
    name=NAME,
    title="What an intruder learns about record 1321264 of WBC",
    source="Islam 2007, table 8.1",
    about=ABOUT,
    needs=("wbc",),
    full=Size(repeats=50),
    small=Size(repeats=3),
    tasks=tasks,
    run=run,
    measure=measured,
    draw=drawn,
)
