"""Scores written down as they are found, so that a search that was stopped goes on where it ended.

One line of JSON per score after a first line that says what they are about. A changed table, policy or setting starts
over. The first line also holds the key under which the scores were found: only the owner may read the file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from threading import Lock
from typing import Any

from hushwood.errors import InputError
from hushwood.json_texts import parsed_json
from hushwood.tuning.scores import Score

FORMAT = "hushwood-tuning-notes"
_MODE = 0o600


def key_of(path: Path | None, about: str) -> bytes | None:
    """The key in the notes of an earlier search for the same thing, if there are such notes."""
    head = None if path is None else _head(path)
    if head is None or head.get("about") != about:
        return None
    try:
        return bytes.fromhex(str(head["key"]))
    except (KeyError, ValueError):
        return None


class Notes:
    """The scores of a search by ground and candidate, in a file if there is a path."""

    def __init__(self, path: Path | None, about: str, key: bytes) -> None:
        self._path, self._lock = path, Lock()
        self._known: dict[tuple[str, str], Score] = {}
        if path is None:
            return
        head = {"format": FORMAT, "about": about, "key": key.hex()}
        if _head(path) == head:
            self._read(path)
        else:
            _check_ours(path)
            path.unlink(missing_ok=True)
            path.parent.mkdir(parents=True, exist_ok=True)
            self._append(head)

    def get(self, ground: str, label: str) -> Score | None:
        """A score that is known."""
        return self._known.get((ground, label))

    def add(self, ground: str, found: Score) -> None:
        """Write a score down."""
        with self._lock:
            self._known[ground, found.label] = found
            if self._path is not None:
                self._append({"ground": ground, **found.to_json()})

    def close(self) -> None:
        """Delete the file: the search is done."""
        if self._path is not None:
            self._path.unlink(missing_ok=True)

    def _read(self, path: Path) -> None:
        lines = path.read_text("utf-8").splitlines(keepends=True)
        whole = lines[: -1 if lines and not lines[-1].endswith("\n") else None]
        for line in whole[1:]:
            entry = parsed_json(line)
            ground = entry.pop("ground")
            self._known[ground, entry["label"]] = Score.from_json(entry)
        if len(whole) < len(lines):  # the last line was cut off when the search was stopped
            path.write_text("".join(whole), "utf-8")

    def _append(self, entry: Mapping[str, Any]) -> None:
        if self._path is None:
            return
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, _MODE)
        with os.fdopen(handle, "a", encoding="utf-8") as file:
            file.write(json.dumps(entry, ensure_ascii=False) + "\n")


def _check_ours(path: Path) -> None:
    """Refuse to replace a file that is no notes, whole or cut off."""
    if path.exists() and not path.read_bytes().startswith(f'{{"format": "{FORMAT}"'.encode()):
        raise InputError(
            f"{path} is where tuning keeps its notes, and something else is there; move it away, or choose another "
            "folder with -o."
        )


def _head(path: Path) -> dict[str, Any] | None:
    try:
        with path.open(encoding="utf-8") as file:
            head = parsed_json(file.readline())
    except (OSError, ValueError):
        return None
    return head if isinstance(head, dict) and head.get("format") == FORMAT else None
