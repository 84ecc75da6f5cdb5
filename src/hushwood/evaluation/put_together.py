"""What was found about a release, put together as an `Evaluation` with what counting says about it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hushwood.evaluation import release_facts as facts
from hushwood.evaluation.distributions import distributions
from hushwood.evaluation.evaluate import Findings
from hushwood.evaluation.evaluation import (
    About,
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
from hushwood.evaluation.whole_table import WholeTable
from hushwood.releasing.perturb import Perturbed
from hushwood.tables.pairs.pairing import Pair
from hushwood.tables.persons.units import unit_columns
from hushwood.tables.table import Table


def evaluation_of(
    original: Table,
    pair: Pair,
    findings: Findings,
    level: Level,
    *,
    perturbed: Perturbed | None = None,
    control: str | None = None,
    warnings: Sequence[str] = (),
    about: About | None = None,
    counted: WholeTable | None = None,
    people: Pair | None = None,
) -> Evaluation:
    """All that was found about a release.

    `pair` is the whole one, of which the findings may have judged a sample. `control` describes the people who were
    never in the table. `counted` is the longer table that the pair itself is a sample of.
    """
    release = _release_facts(pair, perturbed, about or About(), warnings)
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
        facts.column_facts(original),
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
            control,
            tuple(sorted(pair.generalised)),
            findings.builder.says() if findings.forests else "",
            None if people is None else _people(original, people),
        ),
    )


def _people(original: Table, people: Pair) -> PeopleFacts:
    name = unit_columns(original.schema)[0]
    return PeopleFacts(name, original.schema[name].role, people.original.rows, original.rows)


def _release_facts(
    pair: Pair, perturbed: Perturbed | None, about: About, warnings: Sequence[str]
) -> ReleaseFacts:
    paired = pair.aligned()
    return ReleaseFacts(
        about,
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
        tuple(warnings),
        links=_certified_links(perturbed),
    )


def _certified_links(perturbed: Perturbed | None) -> tuple[LinkFacts, ...]:
    """The links that the certificate counted in all records."""
    said = perturbed.certificate.get("links", ()) if perturbed and perturbed.certificate else ()
    return tuple(from_plain(LinkFacts, link) for link in said)
