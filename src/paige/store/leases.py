"""Leases: the right to do something alone for a while, that a dead holder cannot keep.

A lease names host, process id and process start. On the same host a holder that no longer runs is
taken over at once; on another host the lease runs out by time. The fence grows with every holder,
so that a late write can be told apart.
"""

import os
import socket
from datetime import UTC, datetime
from typing import NamedTuple

from paige.base.platform import UNKNOWN, process_start


class Holder(NamedTuple):
    """A process, told apart from a later one with the same id."""

    host: str
    pid: int
    started: str


NOBODY = Holder("", 0, "")
"""The holder of a lease that was given back."""
LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


class Lease(NamedTuple):
    """What is held, by whom, until when."""

    name: str
    holder: Holder
    fence: int
    until: datetime


def this_process() -> Holder:
    """The process that asks."""
    pid = os.getpid()
    return Holder(socket.gethostname(), pid, process_start(pid) or UNKNOWN)


def may_take(lease: Lease, asker: Holder, *, now: datetime, running: str | None) -> bool:
    """Whether `asker` may have the lease; `running` is when the holder's process started, if any.

    `running` counts only on the holder's own host: nobody sees the processes of another. A process
    whose start is hidden may be the holder, so its lease runs out by time.
    """
    if lease.holder == asker or lease.until <= now:
        return True
    return lease.holder.host == asker.host and running not in (lease.holder.started, UNKNOWN)
