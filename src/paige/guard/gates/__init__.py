"""The gates, one file each, and which of them look at which event."""

from paige.guard.gates import shell, writes
from paige.guard.gating import Gate

_BEFORE_TOOLS: tuple[tuple[str, Gate], ...] = (
    ("shell", shell.gate),
    ("writes", writes.gate),
)
GATES: dict[str, tuple[tuple[str, Gate], ...]] = {
    "pre_tool": _BEFORE_TOOLS,
    "permission_request": _BEFORE_TOOLS,
}
