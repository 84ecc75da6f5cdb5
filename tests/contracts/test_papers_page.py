"""Everything that Hushwood can do is on the page of the papers, with a file that exists."""

import re
from pathlib import Path
from typing import get_args

import pytest

import hushwood as hw
from hushwood.experiments.registry import EXPERIMENTS
from hushwood.trees.options import Variant
from hushwood.value_clusters.registry import VALUE_CLUSTERS

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


@pytest.mark.parametrize("name", NAMES)
def test_it_is_named(name: str) -> None:
    assert name in re.findall(r"[\w-]+", PAGE.casefold())


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", PAGE))))
def test_what_it_links_to_is_there(link: str) -> None:
    assert (DOCS / link).exists()
