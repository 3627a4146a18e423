"""The world of a soak: PostgreSQL, two servers and clients, and a network between them to cut.

As root with `ip`, each of the three has a network namespace of its own on one bridge, and a host
name of its own, so that leases run out by time. Otherwise they are plain processes on loopback and
every server reaches PostgreSQL through a relay that can be cut.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from tests.live import READY, environment
from tests.many_servers.cluster import NAME, Cluster
from tests.postgres import free_port

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
START_SECONDS = 120.0
SUBNET = "10.77.0"
PG_ADDRESS = f"{SUBNET}.1"
NAMES = ("a", "b")


class Network(Protocol):
    """Where servers run, and how they are cut off from PostgreSQL."""

    def command(self, place: int) -> list[str]:
        """What a program of a server is started with."""
        ...

    def database(self, place: int) -> str:
        """The address of PostgreSQL for a server."""
        ...

    def address(self, place: int, port: int) -> tuple[str, int]:
        """Where clients reach a server that listens on this port."""
        ...

    def cut(self, place: int, *, off: bool) -> None:
        """Cut a server off from PostgreSQL, or mend it."""
        ...


def namespaces_work() -> bool:
    """Whether this machine lets a test make networks."""
    if os.geteuid() != 0 or not shutil.which("ip") or not shutil.which("unshare"):
        return False
    made = subprocess.run(["ip", "netns", "add", "paige-probe"], capture_output=True, timeout=20)
    if made.returncode == 0:
        subprocess.run(["ip", "netns", "del", "paige-probe"], check=True, timeout=20)
    return made.returncode == 0


@dataclass(slots=True)
class Plain:
    """Processes on loopback, each with a relay to PostgreSQL."""

    cluster: Cluster
    relays: list[subprocess.Popen[str]] = field(default_factory=list)
    ports: list[int] = field(default_factory=list)

    @classmethod
    @contextmanager
    def made(cls, cluster: Cluster) -> Iterator["Plain"]:
        """The network of a soak."""
        network = cls(cluster)
        port = re.search(r":(\d+)/", cluster.url)
        assert port is not None
        with ExitStack() as stack:
            for _ in NAMES:
                own = free_port()
                network.ports.append(own)
                command = _relay("127.0.0.1", own, "127.0.0.1", int(port[1]))
                network.relays.append(stack.enter_context(started(command)))
            yield network

    def command(self, place: int) -> list[str]:
        """What a program of a server is started with."""
        return []

    def database(self, place: int) -> str:
        """The address of PostgreSQL for a server."""
        return re.sub(r":\d+/", f":{self.ports[place]}/", self.cluster.url)

    def address(self, place: int, port: int) -> tuple[str, int]:
        """Where clients reach a server that listens on this port."""
        return "127.0.0.1", port

    def cut(self, place: int, *, off: bool) -> None:
        """Cut a server off from PostgreSQL, or mend it: the relay does either at the signal."""
        self.relays[place].send_signal(signal.SIGUSR1)


class Named(Plain):
    """Plain processes, each of which believes to be on a host of its own."""

    def command(self, place: int) -> list[str]:
        """What a program of a server is started with: a host name of its own."""
        script = f'hostname paige-{NAMES[place]}; exec "$@"'
        return ["unshare", "--uts", "sh", "-c", script, "sh"]


@dataclass(slots=True)
class Namespaces:
    """A bridge with three namespaces: PostgreSQL's relay, and one for each server."""

    stack: ExitStack
    relays: dict[int, subprocess.Popen[str]] = field(default_factory=dict)

    @classmethod
    @contextmanager
    def made(cls, cluster: Cluster) -> Iterator["Namespaces"]:
        """The network of a soak."""
        port = re.search(r":(\d+)/", cluster.url)
        assert port is not None
        with ExitStack() as stack:
            _ip(stack, "link add paigebr type bridge", undo="link del paigebr")
            _ip(stack, f"addr add {SUBNET}.254/24 dev paigebr")
            _ip(stack, "link set paigebr up")
            for number, name in enumerate(("pg", *NAMES), start=1):
                _ip(stack, f"netns add paige-{name}", undo=f"netns del paige-{name}")
                _ip(stack, f"link add pg{name} type veth peer name eth0 netns paige-{name}")
                _ip(stack, f"link set pg{name} master paigebr up")
                _ip(stack, f"-n paige-{name} addr add {SUBNET}.{number}/24 dev eth0")
                _ip(stack, f"-n paige-{name} link set eth0 up")
                _ip(stack, f"-n paige-{name} link set lo up")
            # PostgreSQL listens on loopback: two relays in a row bring it into its namespace.
            outer = free_port()
            stack.enter_context(started(_relay(f"{SUBNET}.254", outer, "127.0.0.1", int(port[1]))))
            inner = _relay(PG_ADDRESS, 5432, f"{SUBNET}.254", outer)
            stack.enter_context(started(["ip", "netns", "exec", "paige-pg", *inner]))
            yield cls(stack)

    def command(self, place: int) -> list[str]:
        """What a program of a server is started with: its network, and a host name of its own."""
        name = f"paige-{NAMES[place]}"
        script = f'hostname {name}; exec ip netns exec {name} "$@"'
        return ["unshare", "--uts", "sh", "-c", script, "sh"]

    def database(self, place: int) -> str:
        """The address of PostgreSQL for a server."""
        return f"postgresql://postgres@{PG_ADDRESS}:5432/{NAME}"

    def address(self, place: int, port: int) -> tuple[str, int]:
        """Where clients reach a server, which listens on its own loopback: through a relay."""
        host = f"{SUBNET}.{place + 2}"
        if place in self.relays:
            self.relays[place].kill()
        command = _relay(host, 3000, "127.0.0.1", port)
        inside = ["ip", "netns", "exec", f"paige-{NAMES[place]}", *command]
        self.relays[place] = self.stack.enter_context(started(inside))
        return host, 3000

    def cut(self, place: int, *, off: bool) -> None:
        """Cut a server off from PostgreSQL, or mend it: packets go to a card that nobody has."""
        name = f"paige-{NAMES[place]}"
        for where, other in ((name, PG_ADDRESS), ("paige-pg", f"{SUBNET}.{place + 2}")):
            change = "replace" if off else "del"
            lost = "lladdr 02:00:00:00:00:01 nud permanent" if off else ""
            command = f"ip -n {where} neigh {change} {other} {lost} dev eth0"
            subprocess.run(command.split(), check=True, timeout=20)


@dataclass(slots=True)
class SoakServer:
    """A server that can be killed and started again at the same place."""

    place: int
    network: Network
    folder: Path
    skew: float = 0.0
    extra: dict[str, str] = field(default_factory=dict)
    process: subprocess.Popen[str] | None = None
    port: int = 0
    starts: int = 0

    def start(self) -> None:
        """Start it and wait until it answers; it keeps its port."""
        self.starts += 1
        log = self.folder / f"log{self.starts}.txt"
        extra = {
            "DATABASE_URL": self.network.database(self.place),
            "PORT": str(self.port),
            "SOAK_SKEW": str(self.skew),
            "PYTHONPATH": str(ROOT),
            **self.extra,
        }
        command = [sys.executable, str(HERE / "skewed_server.py")]
        with log.open("w", encoding="utf-8") as out:
            self.process = subprocess.Popen(
                [*self.network.command(self.place), *command],
                env=environment(self.folder, **extra),
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                text=True,
            )
        self.port = int(_ready(self.process, log).rpartition(":")[2])

    def kill(self) -> None:
        """Kill -9."""
        assert self.process is not None
        self.process.kill()
        self.process.wait(30)

    @property
    def logs(self) -> str:
        """Everything it wrote."""
        return "".join(each.read_text() for each in sorted(self.folder.glob("log*.txt")))


def _ready(process: subprocess.Popen[str], log: Path) -> str:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until:
        if found := READY.search(log.read_text(encoding="utf-8")):
            return found[1]
        assert process.poll() is None, log.read_text(encoding="utf-8")
        time.sleep(0.1)
    raise AssertionError(f"the server did not start: {log.read_text(encoding='utf-8')}")


@contextmanager
def started(command: list[str], **more: Any) -> Iterator[subprocess.Popen[str]]:
    """A program that says one line when it works; it is killed at the end."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        **more,
    )
    with process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline(), f"{command} ended"
            yield process
        finally:
            process.kill()


@contextmanager
def crowd(folder: Path, name: str, **config: Any) -> Iterator[subprocess.Popen[str]]:
    """A process full of clients."""
    file = folder / f"{name}.json"
    file.write_text(json.dumps(config))
    with started([sys.executable, str(HERE / "soak_clients.py"), str(file)]) as process:
        yield process


def _relay(listen: str, at: int, host: str, port: int) -> list[str]:
    script = str(HERE / "relay.py")
    return [sys.executable, script, listen, str(at), host, str(port)]


def _ip(stack: ExitStack, words: str, *, undo: str = "") -> None:
    subprocess.run(["ip", *words.split()], check=True, timeout=20, capture_output=True)
    if undo:
        stack.callback(subprocess.run, ["ip", *undo.split()], timeout=20, capture_output=True)
