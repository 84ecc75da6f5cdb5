"""Bits of uncertainty about many records: summed up, by what an intruder knows, and in words for reports.

An intruder knows all attributes, chosen ones, a single one, or a random set of each size. Subsets are drawn by key:
every target has its own order of the attributes, and the first k of it are a random subset of size k.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, NotRequired, TypedDict

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.detail_tables import DetailTable
from hushwood.errors import InputError
from hushwood.measures.posterior.evidence import ClassFrom, binary_entropy, class_shares, evidence_for
from hushwood.measures.posterior.likelihoods import Evidence
from hushwood.measures.posterior.posteriors import Posteriors, posteriors, posteriors_by_known
from hushwood.measures.protocol import Context, Details, Mark
from hushwood.measures.publishing import PUBLIC, TWO_DIGITS, percent
from hushwood.random_streams import Streams
from hushwood.tables.table import Table

_QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
_BINS = 20
_CONFIDENCE = 0.95
_ROUNDING = 1e-5  # bits: differences below are errors of the sums
_LIKELIHOODS = {
    "laws": "It follows from the law that the technique states.",
    "fitted": "The exact law of the release is not known here, so one was fitted to the two tables.",
}


class BitsHistogram(TypedDict):
    """Records by their bits of uncertainty."""

    edges: list[float]
    counts: list[int]


class Spread(TypedDict):
    """Bits left to an intruder: their mean, how they vary, and the share of the records below the limit."""

    mean_bits: float
    deviation: float
    below_threshold: float


class KnownBits(TypedDict):
    """The bits left to an intruder who knows a number of random attributes; outsiders see their mean."""

    known: Annotated[int, PUBLIC]
    mean_bits: Annotated[float, TWO_DIGITS]
    deviation: NotRequired[float]
    below_threshold: NotRequired[float]


class UncertaintyDetails(TypedDict, total=False):
    """What measures of uncertainty say of all records together, and of what intruders know.

    Numbers of single records stay inside. `attributes` are those of the likelihoods, `each` the sets of classes.
    """

    likelihood: str
    records: int
    released_records: int
    bits_possible: float
    prior_bits: float
    classes: list[str]
    class_from: str
    estimated: bool
    targets: int
    interval: list[float] | None
    below: list[dict[str, Any]]
    deviation: float
    threshold_bits: float
    below_threshold: float
    allowed_share: float
    secure: bool
    quantiles: dict[str, float]
    histogram: BitsHistogram
    impossible: float
    attributes: list[dict[str, Any]]
    each: list[dict[str, Any]]
    chosen: dict[str, Any] | None
    known_targets: int
    by_attribute: list[dict[str, Any]]
    by_size: Annotated[list[KnownBits], PUBLIC]


@dataclass(frozen=True, slots=True)
class BitsLimit:
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


def spread(bits: Floats, limit: BitsLimit) -> Spread:
    """Mean, standard deviation and the share below the limit."""
    return {
        "mean_bits": float(bits.mean()),
        "deviation": float(bits.std()) if np.ptp(bits) else 0.0,
        "below_threshold": limit.below(bits),
    }


def summary(bits: Floats, limit: BitsLimit) -> dict[str, Any]:
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
        share = BitsLimit(threshold, 0.0).below(bits)
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


def histogram(bits: Floats) -> BitsHistogram:
    """Counts of records by bits; one bar where all have the same."""
    low, high = float(bits.min()), float(bits.max())
    if high - low < _ROUNDING:
        return {"edges": [low, high], "counts": [len(bits)]}
    counts, edges = np.histogram(bits, _BINS)
    return {"edges": edges.tolist(), "counts": counts.tolist()}


def entropies_for(
    original: Table,
    released: Table,
    context: Context,
    known: Sequence[str],
    targets: Integers,
    *,
    classes: Sequence[str] | None = None,
    class_from: ClassFrom = "records",
) -> tuple[Floats, Floats]:
    """H_RI and H_c(L) of some rows of the original, in bits, for an intruder who knows these attributes.

    L are the named classes; without them the first of all. Rows must be paired.
    """
    evidence = evidence_for(original, released, context, np.asarray(targets, np.int64))
    if evidence is None:
        raise InputError("No rows of the two tables are paired; entropies of single records need that.")
    shares = class_shares(released, context, class_from)
    chosen = [shares.classes.index(name) for name in classes or shares.classes[:1]]
    found = posteriors(evidence.knowing(known), shares.labels, context.threads)
    return found.bits, binary_entropy((found.mass @ shares.shares)[:, chosen].sum(axis=1))


def keyed_orders(names: Sequence[str], rows: Integers, streams: Streams, purpose: str) -> Integers:
    """For every row its own random order of the attributes, independent of their places in the table."""
    if not names:
        return np.zeros((len(rows), 0), np.int64)
    words = [streams.words(purpose, name, 0, rows) for name in names]
    return np.argsort(np.stack(words, axis=1), axis=1, kind="stable")


def by_known(
    evidence: Evidence,
    labels: Integers,
    context: Context,
    purpose: str,
    bits_of: Callable[[Posteriors], Floats],
    nothing: float,
    limit: BitsLimit,
    chosen: Sequence[str] = (),
) -> dict[str, Any]:
    """Summaries of bits for those who know one attribute, 0, 1, 2, ... random ones, or the `chosen` ones.

    `bits_of` reads them from posteriors, `nothing` is their value without any knowledge. Attributes with dependent
    noise are combined only where all or the chosen ones are known.
    """
    names = list(evidence.likelihoods)
    order = keyed_orders(names, evidence.targets, context.streams, purpose)
    found = posteriors_by_known(evidence, labels, order, context.threads)
    alone, together = (bits_of(each) for each in found)
    if evidence.groups:
        together[:, -1] = bits_of(posteriors(evidence, labels, context.threads))
    none = np.full(len(order), nothing)
    together_known = None
    if chosen:
        bits = bits_of(posteriors(evidence.knowing(chosen), labels, context.threads))
        together_known = {"attributes": list(chosen), **spread(bits, limit)}
    return {
        "chosen": together_known,
        "known_targets": len(order),
        "by_attribute": [
            {"attribute": name, **spread(bits, limit)} for name, bits in zip(names, alone.T, strict=True)
        ],
        "by_size": [{"known": size, **spread(bits, limit)} for size, bits in enumerate((none, *together.T))],
    }


def threshold_remarks(details: Details) -> list[str]:
    """How many records are below the threshold, and where the probabilities come from."""
    said = []
    if "below_threshold" in details:
        share, allowed = percent(details["below_threshold"]), percent(details["allowed_share"])
        said.append(
            f"{share} of the records have fewer than {details['threshold_bits']:.2f} bits; the limit for this is "
            f"{allowed}."
        )
    if "likelihood" in details:
        said.append(_LIKELIHOODS[details["likelihood"]])
    return said


def threshold_mark(details: Details) -> Mark | None:
    """More records below the threshold than are allowed are not a small risk, however large the mean is."""
    over = details.get("below_threshold", 0.0) > details.get("allowed_share", 1.0)
    return "care" if over else None


def sampling_remarks(details: Details) -> list[str]:
    """From how many records the mean was estimated, and its interval."""
    if not details.get("estimated"):
        return []
    low, high = details["interval"]
    return [f"Estimated from {details['targets']:,} records: between {low:.2f} and {high:.2f} bits."]


def single_attributes(title: str, details: Details, without_knowledge: str) -> tuple[DetailTable, ...]:
    """How uncertain an intruder is who knows one attribute only, most revealing attribute first."""
    if without_knowledge not in details or "by_attribute" not in details:
        return ()
    keys = ("attribute", "mean_bits", "deviation", "below_threshold")
    rows = sorted(details["by_attribute"], key=lambda row: float(row["mean_bits"]))
    table = DetailTable.of(
        title,
        "Bits of uncertainty left to an intruder who knows only this attribute of a person; higher is better. Knowing "
        f"nothing leaves {details[without_knowledge]:.2f}.",
        {
            "Attribute": "text",
            "bits left": "bits",
            "standard deviation": "bits",
            "records below the threshold": "share",
        },
        (tuple(row[key] for key in keys) for row in rows),
    )
    return (table,)
