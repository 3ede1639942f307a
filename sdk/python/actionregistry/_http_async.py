"""The asynchronous transport over HTTP: HTTP/1.1 over the streams of asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import ssl
import time
from typing import AsyncIterator, Dict, List, Optional, Tuple

from ._base import ActionError
from .errors import BrowserUnavailableError
from ._http import (
    EVENT_STREAM,
    RECONNECTS,
    STREAM_SILENCE,
    EventParser,
    Message,
    answer_of,
    event_of,
    message_of,
    plain_message,
)
from ._http_sync import unreachable
from ._where import BaseURL
from ._wire import (
    ANSWER,
    FAREWELL,
    GREET,
    MAX_BODY,
    SLOWEST,
    MAX_HEAD,
    Incoming,
    Reply,
    Request,
    silent,
    timed_out,
    unknown_outcome,
    unreadable,
)

_IDLE = 8  # connections that are kept for the next calls
_IDLE_TIME = 30.0  # seconds after which a connection is no longer used

_BROKEN = (OSError, EOFError, asyncio.TimeoutError)


class _Answer:
    """The head of an answer, and its body, which is read once.

    Attributes:
        status: its status
        headers: its headers, by their names in lower case
        reusable: whether the connection can be used again, once the body was read
    """

    def __init__(self, reader: asyncio.StreamReader, head: bytes) -> None:
        self._reader = reader
        first, *lines = head.decode("latin-1").split("\r\n")
        words = first.split(" ", 2)
        if len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdigit():
            raise unreadable("it is not HTTP/1.1")
        self.status = int(words[1])
        self.headers: Dict[str, str] = {}
        for line in lines:
            name, _, value = line.partition(":")
            self.headers.setdefault(name.strip().lower(), value.strip())
        chunked = self.headers.get("transfer-encoding", "").lower() == "chunked"
        length = self.headers.get("content-length", "")
        self._left: Optional[int] = None  # None: until the end of the connection
        self._chunked = chunked
        if not chunked and length:
            if not length.isdigit() or len(length) > 12:
                raise unreadable("it has no valid length")
            self._left = int(length)
        if self.status in (204, 304):
            self._chunked, self._left = False, 0
        close = self.headers.get("connection", "").lower() == "close"
        self.reusable = words[0] == "HTTP/1.1" and not close and (chunked or self._left is not None)

    @property
    def kind(self) -> str:
        return self.headers.get("content-type", "")

    async def parts(self, wait: float) -> AsyncIterator[bytes]:
        """Yields the body in parts. `wait` is how long each may take."""
        if not self._chunked:
            while self._left is None or self._left > 0:
                most = 1 << 16 if self._left is None else min(1 << 16, self._left)
                data = await asyncio.wait_for(self._reader.read(most), wait)
                if not data:
                    if self._left is not None:
                        raise EOFError("the body has ended too early")
                    return
                if self._left is not None:
                    self._left -= len(data)
                yield data
            return
        while True:
            size = await self._line(wait)
            digits = size.split(b";")[0].strip()
            try:
                left = int(digits, 16) if len(digits) <= 8 else -1
            except ValueError:
                left = -1
            if left < 0:
                raise unreadable("a part has no valid length")
            if left == 0:
                while await self._line(wait):
                    pass  # trailers
                return
            while left > 0:
                data = await asyncio.wait_for(self._reader.read(min(left, 1 << 16)), wait)
                if not data:
                    raise EOFError("the body has ended too early")
                left -= len(data)
                yield data
            await self._line(wait)

    async def _line(self, wait: float) -> bytes:
        try:
            line = await asyncio.wait_for(self._reader.readuntil(b"\r\n"), wait)
        except asyncio.LimitOverrunError:
            raise unreadable("a line of the body is too long") from None
        return line[:-2]

    async def body(self) -> bytes:
        """Returns the whole body. One that is too large is an InternalError."""
        out = bytearray()
        began = time.monotonic()
        async for data in self.parts(ANSWER):
            out += data
            if time.monotonic() - began > ANSWER + len(out) / SLOWEST:
                raise EOFError("the answer arrives too slowly")
            if len(out) > MAX_BODY:
                raise unreadable("it is too large")
        return bytes(out)


class _Connection:
    """One connection. One call uses it at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.loop = asyncio.get_running_loop()
        self.used = time.monotonic()

    async def send(self, message: Message) -> None:
        lines = ["{} {} HTTP/1.1".format(message.method, message.target)]
        for name, value in message.headers:
            if "\r" in value or "\n" in value:
                raise ValueError("found a line break in the header {}".format(name))
            lines.append("{}: {}".format(name, value))
        head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
        self._writer.write(head + (message.body or b""))
        await asyncio.wait_for(self._writer.drain(), ANSWER)

    async def answer(self, wait: float) -> Optional[_Answer]:
        """Returns the head of the answer, or None after `wait` seconds."""
        try:
            head = await asyncio.wait_for(self._reader.readuntil(b"\r\n\r\n"), wait)
        except asyncio.TimeoutError:
            return None
        except asyncio.LimitOverrunError:
            raise unreadable("its headers are too long") from None
        return _Answer(self._reader, head[:-4])

    def stale(self) -> bool:
        old = time.monotonic() - self.used > _IDLE_TIME
        return old or self.loop is not asyncio.get_running_loop() or self._reader.at_eof()

    def close(self) -> None:
        if not self.loop.is_closed():
            self._writer.close()

    async def end(self) -> None:
        """Closes the connection and waits shortly for that."""
        self.close()
        if self.loop is asyncio.get_running_loop():
            with contextlib.suppress(OSError, asyncio.TimeoutError):
                await asyncio.wait_for(self._writer.wait_closed(), FAREWELL)


class AsyncHTTPTransport:
    """Sends requests to a server over HTTP. It may be used by several tasks of one loop."""

    def __init__(self, address: BaseURL, token: str, context: Optional[ssl.SSLContext]) -> None:
        self._address = address
        self._token = token
        self._context = context or (ssl.create_default_context() if address.secure else None)
        self._idle: List[_Connection] = []
        self._closed = False

    async def close(self) -> None:
        idle, self._idle, self._closed = self._idle, [], True
        for conn in idle:
            await conn.end()

    async def exchange(self, request: Request) -> AsyncIterator[Incoming]:
        """Sends a request and yields its events, then its reply. If the iterator is closed
        before the reply, or its task is cancelled, the request is cancelled."""
        stream = request.events and request.operation.whole
        message = message_of(self._address, self._token, request, stream)
        if stream:
            incoming = self._stream(request, message)
            try:
                async for one in incoming:
                    yield one
            finally:
                await _end(incoming)
            return
        conn, answer = await self._ask(request, message)
        try:
            body = await answer.body()
            reply = answer_of(request.operation, answer.status, answer.kind, body)
        except ActionError:
            conn.close()
            raise  # some are an OSError too
        except _BROKEN as err:
            conn.close()
            raise unknown_outcome(request.operation, err) from err
        except BaseException:
            conn.close()
            raise
        self._put(conn, answer)
        yield reply

    async def _ask(self, request: Request, message: Message) -> Tuple[_Connection, _Answer]:
        """Sends a message and returns the answer, whose body is not read."""
        until = None if request.limit is None else time.monotonic() + request.limit
        conn, fresh = await self._take()
        while True:
            try:
                await conn.send(message)
                return conn, await self._answer(conn, request, until)
            except ActionError:
                conn.close()
                raise  # some are an OSError too
            except _BROKEN as err:
                conn.close()
                if fresh or request.operation.effects and not isinstance(err, BrokenPipeError):
                    raise unknown_outcome(request.operation, err) from err
                conn, fresh = await self._connect(), True
            except BaseException:
                conn.close()  # which ends what the server does for it
                raise

    async def _answer(
        self, conn: _Connection, request: Request, until: Optional[float]
    ) -> _Answer:
        """Waits for an answer, however long it takes, as long as the server is alive."""
        while True:
            wait = GREET if until is None else min(GREET, max(0.0, until - time.monotonic()))
            answer = await conn.answer(wait)
            if answer is not None:
                return answer
            if until is not None and time.monotonic() >= until:
                raise timed_out(request.limit or 0)
            try:
                await self._simple("GET", "/healthz", ANSWER)
            except _BROKEN as err:
                raise silent(str(self._address)) from err

    async def _stream(self, request: Request, message: Message) -> AsyncIterator[Incoming]:
        """Yields the events of a run. After a lost connection it goes on with the next event."""
        conn, first = await self._ask(request, message)
        answer: Optional[_Answer] = first
        run = first.headers.get("location", "")
        parser, failures = EventParser(), 0
        try:
            while True:
                try:
                    if answer is None:
                        conn, answer = await self._again(request, run, parser.last)
                    incoming = self._incoming(request, answer, parser)
                    try:
                        async for one in incoming:
                            failures = 0
                            if isinstance(one, Reply):
                                run = ""  # it has ended
                            yield one
                    finally:
                        await _end(incoming)
                    if not run:
                        return
                    raise EOFError("the stream has ended before its result")
                except (BrowserUnavailableError,) + _BROKEN as err:
                    conn.close()
                    failures += 1
                    if failures > RECONNECTS or not run.startswith("/api/"):
                        raise unknown_outcome(request.operation, err) from err
                    answer, parser = None, parser.again()
                    await asyncio.sleep(0.1 * 2**failures)
        finally:
            conn.close()
            if run.startswith("/api/"):
                await asyncio.shield(self._cancel(run))

    async def _again(self, request: Request, run: str, last: int) -> Tuple[_Connection, _Answer]:
        message = plain_message(
            self._address, self._token, "GET", run + "/events", None, EVENT_STREAM, last
        )
        return await self._ask(request, message)

    async def _incoming(
        self, request: Request, answer: _Answer, parser: EventParser
    ) -> AsyncIterator[Incoming]:
        """Yields what an answer has: events, or a reply."""
        if not answer.kind.startswith(EVENT_STREAM):
            body = await answer.body()
            yield answer_of(request.operation, answer.status, answer.kind, body)
            return
        async for data in answer.parts(STREAM_SILENCE):
            for name, text, number in parser.feed(data):
                yield event_of(request.operation, name, text, number)

    async def _cancel(self, run: str) -> None:
        try:
            await self._simple("DELETE", run, FAREWELL)
        except Exception:
            pass  # the server cannot be reached; it ends the run at its own limit

    async def _simple(self, method: str, target: str, wait: float) -> None:
        """Sends a message on a connection of its own and waits for the head of the answer."""
        conn = await self._connect()
        try:
            await conn.send(plain_message(self._address, self._token, method, target))
            if await conn.answer(wait) is None:
                raise EOFError("no answer")
        finally:
            conn.close()

    async def _take(self) -> Tuple[_Connection, bool]:
        """Returns a connection, and whether it is a new one."""
        if self._closed:
            raise RuntimeError("the client is closed")
        while self._idle:
            conn = self._idle.pop()
            if not conn.stale():
                return conn, False
            conn.close()
        return await self._connect(), True

    def _put(self, conn: _Connection, answer: _Answer) -> None:
        conn.used = time.monotonic()
        if not self._closed and len(self._idle) < _IDLE and answer.reusable:
            self._idle.append(conn)
        else:
            conn.close()

    async def _connect(self) -> _Connection:
        try:
            reader, writer = await asyncio.wait_for(
                asyncio.open_connection(
                    self._address.host, self._address.port, ssl=self._context, limit=MAX_HEAD
                ),
                ANSWER,
            )
        except (OSError, asyncio.TimeoutError) as err:
            raise unreachable(self._address, err) from err
        return _Connection(reader, writer)


async def _end(incoming: AsyncIterator[Incoming]) -> None:
    """Ends an asynchronous generator."""
    close = getattr(incoming, "aclose", None)
    if close is not None:
        await close()
