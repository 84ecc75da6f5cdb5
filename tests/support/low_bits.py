"""The low-bits attack on noise: how many random words turn this original value into exactly that released one?

Noise made of a word, times its scale, added to a number and rounded reaches only some floats, and others from every
original value. An intruder who knows a person's exact values, the rules and the laws counts the words instead of
trusting the density. `with_plain_noise` makes releases that lose to it; on a grid that is coarse against the words the
count says no more than the law does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.special import ndtr, ndtri

from hushwood.arrays import Codes, Floats
from hushwood.random_streams import Streams
from hushwood.releasing.perturb import Perturbed, PerturbOptions, perturb
from hushwood.tables.domains import Intervals
from hushwood.tables.table import Table
from hushwood.techniques.laws.joint import JointLaw
from hushwood.techniques.laws.noise import NoiseLaw
from support.mixed_tables import number, table_of, target

Words = Callable[[Floats, Floats, Intervals, Floats, str], Floats] | None

NAMES = tuple(f"x{i}" for i in range(12))
WORDS = 2.0**53  # noise is made from a word of that many values
_TURNS = 4
_TRIES = 6


@cache
def continuous_table(rows: int, seed: int = 1) -> Table:
    """Twelve columns of full-precision numbers of several sizes and shapes, and a class that hangs on some of them."""
    chance = np.random.default_rng(seed)
    shared = chance.normal(size=rows)
    columns = [
        *(0.6 * shared + 0.8 * chance.normal(size=rows) for _ in range(4)),
        *(np.exp(chance.normal(size=rows)) for _ in range(3)),
        *(100 + 15 * chance.normal(size=rows) for _ in range(3)),
        *(chance.random(rows) for _ in range(2)),
    ]
    label = (columns[0] + columns[4] / 2 + 0.5 * chance.normal(size=rows) > 0.8).astype(int)
    numbers = {
        name: (number(name, float(values.min()), float(values.max()), None), values.tolist())
        for name, values in zip(NAMES, columns, strict=True)
    }
    return table_of({**numbers, "k": (target("k", "no"), label.tolist())})


def released(rows: int, seed: int = 1, **options: object) -> Perturbed:
    """What Hushwood makes of the table."""
    chosen = PerturbOptions(threads=1, **{"technique": "forest-framework", **options})  # type: ignore[arg-type]
    return perturb(continuous_table(rows), chosen, Streams(bytes([seed] * 32)))


def with_plain_noise(done: Perturbed, original: Table, seed: int = 1) -> dict[str, Floats]:
    """The same release with every noise a float that is added to a float."""
    chance = np.random.default_rng(seed)
    columns = {name: np.array(values, float) for name, values in original.columns.items()}
    for law, ids in noise_laws(done):
        assert law.covered is not None
        here = np.flatnonzero(law.covered[ids])
        box, scale = law.intervals.take(ids[here]), law.scale[ids[here]]
        word = np.floor(chance.random(len(here)) * WORDS)
        columns[law.attribute][here] = _plain(columns[law.attribute][here], word, box, scale, law.boundary)
    return columns


def noise_laws(done: Perturbed) -> Iterator[tuple[NoiseLaw, Codes]]:
    """The noise laws of single columns, with the segment of every record."""
    for step in done.steps:
        law = step.perturber.law()
        for only in law.laws if isinstance(law, JointLaw) else ():
            if isinstance(only, NoiseLaw):
                yield only, step.segment_ids


def _plain(x: Floats, word: Floats, box: Intervals, scale: Floats, boundary: str) -> Floats:
    """What a random word makes of a number: normal noise as a float, added and brought back inside."""
    u = np.clip((word + 0.5) / WORDS, 0.5 / WORDS, 1 - 1 / WORDS)
    low, high, width = box.low, box.high, box.high - box.low
    if boundary == "truncate":
        first, last = ndtr((low - x) / scale), ndtr((high - x) / scale)
        return np.asarray(np.clip(x + scale * ndtri(first + u * (last - first)), low, high))
    moved = x + scale * ndtri(u)
    if boundary == "wrap":
        return np.asarray(low + np.mod(moved - low, width))
    folded = np.mod(moved - low, 2 * width)
    return np.asarray(low + np.where(folded <= width, folded, 2 * width - folded))


def plain_words(x: Floats, y: Floats, box: Intervals, scale: Floats, boundary: str) -> Floats:
    """How many words turn x into exactly y: those near the noise that is missing are tried out."""
    found = np.zeros(len(y))
    for place in _places(y, box.low, box.high - box.low, boundary):
        p = ndtr((place - x) / scale)
        if boundary == "truncate":
            first, last = ndtr((box.low - x) / scale), ndtr((box.high - x) / scale)
            p = (p - first) / (last - first)
        near = np.floor(np.clip(p, 0, 1) * WORDS)
        for more in range(-_TRIES, _TRIES + 1):
            found += _plain(x, near + more, box, scale, boundary) == y
    return found


def grid_words(x: Floats, y: Floats, box: Intervals, scale: Floats, boundary: str) -> Floats:
    """The same for noise in whole steps of the grid: words whose noise rounds to the steps that are missing."""
    first, step, points = box.first, box.step, box.points
    own = np.clip(np.rint((x - first) / step), 0, points - 1)
    found = np.zeros(len(y))
    for place in _places((y - first) / step, np.zeros(len(y)), points, boundary, shift=1):
        ends = [(place - own + half) * step / scale for half in (-0.5, 0.5)]
        p, q = ndtr(ends[0]), ndtr(ends[1])
        # In the upper tail count from the other end, where floats are finer than words.
        upper = ends[0] > 0
        p, q = np.where(upper, ndtr(-ends[1]), p), np.where(upper, ndtr(-ends[0]), q)
        if boundary == "truncate":
            room = ndtr((points - 0.5 - own) * step / scale) - ndtr((-0.5 - own) * step / scale)
            p, q = p / room, q / room
        found += np.floor(q * WORDS + 0.5) - np.floor(p * WORDS + 0.5)
    return found


def _places(y: Floats, low: Floats, width: Floats, boundary: str, shift: int = 0) -> Iterator[Floats]:
    """Where y may have lain before it was brought back; a grid's mirrors stand half a step beyond its ends."""
    if boundary == "truncate":
        yield y
        return
    for turn in range(-_TURNS, _TURNS + 1):
        if boundary == "wrap":
            yield y + turn * width
        else:
            yield y + 2 * turn * width
            yield 2 * low - shift - y + 2 * turn * width


@dataclass(frozen=True)
class Finds:
    """How often the likeliest record is the person's own, ties shared out: by the laws alone, and by counting words."""

    targets: int
    by_laws: float
    by_words: float
    bits_of_entropy: float


def attacked(
    done: Perturbed, columns: Mapping[str, Floats], original: Table, words: Words, targets: int
) -> Finds:
    """Let the intruder look for the first people of the table, whose values, all but the class, are known."""
    by_laws = by_words = entropy = 0.0
    for person in range(targets):
        likely = _likelihood(done, columns, original, person)
        possible = np.isfinite(likely)
        counted = np.where(possible, likely if words is None else 0.0, -np.inf)
        for law, ids in noise_laws(done):
            if words is None:
                break
            here = np.flatnonzero(possible & (True if law.covered is None else law.covered[ids]))
            x, y = np.full(len(here), original.columns[law.attribute][person]), columns[law.attribute][here]
            found = words(x, y, law.intervals.take(ids[here]), law.scale[ids[here]], law.boundary)
            counted[here] += np.log(np.maximum(found, 1e-20))
        by_laws += _found(likely, person)
        by_words += _found(counted, person)
        share = np.exp(likely[possible] - likely[possible].max())
        share /= share.sum()
        entropy -= float((share * np.log2(np.maximum(share, 1e-300))).sum())
    return Finds(targets, by_laws / targets, by_words / targets, entropy / targets)


def _found(likelihood: Floats, own: int) -> float:
    best = likelihood >= likelihood.max() - 1e-6
    return float(best[own] / best.sum())


def _likelihood(done: Perturbed, columns: Mapping[str, Floats], original: Table, person: int) -> Floats:
    """Log probability of every released record, if it were this person's."""
    rows, ids = original.rows, done.segments.ids
    known = {name: np.repeat(values[person : person + 1], rows) for name, values in original.columns.items()}
    total = np.zeros(rows)
    for name in NAMES:
        box = done.segments.intervals[name].take(ids)
        total[(known[name] < box.low) | (known[name] > box.high)] = -np.inf
    for step in done.steps:
        if set(step.perturber.attributes) <= set(NAMES):
            total += step.perturber.law().log_prob(known, {**known, **columns}, step.segment_ids)
    return total
