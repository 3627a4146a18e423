"""The project's own checks over a worktree, as the project itself asks for them.

What to check is read from the project and not from the worktree: an agent must not choose how its
work is looked at.
"""

import logging
from collections.abc import Callable
from pathlib import Path

from paige.base.clock import Clock
from paige.base.errors import PaigeError
from paige.guard.completion.asking import read_asked
from paige.guard.completion.records import Record
from paige.guard.completion.values import Result
from paige.guard.completion.verifying import verify
from paige.guard.fast.place import place_of

logger = logging.getLogger(__name__)
RUN = "orchestra"


def project_checks(root: Path, data: Path, now: Clock) -> Callable[[Path], Result | None]:
    """What runs the checks of a project over a folder; nothing comes back where they cannot run."""

    def check(folder: Path) -> Result | None:
        try:
            asked = read_asked(place_of(str(root), str(data)))
            return verify(str(folder), asked, Record(), run=RUN, now=now).result
        except PaigeError as error:
            logger.warning("The checks of `%s` did not run: %s", folder, error.message)
            return None

    return check
