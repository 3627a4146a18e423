"""What a message costs at the doors that programs use: WebSocket and MCP."""

import json
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
from websockets.sync.client import connect

from bench.harness import Benchmark, Pair, Run
from bench.servers import bare_command, free_port, paige_command, running

ECHOES = 500
CALLS = 100
SIZE = {"width": 1280, "height": 800}
HELLO = json.dumps(
    {
        "type": "connection:hello",
        "payload": {"version": "1", "platform": "bench", "windowSize": SIZE},
    }
)
VERSION = "2025-11-25"


@contextmanager
def _two_servers() -> Iterator[tuple[int, int]]:
    ours, bare = free_port(), free_port()
    with tempfile.TemporaryDirectory() as name:
        command, environ = paige_command(Path(name), ours)
        with running(command, environ, ours), running(*bare_command(bare), bare):
            yield ours, bare


@contextmanager
def _echo() -> Iterator[Pair]:
    with _two_servers() as (ours, bare):
        yield Pair(_echoes(ours), _echoes(bare))


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
def _mcp_call() -> Iterator[Pair]:
    with _two_servers() as (ours, bare):
        yield Pair(_calls(ours), _calls(bare))


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

    def run() -> float:
        start = time.perf_counter()
        for number in range(1, CALLS + 1):
            call = _request(number, "tools/list", {})
            client.post("/mcp", headers=headers, json=call).raise_for_status()
        return CALLS / (time.perf_counter() - start)

    return run


def _request(number: int, method: str, params: dict[str, object]) -> dict[str, object]:
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


BENCHMARKS = (
    Benchmark("ws-echo", "msg/s", "higher", _echo, promise=0.6, turns=7),
    Benchmark("mcp-call", "calls/s", "higher", _mcp_call, promise=0.7, turns=7),
)
