"""The synchronous transport over HTTP: connections that are kept, and server-sent events."""

from __future__ import annotations

import http.client
import io
import socket
import ssl
import threading
import time
from typing import Any, Iterator, List, Optional, Tuple

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
from ._socket import readable
from ._where import BaseURL
from ._wire import (
    ANSWER,
    FAREWELL,
    GREET,
    MAX_BODY,
    SLOWEST,
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

_BROKEN = (OSError, http.client.HTTPException, EOFError)


class _Connection:
    """One connection. One call uses it at a time."""

    def __init__(self, address: BaseURL, context: Optional[ssl.SSLContext]) -> None:
        self._http: http.client.HTTPConnection
        if address.secure:
            self._http = http.client.HTTPSConnection(
                address.host, address.port, timeout=ANSWER, context=context
            )
        else:
            self._http = http.client.HTTPConnection(address.host, address.port, timeout=ANSWER)
        self._http.connect()
        self._source: Optional[_Source] = None
        self.used = time.monotonic()

    @property
    def _sock(self) -> socket.socket:
        sock: Optional[socket.socket] = self._http.sock
        if sock is None:
            raise EOFError("the connection has ended")
        return sock

    def send(self, message: Message) -> None:
        self._sock.settimeout(ANSWER)
        self._http.putrequest(
            message.method, message.target, skip_host=True, skip_accept_encoding=True
        )
        for name, value in message.headers:
            self._http.putheader(name, value)
        self._http.endheaders(message.body)

    def answer(self, wait: float) -> Optional[http.client.HTTPResponse]:
        """Returns the head of the answer, or None if nothing arrives within `wait` seconds."""
        sock = self._sock
        sock.settimeout(max(wait, 0.001))
        try:
            first = sock.recv(1)
        except socket.timeout:
            return None
        if not first:
            raise EOFError("the connection has ended")
        sock.settimeout(ANSWER)
        source = self._source = _Source(first, sock)
        self._http.response_class = source.response  # type: ignore[assignment]
        return self._http.getresponse()

    def patience(self, wait: float) -> None:
        """Sets how long a read may take. The whole answer may take any time."""
        if self._source is not None:
            self._source.until = None
        if self._http.sock is not None:
            self._http.sock.settimeout(wait)

    def stale(self) -> bool:
        return time.monotonic() - self.used > _IDLE_TIME or readable(self._sock)

    def close(self) -> None:
        self._http.close()


class _Source(io.RawIOBase):
    """What a connection sends, whose first byte was read before. http.client reads from it: only
    the wait for the first byte can be repeated, also with TLS, whose own messages come first."""

    def __init__(self, first: bytes, sock: socket.socket) -> None:
        self._first = first
        self._rest = sock.makefile("rb", buffering=0)
        # When the answer is given up. What arrives moves it, if that is not too slow.
        self.until: Optional[float] = time.monotonic() + ANSWER

    def response(self, sock: socket.socket, **options: Any) -> http.client.HTTPResponse:
        return http.client.HTTPResponse(self, **options)  # type: ignore[arg-type]

    def makefile(self, mode: str) -> io.BufferedReader:
        return io.BufferedReader(self)

    def readable(self) -> bool:
        return True

    def readinto(self, into: Any) -> Optional[int]:
        if self._first:
            into[:1], self._first = self._first, b""
            return 1
        if self.until is not None and time.monotonic() > self.until:
            raise EOFError("the answer arrives too slowly")
        count = self._rest.readinto(into)
        if count and self.until is not None:
            self.until += count / SLOWEST
        return count

    def close(self) -> None:
        self._rest.close()
        super().close()


class HTTPTransport:
    """Sends requests to a server over HTTP. It may be used by several threads at a time."""

    def __init__(self, address: BaseURL, token: str, context: Optional[ssl.SSLContext]) -> None:
        self._address = address
        self._token = token
        self._context = context or (ssl.create_default_context() if address.secure else None)
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
        stream = request.events and request.operation.whole
        message = message_of(self._address, self._token, request, stream)
        if stream:
            yield from self._stream(request, message)
            return
        conn, answer = self._ask(request, message)
        try:
            reply = answer_of(
                request.operation, answer.status, _kind(answer), _body(answer, conn)
            )
        except _BROKEN as err:
            conn.close()
            raise unknown_outcome(request.operation, err) from err
        except BaseException:
            conn.close()
            raise
        self._put(conn, answer)
        yield reply

    def _ask(
        self, request: Request, message: Message
    ) -> Tuple[_Connection, http.client.HTTPResponse]:
        """Sends a message and returns the answer, whose body is not read."""
        until = None if request.limit is None else time.monotonic() + request.limit
        conn, fresh = self._take()
        while True:
            try:
                conn.send(message)
                return conn, self._answer(conn, request, until)
            except ActionError:
                conn.close()
                raise  # some are an OSError too
            except _BROKEN as err:
                conn.close()
                if fresh or request.operation.effects and not isinstance(err, BrokenPipeError):
                    raise unknown_outcome(request.operation, err) from err
                conn, fresh = self._connect(), True
            except BaseException:
                conn.close()  # which ends what the server does for it
                raise

    def _answer(
        self, conn: _Connection, request: Request, until: Optional[float]
    ) -> http.client.HTTPResponse:
        """Waits for an answer, however long it takes, as long as the server is alive."""
        while True:
            wait = GREET if until is None else min(GREET, max(0.0, until - time.monotonic()))
            answer = conn.answer(wait)
            if answer is not None:
                return answer
            if until is not None and time.monotonic() >= until:
                raise timed_out(request.limit or 0)
            try:
                self._simple("GET", "/healthz", ANSWER)
            except _BROKEN as err:
                raise silent(str(self._address)) from err

    def _stream(self, request: Request, message: Message) -> Iterator[Incoming]:
        """Yields the events of a run. After a lost connection it goes on with the next event."""
        conn, first = self._ask(request, message)
        answer: Optional[http.client.HTTPResponse] = first
        run = first.headers.get("Location", "")
        parser, failures = EventParser(), 0
        try:
            while True:
                try:
                    if answer is None:
                        conn, answer = self._again(request, run, parser.last)
                    for incoming in self._incoming(request, conn, answer, parser):
                        failures = 0
                        if isinstance(incoming, Reply):
                            run = ""  # it has ended
                        yield incoming
                    if not run:
                        return
                    raise EOFError("the stream has ended before its result")
                except (BrowserUnavailableError,) + _BROKEN as err:
                    conn.close()
                    failures += 1
                    if failures > RECONNECTS or not run.startswith("/api/"):
                        raise unknown_outcome(request.operation, err) from err
                    answer, parser = None, parser.again()
                    time.sleep(0.1 * 2**failures)
        finally:
            conn.close()
            if run.startswith("/api/"):
                self._cancel(run)

    def _incoming(
        self,
        request: Request,
        conn: _Connection,
        answer: http.client.HTTPResponse,
        parser: EventParser,
    ) -> Iterator[Incoming]:
        """Yields what an answer has: events, or a reply."""
        if not _kind(answer).startswith(EVENT_STREAM):
            body = _body(answer, conn)
            yield answer_of(request.operation, answer.status, _kind(answer), body)
            return
        conn.patience(STREAM_SILENCE)
        while True:
            data = answer.read1(1 << 16)
            if not data:
                return
            for name, text, number in parser.feed(data):
                yield event_of(request.operation, name, text, number)

    def _again(
        self, request: Request, run: str, last: int
    ) -> Tuple[_Connection, http.client.HTTPResponse]:
        message = plain_message(
            self._address, self._token, "GET", run + "/events", None, EVENT_STREAM, last
        )
        return self._ask(request, message)

    def _cancel(self, run: str) -> None:
        try:
            self._simple("DELETE", run, FAREWELL)
        except Exception:
            pass  # the server cannot be reached; it ends the run at its own limit

    def _simple(self, method: str, target: str, wait: float) -> None:
        """Sends a message on a connection of its own and waits for the head of the answer."""
        conn = _Connection(self._address, self._context)
        try:
            conn.send(plain_message(self._address, self._token, method, target))
            if conn.answer(wait) is None:
                raise EOFError("no answer")
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

    def _put(self, conn: _Connection, answer: http.client.HTTPResponse) -> None:
        conn.used = time.monotonic()
        with self._lock:
            if not self._closed and len(self._idle) < _IDLE and not answer.will_close:
                self._idle.append(conn)
                return
        conn.close()

    def _connect(self) -> _Connection:
        try:
            return _Connection(self._address, self._context)
        except OSError as err:
            raise unreachable(self._address, err) from err


def unreachable(address: BaseURL, err: BaseException) -> BrowserUnavailableError:
    """Returns the error of a server that takes no connection."""
    return BrowserUnavailableError(
        "no server answers at {}: {}".format(address, err),
        suggestion="start it with: action serve",
        details={"reason": "no_server"},
    )


def _kind(answer: http.client.HTTPResponse) -> str:
    return answer.headers.get("Content-Type", "")


def _body(answer: http.client.HTTPResponse, conn: _Connection) -> bytes:
    """Returns the body of an answer. One that is too large is an InternalError."""
    body = answer.read(MAX_BODY + 1)
    if len(body) > MAX_BODY:
        raise unreadable("it is too large")
    return body
