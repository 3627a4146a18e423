"""Two servers under faults: nothing acknowledged is lost, nothing is told twice, runs go on."""

import json
import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.many_servers.cluster import Cluster, cluster
from tests.many_servers.soak_world import (
    Namespaces,
    Plain,
    SoakServer,
    crowd,
    namespaces_work,
)

SKEW = 7200.0  # the second server believes it is two hours later


@dataclass(frozen=True, slots=True)
class Scale:
    """How much and how long."""

    clients: int
    pause: float  # seconds between two writes of a client
    runners: int
    calm: float  # seconds between two faults
    partition: float
    processes: int = 2


SMALL = Scale(clients=20, pause=1.0, runners=2, calm=2.5, partition=0.0)
LARGE = Scale(
    clients=int(os.environ.get("SOAK_CLIENTS", "500")),
    pause=40.0,
    runners=3,
    calm=float(os.environ.get("SOAK_CALM", "25")),
    partition=float(os.environ.get("SOAK_PARTITION", "30")),
)


class World:
    """Everything of one soak."""

    def __init__(self, own: Cluster, two: list[SoakServer], crowds: list[Any]) -> None:
        self.cluster = own
        self.servers = two
        self.crowds = crowds

    def finish(self) -> list[dict[str, Any]]:
        """Let everybody stop and catch up; the reports."""
        for each in self.crowds:
            _say(each, "stop")
        for each in self.crowds:
            assert _line(each) == "nobody writes"
        with psycopg.connect(self.cluster.url) as connection:
            [last] = connection.execute("SELECT max(seq) FROM events").fetchone() or (0,)
        for each in self.crowds:
            _say(each, str(last))
        return [json.loads(_line(each)) for each in self.crowds]


def _say(process: subprocess.Popen[str], words: str) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{words}\n")
    process.stdin.flush()


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline().strip()
    assert line, "the clients ended"
    return line


@contextmanager
def world(folder: Path, scale: Scale, *, apart: bool) -> Iterator[World]:
    """Two servers with one PostgreSQL, and clients at both."""
    with cluster() as own, ExitStack() as stack:
        network = stack.enter_context((Namespaces if apart else Plain).made(own))
        two = []
        for place in range(2):
            home = folder / f"server{place}"
            home.mkdir()
            two.append(SoakServer(place, network, home, skew=SKEW * place))
            stack.callback(_end, two[-1])
            two[-1].start()
        addresses = [(*network.address(each.place, each.port), each.port) for each in two]
        crowds = []
        share = scale.clients // scale.processes
        for number in range(scale.processes):
            crowds.append(
                stack.enter_context(
                    crowd(
                        folder,
                        f"crowd{number}",
                        servers=addresses,
                        first=number * share,
                        clients=share,
                        pause=scale.pause,
                        runners=scale.runners,
                    )
                )
            )
        yield World(own, two, crowds)


def _end(server: SoakServer) -> None:
    if server.process is not None and server.process.poll() is None:
        server.kill()


def check(own: Cluster, reports: list[dict[str, Any]]) -> dict[str, int]:
    """What must hold after any soak; returns numbers to be recorded."""
    with psycopg.connect(own.url) as connection:
        connection.execute("SELECT set_config('paige.sees', 'all', false)")
        stored = dict(connection.execute("SELECT path, text FROM documents").fetchall())
        told = connection.execute(
            "SELECT payload->>'path' FROM events WHERE topic = 'plan:file'"
        ).fetchall()
        turns = dict(
            connection.execute("SELECT name, fence FROM leases WHERE name LIKE 'once/%'").fetchall()
        )
        [gaps] = connection.execute("SELECT max(seq) - count(*) FROM events").fetchone() or (0,)
    wrong = [words for each in reports for words in each["wrong"]]
    assert wrong == []
    kept = {path: text for each in reports for path, text in each["kept"].items()}
    paths = {path for (path,) in told}
    assert {path for path, text in kept.items() if stored.get(path) != text} == set()
    assert set(kept) <= paths
    digests = [each["events"] for each in reports]
    common = set(digests[0]).intersection(*digests[1:])
    assert all(len({each[seq] for each in digests}) == 1 for seq in common)
    runs = {run: state for each in reports for run, state in each["runs"].items()}
    assert {run: state for run, state in runs.items() if not state.startswith("ended")} == {}
    # However often servers came and went, and whatever their clocks said: once.
    assert turns == {"once/prune-events": 1, "once/drop-wishes": 1}
    assert gaps == 0
    return {
        "acknowledged": len(kept),
        "heard": sum(each["heard"] for each in reports),
        "runs": len(runs),
        "refused": sum(each["refused"] for each in reports),
        "moved": sum(each["moved"] for each in reports),
    }


@pytest.mark.timeout(240)
@pytest.mark.soak
def test_twenty_clients_lose_nothing_when_a_server_is_killed(tmp_path: Path) -> None:
    with world(tmp_path, SMALL, apart=False) as soaked:
        time.sleep(SMALL.calm)
        soaked.servers[0].kill()
        time.sleep(SMALL.calm)
        soaked.servers[0].start()
        time.sleep(SMALL.calm)
        reports = soaked.finish()
        numbers = check(soaked.cluster, reports)
    assert numbers["acknowledged"] > 20
    assert numbers["runs"] >= 2
    assert numbers["moved"] > 0


@pytest.mark.soak
def test_five_hundred_clients_lose_nothing_whatever_happens(
    tmp_path: Path, record_property: Any
) -> None:
    apart = namespaces_work()
    record_property("namespaces", apart)
    with world(tmp_path, LARGE, apart=apart) as soaked:
        one, other = soaked.servers
        time.sleep(LARGE.calm)
        one.kill()
        time.sleep(LARGE.calm)
        one.start()
        time.sleep(LARGE.calm)
        soaked.cluster.restart("immediate")
        time.sleep(LARGE.calm)
        other.network.cut(1, off=True)
        time.sleep(LARGE.partition)
        other.network.cut(1, off=False)
        time.sleep(LARGE.calm)
        other.kill()  # the one whose clock is wrong
        other.start()
        time.sleep(LARGE.calm)
        reports = soaked.finish()
        numbers = check(soaked.cluster, reports)
    for name, value in numbers.items():
        record_property(name, value)
    assert numbers["acknowledged"] > LARGE.clients / 4
