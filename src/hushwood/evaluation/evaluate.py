"""A case evaluated: measures taken, attacks tried, and what they found put together with what counting says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Floats
from hushwood.attacks.judging.estimates import Excess
from hushwood.attacks.judging.excess import excess_of
from hushwood.attacks.judging.running import NOBODY, NOTHING_FOUND, refusal, run_attack
from hushwood.attacks.judging.targets import Trial, TriedRelease, scenarios_for
from hushwood.attacks.protocol import Attack, Attacked, NotAttackable, Scenario
from hushwood.evaluation.answers import AttackAnswer, MeasureAnswer, taken_apart
from hushwood.evaluation.case import Case, group_interval
from hushwood.evaluation.controls import PARTS
from hushwood.evaluation.distributions import distributions
from hushwood.evaluation.evaluation import (
    AuditFacts,
    CertificateFacts,
    Evaluation,
    LeftOut,
    PeopleFacts,
    PlanStep,
    ReleaseFacts,
    SampleFacts,
)
from hushwood.evaluation.levels import Level
from hushwood.evaluation.membership_law import law_facts
from hushwood.evaluation.plain_data import from_plain
from hushwood.evaluation.release_facts import (
    column_facts,
    drawn_together,
    rare_categories,
    segment_facts,
    unique_extremes,
    unreleased_categories,
)
from hushwood.evaluation.whole_table import LinkFacts, WholeTable
from hushwood.measures.protocol import Measure, Measurement, NotComputable, of_all_records
from hushwood.releasing.perturb import Perturbed
from hushwood.stages import Stage, silent
from hushwood.tables.pairs.pairing import Pair
from hushwood.tables.persons.units import unit_columns
from hushwood.tables.table import Table
from hushwood.trees.forest import Forest
from hushwood.trees.options import Builder
from hushwood.trees.routing import recounted

REFERENCE_TARGETS = 500  # enough to show what the untouched table and pure noise would give
# Goals for which people who were never in the table show what can be learnt about anyone.
CONTROLLED = ("value", "predicate", "parts", "member")


@dataclass(frozen=True)
class Findings:
    """All answers and the pair they are about, which may be a sample.

    `records` holds numbers of single records of the pair's original, in its order, under names of their own.
    """

    pair: Pair
    measures: tuple[MeasureAnswer, ...]
    attacks: tuple[AttackAnswer, ...]
    records: Mapping[str, Floats]
    forests: Mapping[str, Forest]
    builder: Builder


def evaluate(case: Case, level: Level, stage: Stage = silent) -> Findings:
    """Ask every measure of the level and try every attack; risks are those of persons, and utility is that of rows."""
    level = level.for_weights(case.pair.original.weights is not None)
    rows, units = case.sampled(level), case.of_units()
    people = rows if units is case else units.sampled(level)
    total = len(level.measures) + len(level.attacks)
    records: dict[str, Floats] = {}
    measures: list[MeasureAnswer] = []
    for place, name in enumerate(level.measures):
        stage(f"measuring {name.replace('_', ' ')}", place, total)
        measure = level.measure(name)
        of_units = measure.side == "risk" or units is case
        whole, sample = (units, people) if of_units else (case, rows)
        answer, numbers = _measured(measure, whole, sample, level)
        measures.append(answer)
        records |= numbers if of_units else {}
    attacks: list[AttackAnswer] = []
    others = people.of_controls()
    for place, name in enumerate(level.attacks, len(level.measures)):
        stage(f"attacking: {name.replace('_', ' ')}", place, total)
        attack = level.attack(name)
        elsewhere = others[0] if others and attack.goal in CONTROLLED else None
        for tried, numbers in _attacked(attack, elsewhere or people, level):
            attacks.append(_with_excess(tried, people, others, level))
            # The records of the second release are not the pair's.
            records |= {} if elsewhere else numbers
    stage("arranging the findings", total, total)
    return Findings(people.pair, tuple(measures), tuple(attacks), records, rows.grown_forests(), case.grower)


def evaluation_of(case: Case, level: Level, findings: Findings) -> Evaluation:
    """All that was found out about a release; the findings may be about a sample of the case."""
    pair, perturbed, counted = case.pair, case.perturbed, case.counted
    release = _release_facts(case)
    if counted is not None:
        exact = tuple(a.name for a in findings.measures if a.name in counted.answers)
        release = replace(
            release,
            records=counted.records,
            released_records=counted.released_records,
            sample=SampleFacts(pair.original.rows, counted.records, exact),
        )
    return Evaluation(
        pair.match,
        column_facts(case.original),
        findings.measures,
        findings.attacks,
        {**findings.forests, **({"original": _shown_forest(perturbed)} if perturbed else {})},
        release,
        AuditFacts(
            level.name,
            findings.pair.original.rows,
            level.targets,
            tuple(LeftOut(name, reason) for name, reason in pair.left_out.items()),
            tuple(pair.notes),
            _control(case),
            tuple(sorted(pair.generalised)),
            findings.builder.says() if findings.forests else "",
            None if case.people is None else _people(case.original, case.people),
        ),
    )


def _measured(
    measure: Measure, whole: Case, sample: Case, level: Level
) -> tuple[MeasureAnswer, dict[str, Floats]]:
    """The answer of a measure, and numbers of the sample's single records."""
    counted, judged = whole.counted, sample if measure.judged_on == "sample" else whole
    result, seen = judged.result(measure, brief=measure.name in level.brief)
    result = _of_all(result, counted, measure.name)
    if not isinstance(result, Measurement):
        return MeasureAnswer(measure, reason=result.reason), {}
    compared = (whole if measure.judged_on == "groups" else sample).for_class(seen)
    references = compared.references(measure) if level.references else (None, None)
    details, about, each = taken_apart(result.details)
    interval = None
    if counted is not None and measure.name not in counted.answers:
        interval = group_interval(measure, judged, result.value)
    answer = MeasureAnswer(
        measure, result.value, *references, details, about=about, by_class=each, interval=interval
    )
    return answer, {title: _of_sample(values, sample.pair) for title, values in result.records.items()}


def _of_all(
    sampled: Measurement | NotComputable, counted: WholeTable | None, name: str
) -> Measurement | NotComputable:
    """The answer over all records, where they were counted, with those details that only the sample has."""
    exact = None if counted is None else counted.answers.get(name)
    if isinstance(exact, Measurement) and isinstance(sampled, Measurement):
        return of_all_records(sampled, exact)
    return sampled if exact is None else exact


def _of_sample(values: Floats, pair: Pair) -> Floats:
    """The numbers of the pair's records; some measures judge all records where the others judge a sample."""
    return values if pair.drawn is None or len(values) == pair.original.rows else values[pair.drawn]


def _attacked(attack: Attack, case: Case, level: Level) -> Iterator[tuple[AttackAnswer, dict[str, Floats]]]:
    """The attack in every scenario, with numbers of single records; a reason not to try it is given once."""
    reasons: set[str] = set()
    pair = case.pair
    for scenario in scenarios_for(attack, pair.original.schema):
        trial = _trial(attack, scenario, case, level.targets)
        result = run_attack(trial) if level.rates else refusal(trial)
        if result is None:
            yield AttackAnswer(attack, scenario), {}
            continue
        if isinstance(result, NotAttackable):
            if result.reason not in reasons:
                found_none = attack.goal == "predicate" and result.reason == NOTHING_FOUND
                yield AttackAnswer(attack, scenario if found_none else None, reason=result.reason), {}
            reasons.add(result.reason)
            continue
        references: list[float | None] = [None, None]
        if level.references:
            rows, targets = np.arange(pair.original.rows), min(level.targets, REFERENCE_TARGETS)
            same = replace(trial, partner=rows, targets=targets, luck=False, naive_once=True, made_up=False)
            tried = [run_attack(replace(same, released=table)) for table in (pair.original, case.noise)]
            references = [one.success if isinstance(one, Attacked) else None for one in tried]
        found = {f"{attack.name}: {name} ({scenario.name})": v for name, v in result.records.items()}
        yield _attack_answer(attack, result, *references), found


def _with_excess(answer: AttackAnswer, case: Case, others: Sequence[Case], level: Level) -> AttackAnswer:
    """The answer with what being in the table adds; where no release has a property to find, that is the answer."""
    excess = _excess(answer, case, others, level)
    if excess is not None and not excess.attempts:
        return AttackAnswer(answer.attack, reason=NOBODY)
    if excess is not None and excess.further:
        further = {name: list(ends) for name, ends in excess.further.items()}
        return replace(answer, excess=excess, details={**answer.details, "further": further})
    return replace(answer, excess=excess)


def _excess(answer: AttackAnswer, case: Case, others: Sequence[Case], level: Level) -> Excess | None:
    """What being in the table adds to an attack: on all throw-away releases, or with the pair's own hold-out."""
    scenario, pair = answer.scenario, case.pair
    if scenario is None or answer.attack.goal == "numbers":
        return None
    own = np.arange(pair.original.rows)
    people = pair.original.rows + (pair.holdout.rows if pair.holdout else 0)
    tried = []
    if pair.holdout is not None or answer.attack.goal == "row":
        outside = np.arange(len(own), people)
        tried.append(TriedRelease(_trial(answer.attack, scenario, case, level.excess_targets), own, outside))
    # Records are found or not in the release itself; only a short table needs more of them.
    if answer.attack.goal != "row" or pair.original.rows < level.excess_targets:
        people = max([people, *(1 + int(max(c.inside.max(), c.outside.max())) for c in case.controls)])
        tried += [
            TriedRelease(
                _trial(answer.attack, scenario, other, level.excess_targets),
                c.inside,
                c.outside,
                number // PARTS,
            )
            for number, (other, c) in enumerate(zip(others, case.controls, strict=False))
        ]
    return excess_of(tried, people)


def _trial(attack: Attack, scenario: Scenario, case: Case, targets: int) -> Trial:
    pair = case.pair
    return Trial(
        attack,
        scenario,
        pair.original,
        pair.released,
        partner=pair.partner,
        streams=case.streams,
        holdout=pair.holdout,
        targets=targets,
        method=case.perturbed.method if case.perturbed else {},
        threads=case.threads,
        made_up=pair.made_up,
        tree=case.published_tree,
    )


def _attack_answer(
    attack: Attack, result: Attacked, untouched: float | None, noise: float | None
) -> AttackAnswer:
    return AttackAnswer(
        attack,
        result.scenario,
        result.attempts,
        result.success,
        result.naive,
        result.control,
        result.interval,
        untouched,
        noise,
        result.verdict,
        result.details,
    )


def _people(original: Table, people: Pair) -> PeopleFacts:
    name = unit_columns(original.schema)[0]
    return PeopleFacts(name, original.schema[name].role, people.original.rows, original.rows)


def _release_facts(case: Case) -> ReleaseFacts:
    pair, perturbed, paired = case.pair, case.perturbed, case.pair.aligned()
    in_segments = perturbed is not None and perturbed.plan.row_order != "none"
    return ReleaseFacts(
        case.about,
        pair.original.rows,
        pair.released.rows,
        tuple(from_plain(PlanStep, step) for step in perturbed.plan.described(perturbed.table.schema))
        if perturbed
        else (),
        from_plain(CertificateFacts, perturbed.certificate) if perturbed and perturbed.certificate else None,
        segment_facts(perturbed.of_units().segment_ids) if perturbed and in_segments else None,
        drawn_together(*paired, perturbed.steps, perturbed.ways) if perturbed and paired else None,
        rare_categories(*paired) if paired else None,
        unreleased_categories(pair.original, pair.released),
        unique_extremes(*paired) if paired else None,
        distributions(pair.original, pair.released),
        case.notes,
        links=_certified_links(perturbed) if case.links is None else case.links,
        law=law_facts(pair.original, perturbed.of_units()) if perturbed and in_segments else None,
    )


def _shown_forest(perturbed: Perturbed) -> Forest:
    """The forest of a release; the counts in its nodes are those of the release where people were drawn first."""
    drawn = perturbed.plan.row_order == "drawn"
    return recounted(perturbed.forest, perturbed.table) if drawn else perturbed.forest


def _certified_links(perturbed: Perturbed | None) -> tuple[LinkFacts, ...]:
    """The links that the certificate counted in all records."""
    said = perturbed.certificate.get("links", ()) if perturbed and perturbed.certificate else ()
    return tuple(from_plain(LinkFacts, link) for link in said)


def _control(case: Case) -> str | None:
    """Who the people are that were never in the table."""
    pair, controls = case.people or case.pair, case.controls
    if pair.holdout is not None:
        return f"the {pair.holdout.rows:,} people of the hold-out"
    if not controls:
        return None
    names = unit_columns(case.original.schema)
    called = f"{case.original.schema[names[0]].role}s" if names else "records"
    first, outside = controls[0], sum(len(control.outside) for control in controls)
    if len(controls) == 1:
        return (
            f"a throw-away release of {len(first.inside):,} of the {called}, with {len(first.outside):,} others as "
            "people who were never in it"
        )
    return (
        f"{len(controls)} throw-away releases of about {len(first.inside):,} of the {called} each, with {outside:,} "
        "others in all as people who were never in them"
    )
