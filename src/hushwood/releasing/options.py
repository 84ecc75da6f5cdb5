"""What can be asked of a release, from the command line to plan.json: every option and its default is declared here.

Light to import, because the command reads its options from here; `planning` makes a plan of them, `perturb` runs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Annotated, Any

from hushwood.parameters import (
    SHARE,
    THREADS,
    AtLeast,
    Checked,
    OneOf,
    Option,
    Settings,
    available_threads,
    settings_from_texts,
)
from hushwood.releasing.coarse_options import (
    BottomCode,
    Coarsen,
    Hierarchies,
    Rare,
    RareBelow,
    Suppress,
    TopCode,
    rule_texts,
)
from hushwood.releasing.noise_texts import NOISE, USUAL_NOISE, column_noise, plain_noise, share_from_text
from hushwood.tables.formats.matrix_file import NamedRows, matrices_from_texts
from hushwood.trees.builder_options import (
    CONFIDENCE,
    CRITERIA,
    CRITERION,
    ERROR_LEVEL,
    GOODNESS,
    MIN_GAIN_RATIO,
    MIN_LEAF,
    SEPARATION,
    TREES,
    VARIANT,
    VARIANTS,
)
from hushwood.trees.options import Builder, GrowOptions, SysForOptions, default_min_leaf

if TYPE_CHECKING:
    from hushwood.tables.recoding.rules import CoarseningRule
    from hushwood.tables.schema import Schema
    from hushwood.tables.table import Table

_NOISE, _TREES, _RUN = "Noise", "Trees", "Run"
USUAL_REDRAW = 1.0
LEAST_BLUR = 5


def _influential(text: str) -> float:
    return share_from_text(text, "--noise-influential")


def _innocent(text: str) -> float:
    return share_from_text(text, "--noise-innocent")


def _settings(texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    if not texts:
        return {}
    from hushwood.releasing.recipes import SETTABLE

    return settings_from_texts(texts, SETTABLE, "technique", "gadp.rho=0.5")


@dataclass(frozen=True, slots=True)
class PerturbOptions(Checked):
    """Everything that decides what a release looks like, apart from the table and the key."""

    technique: Annotated[
        str,
        Option(
            "segment-shuffle, which keeps distributions and what goes together; the papers' forest-framework or "
            "framework, which add noise inside rules; forest-extended-framework or extended-framework, which also keep "
            "correlations; the syntheses cart-synthesis, forest-synthesis and copula-synthesis; the controls "
            "random-framework, random-extended-framework and rt; or a single technique such as gadp, mdav, mondrian or "
            "pram, which copies all other columns. docs/techniques.md lists them all.",
            metavar="NAME",
        ),
    ] = "segment-shuffle"
    k: Annotated[
        int | None,
        AtLeast(2),
        Option(
            "Smallest segment of segment-shuffle: the larger, the less an intruder learns and the less analysts keep.",
            metavar="N",
            default="as many as the table's counts need; with --redraw 0 50, or a tenth of a small table",
        ),
    ] = None
    redraw: Annotated[
        float | None,
        AtLeast(0),
        Option(
            "segment-shuffle draws the people first, and then how often a segment hands out each value; V is the "
            "variance of these counts in units of sampling variance. 0 releases the table's own people and exact "
            "counts, which say who is in it: for recipients under contract.",
            metavar="V",
            default="1 in segment-shuffle",
        ),
    ] = None
    noise: Annotated[
        float,
        NOISE,
        Option(
            "Standard deviation of the noise, as a share of the range the value stays in. Repeat it for columns that "
            "are to have other noise: --noise 1/3 --noise age=0.1.",
            metavar="[COLUMN=]SHARE",
            panel=_NOISE,
            reads=plain_noise,
            repeated=True,
        ),
    ] = USUAL_NOISE
    noise_by_column: Annotated[
        Mapping[str, Annotated[float, NOISE]],
        Option("", of="noise", reads=column_noise, repeated=True),
    ] = field(default_factory=dict)
    noise_influential: Annotated[
        float | None,
        NOISE,
        Option(
            "The same for attributes that a record's rules test (LINFAPT). A column's own noise wins.",
            metavar="SHARE",
            panel=_NOISE,
            default="--noise",
            reads=_influential,
        ),
    ] = None
    noise_innocent: Annotated[
        float | None,
        NOISE,
        Option(
            "The same for attributes that no rule of the record tests (LINNAPT). A column's own noise wins.",
            metavar="SHARE",
            panel=_NOISE,
            default="--noise",
            reads=_innocent,
        ),
    ] = None
    noise_of: Annotated[
        str,
        OneOf(("range", "value")),
        Option(
            "What the noise is a share of: the range the value stays in, or the value itself.",
            metavar="range|value",
            panel=_NOISE,
        ),
    ] = "range"
    boundary: Annotated[
        str,
        Option("How noise stays inside the range: wrap, reflect or truncate.", metavar="RULE", panel=_NOISE),
    ] = "wrap"
    distribution: Annotated[
        str,
        Option("Shape of the noise: normal, uniform, laplace or triangular.", metavar="SHAPE", panel=_NOISE),
    ] = "normal"
    capt: Annotated[
        str,
        OneOf(("strict", "literal")),
        Option(
            "strict keeps the rules of every record; literal is CAPT as printed in the thesis.",
            metavar="MODE",
            panel=_NOISE,
        ),
    ] = "strict"
    probability: Annotated[
        float,
        SHARE,
        Option(
            "Probability of change in CAPT, PRAM, invariant PRAM and random categorical.",
            metavar="P",
            panel=_NOISE,
        ),
    ] = 0.1
    pram_matrix: Annotated[
        Mapping[str, NamedRows],
        Option(
            "The matrix by which PRAM changes a column: a CSV file with the new values in the header and a line for "
            "every old value. May be repeated.",
            metavar="COLUMN=FILE",
            panel=_NOISE,
            reads=matrices_from_texts,
        ),
    ] = field(default_factory=dict)
    value_clusters: Annotated[
        str,
        Option(
            "How CAPT finds similar values: detective, ex-detective, cactus, rock, qrock, coolcat, core or stirr.",
            metavar="NAME",
            panel=_NOISE,
        ),
    ] = "detective"
    teacher: Annotated[
        str | None,
        OneOf(("ensemble", "boosting", "tree", "none")),
        Option(
            "What decides which record gets which class: ensemble, boosting, tree or none (chance alone).",
            metavar="NAME",
            panel=_NOISE,
            default="ensemble; tree in cart-synthesis and copula-synthesis",
        ),
    ] = None
    correlated: Annotated[
        str | None,
        Option(
            "How the extended frameworks draw numbers together: gadp, cgadp, egadp, shuffle or rotation.",
            metavar="WAY",
            panel=_NOISE,
            default="shuffle; gadp in random-extended-framework",
        ),
    ] = None
    blur: Annotated[
        int | None,
        AtLeast(0),
        Option(
            "Techniques that hand out original numbers move those that fewer than W records share, or fewer than 5, by "
            "up to W places in the sorted column; 0 releases numbers unblurred.",
            metavar="W",
            panel=_NOISE,
            default="5; a twentieth of the records where counts are drawn",
        ),
    ] = None
    rare: Rare = None
    rare_below: RareBelow = None
    suppress: Suppress = ()
    coarsen: Coarsen = ()
    top_code: TopCode = ()
    bottom_code: BottomCode = ()
    hierarchies: Hierarchies = field(default_factory=dict)
    settings: Annotated[
        Settings,
        Option(
            "A parameter of a technique or of CAPT's clusters, such as gadp.rho=0.5 or cactus.alpha=1.15. "
            "May be repeated.",
            spelling=("--set",),
            metavar="TECHNIQUE.PARAMETER=VALUE",
            panel=_NOISE,
            reads=_settings,
        ),
    ] = field(default_factory=dict)
    trees: Annotated[
        int | None,
        AtLeast(1),
        replace(TREES, default="3 in forest-framework or fewer if the table has no more good splits, else 1"),
    ] = None
    min_leaf: Annotated[
        int | None,
        AtLeast(1),
        replace(MIN_LEAF, default="k in segment-shuffle, else 4.5 % of the records, from 10 to 200"),
    ] = None
    variant: Annotated[str, VARIANTS, VARIANT] = "c45"
    criterion: Annotated[str, CRITERIA, CRITERION] = "gain_ratio"
    confidence: Annotated[float, ERROR_LEVEL, CONFIDENCE] = 0.25
    goodness: Annotated[float, SHARE, GOODNESS] = 0.5
    separation: Annotated[float, SHARE, SEPARATION] = 0.3
    min_gain_ratio: Annotated[float, SHARE, MIN_GAIN_RATIO] = 0.01
    forest_rows: Annotated[
        int,
        AtLeast(1),
        Option(
            "Maximum number of rows to learn rules and noise from; a longer table is sampled secretly.",
            metavar="N",
            panel=_TREES,
        ),
    ] = 250_000  # the same for every engine: more rows hardly change the rules
    part_rows: Annotated[
        int,
        AtLeast(2),
        Option(
            "Values of a longer table change places within parts of about this many records: whole segments, or random "
            "blocks of a large one.",
            metavar="N",
            panel=_RUN,
        ),
    ] = 100_000  # the same for every engine; a block is still two thousand times as large as the usual segment
    engine: Annotated[
        str,
        OneOf(("auto", "memory", "streaming", "spark")),
        Option(
            "Where the work is done: memory holds the table; streaming reads a file of any size in batches and stays "
            "below --memory; spark runs on a cluster. auto chooses between the first two by size. All give the same "
            "values.",
            metavar="auto|memory|streaming|spark",
            panel=_RUN,
        ),
    ] = "auto"
    chunk_rows: Annotated[
        int | None,
        AtLeast(1),
        Option(
            "Rows to process at a time; does not change any value.",
            metavar="N",
            panel=_RUN,
            default="chosen by the engine",
        ),
    ] = None
    threads: Annotated[int, THREADS] = field(default_factory=available_threads)

    def __post_init__(self) -> None:
        for name in ("coarsen", "top_code", "bottom_code"):
            object.__setattr__(self, name, rule_texts(getattr(self, name), name))
        Checked.__post_init__(self)

    @property
    def coarsens_itself(self) -> bool:
        """Whether coarsening is what the technique does, and not done before it."""
        return self.technique == "coarsen"

    def coarsening_rules(self) -> list[CoarseningRule]:
        """What is to be coarsened, by the technique or before it."""
        from hushwood.tables.recoding.rules import parsed_rules

        return parsed_rules(self.coarsen, self.top_code, self.bottom_code)

    @property
    def drawn(self) -> float:
        """The noise in the counts of the release, in units of sampling variance; 0 if nobody is drawn."""
        from hushwood.releasing.recipes import takes_k

        if not takes_k(self.technique):
            return 0.0
        return USUAL_REDRAW if self.redraw is None else float(self.redraw)

    @property
    def rare_rule(self) -> str:
        """What is done with rare levels: the level of one person says that the person is there, however it is drawn."""
        return self.rare or ("group" if self.drawn else "keep")

    def rare_limit(self, records: int) -> int:
        """The fewest records that a category level needs not to be rare: as many as a segment, if those have a size."""
        from hushwood.tables.recoding.rare_levels import FEWEST_DRAWN, FEWEST_OF_A_LEVEL

        usual = FEWEST_DRAWN if self.drawn else self.smallest_segment(records) or FEWEST_OF_A_LEVEL
        return self.rare_below or usual

    def settled(self, table: Table, records: int) -> PerturbOptions:
        """The same with segments and blur as the table, or a sample of it, asks for if counts are drawn."""
        if not self.drawn:
            return self
        from hushwood.techniques.laws.counts import DIFFERENT, column_shares, smallest_segment

        most = max(int(0.9 * DIFFERENT * records), 2)  # different people in one segment
        k = self.k or min(smallest_segment(column_shares(table), records, self.drawn), most)
        # The law counts numbers in tenths, so a number must not be known better than that.
        blur = max(LEAST_BLUR, min(records, self.part_rows) // 20) if self.blur is None else self.blur
        return replace(self, k=k, blur=blur, redraw=self.drawn)

    @property
    def blanks_afterwards(self) -> bool:
        """Whether declared cells of the perturbed table are blanked, about which the laws say nothing."""
        return bool(self.suppress) and self.technique != "suppress"

    def grow_options(self, records: int) -> GrowOptions:
        """How the trees are grown on a table of that many records."""
        min_leaf = self.min_leaf
        if min_leaf is None:
            smallest = self.smallest_segment(records)
            min_leaf = default_min_leaf(records) if smallest is None else min(smallest, max(records // 2, 1))
        return GrowOptions(self.variant, self.criterion, min_leaf, self.confidence)

    def builder(self, records: int) -> Builder:
        """What grows the forest of a table of that many records; the plan says how many trees it has."""
        sysfor = SysForOptions(
            goodness=self.goodness, separation=self.separation, minimum_gain_ratio=self.min_gain_ratio
        )
        return Builder(self.grow_options(records), sysfor)

    def smallest_segment(self, records: int) -> int | None:
        """The smallest segment of the technique, if it has one: at most the whole table."""
        from hushwood.releasing.recipes import takes_k
        from hushwood.techniques.segment_shuffle import usual_k

        if not takes_k(self.technique):
            return None
        return max(min(self.k or usual_k(records), records), 2)

    @property
    def noise_apart(self) -> bool:
        """Whether not all columns and records get the same share of noise."""
        return bool(self.noise_by_column) or not (self.noise_influential is self.noise_innocent is None)

    def with_noise_of(self, schema: Schema) -> PerturbOptions:
        """The same with the noise that a schema gives its columns, if the technique adds any; options win over it."""
        from hushwood.releasing.recipes import adds_noise

        declared = {a.name: a.noise for a in schema.inputs if a.noise is not None}
        if not declared or not adds_noise(self.technique):
            return self
        return replace(self, noise_by_column={**declared, **self.noise_by_column})
