"""Options that releasing and tuning share: the key, the ledger, and what the table is handed out for."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hushwood.parameters import Option

_RUN, _POLICY = "Run", "Policy"
Seed = Annotated[
    str | bytes | None,
    Option(
        "Secret of 64 hex digits, to repeat a release. Other users of this machine can see a command line, so "
        "prefer --seed-file.",
        metavar="HEX",
        panel=_RUN,
        default="a fresh one",
    ),
]
SeedFile = Annotated[
    Path | None,
    Option("File that holds the secret, such as an old private/key.", metavar="FILE", panel=_RUN),
]
ReuseKey = Annotated[
    bool,
    Option("Allow a secret that made a different release; the two together may undo the noise.", panel=_RUN),
]
LedgerFile = Annotated[
    Path | None,
    Option(
        "File that records keys and tables, to notice a second release; it holds no data and no names.",
        metavar="FILE",
        panel=_RUN,
        default="ledger.json in your state folder, or what HUSHWOOD_LEDGER names",
    ),
]
Purpose = Annotated[
    str,
    Option(
        "What the table is handed out for; printed on the sign-off page.",
        metavar="TEXT",
        panel=_POLICY,
        default="a line to fill in by hand",
    ),
]
