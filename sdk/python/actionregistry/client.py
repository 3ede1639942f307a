"""The synchronous client. It has no event loop, so that it works in a notebook too."""

from __future__ import annotations

import secrets
import ssl
from types import TracebackType
from typing import Any, Iterator, Mapping, Optional, Type, TypeVar, Union

from ._base import StepData
from ._calls import Caller, OnApproval, OnEvent, Steps, step_fields, step_result
from .errors import InvalidRequestError
from ._events import Event
from ._http_sync import HTTPTransport
from ._operations import (
    ActionOperations,
    ApprovalOperations,
    ServerOperations,
    SessionOperations,
)
from ._options import Ending, Options, PathLike, check_answer, merged, snapshot_map_of
from ._socket import SocketTransport
from ._steps import StepMethods
from ._wire import Incoming, Reply, request_of
from .models import Approval, Closed, HandedBack, Held, RunResult, SessionInfo
from .results import SnapshotMap

S = TypeVar("S", bound=StepData)


class Client(Caller):
    """A client of the daemon, over its socket or over HTTP.

    `Client()` uses the socket of this user's daemon, and starts the daemon if it is not running.
    `Client(base_url="http://127.0.0.1:7666", token="…")` uses `action serve`. A client may be
    used by several threads at a time. Close it at the end, or use it in a `with` block.

    Args:
        base_url: the address of the server; None for the socket
        token: its token; default: the own token of this user, for a server on this machine
        socket: the path of the socket; default: that of the command line
        start: whether to start the daemon with `action daemon start` if it is not running
        executable: the command `action`; default: the one on the path
        cwd: the folder whose definitions apply; default: the current folder
        path: files and folders with definitions, like `ACTION_PATH`
        env: the environment of the calls; default: that of this process
        unattended: whether a model and no person chooses the calls
        on_approval: is called with each approval that a run or a step waits for, also by
            `stream`; see `run`
        ssl_context: for https: addresses; default: the system's certificates
    """

    def __init__(
        self,
        base_url: Optional[str] = None,
        token: Optional[str] = None,
        *,
        socket: Optional[PathLike] = None,
        start: bool = True,
        executable: Optional[str] = None,
        cwd: Optional[PathLike] = None,
        path: Optional[str] = None,
        env: Optional[Mapping[str, str]] = None,
        unattended: bool = False,
        on_approval: Optional[OnApproval] = None,
        ssl_context: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._options = Options(base_url, token, socket, cwd, path, env, unattended)
        self._on_approval = on_approval
        self._transport: Union[SocketTransport, HTTPTransport]
        if self._options.address is None:
            self._transport = SocketTransport(self._options.path, start, executable)
        else:
            self._transport = HTTPTransport(
                self._options.address, self._options.token, ssl_context
            )
        self.actions = ActionOperations(self)
        self.sessions = SessionOperations(self)
        self.approvals = ApprovalOperations(self)
        self.server = ServerOperations(self)

    def __repr__(self) -> str:
        return "Client({})".format(self._options.where)

    def __enter__(self) -> "Client":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections of the client. Sessions go on."""
        self._transport.close()

    def session(self, name: str = "default") -> "Session":
        """Returns the session with a name. Over the socket, its first call opens it."""
        return Session(self, name)

    def run(
        self,
        action: str,
        /,
        params: Optional[Mapping[str, Any]] = None,
        *,
        session: Optional[str] = None,
        timeout: Optional[float] = None,
        steps: Optional[bool] = None,
        on_event: Optional[OnEvent] = None,
        on_approval: Optional[OnApproval] = None,
        **more: Any,
    ) -> RunResult:
        """Runs an action and returns its result. A run that fails is an ActionError.

        An interrupt (Ctrl-C) cancels the run.

        Args:
            action: full name of an action, such as `shop:order:create`
            params: its params, for names that are those of other arguments
            session: name of the session; default: `default`
            timeout: seconds that the server gives the run, without the time that people take
            steps: include every step in the result even if the run succeeds
            on_event: is called with each event of the run
            on_approval: is called with each approval that the run waits for; True approves it,
                False denies it, None leaves it to others
            more: the params of the action
        """
        return self.actions.run(
            action,
            merged(params, more),
            session=session,
            timeout=timeout,
            steps=steps,
            on_event=on_event,
            on_approval=on_approval,
        )

    def stream(
        self,
        action: str,
        /,
        params: Optional[Mapping[str, Any]] = None,
        *,
        session: Optional[str] = None,
        timeout: Optional[float] = None,
        steps: Optional[bool] = None,
        **more: Any,
    ) -> "RunStream":
        """Runs an action and returns its events, which arrive as they happen.

        Use it in a `with` block: at its end, a run that goes on is cancelled. A run that fails
        is an ActionError at the end of the events. The arguments are those of `run`.
        """
        fields = {
            "action": action,
            "params": merged(params, more),
            "session": session,
            "steps": steps,
        }
        request = request_of("action.run", fields, timeout, self._options.location(), True)
        return RunStream(self, self._transport.exchange(request))

    def _new_name(self, name: Optional[str]) -> Optional[str]:
        if name is None and self._options.address is None:
            return "py-" + secrets.token_hex(6)
        return name

    def _perform(
        self,
        name: str,
        fields: Mapping[str, Any],
        timeout: Optional[float],
        on_event: Optional[OnEvent] = None,
        on_approval: Optional[OnApproval] = None,
    ) -> Any:
        on_approval = on_approval or self._on_approval
        events = on_event is not None or on_approval is not None
        request = request_of(name, fields, timeout, self._options.location(), events)
        incoming = self._transport.exchange(request)
        try:
            for one in incoming:
                if isinstance(one, Reply):
                    if one.error is not None:
                        raise one.error
                    return one.result
                if on_event is not None:
                    on_event(one)
                if on_approval is not None and one.name == "approval_required":
                    self._answer(one.approval, on_approval)
            raise RuntimeError("the exchange has ended without a reply")
        finally:
            _end(incoming)

    def _answer(self, approval: Approval, on_approval: OnApproval) -> None:
        answer = on_approval(approval)
        if answer is None:
            return
        try:
            if answer is True:
                self.approvals.approve(approval.id)
            else:
                self.approvals.deny(approval.id)
        except InvalidRequestError:
            pass  # somebody else has answered first, or its time is over
        check_answer(answer)


class RunStream(Ending):
    """The events of a run. Iterate over it once; then `result` is the result of the run."""

    def __init__(self, client: Client, incoming: Iterator[Incoming]) -> None:
        super().__init__()
        self._client = client
        self._incoming = incoming

    def __enter__(self) -> "RunStream":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        one = next(self._incoming)
        if isinstance(one, Reply):
            _end(self._incoming)
            self._ended(one)
            raise StopIteration
        on_approval = self._client._on_approval
        if on_approval is not None and one.name == "approval_required":
            self._client._answer(one.approval, on_approval)
        return one

    def close(self) -> None:
        """Ends the stream. A run that goes on is cancelled."""
        _end(self._incoming)


class Session(StepMethods, Steps):
    """A session: a browser that the server keeps. Its methods are the steps, and more.

    Calls of one session run one after another, whoever makes them. At the end of a `with` block
    the session and its browser are closed.
    """

    def __init__(self, client: Client, name: str) -> None:
        self._client = client
        self.name = name

    def __repr__(self) -> str:
        return "Session({!r})".format(self.name)

    def __enter__(self) -> "Session":
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        value: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()

    def _step(
        self,
        name: str,
        args: Mapping[str, Any],
        result: Type[S],
        ref_id: Optional[str],
        timeout: Optional[float],
    ) -> S:
        fields = step_fields(self.name, name, args, ref_id)
        return step_result(result, self._client._perform("step", fields, timeout))

    def step(
        self,
        name: str,
        args: Optional[Mapping[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
    ) -> StepData:
        """Runs a step by its name, with arguments under their names on the wire."""
        return self._step(name, args or {}, StepData, None, timeout)

    def run(
        self,
        action: str,
        /,
        params: Optional[Mapping[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
        steps: Optional[bool] = None,
        on_event: Optional[OnEvent] = None,
        on_approval: Optional[OnApproval] = None,
        **more: Any,
    ) -> RunResult:
        """Runs an action in this session. See `run` of the client."""
        return self._client.run(
            action,
            merged(params, more),
            session=self.name,
            timeout=timeout,
            steps=steps,
            on_event=on_event,
            on_approval=on_approval,
        )

    def stream(
        self,
        action: str,
        /,
        params: Optional[Mapping[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
        steps: Optional[bool] = None,
        **more: Any,
    ) -> RunStream:
        """Runs an action in this session and returns its events. See `stream` of the client."""
        return self._client.stream(
            action, merged(params, more), session=self.name, timeout=timeout, steps=steps
        )

    def snapshot_map(
        self,
        *,
        interactive: bool = True,
        scope: Optional[str] = None,
        max_nodes: Optional[int] = None,
        max_chars: Optional[int] = None,
        timeout: Optional[float] = None,
    ) -> SnapshotMap:
        """Reads the page and returns its elements with their refs, for `ref_id` of steps.

        Args:
            interactive: only elements to act on, and what distinguishes identical ones
            scope: selector of the element to show with its content; default: the page
            max_nodes: number of elements and texts; default: 200
            max_chars: characters of the text; default: 12000
            timeout: seconds that the server gives the step
        """
        taken = self.snapshot(
            interactive=interactive,
            scope=scope,
            max_nodes=max_nodes,
            max_chars=max_chars,
            timeout=timeout,
        )
        return snapshot_map_of(taken)

    def handoff(
        self,
        message: Optional[str] = None,
        *,
        until: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> SessionInfo:
        """Lets a person use the browser, and returns at once. The handoff outlives the call.

        Args:
            message: what the person should do
            until: a condition that ends it, such as `${page.url} contains '/home'`
            timeout: seconds after which it is over; default: 600
        """
        return self._client.sessions.handoff(
            self.name, message=message, until=until, timeout=timeout
        )

    def handoff_and_wait(
        self,
        message: Optional[str] = None,
        *,
        until: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> HandedBack:
        """Lets a person use the browser, and returns when that has ended. See `handoff`."""
        return self._client.sessions.handoff_and_wait(
            self.name, message=message, until=until, timeout=timeout
        )

    def resume(self) -> Held:
        """Ends the handoff: the person has finished."""
        return self._client.sessions.resume(self.name)

    def close(self) -> Closed:
        """Ends the session and its browser. What runs in it is cancelled."""
        return self._client.sessions.close(self.name)


def _end(incoming: Iterator[Incoming]) -> None:
    close = getattr(incoming, "close", None)
    if close is not None:
        close()


__all__ = ["Client", "RunStream", "Session"]
