"""A crowd of writers for one log, some of which are killed at any moment and start again."""

import os
import random
import selectors
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from subprocess import Popen

from paige.memory.log.log_access import KeptLog
from tests.memory.log_writer import start_writer


@dataclass
class Writer:
    """One place at the log, taken by one process after another."""

    name: str
    wanted: int
    lives: int  # how often it is killed
    process: Popen[bytes]
    heard: bytes = b""
    confirmed: list[str] = field(default_factory=list)
    until: int = 0  # the confirmation after which it is killed next


@dataclass
class Crowd:
    """Writers that together confirm a number of events each."""

    log: Path
    chance: random.Random
    segment_bytes: int
    kills: int = 0

    def run(self, writers: int, events: int, kills: int) -> list[str]:
        """Run to the end and return what was confirmed, as `id seq`."""
        crowd = [self._seat(f"w{number}", events, kills) for number in range(writers)]
        with selectors.DefaultSelector() as waiting:
            for writer in crowd:
                self._listen(waiting, writer)
            while waiting.get_map():
                for key, _ in waiting.select():
                    self._hear(waiting, key.data)
        return [line for writer in crowd for line in writer.confirmed]

    def _seat(self, name: str, events: int, kills: int) -> Writer:
        writer = Writer(name, events, kills, self._start(f"{name}.0", events))
        self._plan(writer)
        return writer

    def _start(self, name: str, count: int) -> Popen[bytes]:
        return start_writer(self.log, name, count, self.segment_bytes)

    def _plan(self, writer: Writer) -> None:
        left = writer.wanted - len(writer.confirmed)
        ahead = self.chance.randint(1, max(1, 2 * left // (writer.lives + 1)))
        writer.until = len(writer.confirmed) + ahead if writer.lives else writer.wanted + 1

    def _listen(self, waiting: selectors.BaseSelector, writer: Writer) -> None:
        assert writer.process.stdout is not None
        waiting.register(writer.process.stdout, selectors.EVENT_READ, writer)

    def _hear(self, waiting: selectors.BaseSelector, writer: Writer) -> None:
        assert writer.process.stdout is not None
        said = os.read(writer.process.stdout.fileno(), 65536)
        if not said:
            self._replace(waiting, writer)
            return
        *lines, writer.heard = (writer.heard + said).split(b"\n")
        writer.confirmed += [line.decode() for line in lines]
        if len(writer.confirmed) >= writer.until:
            # It is somewhere ahead of what it said: anywhere in a step.
            writer.process.kill()
            writer.lives -= 1
            self.kills += 1
            self._plan(writer)

    def _replace(self, waiting: selectors.BaseSelector, writer: Writer) -> None:
        """What a process said before its end was heard; another goes on, if there is more to do."""
        assert writer.process.stdout is not None
        waiting.unregister(writer.process.stdout)
        with writer.process:
            writer.process.wait()
        left, writer.heard = writer.wanted - len(writer.confirmed), b""
        if left > 0:
            writer.process = self._start(f"{writer.name}.{self.kills}", left)
            self._listen(waiting, writer)


def check(log: KeptLog, confirmed: list[str]) -> None:
    """Every confirmed event is there once, where it was confirmed, and nothing is broken."""
    found = [f"{event.id} {event.seq}" for event in log.read()]
    assert max(Counter(line.split()[0] for line in found).values()) == 1
    assert len(set(confirmed)) == len(confirmed)
    assert set(confirmed) <= set(found)
    assert [int(line.split()[1]) for line in found] == list(range(1, len(found) + 1))
    result = log.verify()
    assert {problem.kind for problem in result.problems} <= {"torn"}
    assert (result.events, result.ok) == (len(found), True)
