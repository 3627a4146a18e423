"""A server of Paige whose clock is wrong by `SOAK_SKEW` seconds."""

import os
import sys
from datetime import datetime, timedelta
from functools import partial

from paige.app.application import open_app
from paige.base.clock import system_clock
from paige.doors.site import run
from paige.doors.site.main import main

SKEW = timedelta(seconds=float(os.environ.get("SOAK_SKEW", "0")))


def skewed() -> datetime:
    """The moment by the wrong clock."""
    return system_clock() + SKEW


if __name__ == "__main__":
    run.open_app = partial(open_app, now=skewed)
    sys.argv = ["paige", "up"]
    main()
