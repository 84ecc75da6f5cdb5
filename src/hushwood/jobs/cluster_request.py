"""What can be asked of `hushwood clusters`; light to import, because the command reads its options from here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from hushwood.parameters import AtLeast, Checked, Option, Settings, settings_from_texts
from hushwood.trees.builder_options import (
    CONFIDENCE,
    CRITERIA,
    CRITERION,
    ERROR_LEVEL,
    MIN_LEAF,
    VARIANT,
    VARIANTS,
)


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
