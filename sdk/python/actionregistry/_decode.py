"""Decoding: plain data of JSON to the classes of `models`."""

from __future__ import annotations

import dataclasses
import re
from datetime import datetime, timedelta, timezone
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Type, TypeVar, Union
from typing import get_type_hints

from ._base import ErrorInfo, Model
from .errors import InternalError

M = TypeVar("M", bound=Model)

# A decoder converts one value. `where` names it in errors.
Decoder = Callable[[Any, str], Any]

_TIME = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)")

_plans: Dict[type, List[Tuple[str, str, Decoder]]] = {}


def decode(cls: Type[M], data: Any) -> M:
    """Returns an object of a class of `models`. Data of another shape is an InternalError."""
    if not isinstance(data, dict):
        raise _wrong(cls.__name__, "an object", data)
    plan = _plans.get(cls)
    if plan is None:
        plan = _plans[cls] = _plan(cls)
    values: Dict[str, Any] = {}
    for attribute, name, decoder in plan:
        value = data.get(name)
        if value is not None:  # null is the same as an absent field
            values[attribute] = decoder(value, cls.__name__ + "." + name)
    made = cls(**values)
    made._raw = data
    return made


def _plan(cls: type) -> List[Tuple[str, str, Decoder]]:
    if not dataclasses.is_dataclass(cls):
        return []
    hints = get_type_hints(cls, localns={"RunResult": Any})  # of StepData, which is no field
    return [
        (f.name, f.name[:-1] if f.name.endswith("_") else f.name, _decoder(hints[f.name]))
        for f in dataclasses.fields(cls)
    ]


def _decoder(hint: Any) -> Decoder:
    origin: Any = getattr(hint, "__origin__", None)
    inner: Any = getattr(hint, "__args__", ())
    if origin is Union:  # Optional
        return _decoder(inner[0])
    if origin is list:
        return _list(_decoder(inner[0]))
    if origin is dict:
        return _dict(_decoder(inner[1]))
    if hint is datetime:
        return _time
    if hint is float:
        return _number
    if hint is ErrorInfo:
        return _error
    if isinstance(hint, type) and issubclass(hint, Model):
        return lambda value, where: decode(hint, value)
    if isinstance(hint, type) and hint in (str, int, bool):
        return _scalar(hint)
    return lambda value, where: value


def _scalar(kind: type) -> Decoder:
    def convert(value: Any, where: str) -> Any:
        if kind is int and isinstance(value, float) and value.is_integer():
            return int(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise _wrong(where, kind.__name__, value)
        return value

    return convert


def _number(value: Any, where: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise _wrong(where, "a number", value)
    return float(value)


def _list(item: Decoder) -> Decoder:
    def convert(value: Any, where: str) -> Any:
        if not isinstance(value, list):
            raise _wrong(where, "a list", value)
        return [item(one, where + "[]") for one in value]

    return convert


def _dict(item: Decoder) -> Decoder:
    def convert(value: Any, where: str) -> Any:
        if not isinstance(value, dict):
            raise _wrong(where, "an object", value)
        return {name: item(one, where + "." + name) for name, one in value.items()}

    return convert


def _error(value: Any, where: str) -> ErrorInfo:
    if not isinstance(value, dict):
        raise _wrong(where, "an error", value)
    return ErrorInfo(value)


def _time(value: Any, where: str) -> datetime:
    found = _TIME.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise _wrong(where, "a time", value)
    text, fraction, zone = found.groups()
    at = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S")
    if fraction:
        at = at.replace(microsecond=int(fraction[:6].ljust(6, "0")))
    offset = timedelta()
    if zone != "Z":
        offset = timedelta(hours=int(zone[1:3]), minutes=int(zone[4:6]))
        offset = -offset if zone[0] == "-" else offset
    return at.replace(tzinfo=timezone(offset))


def _wrong(where: str, expected: str, found: Any) -> InternalError:
    return InternalError(
        "the answer could not be read: {} is {}, expected {}".format(
            where, type(found).__name__, expected
        ),
        suggestion="the server may have another version than this package",
    )


def plain(value: Any) -> Any:
    """Returns an argument as data of JSON: durations become milliseconds, None in objects is left
    out at the top level by the caller."""
    if isinstance(value, timedelta):
        return int(value.total_seconds() * 1000)
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value


def present(fields: Mapping[str, Any]) -> Dict[str, Any]:
    """Returns the fields that are given, as data of JSON."""
    return {name: plain(value) for name, value in fields.items() if value is not None}


def optional_text(value: Any) -> Optional[str]:
    """Returns a text, or None for anything else."""
    return value if isinstance(value, str) else None
