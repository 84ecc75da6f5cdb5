"""The document of a published tree: everything its report and its summary say, as plain data, and how well it predicts.

`jobs.publish_tree` makes it from what was published and checked; `reports` shows it. The tree is tried on its own
table, and other trees, grown with and without privacy, on held-out records: the published one was grown on all of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.columns.value_texts import limit_text
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_labels
from hushwood.tree_publishing.growth import needs_fixed_order
from hushwood.tree_publishing.rebuild import TreeVerdict
from hushwood.tree_publishing.records import dense_values, groups_by, sensitive_codes
from hushwood.trees.forest import Forest
from hushwood.trees.model_file import forest_to_json
from hushwood.trees.routing import leaves_reached, predictions

if TYPE_CHECKING:
    from hushwood.tree_publishing.options import PublishOptions
    from hushwood.tree_publishing.publish import Published
    from hushwood.tree_publishing.released import ColumnMap, ReleasedPart


FORMAT = "hushwood-tree-publication"
MOST_GROUPS = 500
MOST_PARTS = 100
_NAMED = 12
_ROLES = {"confidential": "sensitive"}
# Records are held out with a public key: that hides nothing, and the same table gives the same numbers.
_SECRET = b"hushwood publish-tree".ljust(32, b"\0")
FOLDS = 5
# Of a longer table only one part is held out, and at most MOST_RECORDS records are used.
MOST_FOLDED = 10_000
MOST_RECORDS = 50_000
FEWEST_UNSEEN = 5


def publication_document(
    table: Table,
    released: str,
    published: Published,
    options: PublishOptions,
    checked: TreeVerdict,
    accuracy: Mapping[str, Any],
    warnings: Sequence[str],
) -> dict[str, Any]:
    """All that is known about a published tree and its table; `released` is the name of the released file.

    The name of the original could reveal whose data it is, and the page goes out with the release.
    """
    from hushwood.version import __version__

    forest = published.forest
    return {
        "format": FORMAT,
        "version": 1,
        "hushwood": __version__,
        "table": released,
        "records": table.rows,
        "class": forest.class_name,
        "classes": list(forest.classes),
        "regression": not forest.classes,
        "options": described(options),
        "forest": forest_to_json(forest),
        "privacy": _privacy(table, published),
        **_groups(published),
        "columns": column_entries(table, published),
        "growth": {
            "leaves": [len(tree.leaves) for tree in forest.trees],
            "closed": [len(tree.closed) for tree in forest.trees],
            "tried": published.tried,
            "barred": published.barred,
            "stopped": published.stopped,
        },
        "verified": {"same": bool(checked), "sentence": checked.sentence},
        "accuracy": dict(accuracy),
        "warnings": list(warnings),
        "one_order": _one_order(forest, options),
    }


def _one_order(forest: Forest, options: PublishOptions) -> bool:
    """Whether categories were cut in one order only, so that some ways to split them were never tried."""
    categorical = any(attribute.kind == "categorical" for attribute in forest.attributes)
    criteria = [plan.criterion for plan in options.trees]
    return categorical and needs_fixed_order(criteria, len(forest.classes), options.min_leaf)


def described(options: PublishOptions) -> dict[str, Any]:
    """The options that decide what is published, for the document and the manifest."""
    return {
        "k": options.k,
        "l": options.l,
        "mode": options.mode,
        "criteria": [plan.criterion for plan in options.trees],
        "columns": [list(plan.columns) for plan in options.trees],
        "min_leaf": options.min_leaf,
        "max_leaves": options.max_leaves,
        "max_depth": options.max_depth,
        "thresholds": options.thresholds,
        "stop_at_first_failure": options.stop_at_first_failure,
        "class_in_groups": options.class_in_groups,
        "missing_numbers": options.missing_numbers,
    }


def _privacy(table: Table, published: Published) -> dict[str, Any]:
    names = table.schema.quasi_identifiers
    before = groups_by([dense_values(table.columns[name]) for name in names], {}, table.rows)
    whole = groups_by([], sensitive_codes(table), table.rows)
    return {
        "k": published.k,
        "k_with_class": published.k_with_class,
        "original_k": before.k,
        "groups": len(published.groups.sizes),
        "quasi_identifiers": list(names),
        "sensitive": [
            {"name": name, "l": float(found), "whole_table": float(whole.l[name][0])}
            for name, found in published.l.items()
        ],
    }


def _groups(published: Published) -> dict[str, Any]:
    """The groups, smallest first, by the tested quasi-identifiers."""
    groups, table = published.groups, published.table
    order = np.argsort(groups.sizes, kind="stable")[:MOST_GROUPS]
    first = np.unique(groups.ids, return_index=True)[1][order]
    tested = {column.name for column in published.columns if column.tested}
    names = [name for name in table.schema.quasi_identifiers if name in tested]
    values = {name: _texts(table, name, first) for name in names}
    leaves = _leaves_of_groups(published)
    entries = [
        {
            "values": {name: texts[place] for name, texts in values.items()},
            "records": int(groups.sizes[group]),
            "l": {name: float(found[group]) for name, found in groups.l.items()},
            "leaves": leaves[group],
        }
        for place, group in enumerate(order.tolist())
    ]
    return {"groups": entries, "groups_left_out": len(groups.sizes) - len(entries)}


def _texts(table: Table, name: str, rows: np.ndarray[Any, Any]) -> list[str]:
    attribute, values = table.schema[name], table.columns[name][rows].tolist()
    if attribute.kind == "numeric":
        return ["missing" if value != value else limit_text(value, attribute.storage) for value in values]
    return ["missing" if code < 0 else attribute.categories[code] for code in values]


def _leaves_of_groups(published: Published) -> list[list[int]]:
    """The leaves that each group's records reach, tree by tree; one per tree unless other columns are tested too."""
    found: list[list[int]] = [[] for _ in published.groups.sizes]
    for leaves in leaves_reached(published.forest, published.table):
        pairs = np.unique(np.column_stack([published.groups.ids, leaves]), axis=0)
        for group, leaf in pairs.tolist():
            found[group].append(leaf)
    return found


def column_entries(original: Table, published: Published) -> list[dict[str, Any]]:
    """One entry for every column of the original, in its order."""
    from hushwood.tables.frames.storage import frame_from_table

    before, after = frame_from_table(original), frame_from_table(published.table)
    maps = {column.name: column for column in published.columns}
    entries = []
    for attribute in original.schema.attributes:
        entry: dict[str, Any] = {"name": attribute.name, "role": _ROLES.get(attribute.role, attribute.role)}
        if attribute.role == "identifier":
            entry |= {"what": "dropped", "before": None, "after": 0, "parts": []}
        elif attribute.name in maps:
            old, new = before[attribute.name], after[attribute.name]
            same = old.dtype == new.dtype and old.equals(new, null_equal=True)
            entry |= _mapped(maps[attribute.name], attribute, same)
        else:
            different = int(before[attribute.name].n_unique())
            what = "copied" if attribute.carried else "unchanged"
            entry |= {"what": what, "before": different, "after": different, "parts": []}
        entries.append(entry)
    return entries


def stands_for(part: ReleasedPart, attribute: Attribute) -> str:
    """The original values behind a released one, in words."""
    if part.values:
        rest = f" and {len(part.values) - _NAMED} more" if len(part.values) > _NAMED else ""
        return ", ".join(part.values[:_NAMED]) + rest
    low, high = (
        None if limit is None else limit_text(limit, attribute.storage) for limit in (part.low, part.high)
    )
    if low is None and high is None:
        return "missing" if part.released is None else "all values"
    if low is None:
        return f"up to {high}"
    return f"above {low}" if high is None else f"above {low}, up to {high}"


def _mapped(column: ColumnMap, attribute: Attribute, same: bool) -> dict[str, Any]:
    what = "unchanged" if same else "suppressed" if column.after <= 1 else "generalised"
    return {
        "what": what,
        "before": column.before,
        "after": column.after,
        "parts": list(_parts(column.parts[:MOST_PARTS], attribute)),
    }


def _parts(parts: Sequence[ReleasedPart], attribute: Attribute) -> Iterator[dict[str, Any]]:
    for part in parts:
        released = part.released
        if isinstance(released, float | int):
            released = limit_text(released, attribute.storage)
        yield {
            "stands_for": stands_for(part, attribute),
            "released": "missing" if released is None else released,
            "records": part.records,
        }


def tree_accuracy(table: Table, forest: Forest, options: PublishOptions) -> dict[str, Any]:
    """The part of the publication document about accuracy.

    `unseen_leaves` and `unlimited_leaves` belong to the trees grown without a held-out part, one number per part.
    """
    found: dict[str, Any] = {
        "measure": "accuracy" if forest.classes else "r_squared",
        "on_the_table": score(responses(table), predictions(forest, table), bool(forest.classes)),
        "unseen": None,
        "unseen_records": 0,
        "unseen_leaves": [],
        "unlimited_leaves": [],
    }
    if table.rows < FOLDS * FEWEST_UNSEEN:
        sentence = "The table is too small to hold out records, so nothing is known about unseen ones."
        return found | {"sentence": sentence}
    try:
        return found | _unseen(table, options)
    except InputError as error:
        why = f"Nothing is known about unseen records: no such tree can be grown on a part of the table. {error}"
        return found | {"sentence": why}


def responses(table: Table) -> Array:
    """Class codes of all records, or their numbers in regression."""
    attribute = table.schema.class_attribute
    if attribute is not None and attribute.kind == "numeric":
        return np.asarray(table.columns[attribute.name])
    return class_labels(table)[0]


def score(truth: Array, predicted: Array, classes: bool) -> float | None:
    """Share of records predicted right, or R²; None where all numbers are the same."""
    if classes:
        return float(np.mean(truth == predicted))
    # Squares of very large or very small numbers have no place in a float64.
    unit = max(float(np.abs(truth).max()), float(np.abs(predicted).max())) or 1.0
    truth, predicted = truth / unit, predicted / unit
    spread = float(np.sum((truth - truth.mean()) ** 2))
    return 1.0 - float(np.sum((truth - predicted) ** 2)) / spread if spread > 0 else None


def held_out(rows: int) -> Iterator[tuple[Integers, Integers]]:
    """Training records and held-out records, part by part.

    In a table of at most 10,000 records each is held out once; of a longer one, one record in five, out of at most
    50,000.
    """
    chosen = Streams(_SECRET).order("unseen records", "", range(rows))[:MOST_RECORDS]
    parts = np.array_split(chosen, FOLDS)
    for place in range(FOLDS if rows <= MOST_FOLDED else 1):
        learnt = np.concatenate([part for other, part in enumerate(parts) if other != place])
        yield np.sort(learnt), np.sort(parts[place])


def naive_guess(learnt: Array, classes: bool, count: int) -> Array:
    """The most frequent class, or the mean, for every record."""
    guess = np.bincount(learnt).argmax() if classes else learnt.mean()
    return np.full(count, guess)


def _unseen(table: Table, options: PublishOptions) -> dict[str, Any]:
    """Scores over all held-out records; raises InputError where a part does not allow such a tree."""
    asked: list[Integers] = []
    guesses: list[Mapping[str, Array]] = []
    leaves: list[tuple[int, int]] = []
    for learnt, aside in held_out(table.rows):
        training, unseen = table.take(learnt), table.take(aside)
        published, unlimited = _with_and_without(training, options)
        classes = bool(published.classes)
        guesses.append(
            {
                "published": predictions(published, unseen),
                "unlimited": predictions(unlimited, unseen),
                "naive": naive_guess(responses(training), classes, unseen.rows),
            }
        )
        leaves.append((_leaves(published), _leaves(unlimited)))
        asked.append(aside)
    truth = responses(table)[np.concatenate(asked)]
    scores = {
        name: score(truth, np.concatenate([guess[name] for guess in guesses]), classes) for name in guesses[0]
    }
    return {
        "unseen": None if None in scores.values() else scores,
        "unseen_records": len(truth),
        "unseen_leaves": [with_privacy for with_privacy, _ in leaves],
        "unlimited_leaves": [without for _, without in leaves],
        "sentence": _sentence(table.rows, asked, classes, len(options.trees)),
    }


def _with_and_without(training: Table, options: PublishOptions) -> tuple[Forest, Forest]:
    """Trees grown like the published ones, and trees with at most as many leaves but without K and L."""
    from hushwood.tree_publishing.publish import publish

    published = publish(training, options).forest
    most = max(len(tree.leaves) for tree in published.trees)
    return published, publish(training, replace(options, k=1, l=1.0, max_leaves=most)).forest


def _leaves(forest: Forest) -> int:
    return sum(len(tree.leaves) for tree in forest.trees)


def _sentence(rows: int, asked: Sequence[Integers], classes: bool, trees: int) -> str:
    unseen, used = sum(map(len, asked)), min(rows, MOST_RECORDS)
    who, grown, published = ("trees", "were", "ones") if trees > 1 else ("a tree", "was", "one")
    way = f"in the same way as the published {published}"
    if len(asked) > 1:
        how = (
            f"The {unseen:,} records were split into {len(asked)} parts. For each part {who} {grown} grown on all "
            f"others, {way}, and tested on it"
        )
    else:
        sample = f" of a sample of {used:,}" if used < rows else ""
        how = (
            f"{who.capitalize()} {grown} grown {way} on {used - unseen:,} records{sample} and tested on "
            f"{unseen:,} others"
        )
    votes = f" The {trees} trees predict together, by their average." if trees > 1 else ""
    guess = "the most frequent class" if classes else "the mean"
    unlimited = f"so {grown} {who} with as many leaves but without K and L"
    return f"{how}; {unlimited}.{votes} The baseline always predicts {guess}."
