"""What can be asked of the jobs: every option and its default is declared here, or in the options they contain.

Light to import, because the command reads its options from here. The jobs themselves are next door.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from hushwood.errors import InputError
from hushwood.jobs.shared_options import (
    Keep,
    LedgerFile,
    Links,
    Memory,
    Purpose,
    Query,
    ReuseKey,
    RowKey,
    RowsArePeople,
    Seed,
    SeedFile,
    SparkMaster,
    To,
)
from hushwood.parameters import THREADS, Checked, OneOf, Option, available_threads
from hushwood.releasing.coarse_options import BottomCode, Coarsen, TopCode
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.read_options import FormOptions
from hushwood.tables.schema import UNIT_ROLES
from hushwood.tree_publishing.options import PublishOptions

if TYPE_CHECKING:
    from hushwood.policies.policy import Policy
    from hushwood.tables.recoding.taxonomies import Taxonomy
    from hushwood.tables.schema import Role
    from hushwood.trees.forest import Forest
else:  # these load numpy, which takes longer than `hushwood release --help`
    Taxonomy = Forest = Policy = object

_RUN, _POLICY = "Run", "Policy"
DEFAULT_POLICY = "public"
Force = Annotated[bool, Option("Replace an old release in the folder.", panel=_RUN)]
Output = Annotated[
    Path | None,
    Option("Folder to create; it must be new or empty.", spelling=("-o", "--output"), metavar="DIR"),
]
DryRun = Annotated[bool, Option("Show the results without keeping anything.", panel=_RUN)]
ShuffleRows = Annotated[bool, Option("Break the order of the rows.", panel=_RUN)]
EscapeFormulas = Annotated[
    bool,
    Option("Put a quotation mark before texts of a released CSV that a spreadsheet would run as formulas."),
]
PolicyGiven = Annotated[
    str | Path | Policy,
    Option(
        "How much an intruder may learn: a built-in policy (see `hushwood policies`) or a TOML file.",
        metavar="NAME|FILE",
        panel=_POLICY,
    ),
]
LimitsGiven = Annotated[
    tuple[str, ...],
    Option(
        'Another limit than the policy\'s: "linkage<=0.01". May be repeated.',
        spelling=("--limit",),
        metavar="LIMIT",
        panel=_POLICY,
    ),
]


@dataclass(frozen=True)
class RoleOptions:
    """The schema file and the roles of columns, as the command names them."""

    schema: Annotated[
        Path | None, Option("Schema file (TOML), as written by `hushwood inspect --save`.", metavar="FILE")
    ] = None
    identifier: Annotated[
        tuple[str, ...],
        Option("Column that identifies people; dropped from the release. May be repeated.", metavar="COLUMN"),
    ] = ()
    person: Annotated[
        str | None,
        Option(
            "Column that says whose row it is, where people have several: their rows stay together, and each person "
            "counts as one record. Fresh numbers are released in its place.",
            metavar="COLUMN",
            default="every row is a person",
        ),
    ] = None
    household: Annotated[
        str | None,
        Option(
            "Column that says which people live together: a household counts as one record. Fresh numbers are "
            "released in its place.",
            metavar="COLUMN",
        ),
    ] = None
    quasi_identifier: Annotated[
        tuple[str, ...],
        Option("Column that an intruder may know. May be repeated.", metavar="COLUMN"),
    ] = ()
    confidential: Annotated[
        tuple[str, ...],
        Option("Column that must stay secret. May be repeated.", metavar="COLUMN"),
    ] = ()
    ignore: Annotated[
        tuple[str, ...],
        Option("Column to copy as it is, unprotected. May be repeated.", metavar="COLUMN"),
    ] = ()


@dataclass(frozen=True)
class InputOptions(FormOptions, RoleOptions):
    """How the command reads a table: its schema, the roles of its columns, how the file is written, its class cut."""

    drop_weight: Annotated[
        bool, Option("Use the weight of --weight to learn the rules, and drop it from the release.")
    ] = False

    @property
    def chosen(self) -> bool:
        """Whether anything is said that decides how the columns are understood."""
        other = {"encoding", "sheet", "infinite", "drop_weight"}
        usual = InputOptions()
        return any(
            getattr(self, own.name) != getattr(usual, own.name)
            for own in fields(self)
            if own.name not in other
        )

    def arguments(self, target: str | Sequence[str] | None) -> dict[str, Any]:
        """The same as `tables.reading.read` takes it."""
        classes = (target if isinstance(target, str) else tuple(target)) if target else None
        form = {own.name: getattr(self, own.name) for own in fields(FormOptions)}
        return {"target": classes, "schema": self.schema, "roles": self.roles(), **form}

    def roles(self) -> dict[str, Role]:
        """The role of every named column."""
        if self.drop_weight and self.weight is None:
            raise InputError(
                "--drop-weight drops the column that --weight names; name it, or omit --drop-weight."
            )
        dropped = (self.weight,) if self.drop_weight and self.weight is not None else ()
        units: dict[Role, str | None] = {"person": self.person, "household": self.household}
        held = {name for name in units.values() if name is not None}
        names_of: dict[Role, Sequence[str]] = {
            **{role: (name,) for role, name in units.items() if name is not None},
            # Values that name a person never leave, so naming the column in both ways says nothing else.
            "identifier": (*(name for name in self.identifier if name not in held), *dropped),
            "quasi-identifier": self.quasi_identifier,
            "confidential": self.confidential,
            "ignored": self.ignore,
        }
        found: dict[str, Role] = {}
        for role, names in names_of.items():
            for name in names:
                if found.setdefault(name, role) != role:
                    raise InputError(
                        f"Column {name!r} cannot be both {found[name]} and {role}; choose one role."
                    )
        return found


@dataclass(frozen=True, slots=True)
class PersonOptions:
    """The columns that say which rows belong together, as Python users name them."""

    person: str | None = None
    household: str | None = None


def with_units(given: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `reading.read`: the columns of `PersonOptions` are named by their roles."""
    reads = {name: value for name, value in given.items() if name != "target" or value is not None}
    named = {role: reads.pop(role, None) for role in UNIT_ROLES}
    roles = {name: role for role, name in named.items() if name is not None}
    if len(roles) < sum(name is not None for name in named.values()):
        raise InputError(f"Column {named['person']!r} cannot be both person and household; choose one role.")
    return {**reads, "roles": {**(reads.get("roles") or {}), **roles}} if roles else reads


@dataclass(frozen=True, slots=True)
class ReleaseRequest(Checked):
    """What is wanted of a release: how the table is perturbed, where it goes, under which key, and how it is judged.

    Without a `ledger` only releases nearby are searched for the key; a dry run is not entered into the ledger.
    """

    options: PerturbOptions = field(default_factory=PerturbOptions)
    output: Output = None
    keep: Keep = field(default_factory=dict)
    links: Links = "auto"
    force: Force = False
    seed: Seed = field(default=None, repr=False)
    seed_file: SeedFile = None
    reuse_key: ReuseKey = False
    ledger: LedgerFile = None
    memory: Memory = 2_000_000_000
    row_key: RowKey = None
    spark_master: SparkMaster = None
    query: Query = None
    to: To = field(default=None, repr=False)
    dry_run: DryRun = False
    shuffle_rows: ShuffleRows = False
    escape_formulas: EscapeFormulas = False
    forest: Annotated[
        Path | Forest | None,
        Option("A forest.json to use instead of growing a forest.", metavar="FILE", panel="Trees"),
    ] = None
    evidence: Annotated[
        str,
        OneOf(("none", "quick", "full")),
        Option(
            "What to measure: nothing, the main numbers in seconds, or everything. Throw-away releases of two thirds "
            "of the records show what an intruder learns about people who were never in them; full makes more.",
            metavar="none|quick|full",
            panel=_POLICY,
        ),
    ] = "quick"
    policy: PolicyGiven = DEFAULT_POLICY
    limits: LimitsGiven = ()
    purpose: Purpose = ""
    rows_are_people: RowsArePeople = None
    tune: Annotated[
        bool,
        Option(
            "Find the most useful release that the policy clears, as `hushwood tune` does; --technique then names the "
            "one to tune.",
            panel=_POLICY,
        ),
    ] = False
    command: str = ""  # how the user asked for it, for the sign-off page

    def __post_init__(self) -> None:
        super(ReleaseRequest, self).__post_init__()
        if not isinstance(
            self.seed, str | bytes | None
        ):  # a key for experiments protects nobody, used once or twice
            object.__setattr__(self, "reuse_key", True)

    @property
    def key_has_a_past(self) -> bool:
        """Whether earlier releases under the key must be searched for; a fresh key has none."""
        return not self.reuse_key and (self.seed is not None or self.seed_file is not None)


@dataclass(frozen=True, slots=True)
class TuneRequest(Checked):
    """What is wanted of a search: the policy that must clear the release, what may be tried, and where it goes."""

    techniques: Annotated[
        tuple[str, ...],
        Option(
            "A technique to try. May be repeated.",
            spelling=("--technique",),
            metavar="NAME",
            default="all that are worth it",
        ),
    ] = ()
    output: Output = None
    keep: Keep = field(default_factory=dict)
    links: Links = "auto"
    coarsen: Coarsen = ()
    top_code: TopCode = ()
    bottom_code: BottomCode = ()
    force: Force = False
    seed: Seed = field(default=None, repr=False)
    seed_file: SeedFile = None
    reuse_key: ReuseKey = False
    ledger: LedgerFile = None
    dry_run: DryRun = False
    shuffle_rows: ShuffleRows = False
    escape_formulas: EscapeFormulas = False
    evidence: Annotated[
        str,
        OneOf(("quick", "full")),
        Option(
            "How much evidence decides in the end: in a small table only full may be enough to clear a release.",
            metavar="quick|full",
            panel=_POLICY,
        ),
    ] = "quick"
    policy: PolicyGiven = DEFAULT_POLICY
    limits: LimitsGiven = ()
    purpose: Purpose = ""
    rows_are_people: RowsArePeople = None
    command: str = ""
    threads: Annotated[int, THREADS] = field(default_factory=available_threads)

    def as_release(self) -> ReleaseRequest:
        """The release that is wanted, all but its technique."""
        given = {own.name: getattr(self, own.name) for own in fields(self) if own.name != "techniques"}
        coarse = {name: given.pop(name) for name in ("coarsen", "top_code", "bottom_code", "threads")}
        return ReleaseRequest(PerturbOptions(**coarse), tune=True, **given)


@dataclass(frozen=True, slots=True)
class PublishRequest(Checked):
    """What is wanted of a published tree, and where it goes."""

    options: PublishOptions = field(default_factory=PublishOptions)
    output: Output = None
    force: Force = False
    shuffle_rows: ShuffleRows = False
    escape_formulas: EscapeFormulas = False
    dry_run: DryRun = False
    keep: Keep = field(default_factory=dict)
