"""What each column is: its kind, role, domain and precision, as plain data.

How a schema is guessed from data is in `inference`; how it is written to a file is in `schema_file`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from hushwood.errors import InputError, unknown_name

Kind = Literal["numeric", "categorical"]
Role = Literal["class", "ordinary", "confidential", "quasi-identifier", "identifier", "ignored"]

KINDS: tuple[str, ...] = get_args(Kind)
ROLES: tuple[str, ...] = get_args(Role)
# Columns in these roles are carried beside the table, never learnt from and never perturbed.
CARRIED_ROLES = frozenset({"identifier", "ignored"})
# Trees halve sums of two numbers, techniques add up squares, and correlations multiply two variances: fourth powers of
# ranges, added up over all records, must stay below 1.8e308. No quantity that people measure comes near.
LARGEST_NUMBER = 1e70


@dataclass(frozen=True, slots=True)
class Attribute:
    """One column: how its values are read, what they may be, and what they mean for privacy.

    `storage` is the Polars data type the column came in and goes out as. A numeric attribute has a domain
    [low, high]; with a `precision` of p decimals its values lie on a grid of step 10⁻ᵖ, with None they are
    continuous. `categories` are in the order that decides ties. `bins` are the upper limits (but the last) of
    the groups that a numeric class is cut into for learning; its own values are its categories.
    """

    name: str
    kind: Kind
    role: Role = "ordinary"
    storage: str = "Float64"
    low: float | None = None
    high: float | None = None
    precision: int | None = None
    categories: tuple[str, ...] = ()
    bins: tuple[float, ...] = ()

    def __post_init__(self) -> None:
        if not self.carried:
            check_size(self.name, self.low or 0.0, self.high or 0.0)

    @property
    def integer(self) -> bool:
        """Whether all values are whole numbers."""
        return self.kind == "numeric" and self.precision == 0

    @property
    def carried(self) -> bool:
        """Whether the column only travels beside the table (identifier or ignored)."""
        return self.role in CARRIED_ROLES


def check_size(name: str, *numbers: float) -> None:
    """Refuse numbers of a column that are so large that computing with them overflows."""
    largest = max(map(abs, numbers), default=0.0)
    if not largest <= LARGEST_NUMBER:
        raise InputError(
            f"Column {name!r} has numbers of size {largest:g}, and beyond {LARGEST_NUMBER:g} computing overflows; "
            "rescale the column, or set it aside with --ignore."
        )


@dataclass(frozen=True, slots=True)
class Schema:
    """The attributes of a table, in column order; at most one is the class."""

    attributes: tuple[Attribute, ...]
    # Looked up for every column, which a search through the attributes would make quadratic.
    _by_name: Mapping[str, Attribute] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {a.name: a for a in self.attributes})
        if len(self._by_name) < len(self.attributes):
            twice = names_given_twice(self.names)
            raise InputError(
                f"Column names must be unique; these occur twice: {', '.join(twice)}. Rename them."
            )
        classes = [a.name for a in self.attributes if a.role == "class"]
        if len(classes) > 1:
            raise InputError(f"Only one column can be the class; given: {', '.join(classes)}.")

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(a.name for a in self.attributes)

    @property
    def class_attribute(self) -> Attribute | None:
        """The class, if one is declared."""
        return next((a for a in self.attributes if a.role == "class"), None)

    @property
    def kept(self) -> tuple[Attribute, ...]:
        """The attributes that a table holds as columns: all but the carried ones."""
        return tuple(a for a in self.attributes if not a.carried)

    @property
    def inputs(self) -> tuple[Attribute, ...]:
        """The attributes a tree may test: all but the class and the carried columns."""
        return tuple(a for a in self.kept if a.role != "class")

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """The columns that groups of records are formed on: those declared, or else all inputs not confidential."""
        declared = self.in_role("quasi-identifier")
        return declared or tuple(a.name for a in self.inputs if a.role != "confidential")

    def in_role(self, role: Role) -> tuple[str, ...]:
        """Names of the columns in a role, in column order."""
        return tuple(a.name for a in self.attributes if a.role == role)

    def __getitem__(self, name: str) -> Attribute:
        if name not in self._by_name:
            raise unknown_name("column", name, self.names)
        return self._by_name[name]

    def with_attribute(self, changed: Attribute) -> Schema:
        """The same schema with the attribute of that name replaced."""
        self[changed.name]
        return Schema(tuple(changed if a.name == changed.name else a for a in self.attributes))

    def with_role(self, names: Iterable[str], role: Role) -> Schema:
        """The same schema with the named columns in another role."""
        changed = {name: replace(self[name], role=role) for name in names}
        return Schema(tuple(changed.get(a.name, a) for a in self.attributes))


def names_given_twice(names: Iterable[str]) -> list[str]:
    """The names that occur more than once, sorted.

    >>> names_given_twice(["b", "a", "c", "a", "b"])
    ['a', 'b']
    """
    return sorted(name for name, times in Counter(names).items() if times > 1)
