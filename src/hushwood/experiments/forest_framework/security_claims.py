"""What the Forest Framework paper says of its table 4, and what SERS says of a table that nobody touched.

SERS is log2 n but for a few thousandths (errata G8), so that any two techniques are near each other by it. They are
therefore compared by what is lacking to log2 n. The other sentences are in `claims`.
"""

from __future__ import annotations

from hushwood.experiments.forest_framework.means import OTHERS, Folds, on
from hushwood.experiments.forest_framework.names import (
    FF,
    LABELS,
    PRINTED_WAYS,
    SERS,
    SHORTFALL,
    UNTOUCHED,
    F,
)
from hushwood.experiments.protocol import Finding

# Comparable and slightly worse: at most so many times as much is lacking to log2 n.
FACTOR = 2.0
# The room within which table 4 and ours are said to agree.
ROOM = 0.02


def comparable(folds: Folds) -> Finding:
    """FF beside each of the others."""

    def alike(label: str) -> bool:
        own, *others = (folds.mean(label, way, SHORTFALL) for way in (FF, *OTHERS))
        return all(own <= FACTOR * other and other <= FACTOR * own for other in others)

    held = [label for label in LABELS if alike(label)]
    away = max(abs(folds.difference(label, FF, way, SERS)) for label in LABELS for way in OTHERS)
    said = f"what is lacking to log2 n is within a factor of {FACTOR:g} of FF's for all three {on(held)}"
    listed = folds.listed(SHORTFALL, PRINTED_WAYS)
    return Finding(
        len(held) == len(LABELS), f"{said}; {listed}; SERS itself is at most {away:.3f} bits from FF's"
    )


def slightly_worse(folds: Folds) -> Finding:
    """FF beside the safest of the others."""
    times = {
        label: folds.mean(label, FF, SHORTFALL) / min(folds.mean(label, way, SHORTFALL) for way in OTHERS)
        for label in LABELS
    }
    worse = [label for label in LABELS if times[label] > 1]
    listed = ", ".join(f"{label} {value:.2f}" for label, value in times.items())
    said = f"FF is behind the best of the other three {on(worse)}"
    return Finding(
        max(times.values()) <= FACTOR,
        f"{said}; what is lacking to log2 n, as a multiple of the best ({FACTOR:g} at most is slightly): {listed}",
    )


def tells_untouched(folds: Folds) -> Finding:
    """The training records against themselves, which hide nobody, beside their releases by F and FF."""
    above = {label: [folds.difference(label, way, UNTOUCHED, SERS) for way in (F, FF)] for label in LABELS}
    seen = [label for label, bits in above.items() if min(bits) > ROOM]
    below = [label for label, bits in above.items() if min(bits) < 0]
    return Finding(
        len(seen) == len(LABELS),
        f"both are more than {ROOM:g} bits above the untouched table {on(seen)}, and one of them is below it "
        f"{on(below)}; {folds.listed(SERS, (UNTOUCHED, F, FF))}",
    )
