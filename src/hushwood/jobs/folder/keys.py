"""The secret of a release: given or fresh, and never used for two different releases unnoticed.

Releases nearby are searched for the key. The ledger of a user also knows those that were moved away or handed back in
memory. It holds key ids and, keyed with a secret of its own, checksums of tables and releases: no data and no names.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import astuple, dataclass, field, replace
from numbers import Integral
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hushwood.errors import InputError
from hushwood.jobs.folder.manifests import file_checksum, is_input
from hushwood.jobs.folder.whole_folders import MANIFEST, SHARED
from hushwood.json_texts import parsed_json
from hushwood.random_streams import SECRET_BYTES, Streams, fresh_secret, secret_from_hex
from hushwood.tables.formats.input_files import read_text

if TYPE_CHECKING:
    from hushwood.tables.reading import Reading

MOST_REPEATED = 16  # different bytes of a seed; once in 10^13 fresh seeds has as few
_LONGEST_SEED = 1 << 16  # bytes; a seed has 64, and blanks around it do no harm
VARIABLE = "HUSHWOOD_LEDGER"
FORMAT, VERSION = "hushwood-ledger", 1
# The variable that names the folder for programs' state, and where that folder is below the home folder.
_STATE_FOLDERS = {
    "win32": ("LOCALAPPDATA", "AppData/Local"),
    "darwin": ("XDG_STATE_HOME", "Library/Application Support"),
}


def streams_for(seed: str | bytes | int | None, seed_file: Path | None = None) -> Streams:
    """The streams of a given seed (64 hex digits, 32 bytes, a whole number, or a file), or of a fresh one."""
    if seed is not None and seed_file is not None:
        raise InputError("Give the seed or a seed file, not both.")
    if seed_file is not None:
        seed = _read_seed(seed_file)
    if seed is None:
        return Streams(fresh_secret())
    return Streams(_secret_of(seed))


def _secret_of(seed: object) -> bytes:
    """The secret of a seed, which may come from Python and be of any type."""
    if not isinstance(seed, bool) and isinstance(seed, Integral):
        return hashlib.sha256(f"hushwood seed {int(seed):d}".encode()).digest()
    if isinstance(seed, str):
        return secret_from_hex(seed)
    if not isinstance(seed, bytes):
        raise InputError(
            f"A seed is 64 hexadecimal digits, 32 bytes or a whole number; a {type(seed).__name__} was given. Leave it "
            "out for a fresh one."
        )
    if len(seed) != SECRET_BYTES:
        raise InputError(
            f"A seed has {SECRET_BYTES} bytes; {len(seed)} were given. Leave it out for a fresh one."
        )
    return seed


def _read_seed(seed_file: Path) -> str:
    text = read_text(seed_file, "seed file", "latin-1", most=_LONGEST_SEED)
    if not text.isascii():
        raise InputError(f"The seed file {seed_file} does not hold 64 hexadecimal digits; give a key file.")
    return text


def seed_warnings(streams: Streams, seed: object = None) -> Iterator[str]:
    """A sentence about a seed that was typed rather than drawn, such as a number, zeros or a repeated pattern."""
    if isinstance(seed, Integral):
        yield (
            f"The seed is the number {seed}: anyone who tries numbers can undo the release, and so can two releases "
            "under it. Use it for experiments only, and leave the seed out for a table that you hand out."
        )
    if len(set(streams.secret)) <= MOST_REPEATED:
        yield (
            "The seed repeats a few digits, and anyone who guesses it can undo the release; use it for trials only, "
            "and let Hushwood draw a fresh one for a table that you hand out."
        )


def check_other_table(
    streams: Streams, reading: Reading, target: Path | None, seed_file: Path | None
) -> None:
    """Refuse a key that made a nearby release of another table.

    The same noise on two versions of a table cancels out: their difference shows the true changes.
    """
    for folder, manifest in _made_with(streams, target, seed_file):
        if not is_input(manifest, reading, streams):
            raise _reused(f"{folder} from another version of the table")


def check_other_settings(
    streams: Streams, released: Path, target: Path | None, seed_file: Path | None
) -> None:
    """Refuse a key that made another release of the same table: noise of two sizes from the same draws cancels."""
    for folder, manifest in _made_with(streams, target, seed_file):
        if manifest["output"]["sha256"] != file_checksum(released):
            raise _reused(f"{folder} from the same table with other settings")


def _reused(made: str) -> InputError:
    return InputError(
        f"This seed already made {made}, and the two releases together would undo the noise; "
        "use a fresh seed, or insist with --reuse-key."
    )


def _made_with(
    streams: Streams, target: Path | None, seed_file: Path | None
) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Nearby releases that have this key, with their manifests."""
    for path in _manifests_nearby(target, seed_file):
        try:
            old = parsed_json(path.read_text(encoding="utf-8"))
            named = (old["key_id"], old["input"]["keyed_checksum"], old["output"]["sha256"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
        if named[0] == streams.key_id:
            yield path.parent.parent, old


def _manifests_nearby(target: Path | None, seed_file: Path | None) -> Iterator[Path]:
    """Manifests of the output folder, of its neighbours, and of the release that the seed file belongs to."""
    around = None if target is None else target.absolute().parent
    if around is not None and around.is_dir():
        yield from sorted(path for part in SHARED for path in around.glob(f"*/{part}/{MANIFEST}"))
    if seed_file is not None:
        its_own = (seed_file.absolute().parent.parent / part / MANIFEST for part in SHARED)
        yield from (path for path in its_own if path.is_file())


RELEASED_BEFORE = (
    "This table has been released before under another key. Two releases of one table average out the noise: hand out "
    "only one of them."
)


@dataclass(frozen=True, slots=True)
class Use:
    """A key used on a table; `released` recognises the result, and is empty as long as there is none.

    What is `held` back has not left the house.
    """

    key_id: str
    table: bytes = field(repr=False)
    released: bytes = field(default=b"", repr=False)
    held: bool = False


@dataclass(frozen=True, slots=True)
class Entry:
    """A use as the ledger holds it: what recognises the table or the release is keyed.

    A release that is `held` back has not left the house, and gives nothing away next to another one.
    """

    key_id: str
    table: str
    released: str
    held: bool = False


@dataclass(frozen=True, slots=True)
class Ledger:
    """What is in the file."""

    secret: bytes = field(repr=False)
    entries: tuple[Entry, ...] = ()

    def entry(self, use: Use) -> Entry:
        """A use in the ledger's own terms."""
        keyed = self._keyed(b"table", use.table), self._keyed(b"released", use.released)
        return Entry(use.key_id, *keyed, use.held)

    def _keyed(self, what: bytes, content: bytes) -> str:
        return hmac.new(self.secret, what + b"\0" + content, "sha256").hexdigest()

    def check(self, use: Use) -> None:
        """Refuse a key that was used on another table, or on this one with another outcome."""
        new = self.entry(use)
        for old in self.entries:
            if old.key_id == new.key_id and old.table != new.table:
                raise _reused("a release of another table, or another version of this one")
            if old.key_id == new.key_id and use.released and old.released != new.released:
                raise _reused("a release of the same table with other settings")

    def warnings(self, use: Use) -> tuple[str, ...]:
        """A sentence if another release of the table, under another key, may have left the house."""
        new = self.entry(use)
        return self._left(new.table, new.key_id)

    def accepted(self, key_id: str) -> tuple[Ledger, tuple[str, ...]]:
        """The ledger when what this key made and was held back leaves the house, and what that calls for."""
        entries = tuple(replace(old, held=old.held and old.key_id != key_id) for old in self.entries)
        tables = dict.fromkeys(old.table for old in self.entries if old.key_id == key_id)
        return replace(self, entries=entries), tuple(
            text for one in tables for text in self._left(one, key_id)
        )[:1]

    def _left(self, table: str, key_id: str) -> tuple[str, ...]:
        others = (old for old in self.entries if old.table == table and old.key_id != key_id)
        if all(old.held for old in others):
            return ()
        return (RELEASED_BEFORE,)


def usual_ledger(platform: str = sys.platform) -> Path:
    """Where the ledger is unless a command says otherwise: HUSHWOOD_LEDGER, or a file in the user's state folder."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else _state_folder(platform) / "hushwood" / "ledger.json"


def _state_folder(platform: str) -> Path:
    variable, usual = _STATE_FOLDERS.get(platform, ("XDG_STATE_HOME", ".local/state"))
    named = Path(os.environ.get(variable, ""))
    if named.is_absolute():  # the XDG specification asks to pass over relative paths
        return named
    try:
        return Path.home() / usual
    except RuntimeError:
        raise InputError(
            f"No home folder is known to keep the ledger in; name a file with --ledger or {VARIABLE}."
        ) from None


def noticed(path: Path | None, use: Use, reuse_key: bool) -> tuple[str, ...]:
    """Refuse a key that was used for something else, unless that is allowed; without a path there is no ledger."""
    if path is None:
        return ()
    try:
        ledger = _read(path)
    except OSError as fault:
        return (_unusable(path, fault),)
    if not reuse_key:
        ledger.check(use)
    return ledger.warnings(use)


@contextmanager
def booked(path: Path | None, use: Use, reuse_key: bool) -> Iterator[list[str]]:
    """Enter a use when the block ends without an error; meanwhile other runs wait. Trouble with the file is a warning.

    The release appears in the block, so that no entry speaks of a release that never was.
    """
    warnings: list[str] = []
    with ExitStack() as held:
        ledger = None
        try:
            if path is not None:
                held.enter_context(_locked(path))
                ledger = _read(path)
        except OSError as fault:
            warnings.append(_unusable(path, fault))
        if ledger is not None and not reuse_key:
            ledger.check(use)
        yield warnings
        try:
            if path is not None and ledger is not None:
                _enter(ledger, ledger.entry(use), path)
        except OSError as fault:
            warnings.append(_unusable(path, fault))


def _enter(ledger: Ledger, new: Entry, path: Path) -> None:
    """Add an entry; one that has left the house takes the place of the same one that was held back."""
    if new in ledger.entries or replace(new, held=False) in ledger.entries:
        return
    others = (old for old in ledger.entries if replace(old, held=new.held) != new)
    _write(replace(ledger, entries=(*others, new)), path)


def noted_as_accepted(path: Path, key_id: str) -> tuple[str, ...]:
    """Say in the ledger that what was held back leaves the house; a sentence if another release of its table did."""
    try:
        with _locked(path):
            ledger, said = _read(path).accepted(key_id)
            if ledger.entries:
                _write(ledger, path)
    except OSError as fault:
        return (_unusable(path, fault),)
    return said


def _unusable(path: Path | None, fault: OSError) -> str:
    return (
        f"The ledger {path} cannot be used ({fault.strerror or fault}), so it is unknown whether this key or "
        "table was used before; make it writable, or name another file with --ledger."
    )


def _read(path: Path) -> Ledger:
    """The ledger in a file; a new one if there is no file yet."""
    try:
        text = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return Ledger(fresh_secret())
    try:
        content = parsed_json(text)
        if content["format"] == FORMAT and content["version"] == VERSION:
            entries = tuple(_entry(entry) for entry in content["releases"])
            return Ledger(secret_from_hex(content["secret"]), entries)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, InputError):
        pass
    raise InputError(
        f"{path} is not a ledger that this Hushwood can read, so it is left alone; move it away to begin a new one, "
        "or name another file with --ledger."
    )


def _entry(entry: Mapping[str, Any]) -> Entry:
    found = Entry(entry["key_id"], entry["table"], entry["released"], entry.get("held", False))
    if [type(value) for value in astuple(found)] != [str, str, str, bool]:
        raise TypeError(entry)
    return found


def _write(ledger: Ledger, path: Path) -> None:
    """Write aside, then rename: for the user's eyes only, and whole whatever happens."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "secret": ledger.secret.hex(),
        "releases": [
            {"key_id": entry.key_id, "table": entry.table, "released": entry.released}
            | ({"held": True} if entry.held else {})
            for entry in ledger.entries
        ],
    }
    place = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(prefix=f".{place.name}-", dir=place.parent)  # mode 0600
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(content, file, indent=1)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(place)
    finally:
        Path(name).unlink(missing_ok=True)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Keep other runs away from the ledger; the lock ends with the process if nothing else ends it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    handle = os.open(path.with_name(f"{path.name}.lock"), os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_LOCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
