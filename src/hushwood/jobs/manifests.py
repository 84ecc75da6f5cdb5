"""The manifest's seal: it names every file of a release with its checksum, and a MAC under the key covers all of it.

`release` and `publish_tree` say what was done and have it sealed here; `release_folder` reads manifests, `verify` and
`audit` ask whether the seal is whole.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from hushwood.errors import InputError
from hushwood.jobs.checksums import file_checksum, private_checksum
from hushwood.jobs.folders import KEY, PRIVATE, SHARE
from hushwood.random_streams import Streams

VERSION = 2  # version 1 has no MAC, and its private files have no checksums
MAC = "mac"


def sealed(manifest: Mapping[str, Any], aside: Path, streams: Streams) -> dict[str, Any]:
    """The manifest with the checksums of all files of the release and with its MAC.

    The output's own entry is completed from them. Private files are bound by keyed checksums, which tell nobody
    anything; the key binds itself.
    """
    share, private = sorted((aside / SHARE).iterdir()), sorted((aside / PRIVATE).iterdir())
    files = {f"{SHARE}/{path.name}": file_checksum(path) for path in share}
    content = {
        **manifest,
        "output": manifest["output"] | {"sha256": files[f"{SHARE}/{manifest['output']['file']}"]},
        "files": files,
        "private_files": {
            f"{PRIVATE}/{path.name}": None if path.name == KEY else private_checksum(path, streams)
            for path in private
        },
    }
    as_read: dict[str, Any] = json.loads(json.dumps(content))  # lists for tuples
    return as_read | {MAC: _mac(as_read, streams)}


def seal_fits(manifest: Mapping[str, Any], streams: Streams) -> bool:
    """Whether the manifest is, to the letter, one that was sealed under this key."""
    return hmac.compare_digest(str(manifest.get(MAC)).encode(), _mac(manifest, streams).encode())


def changed_private_files(manifest: Mapping[str, Any], private: Path, streams: Streams) -> list[str]:
    """The private files that are here and are not as they were written; of version 1 nobody can tell."""
    if manifest["version"] == 1:
        return []
    return [
        name
        for name, checksum in sorted(manifest["private_files"].items())
        if checksum is not None
        and (private / Path(name).name).is_file()
        and private_checksum(private / Path(name).name, streams) != checksum
    ]


def check_version_and_names(manifest: Mapping[str, Any], share: Path) -> None:
    """Refuse unknown versions, and names that lead out of the folders of the release."""
    version = manifest.get("version")
    if type(version) is int and version > VERSION:
        raise InputError(
            f"The release in {share} has a manifest of version {version}, and this Hushwood knows versions up to "
            f"{VERSION}; use a newer Hushwood."
        )
    if type(version) is not int or version < 1 or not _names_are_plain(manifest, version):
        raise InputError(f"The manifest in {share} is damaged; fetch or make the release again.")
    for name in manifest["files"]:
        path = share / PurePosixPath(name).name
        if not path.resolve().is_relative_to(share.resolve()):
            raise InputError(
                f"{path} is a link that leads out of the release; fetch or make the release again."
            )


def _names_are_plain(manifest: Mapping[str, Any], version: int) -> bool:
    """Whether the manifest lists its files by plain names in their folders, the released table among them."""
    files, private, output = manifest["files"], manifest.get("private_files"), manifest["output"]
    if not isinstance(files, dict) or not isinstance(output, dict):
        return False
    if not isinstance(private, list if version == 1 else dict):
        return False
    if not _plain(files, SHARE) or not _plain(private, PRIVATE):
        return False
    table = f"{SHARE}/{output['file']}"
    return table in files and files[table] == output.get("sha256")


def _plain(names: Iterable[object], folder: str) -> bool:
    """Whether all are names of files in the folder itself, on every system.

    >>> _plain(["share/a.csv"], "share"), _plain(["share/../a.csv"], "share"), _plain(["share/C:a"], "share")
    (True, False, False)
    """
    for name in names:
        own = name.removeprefix(f"{folder}/") if isinstance(name, str) else ""
        if own == name or own in {"", ".", ".."} or "\0" in own:
            return False
        if PurePosixPath(own).name != own or PureWindowsPath(own).name != own:
            return False
    return True


def _mac(manifest: Mapping[str, Any], streams: Streams) -> str:
    """HMAC-SHA256 over the manifest without its MAC: sorted keys, no white space, ASCII."""
    content = {name: value for name, value in manifest.items() if name != MAC}
    canonical = json.dumps(content, sort_keys=True, separators=(",", ":")).encode("ascii")
    return hmac.new(streams.derive("manifest", "", 0), canonical, "sha256").hexdigest()
