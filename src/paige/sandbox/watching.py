"""Looks at a running tree of processes from outside: how many there are, what they use.

A limit of the system counts per process or per user; a program that keeps starting others gets
around both. So the whole tree is looked at while it runs. Where `/proc` is missing nothing is seen,
and the limits of the system are all there is.
"""

import os
from pathlib import Path

_PAGE = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096


def tree_of(pid: int, most: int) -> list[int]:
    """The process and everything it started; no more than one over `most` are looked for."""
    found, open_ = [pid], [pid]
    while open_ and len(found) <= most:
        children = children_of(open_.pop())
        found += children
        open_ += children
    return found


def memory_of(pids: list[int]) -> list[int]:
    """The bytes of memory that each process uses."""
    return list(map(_resident, pids))


def marked_with(mark: str) -> list[int]:
    """The processes whose environment holds a mark: also those that left their tree."""
    wanted, found = mark.encode(), []
    for name in os.listdir("/proc") if os.path.isdir("/proc") else ():
        if not name.isdigit():
            continue
        try:
            if wanted in Path(f"/proc/{name}/environ").read_bytes().split(b"\0"):
                found.append(int(name))
        except OSError:
            continue
    return found


def children_of(pid: int) -> list[int]:
    """The processes that one started."""
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
