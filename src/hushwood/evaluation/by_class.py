"""One answer of a measure that was asked about several classes: the worst, with the others next to it.

In a table without a class, measures of rules are asked about columns that trees predict from the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hushwood.measures.protocol import Details, Measure, Measurement, NotComputable

CLASS, BY_CLASS = "class", "by_class"  # keys of the details


def taken_apart(details: Details) -> tuple[dict[str, Any], str | None, dict[str, float | None]]:
    """The measure's own details, the class that they are about if there is a choice, and the number of every class."""
    own = {key: value for key, value in details.items() if key not in {CLASS, BY_CLASS}}
    return own, details.get(CLASS), dict(details.get(BY_CLASS, {}))


def worst_of(
    measure: Measure, found: Mapping[str, Measurement | NotComputable], *, declared: bool
) -> tuple[Measurement | NotComputable, str]:
    """The worst answer and the class that it is about; a reason only if no class has an answer.

    The details say which class that is, unless it is the only one that was `declared`.
    """
    answers = {name: one for name, one in found.items() if isinstance(one, Measurement)}
    if not answers:
        name, reason = next(iter(found.items()))
        return reason, name
    pick = min if measure.better == "higher" else max
    worst = pick(answers, key=lambda name: answers[name].value)
    if len(found) == 1 and declared:
        return answers[worst], worst
    values = {name: answers[name].value if name in answers else None for name in found}
    records = {
        f"{title} ({name})" if len(found) > 1 else title: numbers
        for name, answer in answers.items()
        for title, numbers in answer.records.items()
    }
    details = {**answers[worst].details, CLASS: worst, BY_CLASS: values}
    return Measurement(answers[worst].value, details, records), worst
