"""Connections to browsers: none waits without end, and those that wait keep nobody out.

uvicorn has no limit for the time that a request takes to arrive, and its limit of connections turns away the newest:
half-open requests of another user of this machine would lock the owner out.
"""

from __future__ import annotations

import asyncio

from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 10.0  # for the whole head of a request, from the connection or the last answer on
BODY_SECONDS = 60.0  # without a byte of a body
MOST_WAITING = 150  # connections without a request; systems may allow a process 256 open files
ACCEPTED_AT_ONCE = 100  # before they are counted


class Connection(H11Protocol):
    """One connection: closed if its request does not arrive, or if it has waited longest when too many wait."""

    look = 1.0  # seconds between two looks at the time
    head, body, most = HEAD_SECONDS, BODY_SECONDS, MOST_WAITING
    _since = 0.0  # when the head began to be waited for, or when the last bytes of a body came
    _timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait; one that has waited longer may have to go."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._timer = self.loop.call_later(self.look, self._check)
        waiting = [one for one in self.connections if isinstance(one, Connection) and one.waits]
        if len(waiting) > self.most:
            min(waiting, key=lambda one: one._since).transport.abort()

    @property
    def waits(self) -> bool:
        """Whether it has no request that is being answered."""
        return not self.transport.is_closing() and (self.cycle is None or self.cycle.response_complete)

    def data_received(self, data: bytes) -> None:
        """Note when bytes of a body came."""
        super().data_received(data)
        if not self.waits:
            self._since = self.loop.time()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        self._since = self.loop.time()
        super().on_response_complete()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look at the time no longer."""
        super().connection_lost(exc)
        if self._timer is not None:
            self._timer.cancel()

    def _check(self) -> None:
        silent = self.loop.time() - self._since
        # While the disk is slower than the browser, we do not read, and hear nothing.
        stalls = (
            not self.waits and self.cycle is not None and self.cycle.more_body and not self.flow.read_paused
        )
        if (self.waits and silent > self.head) or (stalls and silent > self.body):
            self.transport.abort()
        else:
            self._timer = self.loop.call_later(self.look, self._check)
