"""Events of a run."""

from __future__ import annotations

from typing import Any, NamedTuple

from ._decode import decode
from .models import Approval, StepEvent


class Event(NamedTuple):
    """Something that has happened in a run before its end.

    Attributes:
        name: `step`, `trace`, `approval_required` or `approval_ended`
        data: what the server has sent; for `step` see `step`, for approvals see `approval`
        number: its number over HTTP, from 1; 0 over the socket
    """

    name: str
    data: Any
    number: int = 0

    @property
    def step(self) -> StepEvent:
        """The step of an event `step`."""
        if self.name != "step":
            raise ValueError("found an event {}, expected a step".format(self.name))
        return decode(StepEvent, self.data)

    @property
    def approval(self) -> Approval:
        """The approval of an event about one. Its text for people is in `data["text"]`."""
        if self.name not in ("approval_required", "approval_ended"):
            raise ValueError("found an event {}, expected an approval".format(self.name))
        return decode(Approval, self.data)
