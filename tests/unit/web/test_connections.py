"""Connections that send nothing, or half of something, over real sockets with short limits."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable
from typing import Any

import uvicorn

from hushwood.web.connections import Connection

Stream = tuple[asyncio.StreamReader, asyncio.StreamWriter]
POST = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\n"


class Impatient(Connection):
    look, head, body, most = 0.02, 0.2, 0.4, 4


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Answers with the body; an application that waits for a body that does not come is told so."""
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body, more = body + message["body"], message["more_body"]
    await asyncio.sleep(0.5 if body == b"slow" else 0)
    length = str(len(body)).encode()
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
    await send({"type": "http.response.body", "body": body})


def serving(visit: Callable[[Callable[[], Awaitable[Stream]]], Awaitable[None]]) -> None:
    """Visit a server that is short of patience; `visit` gets what opens a connection."""

    async def run() -> None:
        config = uvicorn.Config(echo, http=Impatient, ws="none", lifespan="off", log_level="warning")
        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            port = listening.getsockname()[1]
            server = uvicorn.Server(config)
            server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
            task = asyncio.create_task(server.serve(sockets=[listening]))
            while not server.started:
                await asyncio.sleep(0.01)
            try:
                await asyncio.wait_for(visit(lambda: asyncio.open_connection("127.0.0.1", port)), 30)
            finally:
                server.should_exit = True
                await task

    asyncio.run(run())


async def closed(stream: Stream) -> bool:
    """Whether the server ends the connection without an answer."""
    try:
        return await asyncio.wait_for(stream[0].read(), 10) == b""
    except ConnectionResetError:
        return True
    finally:
        stream[1].close()


def test_half_a_request_is_given_up() -> None:
    async def visit(connect: Callable[[], Awaitable[Stream]]) -> None:
        for sent in (b"", b"GET / HTT", b"GET / HTTP/1.1\r\nHost: x\r\n", POST, POST + b"abc"):
            stream = await connect()
            stream[1].write(sent)
            assert await closed(stream), sent

    serving(visit)


def test_a_head_that_drips_is_given_up_and_a_body_that_drips_is_not() -> None:
    async def visit(connect: Callable[[], Awaitable[Stream]]) -> None:
        reader, writer = await connect()
        for sign in b"GET / HTTP/1.1\r\n" + b"X: " + b"x" * 60:
            try:
                writer.write(bytes([sign]))
                await writer.drain()
            except ConnectionError:
                break
            await asyncio.sleep(0.02)
        else:
            raise AssertionError("nobody minded")

        reader, writer = await connect()
        writer.write(POST)
        for sign in b"body":
            await asyncio.sleep(0.2)  # longer in all than a silence may last
            writer.write(bytes([sign]))
        assert (await reader.readuntil(b"body")).startswith(b"HTTP/1.1 200")
        writer.close()

    serving(visit)


def test_an_answer_may_take_its_time() -> None:
    async def visit(connect: Callable[[], Awaitable[Stream]]) -> None:
        reader, writer = await connect()
        writer.write(POST + b"slow")
        assert (await reader.readuntil(b"slow")).startswith(b"HTTP/1.1 200")
        writer.close()

    serving(visit)


def test_when_too_many_wait_the_longest_waiting_one_goes() -> None:
    async def visit(connect: Callable[[], Awaitable[Stream]]) -> None:
        busy = await connect()
        busy[1].write(POST + b"slow")
        streams = [await connect() for _ in range(Impatient.most + 1)]
        assert await closed(streams[0])
        for stream in streams[1:]:
            stream[1].write(POST + b"fast")
        for reader, writer in streams[1:]:
            assert (await reader.readuntil(b"fast")).startswith(b"HTTP/1.1 200")
            writer.close()
        assert (await busy[0].readuntil(b"slow")).startswith(b"HTTP/1.1 200")
        busy[1].close()

    serving(visit)
