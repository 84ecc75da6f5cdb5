"""What the measures of uncertainty say about their bits: remarks, a table by attribute, and what outsiders may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hushwood.detail_tables import DetailTable
from hushwood.measures.protocol import Details, Mark
from hushwood.measures.publishing.number_words import percent
from hushwood.measures.publishing.small_counts import two_digits

_LIKELIHOODS = {
    "laws": "It follows from the law that the technique states.",
    "fitted": "The exact law of the release is not known here, so one was fitted to the two tables.",
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
    """More records below the threshold than are allowed are no small risk, however large the mean is."""
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


def publishable_sizes(details: Details) -> dict[str, Any]:
    """Mean bits by the number of known attributes; numbers of single records stay inside."""
    sizes = details.get("by_size", ())
    return {"by_size": [{"known": s["known"], "mean_bits": two_digits(s["mean_bits"])} for s in sizes]}


@dataclass(frozen=True, slots=True)
class BitsHistogram:
    """Records by their bits of uncertainty; those below the `threshold` are marked."""

    edges: tuple[float, ...]
    counts: tuple[int, ...]
    threshold: float | None


@dataclass(frozen=True, slots=True)
class KnownBits:
    """The bits of uncertainty left to an intruder who knows a number of attributes."""

    known: int
    mean: float
    deviation: float
    below_threshold: float | None


def bits_by_record(details: Details) -> BitsHistogram | None:
    """The uncertainty about single records, if the details have it."""
    found = details.get("histogram")
    if not found:
        return None
    return BitsHistogram(tuple(found["edges"]), tuple(found["counts"]), details.get("threshold_bits"))


def bits_by_knowledge(details: Details) -> tuple[KnownBits, ...]:
    """The mean uncertainty by the number of known attributes, as far as the details have it."""
    return tuple(
        KnownBits(size["known"], size["mean_bits"], size.get("deviation", 0.0), size.get("below_threshold"))
        for size in details.get("by_size", ())
    )
