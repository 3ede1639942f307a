"""Servers that break the protocol, errors of each code, and secrets. No browser."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import ssl
import tempfile
import threading
import time
import unittest
from datetime import timedelta
from typing import Any, Callable, Iterator, List
from unittest import mock

import actionregistry as ar
from actionregistry import _where, errors
from actionregistry._decode import decode, plain
from actionregistry._http import EventParser
from actionregistry.models import SessionInfo

Handler = Callable[[socket.socket], None]


@contextlib.contextmanager
def listening(family: int, handle: Handler) -> Iterator[str]:
    """Runs a server that handles each connection in a thread. Yields its address."""
    with tempfile.TemporaryDirectory(prefix="wire-") as folder:
        server = socket.socket(family, socket.SOCK_STREAM)
        if family == socket.AF_UNIX:
            address = os.path.join(folder, "socket")
            server.bind(address)
        else:
            server.bind(("127.0.0.1", 0))
            address = "http://127.0.0.1:{}".format(server.getsockname()[1])
        server.listen()

        def serve() -> None:
            while True:
                try:
                    conn, _ = server.accept()
                except OSError:
                    return
                threading.Thread(target=one, args=(conn,), daemon=True).start()

        def one(conn: socket.socket) -> None:
            with conn, contextlib.suppress(OSError):
                handle(conn)

        threading.Thread(target=serve, daemon=True).start()
        try:
            yield address
        finally:
            server.shutdown(socket.SHUT_RDWR)
            server.close()


def answering(answer: Callable[[int, Any], bytes]) -> Handler:
    """Returns the handler of a daemon that answers each line with bytes."""

    def handle(conn: socket.socket) -> None:
        for line in conn.makefile("rb"):
            request = json.loads(line)
            conn.sendall(answer(request["id"], request))

    return handle


def http_answering(answer: bytes) -> Handler:
    """Returns the handler of a server that answers each request with bytes, and hangs up."""

    def handle(conn: socket.socket) -> None:
        head = b""
        while b"\r\n\r\n" not in head:
            data = conn.recv(1 << 16)
            if not data:
                return
            head += data
        conn.sendall(answer)

    return handle


def reply(number: Any, **fields: Any) -> bytes:
    return json.dumps({"id": number, **fields}).encode() + b"\n"


def http_reply(status: int, body: Any, *headers: str) -> bytes:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    kind = "application/json" if status < 400 else "application/problem+json"
    lines = ["HTTP/1.1 {} X".format(status), "Content-Length: {}".format(len(data))]
    lines += ["Content-Type: " + kind, "Connection: close", *headers]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + data


def calls(address: str, call: str = "list") -> List[Callable[[], Any]]:
    """Returns the calls of both clients to a server."""

    def options() -> Any:
        if address.startswith("http"):
            return {"base_url": address, "token": "act_secret"}
        return {"socket": address, "start": False}

    def sync() -> Any:
        with ar.Client(**options()) as c:
            return c.run("a:b:c") if call == "run" else c.sessions.list(timeout=2)

    async def concurrent() -> Any:
        async with ar.AsyncClient(**options()) as c:
            return await (c.run("a:b:c") if call == "run" else c.sessions.list(timeout=2))

    return [sync, lambda: asyncio.run(concurrent())]


class Codes(unittest.TestCase):
    def test_each_code_has_its_class(self) -> None:
        for code, cls in errors.BY_CODE.items():
            with self.subTest(code):
                self.assertEqual(cls.code, code)
                self.assertTrue(issubclass(cls, ar.ActionError))
                self.assertIs(getattr(ar, cls.__name__), cls)
                raw = {"code": code, "message": "m", "suggestion": "s", "details": {"a": 1}}
                failed = {"success": False, "error": raw, "action": "a:b:c", "duration_ms": 1}
                handle = answering(lambda number, _: reply(number, **failed))
                with listening(socket.AF_UNIX, handle) as path:
                    self.check(calls(path, "run"), cls)
                problem = {"code": code, "detail": "m", "suggestion": "s", "details": {"a": 1}}
                failed = {**problem, "status": 422, "success": False, "action": "a:b:c"}
                with listening(socket.AF_INET, http_answering(http_reply(422, failed))) as url:
                    self.check(calls(url, "run"), cls)

    def check(self, both: List[Callable[[], Any]], cls: Any) -> None:
        for call in both:
            with self.assertRaises(cls) as caught:
                call()
            err = caught.exception
            self.assertEqual((err.message, err.suggestion), ("m", "s"))
            self.assertEqual((err.details, err.result.action), ({"a": 1}, "a:b:c"))

    def test_unknown_code(self) -> None:
        raw = {"code": "NEW_CODE", "message": "m"}
        handle = answering(lambda number, _: reply(number, success=False, error=raw))
        with listening(socket.AF_UNIX, handle) as path:
            for call in calls(path):
                with self.assertRaises(ar.ActionError) as caught:
                    call()
                self.assertEqual(caught.exception.code, "NEW_CODE")


class Hostile(unittest.TestCase):
    """Answers that are no answers end in an error, soon and within bounds."""

    def fails(self, address: str, text: str, cls: Any = ar.InternalError) -> None:
        for call in calls(address):
            with self.subTest(text, call=str(call)), self.assertRaises(cls) as caught:
                call()
            self.assertIn(text, str(caught.exception))
            self.assertNotIn("act_secret", repr(caught.exception) + str(caught.exception))

    def test_lines(self) -> None:
        deep = b'{"id":1,"success":true,"data":' + b"[" * 100_000 + b"\n"
        for line, text in [
            (b"hello\n", "not JSON"),
            (b"[1]\n", "not an object"),
            (b"\xff\xfe\n", "not JSON"),
            (deep, "not JSON"),
            (reply(99, success=True), "another request"),
            (reply(1, success=True, data=None), "NoneType"),
            (reply(1, success=True, data={"sessions": [{"name": 3}]}), "SessionInfo.name"),
            (reply(1, success=True, data={"sessions": "all"}), "expected a list"),
            (reply(1, event=3), "no name"),
        ]:
            with listening(socket.AF_UNIX, answering(lambda n, r, line=line: line)) as path:
                self.fails(path, text)

    def test_long_line(self) -> None:
        for module in ("_socket", "_socket_async"):
            patch = mock.patch("actionregistry.{}.MAX_LINE".format(module), 100_000)
            patch.start()
            self.addCleanup(patch.stop)
        endless = answering(lambda number, _: b"x" * 1_000_000)
        with listening(socket.AF_UNIX, endless) as path:
            self.fails(path, "too long")

    def test_no_more_connections(self) -> None:
        raw = {"code": "LIMIT_EXCEEDED", "message": "full"}
        refuse = answering(lambda number, _: reply(None, success=False, error=raw))
        with listening(socket.AF_UNIX, refuse) as path:
            self.fails(path, "full", ar.LimitExceededError)

    def test_end_before_the_answer(self) -> None:
        with listening(socket.AF_UNIX, lambda conn: None) as path:
            self.fails(path, "before the answer", ar.BrowserUnavailableError)
        with listening(socket.AF_INET, http_answering(b"")) as url:
            self.fails(url, "before the answer", ar.BrowserUnavailableError)

    def test_http(self) -> None:
        plain_head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
        chunked = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
        chunked += b"Content-Type: application/json\r\n\r\n"
        for answer, text, cls in [
            (plain_head + b"Content-Length: 2\r\n\r\nhi", "expected JSON", ar.InternalError),
            (http_reply(302, {}, "Location: http://x/"), "302", ar.InternalError),
            (http_reply(502, b"<html>"), "502", Exception),
            (http_reply(200, b"{"), "not JSON", ar.InternalError),
            (chunked + b"zz\r\n", "", ar.ActionError),
            (chunked + b"5\r\n{", "before the answer", ar.BrowserUnavailableError),
            (b"SSH-2.0-x\r\n\r\n", "", ar.ActionError),
        ]:
            with listening(socket.AF_INET, http_answering(answer)) as url:
                self.fails(url, text, cls)

    def test_large_body(self) -> None:
        for module in ("_http_sync", "_http_async"):
            patch = mock.patch("actionregistry.{}.MAX_BODY".format(module), 1000)
            patch.start()
            self.addCleanup(patch.stop)
        answer = http_answering(http_reply(200, b"[" * 5000))
        with listening(socket.AF_INET, answer) as url:
            self.fails(url, "too large")

    def test_drips(self) -> None:
        def handle(conn: socket.socket) -> None:
            conn.recv(1 << 16)
            conn.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n")
            conn.sendall(b"Content-Length: 100000\r\n\r\n")
            for _ in range(1000):
                conn.sendall(b" ")
                time.sleep(0.02)

        with contextlib.ExitStack() as stack:
            address = stack.enter_context(listening(socket.AF_INET, handle))
            for module in ("_http_sync", "_http_async"):
                stack.enter_context(mock.patch("actionregistry." + module + ".ANSWER", 0.3))
            with ar.Client(base_url=address, token="t") as c:
                with self.assertRaises(ar.BrowserUnavailableError):
                    c.sessions.list()

            async def also() -> None:
                async with ar.AsyncClient(base_url=address, token="t") as a:
                    with self.assertRaises(ar.BrowserUnavailableError):
                        await a.sessions.list()

            asyncio.run(also())

    def test_silent(self) -> None:
        """A server that is alive but says nothing is given up: after the time limit of a call,
        or when it does not answer a greeting."""

        def handle(conn: socket.socket) -> None:
            while conn.recv(1 << 16):
                pass

        for family in (socket.AF_UNIX, socket.AF_INET):
            with listening(family, handle) as address:
                with contextlib.ExitStack() as stack:
                    for module in ("_socket", "_socket_async", "_http_sync", "_http_async"):
                        name = "actionregistry.{}.".format(module)
                        stack.enter_context(mock.patch(name + "GREET", 0.2))
                        stack.enter_context(mock.patch(name + "ANSWER", 0.3))
                        stack.enter_context(mock.patch(name + "FAREWELL", 0.1))
                    for call in calls(address, "run"):
                        with self.assertRaises(ar.BrowserUnavailableError) as caught:
                            call()
                        self.assertEqual(caught.exception.details["reason"], "silent")

    def test_time_limit(self) -> None:
        def handle(conn: socket.socket) -> None:
            for line in conn.makefile("rb"):
                request = json.loads(line)
                if request["type"] == "hello":
                    conn.sendall(reply(request["id"], success=True, data={}))

        with listening(socket.AF_UNIX, handle) as path:
            with mock.patch("actionregistry._socket.FAREWELL", 0.1):
                with ar.Client(socket=path, start=False) as c:
                    with self.assertRaises(ar.RunTimeoutError):
                        c.sessions.list(timeout=0.2)
                    with self.assertRaises(ValueError):
                        c.sessions.list(timeout=0)

    def test_daemon_that_was_replaced(self) -> None:
        """A connection whose daemon has ended while it was idle is replaced."""

        def once(conn: socket.socket) -> None:
            line = conn.makefile("rb").readline()
            number = json.loads(line)["id"]
            conn.sendall(reply(number, success=True, data={"sessions": []}))

        with listening(socket.AF_UNIX, once) as path:
            with ar.Client(socket=path, start=False) as c:
                for _ in range(3):
                    self.assertEqual(c.sessions.list().sessions, [])

            async def concurrent() -> None:
                async with ar.AsyncClient(socket=path, start=False) as c:
                    for _ in range(3):
                        self.assertEqual((await c.sessions.list()).sessions, [])

            asyncio.run(concurrent())

    def test_lost_stream(self) -> None:
        """After a lost connection a stream goes on with the event after the last one."""
        seen: List[bytes] = []
        head = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        head += b"Location: /api/v1/runs/run_1\r\nConnection: close\r\n\r\n"
        first = b'id: 1\nevent: step\ndata: {"index": 0}\n\nid: 2\neve'
        last = b'id: 2\nevent: step\ndata: {"index": 1}\n\n'
        last += b'id: 3\nevent: result\ndata: {"success": true, "action": "a:b:c"}\n\n'

        def handle(conn: socket.socket) -> None:
            request = b""
            while b"\r\n\r\n" not in request:
                request += conn.recv(1 << 16)
            seen.append(request)
            conn.sendall(head + (last if b"Last-Event-ID: 1" in request else first))

        async def concurrent(url: str) -> Any:
            async with ar.AsyncClient(url, "t") as c, c.stream("a:b:c") as events:
                return [e.step.index async for e in events], events.result.action

        with listening(socket.AF_INET, handle) as url:
            with ar.Client(url, "t") as c, c.stream("a:b:c") as events:
                self.assertEqual([e.step.index for e in events], [0, 1])
            self.assertEqual(events.result.action, "a:b:c")
            self.assertEqual(asyncio.run(concurrent(url)), ([0, 1], "a:b:c"))
        self.assertIn(b"GET /api/v1/runs/run_1/events", seen[1])
        self.assertFalse(any(b"DELETE" in one for one in seen))


class TLS(unittest.TestCase):
    """Servers with a certificate. TLS_PEM is the file with one for localhost, and its key."""

    def test_https(self) -> None:
        file = os.environ["TLS_PEM"]
        server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        server.load_cert_chain(file)

        def handle(conn: socket.socket) -> None:
            with server.wrap_socket(conn, server_side=True) as secure:
                for _ in range(2):  # on one connection
                    while b"\r\n\r\n" not in secure.recv(1 << 16):
                        pass
                    time.sleep(0.6)  # longer than a client waits without a greeting
                    answer = http_reply(200, {"sessions": []})
                    secure.sendall(answer.replace(b"Connection: close\r\n", b""))

        with listening(socket.AF_INET, handle) as address, contextlib.ExitStack() as stack:
            for module in ("_http_sync", "_http_async"):
                stack.enter_context(mock.patch("actionregistry." + module + ".GREET", 0.2))
            url = address.replace("http://127.0.0.1", "https://localhost")
            trusted = ssl.create_default_context(cafile=file)
            with ar.Client(url, "t", ssl_context=trusted) as c:
                for _ in range(2):
                    self.assertEqual(c.sessions.list().sessions, [])

            async def concurrent() -> None:
                async with ar.AsyncClient(url, "t", ssl_context=trusted) as c:
                    for _ in range(2):
                        self.assertEqual((await c.sessions.list()).sessions, [])

            asyncio.run(concurrent())
            for call in calls(url):  # the system does not know the certificate
                with self.assertRaises(ar.BrowserUnavailableError) as caught:
                    call()
                self.assertIn("certificate", str(caught.exception).lower())


class Options(unittest.TestCase):
    def test_no_daemon(self) -> None:
        with tempfile.TemporaryDirectory(prefix="wire-") as folder:
            for call in calls(os.path.join(folder, "socket")):
                with self.assertRaises(ar.BrowserUnavailableError) as caught:
                    call()
                self.assertEqual(caught.exception.details["reason"], "no_daemon")
                self.assertIn("action daemon start", caught.exception.suggestion)

    def test_long_path(self) -> None:
        with tempfile.TemporaryDirectory(prefix="wire-") as folder:
            for call in calls(os.path.join(folder, "x" * 200)):
                with self.assertRaises(ar.BrowserUnavailableError) as caught:
                    call()
                self.assertIn("does not accept", caught.exception.message)

    def test_foreign_folder(self) -> None:
        with tempfile.TemporaryDirectory(prefix="wire-") as folder:
            os.chmod(folder, 0o755)
            path = os.path.join(folder, "socket")
            for call in calls(path):
                with self.assertRaises(ar.SecurityError):
                    call()
            os.chmod(folder, 0o700)
            os.symlink("/dev/null", path)
            for call in calls(path):
                with self.assertRaises(ar.SecurityError):
                    call()
            os.mkdir(os.path.join(folder, "inner"), 0o700)
            os.chmod(folder, 0o777)
            for call in calls(os.path.join(folder, "inner", "socket")):
                with self.assertRaises(ar.SecurityError):
                    call()

    def test_no_server(self) -> None:
        for call in calls("http://127.0.0.1:1"):
            with self.assertRaises(ar.BrowserUnavailableError) as caught:
                call()
            self.assertEqual(caught.exception.details["reason"], "no_server")

    def test_socket_path(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            with mock.patch.dict(os.environ, {"XDG_RUNTIME_DIR": folder}):
                self.assertEqual(_where.socket_path(), folder + "/action/daemon.sock")
            missing = {"XDG_RUNTIME_DIR": folder + "/none", "TMPDIR": folder}
            with mock.patch.dict(os.environ, missing):
                path = "{}/action-{}/daemon.sock".format(folder, os.geteuid())
                self.assertEqual(_where.socket_path(), path)

    def test_token(self) -> None:
        with tempfile.TemporaryDirectory() as home, mock.patch.dict(os.environ, {"HOME": home}):
            with self.assertRaises(ar.InvalidRequestError):
                ar.Client("http://127.0.0.1:7666")
            os.mkdir(home + "/.agent-browser")
            file = home + "/.agent-browser/serve-token.json"
            with open(file, "w", encoding="utf-8") as f:
                json.dump([{"name": "default", "token": "act_secret"}], f)
            os.chmod(file, 0o644)
            with self.assertRaises(ar.SecurityError):
                ar.Client("http://127.0.0.1:7666")
            os.chmod(file, 0o600)
            for made in (ar.Client("http://127.0.0.1:7666"), ar.AsyncClient("http://[::1]:1")):
                self.assertNotIn("act_secret", repr(made) + str(vars(made)))
            # The own token goes to no other machine.
            with self.assertRaises(ar.InvalidRequestError):
                ar.Client("https://example.com")

    def test_wrong_options(self) -> None:
        for wrong in (
            {"token": "t"},
            {"base_url": "http://h", "token": "t", "cwd": "/"},
            {"base_url": "http://h", "token": "a b\n"},
        ):
            with self.assertRaises(ValueError):
                ar.Client(**wrong)  # type: ignore[arg-type]
        for url in ("h:1", "ftp://h", "http://u:p@h", "http://h:x", "http://h?q"):
            with self.assertRaises(ar.InvalidRequestError) as caught:
                ar.Client(url, "t")
            self.assertNotIn("u:p", str(caught.exception))

    def test_requests(self) -> None:
        """What the socket gets: only given fields, and the client's own."""
        got: List[Any] = []

        def answer(number: int, request: Any) -> bytes:
            got.append(request)
            return reply(number, success=True, data={}, action="step", duration_ms=1)

        with listening(socket.AF_UNIX, answering(answer)) as path:
            options: Any = {"socket": path, "start": False, "cwd": "/", "env": {"A": "b"}}
            with ar.Client(path="/defs", unattended=True, **options) as c:
                c.session("s").wait(time=timedelta(seconds=2), timeout=3)
                c.session("s").fill_form({"b": 1, "a": 2})
                c.sessions.open("s", headed=False)
                with self.assertRaises(ar.InvalidRequestError):
                    c.run("a:b:c", value=object())
                with self.assertRaises(TypeError):
                    c.run("a:b:c", {"x": 1}, x=2)
        sent, form, opened = got
        self.assertEqual(sent["args"], {"time": 2000})
        self.assertEqual((sent["timeout"], sent["session"], sent["cwd"]), (3000, "s", "/"))
        self.assertEqual((sent["path"], sent["env"]), ("/defs", {"A": "b"}))
        self.assertIs(sent["unattended"], True)
        labels = [f["label"] for f in form["args"]["fields"]]
        self.assertEqual(labels, ["b", "a"])
        self.assertEqual(opened["options"], {"headed": False})


class Data(unittest.TestCase):
    def test_times(self) -> None:
        made = decode(SessionInfo, {"name": "a", "expires_at": "2026-01-02T03:04:05.123456789Z"})
        assert made.expires_at is not None
        self.assertEqual(made.expires_at.isoformat(), "2026-01-02T03:04:05.123456+00:00")
        made = decode(SessionInfo, {"expires_at": "2026-01-02T03:04:05-01:30", "new": 1})
        assert made.expires_at is not None
        self.assertEqual(made.expires_at.utcoffset(), timedelta(hours=-1, minutes=-30))
        self.assertEqual((made.name, made["new"], made.raw["new"]), ("", 1, 1))
        with self.assertRaises(ar.InternalError):
            decode(SessionInfo, {"expires_at": "soon"})

    def test_plain(self) -> None:
        given = {"a": (timedelta(milliseconds=5), None), "b": {"c": None}}
        self.assertEqual(plain(given), {"a": [5, None], "b": {"c": None}})

    def test_events(self) -> None:
        parser = EventParser()
        text = b': hi\r\n\r\nid: 1\nevent: step\ndata: {"a":\ndata: 1}\n\nid: x\ndata: 2\n\n'
        out = [event for i in range(len(text)) for event in parser.feed(text[i : i + 1])]
        self.assertEqual(out, [("step", b'{"a":\n1}', 1), ("", b"2", 0)])
        with mock.patch("actionregistry._http.MAX_LINE", 1000):
            with self.assertRaises(ar.InternalError):
                for _ in range(100):
                    parser.feed(b"data: " + b"x" * 100 + b"\n")


if __name__ == "__main__":
    unittest.main()
