"""How good guesses are beyond right and wrong, where they say more; `scoring` says which are right."""

from __future__ import annotations

from typing import Any

import numpy as np

from hushwood.attacks.guesses import Floats, Guesses, MemberGuesses, NumberGuesses
from hushwood.attacks.scoring import Truth


def beyond_hits(guesses: Guesses, truth: Truth) -> dict[str, Any]:
    """Plain data: of members the area under the ROC curve, of numbers the errors in standard deviations by column."""
    if isinstance(guesses, MemberGuesses) and truth.members is not None:
        area = area_under_curve(guesses.score, truth.members)
        return {} if area is None else {"area_under_curve": area}
    if isinstance(guesses, NumberGuesses) and truth.partner_rows is not None:
        return {"error_shares": error_shares(guesses, truth)}
    return {}


def area_under_curve(score: Floats, members: Any) -> float | None:
    """The chance that a member scores above somebody else, ties counting half; None without either."""
    from scipy.stats import rankdata

    inside = int(np.count_nonzero(members))
    others = len(members) - inside
    if inside == 0 or others == 0:
        return None
    above = float(rankdata(score)[members].sum()) - inside * (inside + 1) / 2
    return above / (inside * others)


def error_shares(guesses: NumberGuesses, truth: Truth) -> dict[str, float]:
    """Root mean square error of the restored numbers over the original's deviation; constant columns are left out.

    1 is what the original's mean would give.
    """
    partners = np.asarray(truth.partner_rows)
    there = partners >= 0
    shares = {}
    for name, numbers in guesses.columns.items():
        column = truth.original.columns[name]
        errors = numbers[partners[there]] - column[truth.target_rows[there]]
        errors = errors[~np.isnan(errors)]
        spread = float(np.nanstd(column)) if not np.isnan(column).all() else 0.0
        if spread > 0 and len(errors):
            shares[name] = float(np.sqrt(np.mean(errors**2))) / spread
    return shares
