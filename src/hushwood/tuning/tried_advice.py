"""Advice that was tried: what a verdict would change is released on throw-away parts of the table first.

Whoever follows the advice should not find out by a whole release that it destroys the table or does not help.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import hypot, sqrt

from hushwood.errors import InputError
from hushwood.evaluation.controls import FEWEST_FOR_CONTROL, PARTS, Control, Effort
from hushwood.evaluation.levels import level_named
from hushwood.policies.advice import (
    CODES,
    FULL_EVIDENCE,
    GROUPED,
    OTHERWISE,
    Advice,
    Change,
    Changes,
    MadeHow,
    Outlook,
    Tried,
    advice_for,
    followed,
)
from hushwood.policies.verdict import Check, Verdict
from hushwood.random_streams import Streams
from hushwood.releasing.recipes import dial_of
from hushwood.reports.release.clearance import number_of, title_of
from hushwood.reports.wording import things
from hushwood.stages import Stage, silent
from hushwood.tables.persons.units import outermost
from hushwood.tables.recoding.preparation import CoarseColumns
from hushwood.tables.recoding.rules import parsed_rules
from hushwood.tables.table import Table
from hushwood.tuning.candidates import Candidate
from hushwood.tuning.scores import Ground, Risk, Score, score, usefulness
from hushwood.tuning.search import Question, Rung, distance

MOST = 3  # settings that are tried of a technique
ROUGH = Rung(20_000, Effort(outsiders=8_000, releases=3), 1.0)  # everyone of a short table is outside of one
SURER = Effort(outsiders=4_000, releases=12)  # for what that leaves open in a short table
WORTH = 1 / 2  # what keeps a smaller share of what the release keeps is named, but not advised
STEP = sqrt(2)  # the dial at least doubles between two tries


@dataclass(frozen=True)
class _Bench:
    """Where settings are tried, and what is known of the release that is to become better."""

    ground: Ground
    made: MadeHow
    known: Score

    def narrower(self, evidence: str) -> float:
        """The width of an interval of a whole release with that evidence, as a share of the one that is found here."""
        effort, records = level_named(evidence).effort, self.made.records
        outside = effort.number(records) * (min(records, effort.most_records) // PARTS)
        return sqrt(self.ground.outsiders / outside)

    def surer(self) -> _Bench:
        """The same with more throw-away releases, where the table is short."""
        return replace(self, ground=replace(self.ground, level=replace(self.ground.level, effort=SURER)))


@dataclass(frozen=True)
class _Try:
    """A setting and what was found; `values` are the estimates of its checks, weighed against the law."""

    changes: Changes
    made: MadeHow
    score: Score
    values: Sequence[float | None]
    bench: _Bench

    def beyond(self, evidence: str = "full") -> list[float]:
        """How far every check is from passing, with the interval that a whole release has by that evidence."""
        narrower = self.bench.narrower(evidence)
        return [
            distance(one, value, narrower) for one, value in zip(self.score.risks, self.values, strict=True)
        ]

    @property
    def is_open(self) -> bool:
        """Whether only the intervals reach over limits, so that more throw-away releases may clear it."""
        asked = zip(self.score.risks, self.values, strict=True)
        return all(distance(risk, value, 0.0) == 0 for risk, value in asked)

    def told(self) -> Tried:
        """What the verdict says of it."""
        found, beyond, evidence = self.score, self.beyond(), self.bench.made.evidence
        broken = tuple(risk.check for risk, far in zip(found.risks, beyond, strict=True) if far)
        is_open = self.is_open and evidence != "full"
        outlook: Outlook = "open" if broken and is_open else "not cleared" if broken else "cleared"
        more = (FULL_EVIDENCE,) if is_open and any(self.beyond(evidence)) else ()
        ends = {one.check: (one.value, one.low, one.high) for one in found.risks if one.value is not None}
        useful = found.utility, self.bench.known.utility
        return Tried(Changes((*self.changes, *more)), ends, broken, found.releases, *useful, outlook)


def with_tried_advice(
    verdict: Verdict,
    table: Table,
    made: MadeHow,
    keys: tuple[Streams, Streams],
    controls: Sequence[Control],
    stage: Stage = silent,
) -> Verdict:
    """The verdict with advice that was tried on throw-away releases; as it is where nothing can be tried.

    `keys` are those of the release and of its judging, `controls` the throw-away releases that the verdict is about.
    """
    # What settles a reason to hold the release back may be enough.
    changes = Changes(verdict.settling) or verdict.changes.settings
    unknown = any(check.estimate is None and check.status != "pass" for check in verdict.checks)
    alone = outermost(table) is None  # the search knows records, not people with several
    if not changes or unknown or not controls or not alone or table.rows < FEWEST_FOR_CONTROL:
        return verdict
    with suppress(InputError):
        table = _coded(table, changes, made)
    ground = replace(Question(table, verdict.policy, *keys).sample(ROUGH), threads=made.options.threads)
    useful = usefulness([control.pair for control in controls[: ground.releases]], ground)
    risks = tuple(map(Risk.of, verdict.checks))
    known = Score("", ground.table.rows, len(controls), verdict.status, risks, tuple(useful))
    # What cannot be made of this table is not advised.
    tries: list[_Try] = []
    with suppress(InputError):
        for one in _tries(changes, _Bench(ground, made, known), stage):
            tries.append(one)
            if not any(one.beyond()):
                break
    if not tries:
        return _advised(verdict, Advice(says=f"{changes.options} cannot be made of this table. {OTHERWISE}"))
    worth = [one for one in tries if one.score.utility >= WORTH * known.utility]
    told = tuple(one.told() for one in tries)
    if not worth:
        says = f"What was tried keeps less than half of what this release keeps for analysts. {OTHERWISE}"
        return _advised(verdict, Advice(says=says), told)
    best = min(worth, key=lambda one: (not one.is_open, max(one.beyond())))
    return _advised(verdict, best.told(), told)


def _tries(changes: Changes, bench: _Bench, stage: Stage) -> Iterator[_Try]:
    """What was advised, and what follows from each try, until one would be cleared; another technique comes last.

    Where three throw-away releases leave it open, quick evidence leaves it there, and full evidence has more made.
    """
    made = bench.made
    codes = [change for change in changes if change.setting in (*CODES, GROUPED.setting)]
    for number in range(MOST):
        if not changes or made.options.technique != bench.made.options.technique:
            return
        made = replace(made, options=followed(made.options, made.evidence, changes)[0])
        doing = f"trying {changes.options} on throw-away releases"
        stage(doing, number, MOST)
        one = _tried(changes, made, bench)
        if one.is_open and any(one.beyond()) and made.evidence == "full":
            stage(f"{doing} again", number, MOST)
            one = _tried(changes, made, bench.surer())
        yield one
        if not any(one.beyond()) or (one.is_open and made.evidence != "full"):
            return
        following = _next(one)
        changes = Changes.merged([*codes, *following]) if following else following


def _coded(table: Table, changes: Changes, made: MadeHow) -> Table:
    """The table with the ends of columns coded as advised; what was asked for before is done already."""
    texts = {
        change.setting: [text for text in change.value if text not in getattr(made.options, change.setting)]
        for change in changes
        if change.setting in CODES
    }
    rules = parsed_rules((), texts.get("top_code", ()), texts.get("bottom_code", ()))
    return CoarseColumns.of(rules, table).on_table(table)


def _tried(changes: Changes, made: MadeHow, bench: _Bench) -> _Try:
    candidate = _candidate(made)
    found = score(candidate, bench.ground)
    return _Try(changes, made, found, tuple(_weighed(bench, candidate, found)), bench)


def _weighed(bench: _Bench, candidate: Candidate, found: Score) -> Iterator[float | None]:
    """The risks that were found, each weighed against what the dial's law expects after those of the release.

    They are weighed by the squares of their intervals; the law may be wrong by as much as it expects.
    """
    before, dial = _candidate(bench.made), dial_of(candidate.technique)
    raised = before.family == candidate.family and candidate.value > before.value
    raised = raised and before.options.rare == candidate.options.rare  # or all risks are others
    for risk, was in zip(found.risks, bench.known.risks, strict=True):
        if not raised or dial is None or risk.value is None or was.value is None:
            yield risk.value
            continue
        falls = (before.value / candidate.value) ** dial.falls
        expected = falls * max(was.value, 0.0)
        doubt, own = hypot(falls * (was.high - was.value), expected), risk.high - risk.value
        share = doubt**2 / (doubt**2 + own**2) if own else 1.0
        yield expected + share * (risk.value - expected)


def _candidate(made: MadeHow) -> Candidate:
    """The setting, with its place on the dial of its technique."""
    dial = dial_of(made.options.technique)
    value = 0.0 if dial is None else dial.now(made.options, made.records)
    return Candidate("", made.options, made.options.technique, value)


def _next(one: _Try) -> Changes:
    """What is advised where a try would not be cleared, whatever the evidence."""
    narrower, made = one.bench.narrower("full"), replace(one.made, evidence="full")
    changes: list[Change] = []
    asked = zip(one.bench.ground.policy.requirements, one.score.risks, one.values, one.beyond(), strict=True)
    for requirement, risk, value, beyond in asked:
        if beyond and value is not None and risk.value is not None:
            high = value + narrower * (risk.high - risk.value)
            changes += advice_for(requirement, (value, high), made, step=STEP).changes
    return Changes.merged(changes).settings


def _advised(verdict: Verdict, found: Tried | Advice, tried: tuple[Tried, ...] = ()) -> Verdict:
    """The verdict with what was found in the place of what was guessed."""
    checks = (
        check
        if check.status == "pass"
        else replace(check, advice=found if isinstance(found, Advice) else _advice(check, found))
        for check in verdict.checks
    )
    settling = found.changes if verdict.settling and not _hopeless(found) else ()
    return replace(verdict, checks=tuple(checks), tried=tried, settling=tuple(settling))


def _hopeless(found: Tried | Advice) -> bool:
    return isinstance(found, Advice) or found.outlook == "not cleared"


def _advice(check: Check, best: Tried) -> Advice:
    """What the best try found about a check."""
    if _hopeless(best):
        return Advice(
            says=f"Nothing that was tried would be cleared and keep enough for analysts. {OTHERWISE}"
        )
    asked, name = check.requirement, check.name
    if name not in best.found:
        return Advice(best.changes)
    value, _, high = best.found[name]
    was = f"{number_of(asked, value)}, up to {number_of(asked, high)}"
    on = f"with {best.changes.settings.options} on {things(best.releases, 'throw-away release')}"
    return Advice(best.changes, f"{title_of(asked)}: {was}, {on}.")
