"""Trees over the categories of an attribute: what a value may be generalised to, step by step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """The way up from every category of one attribute: itself first, then ever wider groups, the root last.

    All ways are equally long, as in an ARX hierarchy file.
    """

    attribute: str
    levels: Mapping[str, tuple[str, ...]]
