"""What all generated tables of chapter 6 say together, beside what is printed: numbers by key.

The runs are in `runs`, the sentences in `claims`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean

from hushwood.experiments.categorical_noise.chapter_six_labels import LABELS, UNCLASSIFIED
from hushwood.experiments.categorical_noise.few_trees import chance_of_such
from hushwood.experiments.categorical_noise.runs import BUILDERS, CAR, NAME, PERTURBED, STATUS, TREES
from hushwood.experiments.protocol import Outcome
from hushwood.experiments.reproducing.printed_numbers import printed

THREE, TEN = 3, 10
TREE_KEYS = tuple(f"{builder}, {tree}" for builder in BUILDERS for tree in TREES)
# The same noise otherwise: which values CAPT may take, and whether See5's shared leaves are taken apart.
VARIANTS = {"strict": "with strict CAPT", "shared": "with See5's shared leaves"}
Types = Mapping[str, float]
Numbers = dict[str, list[float]]


def numbers_of(tables: Sequence[Outcome]) -> Numbers:
    """One number for every table, or for ten runs on it; none where a table has not the tree of figure 6.9."""
    like = tables_like_figure_6_9(tables)
    found = _leaf_one(like) | _alone(tables, like)
    if like:
        found |= _labels(like) | _own(like)
    return found


def tables_like_figure_6_9(tables: Sequence[Outcome]) -> list[Outcome]:
    """Those whose Car Make tree is the printed one; only they get noise in all three attributes."""
    return [table for table in tables if table["clusters"]["leaf 1"] is not None]


def counts_of(
    tables: Sequence[Outcome], key: str, way: str = "literal", reading: str = "labels"
) -> list[list[int]]:
    """For every table, how many noisy trees of one kind have each label."""
    return [table[way][reading][key] for table in tables]


def printed_counts(key: str) -> list[int]:
    """How many of the three printed trees have each label; the printed labels cover them all."""
    told = printed_cells()
    return [0 if name == UNCLASSIFIED else int(told[f"{key}: {name}"]) for name in LABELS]


def printed_cells() -> dict[str, float]:
    """The cells of tables 6.4 and 6.5, which are judged by rows only."""
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
    """Of every ten runs on a table how many, as the text counts; of fewer what is to be expected of ten."""
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
    """What nobody printed: Type A shares, other readings, and how much noise there is."""
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
