"""Utility for description: associations, margins, counts, and whether a model tells release and original apart."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise

import numpy as np

from frontier.models import auc, boosting
from frontier.records import Flags, Floats, Integers, Records, indicators
from frontier.reference import FOLDS, Reference

BINS = 20
CHANCE = 0.5
QUERIES = 200
# An interval of a query holds from a tenth to a half of the records; a count below 1 % of them is judged as 1 %.
NARROWEST, WIDEST = 0.1, 0.5
LEAST_COUNT = 0.01


def association_error(reference: Reference, released: Records) -> float:
    """Mean absolute difference of all pairwise associations, the class included."""
    before, after = (
        associations(records, reference.columns.widths) for records in (reference.people, released)
    )
    return float(np.mean(np.abs(before - after)))


def associations(records: Records, widths: tuple[int, ...]) -> Floats:
    """Of every pair of columns: Spearman's rank correlation, correlation ratio of ranks, or Cramér's V."""
    ranks, own = _standard_ranks(records.numbers), indicators(records.codes, widths)
    count, few = records.count, ranks.shape[1]
    above = np.triu_indices(few, 1)
    spearman = (ranks.T @ ranks / count)[above]
    sizes, starts = own.sum(axis=0), np.cumsum([0, *widths])
    between = (own.T @ ranks) ** 2 / np.maximum(sizes, 1.0)[:, None] / count
    ratios = np.sqrt(np.add.reduceat(between, starts[:-1], axis=0)).ravel()
    together = own.T @ own
    parts = [slice(start, stop) for start, stop in pairwise(starts)]
    cramers = [cramers_v(together[one, other]) for one, other in combinations(parts, 2)]
    return np.concatenate([spearman, ratios, np.array(cramers, float)])


def _standard_ranks(numbers: Floats) -> Floats:
    """Mid-ranks with mean 0 and variance 1; zeros for a constant column."""
    from scipy.stats import rankdata

    if not numbers.shape[1]:
        return numbers
    ranks = rankdata(numbers, axis=0)
    ranks = ranks - ranks.mean(axis=0)
    spread = ranks.std(axis=0)
    return np.asarray(ranks / np.where(spread > 0, spread, 1.0))


def cramers_v(counts: Floats) -> float:
    """Cramér's V of a table of counts; 0 if one side has a single value."""
    counts = counts[counts.sum(axis=1) > 0][:, counts.sum(axis=0) > 0]
    least = min(counts.shape) - 1
    if least < 1:
        return 0.0
    total = counts.sum()
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / total
    return float(np.sqrt(((counts - expected) ** 2 / expected).sum() / total / least))


def marginal_distance(reference: Reference, released: Records) -> float:
    """Mean total variation of the columns, the class included; numbers in up to 20 quantile bins of the original."""
    people = reference.people
    distances = []
    for j in range(people.numbers.shape[1]):
        limits = np.unique(np.quantile(people.numbers[:, j], np.linspace(0, 1, BINS + 1)[1:-1]))
        before, after = (np.searchsorted(limits, r.numbers[:, j]) for r in (people, released))
        distances.append(total_variation(before, after, len(limits) + 1))
    for j, width in enumerate(reference.columns.widths):
        distances.append(total_variation(people.codes[:, j], released.codes[:, j], width))
    return float(np.mean(distances))


def total_variation(before: Integers, after: Integers, values: int) -> float:
    shares = [np.bincount(codes, minlength=values) / len(codes) for codes in (before, after)]
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


def told_apart(reference: Reference, released: Records) -> float:
    """AUC of boosted trees that tell released records from original ones, each scored by a model that never saw it.

    Row i of both tables is in the same fold, so that a copy never stands in training with the other label. A number
    that was only moved to another row still does, which makes the model worse than chance; that counts as chance.
    """
    both = np.vstack([reference.features(records, target=True) for records in (reference.people, released)])
    is_released = np.arange(len(both)) >= reference.people.count
    folds = reference.folds("told apart", max(reference.people.count, released.count))
    fold = np.concatenate([folds[: reference.people.count], folds[: released.count]])
    scores = np.empty(len(both))
    for number in range(FOLDS):
        here = fold == number
        model = boosting(reference.seed).fit(both[~here], is_released[~here])
        scores[here] = model.predict_proba(both[here])[:, 1]
    return max(auc(scores, is_released), CHANCE)


@dataclass(frozen=True)
class Condition:
    """One half of a query: a numeric column between two values, or a category with one level."""

    column: int
    low: float
    high: float

    def holds(self, records: Records) -> Flags:
        few = records.numbers.shape[1]
        numeric = self.column < few
        values = records.numbers[:, self.column] if numeric else records.codes[:, self.column - few]
        return np.asarray((values >= self.low) & (values <= self.high))


def query_error(reference: Reference, released: Records) -> float:
    """Mean relative error of 200 random counts of records that meet two conditions on two columns."""
    errors = []
    for one, other in queries(reference):
        before, after = (float(np.mean(one.holds(r) & other.holds(r))) for r in (reference.people, released))
        errors.append(abs(after - before) / max(before, LEAST_COUNT))
    return float(np.mean(errors))


def queries(reference: Reference) -> list[tuple[Condition, Condition]]:
    """Pairs of conditions that hold for a random person, so that no count of the original is 0."""
    columns = reference.columns.inputs + 1
    drawn = np.array(
        [reference.streams.uniform("frontier queries", "", k, range(QUERIES)) for k in range(7)]
    ).T
    pairs = []
    for first, second, person, *widths_and_offsets in drawn:
        one = int(first * columns)
        other = (one + 1 + int(second * (columns - 1))) % columns
        row = int(person * reference.people.count)
        pairs.append(
            (
                _condition(reference, one, row, *widths_and_offsets[:2]),
                _condition(reference, other, row, *widths_and_offsets[2:]),
            )
        )
    return pairs


def _condition(reference: Reference, column: int, row: int, width: float, offset: float) -> Condition:
    people, few = reference.people, reference.people.numbers.shape[1]
    if column >= few:
        level = float(people.codes[row, column - few])
        return Condition(column, level, level)
    values = people.numbers[:, column]
    held = max(1, int((NARROWEST + (WIDEST - NARROWEST) * width) * len(values)))
    rank = int((values < values[row]).sum())
    start = min(max(rank - int(offset * held), 0), len(values) - held)
    line = np.sort(values)
    return Condition(column, float(line[start]), float(line[start + held - 1]))
