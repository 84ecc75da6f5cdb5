"""The report of a release as one HTML page that opens offline, made from the evaluation alone.

Two versions: the internal one shows everything, the publishable one only what `redaction` lets through. What each
section shows is gathered here; the templates only arrange it.
"""

from __future__ import annotations

from collections.abc import Mapping

from hushwood.evaluation.distributions import Distribution
from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.risk.changed_classes import ChangedClasses, ClassDetails
from hushwood.measures.utility.correlations import CorrelationDetails, Correlations, mean_changes
from hushwood.policies.verdict import Verdict
from hushwood.reports.charts.columns import (
    class_chart,
    distribution_chart,
    heat_maps,
    segment_chart,
    small_chart,
)
from hushwood.reports.charts.risk import attack_charts, risk_charts
from hushwood.reports.page_frame import View, rendered
from hushwood.reports.redaction import publishable
from hushwood.reports.release import columns, headlines, rule_trees
from hushwood.reports.release.changes import (
    coarsening_table,
    distribution_sentence,
    link_table,
    mean_sentence,
    most_changed,
)
from hushwood.reports.release.clearance import clearance, unblocked
from hushwood.reports.release.columns import notices
from hushwood.reports.release.findings import (
    class_finding,
    detail_tables,
    measure_findings,
    not_answered,
    people_words,
    sample_words,
    standing_out,
    year_columns,
)
from hushwood.reports.release.headlines import attack_row, use_verdict
from hushwood.reports.release.judgement import (
    RULE,
    attack_sentence,
    certificate_verdict,
    details_of,
    drawn,
    law_sentence,
    made_here,
    made_up,
)

Accepted = Mapping[str, str] | None  # "by", "on" and "reason"
_TITLES = {
    "intruder": "What an intruder learns",
    "people": "Who might still stand out",
    "class": "The class",
    "miners": "What miners keep",
    "columns": "What was done",
    "rules": "The rules that survived",
    "distributions": "Before and after",
    "warnings": "Warnings and notes",
    "reading": "How to read this",
}
_FIRST = {"answer": "The answer", "changed": "What changed most", "numbers": "Risk and use in short"}


def internal_report(evaluation: Evaluation, verdict: Verdict | None = None, accepted: Accepted = None) -> str:
    """The whole evaluation, for those who may see the original table; `verdict` is that of the policy.

    `accepted` says who hands out what was not cleared, when and why, here and below.
    """
    return rendered("report.html.j2", everything(evaluation, verdict, accepted=accepted))


def publishable_report(
    evaluation: Evaluation, verdict: Verdict | None = None, accepted: Accepted = None
) -> str:
    """What may be shared with the released table: nothing about fewer than five records.

    What is said first and how it is judged is decided by the whole evaluation, so that nothing sounds better because
    something is withheld.
    """
    return rendered("report.html.j2", everything(publishable(evaluation), verdict, evaluation, accepted))


def everything(
    evaluation: Evaluation,
    verdict: Verdict | None = None,
    full: Evaluation | None = None,
    accepted: Accepted = None,
) -> View:
    """All that the page shows; `full` is the evaluation before anything was withheld from it."""
    ours, full = made_here(evaluation), full or evaluation
    titles = dict(_TITLES)
    if not ours:
        titles["columns"] = "The columns"
        del titles["rules"]
    elif made_up(evaluation) and not drawn(evaluation):
        titles["rules"] = "The rules of the original"
    years = year_columns(evaluation)
    return {
        "public": evaluation.public,
        "ours": ours,
        "made_up": made_up(evaluation),
        "drawn": drawn(evaluation),
        "sections": [*_FIRST.items(), *titles.items()],
        "titles": titles,
        **_answer(evaluation, verdict, full, accepted),
        **_short(evaluation, full),
        "intruder": _intruder(evaluation, full),
        "miners": _miners(evaluation, full),
        **_release(evaluation),
        "people": _people(evaluation),
        **_class(evaluation),
        "distributions": [
            distribution_chart(entry, years=entry.column in years)
            for entry in evaluation.release.distributions
            if entry.histogram is None or entry.histogram.edges
        ],
        **_notes(evaluation),
    }


def _answer(evaluation: Evaluation, verdict: Verdict | None, full: Evaluation, accepted: Accepted) -> View:
    """What comes first: the verdict of the policy, and the promise about rules."""
    return {
        "about": evaluation.release.about,
        "records": evaluation.release.records,
        "released_records": evaluation.release.released_records,
        "sample": evaluation.release.sample,
        "clearance": clearance(verdict, public=evaluation.public, accepted=accepted) if verdict else None,
        "copied": unblocked(columns.copied_columns(evaluation), None if evaluation.public else verdict),
        "notices": notices(evaluation),
        "went_unchanged": bool(columns.copy_warnings(full)),
        "named": unblocked(columns.still_identifying(full), None if evaluation.public else verdict),
        "certificate": certificate_verdict(full),
        "attacks_said": attack_sentence(full) if made_here(evaluation) else "",
    }


def _short(evaluation: Evaluation, full: Evaluation) -> View:
    """The columns that changed most, and the first numbers of both sides."""
    kept = headlines.miners_headlines(evaluation, full)
    changed, years = most_changed(evaluation, full), year_columns(evaluation)
    drawn = [change for change in changed if _has_bars(change.distribution)]
    return {
        "changed": [
            (small_chart(c.distribution, c.says, years=c.distribution.column in years), c.says) for c in drawn
        ],
        "shifts": [
            said for said in (distribution_sentence(changed), mean_sentence(evaluation, full)) if said
        ],
        "learnt": headlines.intruder_headlines(evaluation, full),
        "kept": kept,
        "use": use_verdict(kept),
        "rule": RULE,
    }


def _has_bars(entry: Distribution) -> bool:
    return entry.histogram is None or bool(entry.histogram.edges)


def _miners(evaluation: Evaluation, full: Evaluation) -> View:
    correlations: CorrelationDetails | None = details_of(evaluation, Correlations)
    return {
        "cards": measure_findings(evaluation, "utility", full),
        "trees": rule_trees.compared_trees(evaluation),
        "heat_maps": heat_maps(correlations) if correlations else None,
        "changes": mean_changes(correlations) if correlations else "",
        "tables": detail_tables(evaluation, "utility"),
        "not_answered": not_answered(m for m in evaluation.measures if m.measure.side == "utility"),
    }


def _intruder(evaluation: Evaluation, full: Evaluation) -> View:
    risks = [m for m in evaluation.measures if m.measure.side == "risk"]
    rows = [attack_row(*pair) for pair in zip(evaluation.tried, full.tried, strict=True)]
    return {
        "cards": measure_findings(evaluation, "risk", full),
        "charts": risk_charts(evaluation),
        "attack_charts": attack_charts(evaluation.tried, full.tried),
        "attacks": rows,
        "law": law_sentence(full),
        "control": evaluation.audit.control,
        "tables": detail_tables(evaluation, "risk"),
        "not_answered": not_answered([*risks, *evaluation.attacks]),
    }


def _release(evaluation: Evaluation) -> View:
    together = evaluation.release.drawn_together
    return {
        "columns": columns.column_rows(evaluation),
        "drawn_together": columns.drawn_together_table(together) if together else None,
        "before_and_after": (coarsening_table(evaluation), link_table(evaluation)),
        "not_compared": columns.not_compared(evaluation),
        "predicted": rule_trees.predicted_names(evaluation),
        "without_class": not any(column.role == "class" for column in evaluation.columns),
        "trees": rule_trees.tree_views(evaluation),
    }


def _people(evaluation: Evaluation) -> View:
    release = evaluation.release
    return {
        "findings": standing_out(release, evaluation.audit.people),
        "charts": [segment_chart(release.segments)] if release.segments else [],
        "rare": release.rare_categories.columns if release.rare_categories else (),
        "extremes": columns.extreme_rows(evaluation),
    }


def _class(evaluation: Evaluation) -> View:
    changes: ClassDetails | None = details_of(evaluation, ChangedClasses)
    reasons = [m.reason for m in evaluation.measures if m.name == ChangedClasses.name and m.reason]
    return {
        "class_finding": class_finding(evaluation),
        "class_chart": class_chart(changes) if changes else None,
        "no_class_finding": reasons[0] if reasons else "",
    }


def _notes(evaluation: Evaluation) -> View:
    audit, release = evaluation.audit, evaluation.release
    return {
        "warnings": release.warnings,
        "notes": audit.notes,
        "left_out": audit.left_out,
        "generalised": audit.generalised,
        "sampled": audit.records if audit.records < release.counted_records and not audit.people else None,
        "people_words": people_words(evaluation),
        "counted": release.counted_records,
        "sample_words": sample_words(evaluation),
        "evidence": audit.evidence,
        "builder": audit.builder,
        "pairing": evaluation.pairing,
        "random_order": any(step.row_order in ("secret", "drawn") for step in release.plan),
    }
