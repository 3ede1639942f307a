"""Results that this package makes from those of the server."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import List, Optional

from ._base import Model


@dataclass
class Element(Model):
    """An element of a snapshot.

    Attributes:
        ref_id: its ref, for `ref_id` of steps, such as `snap_ab12cd:e5`
        role: its ARIA role
        tag: its tag
        name: its accessible name; may be empty
        text: its text, or its name if the snapshot has no text of it
        nth: its index from 0 among the elements with the same role and name; None if it is the
            only one
    """

    ref_id: str = ""
    role: str = ""
    tag: str = ""
    name: str = ""
    text: str = ""
    nth: Optional[int] = None


@dataclass
class SnapshotMap(Model):
    """The elements of a page that a snapshot shows.

    Attributes:
        snapshot_id: the id of the snapshot
        page_rev: counts the documents of the page
        url, title: those of the page
        elements: the elements with a ref, in the order of the page
        text: the page as text, with the refs
        truncated: the limits that have cut the snapshot, joined by commas; empty if none has
    """

    snapshot_id: str = ""
    page_rev: int = 0
    url: str = ""
    title: str = ""
    elements: List[Element] = field(default_factory=list)
    text: str = ""
    truncated: str = ""
