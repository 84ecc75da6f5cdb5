"""Where a table is in a database: `postgresql://ann@server/clinic?table=patients`, `duckdb:///FILE?table=NAME`.

Light to import. A password in an address is kept apart from every text that may be shown, written or handed on.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn
from urllib.parse import SplitResult, parse_qsl, quote, unquote, urlencode, urlsplit

from hushwood.errors import HIDDEN, InputError, without_passwords

_SCHEMES = {"postgresql": "postgresql", "postgres": "postgresql", "duckdb": "duckdb", "sqlite": "sqlite"}
PRODUCTS = {"postgresql": "PostgreSQL", "duckdb": "DuckDB", "sqlite": "SQLite"}
# What was typed, by what is shown of it: the command takes passwords out of its own words before it reads them.
_typed: dict[str, str] = {}


@dataclass(frozen=True, slots=True)
class Address:
    """A database, and a table in it if one is named; `uri` is for the driver, `place` for people."""

    scheme: str
    place: str
    table: str | None
    uri: str = field(repr=False)
    path: Path | None = None
    secrets: tuple[str, ...] = field(default=(), repr=False)

    @property
    def product(self) -> str:
        """The kind of database."""
        return PRODUCTS[self.scheme]

    def without_secrets(self, text: str) -> str:
        """A driver's message in one line, with nothing of the password in it."""
        for secret in sorted(self.secrets, key=len, reverse=True):
            text = text.replace(secret, HIDDEN)
        return without_passwords(" ".join(text.split()))


def is_address(text: object) -> bool:
    """Whether this names a table in a database.

    >>> is_address("sqlite:///people.db?table=people"), is_address("people.csv"), is_address("C://people.csv")
    (True, False, False)

    One of a server in which a slash is missing is an address too: as a file it would be repeated with its password.
    """
    if not isinstance(text, str):
        return False
    scheme, sign, rest = text.partition(":")
    known = _SCHEMES.get(scheme.lower(), "")
    return bool(sign and known) and (rest.startswith("//") or known == "postgresql")


def has_password(text: object) -> bool:
    """Whether a password stands in an address, or stood there before it was hidden."""
    return isinstance(text, str) and is_address(text) and (text in _typed or without_passwords(text) != text)


def hide_passwords(words: list[str]) -> None:
    """Take the passwords out of the words of a command; `address_of` still knows them."""
    for place, word in enumerate(words):
        option, sign, value = word.partition("=") if word.startswith("--") else ("", "", word)
        if is_address(value) and (shown := without_passwords(value)) != value:
            _typed[shown] = value
            words[place] = f"{option}{sign}{shown}"


def address_of(text: str) -> Address:
    """Read an address; what is wrong with it is said without repeating it."""
    text = _typed.get(text, text)
    scheme, _, rest = text.partition(":")
    scheme = _SCHEMES[scheme.lower()]
    if not rest.startswith("//"):
        _refuse(scheme)
    try:
        parts = urlsplit(text, allow_fragments=False)
        given = dict(parse_qsl(parts.query, keep_blank_values=True))
        table = given.pop("table", None) or None
        return (
            _on_server(parts, table, given)
            if scheme == "postgresql"
            else _in_file(scheme, parts, table, given)
        )
    except ValueError:
        _refuse(scheme)


def _on_server(parts: SplitResult, table: str | None, given: dict[str, str]) -> Address:
    if "@" in parts.path or ("@" in parts.query and "@" not in parts.netloc):
        _refuse("postgresql")  # a character in a password would be taken for the end of the server's name
    user, _, server = parts.netloc.rpartition("@")
    name, _, password = user.partition(":")
    if parts.port is not None and not parts.port:
        _refuse("postgresql")
    rest = f"?{urlencode(given, quote_via=quote)}" if given else ""
    plain = unquote(password)
    secrets = {
        password,
        plain,
        quote(plain, safe=""),
        *(v for k, v in given.items() if "password" in k.lower()),
    }
    who = f"{unquote(name)}@" if name else ""
    # Encoded again: libpq ends the password at the first @ and would say the rest aloud as the server's name.
    login = (
        f"{quote(unquote(name), safe='')}{':' if password else ''}{quote(plain, safe='')}@" if user else ""
    )
    return Address(
        "postgresql",
        f"{who}{server or given.get('host', 'this machine')}{parts.path}",
        table,
        f"postgresql://{login}{server}{parts.path}{rest}",
        secrets=tuple(sorted(secrets - {""})),
    )


def _in_file(scheme: str, parts: SplitResult, table: str | None, given: dict[str, str]) -> Address:
    name = unquote(parts.path.removeprefix("/"))
    if parts.netloc or not name or given:
        _refuse(scheme)
    return Address(scheme, name, table, name, Path(name))


def _refuse(scheme: str) -> NoReturn:
    if scheme == "postgresql":
        raise InputError(
            'The address of the database is unclear. Write "postgresql://USER@SERVER:PORT/DATABASE?table=NAME", with '
            "special characters encoded (@ as %40, / as %2F), and leave the password to PGPASSWORD or ~/.pgpass."
        )
    raise InputError(
        f'The address of the database cannot be read. Write "{scheme}:///FILE?table=NAME", with four slashes before a '
        "file that is given from the root on."
    )
