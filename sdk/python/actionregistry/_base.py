"""What all modules share: the base classes of results and errors, and the types of arguments."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Sequence, Union

if TYPE_CHECKING:
    from .models import RunResult

# A duration of the protocol: milliseconds, a text such as "500ms" or "5s", or a timedelta.
Duration = Union[int, str, timedelta]
# A text, or a list of texts.
Texts = Union[str, Sequence[str]]
# {"x": …, "y": …} in CSS pixels.
Point = Mapping[str, float]
# A selector, or a point.
Place = Union[str, Mapping[str, float]]
# Labels and their values: a mapping, or a list of {"label", "value"}.
Pairs = Union[Mapping[str, Any], Sequence[Mapping[str, Any]]]


def pairs(given: Optional[Pairs]) -> Optional[Sequence[Mapping[str, Any]]]:
    """Returns a mapping as a list of {"label", "value"}, which keeps its order on the wire."""
    if isinstance(given, Mapping):
        return [{"label": label, "value": value} for label, value in given.items()]
    return given


class Model:
    """A result of the server as an object.

    Fields that this version of the package does not know are in `raw`. A field that the server
    leaves out has its empty value: "", 0, False, an empty list, or None.
    """

    _raw: Dict[str, Any] = {}

    @property
    def raw(self) -> Dict[str, Any]:
        """The object as the server has sent it."""
        return self._raw

    def __getitem__(self, name: str) -> Any:
        """Returns a field by its name on the wire. A field that is absent is a KeyError."""
        return self._raw[name]

    def __repr__(self) -> str:
        fields = ", ".join("{}={!r}".format(name, value) for name, value in self._raw.items())
        return "{}({})".format(type(self).__name__, fields)


class StepData(Model):
    """The result of a step."""

    _run: Optional["RunResult"] = None

    @property
    def run(self) -> "RunResult":
        """The whole result of the call, with its warnings and its duration."""
        if self._run is None:
            raise AttributeError("this result was not made by a call")
        return self._run


class ErrorInfo(Model):
    """An error as data.

    Attributes:
        code: what kind of failure it is, such as `ELEMENT_NOT_FOUND`
        message: what happened
        suggestion: what to do next; may be empty
        details: more about it
        action: full name of the action; may be empty
        path: path of the step in its action; may be empty
        position: position in a definition file: `file`, `line`, `column`; may be empty
    """

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self._raw = dict(raw)
        self.code = _text(raw, "code") or "INTERNAL"
        self.message = _text(raw, "message")
        self.suggestion = _text(raw, "suggestion")
        self.action = _text(raw, "action")
        self.path = _text(raw, "path")
        self.details = _object(raw, "details")
        self.position = _object(raw, "position")

    def __repr__(self) -> str:
        return "ErrorInfo(code={!r}, message={!r})".format(self.code, self.message)


def _text(raw: Mapping[str, Any], name: str) -> str:
    value = raw.get(name)
    return value if isinstance(value, str) else ""


def _object(raw: Mapping[str, Any], name: str) -> Dict[str, Any]:
    value = raw.get(name)
    return value if isinstance(value, dict) else {}


class ActionError(Exception):
    """A call has failed. Each code has a class of its own, which is derived from this one.

    Attributes:
        code: the code, such as `ELEMENT_NOT_FOUND`; programs may compare it
        message: what happened
        suggestion: what to do next; may be empty
        details: more about it, by names
        info: the error as the server has sent it
        result: the result of the run that has failed, with its steps; None if there was no run
    """

    code = "INTERNAL"

    def __init__(
        self,
        message: str,
        *,
        suggestion: str = "",
        details: Optional[Mapping[str, Any]] = None,
        info: Optional[ErrorInfo] = None,
        result: Optional["RunResult"] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.suggestion = suggestion
        self.details: Dict[str, Any] = dict(details or {})
        self.info = info or ErrorInfo(
            {"code": self.code, "message": message, "suggestion": suggestion, "details": details}
        )
        self.result = result

    def __str__(self) -> str:
        text = "{}: {}".format(self.code, self.message)
        return "{} ({})".format(text, self.suggestion) if self.suggestion else text


class StaleRefFields(ActionError):
    """The fields of StaleRefError."""

    @property
    def ref_id(self) -> str:
        """The ref, such as `e5`."""
        return _text(self.details, "ref")

    @property
    def snapshot_page_rev(self) -> Optional[int]:
        """The number of the document of the snapshot."""
        value = self.details.get("snapshot_page_rev")
        return value if isinstance(value, int) else None

    @property
    def current_page_rev(self) -> Optional[int]:
        """The number of the document that the page shows now."""
        value = self.details.get("current_page_rev")
        return value if isinstance(value, int) else None

    @property
    def url(self) -> str:
        """The address of the page."""
        return _text(self.details, "url")


__all__: List[str] = [
    "ActionError",
    "Duration",
    "ErrorInfo",
    "Model",
    "Pairs",
    "Place",
    "Point",
    "StaleRefFields",
    "StepData",
    "Texts",
    "pairs",
]
