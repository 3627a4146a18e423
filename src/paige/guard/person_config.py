"""Where a person keeps rules, guards and policies of their own, for all their projects."""

import os
from pathlib import Path

from paige.base.errors import BadInput
from paige.base.paths import config_dir
from paige.guard.fast.place import Place


def config_of(place: Place) -> Path:
    """The folder; whoever stands apart has theirs among their own files. Raises: BadInput."""
    if place.apart:
        return Path(place.data) / "ai"
    return config_dir(os.environ, instead="XDG_CONFIG_HOME")


def find_config(place: Place) -> Path | None:
    """The folder; nothing where there is no home."""
    try:
        return config_of(place)
    except BadInput:
        return None
