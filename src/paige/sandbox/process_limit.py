"""A hard limit for the number of processes, where the system's own does not hold.

The limit of a user does not hold for root, and a program that keeps starting others may grow faster
than anyone can watch. A control group stops it at its number. Making one needs root; everybody else
has the limit of the user.
"""

import contextlib
import os
import secrets
import time
from collections.abc import Sequence
from pathlib import Path

# The group that counts processes: of the older hierarchy, or of the one that counts everything.
PLACES = (Path("/sys/fs/cgroup/pids"), Path("/sys/fs/cgroup"))
TRIES, TRY_SECONDS = 100, 0.02
JOIN = 'echo $$ >"$0/cgroup.procs" && exec "$@"'


class ProcessLimit:
    """A control group for one run."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def around(self, argv: Sequence[str]) -> list[str]:
        """The command line that joins the group before it does anything else."""
        return ["/bin/sh", "-c", JOIN, str(self._place), *argv]

    def was_reached(self) -> bool:
        """Whether a process could not be started because of the limit."""
        try:
            events = (self._place / "pids.events").read_text()
        except OSError:
            return False
        return any(line.startswith("max ") and line != "max 0" for line in events.splitlines())

    def close(self) -> None:
        """Remove the group; its processes have been ended and are gone in a moment."""
        for _ in range(TRIES):
            try:
                self._place.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(TRY_SECONDS)


def open_limit(most: int) -> ProcessLimit | None:
    """A limit of `most` processes, where one can be made."""
    if not hasattr(os, "geteuid") or os.geteuid() != 0:
        return None
    for folder in PLACES:
        place = folder / f"paige-{secrets.token_hex(8)}"
        try:
            place.mkdir()
        except OSError:
            continue
        try:
            (place / "pids.max").write_text(str(most))
        except OSError:
            with contextlib.suppress(OSError):
                place.rmdir()
            continue
        return ProcessLimit(place)
    return None
