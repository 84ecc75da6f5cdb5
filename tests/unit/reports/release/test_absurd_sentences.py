"""Sentences that contradicted themselves or their badge in trials, each with what is said now."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hushwood.evaluation.evaluation import Evaluation
from hushwood.policies.policy import policy_named
from hushwood.policies.verdict import Check, CheckStatus, Estimate, Verdict
from hushwood.releasing.options import PerturbOptions
from hushwood.reports.release.changes import mean_sentence
from hushwood.reports.release.clearance import clearance
from hushwood.reports.release.findings import measure_finding
from support.sample_entries import document_of, measure_entry, risk

SPACE = "\N{NO-BREAK SPACE}"


def wp29(status: CheckStatus, value: float, low: float, high: float) -> Verdict:
    """A verdict of one check of the policy."""
    policy = policy_named("wp29")
    found = Check(policy.requirements[0], status, Estimate(value, low, high))
    return Verdict(policy, (found,))


def test_too_many_records_below_the_threshold_are_no_small_risk() -> None:
    """49.8 % have fewer than 5.64 bits; the limit for this is 5 %: small risk."""
    details = {
        "below_threshold": 0.498,
        "allowed_share": 0.05,
        "threshold_bits": 5.64,
        "likelihood": "fitted",
    }
    found = measure_finding(risk("reidentification_entropy", 9.0, details=details))
    assert "the limit for this is 5" in found.meaning
    assert (found.badge, found.tone) == ("clear risk", "care")
    few = measure_finding(risk("reidentification_entropy", 9.0, details=details | {"below_threshold": 0.01}))
    assert few.badge == "small risk"
    none_left = measure_finding(risk("reidentification_entropy", 0.5, details=details))
    assert none_left.badge == "large risk"


def test_a_law_that_was_fitted_does_not_deny_how_the_release_was_made() -> None:
    """How the release was made is not known here: it was ours."""
    details = {"likelihood": "fitted"}
    meaning = measure_finding(risk("reidentification_entropy", 9.0, details=details)).meaning
    assert "The exact law of the release is not known here, so one was fitted to the two tables." in meaning


def test_a_check_that_fails_below_its_limit_says_why() -> None:
    """Fail at +0.3 of 5 points."""
    (row,) = clearance(wp29("fail", 0.003, 0.001, 0.006)).rows
    assert (row.limit, row.found) == ("at most 5 points, and none shown", "+0.3 points")
    assert row.reason == (
        "All of the interval, from +0.1 to +0.6 points, is above 0, so an excess is shown, and this policy allows "
        "none, however small."
    )
    (shared,) = clearance(wp29("fail", 0.003, 0.001, 0.006), public=True).rows
    assert "+0.1" not in shared.reason
    (beyond,) = clearance(wp29("fail", 0.2, 0.1, 0.3)).rows
    assert beyond.reason == ""


def test_an_upper_end_just_over_the_limit_does_not_look_like_the_limit() -> None:
    """Up to +5 points, at most 5 points: not proven."""
    (over,) = clearance(wp29("not proven", 0.028, -0.005, 0.0502)).rows
    (far,) = clearance(wp29("not proven", 0.028, -0.005, 0.07)).rows
    assert (over.upper, far.upper) == ("up to just over +5 points", "up to +7 points")


@pytest.mark.parametrize(("k", "smallest"), [(5000, 3000), (3000, 3000), (40, 40), (None, 50)])
def test_a_segment_is_not_larger_than_the_table(k: int | None, smallest: int) -> None:
    """Segments of at least 5000 records, of 3,000."""
    assert PerturbOptions(k=k).smallest_segment(3000) == smallest


def test_a_mean_is_shown_in_its_own_unit() -> None:
    """17.8 before and 22.7 after was "+0.16 standard deviations"."""
    columns = [
        {"column": "crp", "mean_before": 17.8, "mean_after": 22.7, "shift_in_sd": 0.16},
        {"column": "age", "mean_before": 60.0, "mean_after": 64.0, "shift_in_sd": 0.2},
        {"column": "change", "mean_before": 0.01, "mean_after": 0.03, "shift_in_sd": 0.02},
    ]
    document = document_of(measure_entry("means_and_variances", details={"columns": columns}))
    column = {"kind": "numeric", "role": "ordinary", "storage": "Float64", "missing": 0}
    column |= {"high": 500.0, "precision": 1}
    document["schema"] = [
        column | {"name": name, "low": low} for name, low in (("crp", 0.3), ("age", 18.0), ("change", -5.0))
    ]
    evaluation = Evaluation.from_json(document)
    assert mean_sentence(evaluation) == (
        f"Largest shift of a mean: crp, 17.8 before and 22.7 after (+28{SPACE}%, +0.16 standard deviations)."
    )
    (answer,) = evaluation.measures
    assert "Means before and after: age 60 and 64, crp 17.8 and 22.7" in measure_finding(answer).meaning
    hidden = replace(answer, details={"columns": [{"column": "crp", "shift_in_sd": 0.16}]})
    assert "before and after" not in measure_finding(hidden).meaning
