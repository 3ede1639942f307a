"""The asynchronous transport over the daemon's socket: JSON lines over asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import subprocess
import time
from typing import AsyncIterator, List, Optional, Tuple

from ._base import ActionError
from .errors import RunTimeoutError
from ._socket import event_of_line, not_started, wrong_id
from ._where import busy, check_folder, check_peer, no_daemon, start_command
from ._wire import (
    ANSWER,
    FAREWELL,
    GREET,
    MAX_LINE,
    Incoming,
    Reply,
    Request,
    encode,
    parse,
    reply_of,
    silent,
    timed_out,
    unknown_outcome,
    unreadable,
)

_IDLE = 8  # connections that are kept for the next calls
_START = 60.0  # seconds for the daemon to start


class _Connection:
    """One connection. One call uses it at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self.loop = asyncio.get_running_loop()

    async def send(self, data: bytes) -> None:
        self._writer.write(data)
        await asyncio.wait_for(self._writer.drain(), ANSWER)

    async def line(self, wait: float) -> Optional[bytes]:
        """Returns the next line, or None after `wait` seconds. The end is an EOFError."""
        try:
            return await asyncio.wait_for(self._reader.readuntil(b"\n"), wait)
        except asyncio.TimeoutError:
            return None
        except asyncio.LimitOverrunError:
            raise unreadable("a line is too long") from None

    def stale(self) -> bool:
        """Whether the other side has ended, or the loop of the connection."""
        return self.loop is not asyncio.get_running_loop() or self._reader.at_eof()

    def close(self) -> None:
        if not self.loop.is_closed():
            self._writer.close()

    async def end(self) -> None:
        """Closes the connection and waits shortly for that."""
        self.close()
        if self.loop is asyncio.get_running_loop():
            with contextlib.suppress(OSError, asyncio.TimeoutError):
                await asyncio.wait_for(self._writer.wait_closed(), FAREWELL)


class AsyncSocketTransport:
    """Sends requests to the daemon. It may be used by several tasks of one loop at a time."""

    def __init__(self, path: str, start: bool, executable: Optional[str]) -> None:
        self.path = path
        self._start = start
        self._executable = executable
        self._ids = itertools.count(1)
        self._idle: List[_Connection] = []
        self._closed = False

    async def close(self) -> None:
        idle, self._idle, self._closed = self._idle, [], True
        for conn in idle:
            await conn.end()

    async def exchange(self, request: Request) -> AsyncIterator[Incoming]:
        """Sends a request and yields its events, then its reply. If the iterator is closed
        before the reply, or its task is cancelled, the request is cancelled."""
        operation = request.operation
        number = next(self._ids)
        line = encode({**request.fields, "id": number, "type": operation.name}) + b"\n"
        conn, fresh = await self._take()
        until = None if request.limit is None else time.monotonic() + request.limit
        sent = heard = False
        try:
            while True:
                try:
                    if not sent:
                        await conn.send(line)
                        sent = True
                    incoming = await self._next(conn, request, number, until)
                except ActionError:
                    raise  # some are an OSError too
                except (EOFError, OSError) as err:
                    conn.close()
                    if heard or fresh or operation.effects and not isinstance(err, BrokenPipeError):
                        raise unknown_outcome(operation, err) from err
                    conn, fresh = await self._connect(), True
                    sent = False  # the daemon had ended while the connection was idle
                    continue
                if isinstance(incoming, Reply):
                    break
                heard = True
                yield incoming
        except RunTimeoutError:
            await asyncio.shield(self._give_up(conn, number))
            raise
        except ActionError:
            conn.close()  # what comes next on it is unknown
            raise
        except BaseException:
            await asyncio.shield(self._give_up(conn, number))
            raise
        self._put(conn)
        yield incoming

    async def _next(
        self, conn: _Connection, request: Request, number: int, until: Optional[float]
    ) -> Incoming:
        """Returns the next event of a request, or its reply."""
        while True:
            wait = GREET if until is None else min(GREET, max(0.0, until - time.monotonic()))
            line = await conn.line(wait)
            if line is None:
                if until is not None and time.monotonic() >= until:
                    raise timed_out(request.limit or 0)
                await self._greet()
                continue
            data = parse(line)
            if data.get("id") != number:
                raise wrong_id(data)
            if "event" in data:
                return event_of_line(data)
            return reply_of(request.operation, data)

    async def _greet(self) -> None:
        """Checks that the daemon is alive."""
        try:
            conn = await self._dial()
        except (OSError, EOFError, asyncio.TimeoutError) as err:
            raise silent(self.path) from err
        try:
            await conn.send(b'{"id":0,"type":"hello"}\n')
            if await conn.line(ANSWER) is None:
                raise silent(self.path)
        except (OSError, EOFError, asyncio.TimeoutError) as err:
            raise silent(self.path) from err
        finally:
            conn.close()

    async def _give_up(self, conn: _Connection, number: int) -> None:
        """Cancels a request and waits shortly for its end."""
        try:
            await conn.send(encode({"id": "cancel", "type": "cancel", "target": number}) + b"\n")
            until = time.monotonic() + FAREWELL
            while time.monotonic() < until:
                line = await conn.line(until - time.monotonic())
                if line is None:
                    break
                data = parse(line)
                if data.get("id") == number and "event" not in data:
                    break
                if data.get("id") == "cancel" and not data.get("data", {}).get("cancelled"):
                    break
        except Exception:
            pass  # the connection has ended, which cancels too
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

    def _put(self, conn: _Connection) -> None:
        if not self._closed and len(self._idle) < _IDLE:
            self._idle.append(conn)
        else:
            conn.close()

    async def _connect(self) -> _Connection:
        """Connects to the daemon, and starts it if it is not running."""
        try:
            return await self._dial()
        except (FileNotFoundError, ConnectionRefusedError) as err:
            command = start_command(self._executable) if self._start else None
            if command is None:
                raise no_daemon(self.path, err) from err
        except (OSError, asyncio.TimeoutError) as err:
            raise busy(self.path, err) from err
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
            )
            _, stderr = await asyncio.wait_for(process.communicate(), _START)
        except (OSError, asyncio.TimeoutError) as err:
            raise no_daemon(self.path, err) from err
        try:
            return await self._dial()
        except OSError as err:
            raise not_started(stderr, self.path) from err

    async def _dial(self) -> _Connection:
        check_folder(self.path)
        reader, writer = await asyncio.wait_for(
            asyncio.open_unix_connection(self.path, limit=MAX_LINE), ANSWER
        )
        try:
            check_peer(writer.get_extra_info("socket"))
        except BaseException:
            writer.close()
            raise
        return _Connection(reader, writer)
