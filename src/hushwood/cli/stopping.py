"""Somebody asks a command to end, by a key or a signal."""

from __future__ import annotations

RELEASES = "Stopped; a release that was not finished leaves nothing behind."


class Stopped(BaseException):
    """The command is to end now; folders written aside are removed on the way out."""

    def __init__(self, number: int, sentence: str = RELEASES) -> None:
        super().__init__(number, sentence)
        self.number = number
        self.sentence = sentence
        self.exit_code = 128 + number  # what a shell reports for a program that a signal ended
