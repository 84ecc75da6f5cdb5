"""The manifest of a release: it names every file with its checksum, and a MAC under the key covers all of it.

`release` and `publish_tree` say what was done and have it sealed here; `release_folder` reads manifests, `verify` and
`audit` ask whether the seal is intact. No manifest.json or plan.json is believed before its shape was checked.
Checksums are plain for what is handed out and keyed for what must not be recognised.
"""

from __future__ import annotations

import hashlib
import hmac
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    NotRequired,
    TypedDict,
    get_args,
    get_type_hints,
)

from hushwood.errors import InputError
from hushwood.jobs.folder.whole_folders import KEY, NOT_CLEARED, PRIVATE, SHARE, SHARED
from hushwood.parameters import Above
from hushwood.random_streams import Streams
from hushwood.releasing.options import PerturbOptions
from hushwood.tables.read_options import FORM, ReadOptions
from hushwood.value_types import entries_fit, fits

if TYPE_CHECKING:
    from hushwood.tables.reading import Reading

VERSION = 2  # version 1 has no MAC, and its private files have no checksums
MAC = "mac"
CLEARED = "cleared"
Status = Literal["cleared", "not cleared", "not proven"]  # what a policy can say of a release
STATUSES: tuple[str, ...] = get_args(Status)


def sealed(manifest: Mapping[str, Any], aside: Path, streams: Streams, part: str = SHARE) -> dict[str, Any]:
    """The manifest with the checksums of all files of the release, which lie in a part of a folder, and with its MAC.

    The output's own entry is completed from them. Private files are bound by keyed checksums, which
    reveal nothing; the key binds itself.
    """
    share, private = sorted((aside / part).iterdir()), sorted((aside / PRIVATE).iterdir())
    files = {f"{part}/{path.name}": file_checksum(path) for path in share}
    content = {
        **manifest,
        "output": manifest["output"] | {"sha256": files[f"{part}/{manifest['output']['file']}"]},
        "files": files,
        "private_files": {
            f"{PRIVATE}/{path.name}": None if path.name == KEY else private_checksum(path, streams)
            for path in private
        },
    }
    return _with_mac(content, streams)


def sealed_as_accepted(
    manifest: Mapping[str, Any], accepted: Mapping[str, str], aside: Path, streams: Streams
) -> dict[str, Any]:
    """The manifest of a release that was held back, now that its files lie in share/ on a person's responsibility.

    Files that lie in `aside`, such as the reports, were written again and take the place of the old ones.
    """
    files = {f"{SHARE}/{PurePosixPath(name).name}": known for name, known in manifest["files"].items()}
    files |= {f"{SHARE}/{path.name}": file_checksum(path) for path in (aside / SHARE).iterdir()}
    private = manifest["private_files"] | {
        f"{PRIVATE}/{path.name}": private_checksum(path, streams) for path in (aside / PRIVATE).iterdir()
    }
    rest = {name: value for name, value in manifest.items() if name != MAC}
    return _with_mac(rest | {"files": files, "private_files": private, "accepted": accepted}, streams)


def held_back(manifest: Mapping[str, Any]) -> bool:
    """Whether the manifest was sealed for files that may not be handed out."""
    return _part(manifest) == NOT_CLEARED


def _part(manifest: Mapping[str, Any]) -> str | None:
    """The part of the folder in which the manifest lists the released table."""
    file, files = manifest["output"]["file"], manifest["files"]
    return next((part for part in SHARED if f"{part}/{file}" in files), None)


def _with_mac(content: Mapping[str, Any], streams: Streams) -> dict[str, Any]:
    as_read: dict[str, Any] = json.loads(json.dumps(content))  # lists for tuples
    return as_read | {MAC: _mac(as_read, streams)}


def seal_fits(manifest: Mapping[str, Any], streams: Streams) -> bool:
    """Whether the manifest was sealed under this key exactly as it is."""
    return hmac.compare_digest(str(manifest.get(MAC)).encode(), _mac(manifest, streams).encode())


def changed_private_files(manifest: Mapping[str, Any], private: Path, streams: Streams) -> list[str]:
    """The private files that are here and were changed; version 1 has no checksums to tell."""
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
    part = _part(manifest)
    if part is None or not _plain(files, part) or not _plain(private, PRIVATE):
        return False
    return bool(files[f"{part}/{output['file']}"] == output.get("sha256"))


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


def file_checksum(path: Path) -> str:
    """SHA-256 of a file, or of the names and contents of all files of a table in parts."""
    from hushwood.tables.long.files import files_digest

    if path.is_dir():
        return files_digest(path, sorted(inner for inner in path.rglob("*") if not inner.is_dir())).hex()
    return _file_digest(path).hex()


def table_digest(reading: Reading) -> bytes:
    """SHA-256 of the bytes that were parsed, or of a frame: it recognises the table, so it is never written down."""
    return hashlib.sha256(_frame_bytes(reading)).digest() if reading.sha256 is None else reading.sha256


def keyed_checksum(digest: bytes, streams: Streams) -> str:
    """The table's digest under the release's key: only the owner can recognise the table by it."""
    return hmac.new(streams.derive("input digest", "", 0), digest, "sha256").hexdigest()


def is_input(manifest: Mapping[str, Any], source: Reading | Path, streams: Streams) -> bool:
    """Whether a release was made from this table; a file need not be parsed for that."""
    if manifest.get("version") == 1:
        found = _first_keyed_checksum(source, streams)
    else:
        found = keyed_checksum(
            _file_digest(source) if isinstance(source, Path) else table_digest(source), streams
        )
    return bool(found == manifest["input"]["keyed_checksum"])


def private_checksum(path: Path, streams: Streams) -> str:
    """HMAC-SHA256 of a private file under the release's key, so that a manifest can name it in public."""
    return _keyed_file(path, streams.derive("private file", path.name, 0))


def _first_keyed_checksum(source: Reading | Path, streams: Streams) -> str:
    """The checksum of version 1: over the whole table under the key, not its digest."""
    key = streams.derive("input checksum", "", 0)
    if isinstance(source, Path):
        return _keyed_file(source, key)
    if source.path is not None:
        return _keyed_file(source.path, key)
    return hmac.new(key, _frame_bytes(source), "sha256").hexdigest()


def _file_digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _keyed_file(path: Path, key: bytes) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hmac.new(key, digestmod="sha256")).hexdigest()


def _frame_bytes(reading: Reading) -> memoryview:
    from hushwood.tables.frames.storage import frame_from_table

    data = io.BytesIO()
    frame_from_table(reading.table, identifiers=True).write_ipc(data)
    return data.getbuffer()


# What must be there, and what some versions write, of what is read again; later versions may add more.
class _Input(TypedDict):
    keyed_checksum: str


class _Output(TypedDict):
    file: str
    sha256: str
    records_have_partners: NotRequired[bool]


class _CountedLink(TypedDict):
    kind: str
    columns: list[str]
    broken_before: int
    broken_after: int | None
    kept: bool


class _Certificate(TypedDict):
    claimed: bool
    records: int
    kept: int
    per_tree: list[Any]
    columns: NotRequired[dict[str, dict[str, Any]]]
    links: NotRequired[list[_CountedLink]]


class _Parameters(TypedDict, total=False):
    noise: float
    noise_influential: float
    noise_innocent: float
    probability: float
    noise_by_column: dict[str, float]
    noise_of: str
    settings: dict[str, dict[str, Any]]
    trees: int
    grown: dict[str, Any]
    predicted: list[str]


class _Step(TypedDict):
    columns: list[str]
    technique: str


class _Verdict(TypedDict):
    status: Status
    policy: str


class _Accepted(TypedDict):
    by: str
    reason: str
    on: str


class _Notice(TypedDict):
    kind: str
    columns: list[str]


class _Manifest(TypedDict):
    technique: str
    files: dict[str, str]
    input: _Input
    output: _Output
    certificate: _Certificate
    parameters: _Parameters
    steps: NotRequired[list[_Step]]
    private_files: NotRequired[list[str] | dict[str, Any]]
    verdict: NotRequired[_Verdict]
    accepted: NotRequired[_Accepted]
    kept_columns: NotRequired[dict[str, str]]
    notices: NotRequired[list[_Notice]]
    rows_are_people: NotRequired[str]
    labels: NotRequired[dict[str, dict[str, list[str]]]]


class _RareColumn(TypedDict):
    levels: list[str]
    label: str | None


class _RareLevels(TypedDict):
    rule: str
    below: int
    columns: dict[str, _RareColumn]


class _CoarseColumn(TypedDict, total=False):
    unit: Literal["year", "quarter", "month", "day"]
    step: Annotated[float, Above(0)]
    top: float
    bottom: float
    how: str
    labels: dict[str, str]


class _Link(TypedDict):
    kind: str


class _Plan(TypedDict, total=False):
    coarsened: dict[str, _CoarseColumn]
    rare_levels: _RareLevels
    row_key: str
    links: list[_Link]
    stands_for: dict[str, list[tuple[float, float, float]]]


class _Hierarchy(TypedDict):
    levels: dict[str, list[str]]


def check_manifest(manifest: Mapping[str, Any], path: Path) -> None:
    """Refuse a manifest with missing or wrong entries."""
    if not (fits(manifest, _Manifest) and fits(manifest.get("class", []), list[str])):
        raise InputError(f"{path} is damaged; fetch or make the release again.")


def check_plan(plan: Mapping[str, Any], path: Path) -> None:
    """Refuse a plan whose input or options are of the wrong kind: other than `read` and a release take them."""
    given, read = plan.get("input", {}), get_type_hints(ReadOptions, include_extras=True)
    whole = entries_fit(given, {name: read[name] for name in FORM}) and set(given) <= set(FORM)
    if "options" in plan and plan.get("recipe") != "tpp":  # those of a published tree are read by people only
        options = get_type_hints(PerturbOptions) | {"hierarchies": dict[str, _Hierarchy]}
        whole = whole and entries_fit(plan["options"], options)
    if not (whole and fits(plan, _Plan)):
        raise InputError(f"{path} is damaged; fetch or make the release again.")
