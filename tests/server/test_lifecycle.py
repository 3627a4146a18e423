"""Starting, stopping and killing the real program."""

import signal
import socket
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import anyio
import httpx2
import pytest
from mcp import Client
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from paige.base.running_server import announced_address
from paige.base.settings import Settings
from tests import nursery
from tests.live import PAIGE, environment, live_paige, run_paige

KEY = "sk-ant-not-a-real-key-0123456789"
# `paige up`, which waits for a lock only for a moment.
IMPATIENT = """
import sys
from paige.doors.site.main import main
from paige.store import engine
engine.BUSY_SECONDS = 0.2
sys.argv = ["paige", "up"]
main()
"""


def test_serve_tells_port_project_and_that_it_is_ready(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    extra = {"PROJECT_DIR": str(project), "ANTHROPIC_API_KEY": KEY}
    with live_paige(tmp_path, "serve", fresh=True, **extra) as paige:
        code, output = paige.stop()

    assert code == 0
    assert str(paige.port) in output
    assert str(project) in output
    assert KEY not in output


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({}, ["PROJECT_DIR", "ANTHROPIC_API_KEY"]),
        ({"PROJECT_DIR": "."}, ["ANTHROPIC_API_KEY"]),
        ({"PROJECT_DIR": ".", "ANTHROPIC_API_KEY": ""}, ["ANTHROPIC_API_KEY"]),
        ({"ANTHROPIC_API_KEY": KEY}, ["PROJECT_DIR"]),
        ({"PROJECT_DIR": ".", "PAIGE_PROVIDER": "openai"}, ["OPENAI_API_KEY"]),
    ],
)
def test_serve_names_every_missing_variable(
    tmp_path: Path, given: dict[str, str], missing: list[str]
) -> None:
    done = run_paige(tmp_path, "serve", **given)

    assert done.returncode == 1
    assert all(name in done.stderr for name in missing)


def test_serve_needs_no_key_when_another_provider_is_named(tmp_path: Path) -> None:
    with live_paige(tmp_path, "serve", PROJECT_DIR=".", PAIGE_PROVIDER="local") as paige:
        assert httpx2.get(f"{paige.url}/health").status_code == 200


def test_a_project_that_does_not_exist_is_named(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "serve", PROJECT_DIR="/no/such", ANTHROPIC_API_KEY=KEY)

    assert done.returncode == 1
    assert "`/no/such`, which does not exist" in done.stderr


def test_the_data_folder_is_made_with_its_parents(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b" / "c"
    with live_paige(tmp_path, DATA_DIR=str(folder)):
        assert (folder / "paige.db").exists()
        assert folder.stat().st_mode & 0o077 == 0


def test_a_port_in_use_is_named_with_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run_paige(tmp_path, "up", fresh=True, PORT=port)

    assert done.returncode == 1
    assert f"Port {port}" in done.stderr
    assert "set `PORT`" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout


def test_an_open_address_without_a_passcode_is_refused(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "up", PAIGE_HOST="0.0.0.0", PORT="0")

    assert done.returncode == 1
    assert "PAIGE_PASSCODE" in done.stderr


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_closes_everything_step_by_step_and_exits_0(tmp_path: Path, number: int) -> None:
    with live_paige(tmp_path, fresh=True) as paige, connect(paige.ws) as client:
        code, output = paige.stop(number)
        with pytest.raises(ConnectionClosed) as closed:
            client.recv(timeout=5)

    steps = ["Stopping on SIG", "Closing MCP", "Closed 1 WebSocket", "Closing the database"]
    places = [output.index(step) for step in steps]
    assert code == 0
    assert places == sorted(places)
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1001


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.anyio
async def test_an_open_mcp_stream_does_not_hold_the_server(tmp_path: Path, mode: str) -> None:
    with live_paige(tmp_path) as paige:
        with anyio.fail_after(30):
            async with (
                anyio.create_task_group() as tasks,
                Client(f"{paige.url}/mcp", mode=mode) as client,
            ):  # type: ignore[arg-type]
                await client.list_tools()
                if mode == "auto":
                    await tasks.start(_listen, paige.url)
                paige.process.send_signal(signal.SIGTERM)
                start = time.monotonic()
                await anyio.to_thread.run_sync(paige.process.wait)
                took = time.monotonic() - start
                tasks.cancel_scope.cancel()
    assert paige.process.returncode == 0
    assert took < 3


async def _listen(url: str, *, task_status: anyio.abc.TaskStatus[None]) -> None:
    """Hold a `subscriptions/listen` stream of the stateless era open."""
    version = "2026-07-28"
    meta = {
        "io.modelcontextprotocol/protocolVersion": version,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"_meta": meta, "notifications": {"toolsListChanged": True}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params}
    headers = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": version,
        "mcp-method": "subscriptions/listen",
    }
    async with (
        httpx2.AsyncClient(timeout=None) as client,
        client.stream("POST", f"{url}/mcp", json=request, headers=headers) as stream,
    ):
        assert stream.status_code == 200
        task_status.started()
        with suppress(httpx2.RemoteProtocolError):  # the server cuts it when it stops
            async for _ in stream.aiter_bytes():
                pass


def test_a_signal_during_start_up_is_a_clean_end(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; sys.argv = ['paige', 'up']\n"
        "import paige.doors.site.run\n"
        "paige.doors.site.run.run_server = lambda *a, **k: os.kill(os.getpid(), signal.SIGINT)\n"
        "from paige.doors.site.main import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(tmp_path),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )

    assert done.returncode == 0
    assert "during start-up" in done.stdout


def test_a_killed_server_leaves_a_whole_database_that_starts_again(tmp_path: Path) -> None:
    data = {"DATA_DIR": str(tmp_path / "data")}
    with live_paige(tmp_path, **data) as paige:
        paige.process.kill()
        paige.process.wait()
    with sqlite3.connect(tmp_path / "data" / "paige.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    database.close()
    with live_paige(tmp_path, **data) as paige:
        assert paige.stop()[0] == 0


def test_a_damaged_database_is_named_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "data" / "paige.db"
    path.parent.mkdir()
    path.write_bytes(b"SQLite format 3\x00" + b"garbage" * 1000)
    before = path.read_bytes()
    done = run_paige(tmp_path, "up", DATA_DIR=str(path.parent), PORT="0")

    assert done.returncode == 1
    assert "is damaged" in done.stderr
    assert "Traceback" not in done.stderr + done.stdout
    assert path.read_bytes() == before


def test_a_locked_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "data" / "paige.db"
    path.parent.mkdir()
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("CREATE TABLE mine (x)")
    holder.execute("BEGIN EXCLUSIVE")
    try:
        done = nursery.run(
            [sys.executable, "-c", IMPATIENT],
            env=environment(tmp_path, DATA_DIR=str(path.parent), PORT="0"),
            cwd=tmp_path,
            text=True,
        )
    finally:
        holder.close()

    assert done.returncode == 1
    assert "locked by another program" in done.stderr


def test_the_second_start_finds_the_first_ones_data(tmp_path: Path) -> None:
    first = subprocess.run(
        [PAIGE, "doctor"], env=environment(tmp_path), cwd=tmp_path, capture_output=True, check=False
    )
    with live_paige(tmp_path):
        pass
    second = run_paige(tmp_path, "doctor")

    assert b"not created yet" in first.stdout
    assert "is whole, schema" in second.stdout


def test_up_listens_where_it_is_told_and_opens_the_page(tmp_path: Path) -> None:
    shown = tmp_path / "shown"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {shown}\n', encoding="utf-8")
    browser.chmod(0o755)
    command = ("up", "--port", "0", "--host", "localhost", "--open")

    with live_paige(tmp_path, *command, fresh=True, PORT="1", BROWSER=str(browser)) as live:
        assert live.url.startswith("http://localhost:")
        code, _ = live.stop()

    assert code == 0
    assert shown.read_text("utf-8").strip() == live.url


def test_other_programs_find_the_server_of_a_data_folder_while_it_runs(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / ".paige")
    with live_paige(tmp_path) as live:
        assert announced_address(settings) == live.url
        live.stop()

    assert announced_address(settings) is None
