"""Requests and replies, whatever carries them."""

from __future__ import annotations

import json
from typing import Any, Dict, Mapping, NamedTuple, Optional, Union

from ._base import ActionError, ErrorInfo
from .errors import (
    BY_CODE,
    BrowserUnavailableError,
    InternalError,
    InvalidRequestError,
    RunTimeoutError,
)
from ._decode import decode, present
from ._events import Event
from ._table import OPERATIONS, Operation
from .models import RunResult

# The longest line and the largest body that are read. The server sends at most 8 MiB.
MAX_LINE = 8 * 1024 * 1024 + 1024
MAX_BODY = 16 * 1024 * 1024
MAX_HEAD = 64 * 1024

# A server that is alive answers a greeting immediately, whatever it is doing. It is greeted when
# it has been silent for GREET seconds, and has ANSWER seconds to reply.
GREET = 5.0
ANSWER = 15.0
# Bytes per second of an answer that may take longer than ANSWER.
SLOWEST = 1 << 14
# How long a call that is given up waits for the server to end it.
FAREWELL = 2.0


class Request(NamedTuple):
    """A request.

    Attributes:
        operation: what is requested
        fields: its fields, as data of JSON
        events: whether the caller wants the events of the run
        limit: seconds to wait for the answer; None if the server keeps the time
        patient: whether people may take their time
    """

    operation: Operation
    fields: Dict[str, Any]
    events: bool
    limit: Optional[float]


class Reply(NamedTuple):
    """The end of a request: the result as the socket would send it, or the error."""

    result: Any
    error: Optional[ActionError]


Incoming = Union[Event, Reply]


def request_of(
    name: str,
    fields: Mapping[str, Any],
    timeout: Optional[float],
    location: Mapping[str, Any],
    events: bool,
) -> Request:
    """Returns the request of an operation. `location` has the fields that the client sets."""
    operation = OPERATIONS[name]
    given = present(fields)
    if "options" in given:
        given["options"] = present(given["options"])
        if not given["options"]:
            del given["options"]
    for field, value in location.items():
        if field in operation.fields:
            given.setdefault(field, value)
    limit = timeout
    if timeout is not None and timeout <= 0:
        raise ValueError("found the timeout {}, expected seconds above 0".format(timeout))
    if timeout is not None and "timeout" in operation.fields:
        given["timeout"], limit = max(1, int(timeout * 1000)), None
    if events and "stream" in operation.fields:
        given["stream"] = True
    return Request(operation, given, events, limit)


def encode(data: Mapping[str, Any]) -> bytes:
    """Returns an object as JSON. A value that JSON does not have is an InvalidRequestError."""
    try:
        text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        return text.encode("utf-8")
    except (TypeError, ValueError, RecursionError) as err:
        raise InvalidRequestError(
            "an argument cannot be sent: {}".format(err),
            suggestion="pass texts, numbers, booleans, None, lists and dicts",
        ) from None


def parse(data: bytes) -> Dict[str, Any]:
    """Returns the object in an answer."""
    try:
        out = json.loads(data)
    except (ValueError, RecursionError) as err:
        raise unreadable("it is not JSON: {}".format(type(err).__name__)) from None
    if not isinstance(out, dict):
        raise unreadable("it is not an object")
    return out


def unreadable(why: str) -> InternalError:
    """Returns the error for an answer that is not one of this protocol."""
    return InternalError(
        "the answer of the server could not be read: {}".format(why),
        suggestion="check that the address is that of action, and that the versions fit",
    )


def error_of(raw: Any, reply: Optional[Mapping[str, Any]] = None) -> ActionError:
    """Returns the exception for an error as data. `reply` is the result of the run, if any."""
    info = ErrorInfo(raw if isinstance(raw, dict) else {"message": "the server gave no reason"})
    result = None
    if reply is not None and "action" in reply:
        result = decode(RunResult, dict(reply))
    cls = BY_CODE.get(info.code, ActionError)
    made = cls(
        info.message,
        suggestion=info.suggestion,
        details=info.details,
        info=info,
        result=result,
    )
    made.code = info.code
    return made


def reply_of(operation: Operation, line: Mapping[str, Any]) -> Reply:
    """Returns the reply in a line of the socket."""
    if line.get("success") is True:
        if operation.whole:
            return Reply({k: v for k, v in line.items() if k != "id"}, None)
        return Reply(line.get("data"), None)
    whole = line if operation.whole else None
    return Reply(None, error_of(line.get("error"), whole))


def timed_out(limit: float) -> RunTimeoutError:
    """Returns the error of a call whose time is over."""
    return RunTimeoutError(
        "the server has not answered within {:g} seconds".format(limit),
        suggestion="pass a longer timeout, or none",
    )


def unknown_outcome(operation: Operation, cause: Optional[BaseException]) -> ActionError:
    """Returns the error of a call whose connection has ended before the answer."""
    may = " The call may or may not have been carried out." if operation.effects else ""
    err = BrowserUnavailableError(
        "the connection has ended before the answer to {}.{}".format(operation.name, may),
        suggestion="check what has happened before you call it again",
        details={"outcome": "unknown"} if operation.effects else {},
    )
    err.__cause__ = cause
    return err


def silent(where: str) -> BrowserUnavailableError:
    """Returns the error of a call to a server that does not answer."""
    return BrowserUnavailableError(
        "the server at {} is running but does not answer".format(where),
        suggestion="stop it with: action daemon stop --force",
        details={"outcome": "unknown", "reason": "silent"},
    )
