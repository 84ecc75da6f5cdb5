"""A published tree file (tree.json) and the released table as it describes it; refused where either cannot be true.

`tables.reading` infers what columns are; here the tree file says it, and a column that does not fit is refused by name.
`options` writes how the trees were grown, `rebuild` grows them again by it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.errors import InputError
from hushwood.tables.frames.storage import literal
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table, bin_names
from hushwood.tree_publishing.options import CRITERIA, VARIANT, Thresholds
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_from_json, read_forest

if TYPE_CHECKING:
    import polars as pl


_NAMED = 3
# Numbers without a grid may have gone through single precision and texts since they were published.
_RELATIVE = 1e-7
_NEEDED = ("criteria", "columns", "min_leaf", "max_leaves", "max_depth", "thresholds")


def read_released(forest: Forest, released: object) -> Table:
    """The columns that the tree file describes, coded by its values, from a file or a frame."""
    frame, typed = _frames(forest, released)
    if not frame.height:
        raise _refused("The released table has no records")
    _check_columns(forest, frame.columns)
    described = (*forest.attributes, _response(forest, typed[forest.class_name]))
    columns: dict[str, Array] = {}
    for attribute in described:
        texts, values = literal(frame[attribute.name]), literal(typed[attribute.name])
        _check_complete(values, attribute)
        if attribute.kind == "numeric":
            columns[attribute.name] = _numbers(values, attribute)
        else:
            columns[attribute.name] = _codes(texts, values, attribute.categories)
    return Table(Schema(described), columns, frame.select([]), frame.height)


def _frames(forest: Forest, released: object) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The table with the categories as the texts that are written, and with the types they look like."""
    import polars as pl

    from hushwood.tables.csv.types import typed_column
    from hushwood.tables.formats.files import read_frame
    from hushwood.tables.frames.any_frame import to_polars
    from hushwood.tables.frames.storage import frame_from_table

    if not isinstance(released, str | Path):
        frame = frame_from_table(released) if isinstance(released, Table) else to_polars(released)
        return frame, frame
    names = [a.name for a in forest.attributes if a.kind == "categorical"]
    texts = read_frame(
        Path(released),
        as_text=[*names, forest.class_name],
        escaped_formulas=bool(forest.grown.get("escaped_formulas")),
    )
    written = [
        name
        for name in (*names, forest.class_name)
        if name in texts.columns and texts[name].dtype == pl.String
    ]
    return texts, texts.with_columns(typed_column(texts[name]) for name in written)


def _check_columns(forest: Forest, found: Sequence[str]) -> None:
    """Refuse a table whose columns are not those that the tree file names."""
    expected = [
        *(a.name for a in forest.attributes),
        *(str(name) for name in forest.grown["other_columns"]),
        forest.class_name,
    ]
    lacking = [name for name in expected if name not in found]
    strange = [name for name in found if name not in expected]
    if lacking or strange:
        said = [f"it has no {_listed(lacking)}"] if lacking else []
        said += [f"the tree file does not know {_listed(strange)}"] if strange else []
        raise _refused(f"The released table has other columns than the tree file: {' and '.join(said)}")


def _listed(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(map(repr, names[:_NAMED])) + rest


def _response(forest: Forest, typed: pl.Series) -> Attribute:
    """The class as the tree file has it: its classes, a number, or a number in groups."""
    from hushwood.tables.columns.precision import precision_of
    from hushwood.tables.frames.storage import categories_of

    name, bins = forest.class_name, tuple(map(float, forest.grown.get("class_bins", ())))
    if forest.classes and not bins:
        return Attribute(name, "categorical", "class", "String", categories=forest.classes)
    if not typed.dtype.is_numeric():
        raise InputError(
            f"The class {name!r} holds no numbers in the released table, but the tree file needs some."
        )
    if not forest.classes:
        return Attribute(name, "numeric", "class", precision=precision_of(typed))
    return Attribute(name, "categorical", "class", categories=categories_of(typed), bins=bins)


def _check_complete(column: pl.Series, attribute: Attribute) -> None:
    """Refuse missing classes, and missing numbers in columns that the tree may test."""
    gaps = column.null_count() + (int(column.is_nan().sum()) if column.dtype.is_float() else 0)
    if gaps == len(column) and attribute.role != "class":
        return
    if gaps and attribute.role == "class":
        raise _refused(f"The class {attribute.name!r} of the released table lacks {gaps:,} values")
    if gaps and attribute.kind == "numeric":
        raise _refused(f"Column {attribute.name!r} of the released table lacks {gaps:,} numbers")


def _numbers(column: pl.Series, attribute: Attribute) -> Floats:
    from hushwood.tables.columns.inference import finite
    from hushwood.tables.frames.storage import default_kind, numbers_of

    if default_kind(column.dtype) != "numeric" and column.null_count() < len(column):
        raise _refused(
            f"Column {attribute.name!r} of the released table holds {column.drop_nulls()[0]!r}, but the tree file "
            "has numbers there"
        )
    numbers = numbers_of(finite(column, "refuse"), attribute.precision)
    _check_known(numbers, column, attribute)
    return numbers


def _check_known(numbers: Floats, column: pl.Series, attribute: Attribute) -> None:
    """Refuse numbers outside the range that the tree file gives."""
    low, high, precision = attribute.low, attribute.high, attribute.precision
    if low is None or high is None:
        return
    slack = _RELATIVE * max(abs(low), abs(high)) if precision is None else 10.0**-precision / 2
    strange = np.flatnonzero((numbers < low - slack) | (numbers > high + slack))
    if len(strange):
        raise _unknown(attribute.name, str(column[int(strange[0])]))


def _unknown(name: str, value: str) -> InputError:
    return _refused(
        f"Column {name!r} of the released table holds values that the tree file does not know, such as {value}"
    )


def _refused(why: str) -> InputError:
    return InputError(f"{why}; give the table that was released with this tree.")


def _codes(texts: pl.Series, typed: pl.Series, categories: Sequence[str]) -> Codes:
    """Codes of the values as they are written or, if those are unknown, as texts of their type."""
    import polars as pl

    from hushwood.tables.frames.storage import texts_of

    known = pl.Series(categories, dtype=pl.String)
    for column in (texts_of(texts), texts_of(typed)):
        strange = column.filter(column.is_not_null() & ~column.is_in(known.implode()))
        if strange.is_empty():
            codes = column.cast(pl.Enum(categories)).to_physical().cast(pl.Int32).fill_null(-1)
            return np.asarray(codes.to_numpy(), np.int32)
    raise _unknown(texts.name, repr(strange.sort()[0]))


def published_forest(tree: Path | str | Mapping[str, Any] | Forest) -> Forest:
    """A tree file that `publish-tree` wrote; other models are refused."""
    if isinstance(tree, Forest):
        forest, name = tree, "The forest given"
    elif isinstance(tree, Mapping):
        forest, name = forest_from_json(tree, "tree"), "The tree given"
    elif not isinstance(tree, str | Path):
        raise InputError(f"The tree must be a tree.json, its content, or a forest; {tree!r} was given.")
    else:
        path = Path(tree)
        if path.is_dir():
            raise InputError(f"{path} is a folder; give the tree.json in it.")
        forest, name = read_forest(path, "tree"), str(path)
    _check_published(forest, name)
    return forest


def _check_published(forest: Forest, name: str) -> None:
    if forest.grown.get("variant") != VARIANT:
        found = forest.grown.get("variant")
        kind = f"grown by {found!r}" if found else "that does not say how it was grown"
        raise InputError(
            f"{name} is a forest {kind}; only trees of `hushwood publish-tree` can be rebuilt from their table."
        )
    if not forest.trees:
        raise InputError(f"{name} holds no tree; fetch the tree.json again.")
    others = forest.grown.get("other_columns")
    readable = isinstance(others, list) and all(isinstance(other, str) for other in others)
    if not readable or not _bins_fit(forest):
        wrong = "class_bins" if readable else "other_columns"
        raise InputError(
            f"{name} is damaged: {wrong} under 'grown' cannot be read; fetch the tree.json again."
        )


def _bins_fit(forest: Forest) -> bool:
    """Whether the limits of a numeric class that was cut into bins, if there are any, give the classes."""
    bins = forest.grown.get("class_bins", [])
    numbers = isinstance(bins, list) and all(type(limit) in (int, float) for limit in bins)
    return numbers and (not bins or bin_names(tuple(map(float, bins))) == forest.classes)


def how_grown(forest: Forest) -> Mapping[str, Any]:
    """How the trees were grown, refused if the model file does not say it."""
    grown = forest.grown
    lacking = [key for key in _NEEDED if key not in grown]
    if grown.get("variant") != VARIANT or lacking:
        raise InputError(
            f"The tree file does not say how its trees can be rebuilt (grown: variant {VARIANT}"
            f"{', ' + ', '.join(lacking) if lacking else ''}); give a tree.json that publish-tree wrote."
        )
    if not (_plans_fit(grown, forest) and _limits_fit(grown) and _labels_fit(grown)):
        raise InputError(
            "The tree file is damaged: how its trees were grown does not fit them; fetch it again."
        )
    return grown


def _plans_fit(grown: Mapping[str, Any], forest: Forest) -> bool:
    """Whether every tree has a known criterion and known columns."""
    criteria, columns = grown["criteria"], grown["columns"]
    if not isinstance(criteria, list) or not isinstance(columns, list):
        return False
    if not len(criteria) == len(columns) == len(forest.trees):
        return False
    able = [name for name in CRITERIA if (name == "variance") != bool(forest.classes)]
    names = [a.name for a in forest.attributes]
    return all(criterion in able for criterion in criteria) and all(
        isinstance(own, list) and all(name in names for name in own) for own in columns
    )


def _limits_fit(grown: Mapping[str, Any]) -> bool:
    """Whether the limits are numbers that a tree can have."""
    most = [(grown["max_leaves"], 1), (grown["max_depth"], 0)]
    limits = [(grown["min_leaf"], 1), *((limit, least) for limit, least in most if limit is not None)]
    whole = all(type(limit) is int and limit >= least for limit, least in limits)
    return whole and grown["thresholds"] in get_args(Thresholds)


def _labels_fit(grown: Mapping[str, Any]) -> bool:
    """Whether labels, if there are any, are lists of values for each column."""
    labels = grown.get("labels", {})
    return isinstance(labels, dict) and all(
        isinstance(own, dict) and all(isinstance(members, list) for members in own.values())
        for own in labels.values()
    )
