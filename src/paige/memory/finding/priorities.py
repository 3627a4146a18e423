"""What must not be missed when there is little room: safeguarding first, then needs of a class.

A memory says so itself, in `payload.priority` or among `payload.tags`.
"""

from collections.abc import Mapping
from typing import Any

PRIORITIES: Mapping[str, int] = {"class_need": 1, "safeguarding": 2}


def priority_of(payload: Mapping[str, Any]) -> int:
    """0 for ordinary memories, more for those that come first."""
    if "priority" not in payload and "tags" not in payload:
        return 0
    tags = payload.get("tags")
    named = [payload.get("priority"), *(tags if isinstance(tags, list | tuple) else ())]
    return max(PRIORITIES.get(each, 0) if isinstance(each, str) else 0 for each in named)
