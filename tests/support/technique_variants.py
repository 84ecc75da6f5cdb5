"""Every registered technique and its parameter variants, made ready for a table: what the contract suites go over."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

import polars as pl

from hushwood.random_streams import Streams
from hushwood.releasing.engines import memory
from hushwood.releasing.fitted import PreparedStep, released_table
from hushwood.segments.partition import whole_table
from hushwood.segments.segments import Segments
from hushwood.tables.recoding.cells import numeric_cells
from hushwood.tables.table import Table
from hushwood.techniques.added_noise import Kim, KimWinkler, LogNoise, Sadp, TendickMatloff, Traub
from hushwood.techniques.approximate_swap import ApproximateSwap
from hushwood.techniques.capt import Capt
from hushwood.techniques.cart_synthesis import CartSynthesis
from hushwood.techniques.coarsening import Coarsening
from hushwood.techniques.copula_synthesis import CopulaSynthesis
from hushwood.techniques.domain_noise import Linfapt, Linnapt, Rnat
from hushwood.techniques.forest_synthesis import ForestSynthesis
from hushwood.techniques.frapp import Frapp
from hushwood.techniques.gadp import Cgadp, Egadp, Gadp
from hushwood.techniques.laws.noise import SHAPES, NoiseParameters
from hushwood.techniques.liew import Liew
from hushwood.techniques.mask_and_swap import MaskAndSwap
from hushwood.techniques.mdav import Mdav
from hushwood.techniques.mondrian import Mondrian, Tds
from hushwood.techniques.pram import InvariantPram, Pram, RandomCategorical
from hushwood.techniques.protocol import Technique
from hushwood.techniques.rank_swapping import RankSwap
from hushwood.techniques.registry import TECHNIQUES
from hushwood.techniques.segment_shuffle import SegmentShuffle
from hushwood.techniques.shuffle import Rotation, Shuffle
from hushwood.techniques.sub_attributes import SubAttributes
from hushwood.techniques.suppression import Suppression
from hushwood.techniques.swap import DaleniusReiss, Swap
from hushwood.techniques.together.group_perturber import GroupPerturber
from hushwood.techniques.warner import Warner
from hushwood.techniques.zhu_liu import ZhuLiu
from hushwood.value_clusters.registry import VALUE_CLUSTERS
from support.mixed_tables import mixed_table, with_smoker
from support.rearranged_tables import locked

Made = TypeVar("Made")

BOUNDARIES = ("wrap", "reflect", "truncate")
# Every job moves to the next ones, the nearer the likelier; missing is the ninth.
_NEXT = (8, 4, 2, 1, 1, 1, 1, 1, 1)
JOB_MATRIX = {"job": [[_NEXT[(to - job) % 9] / 20 for to in range(9)] for job in range(9)]}
# The last job has no wage.
JOB_NUMBERS = {
    "wage": {job: float(place**2) for place, job in enumerate("abcdefg")},
    "risk": {job: float(-place % 3) for place, job in enumerate("abcdefgh")},
}

CORRELATED = {"GADP": Gadp, "CGADP": Cgadp, "EGADP": Egadp, "SHUFFLE": Shuffle, "ROTATION": Rotation}
NOISY = {
    "SADP": Sadp,
    "KIM": Kim,
    "TENDICK": TendickMatloff,
    "KIMWINKLER": KimWinkler,
    "LOGNOISE": LogNoise,
}


def _variants() -> dict[str, Technique]:
    found: dict[str, Technique] = {acronym: make() for acronym, make in TECHNIQUES.items()}
    for boundary in BOUNDARIES:
        for shape in SHAPES:
            parameters = NoiseParameters(0.4, boundary, shape)  # type: ignore[arg-type]
            found[f"LINFAPT {boundary} {shape}"] = Linfapt(parameters)
            found[f"LINNAPT {boundary} {shape}"] = Linnapt(parameters)
        found[f"RNAT {boundary}"] = Rnat(boundary)  # type: ignore[arg-type]
        found[f"RNAT {boundary} printed"] = Rnat(boundary, "printed")  # type: ignore[arg-type]
    for boundary, shape in zip(BOUNDARIES, ("normal", "uniform", "normal"), strict=True):
        parameters = NoiseParameters(0.4, boundary, shape, "value", {"price": 0.2})  # type: ignore[arg-type]
        found[f"LINFAPT value {boundary}"] = Linfapt(parameters)
        found[f"LINNAPT value {boundary}"] = Linnapt(parameters)
    for mode in ("strict", "literal"):
        for siblings in ("equal", "proportional"):
            found[f"CAPT {mode} {siblings}"] = Capt(mode, 0.3, siblings, 0.3)
    for clusters in VALUE_CLUSTERS:
        found[f"CAPT {clusters}"] = Capt(probability=0.3, unrelated=0.3, clusters=clusters)
    for clusters in ("cactus", "stirr"):
        found[f"CAPT literal {clusters}"] = Capt("literal", unrelated=0.3, clusters=clusters)
    for name, correlated in CORRELATED.items():
        found[f"{name} segment"] = correlated(within="segment")
        found[f"{name} given"] = correlated(given=("job", "count"))
        found[f"{name} segment blur"] = correlated(within="segment", blur=5)
    for name, by_rho in (("GADP", Gadp), ("CGADP", Cgadp), ("EGADP", Egadp)):
        found[f"{name} rho"] = by_rho(rho=0.6, within="segment")
    for name, noisy in NOISY.items():
        found[f"{name} segment"] = noisy(within="segment")
        found[f"{name} unbounded"] = noisy(within="segment", bounded=False)
    found["KIM asymptotic"] = Kim(2.0, scale="asymptotic")
    for mode in ("strict", "literal"):
        for p in (0.0, 0.3):
            permuted = Capt(mode, p, unrelated=0.3, redraw="permutation")  # type: ignore[arg-type]
            found[f"CAPT {mode} permutation p={p:g}"] = permuted
    found["CAPT ex-detective permutation"] = Capt(
        probability=0, unrelated=0.5, clusters="ex-detective", redraw="permutation"
    )
    found["SWAP joint"] = Swap(joint=True)
    found["CAPT p=1"] = Capt(probability=1, unrelated=1)
    found["RC p=1"] = RandomCategorical(1)
    found |= {
        "PRAM p=1": Pram(probability=1),
        "PRAM frequency": Pram(probability=0.4, others="frequency"),
        "PRAM matrix": Pram(JOB_MATRIX, 0.3),
        "PRAM segment": Pram(probability=0.4, within="segment"),
        "PRAM segment frequency": Pram(probability=0.4, others="frequency", within="segment"),
        "PRAM segment matrix": Pram(JOB_MATRIX, 0.3, within="segment"),
        "IPRAM direct": InvariantPram("direct"),
        "IPRAM blended": InvariantPram(probability=0.7, others="frequency", blend=0.6),
        "IPRAM segment": InvariantPram(probability=0.6, within="segment"),
        "IPRAM segment direct": InvariantPram("direct", within="segment"),
        "WARNER together": Warner(0.3, together=True),
        "FRAPP apart": Frapp(200, posterior=0.95, together=False),
        "SUBATTRIBUTES given": SubAttributes({"job": JOB_NUMBERS}, noise=0.2, spacing="value"),
        "SUBATTRIBUTES segment": SubAttributes(columns=("count",), within="segment"),
        "LIEW segment": Liew(within="segment"),
        "LIEW gamma": Liew(("gamma", "lognormal")),
        "KIMWINKLER95 all": MaskAndSwap(0.01, 3, 0.1, controls=(), scale="asymptotic"),
        "KIMWINKLER95 unbounded": MaskAndSwap(0.2, controls=("job",), bounded=False),
        "TRAUB bounded": Traub(200, bounded=True),
        "ZHULIU spread": ZhuLiu(4, spread=0.3),
        "ZHULIU segment": ZhuLiu(7, 0.3, within="segment"),
        "DRSWAP share": DaleniusReiss(("count",), share=0.5),
        "DRSWAP segment": DaleniusReiss((), within="segment"),
        "REISS order 3": ApproximateSwap(3, ("job",)),
        "REISS segment": ApproximateSwap(within="segment"),
        "RANKSWAP 0.5": RankSwap(0.5),
        "RANKSWAP 100": RankSwap(100),
        "RANKSWAP segment": RankSwap(25, within="segment"),
        "RANKSWAP blur": RankSwap(blur=5),
        "RANKSWAP segment blur": RankSwap(25, within="segment", blur=3),
        "MDAV k=10": Mdav(10),
        "MDAV segment": Mdav(within="segment"),
        "MDAV segment k=5": Mdav(5, within="segment"),
        "MONDRIAN k=20": Mondrian(20, release="median"),
        "MONDRIAN parts": Mondrian(max_parts=7, min_gain=0.001),
        "MONDRIAN range": Mondrian(release="range"),
        "TDS range": Tds(release="range"),
        "TDS ratio": Tds(10, "ratio"),
        "TDS steps": Tds(max_steps=2),
        # The same without three models in three folds, which `test_chunks_of_one_row` runs once.
        "SEGMENT-SHUFFLE": SegmentShuffle(teacher="tree"),
        "SEGMENT-SHUFFLE plain": SegmentShuffle(k=10, teacher="none", blur=0),
        "SEGMENT-SHUFFLE redraw": SegmentShuffle(k=10, teacher="tree", redraw=1.0),
        "SEGMENT-SHUFFLE redraw plain": SegmentShuffle(k=10, teacher="none", blur=0, redraw=3.0),
        "CART-SYNTHESIS plain": CartSynthesis(5, "none", 0),
        "COPULA-SYNTHESIS plain": CopulaSynthesis(teacher="none", blur=0),
        "FOREST-SYNTHESIS small": ForestSynthesis(3, 2, 1, 0.1),
        "SUPPRESS": Suppression(("count >= 15 : count, job", "job = b")),
        "COARSEN": Coarsening(("count: 3, top 15", "job: 0")),
    }
    return found


VARIANTS: Mapping[str, Technique] = _variants()
# They give one value to all records of a group, missing ones among them, and labels for several categories.
GENERALISING = Mondrian | Tds
# They release the same under any key, and labels that the table did not have.
RECODING = GENERALISING | Coarsening


def columns_for(technique: Technique, table: Table) -> list[str]:
    """The columns of the technique's kind."""
    if technique.perturbs == "class":
        return [a.name for a in table.schema.attributes if a.role == "class"]
    if technique.perturbs == "any":
        return [a.name for a in table.schema.kept]
    return [a.name for a in table.schema.inputs if a.kind == technique.perturbs]


class _Kept(Generic[Made]):
    """What was made of a variant, a table and its segments; tests of one file ask for it again and again.

    All three are told apart by their places in memory, where they stay as long as what was made of them is kept.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[tuple[int, ...], tuple[Made, tuple[object, ...]]] = OrderedDict()

    def get(self, made_of: tuple[object, ...], make: Callable[[], Made]) -> Made:
        key = tuple(map(id, made_of))
        if key not in self._made:
            self._made[key] = make(), made_of
            if len(self._made) > self._most:
                self._made.popitem(last=False)
        self._made.move_to_end(key)
        return self._made[key][0]


_STEPS, _RELEASES = _Kept[tuple[PreparedStep, ...]](250), _Kept[Table](250)


def prepared(
    technique: Technique, table: Table, segments: Segments, names: Sequence[str] | None = None
) -> list[PreparedStep]:
    """One step for every column, or for all of a joint technique, as the frameworks make them; made once."""
    if names is not None:
        return _made_ready(technique, table, segments, names)
    steps = _STEPS.get(
        (technique, table, segments),
        lambda: tuple(_made_ready(technique, table, segments, columns_for(technique, table))),
    )
    return list(steps)


def _made_ready(
    technique: Technique, table: Table, segments: Segments, names: Sequence[str]
) -> list[PreparedStep]:
    groups = [list(names)] if technique.jointly else [[name] for name in names]
    return [PreparedStep(technique.prepare(table, group, segments), segments.ids) for group in groups]


def released_by(technique: Technique, table: Table, segments: Segments, streams: Streams) -> Table:
    """The table as the technique releases it, with the categories that only the release has; made once, read-only."""
    return _RELEASES.get(
        (technique, table, segments, streams),
        lambda: locked(released_anew(technique, table, segments, streams)),
    )


def released_anew(technique: Technique, table: Table, segments: Segments, streams: Streams) -> Table:
    """The same, made ready and released again."""
    steps = _made_ready(technique, table, segments, columns_for(technique, table))
    return released_table(table, [step.perturber for step in steps], memory.run(table, steps, streams))


def read_as_numbers(original: Table, released: Table) -> Table:
    """The release with ranges of numbers as the numbers that an audit reads them as."""
    for attribute in original.schema.kept:
        texts = released.schema[attribute.name]
        if attribute.kind == texts.kind:
            continue
        column = pl.Series(
            [texts.categories[code] if code >= 0 else None for code in released.columns[texts.name]]
        )
        cells = numeric_cells(column.cast(pl.String), attribute.low or 0.0, attribute.high or 0.0)
        assert cells.strange is None
        schema = released.schema.with_attribute(attribute)
        released = released.with_columns({attribute.name: cells.values}, schema)
    return released


def draws_alone(technique: Technique) -> bool:
    """Whether every record is drawn by itself, as the perturbers declare: then copies of one record show its law.

    A group method may do so in some cells only; what happens in the others depends on other records.
    """
    table = with_smoker(mixed_table(1, 40))
    perturbers = [step.perturber for step in prepared(technique, table, whole_table(table))]
    return all(
        p.method.by_record if isinstance(p, GroupPerturber) else not (p.whole_column or p.law().dependent)
        for p in perturbers
    )
