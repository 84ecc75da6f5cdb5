"""The secret of a release: given or fresh, and never used twice on different tables unnoticed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from hushwood.errors import InputError
from hushwood.jobs.folders import MANIFEST
from hushwood.random_streams import Streams, fresh_secret, secret_from_hex


def streams_for(seed: str | bytes | None, seed_file: Path | None = None) -> Streams:
    """The streams of a given seed (64 hex digits, 32 bytes, or a file with them), or of a fresh one."""
    if seed is not None and seed_file is not None:
        raise InputError("Give the seed or a seed file, not both.")
    if seed_file is not None:
        try:
            seed = seed_file.read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as fault:
            raise InputError(f"The seed file {seed_file} cannot be read: {fault}.") from fault
    if seed is None:
        return Streams(fresh_secret())
    if isinstance(seed, bytes):
        return Streams(secret_from_hex(seed.hex()))
    return Streams(secret_from_hex(seed))


def check_reuse(streams: Streams, checksum: str, target: Path | None, seed_file: Path | None) -> None:
    """Refuse a key that a release of another table, in sight of this one, was made with.

    The same noise on two versions of a table cancels out: their difference shows the true changes.
    """
    for manifest in _manifests_in_sight(target, seed_file):
        try:
            old = json.loads(manifest.read_text(encoding="utf-8"))
            same_key = old["key_id"] == streams.key_id
            other_table = old["input"]["keyed_checksum"] != checksum
        except (OSError, ValueError, KeyError, TypeError):
            continue
        if same_key and other_table:
            raise InputError(
                f"This seed already made {manifest.parent.parent} from another version of the table, and the two "
                "releases together would undo the noise; take a fresh seed, or insist with --reuse-key."
            )


def _manifests_in_sight(target: Path | None, seed_file: Path | None) -> Iterable[Path]:
    """Manifests of the output folder, of its neighbours, and of the release that the seed file belongs to."""
    if target is not None and target.parent.is_dir():
        yield from target.parent.glob(f"*/{MANIFEST}")
    if seed_file is not None:
        yield from (path for path in [seed_file.parent.parent / MANIFEST] if path.is_file())
