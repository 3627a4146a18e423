"""Every subject there is: the one place that names them all."""

from importlib import import_module
from importlib.util import find_spec
from types import ModuleType

from paige.doors.frame.rows import Route, Tool

SUBJECTS = (
    "setup", "coach", "guard", "memory", "orchestra", "people", "plan", "search", "settings",
    "study", "traces",
)  # fmt: skip


def all_routes() -> tuple[Route, ...]:
    """The addresses of every subject."""
    return tuple(row for table in _tables("http") for row in table.ROUTES)


def all_tools() -> tuple[Tool, ...]:
    """The tools of every subject that has some."""
    return tuple(row for table in _tables("mcp") for row in table.TOOLS)


def _tables(door: str) -> list[ModuleType]:
    names = [f"paige.doors.{subject}.{door}" for subject in SUBJECTS]
    return [import_module(name) for name in names if find_spec(name) is not None]
