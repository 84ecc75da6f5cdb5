"""Keyed normal noise against numpy's own generator: ten million draws."""

from __future__ import annotations

import sys

from lines import Line, faster
from measuring import contender, report, timed

DRAWS = 10_000_000
SECRET = bytes(range(32))


def compare() -> list[Line]:
    numpy = contender(__file__, "numpy")
    one, two = contender(__file__, "ours", "1"), contender(__file__, "ours", "2")
    return [
        faster("10 M keyed normal draws, 1 thread, against numpy on 1", one, numpy, 0.6),
        faster("10 M keyed normal draws, 2 threads, against numpy on 1", two, numpy, 1.0),
    ]


def ours(threads: int) -> None:
    from hushwood.random_streams import Streams

    streams = Streams(SECRET)
    report(timed(lambda: streams.normal("benchmark", "noise", 0, range(DRAWS), threads=threads)))


def numpy() -> None:
    import numpy as np

    generator = np.random.default_rng(1)
    report(timed(lambda: generator.standard_normal(DRAWS)))


if __name__ == "__main__":
    if sys.argv[1] == "ours":
        ours(int(sys.argv[2]))
    else:
        numpy()
