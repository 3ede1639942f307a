"""Requests and answers over HTTP, whatever sends them."""

from __future__ import annotations

import re
import urllib.parse
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

from ._base import ActionError
from .errors import BrowserUnavailableError, InvalidRequestError, SecurityError
from ._events import Event
from ._table import Operation
from ._where import BaseURL
from ._wire import MAX_LINE, Reply, Request, encode, error_of, parse, unreadable

EVENT_STREAM = "text/event-stream"
# The server sends something at least every 15 seconds.
STREAM_SILENCE = 45.0
# How often the events of a run are requested again after the connection has ended.
RECONNECTS = 5

# Fields of session.open that have other names over HTTP. Those that are not here it does not have.
_OPTIONS = {
    "viewport": "viewport",
    "user_agent": "userAgent",
    "locale": "locale",
    "idle_timeout": "timeout",
    "javascript": "javascript",
    "ignore_https_errors": "ignoreHttpsErrors",
    "headed": "headed",
    "proxy": "proxy",
}


class Message(NamedTuple):
    """A request over HTTP. `target` is its path with its query; `body` is None for none."""

    method: str
    target: str
    body: Optional[bytes]
    headers: List[Tuple[str, str]]


def message_of(address: BaseURL, token: str, request: Request, stream: bool) -> Message:
    """Returns the message of a request. An operation or a field that HTTP does not have is an
    InvalidRequestError."""
    operation = request.operation
    rest = dict(request.fields)
    rest.pop("stream", None)
    path = _path(operation, rest)
    body: Optional[Dict[str, Any]] = None
    query = rest
    if operation.name == "session.open":
        body, query = _open(rest), {}
    elif operation.method == "POST":
        if "params" in operation.fields or "args" in operation.fields:
            body = rest.pop("params", None) or rest.pop("args", None) or {}
        else:
            body, query = rest, {}
    pairs = [(operation.renamed.get(k, k), _word(v)) for k, v in query.items()]
    target = path + ("?" + urllib.parse.urlencode(pairs) if pairs else "")
    accept = EVENT_STREAM if stream else "application/json"
    return plain_message(address, token, operation.method, target, body, accept)


def plain_message(
    address: BaseURL,
    token: str,
    method: str,
    target: str,
    body: Optional[Mapping[str, Any]] = None,
    accept: str = "application/json",
    last_event: int = 0,
) -> Message:
    """Returns a message for a path of the server."""
    headers = [
        ("Host", address.authority),
        ("Authorization", "Bearer " + token),
        ("Accept", accept),
        ("User-Agent", "actionregistry-python"),
    ]
    if last_event:
        headers.append(("Last-Event-ID", str(last_event)))
    data = None
    if body is not None:
        data = encode(body)
        headers += [("Content-Type", "application/json"), ("Content-Length", str(len(data)))]
    elif method == "POST":
        headers.append(("Content-Length", "0"))
    return Message(method, address.prefix + target, data, headers)


def _path(operation: Operation, rest: Dict[str, Any]) -> str:
    """Returns the path of an operation and takes its fields out of `rest`."""
    if not operation.path:
        raise InvalidRequestError(
            "{} is not available over HTTP".format(operation.name),
            suggestion="use the socket, with Client()",
        )
    names = {}
    if "{verb}" in operation.path:
        parts = str(rest.pop("action")).split(":")
        if len(parts) != 3:
            raise InvalidRequestError(
                "found a name of {} parts, expected namespace:component:verb".format(len(parts)),
                suggestion="namespaces are described only over the socket",
            )
        names = dict(zip(("ns", "component", "verb"), parts))
    elif "{id}" in operation.path:
        names["id"] = rest.pop("session", "default")
    out = operation.path
    for name in re.findall(r"{(\w+)}", out):
        value = names[name] if name in names else rest.pop(name)
        quoted = urllib.parse.quote(str(value), safe="")
        if quoted in ("", ".", ".."):
            raise InvalidRequestError("found the empty name {!r}".format(value))
        out = out.replace("{" + name + "}", quoted)
    return out


def _open(rest: Dict[str, Any]) -> Dict[str, Any]:
    if rest.get("session") is not None:
        raise InvalidRequestError(
            "found the name of a session, expected none: over HTTP the server chooses it",
            suggestion="leave out the name, and use that of the answer",
        )
    body = {}
    for name, value in rest.get("options", {}).items():
        if name not in _OPTIONS:
            raise InvalidRequestError(
                "the option {} is not available over HTTP".format(name),
                suggestion="use the socket, with Client()",
            )
        if name == "idle_timeout" and not isinstance(value, int):
            raise InvalidRequestError(
                "found the idle_timeout {!r}, expected milliseconds or a timedelta".format(value)
            )
        body[_OPTIONS[name]] = value
    return body


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def answer_of(operation: Optional[Operation], status: int, kind: str, body: bytes) -> Reply:
    """Returns the reply in an answer that is no stream. `kind` is its content type."""
    if 300 <= status < 400:
        raise unreadable("found the status {}, which leads elsewhere".format(status))
    if status >= 400:
        return Reply(None, _problem(operation, status, _object(kind, body)))
    data = parse(body) if _is_json(kind) else None
    if data is None:
        raise unreadable("its type is {!r}, expected JSON".format(kind[:60]))
    name = operation.name if operation is not None else ""
    if name == "session.open":
        return Reply(_snake(data), None)
    if name == "session.list":
        sessions = data.get("sessions")
        listed = sessions if isinstance(sessions, list) else []
        return Reply({"sessions": [_snake(s) for s in listed]}, None)
    return Reply(data, None)


def _is_json(kind: str) -> bool:
    return kind.split(";")[0].strip() in ("application/json", "application/problem+json")


def _object(kind: str, body: bytes) -> Optional[Dict[str, Any]]:
    """Returns the object in a body, or None for what a proxy answers itself."""
    try:
        return parse(body) if _is_json(kind) else None
    except ActionError:
        return None


def _problem(
    operation: Optional[Operation], status: int, data: Optional[Mapping[str, Any]]
) -> ActionError:
    if data is None or "code" not in data:
        text = "found the status {} without an error of action".format(status)
        if status in (401, 403):
            return SecurityError(text, suggestion="check the token")
        return BrowserUnavailableError(text, suggestion="check the address of the server")
    raw = {
        "code": data.get("code"),
        "message": data.get("detail"),
        "suggestion": data.get("suggestion"),
        "details": data.get("details"),
    }
    whole = None
    if operation is not None and operation.whole and "success" in data:
        whole = {**data, "success": False, "error": raw}
    return error_of(raw, whole)


def _snake(data: Any) -> Dict[str, Any]:
    """Returns a session with the names of its fields on the socket."""
    out: Dict[str, Any] = {}
    for name, value in (data.items() if isinstance(data, dict) else ()):
        out[re.sub("([A-Z])", r"_\1", str(name)).lower()] = value
    out["name"] = out.pop("id", "")
    return out


class EventParser:
    """Parses server-sent events. It keeps at most one event in memory."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._name = ""
        self._data: List[bytes] = []
        self._size = 0
        self._number = 0  # 0: the event has none
        self.last = 0  # the number of the last event that was returned

    def again(self) -> "EventParser":
        """Returns a parser for the events after those that this one has returned."""
        other = EventParser()
        other.last = self.last
        return other

    def feed(self, data: bytes) -> List[Tuple[str, bytes, int]]:
        """Returns the events that are complete and new: name, data and number."""
        out = []
        self._buffer += data
        begin = 0
        while True:
            end = self._buffer.find(b"\n", begin)
            if end < 0:
                break
            event = self._line(bytes(self._buffer[begin:end]).rstrip(b"\r"))
            begin = end + 1
            if event is not None:
                out.append(event)
        del self._buffer[:begin]
        if len(self._buffer) + self._size > MAX_LINE:
            raise unreadable("an event is too long")
        return out

    def _line(self, line: bytes) -> Optional[Tuple[str, bytes, int]]:
        if not line:
            event = (self._name, b"\n".join(self._data), self._number)
            skip = not self._data or 0 < self._number <= self.last  # sent again
            self.last = max(self.last, self._number)
            self._name, self._data, self._size, self._number = "", [], 0, 0
            return None if skip else event
        name, _, value = line.partition(b":")
        value = value[1:] if value.startswith(b" ") else value
        if name == b"event":
            self._name = value.decode("utf-8", "replace")
        elif name == b"data":
            self._data.append(value)
            self._size += len(value)
        elif name == b"id" and value.isdigit() and len(value) < 12:
            self._number = int(value)
        return None


def event_of(operation: Operation, name: str, data: bytes, number: int) -> Any:
    """Returns an event of a stream as an Event or, for the last one, a Reply."""
    raw = parse(data)
    if name != "result":
        return Event(name, raw, number)
    if raw.get("success") is True:
        return Reply(raw, None)
    status = raw.get("status")
    return Reply(None, _problem(operation, status if isinstance(status, int) else 500, raw))
