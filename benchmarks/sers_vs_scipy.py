"""Entropies over all pairs of Adult and a release of it, two threads, against the same pairs through scipy's cdist.

The peer does what a script would do: cityblock distances of the scaled numbers and matching of the codes, in blocks of
records, then similarities and their entropy with numpy, on one thread. Both give the mean bits of SERS, and they must
agree. Re-identification entropy compares the same pairs by likelihoods that are fitted to them.
"""

from __future__ import annotations

import sys
import time

from attacks_vs_anonymeter import adult_file, tables
from lines import Line, faster
from measuring import contender, report, timed

THREADS = 2
AT_LEAST = 30.0
BLOCK = 128  # records of the peer's blocks: the fastest of those from 8 to 1,000
MEASURES = ("sers", "reidentification_entropy")


def compare() -> list[Line]:
    if not adult_file().exists():
        print(
            "sers_vs_scipy is left out: set HUSHWOOD_DATA to the folder that holds adult/adult.csv.",
            file=sys.stderr,
        )
        return []
    peer = contender(__file__, "scipy")
    lines = []
    for name in MEASURES:
        ours = contender(__file__, name)
        if name == "sers":
            assert abs(ours.facts["bits"] - peer.facts["bits"]) < 1e-5
        what = f"{name.replace('_', ' ')} of Adult, {ours.facts['records']:,} × 14, against scipy's cdist"
        lines.append(faster(what, ours, peer, AT_LEAST))
    return lines


def ours(name: str) -> None:
    import numpy as np

    from hushwood.measures.models.grown import Grown, builder_for
    from hushwood.measures.protocol import Context, Measurement
    from hushwood.measures.registry import MEASURES as REGISTERED
    from hushwood.random_streams import Streams

    original, released = tables()
    measure = REGISTERED[name]()
    before, after = (Grown(table, builder_for(table.rows)) for table in (original, released))
    partner = np.arange(original.rows)
    context = Context(Streams(bytes(32)), before, after, partner, threads=THREADS, value_only=True)

    def run() -> float:
        found = measure.compute(original, released, context)
        assert isinstance(found, Measurement)
        return found.value

    report(timed(run), bits=run(), records=original.rows)


def scipy() -> None:
    import numpy as np
    from scipy.spatial.distance import cdist

    original, released = tables()
    numeric = [a.name for a in original.schema.inputs if a.kind == "numeric"]
    categorical = [a.name for a in original.schema.inputs if a.kind == "categorical"]
    low, width = (np.array([f(original.columns[n]) for n in numeric]) for f in (np.min, np.ptp))
    numbers = [(np.stack([t.columns[n] for n in numeric], 1) - low) / width for t in (original, released)]
    codes = [np.stack([t.columns[n] for n in categorical], 1).astype(float) for t in (original, released)]
    attributes = len(numeric) + len(categorical)

    def bits(rows: slice) -> float:
        far = cdist(numbers[0][rows], numbers[1], "cityblock")
        far += len(categorical) * cdist(codes[0][rows], codes[1], "hamming")
        like = np.maximum(1 - far / attributes, 1e-300)
        total = like.sum(axis=1)
        return float((np.log2(total) - (like * np.log2(like)).sum(axis=1) / total).sum())

    start = time.perf_counter()
    mean = sum(bits(slice(i, i + BLOCK)) for i in range(0, original.rows, BLOCK)) / original.rows
    # One run: it takes half a minute.
    report([time.perf_counter() - start], bits=mean)


if __name__ == "__main__":
    if sys.argv[1] == "scipy":
        scipy()
    else:
        ours(sys.argv[1])
