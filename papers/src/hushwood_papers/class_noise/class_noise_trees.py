"""Trees under noise on the class of Boston's house prices: figures 4.2 to 4.13 of the thesis and its first paper.

One repeat is the whole printed experiment on other records. `noisy_models` makes releases and trees, `tree_findings`
puts the outcomes together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from hushwood.measures.models.grown import Grown
from hushwood.segments.partition import leaves
from hushwood.segments.segments import expected_changes
from hushwood.tables.table import Table, class_labels
from hushwood_papers.class_noise.noisy_models import (
    CLASS_NOISE,
    TRAINING,
    boston_prices,
    drawn_records,
    grown_by_see5,
    noisy_tree,
    printed_nodes,
    released_class,
)
from hushwood_papers.class_noise.tree_findings import NAME, charts_of, findings_of
from hushwood_papers.paper_tables import PaperTables
from hushwood_papers.protocol import Experiment, Outcome, Size, Task, paragraphs, public_streams

# As many perturbed tables as the thesis made.
RUNS = {"RPT": 5, "PPT": 10, "ALPT": 10}
# Further subsets of 300 records per repeat, only to see which trees they give.
LOOKED_AT = 25


def tasks(size: Size) -> Sequence[Task]:
    """One per repeat."""
    return [
        Task(f"records {number}", {"number": number}, cost=2) for number in range(1, (size.repeats or 1) + 1)
    ]


def run(task: Task, tables: PaperTables) -> Outcome:
    """The original tree of one subset, and the trees on every perturbation of it."""
    number = int(task.settings["number"])
    table = boston_prices(tables)
    original = grown_by_see5(drawn_records(table, public_streams(NAME, "records", number))[0])
    outcome: dict[str, Any] = {
        "expected_changes": _expected_changes(original),
        "original": {**noisy_tree(original, original).as_json(), "nodes": printed_nodes(original.tree)},
        "subsets": [_looked_at(table, number, more) for more in range(LOOKED_AT)],
    }
    for technique in CLASS_NOISE:
        streams = [public_streams(NAME, technique, number, again) for again in range(RUNS[technique])]
        releases = [released_class(original, technique, stream) for stream in streams]
        outcome[technique] = [_noisy(original, released) for released in releases]
    return outcome


def _noisy(original: Grown, released: Table) -> Mapping[str, Any]:
    grown = grown_by_see5(released)
    tree = noisy_tree(original, grown).as_json()
    return {**tree, "nodes": printed_nodes(grown.tree), **_changes(original, released)}


def _looked_at(table: Table, number: int, more: int) -> Mapping[str, Any]:
    grown = grown_by_see5(drawn_records(table, public_streams(NAME, "looked at", number, more))[0])
    tree = noisy_tree(grown, grown).as_json()
    wanted = ("root", "root_cut", "attributes", "leaves", "errors")
    return {**{name: tree[name] for name in wanted}, "nodes": printed_nodes(grown.tree)}


def _expected_changes(original: Grown) -> float:
    """E(N) of equation 4.1."""
    segments = leaves(original.table, original.tree)
    return round(float(expected_changes(class_labels(original.table)[0], segments.ids).sum()), 6)


def _changes(original: Grown, released: Table) -> Mapping[str, Any]:
    """Changed classes: all, and those of minority classes within leaves, with the number expected by m/(m+n)."""
    before, after = class_labels(original.table)[0], class_labels(released)[0]
    segments = leaves(original.table, original.tree)
    # Records by leaf and class; a minority class is any but the leaf's largest.
    counts = np.zeros((segments.count, int(before.max()) + 1))
    np.add.at(counts, (segments.ids, before), 1)
    minority = after != counts.argmax(axis=1)[segments.ids]
    shares = counts.max(axis=1) / counts.sum(axis=1)
    mixed = (shares < 1)[segments.ids]
    counted = minority & mixed
    return {
        "changed": int((before != after).sum()),
        "class_totals_kept": bool(
            (np.bincount(before) == np.bincount(after, minlength=counts.shape[1])).all()
        ),
        "minority_changed": int((before != after)[counted].sum()),
        "minority_expected": round(float(shares[segments.ids][counted].sum()), 6),
    }


ABOUT = paragraphs(
    f"""
The thesis took {TRAINING} records of Boston's house prices, grew a tree on them with See5, and added noise to the
class alone: five times by RPT, ten times by PPT, ten times by ALPT. It looks at the trees that See5 grows on the
perturbed records.

It does not say which {TRAINING} of the 506 records it took (errata F5). Ours are drawn by key, afresh for every
repeat; each repeat makes all {sum(RUNS.values())} perturbations, with fixed public seeds. Intervals are over repeats,
hence over records and noise together. The class is top 20% where MEDV is at least 28.2, the 102 highest prices of 506;
CHAS and B are dropped, as in the thesis. Trees are grown by our See5 with at least two records per leaf and 25 %
confidence.

Every repeat also draws {LOOKED_AT} more subsets and grows a tree on each without noise. What is printed about the
original tree is compared with all these trees; its leaves and cuts with those trees that have the same tests above
them, whatever the cuts, and for a leaf the same class. A node that none of our trees has cannot be compared.

For the noisy trees we compare what the text counts: errors, and attributes and rules that are found again. A rule is
found again if the new tree has it with the same attributes, sides and class, whatever the constants, or split further.
"The rule of Leaf 1" is, in each repeat, the rule of its original tree with most records; where records, errors or cuts
of that rule are printed, only trees with the tests of Leaf 1 count. The third attribute is the attribute of the
original tree that is third in the number of trees that test it."""
)


EXPERIMENT = Experiment(
    name=NAME,
    title="Trees under noise on the class",
    source="Islam 2007, chapter 4; Islam and Brankovic 2003, section 4",
    about=ABOUT,
    needs=("boston",),
    full=Size(repeats=60),
    small=Size(repeats=2),
    tasks=tasks,
    run=run,
    measure=findings_of,
    draw=charts_of,
)
