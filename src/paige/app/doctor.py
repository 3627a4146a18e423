"""Gathers the checks of every room."""

import importlib
import importlib.util

from paige.base.checks import Check
from paige.base.errors import PaigeError
from paige.base.settings import Settings

# Rooms from the ground up; a room joins by having a `checks.py`.
ROOMS = (
    "base", "store", "sandbox", "models", "memory", "guard", "exercise",
    "agent", "learner", "plan", "study", "coach", "orchestra", "app",
)  # fmt: skip


def run_checks(settings: Settings) -> list[Check]:
    """Every room's checks; a check that fails to run is a failed check."""
    found: list[Check] = []
    for room in ROOMS:
        name = f"paige.{room}.checks"
        if importlib.util.find_spec(name) is None:
            continue
        try:
            found += importlib.import_module(name).checks(settings)
        except PaigeError as error:
            found.append(Check(room, "fail", error.message, error.hint))
    return found


def healthy(checks: list[Check]) -> bool:
    """Whether nothing needed is broken."""
    return all(check.status != "fail" for check in checks)
