"""All generated tables of chapter 6 together: numbers by key, the sentences of the chapter, and charts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import sqrt
from statistics import NormalDist, fmean

from hushwood.reports.charts.frame import Chart
from hushwood_papers.categorical_noise.noise_runs import (
    BUILDERS,
    CAR,
    LABELS,
    NAME,
    PERTURBED,
    RECORDS,
    STATUS,
    TREES,
    UNCLASSIFIED,
)
from hushwood_papers.chances import chance_of_such
from hushwood_papers.protocol import Finding, Measured, Outcome
from hushwood_papers.reproducing.charts import Pair, dots
from hushwood_papers.reproducing.printed_numbers import printed

THREE, TEN = 3, 10
TREE_KEYS = tuple(f"{builder}, {tree}" for builder in BUILDERS for tree in TREES)
# Variants: which values CAPT may take, and whether values share leaves as in See5.
VARIANTS = {"strict": "with strict CAPT", "shared": "with See5's shared leaves"}
Types = Mapping[str, float]
Numbers = dict[str, list[float]]


def numbers_of(tables: Sequence[Outcome]) -> Numbers:
    """One number per table, or per ten runs on it; none if a table lacks the tree of figure 6.9."""
    like = tables_like_figure_6_9(tables)
    found = _leaf_one(like) | _alone(tables, like)
    if like:
        found |= _labels(like) | _own(like)
    return found


def tables_like_figure_6_9(tables: Sequence[Outcome]) -> list[Outcome]:
    """The tables whose Car Make tree is the printed one; only they get noise on all three attributes."""
    return [table for table in tables if table["clusters"]["leaf 1"] is not None]


def repeats_of(tables: Sequence[Outcome]) -> dict[int, int]:
    """A repeat is a table with all its tens of runs, by how many numbers that gives: of all tables, or of the like."""
    found: dict[int, int] = {}
    for some in (tables, tables_like_figure_6_9(tables)):
        tens = max(len(some[0]["CR"]["types"]["Credit Risk"]) // TEN, 1) if some else 0
        found |= {len(some) * tens: tens, len(some): 1}
    return found


def counts_of(
    tables: Sequence[Outcome], key: str, way: str = "literal", reading: str = "labels"
) -> list[list[int]]:
    """For every table, how many noisy trees of one kind have each label."""
    return [table[way][reading][key] for table in tables]


def printed_counts(key: str) -> list[int]:
    """How many of the three printed trees have each label; every printed tree has one."""
    cells = printed_cells()
    return [0 if name == UNCLASSIFIED else int(cells[f"{key}: {name}"]) for name in LABELS]


def printed_cells() -> dict[str, float]:
    """The cells of tables 6.4 and 6.5, which are judged row by row."""
    return {
        number.key: number.value
        for number in printed(NAME).numbers
        if number.source in ("Table 6.4", "Table 6.5")
    }


def _leaf_one(like: Sequence[Outcome]) -> Numbers:
    leaves: list[Mapping[str, int]] = [table["clusters"]["leaf 1"] for table in like]
    found = {"leaf 1, records": [float(sum(leaf.values())) for leaf in leaves]}
    for car in ("Ford", "Toyota", "Nissan", "Holden"):
        found[f"leaf 1, {car}"] = [float(leaf[car]) for leaf in leaves]
    for one, other in (("Ford", "Toyota"), ("Ford", "Nissan"), ("Toyota", "Nissan")):
        found[f"leaf 1, {one} - {other}"] = [float(leaf[one] * leaf[other]) for leaf in leaves]
    return {key: values for key, values in found.items() if values}


def _alone(tables: Sequence[Outcome], like: Sequence[Outcome]) -> Numbers:
    found: Numbers = {}
    for key, holds in (
        ("more than 50 % Type A", lambda t: t["A"] > 0.5),
        ("more than 90 % Type A or B", lambda t: t["A"] + t["B"] > 0.9),
        ("more than 85 % Type A or B", lambda t: t["A"] + t["B"] > 0.85),
        ("some Type C", lambda t: t["C"] > 0),
    ):
        found[f"CR, {key}"] = _of_ten([table["CR"]["types"]["Credit Risk"] for table in tables], holds)
    for name, key, holds in (
        (CAR, "car make tree all Type A", lambda t: t["A"] >= 1),
        (STATUS, "status tree more than 70 % Type A", lambda t: t["A"] > 0.7),
        (STATUS, "status tree some Type C", lambda t: t["C"] > 0),
    ):
        found[f"car make alone, {key}"] = _of_ten([table["alone"]["types"][name] for table in like], holds)
    return {key: values for key, values in found.items() if values}


def _of_ten(runs: Sequence[Sequence[Types]], holds: Callable[[Types], bool]) -> list[float]:
    """How many of every ten runs on a table, as the text counts; with fewer runs, the number expected of ten."""
    found: list[float] = []
    for types in runs:
        held = list(map(holds, types))
        tens = [held[first : first + TEN] for first in range(0, len(held) - TEN + 1, TEN)] or [held]
        found += [TEN * fmean(ten) for ten in tens]
    return found


def _labels(like: Sequence[Outcome]) -> Numbers:
    found: Numbers = {}
    for key in TREE_KEYS:
        found_here = counts_of(like, key)
        for place, name in enumerate(LABELS):
            found[f"{key}: {name}"] = [THREE * own[place] / sum(own) for own in found_here]
    return found


def _own(like: Sequence[Outcome]) -> Numbers:
    """Not printed: Type A shares, other readings, and the amount of noise."""
    found: Numbers = {}
    for key in TREE_KEYS:
        shares = [100 * share for table in like for share in table["literal"]["A"][key]]
        found[f"{key}: records under Type A rules, %"] = shares
    for key in TREE_KEYS:
        counts = printed_counts(key)
        chance = "chance of an outcome at most as likely as the printed one"
        for way, words in VARIANTS.items():
            found[f"{key}, {words}: {chance}"] = [chance_of_such(counts, counts_of(like, key, way))]
        strictly = counts_of(like, key, reading="labels if cut short is C")
        found[f"{key}, if rules cut short are Type C: {chance}"] = [chance_of_such(counts, strictly)]
    for way, words in {"literal": "", "strict": f", {VARIANTS['strict']}"}.items():
        for name in PERTURBED:
            changed = [100 * share for table in like for share in table[way]["changed"][name]]
            found[f"records whose {name} is another one{words}, %"] = changed
    return found


# A less likely outcome is called unlikely.
UNLIKELY = 0.05
SIMILAR = 3  # the first three labels say at least "Similar"
ONE_PAIR = [["Ford", "Toyota"]]


def claims_of(tables: Sequence[Outcome]) -> dict[str, Finding]:
    """All sentences that these tables can judge."""
    like = tables_like_figure_6_9(tables)
    found = dict(_clusters(tables)) | {"CR, few wrong records": _few_wrong(tables)}
    if like:
        found |= {f"{key}: three trees": _three_trees(like, key) for key in TREE_KEYS}
        found |= {f"{builder}, most trees are similar": _similar(like, builder) for builder in BUILDERS}
        found |= _wrong_alike(like)
    return found


def _clusters(tables: Sequence[Outcome]) -> Mapping[str, Finding]:
    clusters = [table["clusters"] for table in tables]
    return {
        "the cluster of CACTUS": _mostly([c["cluster"] for c in clusters], "the printed cluster is found"),
        "CACTUS finds one pair of cars": _mostly(
            [c["cactus"] == ONE_PAIR for c in clusters],
            "Ford and Toyota are the only cars that CACTUS finds similar",
        ),
        "DETECTIVE finds more": _mostly(
            [len(c["detective"]) > len(c["cactus"]) for c in clusters],
            "DETECTIVE finds more similar pairs of cars",
        ),
        "unrelated attributes are not tested": _mostly(
            [not c["unrelated tested"] for c in clusters], "the Car Make tree tests neither of them"
        ),
        "the tree of figure 6.9": _not_unlikely(
            [c["leaf 1"] is not None for c in clusters], "the Car Make tree is the printed one"
        ),
    }


def _mostly(holds: Sequence[bool], what: str) -> Finding:
    """In at least half of the tables, as the thesis' own table is unknown."""
    return Finding(2 * sum(holds) >= len(holds), f"{_in_tables(holds, what)}; half of them are required")


def _in_tables(holds: Sequence[bool], what: str) -> str:
    return f"{what} in {sum(holds)} of {len(holds)} generated tables"


def _not_unlikely(holds: Sequence[bool], what: str) -> Finding:
    """For sentences about a single table: it need not happen often."""
    return Finding(
        sum(holds) >= UNLIKELY * len(holds),
        f"{_in_tables(holds, what)}; {100 * UNLIKELY:g} % of them are required",
    )


def _few_wrong(tables: Sequence[Outcome]) -> Finding:
    wrong = [
        (share, table["CR"]["guessing"]["Credit Risk"])
        for table in tables
        for share in table["CR"]["wrong"]["Credit Risk"]
    ]
    return Finding(
        all(share < guessing for share, guessing in wrong),
        f"{_percent(fmean(share for share, _ in wrong))} of the records are wrong, at most "
        f"{_percent(max(share for share, _ in wrong))}; guessing is wrong for {_percent(fmean(g for _, g in wrong))}, "
        "and every tree must be better",
    )


def _three_trees(like: Sequence[Outcome], key: str) -> Finding:
    found = counts_of(like, key)
    chance = chance_of_such(printed_counts(key), found)
    means = _shares(found)
    ours = ", ".join(f"{name} {_percent(mean)}" for name, mean in zip(LABELS, means, strict=True) if mean)
    chance_text = f"{chance:.2g}" if chance >= 1e-4 else "below 0.0001"
    return Finding(
        chance >= UNLIKELY,
        f"the chance of an outcome at most as likely is {chance_text} ({UNLIKELY:g} is required); our trees are {ours}",
    )


def _similar(like: Sequence[Outcome], builder: str) -> Finding:
    shares = [_shares(counts_of(like, key)) for key in TREE_KEYS if key.startswith(builder)]
    similar = fmean(sum(own[:SIMILAR]) for own in shares)
    unlabelled = fmean(own[LABELS.index(UNCLASSIFIED)] for own in shares)
    return Finding(
        similar > 0.5,
        f"{_percent(similar)} of our trees are at least Similar, {_percent(unlabelled)} have no label; more than half "
        "are required",
    )


def _shares(found: Sequence[Sequence[int]]) -> list[float]:
    """The share of each label, averaged over the tables."""
    return [fmean(own[place] / sum(own) for own in found) for place in range(len(LABELS))]


def _wrong_alike(like: Sequence[Outcome]) -> dict[str, Finding]:
    pairs = [pair for table in like for pair in table["literal"]["wrong"]]
    if not pairs:
        return {}
    more = sum(significantly_greater(after, before) for before, after in pairs)
    numbers = (
        f"{_percent(fmean(after for _, after in pairs))} of the records are wrong after the noise, "
        f"{_percent(fmean(before for before, _ in pairs))} before; "
        f"significantly more in {more} of {len(pairs)} identical trees; fewer than half are required"
    )
    return {"same tree, as many wrong records": Finding(2 * more < len(pairs), numbers)}


def significantly_greater(after: float, before: float, records: int = RECORDS) -> bool:
    """Whether one share of the records is significantly greater than another: one-sided, at 5 %."""
    common = (after + before) / 2
    spread = sqrt(2 * common * (1 - common) / records)
    return after - before > NormalDist().inv_cdf(0.95) * spread


def _percent(share: float) -> str:
    return f"{100 * share:.3g} %"


TABLES = {"See5": "Table 6.4", "J48": "Table 6.5"}


def label_charts(measured: Measured) -> list[Chart]:
    """One chart per builder; none if there are no noise runs."""
    charts, cells = [], printed_cells()
    for builder in BUILDERS:
        pairs = [
            _pair(f"{tree}: {name}", measured.numbers[key], cells.get(key))
            for tree in TREES
            for name in LABELS
            if (key := f"{builder}, {tree}: {name}") in measured.numbers
        ]
        if pairs:
            charts.append(
                dots(
                    f"{TABLES[builder]}: trees by {builder} on noisy tables",
                    "Expected number of trees with each label among three; every generated table is a run.",
                    pairs,
                    "trees of three",
                )
            )
    return charts


def _pair(name: str, ours: Sequence[float], theirs: float | None) -> Pair:
    return Pair(name, () if theirs is None else (theirs,), fmean(ours), min(ours), max(ours))
