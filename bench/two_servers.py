"""What it costs that several servers share one PostgreSQL: CPU per request, two against one.

The same mix goes to one server, and in turns to two of them: reads of lists, writes that an event
tells of, and windows that must all hear every event. Whatever the processor did is counted: the
servers, and PostgreSQL with all its processes.
"""

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import anyio
import httpx2
import psycopg
from websockets.asyncio.client import ClientConnection, connect

from bench.harness import Benchmark, Pair, Run
from bench.servers import free_port, paige_command
from tests.postgres import database_url, execute, temp_postgres

WINDOWS = 20
ROUNDS = 30
READS = ("/api/setup", "/api/plan", "/api/plan/sessions", "/api/session")
START_SECONDS = 60.0
TICK = os.sysconf("SC_CLK_TCK")
SIZE = {"width": 1280, "height": 800}
HELLO = json.dumps(
    {
        "type": "connection:hello",
        "payload": {"version": "1", "platform": "bench", "windowSize": SIZE},
    }
)
_NAMES = count(1)


@dataclass(frozen=True, slots=True)
class Server:
    """A server of Paige: its process and where it answers."""

    pid: int
    port: int

    @property
    def url(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"


def cpu_of(pid: int, *, children: bool = False) -> float:
    """Seconds that a process worked; with those of its children, living and ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(") ")[2].split()
    except FileNotFoundError:
        return 0.0
    own = sum(int(fields[at]) for at in ((11, 12, 13, 14) if children else (11, 12)))
    seconds = own / TICK
    if children:
        listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        seconds += sum(cpu_of(int(each)) for each in listed)
    return seconds


@contextmanager
def servers(url: str, number: int) -> Iterator[list[Server]]:
    """Servers that share a database, each on a folder of its own."""
    with ExitStack() as stack:
        yield [stack.enter_context(_server(url)) for _ in range(number)]


@contextmanager
def _server(url: str) -> Iterator[Server]:
    with tempfile.TemporaryDirectory() as name:
        port = free_port()
        command, environ = paige_command(Path(name), port)
        process = subprocess.Popen(
            command, env={**environ, "DATABASE_URL": url}, stdout=subprocess.DEVNULL
        )
        server = Server(process.pid, port)
        try:
            anyio.run(_until_ready, server)
            yield server
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(20)


async def _until_ready(server: Server) -> None:
    async with httpx2.AsyncClient(base_url=server.url) as http:
        with anyio.fail_after(START_SECONDS):
            while True:
                try:
                    if (await http.get("/api/plan")).status_code == 200:
                        return
                except httpx2.TransportError:
                    await anyio.sleep(0.1)


async def mix(targets: Sequence[Server], rounds: int, windows: int) -> int:
    """Send the mix, spread evenly; every window must hear every event. The number of requests."""
    asked = 0
    async with httpx2.AsyncClient(timeout=60) as http, anyio.create_task_group() as tasks:
        opened = [await _window(targets[n % len(targets)]) for n in range(windows)]
        for socket in opened:
            tasks.start_soon(_hear, socket, rounds)
        for turn in range(rounds):
            for place, path in enumerate((*READS, "")):
                server = targets[(turn + place) % len(targets)]
                answer = await (http.get(server.url + path) if path else _write(http, server))
                answer.raise_for_status()
                asked += 1
    return asked


async def _write(http: httpx2.AsyncClient, server: Server) -> httpx2.Response:
    where = {"path": f"notes/{os.getpid()}-{next(_NAMES)}.md"}
    return await http.put(f"{server.url}/api/plan/file", params=where, json={"text": "A note."})


async def _window(server: Server) -> ClientConnection:
    socket = await connect(f"ws://127.0.0.1:{server.port}/ws", compression=None)
    await socket.send(HELLO)
    await socket.recv()
    return socket


async def _hear(socket: ClientConnection, events: int) -> None:
    heard = 0
    with anyio.fail_after(120):
        while heard < events:
            heard += json.loads(await socket.recv())["type"] == "plan:file"
    await socket.close()


@contextmanager
def _prepare() -> Iterator[Pair]:
    with temp_postgres() as cluster, ExitStack() as stack:
        with psycopg.connect(cluster) as connection:
            [data] = connection.execute("SHOW data_directory").fetchone() or ("",)
        postmaster = int((Path(data) / "postmaster.pid").read_text().splitlines()[0])

        def side(name: str, number: int) -> Run:
            execute(cluster, f"CREATE DATABASE {name}")
            targets = stack.enter_context(servers(database_url(cluster, name), number))

            def spent() -> float:
                own = sum(cpu_of(each.pid) for each in targets)
                return own + cpu_of(postmaster, children=True)

            def run() -> float:
                before = spent()
                asked = anyio.run(mix, targets, ROUNDS, WINDOWS)
                return 1000 * (spent() - before) / asked

            return run

        yield Pair(side("two", 2), side("one", 1))


BENCHMARKS = (
    Benchmark(
        "two-servers",
        unit="CPU ms",
        better="lower",
        prepare=_prepare,
        promise=1.15,
        turns=9,
        warm_up=2,
    ),
)
