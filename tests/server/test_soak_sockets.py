"""Two hundred connections that come, go, talk nonsense and read slowly, three times over."""

import asyncio
import json
import random
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.live import READY, Live, environment

CONNECTIONS = 200
SECONDS = 60.0
ROUNDS = 3
SIZE = {"width": 800, "height": 600}
SERVER = Path(__file__).with_name("counted_server.py")
GARBAGE = ("{", "[]", '{"type": 7}', '{"type": "no:such"}', '{"type": "file:open"}', "\x00", "null")
FILES = 20


@dataclass(slots=True)
class Tally:
    """What the clients did: `sent` may be in the log, `answered` must be."""

    sent: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)


@contextmanager
def counted_server(folder: Path) -> Iterator[tuple[Live, Path]]:
    """A server that writes what it holds to a file when it is told."""
    report = folder / "held.jsonl"
    report.touch()
    log = folder / "log.txt"
    with log.open("w", encoding="utf-8") as out:  # a pipe that nobody reads would stop the server
        process = subprocess.Popen(
            [sys.executable, str(SERVER), "up", str(report)],
            env=environment(folder, PORT="0", PROJECT_DIR=str(folder / "project")),
            cwd=folder,
            stdout=out,
            stderr=subprocess.STDOUT,
            text=True,
        )
    with process:
        try:
            yield Live(process, _address(log), []), report
        finally:
            process.kill()


def _address(log: Path) -> str:
    for _ in range(600):
        found = READY.search(log.read_text(encoding="utf-8"))
        if found:
            return found[1]
        time.sleep(0.05)
    raise AssertionError(f"the server did not start: {log.read_text(encoding='utf-8')}")


def reports(report: Path) -> list[str]:
    return report.read_text(encoding="utf-8").splitlines()


async def held(live: Live, report: Path, *, calm: bool = False) -> dict[str, int]:
    """What the server holds; `calm` waits until no connection is left, for a minute at most."""
    for _ in range(120):
        before = len(reports(report))
        live.process.send_signal(signal.SIGUSR1)
        for _ in range(200):
            lines = reports(report)
            if len(lines) > before:
                break
            await asyncio.sleep(0.05)
        counts = json.loads(lines[-1])
        if not calm or counts["connections"] == 0:
            return counts
        await asyncio.sleep(0.5)
    raise AssertionError(f"connections stay open: {counts}")


def frame(kind: str, payload: dict[str, object], identity: str | None = None) -> str:
    sent = {"type": kind, "payload": payload}
    return json.dumps(sent if identity is None else {**sent, "id": identity})


def hello(identity: str | None = None) -> str:
    return frame(
        "connection:hello", {"version": "1", "platform": "soak", "windowSize": SIZE}, identity
    )


async def answer_to(socket: ClientConnection, identity: str) -> None:
    async with asyncio.timeout(60):
        while json.loads(await socket.recv()).get("id") != identity:
            pass


async def talk(live: Live, seed: int, until: float, tally: Tally) -> None:
    """One client that comes again and again until the time is over."""
    chance = random.Random(seed)
    while time.monotonic() < until:
        try:
            async with connect(live.ws, compression=None, max_queue=4) as socket:
                await visit(socket, chance, until, tally)
        except (ConnectionClosed, OSError, TimeoutError) as error:
            tally.ended[type(error).__name__] += 1


async def visit(
    socket: ClientConnection, chance: random.Random, until: float, tally: Tally
) -> None:
    await socket.send(hello("first"))
    await answer_to(socket, "first")
    manner = chance.choice(("polite", "polite", "polite", "rude", "slow"))
    for number in range(chance.randrange(3, 12)):
        if time.monotonic() > until:
            return
        done = await say_something(socket, chance, tally)
        if manner == "polite":
            await socket.send(hello(f"mark-{number}"))
            await answer_to(socket, f"mark-{number}")
            tally.answered.update(done)
    if manner == "slow":  # frames pile up until the server gives the connection up or we leave
        await asyncio.sleep(chance.uniform(0.2, 2.0))
    if manner == "rude":
        socket.transport.abort()


async def say_something(
    socket: ClientConnection, chance: random.Random, tally: Tally
) -> Counter[str]:
    path = f"file{chance.randrange(FILES)}.txt"
    said: Counter[str] = Counter()
    for _ in range(chance.randrange(1, 4)):
        match chance.randrange(6):
            case 0:
                await socket.send(chance.choice(GARBAGE))
            case 1:
                said["file_open"] += 1
                await socket.send(frame("file:open", {"path": path}))
            case 2:
                cursor = {"line": 1, "column": 1}
                text = "x" * chance.randrange(400)
                update = {"path": path, "content": text, "cursorPosition": cursor, "selections": []}
                await socket.send(frame("buffer:update", update))
            case 3:
                said["file_save"] += 1
                await socket.send(frame("file:save", {"path": path, "content": "saved\n"}))
            case _:
                said["tab_switch"] += 1
                await socket.send(frame("editor:tab_switch", {"fromPath": path, "toPath": path}))
    tally.sent.update(said)
    return said


async def round_of_traffic(live: Live, number: int, seconds: float) -> Tally:
    tally = Tally()
    until = time.monotonic() + seconds
    async with asyncio.TaskGroup() as clients:
        for seed in range(CONNECTIONS):
            clients.create_task(talk(live, number * 1000 + seed, until, tally))
    return tally


def logged(folder: Path) -> Counter[str]:
    with closing(sqlite3.connect(folder / ".paige" / "paige.db")) as db:
        rows = db.execute("SELECT action_type, count(*) FROM action_log GROUP BY action_type")
        return Counter(dict(rows.fetchall()))


async def soak(folder: Path, seconds: float) -> tuple[list[dict[str, int]], Tally]:
    with counted_server(folder) as (live, report):
        async with connect(live.ws, compression=None) as socket:
            await socket.send(frame("session:start", {"issueNumber": 1}, "start"))
            await socket.send(hello("started"))
            await answer_to(socket, "started")
        counts = [await held(live, report, calm=True)]
        every = Tally()
        for number in range(ROUNDS):
            tally = await round_of_traffic(live, number, seconds)
            every.sent.update(tally.sent)
            every.answered.update(tally.answered)
            every.ended.update(tally.ended)
            counts.append(await held(live, report, calm=True))
        live.process.send_signal(signal.SIGTERM)
        assert live.process.wait(20) == 0
    return counts, every


@pytest.mark.soak
@pytest.mark.timeout(900)
def test_two_hundred_unruly_connections_leave_nothing_behind(
    tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for number in range(FILES):
        (project / f"file{number}.txt").write_text("hello\n", encoding="utf-8")

    counts, tally = asyncio.run(soak(tmp_path, SECONDS))

    first, *later = counts
    for number, count in enumerate(later, 1):
        record_property(f"rss_mib_after_{number}", round(count["rss_kib"] / 1024, 1))
    record_property("actions_answered", sum(tally.answered.values()))
    log = (tmp_path / "log.txt").read_text(encoding="utf-8")
    assert not re.findall(
        r"^.*(?:Z error|Traceback|never retrieved|ResourceWarning).*$", log, re.MULTILINE
    )
    for count in later:
        assert count["tasks"] <= first["tasks"] + 2
        assert count["sockets"] <= first["sockets"] + 2
        assert (count["connections"], count["waiting"]) == (0, 0)
    assert later[2]["rss_kib"] - later[1]["rss_kib"] < 5 * 1024
    found = logged(tmp_path)
    for kind, sent in tally.sent.items():
        assert tally.answered[kind] <= found[kind] <= sent
    assert sum(tally.answered.values()) > CONNECTIONS
    assert tally.ended["TimeoutError"] == 0
