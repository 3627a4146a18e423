"""Gathers the checks of every room, and repairs what can be repaired.

A repair is part of the check that found the fault, so both look at the same thing. After the
repairs everything is asked again: what a person is told is what is true now.
"""

import importlib
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass

from paige.base.checks import Check
from paige.base.errors import PaigeError
from paige.base.settings import Settings

# Rooms from the ground up; a room joins by having a `checks.py`, and a `deep_checks.py` for what
# takes too long for a page.
ROOMS = (
    "base", "store", "sandbox", "models", "memory", "guard", "exercise",
    "agent", "learner", "plan", "study", "coach", "orchestra", "app",
)  # fmt: skip


ROUNDS = 3


def run_checks(settings: Settings, part: str = "checks") -> list[Check]:
    """Every room's checks; a check that fails to run is a failed check."""
    found: list[Check] = []
    for room in ROOMS:
        name = f"paige.{room}.{part}"
        if importlib.util.find_spec(name) is None:
            continue
        try:
            found += importlib.import_module(name).checks(settings)
        except (PaigeError, OSError, ValueError) as error:
            hint = error.hint if isinstance(error, PaigeError) else None
            found.append(Check(room, "fail", str(error), hint))
    return found


def healthy(checks: list[Check]) -> bool:
    """Whether nothing needed is broken."""
    return all(check.status != "fail" for check in checks)


def examine(settings: Settings) -> list[Check]:
    """Every room's checks, and those that take too long for a page, which know better."""
    quick = run_checks(settings)
    if not _has_data(settings):
        return quick
    deep = run_checks(settings, "deep_checks")
    known = {(check.name, status) for check in deep for status in ("ok", check.status)}
    return [*(each for each in quick if (each.name, each.status) not in known), *deep]


def _has_data(settings: Settings) -> bool:
    """Whether there is anything to look into; without a home there is no folder either."""
    try:
        return bool(settings.database_url) or settings.data_dir.is_dir()
    except PaigeError:
        return False


@dataclass(frozen=True, slots=True)
class RepairReport:
    """What everything looks like after the repairs, and how they went."""

    checks: list[Check]
    fixed: frozenset[str]  # names of checks
    failures: dict[str, str]  # by the name of the check: why the repair did not work


def mend(settings: Settings, wanted: Callable[[Check], bool]) -> RepairReport:
    """Run the repairs that are wanted, and ask again. One may uncover another, so a few rounds."""
    tried: dict[tuple[str, str], str] = {}
    for _ in range(ROUNDS):
        found = [
            (each.name, each.repair)
            for each in examine(settings)
            if each.repair is not None and (each.name, each.repair.says) not in tried
            if wanted(each)
        ]
        for name, repair in found:
            tried[name, repair.says] = _outcome(repair.act)
        if not found:
            break
    checks = examine(settings)
    left = {(each.name, each.repair.says) for each in checks if each.repair is not None}
    worked = {name for (name, says), why in tried.items() if not why and (name, says) not in left}
    failures = {name: why for (name, _), why in tried.items() if why}
    return RepairReport(checks, frozenset(worked - failures.keys()), failures)


def _outcome(act: Callable[[], None]) -> str:
    """Empty when it went well, else why not."""
    try:
        act()
    except PaigeError as error:
        return error.message
    except OSError as error:
        return str(error)
    return ""
