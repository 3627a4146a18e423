"""Looks at a running tree of processes from outside: how many there are, what they use.

A limit of the system counts per process or per user; a program that keeps starting others gets
around both. So the whole tree is looked at while it runs. Where `/proc` is missing nothing is seen,
and the limits of the system are all there is.
"""

import os
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_ENOUGH = 4096


def tree_of(pid: int) -> list[int]:
    """The process and everything it started, as far as it still runs."""
    found, open_ = [pid], [pid]
    while open_ and len(found) < _ENOUGH:
        children = _children(open_.pop())
        found += children
        open_ += children
    return found


def memory_of(pids: list[int]) -> int:
    """The bytes of memory that processes use together."""
    return sum(map(_resident, pids))


def _children(pid: int) -> list[int]:
    found: list[int] = []
    try:
        tasks = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return found
    for task in tasks:
        try:
            children = Path(f"/proc/{pid}/task/{task}/children").read_text()
        except OSError:
            continue
        found += map(int, children.split())
    return found


def _resident(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * _PAGE
    except (OSError, IndexError, ValueError):
        return 0
