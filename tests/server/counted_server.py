"""The real server with one thing more: at SIGUSR1 it writes what it holds as a line of JSON."""

import asyncio
import gc
import json
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from starlette.applications import Starlette

from paige.doors.site import run
from paige.doors.site.factory import Site
from paige.doors.site.main import main

REPORT = Path(sys.argv.pop())


class CountedSite(Site):
    """Counts tasks, connections and what waits for them."""

    @asynccontextmanager
    async def _lifespan(self, app: Starlette) -> AsyncIterator[None]:
        loop = asyncio.get_running_loop()
        signal.signal(signal.SIGUSR1, lambda *_: loop.call_soon_threadsafe(self._report))
        async with super()._lifespan(app):
            yield

    def _report(self) -> None:
        gc.collect()
        connections = self.hub.connections.values()
        held = {
            "tasks": len(asyncio.all_tasks()),
            "connections": len(connections),
            "waiting": sum(len(each.waiting) for each in connections),
            "rss_kib": _rss(),
            "sockets": _sockets(),
        }
        with REPORT.open("a", encoding="utf-8") as file:
            file.write(json.dumps(held) + "\n")


def _rss() -> int:
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))


def _sockets() -> int:
    count = 0
    for entry in Path("/proc/self/fd").iterdir():
        try:
            count += str(entry.readlink()).startswith("socket:")
        except OSError:  # it was closed while we looked
            continue
    return count


if __name__ == "__main__":
    run.Site = CountedSite  # type: ignore[misc]
    main()
