"""The synchronous transport over the daemon's socket: JSON lines."""

from __future__ import annotations

import itertools
import selectors
import socket
import subprocess
import threading
import time
from typing import Any, Dict, Iterator, List, Optional, Tuple

from ._base import ActionError
from .errors import BrowserUnavailableError, RunTimeoutError
from ._events import Event
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
    error_of,
    parse,
    reply_of,
    silent,
    timed_out,
    unknown_outcome,
    unreadable,
)

_IDLE = 8  # connections that are kept for the next calls
_START = 60.0  # seconds for the daemon to start


def readable(sock: socket.socket) -> bool:
    """Whether a connection has something to read, or has ended."""
    with selectors.DefaultSelector() as selector:
        selector.register(sock, selectors.EVENT_READ)
        return bool(selector.select(0))


class _Connection:
    """One connection. One call uses it at a time."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._buffer = bytearray()
        self._seen = 0  # bytes of the buffer that have no line break

    def send(self, data: bytes) -> None:
        self._sock.settimeout(ANSWER)
        self._sock.sendall(data)

    def line(self, wait: float) -> Optional[bytes]:
        """Returns the next line, or None after `wait` seconds. The end is an EOFError."""
        until = time.monotonic() + wait
        while True:
            end = self._buffer.find(b"\n", self._seen)
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                self._seen = 0
                return line
            self._seen = len(self._buffer)
            if self._seen > MAX_LINE:
                raise unreadable("a line is too long")
            left = until - time.monotonic()
            if left <= 0:
                return None
            self._sock.settimeout(left)
            try:
                data = self._sock.recv(1 << 16)
            except socket.timeout:
                return None
            if not data:
                raise EOFError("the connection has ended")
            self._buffer += data

    def stale(self) -> bool:
        """Whether the other side has ended, or has sent what nobody expects."""
        if self._buffer:
            return True
        return readable(self._sock)

    def close(self) -> None:
        self._sock.close()


class SocketTransport:
    """Sends requests to the daemon. It may be used by several threads at a time."""

    def __init__(self, path: str, start: bool, executable: Optional[str]) -> None:
        self.path = path
        self._start = start
        self._executable = executable
        self._ids = itertools.count(1)
        self._lock = threading.Lock()  # guards the fields below
        self._idle: List[_Connection] = []
        self._closed = False

    def close(self) -> None:
        with self._lock:
            idle, self._idle, self._closed = self._idle, [], True
        for conn in idle:
            conn.close()

    def exchange(self, request: Request) -> Iterator[Incoming]:
        """Sends a request and yields its events, then its reply. If the iterator is closed
        before the reply, or interrupted, the request is cancelled."""
        operation = request.operation
        number = next(self._ids)
        line = encode({**request.fields, "id": number, "type": operation.name}) + b"\n"
        conn, fresh = self._take()
        until = None if request.limit is None else time.monotonic() + request.limit
        sent = heard = False
        try:
            while True:
                try:
                    if not sent:
                        conn.send(line)
                        sent = True
                    incoming = self._next(conn, request, number, until)
                except ActionError:
                    raise  # some are an OSError too
                except (EOFError, OSError) as err:
                    conn.close()
                    if heard or fresh or operation.effects and not isinstance(err, BrokenPipeError):
                        raise unknown_outcome(operation, err) from err
                    conn, fresh = self._connect(), True
                    sent = False  # the daemon had ended while the connection was idle
                    continue
                if isinstance(incoming, Reply):
                    break
                heard = True
                yield incoming
        except RunTimeoutError:
            self._give_up(conn, number)
            raise
        except ActionError:
            conn.close()  # what comes next on it is unknown
            raise
        except BaseException:
            self._give_up(conn, number)
            raise
        self._put(conn)
        yield incoming

    def _next(
        self, conn: _Connection, request: Request, number: int, until: Optional[float]
    ) -> Incoming:
        """Returns the next event of a request, or its reply."""
        while True:
            wait = GREET if until is None else min(GREET, max(0.0, until - time.monotonic()))
            line = conn.line(wait)
            if line is None:
                if until is not None and time.monotonic() >= until:
                    raise timed_out(request.limit or 0)
                self._greet()
                continue
            data = parse(line)
            if data.get("id") != number:
                raise wrong_id(data)
            if "event" in data:
                return event_of_line(data)
            return reply_of(request.operation, data)

    def _greet(self) -> None:
        """Checks that the daemon is alive."""
        try:
            conn = self._dial()
        except (OSError, EOFError) as err:
            raise silent(self.path) from err
        try:
            conn.send(b'{"id":0,"type":"hello"}\n')
            if conn.line(ANSWER) is None:
                raise silent(self.path)
        except (OSError, EOFError) as err:
            raise silent(self.path) from err
        finally:
            conn.close()

    def _give_up(self, conn: _Connection, number: int) -> None:
        """Cancels a request and waits shortly for its end."""
        try:
            conn.send(encode({"id": "cancel", "type": "cancel", "target": number}) + b"\n")
            until = time.monotonic() + FAREWELL
            while time.monotonic() < until:
                line = conn.line(until - time.monotonic())
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

    def _take(self) -> Tuple[_Connection, bool]:
        """Returns a connection, and whether it is a new one."""
        while True:
            with self._lock:
                if self._closed:
                    raise RuntimeError("the client is closed")
                conn = self._idle.pop() if self._idle else None
            if conn is None:
                return self._connect(), True
            if not conn.stale():
                return conn, False
            conn.close()

    def _put(self, conn: _Connection) -> None:
        with self._lock:
            if not self._closed and len(self._idle) < _IDLE:
                self._idle.append(conn)
                return
        conn.close()

    def _connect(self) -> _Connection:
        """Connects to the daemon, and starts it if it is not running."""
        try:
            return self._dial()
        except (FileNotFoundError, ConnectionRefusedError) as err:
            command = start_command(self._executable) if self._start else None
            if command is None:
                raise no_daemon(self.path, err) from err
        except OSError as err:
            raise busy(self.path, err) from err
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                timeout=_START,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as err:
            raise no_daemon(self.path, err) from err
        try:
            return self._dial()
        except OSError as err:
            raise not_started(done.stderr, self.path) from err

    def _dial(self) -> _Connection:
        check_folder(self.path)
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            sock.settimeout(ANSWER)
            sock.connect(self.path)
            check_peer(sock)
        except BaseException:
            sock.close()
            raise
        return _Connection(sock)


def wrong_id(data: Dict[str, Any]) -> ActionError:
    """Returns the error for a line of another request. A daemon that takes no more connections
    answers without an id."""
    if data.get("id") is None and data.get("error"):
        return error_of(data["error"])
    return unreadable("it belongs to another request")


def event_of_line(data: Dict[str, Any]) -> Event:
    """Returns the event in a line. One that was too large has the error in place of its data."""
    name = data["event"]
    if not isinstance(name, str):
        raise unreadable("an event has no name")
    if "error" in data:
        return Event(name, {"error": data["error"]})
    return Event(name, data.get("data"))


def not_started(stderr: bytes, path: str) -> BrowserUnavailableError:
    """Returns the error of a daemon that could not be started."""
    text = stderr.decode("utf-8", "replace").strip()[-500:]
    return BrowserUnavailableError(
        "the daemon could not be started: {}".format(text or "no daemon answers at " + path),
        suggestion="find the reason with: action daemon run",
        details={"reason": "no_daemon"},
    )


__all__ = ["SocketTransport", "event_of_line", "not_started", "readable", "wrong_id"]
