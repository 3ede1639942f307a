"""What both clients have in common: their options, and the streams of runs."""

from __future__ import annotations

import inspect
import os
from typing import Any, Dict, List, Mapping, Optional, Union

from ._decode import decode
from ._where import BaseURL, default_token, socket_path
from ._wire import Reply
from .models import RunResult
from .results import Element, SnapshotMap

PathLike = Union[str, "os.PathLike[str]"]


class Options:
    """The options of a client.

    Attributes:
        address: the address of the server; None for the socket
        token: its token
        path: the path of the socket
        location: the fields of requests that say which definitions apply
    """

    def __init__(
        self,
        base_url: Optional[str],
        token: Optional[str],
        socket: Optional[PathLike],
        cwd: Optional[PathLike],
        path: Optional[str],
        env: Optional[Mapping[str, str]],
        unattended: bool,
    ) -> None:
        self.address: Optional[BaseURL] = None
        self.token = ""
        self._cwd, self._path, self._env, self._unattended = cwd, path, env, unattended
        if base_url is None:
            if token is not None:
                raise ValueError("found a token without base_url, expected both")
            self.path = os.fspath(socket) if socket is not None else socket_path()
            return
        for name, given in (("socket", socket), ("cwd", cwd), ("path", path), ("env", env)):
            if given is not None:
                raise ValueError(
                    "found {} besides base_url: the server decides it over HTTP".format(name)
                )
        self.path = ""
        self.address = BaseURL(base_url)
        self.token = token if token is not None else default_token(self.address)
        if not self.token or not self.token.isascii() or not self.token.isprintable():
            raise ValueError("found a token that is empty or has characters beyond ASCII")

    @property
    def where(self) -> str:
        """The address for people, without the token."""
        return repr(str(self.address)) if self.address is not None else repr(self.path)

    def location(self) -> Dict[str, Any]:
        """Returns the fields of a request that the client sets."""
        if self.address is not None:
            return {}
        out: Dict[str, Any] = {
            "cwd": os.path.abspath(self._cwd) if self._cwd is not None else os.getcwd(),
            "env": dict(self._env) if self._env is not None else dict(os.environ),
        }
        if self._path is not None:
            out["path"] = self._path
        if self._unattended:
            out["unattended"] = True
        return out


def merged(params: Optional[Mapping[str, Any]], more: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the params of an action from both ways to pass them."""
    out = dict(params or {})
    for name, value in more.items():
        if name in out:
            raise TypeError("found the param {} twice, expected it once".format(name))
        out[name] = value
    return out


class Ending:
    """The result of a stream, once it has ended."""

    def __init__(self) -> None:
        self._result: Optional[RunResult] = None

    @property
    def result(self) -> RunResult:
        """The result of the run. Before the end of the events it is a RuntimeError."""
        if self._result is None:
            raise RuntimeError("the run has not ended: iterate over its events first")
        return self._result

    def _ended(self, reply: Reply) -> None:
        if reply.error is not None:
            raise reply.error
        self._result = decode(RunResult, reply.result)


def snapshot_map_of(data: Any) -> SnapshotMap:
    """Returns the elements of a snapshot, the result of the step."""
    raw = data.raw
    elements: List[Element] = []
    for ref, element in data.refs.items():
        if not isinstance(element, dict):
            continue
        made = decode(Element, element)
        made.ref_id = "{}:{}".format(data.snapshot_id, ref.lstrip("@"))
        made.text = made.text or made.name
        elements.append(made)
    out = decode(SnapshotMap, {k: v for k, v in raw.items() if k not in ("truncated", "text")})
    out.text = raw.get("text") or ""
    truncated = raw.get("truncated")
    out.truncated = truncated if isinstance(truncated, str) else ""
    out.elements = elements
    out._raw = raw
    return out


def check_answer(answer: object) -> None:
    """Refuses what `on_approval` may not return. The approval was denied then."""
    if answer is True or answer is False:
        return
    if inspect.iscoroutine(answer):
        answer.close()
    raise TypeError(
        "on_approval returned {!r}, expected True, False or None; it was denied".format(answer)
    )
