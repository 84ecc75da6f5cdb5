"""Ways to judge who was in the table: each gives every target a score, higher for likelier members.

A classifier tells released records from people of the reference; released records are crowded around members (DOMIAS:
van Breugel and others, "Membership inference attacks against synthetic data through overfitting detection", 2023:
nearest records alone favour targets whose kind is common anyway, the ratio does not); a model of the class that was
learnt from the release knows the classes of its own people best; and values and pairs of values that few people have
are looked up. The people of the reference were never in the table, so they show how often a value's count is met by
anybody; the released records show how often by a record that was copied.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Codes, Floats, Integers
from hushwood.attacks.protocol import Knowledge
from hushwood.attacks.search.released_rows import nearest_known
from hushwood.distances.coding import Coded, code_pair
from hushwood.distances.neighbours import nearest
from hushwood.distances.two_samples import boosted_scores, ranked_columns
from hushwood.random_streams import Streams
from hushwood.tables.pairs.common_coding import column_pairs, occurrences, pair_codes, value_codes
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_codes, class_labels

MOST_RELEASED = 50_000  # released records to learn from, by keyed choice
# Added to both distances, which are shares of a range: an exact match counts much, but not infinitely much.
_LEAST = 1e-5
TREES = 50  # grown to the end: each remembers single records, and together they smooth
LARGE = 5_000  # with fewer records, threads cost more than they save
_LIMITS = (1, 2, 3, 5)  # counts of 0, 1, 2, 3 to 4, and 5 or more
# The share of members whose values are taken to be copied: without it, one value that is not would rule a member out.
COPIED = 0.5
MOST_PAIRS = 60  # of columns, by keyed choice


def likeness(knowledge: Knowledge, released: Table, streams: Streams) -> Floats:
    """How much a target looks like a released record rather than like a person of the reference (log-odds)."""
    rows = streams.sample("membership", "classifier", released.rows, MOST_RELEASED)
    names = tuple(knowledge.columns)
    learnt = [{name: released.columns[name][rows] for name in names}, knowledge.reference]
    count = len(rows) + len(knowledge.reference[names[0]])
    is_released = np.arange(count + knowledge.count) < len(rows)
    parts = [{name: part[name] for name in names} for part in (*learnt, knowledge.columns)]
    columns = ranked_columns(parts, released.schema, is_released)
    targets = np.arange(count, count + knowledge.count)
    return boosted_scores(columns, is_released, np.arange(count), targets, balanced=True)


def crowding(knowledge: Knowledge, released: Table, streams: Streams, k: int) -> Floats:
    """The logarithm of the distance to the k-th nearest person of the reference over that to the k-th nearest release.

    The last one counts if there are fewer than k.
    """
    names = tuple(knowledge.columns)
    others = {name: np.concatenate((released.columns[name], knowledge.reference[name])) for name in names}
    # All numbers are scaled together, so that both distances are in the same unit.
    targets, both = code_pair(knowledge.columns, others, released.schema, names)
    inside, outside = np.arange(released.rows), np.arange(released.rows, len(others[names[0]]))
    near, far = (_reach(targets, both, rows, k, knowledge.threads) for rows in (inside, outside))
    return np.asarray(np.log(far + _LEAST) - np.log(near + _LEAST))


def _reach(targets: Coded, both: Coded, rows: Integers, k: int, threads: int) -> Floats:
    return nearest(targets, both.take(rows), k, threads=threads).distance[:, -1].astype(np.float64)


def class_certainty(knowledge: Knowledge, released: Table, streams: Streams) -> Floats:
    """The logarithm of the probability that the model gives to a target's own class: minus the loss.

    A target without a class is judged as the average one.
    """
    attribute, inputs = _class_and_inputs(knowledge)
    own = class_codes(attribute, knowledge.columns[attribute.name])
    learnt = class_labels(released)[0]
    rows = np.flatnonzero(learnt >= 0)
    rows = rows[streams.sample("membership", "class model", len(rows), MOST_RELEASED)]
    parts = [
        {column: released.columns[column][rows] for column in inputs},
        {column: knowledge.columns[column] for column in inputs},
    ]
    classes = learnt[rows]
    common = np.bincount(classes).argmax()
    columns = ranked_columns(parts, released.schema, np.append(classes, own) == common)
    return _log_chances(
        columns.matrix[: len(rows)], classes, columns.matrix[len(rows) :], own, knowledge, streams
    )


def why_not(knowledge: Knowledge, released: Table) -> str | None:
    """Why there is no such model, or None."""
    attribute = released.schema.class_attribute
    if attribute is None or attribute.name not in knowledge.columns or len(knowledge.columns) < 2:
        return "The intruder knows no class, or nothing else."
    codes = class_labels(released)[0]
    return None if len(np.unique(codes[codes >= 0])) > 1 else "The release has fewer than two classes."


def _class_and_inputs(knowledge: Knowledge) -> tuple[Attribute, list[str]]:
    attribute = knowledge.schema.class_attribute
    if attribute is None:
        raise LookupError("A model of the class needs one.")
    return attribute, [name for name in knowledge.columns if name != attribute.name]


def _log_chances(
    matrix: Floats, classes: Codes, targets: Floats, own: Codes, knowledge: Knowledge, streams: Streams
) -> Floats:
    from sklearn.ensemble import ExtraTreesClassifier

    seed = int(streams.words("membership", "class model", 0, range(1))[0] >> np.uint64(33))
    threads = knowledge.threads if len(matrix) >= LARGE else 1
    model = ExtraTreesClassifier(TREES, random_state=seed, n_jobs=threads)
    model.fit(matrix, classes)
    chances = model.predict_proba(targets)
    place = np.searchsorted(model.classes_, own)
    known = (own >= 0) & (place < len(model.classes_))
    known &= model.classes_[np.where(known, place, 0)] == own
    found = np.where(known, chances[np.arange(len(own)), np.where(known, place, 0)], 0.0)
    # As if half a tree more had voted either way: a chance of 0 would cost infinitely much.
    certainty = np.log((found * TREES + 0.5) / (TREES + 1.0))
    return np.where(own < 0, certainty[own >= 0].mean() if (own >= 0).any() else 0.0, certainty)


def nearness(knowledge: Knowledge, released: Table, streams: Streams) -> Floats:
    """Minus the distance to the nearest released record, over all known attributes."""
    return -nearest_known(knowledge, released, streams, "range").distance[:, 0].astype(np.float64)


def count_odds(targets: Integers, released: Integers, reference: Integers) -> Floats:
    """The logarithm of how much likelier a target's count is for a member than for others; all are value codes."""
    own, copied, others = (
        np.searchsorted(_LIMITS, occurrences(codes, released), "right")
        for codes in (targets, released, reference)
    )
    share = (np.bincount(group, minlength=len(_LIMITS) + 1) + 0.5 for group in (copied, others))
    of_copies, of_others = (counts / counts.sum() for counts in share)
    odds = np.log(COPIED * of_copies / of_others + (1 - COPIED))
    return np.asarray(odds[own], np.float64)


def pairs_found(knowledge: Knowledge, released: Table, streams: Streams) -> Floats:
    """The odds of every pair of values of a target, in columns of any kind, added up."""
    codes = [
        value_codes([values, released.columns[name], knowledge.reference[name]])
        for name, values in knowledge.columns.items()
    ]
    odds = np.zeros(knowledge.count)
    for one, other in column_pairs(len(codes), MOST_PAIRS, streams, "membership"):
        odds += count_odds(*pair_codes(codes[one], codes[other]))
    return odds


def values_found(knowledge: Knowledge, released: Table, streams: Streams) -> Floats:
    """The odds of every value of a target, added up as if columns were independent."""
    odds = np.zeros(knowledge.count)
    for name, values in knowledge.columns.items():
        odds += count_odds(*value_codes([values, released.columns[name], knowledge.reference[name]]))
    return odds
