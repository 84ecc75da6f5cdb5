"""The plain reading of how the thesis took its test records of Adult: the first 15.1 % of every leaf, nothing searched.

25,600 training and 4,562 test records are printed, and about 15 % of every leaf; 15.1 % is what 4,562 of 30,162 are.
`adult_records` has so many of each leaf that all that is printed of the records comes out.
"""

from __future__ import annotations

from collections.abc import Sequence

from hushwood.experiments.paper_tables import PaperTables
from hushwood.experiments.protocol import Outcome, Task
from hushwood.experiments.thesis_frameworks.adult_records import LEAF_SIZES, SEE5, split_adult
from hushwood.experiments.thesis_frameworks.numbers import Numbers
from hushwood.experiments.thesis_frameworks.runs import right_of
from hushwood.measures.grown import Grown

SHARE = 0.151
READING = f"plain reading, the first {100 * SHARE:g} % of every leaf"
TASK = Task(READING, cost=3)


def plain_split(tables: PaperTables, share: float = SHARE) -> Outcome:
    """Sizes of both parts, and how many records of each the tree on the training records classifies rightly."""
    parts = split_adult(tables, first_share(share))
    grown = Grown(parts[0], SEE5)
    return {
        "records": [part.rows for part in parts],
        "right": [right_of(grown, part) for part in parts],
        "leaves": len(grown.tree.trees[0].leaves),
    }


def first_share(share: float) -> Sequence[int]:
    """So many records of every leaf, rounded.

    >>> sum(first_share(0.151))
    4555
    """
    return [round(share * size) for size in LEAF_SIZES]


def plain_numbers(found: Outcome) -> Numbers:
    """The sum is printed; the parts are not, because the thesis' own are a few records larger or smaller."""
    (training, test), (right_training, right_test) = found["records"], found["right"]
    return {
        f"{READING}: right on all {training + test:,} records": [float(right_training + right_test)],
        f"{READING}: number of training records": [float(training)],
        f"{READING}: number of test records": [float(test)],
        f"{READING}: number right on the training records": [float(right_training)],
        f"{READING}: number right on the test records": [float(right_test)],
        f"{READING}: leaves of the tree": [float(found["leaves"])],
    }
