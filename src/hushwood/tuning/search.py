"""The search: all candidates on a sample, the better ones on more records, the best on the whole table.

Splits and seeds are shared, so differences between candidates are paired. On the whole table candidates are judged as
their release will be, the most useful first, until nothing is left to decide.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from math import ceil, sqrt

from hushwood.evaluation.controls import Effort
from hushwood.evaluation.levels import level_named
from hushwood.policies.limits import SUCCESS
from hushwood.policies.policy import Policy
from hushwood.random_streams import Streams
from hushwood.reports.wording import things
from hushwood.stages import Stage, silent
from hushwood.tables.table import Table
from hushwood.tuning.candidates import Candidate
from hushwood.tuning.notes import Notes
from hushwood.tuning.ranking import Standing, difference, standings
from hushwood.tuning.scores import NOISE, UNTOUCHED, Ground, Score, corner, score

CHEAP_TARGETS = 100  # of attacks whose rate of success is limited, while candidates are compared on samples
AT_ONCE = 2  # candidates on the whole table, however many threads there are: the order of tries depends on it
CLOSE = 0.02  # a difference in utility that a single split cannot decide


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


Scored = tuple[tuple[Candidate, Score], ...]


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
