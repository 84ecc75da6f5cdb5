"""Noise on the class alone: the original tree, releases by RPT, PPT and ALPT after its leaves, and trees on them.

Chapters 4 and 9 of the thesis both do this. What is counted in such trees is in `noisy_trees`.
"""

from __future__ import annotations

from hushwood.frameworks.perturb import PerturbOptions, perturb
from hushwood.measures.grown import Grown
from hushwood.random_streams import Streams
from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions

# RPT and PPT are the thesis' techniques, ALPT stands for natural noise.
CLASS_NOISE = ("RPT", "PPT", "ALPT")
SEE5 = GrowOptions(variant="see5")


def grown_by_see5(table: Table) -> Grown:
    """The tree of the thesis' builder with its defaults: at least two records in a leaf, confidence 25 %."""
    return Grown(table, SEE5)


def released_class(original: Grown, technique: str, streams: Streams) -> Table:
    """The original's records with noise on their class, given the leaves of the original's tree."""
    options = PerturbOptions(technique=technique.lower(), variant=SEE5.variant, min_leaf=2, threads=1)
    return perturb(original.table, options, streams, original.tree).table
