"""What was written, read back and checked before anybody sees it: rules, tree, K and L.

Works on the files alone and with its own counting, so that a fault in the publisher's code cannot hide itself here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.errors import InputError, InternalFault
from hushwood.frameworks.certificate import Certificate, certify
from hushwood.jobs.tree_vocabulary import in_the_words_of
from hushwood.jobs.verify_tree import TreeVerdict, published_forest, verdict
from hushwood.tables.storage import text_columns
from hushwood.tables.table import Table

if TYPE_CHECKING:
    import polars as pl

    from hushwood.tree_publishing.options import PublishOptions

_NOTHING = "nothing was published. Please report this."
_SLACK = 1e-9  # 1/l of a group need not be a whole number of records


@dataclass(frozen=True, slots=True)
class Checked:
    """What the files themselves show."""

    certificate: Certificate
    rebuilt: TreeVerdict
    k: int
    diversity: Mapping[str, float]


def checked_on_disk(
    original: Table,
    released: Path,
    tree: Path,
    separator: str | None,
    options: PublishOptions,
    by: Sequence[str],
) -> Checked:
    """Certify the rules, rebuild the tree, recount K and L of records alike in the columns `by`; stop if any fails."""
    from hushwood.tables.files import read_frame

    model = json.loads(tree.read_text(encoding="utf-8"))
    frame = read_frame(
        released,
        separator=separator,
        as_text=text_columns(original.schema),
        escaped_formulas=bool(model["grown"].get("escaped_formulas")),
    )
    certificate = certify(original, frame, model, True, options.threads)
    certificate.check()
    rebuilt = _rebuilt(released, model)
    if not rebuilt:
        raise InternalFault(f"The released table does not give the tree: {rebuilt.difference} So {_NOTHING}")
    k, diverse = recounted(original, frame, by)
    _check_privacy(k, diverse, options)
    return Checked(certificate, rebuilt, k, diverse)


def _rebuilt(released: Path, model: Mapping[str, Any]) -> TreeVerdict:
    """What anybody finds who is handed the two files."""
    try:
        forest = published_forest(model)
        return verdict(forest, in_the_words_of(forest, released))
    except InputError as fault:
        raise InternalFault(f"What was written cannot be read back: {fault} So {_NOTHING}") from fault


def recounted(original: Table, released: pl.DataFrame, by: Sequence[str]) -> tuple[int, dict[str, float]]:
    """Size of the smallest group of records that are alike in these columns, and the smallest strong L of each
    sensitive attribute, counted on its original values."""
    import polars as pl

    keys = [f"key {place}" for place in range(len(by))] or ["all"]
    known = pl.DataFrame({key: released[name] for key, name in zip(keys, by, strict=False)})
    if not by:
        known = pl.DataFrame({"all": np.zeros(released.height, np.int8)})
    sizes = known.group_by(keys).len("records")
    diverse: dict[str, float] = {}
    for name in original.schema.in_role("confidential"):
        values = known.with_columns(pl.Series("value", original.columns[name]))
        counted = values.group_by(*keys, "value").len("same").group_by(keys)
        shares = counted.agg((pl.col("same").sum() / pl.col("same").max()).alias("l"))
        diverse[name] = float(shares["l"].to_numpy().min())
    return int(sizes["records"].to_numpy().min()), diverse


def _check_privacy(k: int, diverse: Mapping[str, float], options: PublishOptions) -> None:
    if k < options.k:
        raise InternalFault(f"The smallest group has {k} records, fewer than K = {options.k}; {_NOTHING}")
    for name, found in diverse.items():
        if found < options.l - _SLACK:
            raise InternalFault(
                f"{name!r} has L = {found:.3g} in some group, less than {options.l:g}; {_NOTHING}"
            )
