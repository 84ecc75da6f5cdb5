"""The report of a release as one HTML page that opens offline, made from the evaluation alone.

Two versions: the internal one shows everything, the publishable one only what `redaction` lets through. What each
section shows is gathered here; the templates only arrange it.
"""

from __future__ import annotations

from hushwood.evaluation.evaluation import Evaluation
from hushwood.measures.risk.changed_classes import ChangedClasses, class_changes
from hushwood.measures.utility.correlations import Correlations, matrices, mean_changes
from hushwood.reports.charts.attacks import attack_chart
from hushwood.reports.charts.counts import class_chart, segment_chart
from hushwood.reports.charts.distributions import distribution_chart
from hushwood.reports.charts.heat_maps import heat_maps
from hushwood.reports.charts.risk import risk_charts
from hushwood.reports.page_frame import View, rendered
from hushwood.reports.redaction.redaction import publishable
from hushwood.reports.release import columns, headlines, rule_trees
from hushwood.reports.release.attack_views import attack_row
from hushwood.reports.release.findings import detail_tables, measure_findings, not_answered
from hushwood.reports.release.judgement import RULE
from hushwood.reports.release.standing_out import class_finding, standing_out
from hushwood.reports.release.verdicts import attack_sentence, made_here, made_up, verdict

_TITLES = {
    "miners": "What miners keep",
    "intruder": "What an intruder learns",
    "columns": "What was done",
    "rules": "The rules that survived",
    "people": "Who might still stand out",
    "class": "The class",
    "distributions": "Before and after",
    "warnings": "Warnings and notes",
    "reading": "How to read this",
}


def internal_report(evaluation: Evaluation) -> str:
    """The whole evaluation, for those who may see the original table."""
    return rendered("report.html.j2", everything(evaluation))


def publishable_report(evaluation: Evaluation) -> str:
    """What may be shared with the released table: nothing about fewer than five records."""
    return rendered("report.html.j2", everything(publishable(evaluation)))


def everything(evaluation: Evaluation) -> View:
    """All that the page shows."""
    ours = made_here(evaluation)
    titles = dict(_TITLES)
    if not ours:
        titles["columns"] = "The columns"
        del titles["rules"]
    elif made_up(evaluation):
        titles["rules"] = "The rules of the original"
    return {
        "public": evaluation.public,
        "ours": ours,
        "made_up": made_up(evaluation),
        "sections": list(titles.items()),
        "titles": titles,
        **_summary(evaluation),
        "miners": _miners(evaluation),
        "intruder": _intruder(evaluation),
        **_release(evaluation),
        "people": _people(evaluation),
        **_class(evaluation),
        "distributions": [
            distribution_chart(entry)
            for entry in evaluation.release.distributions
            if entry.histogram is None or entry.histogram.edges
        ],
        **_notes(evaluation),
    }


def _summary(evaluation: Evaluation) -> View:
    return {
        "about": evaluation.release.about,
        "records": evaluation.release.records,
        "released_records": evaluation.release.released_records,
        "verdict": verdict(evaluation),
        "attacks_said": attack_sentence(evaluation) if made_here(evaluation) else "",
        "kept": headlines.miners_headlines(evaluation),
        "learnt": headlines.intruder_headlines(evaluation),
        "rule": RULE,
    }


def _miners(evaluation: Evaluation) -> View:
    correlations = evaluation.measure(Correlations.name)
    pairs = matrices(correlations.details) if correlations else None
    return {
        "cards": measure_findings(evaluation, "utility"),
        "trees": rule_trees.compared_trees(evaluation),
        "heat_maps": heat_maps(pairs) if pairs else None,
        "changes": mean_changes(correlations.details) if correlations else "",
        "tables": detail_tables(evaluation, "utility"),
        "not_answered": not_answered(m for m in evaluation.measures if m.measure.side == "utility"),
    }


def _intruder(evaluation: Evaluation) -> View:
    risks = [m for m in evaluation.measures if m.measure.side == "risk"]
    return {
        "cards": measure_findings(evaluation, "risk"),
        "charts": risk_charts(evaluation),
        "attack_chart": attack_chart(evaluation.tried) if evaluation.tried else None,
        "attacks": [attack_row(answer) for answer in evaluation.tried],
        "control": evaluation.audit.control,
        "tables": detail_tables(evaluation, "risk"),
        "not_answered": not_answered([*risks, *evaluation.attacks]),
    }


def _release(evaluation: Evaluation) -> View:
    class_name, classes = rule_trees.class_and_values(evaluation)
    together = evaluation.release.drawn_together
    return {
        "columns": columns.column_rows(evaluation),
        "copied": columns.copied_columns(evaluation),
        "drawn_together": columns.drawn_together_table(together) if together else None,
        "named": columns.still_identifying(evaluation),
        "not_compared": columns.not_compared(evaluation),
        "classes": classes,
        "class_name": class_name,
        "trees": rule_trees.tree_views(evaluation),
    }


def _people(evaluation: Evaluation) -> View:
    release = evaluation.release
    return {
        "findings": standing_out(release),
        "charts": [segment_chart(release.segments)] if release.segments else [],
        "rare": release.rare_categories.columns if release.rare_categories else (),
        "extremes": columns.extreme_rows(evaluation),
    }


def _class(evaluation: Evaluation) -> View:
    answer = evaluation.measure(ChangedClasses.name)
    reasons = [m.reason for m in evaluation.measures if m.name == ChangedClasses.name and m.reason]
    return {
        "class_finding": class_finding(evaluation),
        "class_chart": class_chart(class_changes(answer.details)) if answer else None,
        "no_class_finding": reasons[0] if reasons else "",
    }


def _notes(evaluation: Evaluation) -> View:
    audit, release = evaluation.audit, evaluation.release
    return {
        "warnings": release.warnings,
        "notes": audit.notes,
        "left_out": audit.left_out,
        "generalised": audit.generalised,
        "sampled": audit.records if audit.records < release.records else None,
        "evidence": audit.evidence,
        "pairing": evaluation.pairing,
        "random_order": any(step.row_order == "secret" for step in release.plan),
    }
