"""The hook's slow path: everything the fast path cannot decide with built-in modules.

The adapters of the four CLIs come with the Guard door. Until then no rules are installed, and an
event that is a gate is refused with exit code 2 and a reason on stderr, which all four hosts take
as a denial; on every other event the host goes on.
"""

import json
import sys

GATES = frozenset(
    {"PreToolUse", "PermissionRequest", "BeforeTool", "preToolUse", "permissionRequest"}
)
REASON = "Paige has no rules installed, so it cannot judge this call."


def answer(cli: str, event: str | None, data: bytes) -> int:
    """Answer one event; return the exit code."""
    name = event or event_name(data)
    if name is not None and name not in GATES:
        return 0
    sys.stderr.write(f"{REASON}\n")
    return 2


def event_name(data: bytes) -> str | None:
    """The event a host names in its input; `None` when the input cannot be read."""
    try:
        body = json.loads(data)
    except (ValueError, RecursionError):
        return None
    name = body.get("hook_event_name") if isinstance(body, dict) else None
    return name if isinstance(name, str) else None
