"""What a message costs at the doors that programs use: WebSocket and MCP."""

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2
from websockets.sync.client import connect

from bench.harness import Benchmark, Pair, Run
from bench.readers import Crowd, Reader
from bench.servers import bare_command, free_port, paige_command, project_of, running

ECHOES = 500
CALLS = 100
READERS = 200
BROADCASTS = 20
VERSION = "2025-11-25"
FILE = "hello.py"
TEXT = "print('hello')\n"


def _frame(kind: str, **payload: object) -> str:
    return json.dumps({"type": kind, "payload": payload})


SIZE = {"width": 1280, "height": 800}
HELLO = _frame("connection:hello", version="1", platform="bench", windowSize=SIZE)
START = _frame("session:start", issueNumber=1, issueTitle="Bench")
OPEN = _frame("file:open", path=FILE)
EDITED = TEXT * 40
CURSOR = {"line": 1, "column": 1}
EDIT = _frame("buffer:update", path=FILE, content=EDITED, cursorPosition=CURSOR, selections=[])


class Ports(NamedTuple):
    """Where the two servers answer."""

    ours: int
    bare: int


@contextmanager
def _two_servers() -> Iterator[Ports]:
    ports = Ports(free_port(), free_port())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        command, environ = paige_command(folder, ports.ours)
        bare = bare_command(folder, ports.bare)
        (project_of(folder) / FILE).write_text(TEXT, encoding="utf-8")
        with running(command, environ, ports.ours), running(*bare, ports.bare):
            yield ports


@contextmanager
def _echo() -> Iterator[Pair]:
    with _two_servers() as ports:
        yield Pair(_echoes(ports.ours), _echoes(ports.bare))


def _echoes(port: int) -> Run:
    def run() -> float:
        with connect(f"ws://127.0.0.1:{port}/ws", compression=None) as socket:
            start = time.perf_counter()
            for _ in range(ECHOES):
                socket.send(HELLO)
                socket.recv()
            return ECHOES / (time.perf_counter() - start)

    return run


@contextmanager
def _broadcast() -> Iterator[Pair]:
    with _two_servers() as ports, ExitStack() as stack:
        crowds = [
            stack.enter_context(Crowd(port, READERS, HELLO, b"connection:init")) for port in ports
        ]
        crowds[0].readers[0].send(START)
        crowds[0].all_hear(b'"session:started"')
        yield Pair(*map(_broadcasts, crowds))


def _broadcasts(crowd: Crowd) -> Run:
    """One of them opens a file, and every window is told of it."""

    def run() -> float:
        start = time.perf_counter()
        for _ in range(BROADCASTS):
            crowd.readers[0].send(OPEN)
            crowd.all_hear(b'"fs:content"')
        return BROADCASTS * READERS / (time.perf_counter() - start)

    return run


@contextmanager
def _mcp_call() -> Iterator[Pair]:
    with _two_servers() as ports:
        _edit(ports.ours, START)
        _edit(ports.bare)
        yield Pair(_calls(ports.ours), _calls(ports.bare))


def _edit(port: int, *before: str) -> None:
    """Leave unsaved text in the editor; what is answered afterwards says that it was taken."""
    reader = Reader(port)
    for message in (*before, EDIT, OPEN):
        reader.send(message)
    reader.wait(b'"fs:content"')
    reader.socket.close()


def _calls(port: int) -> Run:
    client = httpx2.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)
    headers = {"accept": "application/json, text/event-stream", "mcp-protocol-version": VERSION}
    client_info = {"name": "bench", "version": "1"}
    initialize = {"protocolVersion": VERSION, "capabilities": {}, "clientInfo": client_info}
    opened = client.post(
        "/mcp", headers=headers, json=_request(0, "initialize", initialize)
    ).raise_for_status()
    headers["mcp-session-id"] = opened.headers["mcp-session-id"]
    client.post(
        "/mcp", headers=headers, json={"jsonrpc": "2.0", "method": "notifications/initialized"}
    )
    read = {"name": "paige_get_buffer", "arguments": {"path": FILE}}

    def call(number: int) -> str:
        request = _request(number, "tools/call", read)
        return client.post("/mcp", headers=headers, json=request).raise_for_status().text

    if '"dirty":true' not in call(1).replace(": ", ":"):
        raise RuntimeError("the buffer is not there")

    def run() -> float:
        start = time.perf_counter()
        for number in range(2, CALLS + 2):
            call(number)
        return CALLS / (time.perf_counter() - start)

    return run


def _request(number: int, method: str, params: dict[str, object]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


BENCHMARKS = (
    Benchmark("ws-echo", "msg/s", "higher", _echo, promise=0.6, turns=15),
    Benchmark("ws-broadcast-200", "frames/s", "higher", _broadcast, promise=0.6, turns=15),
    Benchmark("mcp-call", "calls/s", "higher", _mcp_call, promise=0.7, turns=21),
)
