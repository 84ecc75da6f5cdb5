"""What the papers say about security, judged by what linkage found in `alone_and_linked`.

A claim whose techniques or tables were not run is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import log2
from statistics import fmean

from hushwood_papers.alone_and_linked import releases
from hushwood_papers.protocol import Finding

Numbers = Mapping[str, Sequence[float]]
ALIKE = 2.0
SLIGHTLY = 2.0
HIGH = 0.5
MANAGEABLE = 10.0
FEW_ALONE = 1.0
TELLS = -0.5
COMPARED = (releases.FF, releases.F, releases.GADP, releases.RT)


def mean(numbers: Numbers, table: str, way: str, what: str) -> float | None:
    """The mean over the runs; None if this was not run."""
    found = numbers.get(releases.key(table, way, what))
    return fmean(found) if found else None


def means(numbers: Numbers, ways: Sequence[str], what: str) -> Iterator[tuple[str, list[float]]]:
    """For every table that was released in all these ways, the means of one measure."""
    for table in releases.LABELS:
        found = [mean(numbers, table, way, what) for way in ways]
        known = [value for value in found if value is not None]
        if len(known) == len(ways):
            yield table, known


def correlation_key(table: str, entropy: str) -> str:
    """The key of a rank correlation.

    >>> correlation_key("crx", releases.SERS)
    'Credit: rank correlation of SERS with linkage'
    """
    return f"{releases.LABELS[table]}: rank correlation of {entropy} with linkage"


def rank_correlations(numbers: Numbers) -> dict[str, float]:
    """Spearman's, of every entropy with the share of records linked, over all releases of a table."""
    from scipy.stats import spearmanr

    found: dict[str, float] = {}
    for table in releases.LABELS:
        ways = [way for way in releases.WAYS if releases.key(table, way, releases.LINKED) in numbers]
        linked = [value for way in ways for value in numbers[releases.key(table, way, releases.LINKED)]]
        for entropy in releases.ENTROPIES:
            bits = [value for way in ways for value in numbers[releases.key(table, way, entropy)]]
            if len(set(linked)) > 1 and len(set(bits)) > 1:
                found[correlation_key(table, entropy)] = float(spearmanr(bits, linked).statistic)
    return found


def signed(value: float) -> str:
    """A correlation with its sign; zero counts as positive.

    >>> [signed(value) for value in (0.5, -0.001, -0.25)]
    ['+0.50', '+0.00', '-0.25']
    """
    return f"{round(value, 2) + 0.0:+.2f}"


def claims_of(numbers: Numbers) -> dict[str, Finding]:
    """All claims for which there are numbers."""
    judged = {
        "comparable security": _comparable(numbers),
        "only slightly worse security": _slightly_worse(numbers),
        "SERS tells security": _tells(numbers, releases.SERS),
        "three trees are manageable": _manageable(numbers),
        "hardly anybody is alone": _hardly_alone(numbers),
        "dense tables are safer": _dense(numbers),
        "no class by re-identification": _by_record(numbers),
        "the entropy stays high": _high(numbers),
    }
    return {name: finding for name, finding in judged.items() if finding is not None}


def _comparable(numbers: Numbers) -> Finding | None:
    found = dict(means(numbers, COMPARED, releases.LINKED))
    if not found:
        return None
    alike = all(own / ALIKE <= other <= own * ALIKE for own, *others in found.values() for other in others)
    return Finding(
        alike,
        f"records linked with FF, F, GADP and RT: {_of_tables(found)} (comparable: within a factor of {ALIKE:g} of FF)",
    )


def _slightly_worse(numbers: Numbers) -> Finding | None:
    found = dict(means(numbers, COMPARED, releases.LINKED))
    if not found:
        return None
    times = {table: own / min(others) for table, (own, *others) in found.items() if min(others) > 0}
    holds = len(times) == len(found) and max(times.values()) <= SLIGHTLY
    safest = [releases.LABELS[table] for table, (own, *others) in found.items() if own <= min(others)]
    said = ", ".join(f"{releases.LABELS[table]} {value:.1f}" for table, value in times.items())
    return Finding(
        holds,
        f"records linked with FF, as a multiple of the safest of F, GADP and RT: {said} (slightly worse: at most "
        f"{SLIGHTLY:g}); FF itself is the safest of the four on {_listed(safest)}",
    )


def _tells(numbers: Numbers, entropy: str) -> Finding | None:
    found = {
        table: numbers[correlation_key(table, entropy)][0]
        for table in releases.LABELS
        if correlation_key(table, entropy) in numbers
    }
    if not found:
        return None
    said = ", ".join(f"{releases.LABELS[table]} {signed(value)}" for table, value in found.items())
    return Finding(
        all(value <= TELLS for value in found.values()),
        f"the rank correlation of {entropy} with the share of records linked is {said}"
        f" (-1 if it ranked risk perfectly; {TELLS:g} or stronger is required); {_untouched(numbers, entropy, found)}",
    )


def _untouched(numbers: Numbers, entropy: str, tables: Mapping[str, float]) -> str:
    """The entropy of the untouched table, and the lowest and highest of its releases."""
    parts = []
    for table in tables:
        own = mean(numbers, table, releases.UNTOUCHED, entropy)
        others = [mean(numbers, table, way, entropy) for way in releases.WAYS if way != releases.UNTOUCHED]
        known = [value for value in others if value is not None]
        if own is not None and known:
            parts.append(f"{releases.LABELS[table]} {own:.3f} ({min(known):.3f} to {max(known):.3f})")
    return f"for the untouched table (and its releases) it is {', '.join(parts)}"


def _manageable(numbers: Numbers) -> Finding | None:
    """Judged by the number of intersections, which the sentence is about."""
    found = {}
    for table in releases.PAPER_LEAVES:
        counts = [numbers.get(releases.count_key(table, "paper", trees)) for trees in (1, 3, 8)]
        records = numbers.get(releases.records_key(table))
        if records and counts[1]:
            found[table] = records[0], counts[1][0], [f"{one[0]:.0f}" if one else "–" for one in counts]
    if not found:
        return None
    each = {table: records / count for table, (records, count, _) in found.items()}
    said = "; ".join(
        f"{releases.LABELS[table]} {', '.join(counts)} ({each[table]:.1f})"
        for table, (_, _, counts) in found.items()
    )
    return Finding(
        min(each.values()) >= MANAGEABLE,
        f"intersections of one, three and eight trees with the paper's smallest leaves, and records in one of three "
        f"trees: {said} (manageable: at least {MANAGEABLE:g} records)",
    )


def _hardly_alone(numbers: Numbers) -> Finding | None:
    found = {
        table: numbers[releases.alone_key(table, "paper", 3)][0]
        for table in releases.PAPER_LEAVES
        if releases.alone_key(table, "paper", 3) in numbers
    }
    if not found:
        return None
    said = ", ".join(f"{releases.LABELS[table]} {value:.1f} %" for table, value in found.items())
    return Finding(max(found.values()) < FEW_ALONE, f"the shares are {said}")


def _dense(numbers: Numbers) -> Finding | None:
    """By two baselines, blind guessing and the untouched table, which need not agree."""
    found = {
        table: (linked * numbers[releases.records_key(table)][0] / 100, 100 * linked / before)
        for table, (linked, before) in means(numbers, (releases.F, releases.UNTOUCHED), releases.LINKED)
    }
    if "wbc" not in found or len(found) < 2:
        return None
    blind, left = (
        ", ".join(f"{releases.LABELS[table]} {pair[place]:.1f}" for table, pair in found.items())
        for place in (0, 1)
    )
    lowest = [found["wbc"][place] == min(pair[place] for pair in found.values()) for place in (0, 1)]
    return Finding(
        all(lowest),
        f"records linked with the Framework, as a multiple of blind guessing: {blind}; as % of those linked in the "
        f"untouched table: {left} (WBC must be lowest by both)",
    )


def _by_record(numbers: Numbers) -> Finding | None:
    records = {table: value for table, (value,) in means(numbers, (releases.F,), releases.BY_RECORD)}
    trees = {table: value for table, (value,) in means(numbers, (releases.F,), releases.BY_TREE)}
    if not records:
        return None
    said = ", ".join(
        f"{releases.LABELS[table]} {records[table]:.0f} % and {trees[table]:.0f} %" for table in records
    )
    return Finding(
        all(records[table] <= trees[table] for table in records),
        f"classes guessed correctly with the Framework, by the nearest record and by the release's tree: {said}",
    )


def _high(numbers: Numbers) -> Finding | None:
    found = {
        table: (bits, log2(numbers[releases.records_key(table)][0]))
        for table, (bits,) in means(numbers, (releases.F,), releases.RI)
    }
    if not found:
        return None
    said = ", ".join(
        f"{releases.LABELS[table]} {bits:.1f} of {most:.1f}" for table, (bits, most) in found.items()
    )
    return Finding(
        all(bits >= HIGH * most for bits, most in found.values()),
        f"bits missing with the Framework about a record with all attributes known: {said} (high: at least "
        f"{100 * HIGH:.0f} %)",
    )


def _of_tables(found: Mapping[str, Sequence[float]]) -> str:
    return "; ".join(
        f"{releases.LABELS[table]} {', '.join(f'{value:.1f}' for value in values)} %"
        for table, values in found.items()
    )


def _listed(words: Sequence[str]) -> str:
    return ", ".join(words) if words else "none of the tables"
