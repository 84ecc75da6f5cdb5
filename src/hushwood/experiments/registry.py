"""All experiments by name; each is in the module of its name and is loaded only when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING

from hushwood.errors import unknown_name

if TYPE_CHECKING:
    from hushwood.experiments.protocol import Experiment

# What each is about, in one line for the command's list.
EXPERIMENTS: Mapping[str, str] = {
    "class-noise-trees": "trees under noise on the class of Boston's house prices (thesis, chapter 4)",
    "categorical-noise": "noise on categories: CACTUS, DETECTIVE and CAPT on CS (thesis, tables 6.3 to 6.5)",
    "frameworks-adult": "Framework, Extended Framework and their controls on Adult (thesis, table 7.1)",
    "frameworks-wbc": "Framework, Extended Framework and their controls on WBC (thesis, tables 7.2 and 7.3)",
    "disclosure-wbc": "what an intruder learns about one record of WBC (thesis, table 8.1)",
    "accuracy-is-not-quality": "trees and neural networks under noise on the class (thesis, tables 9.1 to 9.4)",
    "forest-framework": "Forest Framework beside three others on five tables (paper of 2015, figures 2-4, table 4)",
    "tree-publishing-adult": "published trees against InfoGain Mondrian (TPP paper, figures 5 to 10)",
    "alone-and-linked": "who is alone in a segment, and what linkage finds (ours)",
    "tree-builders": "C4.5 or See5 behind a release (ours)",
}


def experiment_named(name: str) -> Experiment:
    """One experiment, ready to be run."""
    if name not in EXPERIMENTS:
        raise unknown_name("experiment", name, EXPERIMENTS)
    found: Experiment = import_module(f"hushwood.experiments.{name.replace('-', '_')}").EXPERIMENT
    return found
