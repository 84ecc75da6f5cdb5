"""The secret of a release: given or fresh, and never used twice for different releases unnoticed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from hushwood.errors import InputError
from hushwood.jobs.checksums import file_checksum, is_input
from hushwood.jobs.folders import MANIFEST
from hushwood.random_streams import Streams, fresh_secret, secret_from_hex
from hushwood.tables.input_files import read_text
from hushwood.tables.reading import Reading

MOST_REPEATED = 16  # different bytes of a seed; once in 10^13 fresh seeds has as few
_LONGEST_SEED = 1 << 16  # bytes; a seed has 64, and blanks around it do no harm


def streams_for(seed: str | bytes | None, seed_file: Path | None = None) -> Streams:
    """The streams of a given seed (64 hex digits, 32 bytes, or a file with them), or of a fresh one."""
    if seed is not None and seed_file is not None:
        raise InputError("Give the seed or a seed file, not both.")
    if seed_file is not None:
        seed = _read_seed(seed_file)
    if seed is None:
        return Streams(fresh_secret())
    return Streams(secret_from_hex(seed.hex() if isinstance(seed, bytes) else seed))


def _read_seed(seed_file: Path) -> str:
    text = read_text(seed_file, "seed file", "latin-1", most=_LONGEST_SEED)
    if not text.isascii():
        raise InputError(f"The seed file {seed_file} does not hold 64 hexadecimal digits; give a key file.")
    return text


def seed_warnings(streams: Streams) -> Iterator[str]:
    """A sentence about a seed that was typed and not drawn, such as zeros or one pattern all over."""
    if len(set(streams.secret)) <= MOST_REPEATED:
        yield (
            "The seed repeats a few digits, and whoever guesses it can undo the noise; use it for trials only, and let "
            "Hushwood draw a fresh one for a table that you hand out."
        )


def check_other_table(
    streams: Streams, reading: Reading, target: Path | None, seed_file: Path | None
) -> None:
    """Refuse a key that a release of another table, in sight of this one, was made with.

    The same noise on two versions of a table cancels out: their difference shows the true changes.
    """
    for folder, manifest in _made_with(streams, target, seed_file):
        if not is_input(manifest, reading, streams):
            raise _reused(folder, "another version of the table")


def check_other_settings(
    streams: Streams, released: Path, target: Path | None, seed_file: Path | None
) -> None:
    """Refuse a key that made another release of the same table: noise of two sizes from the same draws cancels."""
    for folder, manifest in _made_with(streams, target, seed_file):
        if manifest["output"]["sha256"] != file_checksum(released):
            raise _reused(folder, "the same table with other settings")


def _reused(folder: Path, source: str) -> InputError:
    return InputError(
        f"This seed already made {folder} from {source}, and the two releases together would undo the noise; "
        "take a fresh seed, or insist with --reuse-key."
    )


def _made_with(
    streams: Streams, target: Path | None, seed_file: Path | None
) -> Iterator[tuple[Path, Mapping[str, Any]]]:
    """Releases in sight that have this key, with their manifests."""
    for path in _manifests_in_sight(target, seed_file):
        try:
            old = json.loads(path.read_text(encoding="utf-8"))
            named = (old["key_id"], old["input"]["keyed_checksum"], old["output"]["sha256"])
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            continue
        if named[0] == streams.key_id:
            yield path.parent.parent, old


def _manifests_in_sight(target: Path | None, seed_file: Path | None) -> Iterator[Path]:
    """Manifests of the output folder, of its neighbours, and of the release that the seed file belongs to."""
    around = None if target is None else target.absolute().parent
    if around is not None and around.is_dir():
        yield from sorted(around.glob(f"*/{MANIFEST}"))
    if seed_file is not None:
        yield from (path for path in [seed_file.absolute().parent.parent / MANIFEST] if path.is_file())
