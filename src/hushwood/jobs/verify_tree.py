"""Does a released table give its published tree? Answered from the two files alone.

`publish_tree` asks this of what it wrote before showing it, and `hushwood verify-tree` of any files received.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.errors import InputError
from hushwood.jobs.folder.release_folder import release_folder
from hushwood.jobs.folder.whole_folders import MANIFEST
from hushwood.json_texts import parsed_json
from hushwood.tables.csv.dialect import TextForm
from hushwood.tables.table import Table
from hushwood.tree_publishing.reading import published_forest, read_released
from hushwood.tree_publishing.rebuild import TreeVerdict, verdict
from hushwood.trees.forest import Forest

if TYPE_CHECKING:
    from hushwood.releasing.certificate import Certificate
    from hushwood.tree_publishing.options import PublishOptions


def verify_tree(released: object, tree: Path | str | Mapping[str, Any] | Forest) -> TreeVerdict:
    """Compare every inner node's test with the best split of the released table (a frame, a file or a folder)."""
    forest = published_forest(tree)
    return verdict(forest, read_released(forest, _source(released)))


def _source(released: object) -> object:
    """The released table of a folder that `publish-tree` made; anything else as it is."""
    path = Path(released) if isinstance(released, str | Path) else None
    if path is None or not path.is_dir():
        return released if path is None else path
    folder = release_folder(path)
    if folder is None:
        raise InputError(f"{path} holds no release (no {MANIFEST}); give the released table.")
    return folder.released


@dataclass(frozen=True, slots=True)
class CheckedTree:
    """What the written files themselves show."""

    certificate: Certificate
    rebuilt: TreeVerdict
    k: int
    diversity: Mapping[str, float]


def checked_on_disk(
    original: Table,
    released: Path,
    tree: Path,
    form: TextForm | None,
    options: PublishOptions,
    by: Sequence[str],
) -> CheckedTree:
    """Certify the rules, rebuild the tree, count K and L of the groups in the columns `by`; raises if any fails."""
    from hushwood.releasing.certificate import Claims, certify
    from hushwood.tables.formats.files import read_frame
    from hushwood.tables.frames.storage import text_columns
    from hushwood.tree_publishing.rebuild import rebuilt, recounted

    model = parsed_json(tree.read_bytes())
    frame = read_frame(
        released,
        form=form,
        as_text=text_columns(original.schema),
        escaped_formulas=bool(model["grown"].get("escaped_formulas")),
        like=original.schema,
    )
    certificate = certify(original, frame, model, Claims(True), options.threads)
    certificate.check()
    return CheckedTree(certificate, rebuilt(released, model), *recounted(original, frame, by, options))
