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
from hushwood.parameters import INTERNAL, THREADS, Checked, OneOf, Option, available_threads
from hushwood.releasing.coarse_options import CoarseOptions
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.read_options import FormOptions, ReadOptions
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
# What is said of keywords in Python that the command says otherwise.
IN_PYTHON_WORDS = {
    "table": "A file, a folder of files, the address of a table in a database, a frame, or what `read_table` returned.",
    "target": "The class column, or several; a table may have none.",
    "schema": "What the columns are: a Schema, or a schema file (TOML) as `hushwood inspect --save` writes it.",
    "roles": 'The roles of columns: {"name": "identifier", "age": "quasi-identifier", "pay": "confidential"}.',
    "missing": 'Texts that mean "missing", such as ["?", "NA"]. An empty field of a CSV file always does.',
    "seed": "The secret: 64 hex digits or 32 bytes; for experiments also a whole number, which protects nobody. "
    "Default: a fresh one.",
    "threads": "How many processors to use; that changes nothing but the time.",
}

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


def reading_and_others(
    target: object, options: Mapping[str, object]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arguments of `reading.read` among the keywords of a Python function, and the other keywords."""
    named = {own.name for one in (ReadOptions, PersonOptions) for own in fields(one)}
    reads = {"target": target} | {name: value for name, value in options.items() if name in named}
    return with_units(reads), {name: value for name, value in options.items() if name not in named}


@dataclass(frozen=True)
class KeyOptions(Checked):
    """Where a release goes, what of the table it keeps, and under which key; every request says which `options` it has.

    The command lists the options of the last base first, so a request names the bases below in their opposite order.
    """

    options: Any = None
    output: Output = None
    keep: Keep = field(default_factory=dict)
    links: Links = "auto"
    force: Force = False
    seed: Seed = field(default=None, repr=False)
    seed_file: SeedFile = None
    reuse_key: ReuseKey = False
    ledger: LedgerFile = None


@dataclass(frozen=True)
class PlaceOptions:
    """Where the records are, if not in a file that memory holds."""

    memory: Memory = 2_000_000_000
    row_key: RowKey = None
    spark_master: SparkMaster = None
    query: Query = None
    to: To = field(default=None, repr=False)


@dataclass(frozen=True)
class JudgedOptions:
    """How a release is judged and handed out; every request says what `evidence` it allows."""

    dry_run: DryRun = False
    shuffle_rows: ShuffleRows = False
    escape_formulas: EscapeFormulas = False
    evidence: str = "quick"
    policy: PolicyGiven = DEFAULT_POLICY
    limits: LimitsGiven = ()
    purpose: Purpose = ""
    rows_are_people: RowsArePeople = None
    command: str = ""  # how the user asked for it, for the sign-off page


@dataclass(frozen=True)
class ReleaseRequest(JudgedOptions, PlaceOptions, KeyOptions):
    """What is wanted of a release: how the table is perturbed, where it goes, under which key, and how it is judged.

    Without a `ledger` only releases nearby are searched for the key; a dry run is not entered into the ledger.
    """

    options: PerturbOptions = field(default_factory=PerturbOptions)
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
    tune: Annotated[
        bool,
        Option(
            "Find the most useful release that the policy clears, as `hushwood tune` does; --technique then names the "
            "one to tune.",
            panel=_POLICY,
        ),
    ] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(
            self.seed, str | bytes | None
        ):  # a key for experiments protects nobody, used once or twice
            object.__setattr__(self, "reuse_key", True)

    @property
    def key_has_a_past(self) -> bool:
        """Whether earlier releases under the key must be searched for; a fresh key has none."""
        return not self.reuse_key and (self.seed is not None or self.seed_file is not None)


@dataclass(frozen=True, slots=True)
class TuneOptions(CoarseOptions):
    """What a search may try, and what is done before it."""

    techniques: Annotated[
        tuple[str, ...],
        Option(
            "A technique to try. May be repeated.",
            spelling=("--technique",),
            metavar="NAME",
            default="all that are worth it",
        ),
    ] = ()
    threads: Annotated[int, THREADS, INTERNAL] = field(default_factory=available_threads)


@dataclass(frozen=True)
class TuneRequest(JudgedOptions, KeyOptions):
    """What is wanted of a search: the policy that must clear the release, what may be tried, and where it goes."""

    options: TuneOptions = field(default_factory=TuneOptions)
    evidence: Annotated[
        str,
        OneOf(("quick", "full")),
        Option(
            "How much evidence decides in the end: in a small table only full may be enough to clear a release.",
            metavar="quick|full",
            panel=_POLICY,
        ),
    ] = "quick"

    def as_release(self) -> ReleaseRequest:
        """The release that is wanted, all but its technique."""
        given = {own.name: getattr(self, own.name) for own in fields(self)}
        before = {own.name: getattr(self.options, own.name) for own in fields(self.options)}
        del before["techniques"]
        return ReleaseRequest(**given | {"options": PerturbOptions(**before)}, tune=True)


# What a confidential column is to a published tree.
SENSITIVE = Option(
    "Column that must stay secret: never tested, released as one value. May be repeated.",
    spelling=("--sensitive",),
    metavar="COLUMN",
    panel="Privacy",
)


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
