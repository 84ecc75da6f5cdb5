"""The options of `hushwood release` alone; those it shares with other commands are in `options`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_TREES = "Trees"
_NOISE = "Noise"
_RUN = "Run"

ClassColumn = Annotated[
    str, typer.Option("--class", metavar="COLUMN", help="The class column: what the rules predict.")
]
Output = Annotated[
    Path | None,
    typer.Option("-o", "--output", metavar="DIR", help="Folder to make; it must be new or empty."),
]
Technique = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="forest-framework or framework; forest-extended-framework or extended-framework, which keep "
        "correlations too; the controls random-framework, random-extended-framework and rt; or one technique "
        "alone, such as gadp, mdav, mondrian or pram (then all other columns are copied). "
        "docs/techniques.md has them all.",
    ),
]
Noise = Annotated[
    str,
    typer.Option(
        metavar="SHARE",
        help="Spread of the noise as a share of the range it stays in.",
        rich_help_panel=_NOISE,
    ),
]
Boundary = Annotated[
    str,
    typer.Option(
        metavar="RULE", help="How noise stays inside: wrap, reflect or truncate.", rich_help_panel=_NOISE
    ),
]
Distribution = Annotated[
    str,
    typer.Option(metavar="SHAPE", help="Shape of the noise: normal or uniform.", rich_help_panel=_NOISE),
]
Capt = Annotated[
    str,
    typer.Option(
        metavar="MODE",
        help="strict keeps every record's rules; literal is CAPT as the thesis prints it.",
        rich_help_panel=_NOISE,
    ),
]
Probability = Annotated[
    float,
    typer.Option(
        metavar="P",
        help="Probability of change in CAPT, PRAM, invariant PRAM and random categorical.",
        rich_help_panel=_NOISE,
    ),
]
Correlated = Annotated[
    str | None,
    typer.Option(
        metavar="WAY",
        help="How the extended frameworks draw numbers together: gadp, cgadp, egadp, shuffle or rotation.",
        show_default="shuffle; gadp in random-extended-framework",
        rich_help_panel=_NOISE,
    ),
]
ValueClusters = Annotated[
    str,
    typer.Option(
        metavar="NAME",
        help="What CAPT takes for similar values: detective, ex-detective, cactus, rock, qrock, coolcat, core "
        "or stirr.",
        rich_help_panel=_NOISE,
    ),
]
Suppress = Annotated[
    list[str] | None,
    typer.Option(
        metavar="RULE",
        help='Cells to leave out: "age >= 90", "city = Arm : city, rent", or "rent > 500 : *" for whole '
        "records; repeatable.",
        rich_help_panel=_NOISE,
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="TECHNIQUE.PARAMETER=VALUE",
        help="A parameter of a technique or of CAPT's clusters, such as gadp.rho=0.5 or cactus.alpha=1.15; "
        "repeatable.",
        rich_help_panel=_NOISE,
    ),
]
Trees = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Exactly so many trees in the forest.",
        show_default="3 in forest-framework or fewer if the table has no more good splits, else 1",
        rich_help_panel=_TREES,
    ),
]
MinLeaf = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Least records in a leaf.",
        show_default="4.5 % of the records, from 10 to 200",
        rich_help_panel=_TREES,
    ),
]
Variant = Annotated[
    str, typer.Option(metavar="NAME", help="Tree builder: c45, j48 or see5.", rich_help_panel=_TREES)
]
Forest = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="A forest.json to use instead of growing one.", rich_help_panel=_TREES),
]
ForestRows = Annotated[
    int,
    typer.Option(
        metavar="N",
        help="Most rows to grow the forest on; of a longer table a secret sample is taken.",
        rich_help_panel=_TREES,
    ),
]
Seed = Annotated[
    str | None,
    typer.Option(
        metavar="HEX",
        help="Secret of 64 hex digits, to repeat a release; others on this machine can see a command line, so "
        "prefer --seed-file.",
        show_default="a fresh one",
        rich_help_panel=_RUN,
    ),
]
SeedFile = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="File that holds the secret, such as an old private/key.",
        rich_help_panel=_RUN,
    ),
]
ReuseKey = Annotated[
    bool,
    typer.Option(
        "--reuse-key",
        help="Allow a secret that made a different release; the two together may undo the noise.",
        rich_help_panel=_RUN,
    ),
]
Ledger = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="Where to note keys and tables, to notice a second release; it holds no data and no names.",
        show_default="ledger.json in your state folder, or what HUSHWOOD_LEDGER names",
        rich_help_panel=_RUN,
    ),
]
ShuffleRows = Annotated[
    bool, typer.Option("--shuffle-rows", help="Break the order of the rows.", rich_help_panel=_RUN)
]
Engine = Annotated[
    str, typer.Option(metavar="NAME", help="What does the work: auto or memory.", rich_help_panel=_RUN)
]
ChunkRows = Annotated[
    int | None,
    typer.Option(
        metavar="N",
        help="Rows worked on at a time; changes no value.",
        show_default="chosen by the engine",
        rich_help_panel=_RUN,
    ),
]
Evidence = Annotated[
    str,
    typer.Option(
        metavar="none|quick|full",
        help="What is measured: nothing, the main numbers in seconds, or everything, with a second, throw-away "
        "release of 80 % of the records to compare with people who were never in it.",
        rich_help_panel=_RUN,
    ),
]
DryRun = Annotated[
    bool,
    typer.Option("--dry-run", help="Show what would come out, and keep nothing.", rich_help_panel=_RUN),
]
Force = Annotated[
    bool, typer.Option("--force", help="Replace an old release in the folder.", rich_help_panel=_RUN)
]
