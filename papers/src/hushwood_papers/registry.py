"""All experiments by name; each is loaded only when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple

from hushwood.errors import unknown_name

if TYPE_CHECKING:
    from hushwood_papers.protocol import Experiment


class Registered(NamedTuple):
    """The folder of an experiment, and one line about it for the command's list."""

    folder: str
    about: str


EXPERIMENTS: Mapping[str, Registered] = {
    "class-noise-trees": Registered(
        "class_noise", "trees under noise on the class of Boston's house prices (thesis, chapter 4)"
    ),
    "noise-2003": Registered(
        "innocent_noise",
        "noise on innocent attributes of WBC, 27.6 % of the value (paper of 2003, section 4)",
    ),
    "categorical-noise": Registered(
        "categorical_noise",
        "noise on categories: CACTUS, DETECTIVE and CAPT on CS (thesis, tables 6.3 to 6.5)",
    ),
    "frameworks-adult": Registered(
        "thesis_frameworks", "Framework, Extended Framework and their controls on Adult (thesis, table 7.1)"
    ),
    "frameworks-wbc": Registered(
        "thesis_frameworks",
        "Framework, Extended Framework and their controls on WBC (thesis, tables 7.2, 7.3)",
    ),
    "disclosure-wbc": Registered(
        "disclosure", "what an intruder learns about one record of WBC (thesis, table 8.1)"
    ),
    "accuracy-is-not-quality": Registered(
        "class_noise", "trees and neural networks under noise on the class (thesis, tables 9.1 to 9.4)"
    ),
    "forest-framework": Registered(
        "forest_framework",
        "Forest Framework and three others on five tables (paper of 2015, figures 2-4, table 4)",
    ),
    "tree-publishing-adult": Registered(
        "published_trees", "published trees against InfoGain Mondrian (TPP paper, figures 5 to 10)"
    ),
    "tree-publishing-methods": Registered(
        "published_trees", "other mining methods on a published tree's table (ours, about the TPP paper)"
    ),
    "alone-and-linked": Registered(
        "alone_and_linked", "records alone in their segment, and linkage attacks (ours)"
    ),
    "tree-builders": Registered("tree_builders", "releases with trees by C4.5 or See5 (ours)"),
}


def experiment_named(name: str) -> Experiment:
    """One experiment, ready to run."""
    if name not in EXPERIMENTS:
        raise unknown_name("experiment", name, EXPERIMENTS)
    module = f"hushwood_papers.{EXPERIMENTS[name].folder}.{name.replace('-', '_')}"
    found: Experiment = import_module(module).EXPERIMENT
    return found
