"""Advice that was tried: what a verdict would change is released on throw-away parts of the table first.

Whoever follows the advice should not find out by a whole release that it destroys the table or does not help.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import sqrt

from hushwood.errors import InputError
from hushwood.evaluation.controls import FEWEST_FOR_CONTROL, PARTS, Control, Effort
from hushwood.evaluation.levels import FULL, level_named
from hushwood.policies.advice import (
    CODES,
    FULL_EVIDENCE,
    OTHERWISE,
    Advice,
    Change,
    Changes,
    MadeHow,
    advice_for,
    followed,
)
from hushwood.policies.tried import Outlook, Tried
from hushwood.policies.verdict import Check, Verdict
from hushwood.random_streams import Streams
from hushwood.releasing.recipes import dial_of
from hushwood.reports.release.clearance import number_of, title_of
from hushwood.reports.words.wording import things
from hushwood.stages import Stage, silent
from hushwood.tables.coarse.columns import CoarseColumns
from hushwood.tables.coarse.rules import parsed_rules
from hushwood.tables.persons.units import outermost
from hushwood.tables.table import Table
from hushwood.tuning.candidates import Candidate
from hushwood.tuning.ranking import distance, smoothed_risks
from hushwood.tuning.scores import Ground, Risk, Score, score, usefulness
from hushwood.tuning.search import Question, Rung

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
    """A setting and what was found; `values` are the estimates of its checks, smoothed along the dial."""

    changes: Changes
    made: MadeHow
    score: Score
    values: Sequence[float | None]
    bench: _Bench

    def beyond(self, evidence: str = FULL.name) -> list[float]:
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
        is_open = self.is_open and evidence != FULL.name
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
    changes = verdict.changes.settings
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
    latest = {one.changes: one for one in tries}.values()
    worth = [one for one in latest if one.score.utility >= WORTH * known.utility]
    told = tuple(one.told() for one in latest)
    if not worth:
        says = f"What was tried keeps less than half of what this release keeps for analysts. {OTHERWISE}"
        return _advised(verdict, Advice(says=says), told)
    best = min(worth, key=lambda one: (not one.is_open, max(one.beyond())))
    return _advised(verdict, best.told(), told)


def _tries(changes: Changes, bench: _Bench, stage: Stage) -> Iterator[_Try]:
    """What was advised, and what follows from each try, until one would be cleared.

    Where three throw-away releases leave it open whether the technique can do it, quick evidence leaves it there, and
    full evidence has more of them made of what comes nearest. Another technique comes last.
    """
    own, before, tries = bench.made.options.technique, [(_candidate(bench.made), bench.known)], list[_Try]()
    made = bench.made
    doing = "trying {} on throw-away releases"
    codes = [change for change in changes if change.setting in CODES]
    while changes and len(tries) < MOST:
        made = replace(made, options=followed(made.options, made.evidence, changes)[0])
        if made.options.technique != own:
            break
        stage(doing.format(changes.options), len(tries), MOST)
        tries.append(_tried(changes, made, bench, before))
        yield tries[-1]
        before.append((_candidate(made), tries[-1].score))
        following = _next(tries[-1])
        changes = Changes.merged([*codes, *following]) if following else following
    undecided = [one for one in tries if one.is_open]
    if undecided and made.evidence != FULL.name:  # which is for the user to decide
        return
    surer = bench.surer()
    if undecided and surer.ground.releases > bench.ground.releases:
        best = min(undecided, key=lambda one: max(one.beyond()))
        stage(doing.format(best.changes.options), MOST, MOST)
        yield _tried(best.changes, best.made, surer, before[:1])
    if changes and made.options.technique != own:
        stage(doing.format(changes.options), MOST, MOST)
        yield _tried(changes, made, bench, before)


def _coded(table: Table, changes: Changes, made: MadeHow) -> Table:
    """The table with the ends of columns coded as advised; what was asked for before is done already."""
    texts = {
        change.setting: [text for text in change.value if text not in getattr(made.options, change.setting)]
        for change in changes
        if change.setting in CODES
    }
    rules = parsed_rules((), texts.get("top_code", ()), texts.get("bottom_code", ()))
    return CoarseColumns.of(rules, table).on_table(table)


def _tried(changes: Changes, made: MadeHow, bench: _Bench, before: Sequence[tuple[Candidate, Score]]) -> _Try:
    found = score(_candidate(made), bench.ground)
    # A risk that is higher than with a weaker setting of the same dial is so by chance.
    values = smoothed_risks([*before, (_candidate(made), found)])[-1]
    return _Try(changes, made, found, values, bench)


def _candidate(made: MadeHow) -> Candidate:
    """The setting, with its place on the dial of its technique."""
    dial = dial_of(made.options.technique)
    value = 0.0 if dial is None else dial.now(made.options, made.records)
    return Candidate("", made.options, made.options.technique, value)


def _next(one: _Try) -> Changes:
    """What is advised where a try would not be cleared, whatever the evidence."""
    narrower, made = one.bench.narrower(FULL.name), replace(one.made, evidence=FULL.name)
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
    return replace(verdict, checks=tuple(checks), tried=tried)


def _advice(check: Check, best: Tried) -> Advice:
    """What the best try found about a check."""
    if best.outlook == "not cleared":
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
