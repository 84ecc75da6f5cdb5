"""A request to end the command, by a key or a signal, and what it leaves."""

from __future__ import annotations


class Stopped(BaseException):
    """The command is to end now; folders written aside are removed on the way out."""

    def __init__(self, number: int, sentence: str = "") -> None:
        super().__init__(number, sentence)
        self.number = number
        self._sentence = sentence
        self.exit_code = 128 + number  # what a shell reports for a program that a signal ended

    @property
    def sentence(self) -> str:
        """What is left: what the command says, or else whether a release was completed before."""
        from hushwood.jobs.folders import completed

        if self._sentence:
            return self._sentence
        if completed:
            return f"Stopped; the release in {completed[-1]} is complete."
        return "Stopped; a release that was not finished leaves nothing behind."
