"""The base classes of the generated methods: what each method calls."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Awaitable, Callable, Mapping, Optional, Type, TypeVar, Union

from ._base import Model, StepData
from .errors import InvalidRequestError
from ._decode import decode, present
from ._events import Event
from .models import Approval, RunResult, SessionInfo

if TYPE_CHECKING:
    from .aio import AsyncSession
    from .client import Session

M = TypeVar("M", bound=Model)
S = TypeVar("S", bound=StepData)

OnEvent = Callable[[Event], None]
# True approves, False denies, None leaves the answer to others.
OnApproval = Callable[[Approval], Optional[bool]]
# The same, or a coroutine function.
AsyncOnApproval = Callable[[Approval], Union[Optional[bool], Awaitable[Optional[bool]]]]


class Caller(ABC):
    """Performs operations. The synchronous client is one."""

    @abstractmethod
    def _new_name(self, name: Optional[str]) -> Optional[str]: ...

    @abstractmethod
    def session(self, name: str = "default") -> "Session": ...

    @abstractmethod
    def _perform(
        self,
        name: str,
        fields: Mapping[str, Any],
        timeout: Optional[float],
        on_event: Optional[OnEvent] = None,
        on_approval: Optional[OnApproval] = None,
    ) -> Any: ...


class AsyncCaller(ABC):
    """Performs operations. The asynchronous client is one."""

    @abstractmethod
    def _new_name(self, name: Optional[str]) -> Optional[str]: ...

    @abstractmethod
    def session(self, name: str = "default") -> "AsyncSession": ...

    @abstractmethod
    async def _perform(
        self,
        name: str,
        fields: Mapping[str, Any],
        timeout: Optional[float],
        on_event: Optional[OnEvent] = None,
        on_approval: Optional[AsyncOnApproval] = None,
    ) -> Any: ...


class Operations:
    """Methods that are operations."""

    def __init__(self, caller: Caller) -> None:
        self._caller = caller

    def _new_name(self, name: Optional[str]) -> Optional[str]:
        return self._caller._new_name(name)

    def _bound(self, info: SessionInfo) -> "Session":
        return self._caller.session(info.name)

    def _call(
        self, name: str, fields: Mapping[str, Any], result: Type[M], timeout: Optional[float]
    ) -> M:
        return decode(result, self._caller._perform(name, fields, timeout))

    def _run(
        self,
        name: str,
        fields: Mapping[str, Any],
        result: Type[M],
        timeout: Optional[float],
        on_event: Optional[OnEvent],
        on_approval: Optional[OnApproval],
    ) -> M:
        reply = self._caller._perform(name, fields, timeout, on_event, on_approval)
        return decode(result, reply)


class AsyncOperations:
    """Methods that are operations."""

    def __init__(self, caller: AsyncCaller) -> None:
        self._caller = caller

    def _new_name(self, name: Optional[str]) -> Optional[str]:
        return self._caller._new_name(name)

    def _bound(self, info: SessionInfo) -> "AsyncSession":
        return self._caller.session(info.name)

    async def _call(
        self, name: str, fields: Mapping[str, Any], result: Type[M], timeout: Optional[float]
    ) -> M:
        return decode(result, await self._caller._perform(name, fields, timeout))

    async def _run(
        self,
        name: str,
        fields: Mapping[str, Any],
        result: Type[M],
        timeout: Optional[float],
        on_event: Optional[OnEvent],
        on_approval: Optional[AsyncOnApproval],
    ) -> M:
        reply = await self._caller._perform(name, fields, timeout, on_event, on_approval)
        return decode(result, reply)


def step_fields(
    session: str, step: str, args: Mapping[str, Any], ref_id: Optional[str]
) -> Mapping[str, Any]:
    """Returns the fields of the request for a step."""
    given = present(args)
    if ref_id is not None:
        if "selector" in given:
            raise InvalidRequestError(
                "found both selector and ref_id, expected one of them",
                suggestion="leave out one of the two",
            )
        given["selector"] = "@" + ref_id.lstrip("@")
    return {"step": step, "args": given, "session": session}


def step_result(result: Type[S], reply: Any) -> S:
    """Returns the result of a step, with that of its call."""
    run = decode(RunResult, reply)
    made = decode(result, run.data if run.data is not None else {})
    made._run = run
    return made


class Steps(ABC):
    """Methods that are steps."""

    @abstractmethod
    def _step(
        self,
        name: str,
        args: Mapping[str, Any],
        result: Type[S],
        ref_id: Optional[str],
        timeout: Optional[float],
    ) -> S: ...


class AsyncSteps(ABC):
    """Methods that are steps."""

    @abstractmethod
    async def _step(
        self,
        name: str,
        args: Mapping[str, Any],
        result: Type[S],
        ref_id: Optional[str],
        timeout: Optional[float],
    ) -> S: ...
