"""The papers page names everything that Hushwood can do, and its links lead to files that exist."""

import re
from pathlib import Path
from typing import get_args

import hushwood as hw
from hushwood.trees.options import Variant
from hushwood.value_clusters.registry import VALUE_CLUSTERS
from hushwood_papers.registry import EXPERIMENTS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "papers.md").read_text(encoding="utf-8")
NAMES = [
    *hw.techniques(),
    *hw.measures(),
    *hw.attacks(),
    *EXPERIMENTS,
    *get_args(Variant),
    *VALUE_CLUSTERS,
]


def test_everything_is_named() -> None:
    words = set(re.findall(r"[\w-]+", PAGE.casefold()))
    assert [name for name in NAMES if name not in words] == []


def test_links_lead_to_files() -> None:
    links = sorted(set(re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", PAGE)))
    assert [link for link in links if not (DOCS / link).exists()] == []
