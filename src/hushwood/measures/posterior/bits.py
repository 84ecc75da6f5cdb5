"""Bits of uncertainty of many records, summarised: mean, spread, share below a limit, and a histogram."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Floats, Integers

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_BINS = 20
_CONFIDENCE = 0.95
_ROUNDING = 1e-5  # bits: differences below are errors of the sums


@dataclass(frozen=True, slots=True)
class Limit:
    """Records below H_t bits are exposed; the release is secure if their share T is at most v (thesis 8.1)."""

    bits: float
    allowed_share: float

    def below(self, bits: Floats) -> float:
        """T: the share of records below the limit."""
        return float((bits < self.bits - _ROUNDING).mean())

    def described(self, bits: Floats) -> dict[str, Any]:
        """H_t, T, v and the verdict."""
        share = self.below(bits)
        return {
            "threshold_bits": self.bits,
            "below_threshold": share,
            "allowed_share": self.allowed_share,
            "secure": share <= self.allowed_share,
        }


def spread(bits: Floats, limit: Limit) -> dict[str, float]:
    """Mean, standard deviation and the share below the limit."""
    return {
        "mean_bits": float(bits.mean()),
        "deviation": float(bits.std()) if np.ptp(bits) else 0.0,
        "below_threshold": limit.below(bits),
    }


def summary(bits: Floats, limit: Limit) -> dict[str, Any]:
    """The spread of all records' bits, the share exposed, and a histogram."""
    return {
        "deviation": float(bits.std()),
        **limit.described(bits),
        "quantiles": quantiles(bits),
        "histogram": histogram(bits),
    }


def shares_below(bits: Floats, thresholds: Sequence[float], records: int) -> list[dict[str, Any]]:
    """T for every threshold; where some records were judged, Clopper and Pearson's interval for all of them."""
    from scipy.special import betaincinv

    count, outside = len(bits), (1 - _CONFIDENCE) / 2
    found = []
    for threshold in thresholds:
        share = Limit(threshold, 0.0).below(bits)
        below, interval = round(share * count), [share, share]
        if count < records:
            low = float(betaincinv(below, count - below + 1, outside)) if below else 0.0
            high = float(betaincinv(below + 1, count - below, 1 - outside)) if below < count else 1.0
            interval = [low, high]
        found.append({"bits": float(threshold), "share": share, "interval": interval})
    return found


def share_below(details: Mapping[str, Any], bits: float | None) -> tuple[float, float, float] | None:
    """T and its interval at a threshold that was asked for (None: the measure's own), if the details have it."""
    wanted = details.get("threshold_bits") if bits is None else bits
    for entry in details.get("below", ()):
        if entry["bits"] == wanted:
            low, high = entry["interval"]
            return entry["share"], low, high
    return None


def of_rows(bits: Floats, rows: Integers, count: int) -> Floats:
    """The bits of some rows among all, NaN for the others."""
    found = np.full(count, np.nan)
    found[rows] = bits
    return found


def sampling(bits: Floats, records: int, possible: float) -> dict[str, Any]:
    """Whether the mean is an estimate, and then Student's interval for the mean of all records."""
    from scipy.special import stdtrit

    count = len(bits)
    if count >= records:
        return {"estimated": False, "targets": count, "interval": None}
    error = float(bits.std(ddof=1)) * np.sqrt((1 - count / records) / count)
    half = float(stdtrit(count - 1, (1 + _CONFIDENCE) / 2) * error)
    mean = float(bits.mean())
    return {
        "estimated": True,
        "targets": count,
        "interval": [max(0.0, mean - half), min(possible, mean + half)],
    }


def quantiles(bits: Floats) -> dict[str, float]:
    """Some quantiles, by their share in percent."""
    found = np.quantile(bits, _QUANTILES).tolist()
    return {f"{100 * share:g}": value for share, value in zip(_QUANTILES, found, strict=True)}


def histogram(bits: Floats) -> dict[str, list[float]]:
    """Counts of records by bits; one bar where all have the same."""
    low, high = float(bits.min()), float(bits.max())
    if high - low < _ROUNDING:
        return {"edges": [low, high], "counts": [len(bits)]}
    counts, edges = np.histogram(bits, _BINS)
    return {"edges": edges.tolist(), "counts": counts.tolist()}
