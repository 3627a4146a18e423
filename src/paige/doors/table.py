"""Every subject there is: the one place that names them all."""

from importlib import import_module

from paige.doors.frame.rows import Route, Tool

SUBJECTS = ("search", "study")


def all_routes() -> tuple[Route, ...]:
    """The addresses of every subject."""
    tables = [import_module(f"paige.doors.{name}.http") for name in SUBJECTS]
    return tuple(row for table in tables for row in table.ROUTES)


def all_tools() -> tuple[Tool, ...]:
    """The tools of every subject that has some."""
    tables = [import_module(f"paige.doors.{name}.mcp") for name in SUBJECTS]
    return tuple(row for table in tables for row in table.TOOLS)
