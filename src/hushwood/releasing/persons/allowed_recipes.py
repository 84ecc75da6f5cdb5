"""Which recipes can keep rows together: those that change values within segments, and nothing row by row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from hushwood.errors import InputError
from hushwood.releasing.options import PerturbOptions

if TYPE_CHECKING:
    from hushwood.techniques.protocol import Technique


def check_rows_together(options: PerturbOptions, techniques: Sequence[Technique]) -> None:
    """Refuse what works on rows one by one, or in groups of rows, whatever person they belong to."""
    recipe = options.technique
    instead = "choose segment-shuffle, forest-framework or another recipe that changes values within segments"
    if any(technique.row_order == "none" for technique in techniques):
        raise InputError(
            f"{recipe} makes up one record after the other, so no rows stay together for --person or --household; "
            f"{instead}."
        )
    if options.blanks_afterwards:
        raise InputError(
            "--suppress blanks single rows, so a person's constant columns would not stay constant; omit it, or omit "
            "--person and --household."
        )
    for technique in techniques:
        groups = hasattr(technique, "k") and technique.smallest_segment is None
        promise = technique.promise
        if groups or promise.values in ("generalised", "ranges") or promise.blanks:
            raise InputError(
                f"{recipe} treats rows, not persons: it cannot be used with --person or --household; {instead}."
            )
