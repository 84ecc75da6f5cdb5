"""The search: all candidates on a sample, the better ones on more records, the best on the whole table.

Splits and seeds are shared, so differences between candidates are paired. On the whole table candidates are judged as
their release will be, the most useful first, until nothing is left to decide. Along a dial risk falls on average, but
not in single runs, so an isotonic fit comes before every choice.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import ceil, sqrt
from statistics import fmean, stdev

from hushwood.evaluation.controls import Effort
from hushwood.evaluation.levels import level_named
from hushwood.policies.policy import SUCCESS, Policy
from hushwood.random_streams import Streams
from hushwood.reports.wording import things
from hushwood.stages import Stage, silent
from hushwood.tables.table import Table
from hushwood.tuning.candidates import Candidate
from hushwood.tuning.scores import NOISE, SMALLEST_LIMIT, UNTOUCHED, Ground, Notes, Risk, Score, corner, score

CHEAP_TARGETS = 100  # of attacks whose rate of success is limited, while candidates are compared on samples
AT_ONCE = 2  # candidates on the whole table, however many threads there are: the order of tries depends on it
CLOSE = 0.02  # a difference in utility that a single split cannot decide
Scored = tuple[tuple[Candidate, Score], ...]
UNKNOWN = 1.0  # the distance to clearing of a check without evidence


@dataclass(frozen=True, slots=True)
class Rung:
    """A step of the search: candidates are tried on some records, and the better part of them goes on."""

    records: int
    effort: Effort
    keeps: float


@dataclass(frozen=True, slots=True)
class Thoroughness:
    """How much is tried: the rungs before the whole table, and the `most` candidates that are judged on that.

    There utility is measured on `splits` throw-away releases.
    """

    rungs: tuple[Rung, ...] = (
        Rung(2_000, Effort(outsiders=300, releases=2), 1 / 3),
        Rung(8_000, Effort(outsiders=5_000, releases=2), 2 / 3),
    )
    most: int = 8
    splits: int = 3


USUAL = Thoroughness()


@dataclass(frozen=True)
class Question:
    """What is searched for: a table, a policy, the evidence that decides, and the keys; see `Ground`."""

    table: Table
    policy: Policy
    streams: Streams
    judging: Streams
    evidence: str = "quick"
    threads: int = 1

    def whole(self, splits: int) -> Ground:
        """The whole table, judged as the release will be."""
        asked = (*self.policy.attacks, *self.policy.measures)
        rates = any(one.quantity.aspect == SUCCESS for one in self.policy.requirements)
        level = replace(level_named(self.evidence).only(asked), references=False, rates=rates)
        level = level.counting(self.policy.thresholds)
        return Ground(self.table, self.policy, level, self.streams, self.judging, splits, self.threads)

    def sample(self, rung: Rung) -> Ground:
        """Fewer records and less evidence; samples contain one another."""
        ground = self.whole(1)
        rows = self.streams.sample("tuning", "records", self.table.rows, rung.records)
        effort = replace(rung.effort, most_records=rung.records)
        level = replace(ground.level, effort=effort, targets=CHEAP_TARGETS)
        return replace(ground, table=self.table.take(rows), level=level, threads=1)


@dataclass(frozen=True)
class Searched:
    """The scores on every ground, the roughest first, which all candidates met; and those of the corners."""

    grounds: tuple[Scored, ...]
    corners: tuple[Score, Score]

    @property
    def judged(self) -> Scored:
        """Those on the whole table, in the order in which they were judged."""
        return self.grounds[-1]

    @property
    def latest(self) -> Scored:
        """Every candidate with its score on the most thorough ground that it met."""
        best = {candidate.label: score for ground in self.grounds for candidate, score in ground}
        return tuple((candidate, best[candidate.label]) for candidate, _ in self.grounds[0])


def search(
    question: Question,
    candidates: Sequence[Candidate],
    thoroughness: Thoroughness = USUAL,
    notes: Notes | None = None,
    stage: Stage = silent,
) -> Searched:
    """Find the most useful candidate that the policy clears."""
    known = notes or Notes(None, "", b"")
    whole = question.whole(thoroughness.splits)
    grounds: list[Scored] = []
    met: dict[tuple[int, str], Score] = {}
    left, ranked, dropped = list(candidates), list[Standing](), list[Standing]()
    corners: tuple[Score, ...] = ()
    for rung in thoroughness.rungs:
        # Nothing is left to compare, or the last rung had all records already.
        if ranked and (len(left) <= thoroughness.most or ranked[0].score.records == question.table.rows):
            break
        ground = question.sample(rung)
        scored = _all_scored(left, ground, known, question.threads, stage)
        corners = corners or tuple(_corner(kind, ground, known) for kind in (UNTOUCHED, NOISE))
        grounds.append(tuple(scored))
        met |= {(found.records, found.label): found for _, found in scored}
        ranked = standings(scored, min(sqrt(ground.outsiders / whole.outsiders), 1.0))
        kept = max(ceil(rung.keeps * len(left)), min(thoroughness.most, len(left)))
        ranked, dropped = ranked[:kept], [*ranked[kept:], *dropped]
        left = [one.candidate for one in ranked]
    judged = tuple(_on_the_whole([*ranked, *dropped], met, whole, thoroughness.most, known, stage))
    return Searched((*grounds, judged), (corners[0], corners[1]))


def _all_scored(
    candidates: Sequence[Candidate], ground: Ground, notes: Notes, threads: int, stage: Stage
) -> list[tuple[Candidate, Score]]:
    """The scores on a sample, several at a time."""
    began, total = time.monotonic(), len(candidates)
    doing = f"comparing {things(total, 'way')} to release on {things(ground.table.rows, 'record')}"
    stage(doing, 0, total)
    found = []
    with ThreadPoolExecutor(threads) as pool:
        # What all candidates are compared with is worked out once, before they begin.
        _ = ground.ends
        for done, pair in enumerate(pool.map(lambda one: _scored(one, ground, notes), candidates), 1):
            found.append(pair)
            left = (time.monotonic() - began) / done * (total - done)
            stage(f"{doing}{_time_left(left)}", done, total)
    return found


def _time_left(seconds: float) -> str:
    """Rough words, so that a log does not fill with them.

    >>> _time_left(130), _time_left(20)
    (', about 3 minutes left', '')
    """
    return f", about {ceil(seconds / 60)} minutes left" if seconds > 60 else ""


def _scored(candidate: Candidate, ground: Ground, notes: Notes) -> tuple[Candidate, Score]:
    found = notes.get(ground.name, candidate.label)
    if found is None:
        found = score(candidate, ground)
        notes.add(ground.name, found)
    return candidate, found


def _corner(kind: str, ground: Ground, notes: Notes) -> Score:
    found = notes.get(ground.name, kind)
    if found is None:
        found = corner(kind, ground)
        notes.add(ground.name, found)
    return found


def _on_the_whole(
    waiting: Sequence[Standing],
    met: Mapping[tuple[int, str], Score],
    whole: Ground,
    most: int,
    notes: Notes,
    stage: Stage,
) -> Iterator[tuple[Candidate, Score]]:
    """Judge candidates on the whole table, the most promising first, until none that is left could be chosen.

    Of one dial, values below one that failed are not tried, nor are values above one that was cleared. Samples make
    risks look larger, so what is more useful is tried although it did not look safe there. `met` are the scores on
    samples, by the number of records.
    """
    left, leader, done = list(waiting), None, 0
    while left and done < most:
        stage("judging the best on the whole table", done, most)
        pair = _next_two(left, last=leader is None and done + AT_ONCE >= most)
        with ThreadPoolExecutor(min(AT_ONCE, whole.threads)) as pool:
            found = list(pool.map(lambda one: _scored(one.candidate, whole, notes), pair))
        done += len(pair)
        yield from found
        for one, (_, judged) in zip(pair, found, strict=True):
            if judged.cleared and (leader is None or judged.utility > leader[1].utility):
                leader = one, judged
            left = [other for other in left if other is not one and not _settled(other, one, judged.cleared)]
        if leader is not None:
            best = leader[0].candidate.label
            left = [other for other in left if _could_win(other.score, met[other.score.records, best])]


def _next_two(left: Sequence[Standing], last: bool) -> list[Standing]:
    """The most promising candidate and the next one with another dial.

    The last try goes to what protects most, if nothing was cleared before.
    """
    first = left[0]
    others = [one for one in left[1:] if one.candidate.family != first.candidate.family] or left[1:]
    second = min(left[1:], key=lambda one: one.risk, default=None) if last else next(iter(others), None)
    return [first] if second is None else [first, second]


def _settled(other: Standing, judged: Standing, cleared: bool) -> bool:
    """Whether the dial's other value need not be tried."""
    if other.candidate.family != judged.candidate.family:
        return False
    ahead = other.candidate.value - judged.candidate.value
    return ahead > 0 if cleared else ahead < 0


def _could_win(other: Score, leader: Score) -> bool:
    """Whether another may yet turn out to be more useful, by their scores on the same sample."""
    gap, half = difference(other, leader)
    return gap + (CLOSE if half is None else half) > 0


@dataclass(frozen=True, slots=True)
class Standing:
    """A candidate with its score, and what is expected of it: `distance` to clearing (0: cleared) and utility.

    `risk` is the worst smoothed estimate as a share of its limit.
    """

    candidate: Candidate
    score: Score
    distance: float
    utility: float
    risk: float

    @property
    def order(self) -> tuple[float, float]:
        """Smaller is better."""
        return self.distance, -self.utility


def standings(scored: Sequence[tuple[Candidate, Score]], narrower: float = 1.0) -> list[Standing]:
    """All candidates, the best first; `narrower` is the width of the final intervals as a share of these."""
    risks = _smoothed_risks(scored)
    useful = _along_dials(scored, [score.utility for _, score in scored])
    found = []
    for place, (candidate, judged) in enumerate(scored):
        values = risks[place]
        beyond = max(
            (distance(risk, value, narrower) for risk, value in zip(judged.risks, values, strict=True)),
            default=0.0,
        )
        shares = [
            risk.share(value) for risk, value in zip(judged.risks, values, strict=True) if value is not None
        ]
        found.append(Standing(candidate, judged, beyond, useful[place], max(shares, default=0.0)))
    return sorted(found, key=lambda one: one.order)


def difference(one: Score, other: Score) -> tuple[float, float | None]:
    """How much more useful one is than the other, and half the width of its 95 % interval.

    Both met the same splits, so the differences on them are paired; a single split gives no interval.
    """
    from scipy.stats import t

    pairs = list(zip(one.splits, other.splits, strict=False))
    gaps = [first - second for first, second in pairs]
    if len(gaps) < 2:
        return fmean(gaps), None
    return fmean(gaps), float(t.ppf(0.975, len(gaps) - 1)) * stdev(gaps) / sqrt(len(gaps))


def falling(values: Sequence[float], weights: Sequence[float]) -> list[float]:
    """The nearest values that never rise.

    >>> falling([3.0, 1.0, 2.0], [1.0, 1.0, 1.0])
    [3.0, 1.5, 1.5]
    """
    from sklearn.isotonic import isotonic_regression

    return [float(v) for v in isotonic_regression(values, sample_weight=weights, increasing=False)]


def _smoothed_risks(scored: Sequence[tuple[Candidate, Score]]) -> list[list[float | None]]:
    """The risk of every check of every candidate, smoothed along its dial; None where there is none."""
    found: list[list[float | None]] = [[risk.value for risk in score.risks] for _, score in scored]
    for check in range(len(scored[0][1].risks) if scored else 0):
        rows = [place for place in range(len(scored)) if found[place][check] is not None]
        smooth = _along_dials(
            [scored[row] for row in rows], [float(found[row][check] or 0.0) for row in rows]
        )
        for row, value in zip(rows, smooth, strict=True):
            found[row][check] = value
    return found


def _along_dials(scored: Sequence[tuple[Candidate, Score]], values: Sequence[float]) -> list[float]:
    """Numbers of candidates, made to fall along each dial."""
    smooth = list(values)
    for family in dict.fromkeys(candidate.family for candidate, _ in scored):
        rows = [place for place, (candidate, _) in enumerate(scored) if candidate.family == family]
        rows.sort(key=lambda place: scored[place][0].value)
        weights = [scored[row][1].weight for row in rows]
        for row, value in zip(rows, falling([values[row] for row in rows], weights), strict=True):
            smooth[row] = value
    return smooth


def distance(risk: Risk, value: float | None, narrower: float) -> float:
    """How far the interval that is expected in the end lies beyond the limit, as a share of the limit."""
    if value is None or risk.value is None:
        return 0.0 if risk.status == "pass" else UNKNOWN
    high = value + narrower * (risk.high - risk.value)
    beyond = high - risk.at_most
    if risk.not_shown_above is not None:
        low = value - narrower * (risk.value - risk.low)
        beyond = max(beyond, low - risk.not_shown_above)
    return max(beyond, 0.0) / max(risk.at_most, SMALLEST_LIMIT)
