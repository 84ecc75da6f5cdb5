"""How a miner reconstructs: the options of `hushwood reconstruct`, light to import because the command reads them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from hushwood.parameters import Between, Checked, OneOf, Option


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
