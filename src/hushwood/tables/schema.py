"""What each column is: its kind, role, domain and precision, as plain data.

Schemas are guessed from data in `columns.inference` and read from files in `formats.schema_file`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from hushwood.errors import InputError, unknown_name
from hushwood.tables.links.links import Link

Kind = Literal["numeric", "categorical"]
Role = Literal[
    "class", "ordinary", "confidential", "quasi-identifier", "identifier", "ignored", "person", "household"
]

KINDS: tuple[str, ...] = get_args(Kind)
ROLES: tuple[str, ...] = get_args(Role)
# Columns in these roles are kept apart from the table: never learnt from and never perturbed.
CARRIED_ROLES = frozenset({"identifier", "ignored", "person", "household"})
# These say which rows belong together; their values never leave, fresh numbers go out in their place.
UNIT_ROLES: tuple[Role, ...] = ("person", "household")
# Trees halve sums of two numbers, techniques sum squares, and correlations multiply two variances: fourth powers of
# ranges, summed over all records, must stay below 1.8e308. No measured quantity comes near.
LARGEST_NUMBER = 1e70
LARGEST_NOISE = 100.0  # of the range or the value; noise of four ranges is uniform already


@dataclass(frozen=True, slots=True)
class Attribute:
    """One column: its values, how they are stored, and its role.

    `storage` is the Polars data type of the column, both when read and when released. A numeric attribute has a domain
    [low, high]; with a `precision` of p decimals its values lie on a grid of step 10⁻ᵖ, with None they are continuous.
    `categories` are in the order that decides ties. `bins` are the upper limits (except the last) of the bins that a
    numeric class is cut into for learning; its own values are its categories. A class that stays a number, a response,
    has bins too, for whatever can only count classes. `noise` is how much noise a numeric
    attribute is to get from techniques that add some, if it is not to get the same as the others. Categories that are
    `ordered` ascend; codes have a `hierarchy`, one of `code_levels.HIERARCHIES`. A `weight` says how many people of the
    population each record stands for: no tree tests it. `why` says what the column was taken for it by, in words for
    people.
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
    noise: float | None = None
    ordered: bool = False
    hierarchy: str = ""
    weight: bool = False
    why: str = field(default="", compare=False, repr=False)

    def __post_init__(self) -> None:
        if not self.carried:
            check_size(self.name, self.low or 0.0, self.high or 0.0)

    @property
    def integer(self) -> bool:
        """Whether all values are whole numbers."""
        return self.kind == "numeric" and self.precision == 0

    @property
    def flag(self) -> bool:
        """Whether it is a number with two values, which are categories."""
        stored_as_number = self.storage.startswith(("Int", "UInt", "Float"))
        return self.kind == "categorical" and stored_as_number and len(self.categories) == 2

    @property
    def response(self) -> bool:
        """Whether it is a class that stays a number, which regression trees predict."""
        return self.role == "class" and self.kind == "numeric"

    @property
    def carried(self) -> bool:
        """Whether the column is kept apart from the table: it identifies people or rows, or is ignored."""
        return self.role in CARRIED_ROLES


def check_size(name: str, *numbers: float) -> None:
    """Refuse numbers so large that calculations overflow."""
    largest = max(map(abs, numbers), default=0.0)
    if not largest <= LARGEST_NUMBER:
        raise InputError(
            f"Column {name!r} has numbers as large as {largest:g}, and calculations overflow beyond "
            f"{LARGEST_NUMBER:g}. Rescale the column, or set it aside with --ignore."
        )


@dataclass(frozen=True, slots=True)
class Schema:
    """The attributes of a table, in column order.

    There may be no class, or several; `main` is the one that is looked at, the first if none is named. `links` hold
    between columns and are to be kept; `unlinked` need not be, although they may look like it.
    """

    attributes: tuple[Attribute, ...]
    main: str | None = None
    links: tuple[Link, ...] = ()
    unlinked: tuple[Link, ...] = ()
    # Every column is looked up here; searching the attributes each time would be quadratic.
    _by_name: Mapping[str, Attribute] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {a.name: a for a in self.attributes})
        if len(self._by_name) < len(self.attributes):
            check_unique(self.names)
        for role in UNIT_ROLES:
            if len(named := self.in_role(role)) > 1:
                raise InputError(f"Only one column can name the {role}; {', '.join(named)} were given.")

    @property
    def names(self) -> tuple[str, ...]:
        """Column names in order."""
        return tuple(a.name for a in self.attributes)

    @property
    def classes(self) -> tuple[Attribute, ...]:
        """All classes; trees predict each of them and test none."""
        return tuple(a for a in self.attributes if a.role == "class")

    @property
    def class_attribute(self) -> Attribute | None:
        """The class that is looked at, if one is declared."""
        classes = self.classes
        return next((a for a in classes if a.name == self.main), classes[0] if classes else None)

    @property
    def kept(self) -> tuple[Attribute, ...]:
        """The attributes that a table holds as arrays: all that are not carried."""
        return tuple(a for a in self.attributes if not a.carried)

    @property
    def inputs(self) -> tuple[Attribute, ...]:
        """The attributes a tree may test: all that are kept, except the classes."""
        return tuple(a for a in self.kept if a.role != "class")

    @property
    def tested(self) -> tuple[Attribute, ...]:
        """The attributes that trees are grown on: the inputs without the weight, which says nothing about a person."""
        return tuple(a for a in self.inputs if not a.weight)

    @property
    def measured(self) -> tuple[Attribute, ...]:
        """The attributes that weighted measures compare: all that are kept, without the weight itself."""
        return tuple(a for a in self.kept if not a.weight)

    @property
    def weight(self) -> Attribute | None:
        """The survey weight, if one is declared."""
        return next((a for a in self.attributes if a.weight), None)

    @property
    def quasi_identifiers(self) -> tuple[str, ...]:
        """The columns that identify people together: those declared, or else all inputs that are not confidential.

        A weight is not among them unless it is declared: intruders seldom know it.
        """
        declared = self.in_role("quasi-identifier")
        return declared or tuple(a.name for a in self.tested if a.role != "confidential")

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
        return replace(
            self, attributes=tuple(changed if a.name == changed.name else a for a in self.attributes)
        )

    def with_role(self, names: Iterable[str], role: Role) -> Schema:
        """The same schema with the named columns in another role."""
        changed = {name: replace(self[name], role=role) for name in names}
        return replace(self, attributes=tuple(changed.get(a.name, a) for a in self.attributes))


def check_unique(names: Iterable[str], where: str = "") -> None:
    """Refuse column names that occur more than once; `where` names the file."""
    repeated = sorted(name for name, times in Counter(names).items() if times > 1)
    if repeated:
        subject = f"{where}: column names" if where else "Column names"
        raise InputError(
            f"{subject} must be unique; these occur more than once: {', '.join(repeated)}. Rename them."
        )
