"""Release folders as they were before manifests had a MAC and policies a say, for tests that they are still read."""

from __future__ import annotations

import hmac
import json
from pathlib import Path

from hushwood.random_streams import Streams
from support.release_parts import files_in


def as_version_1(folder: Path, original: Path) -> None:
    """Write the manifest and the plan of a release as version 1 had them."""
    held = files_in(folder)
    path, plan = folder / "share" / "manifest.json", folder / "private" / "plan.json"
    held.rename(path.parent)
    streams = Streams(bytes.fromhex((folder / "private" / "key").read_text("utf-8").strip()))
    key = streams.derive("input checksum", "", 0)
    manifest = json.loads(path.read_text("utf-8"))
    del manifest["mac"], manifest["verdict"]
    manifest |= {
        "version": 1,
        "input": {"keyed_checksum": hmac.new(key, original.read_bytes(), "sha256").hexdigest()},
        "files": {name.replace(held.name, "share"): known for name, known in manifest["files"].items()},
        "private_files": sorted(manifest["private_files"]),
    }
    path.write_text(json.dumps(manifest), "utf-8")
    old = {
        name: value
        for name, value in json.loads(plan.read_text("utf-8")).items()
        if name != "manifest_version"
    }
    plan.write_text(json.dumps(old), "utf-8")
