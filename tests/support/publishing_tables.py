"""Random small tables with trees to publish on them, in the oracles' form and in the product's, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.tree_publishing.publish import Published
from hushwood.trees.forest import LEAF, Forest, Tree
from oracles.binary_tree import Column, Cut, Data, Node, Plan, Split, needs_fixed_order
from oracles.tree_publishing import Request
from support.mixed_tables import category, number, plain_rows, table_of, target

CRITERIA = ("information_gain", "gain_ratio", "gini")
WORDS = tuple("abcdefghij")
SECRET = "secret"


class Case(NamedTuple):
    """A table and what is asked of its release."""

    data: Data
    request: Request


def random_case(seed: int, rows: tuple[int, int] = (8, 60), mode: str | None = None) -> Case:
    """Numbers with 0 to 3 decimals, reals, categories with gaps, constants; ties; classes or a number to predict."""
    chance = Random(seed)  # noqa: S311 - test tables, not secrets
    many = chance.randint(*rows)
    wordy = chance.random() < 0.3
    columns = tuple(_column(chance, f"a{place}", many, wordy) for place in range(chance.randint(1, 5)))
    classes = chance.choice((0, 2, 2, 2, 3))
    response = tuple(_response(chance, classes, level) for level in _levels(columns[-1]))
    data = Data(columns, response, classes)
    return Case(data, _request(chance, data, mode))


def word_case(seed: int) -> Case:
    """Categories and chance only, leaves of several records and few of them: hard on the merging of categories."""
    chance = Random(seed)  # noqa: S311 - test tables, not secrets
    rows, classes = chance.randint(20, 60), chance.choice((0, 2, 2, 2, 3))
    columns = []
    for place in range(chance.randint(2, 3)):
        words = WORDS[: chance.randint(4, 8)]
        drawn = tuple(chance.choice(words) for _ in range(rows))
        columns.append(Column(f"a{place}", drawn, (*words, None)))
    response = tuple(chance.randrange(classes) if classes else chance.randint(0, 20) / 2 for _ in range(rows))
    criterion = chance.choice(CRITERIA) if classes else "variance"
    min_leaf = chance.choice((2, 3, 5, 8))
    fixed = needs_fixed_order([criterion], classes, min_leaf)
    plan = Plan(criterion, (), min_leaf, chance.choice((3, 4, 5, 6)), None, fixed)
    return Case(Data(tuple(columns), response, classes), Request((plan,), tuple(range(len(columns)))))


def _column(chance: Random, name: str, rows: int, wordy: bool) -> Column:
    form = chance.randint(6 if wordy else 0, 8)
    if form <= 2:
        top = chance.choice((2, 10, 100, 5000))
        return Column(name, tuple(float(chance.randint(-1, top)) for _ in range(rows)), None, 0)
    if form <= 4:
        places = chance.randint(1, 3)
        top = chance.choice((30, 3000))
        return Column(name, tuple(chance.randint(0, top) / 10**places for _ in range(rows)), None, places)
    if form == 5:
        return Column(name, tuple(chance.gauss(0, 1) for _ in range(rows)))
    if form == 6 and chance.random() < 0.3:
        return Column(name, (7.0,) * rows, None, 0)
    words = WORDS[: chance.randint(2, len(WORDS))]
    gaps = 0.2 if chance.random() < 0.2 else 0.0
    drawn = tuple(None if chance.random() < gaps else chance.choice(words) for _ in range(rows))
    known = words if chance.random() < 0.2 else sorted(word for word in set(drawn) if word is not None)
    return Column(name, drawn, (*known, None))


def _levels(column: Column) -> list[float]:
    """Where the values stand among those of their column, from 0 to 1."""
    order = sorted(set(column.values), key=str if column.categories else None)
    place = {value: number / len(order) for number, value in enumerate(order)}
    return [place[value] for value in column.values]


def _response(chance: Random, classes: int, level: float) -> float:
    if classes == 0:
        return round(10 * level) + chance.randint(-4, 4) / 2
    return chance.randrange(classes) if chance.random() < 0.6 else int(level * classes)


def _request(chance: Random, data: Data, mode: str | None) -> Request:
    places = range(len(data.columns))
    criteria = [
        chance.choice(CRITERIA) if data.classes else "variance" for _ in range(chance.choice((1, 1, 1, 2, 3)))
    ]
    k = chance.choice((1, 1, 2, 3, 4, 5, 6))
    min_leaf = chance.choice((1, 1, 1, 2, 3, 5, k))
    fixed = needs_fixed_order(criteria, data.classes, min_leaf)
    limits = chance.choice((None, None, 2, 4, 6)), chance.choice((None, None, 2, 3))
    plans = tuple(Plan(name, _some(chance, places), min_leaf, *limits, fixed) for name in criteria)
    rows = len(data.response)
    sensitive = tuple(chance.choice("pqr") for _ in range(rows)) if chance.random() < 0.5 else None
    return Request(
        plans,
        tuple(places),
        k,
        chance.choice((1.0, 1.25, 1.5, 2.0)) if sensitive else 1.0,
        (sensitive,) if sensitive else (),
        mode or chance.choice(("anchored", "anchored", "delta")),
        chance.random() < 0.1,
    )


def _some(chance: Random, places: Sequence[int]) -> tuple[int, ...]:
    """Columns that a tree may test: mostly all, told by naming none."""
    if chance.random() < 0.6:
        return ()
    return tuple(sorted(chance.sample(places, chance.randint(1, len(places)))))


def product_table(case: Case) -> Table:
    """The same records as the product holds them."""
    columns = {c.name: (_attribute(c), _values(c)) for c in case.data.columns}
    for values in case.request.sensitive:
        secret = Attribute(SECRET, "categorical", "confidential", "String", categories=tuple("pqr"))
        columns[SECRET] = (secret, ["pqr".index(str(value)) for value in values])
    response = case.data.response
    if case.data.classes:
        goal = target("y", [f"class {label}" for label in range(case.data.classes)])
    else:
        goal = Attribute("y", "numeric", "class", low=min(response), high=max(response), precision=1)
    return table_of({**columns, "y": (goal, list(response))})


def _attribute(column: Column) -> Attribute:
    if column.categories is not None:
        return category(column.name, [str(word) for word in column.categories if word is not None])
    return number(column.name, min(column.values), max(column.values), column.places)


def _values(column: Column) -> list[float]:
    if column.categories is None:
        return list(column.values)
    return [-1 if word is None else column.categories.index(word) for word in column.values]


def product_options(case: Case) -> PublishOptions:
    """The same wishes in the product's words."""
    request, first = case.request, case.request.plans[0]
    return PublishOptions(
        k=request.k,
        l=request.l,
        trees=tuple(
            TreePlan(p.criterion, tuple(case.data.columns[a].name for a in p.columns)) for p in request.plans
        ),
        mode=request.mode,
        min_leaf=first.min_leaf,
        max_leaves=first.max_leaves,
        max_depth=first.max_depth,
        stop_at_first_failure=request.stop_at_first_failure,
        threads=1,
    )


def released_data(case: Case, released: Table) -> Data:
    """The columns of a released table, its numbers and texts, beside the response it holds."""
    rows = plain_rows(released)
    columns = []
    for column in case.data.columns:
        values = tuple(row[column.name] for row in rows)
        known = released.schema[column.name].categories
        words = None if column.categories is None else (*known, None)
        columns.append(column._replace(values=values, categories=words))
    response: tuple[Any, ...] = tuple(row["y"] for row in rows)
    if case.data.classes:
        response = tuple(int(str(label).removeprefix("class ")) for label in response)
    return case.data._replace(columns=tuple(columns), response=response)


def published_nodes(forest: Forest, data: Data) -> list[Node]:
    """The published trees as the oracle's, each record of `data` sent down by what the model file says."""
    rows = list(range(len(data.response)))
    return [_nodes(forest, tree, 0, rows, data, 0) for tree in forest.trees]


def _nodes(forest: Forest, tree: Tree, at: int, rows: Sequence[int], data: Data, depth: int) -> Node:
    node = Node(list(rows), depth, closed=at in tree.closed)
    if tree.attribute[at] == LEAF:
        return node
    attribute = forest.attributes[tree.attribute[at]]
    place = [column.name for column in data.columns].index(attribute.name)
    values = data.columns[place].values
    children = [*tree.branches_of(at).tolist(), int(tree.missing_to[at])]
    if attribute.kind == "numeric":
        first = children[0]
        cut = Cut(place, float(tree.threshold[at]))
        goes_first = [values[row] <= tree.threshold[at] for row in rows]
    else:
        # Children are numbered in preorder: the left one comes right behind its parent.
        first, child_of = at + 1, dict(zip((*attribute.categories, None), children, strict=True))
        cut = Cut(place, left=frozenset(word for word, child in child_of.items() if child == first))
        goes_first = [child_of[values[row]] == first for row in rows]
    left = [row for row, goes in zip(rows, goes_first, strict=True) if goes]
    right = [row for row, goes in zip(rows, goes_first, strict=True) if not goes]
    node.split = Split(cut, 0.0, left, right)
    second = next(child for child in children if child != first)
    node.below = (
        _nodes(forest, tree, first, left, data, depth + 1),
        _nodes(forest, tree, second, right, data, depth + 1),
    )
    return node


def publishable(published: Published) -> bool:
    """Whether any tree has a test at all."""
    return any(len(tree) > 1 for tree in published.forest.trees)
