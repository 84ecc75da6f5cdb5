"""What whoever signs must know: shown inside with its counts, announced to outsiders by kinds and names alone."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from hushwood.evaluation.evaluation import Evaluation
from hushwood.reports.redaction.redaction import publishable
from hushwood.reports.release.page import internal_report, publishable_report
from hushwood.reports.release.signing import announced, notices
from hushwood.reports.signoff.signoff import SignOff, signoff_page
from support.sample_entries import document_of, measure_entry, plan_step
from support.sample_verdicts import mixed_verdict

WARNINGS = [
    "Column 'age' is released unchanged: its noise is 0.",
    "The rows are sorted by 'age', so a row's position reveals its value; --shuffle-rows breaks the order.",
]


def rare_column(name: str, *levels: tuple[str, int, int]) -> dict[str, Any]:
    categories = [{"category": c, "records": n, "unchanged": k} for c, n, k in levels]
    sums = (sum(level[1] for level in levels), sum(level[2] for level in levels))
    return {
        "column": name,
        "count": len(levels),
        "records": sums[0],
        "unchanged": sums[1],
        "categories": categories,
    }


def released(**more: Any) -> Evaluation:
    """A release with an unchanged column, rare levels, a class of one record, and an extreme that stayed."""
    rare = [rare_column("job", ("mayor of Ulm", 1, 1), ("smith", 3, 2)), rare_column("ill", ("plague", 1, 0))]
    extremes = [
        {"column": "age", "end": "lowest", "value": 17.5, "unchanged": False},
        {"column": "pay", "end": "highest", "value": 987654.0, "unchanged": True},
    ]
    facts = {
        "plan": [plan_step("age", "job", "pay", "ill")],
        "warnings": WARNINGS,
        "rare_categories": {"count": 3, "records": 5, "unchanged": 3, "columns": rare},
        "unique_extremes": {"count": 2, "unchanged": 1, "values": extremes},
    } | more
    document = document_of(measure_entry("correlations", 0.0, untouched=0.0, noise=1.0), **facts)
    schema = [
        {"name": name, "kind": kind, "role": role, "storage": "String", "missing": 0}
        for name, kind, role in (
            ("age", "numeric", "ordinary"),
            ("pay", "numeric", "ordinary"),
            ("job", "categorical", "ordinary"),
            ("ill", "categorical", "class"),
        )
    ]
    return Evaluation.from_json(document | {"schema": schema})


def test_everything_that_bears_on_signing_is_said() -> None:
    rare = "Levels that fewer than 5 records have are in the release: job (2 levels), ill (1 level). "
    rare += "Records that still have theirs: 3 of 5."
    assert [notice.says for notice in notices(released())] == [
        WARNINGS[0],
        rare,
        "A class that only one record has is in the release: ill (1 level). It points to one person.",
        "A lowest or highest value that only one record had is still on that record: pay.",
    ]
    nothing = released(warnings=WARNINGS[1:], rare_categories=None, unique_extremes=None)
    assert not notices(nothing)
    assert not announced(nothing)


def test_it_stands_on_the_first_screen_and_on_the_sign_off() -> None:
    evaluation, verdict = released(), mixed_verdict()
    report = internal_report(evaluation, verdict)
    signed = signoff_page(evaluation, verdict, SignOff("2026-01-01", "2027-01-01"))
    for notice in notices(evaluation):
        says = notice.says.replace("'", "&#39;")
        assert says in report.split('id="changed"')[0]
        assert says in signed.split("<h2>1.")[0]


def test_outsiders_learn_kinds_and_columns_but_no_count_and_no_value() -> None:
    evaluation = released()
    said = announced(evaluation)
    assert said == [
        {"kind": "unchanged", "columns": []},
        {"kind": "rare levels", "columns": ["job", "ill"]},
        {"kind": "extremes", "columns": []},
    ]
    shared = json.dumps(said) + publishable_report(evaluation, mixed_verdict())
    for secret in ("Ulm", "smith", "plague", "987654", "987,654", *(one.says for one in notices(evaluation))):
        assert secret not in shared
    assert notices(publishable(evaluation)) == []


def test_a_column_without_one_changed_cell_is_named_to_outsiders() -> None:
    cells = [
        {"column": name, "share": share, "by_chance": 0.1} for name, share in (("age", 1.0), ("pay", 0.3))
    ]
    measured = Evaluation.from_json(
        document_of(measure_entry("unchanged_cells", 0.5, details={"columns": cells}))
    )
    evaluation = replace(released(), measures=measured.measures)
    assert announced(evaluation)[0] == {"kind": "unchanged", "columns": ["age"]}
