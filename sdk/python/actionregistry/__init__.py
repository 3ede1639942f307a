"""A client of `action`: verified actions in a browser.

    from actionregistry import Client

    with Client() as client:
        result = client.run("web:page:read", url="https://example.com")
        print(result.data["title"])

`Client` is synchronous, `AsyncClient` is for asyncio. Both use the socket of this user's daemon, or
a server over HTTP. The classes of results are in `actionregistry.models`, the errors in
`actionregistry.errors`. This package needs nothing but the standard library.
"""

from __future__ import annotations

from . import errors, models
from .aio import AsyncClient, AsyncRunStream, AsyncSession
from .client import Client, RunStream, Session
from ._events import Event
from .errors import *  # noqa: F401,F403
from .models import Approval, RunResult, SessionInfo, StepEvent
from .results import Element, SnapshotMap

__version__ = "0.1.0"

__all__ = [
    "Approval",
    "AsyncClient",
    "AsyncRunStream",
    "AsyncSession",
    "Client",
    "Element",
    "Event",
    "RunResult",
    "RunStream",
    "Session",
    "SessionInfo",
    "SnapshotMap",
    "StepEvent",
    "errors",
    "models",
]
__all__ += errors.__all__
