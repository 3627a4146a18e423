"""Where the ids of this room come from: an argument everywhere, so that tests can choose them."""

import os
from collections.abc import Callable
from datetime import datetime

from paige.base.ids import new_id

Ids = Callable[[datetime], str]
"""Makes an id for something that begins now."""


def random_ids(now: datetime) -> str:
    """An id nobody else has; later ones sort after earlier ones."""
    return new_id(now, os.urandom(10))
