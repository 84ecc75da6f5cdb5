"""What can go wrong, as one family: every error says what was given, what is allowed and what to do.

The command prints the sentence and ends with the error's own exit code; nothing here is caught and hidden.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from hushwood.visible_text import visible


class HushwoodError(Exception):
    """Root of all errors that Hushwood raises on purpose; names and values in the sentence are safe to print."""

    exit_code = 2

    def __init__(self, sentence: str = "") -> None:
        super().__init__(visible(sentence))


class InputError(HushwoodError):
    """The request or the data is wrong; the sentence says what to change."""


class InternalFault(HushwoodError):
    """Hushwood broke one of its own promises; nothing was released."""

    exit_code = 3


class BrokenCertificate(InternalFault):
    """A record left its segment although every technique used promises to keep it there."""


def unknown_name(what: str, given: str, allowed: Iterable[str]) -> InputError:
    """Build the error for a name that does not exist, with the nearest name that does."""
    known = sorted(allowed)
    near = difflib.get_close_matches(given, known, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return InputError(f"There is no {what} {given!r}.{hint} Known: {', '.join(known)}.")
