"""What can be asked of `hushwood audit`, `verify`, `reconstruct` and `clusters`.

It is light to import, because the commands read their options from here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from hushwood.jobs.requests import LimitsGiven
from hushwood.jobs.shared_options import Links, Memory
from hushwood.parameters import (
    THREADS,
    AtLeast,
    Between,
    Checked,
    OneOf,
    Option,
    Settings,
    available_threads,
    settings_from_texts,
)
from hushwood.releasing.coarse_options import hierarchy_files
from hushwood.trees.builder_options import (
    CONFIDENCE,
    CRITERIA,
    CRITERION,
    ERROR_LEVEL,
    MIN_LEAF,
    VARIANT,
    VARIANTS,
    BuilderOptions,
)

if TYPE_CHECKING:
    from hushwood.policies.policy import Policy
    from hushwood.tables.recoding.taxonomies import Taxonomy
else:  # these load numpy, which takes longer than `hushwood audit --help`
    Taxonomy = Policy = object

_RUN, _POLICY = "Run", "Policy"


def _stripped_names(text: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in text.split(",") if part.strip())


def _measure_settings(texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    if not texts:
        return {}
    from hushwood.evaluation.levels import settings_from_texts

    return settings_from_texts(texts)


@dataclass(frozen=True, slots=True)
class AuditRequest(Checked):
    """What to judge, and how; `holdout` is a file or a frame of people who were never in the table."""

    match: Annotated[
        str | None,
        Option(
            "How rows correspond: by position, not at all, or by a column that identifies people.",
            metavar="rows|none|COLUMN",
            default="by position if rows there are alike",
        ),
    ] = None
    holdout: Annotated[
        object,
        Option("Held-out people who were never in the table: the control for the attacks.", metavar="FILE"),
    ] = None
    made_up: Annotated[
        bool,
        Option(
            "The records were made up and stand for no one, as in a synthetic table of another tool: linkage then "
            "says nothing, and singling out, inference and membership count."
        ),
    ] = False
    only: Annotated[
        tuple[str, ...],
        Option(
            'Only these measures and attacks: "sers,linkage".',
            metavar="NAMES",
            default="all",
            reads=_stripped_names,
        ),
    ] = ()
    evidence: Annotated[
        str,
        OneOf(("quick", "full")),
        Option("The main numbers in seconds, or everything.", metavar="quick|full"),
    ] = "full"
    links: Links = "auto"
    fail_if: Annotated[
        tuple[str, ...],
        Option(
            'End with exit code 1 if this holds: "linkage>0.05", "attribute_inference.excess>0.05", or '
            '"reidentification_entropy.below(3)>5%": more than 5 % of the records have fewer than 3 bits. The upper '
            "end of the interval counts. May be repeated.",
            metavar="LIMIT",
            panel=_POLICY,
        ),
    ] = ()
    hierarchies: Annotated[
        Mapping[str, Taxonomy | Path | str],
        Option(
            "Hierarchy of a column, as ARX writes it (CSV). May be repeated.",
            spelling=("--hierarchy",),
            metavar="COLUMN=FILE",
            reads=hierarchy_files,
        ),
    ] = field(default_factory=dict)
    settings: Annotated[
        Settings,
        Option(
            'A parameter of a measure or attack: "membership.members=0.8". May be repeated.',
            spelling=("--set",),
            metavar="MEASURE.PARAMETER=VALUE",
            reads=_measure_settings,
        ),
    ] = field(default_factory=dict)
    policy: Annotated[
        str | Path | Policy | None,
        Option(
            "Judge by a policy and end with exit code 1 unless it clears the release.",
            metavar="NAME|FILE",
            panel=_POLICY,
        ),
    ] = None
    limits: LimitsGiven = ()
    builder: BuilderOptions = field(default_factory=BuilderOptions)
    memory: Memory = 2_000_000_000
    engine: Annotated[
        str,
        OneOf(("auto", "memory", "streaming")),
        Option(
            "Where the tables are: in memory; or on disk, read in batches, and measured on a sample where counting is "
            "not enough. auto chooses by size.",
            metavar="auto|memory|streaming",
            panel=_RUN,
        ),
    ] = "auto"
    threads: Annotated[int, THREADS] = field(default_factory=available_threads)


@dataclass(frozen=True, slots=True)
class VerifyRequest(Checked):
    """How much memory may be used: longer tables are certified in batches."""

    memory: Memory = 2_000_000_000
    threads: Annotated[int, THREADS] = field(default_factory=available_threads)


@dataclass(frozen=True, slots=True)
class ReconstructRequest(Checked):
    """How a miner goes about it."""

    intervals: Annotated[
        int,
        Between(2, 250),
        Option("Number of intervals that a numeric column is recovered in.", metavar="N"),
    ] = 20
    method: Annotated[
        str,
        OneOf(("em", "bayes", "spectral")),
        Option(
            "How distributions are recovered: em (Agrawal and Aggarwal), bayes (Agrawal and Srikant), or spectral "
            "(Kargupta's filter of all columns together, where SADP or TRAUB added their noise; em elsewhere).",
            metavar="NAME",
        ),
    ] = "em"
    strategy: Annotated[
        str,
        OneOf(("byclass", "global", "local")),
        Option(
            "How often a tree reconstructs noisy columns: once (global), for every class (byclass), or for every class "
            "at every node (local).",
            metavar="NAME",
        ),
    ] = "byclass"
    private: Annotated[
        bool,
        Option(
            "Also use the private part of the release, which no miner has: the exact ranges and the forest."
        ),
    ] = False


def _cluster_settings(texts: Sequence[str]) -> dict[str, dict[str, Any]]:
    from hushwood.value_clusters.registry import VALUE_CLUSTERS

    declared = {name: c.parameters for name, c in VALUE_CLUSTERS.items() if c.parameter_class}
    return settings_from_texts(texts, declared, "clustering", "cactus.alpha=1.15") if texts else {}


@dataclass(frozen=True, slots=True)
class ClusterRequest(Checked):
    """Which values to cluster, and how."""

    value_clusters: Annotated[
        str,
        Option("detective, ex-detective, cactus, rock, qrock, coolcat, core or stirr.", metavar="NAME"),
    ] = "detective"
    column: Annotated[
        tuple[str, ...],
        Option(
            "Only this categorical column. May be repeated.",
            metavar="COLUMN",
            default="all categorical columns but the class",
        ),
    ] = ()
    min_leaf: Annotated[
        int | None,
        AtLeast(1),
        replace(MIN_LEAF, default="4.5 % of the records, from 10 to 200"),
    ] = None
    variant: Annotated[str, VARIANTS, VARIANT] = "c45"
    criterion: Annotated[str, CRITERIA, CRITERION] = "gain_ratio"
    confidence: Annotated[float, ERROR_LEVEL, CONFIDENCE] = 0.25
    settings: Annotated[
        Settings,
        Option(
            "A parameter of the clustering, such as cactus.alpha=1.15. May be repeated.",
            spelling=("--set",),
            metavar="CLUSTERING.PARAMETER=VALUE",
            reads=_cluster_settings,
        ),
    ] = field(default_factory=dict)
