"""Our runs on published trees as Markdown tables for the docs: accuracy, K, times, the paper's words beside them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hushwood.experiments.tree_publishing_adult import Results
from hushwood.experiments.tree_publishing_folds import ASKED, MONDRIAN, ORIGINAL, PARTS, TPP
from hushwood.experiments.tree_publishing_times import Timed, Times, exponent
from hushwood.experiments.tree_publishing_verdicts import Verdict

_KINDS = (ORIGINAL, TPP, ASKED, MONDRIAN, PARTS)


def score_table(results: Results) -> str:
    """Accuracy or R squared by leaves: means of the folds, with the lowest and the highest in brackets."""
    rows = [[str(n), *(_score(results, kind, n) for kind in _KINDS)] for n in results.sizes]
    return _markdown(("leaves", *_KINDS), rows)


def privacy_table(results: Results) -> str:
    """K by leaves: of the release of all records, and the mean of the folds."""
    kinds = (TPP, ASKED, MONDRIAN)
    heads = [head for kind in kinds for head in (f"{kind}, all records", "mean of the folds")]
    rows = [
        [
            str(n),
            *(cell for kind in kinds for cell in (f"{results.whole[kind, n]:,}", _mean_k(results, kind, n))),
        ]
        for n in results.sizes
    ]
    return _markdown(("leaves", *heads), rows)


def time_tables(times: Times) -> str:
    """Seconds against records and against attributes, each with the exponent of its growth."""
    parts = []
    for what, found in (("records", times.by_records), ("attributes", times.by_attributes)):
        sizes = [getattr(one, what) for one in found]
        slope = exponent(sizes, [one.seconds for one in found])
        parts += [
            _markdown((what, "seconds"), _seconds(what, found)),
            f"Exponent of the growth in {what}: {slope:.2f}.",
        ]
    return "\n\n".join(parts)


def verdict_table(found: Sequence[Verdict]) -> str:
    """The paper's sentences, ours, and how they compare."""
    rows = [[v.source, v.says, v.ours, v.outcome] for v in found]
    return _markdown(("figure", "the paper", "ours", ""), rows)


def _score(results: Results, kind: str, leaves: int) -> str:
    found = [run.score for run in results.of(kind, leaves)]
    if results.regression:
        return f"{results.score(kind, leaves):.3f} ({min(found):.3f} to {max(found):.3f})"
    return f"{100 * results.score(kind, leaves):.2f} % ({100 * min(found):.1f}-{100 * max(found):.1f})"


def _mean_k(results: Results, kind: str, leaves: int) -> str:
    found = [run.k for run in results.of(kind, leaves)]
    return f"{sum(found) / len(found):,.0f}"


def _seconds(what: str, found: Iterable[Timed]) -> list[list[str]]:
    return [[f"{getattr(one, what):,}", f"{one.seconds:.3f}"] for one in found]


def _markdown(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [heads, ("---",) * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
