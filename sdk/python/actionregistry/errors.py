"""The errors of this package: one class for each code, all derived from ActionError."""

from __future__ import annotations

from . import _codes
from ._base import ActionError, ErrorInfo
from ._codes import *  # noqa: F401,F403

__all__ = ["ActionError", "ErrorInfo"] + _codes.__all__
