"""What was found about a release, put together as an `Evaluation` with what counting says about it."""

from __future__ import annotations

from dataclasses import replace

from hushwood.evaluation import release_facts as facts
from hushwood.evaluation.case import Case
from hushwood.evaluation.distributions import distributions
from hushwood.evaluation.evaluate import Findings
from hushwood.evaluation.evaluation import (
    AuditFacts,
    CertificateFacts,
    Evaluation,
    LeftOut,
    PeopleFacts,
    PlanStep,
    ReleaseFacts,
    Sample,
)
from hushwood.evaluation.levels import Level
from hushwood.evaluation.link_facts import LinkFacts
from hushwood.evaluation.plain_data import from_plain
from hushwood.evaluation.segment_moments import drawn_together
from hushwood.releasing.perturb import Perturbed
from hushwood.tables.pairs.pairing import Pair
from hushwood.tables.persons.units import unit_columns
from hushwood.tables.table import Table


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
            sample=Sample(pair.original.rows, counted.records, exact),
        )
    return Evaluation(
        pair.match,
        facts.column_facts(case.original),
        findings.measures,
        findings.attacks,
        {**findings.forests, **({"original": perturbed.forest} if perturbed else {})},
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


def _people(original: Table, people: Pair) -> PeopleFacts:
    name = unit_columns(original.schema)[0]
    return PeopleFacts(name, original.schema[name].role, people.original.rows, original.rows)


def _release_facts(case: Case) -> ReleaseFacts:
    pair, perturbed, paired = case.pair, case.perturbed, case.pair.aligned()
    return ReleaseFacts(
        case.about,
        pair.original.rows,
        pair.released.rows,
        tuple(from_plain(PlanStep, step) for step in perturbed.plan.described(perturbed.table.schema))
        if perturbed
        else (),
        from_plain(CertificateFacts, perturbed.certificate) if perturbed and perturbed.certificate else None,
        facts.segment_facts(perturbed.of_units().segment_ids) if perturbed and perturbed.paired else None,
        drawn_together(*paired, perturbed.steps, perturbed.ways) if perturbed and paired else None,
        facts.rare_categories(*paired) if paired else None,
        facts.unreleased_categories(pair.original, pair.released),
        facts.unique_extremes(*paired) if paired else None,
        distributions(pair.original, pair.released),
        case.notes,
        links=_certified_links(perturbed),
    )


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
