"""Limits that a release must keep."""

from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.evaluation.limits import Limit, limit_from_text, passed_limits
from support.sample_entries import attack_entry, evaluation_of, risk_entry, unanswered

EVALUATION = evaluation_of(
    risk_entry("sers", 7.25),
    unanswered("k_anonymity", reason="No quasi-identifiers are declared."),
    attack_entry(success=0.02),
    attack_entry(success=0.0712),
)


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        ("linkage>0.05", Limit("linkage", ">", 0.05)),
        (" sers <= 8 ", Limit("sers", "<=", 8.0)),
        ("linkage>=5%", Limit("linkage", ">=", 0.05)),
        ("means_and_variances>1e-3", Limit("means_and_variances", ">", 0.001)),
    ],
)
def test_limits_are_read(text: str, limit: Limit) -> None:
    assert limit_from_text(text) == limit


@pytest.mark.parametrize("text", ["linkage", "linkage>", ">0.05", "linkage=0.05", "linkage>0.0.5", ""])
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="A limit is a name, a comparison and a number"):
        limit_from_text(text)


def test_a_misspelt_name_gets_a_proposal() -> None:
    with pytest.raises(InputError, match="linkage"):
        limit_from_text("linkagee>0.05")


def test_the_worst_scenario_counts() -> None:
    assert passed_limits(EVALUATION, [Limit("linkage", ">", 0.05)]) == [
        "linkage is 0.0712, which the limit linkage>0.05 does not allow."
    ]
    assert passed_limits(EVALUATION, [Limit("linkage", ">", 0.08), Limit("sers", "<", 7.25)]) == []
    assert passed_limits(EVALUATION, [Limit("sers", "<=", 7.25)]) != []


def test_what_was_not_found_out_is_not_kept() -> None:
    no_answer, not_asked = passed_limits(EVALUATION, [Limit("k_anonymity", "<", 5), Limit("eduds", "<", 0.5)])

    assert "No quasi-identifiers are declared." in no_answer
    assert "not computed" in not_asked
