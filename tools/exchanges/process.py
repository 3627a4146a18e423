"""The nursery of the exchanges: its processes share a clock that the script moves.

Every exchange happens a second after the one before, on the same day of the same year, however
slow the machine is. The modification time of a file is that clock, so that it is read at once.
"""

import os
import time
from datetime import UTC, datetime, timedelta

CLOCK = "EXCHANGES_CLOCK"
HALF = 0.5
_real_ns, _urandom = time.time_ns, os.urandom


def now() -> datetime:
    """The moment of the exchange, and how long it has taken, short of the next one."""
    place = os.environ.get(CLOCK)
    if place is None:
        return datetime.fromtimestamp(_real_ns() / 1e9, UTC)
    at = os.stat(place)
    passed = max((_real_ns() - at.st_ctime_ns) / 1e9, 0)
    if passed > HALF:  # ever slower, so that what is later is later, and before the next one
        passed = HALF + 0.499 * (1 - 1 / (1 + passed - HALF))
    return datetime.fromtimestamp(at.st_mtime_ns // 10**9, UTC) + timedelta(seconds=passed)


def now_ns() -> int:
    """The same for those who count."""
    return int(now().timestamp() * 1e6) * 1000


def urandom(size: int) -> bytes:
    """Chance; but four bytes are the seed from which a study session draws its questions."""
    return bytes(4) if size == 4 else _urandom(size)


if __name__ == "__main__":
    import secrets  # noqa: F401 - holds on to real chance, for keys

    from paige.base import clock

    clock.system_clock = now  # before anyone takes it from there
    time.time_ns = now_ns
    os.urandom = urandom
    from tests import nursery_process

    nursery_process.main()
