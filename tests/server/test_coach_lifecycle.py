"""The server from start to stop, as the coach's clients see it: the real program, real sockets."""

import os
import re
import signal
import socket
import subprocess
import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx2
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.live import PAIGE, environment, live_paige, run_paige
from tests.server.windows import HELLO, Window, window

KEY = "sk-ant-not-a-real-key-0123456789"
STOP_SECONDS = 3
LARGE = 9 * 2**20  # a file that a line cannot hold three times when nobody reads from it
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}
ACCEPT = {"accept": "application/json, text/event-stream"}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """An empty project."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


def initialize(url: str) -> str:
    """Begin an MCP session of the handshake era; return its id."""
    answer = httpx2.post(f"{url}/mcp", json=INITIALIZE, headers=ACCEPT, timeout=20)
    assert answer.status_code == 200
    return answer.headers["mcp-session-id"]


def lives(pid: int) -> bool:
    """Whether a process runs; one that only waits to be noticed does not."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] not in "ZX"


def test_scenario_1_1_successful_startup(tmp_path: Path, project: Path) -> None:
    given = {"PROJECT_DIR": str(project), "ANTHROPIC_API_KEY": KEY}
    with live_paige(tmp_path, "serve", **given) as paige:
        assert httpx2.get(f"{paige.url}/health").status_code == 200
        code, output = paige.stop()

    assert code == 0
    assert f"Paige is ready at {paige.url}" in output
    assert str(paige.port) in output
    assert str(project) in output


def test_scenario_1_2_mcp_session_initialization(tmp_path: Path, project: Path) -> None:
    with live_paige(tmp_path, PROJECT_DIR=str(project)) as paige:
        first, second = initialize(paige.url), initialize(paige.url)

    assert uuid.UUID(first) != uuid.UUID(second)


def test_scenario_1_3_websocket_connection(tmp_path: Path, project: Path) -> None:
    (project / "a.py").write_text("x = 1\n")
    with live_paige(tmp_path, PROJECT_DIR=str(project)) as paige, window(paige.ws) as wire:
        shown = wire.ask("file:open", {"path": "a.py"}, answer="fs:content")

    assert shown["content"] == "x = 1\n"


def test_scenario_1_4_health_check(tmp_path: Path, project: Path) -> None:
    with live_paige(tmp_path, PROJECT_DIR=str(project)) as paige:
        answer = httpx2.get(f"{paige.url}/health")

    assert answer.status_code == 200
    assert answer.json()["status"] == "ok"
    assert answer.json()["uptime"] >= 0


@pytest.mark.parametrize(
    ("given", "missing"),
    [
        ({"ANTHROPIC_API_KEY": KEY}, ["PROJECT_DIR"]),
        ({"PROJECT_DIR": "."}, ["ANTHROPIC_API_KEY"]),
        ({"PROJECT_DIR": "", "ANTHROPIC_API_KEY": ""}, ["PROJECT_DIR", "ANTHROPIC_API_KEY"]),
    ],
)
def test_scenario_1_5_missing_required_env_var(
    tmp_path: Path, given: dict[str, str], missing: list[str]
) -> None:
    done = run_paige(tmp_path, "serve", **given)

    assert done.returncode == 1
    assert all(name in done.stderr for name in missing)


def test_scenario_1_6_project_dir_does_not_exist(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "serve", PROJECT_DIR="/no/such/folder", ANTHROPIC_API_KEY=KEY)

    assert done.returncode == 1
    assert "/no/such/folder" in done.stderr
    assert "does not exist" in done.stderr


def test_scenario_1_7_data_dir_auto_creation(tmp_path: Path, project: Path) -> None:
    data = tmp_path / "not" / "yet" / "there"
    with live_paige(tmp_path, PROJECT_DIR=str(project), DATA_DIR=str(data)):
        assert (data / "paige.db").exists()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_scenario_1_8_graceful_shutdown(tmp_path: Path, project: Path, number: int) -> None:
    shell = {"SHELL": "/bin/bash", "PROJECT_DIR": str(project)}
    with live_paige(tmp_path, **shell) as paige, ExitStack() as stack:
        windows = [stack.enter_context(window(paige.ws)) for _ in range(3)]
        initialize(paige.url)
        windows[0].start_session()
        child = stubborn_child(windows[0], project)
        began = time.monotonic()
        code, output = paige.stop(number)
        took = time.monotonic() - began
        codes = [closed_with(each) for each in windows]

    steps = [
        "Stopping on SIG",
        "Closing MCP",
        "Closed 3 WebSocket",
        "Closed 1 terminals",
        "Closed the watcher and the timers",
        "Closed the action log",
        "Closing the database",
        "Stopped",
    ]
    places = [output.index(step) for step in steps]
    assert code == 0
    assert places == sorted(places)
    assert codes == [1001] * 3
    assert took < STOP_SECONDS
    assert not lives(child)


def stubborn_child(wire: Window, project: Path) -> int:
    """Start something in the terminal that does not mind losing it; return its process id."""
    script = "trap '' HUP TERM INT\necho pid=$$-\nwhile :; do sleep 1; done\n"
    (project / "stubborn.sh").write_text(script)
    wire.ask("terminal:ready", {"cols": 80, "rows": 24}, answer="terminal:ready")
    wire.send("terminal:input", {"input": "exec sh stubborn.sh\n"})
    screen = ""
    while (found := re.search(r"pid=(\d+)-", screen)) is None:
        screen += wire.expect("terminal:output")["output"]
    return int(found[1])


def test_a_window_that_reads_nothing_does_not_keep_it_from_stopping(
    tmp_path: Path, project: Path
) -> None:
    (project / "large.txt").write_text("x" * LARGE)
    # Its line is still full at the end: uvloop says so, and that is no fault.
    given = {"PROJECT_DIR": str(project)}
    with live_paige(tmp_path, **given) as paige, ExitStack() as stack:
        stuck = connect(paige.ws, max_queue=1, max_size=None, close_timeout=0.1)
        Window(stack.enter_context(stuck)).send("connection:hello", HELLO)
        wire = stack.enter_context(window(paige.ws))
        for _ in range(3):
            wire.ask("file:open", {"path": "large.txt"}, answer="fs:content")
        code, output = paige.stop()

    assert code == 0
    assert "Closed 2 WebSocket" in output
    assert "Traceback" not in output


def closed_with(wire: Window) -> int:
    """The code a window was closed with."""
    with pytest.raises(ConnectionClosed) as closed:
        wire.expect("nothing of this type")
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def test_files_that_change_while_it_stops_are_no_problem(tmp_path: Path, project: Path) -> None:
    with live_paige(tmp_path, PROJECT_DIR=str(project)) as paige, window(paige.ws) as wire:
        wire.start_session()
        wire.send("buffer:update", {"path": "a.py", "content": "x" * 100})
        stop = threading.Event()
        busy = threading.Thread(target=write_until, args=(project, stop))
        busy.start()
        try:
            code, output = paige.stop()
        finally:
            stop.set()
            busy.join()

    assert code == 0
    assert "Traceback" not in output


def write_until(folder: Path, stop: threading.Event) -> None:
    for number in range(100_000):
        if stop.is_set():
            return
        (folder / f"{number % 50}.txt").write_text(str(number))


def test_a_port_in_use_ends_the_start(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = run_paige(tmp_path, "up", PORT=port)

    assert done.returncode == 1
    assert port in done.stderr


def test_several_coding_clis_have_sessions_of_their_own(tmp_path: Path, project: Path) -> None:
    with live_paige(tmp_path, PROJECT_DIR=str(project)) as paige:
        sessions = {initialize(paige.url) for _ in range(5)}

    assert len(sessions) == 5


def test_a_window_that_dies_is_forgotten_and_the_server_goes_on(
    tmp_path: Path, project: Path
) -> None:
    with live_paige(tmp_path, PROJECT_DIR=str(project)) as paige:
        with window(paige.ws) as wire:
            # Not a close frame: the line is cut.
            wire.socket.socket.shutdown(socket.SHUT_RDWR)
        with window(paige.ws) as wire:
            assert wire.settle() == []
        _, output = paige.stop()

    assert "Closed 0 WebSocket" in output
    assert "Traceback" not in output


def test_a_missing_env_file_is_no_problem(tmp_path: Path, project: Path) -> None:
    assert not (tmp_path / ".env").exists()
    given = {"PROJECT_DIR": str(project), "ANTHROPIC_API_KEY": KEY}
    with live_paige(tmp_path, "serve", **given) as paige:
        assert httpx2.get(f"{paige.url}/health").status_code == 200


@pytest.fixture
def starting(tmp_path: Path, project: Path) -> Iterator["subprocess.Popen[str]"]:
    """A server that has only begun to start: it waits for the lock of its database."""
    process = subprocess.Popen(
        [PAIGE, "up"],
        env=environment(tmp_path, PORT="0", PROJECT_DIR=str(project), DATA_DIR=str(tmp_path / "d")),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        try:
            yield process
        finally:
            process.kill()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_starts_closes_what_there_is(
    tmp_path: Path, starting: "subprocess.Popen[str]", number: int
) -> None:
    # Its data folder is the first thing it makes, after it has learnt to obey signals.
    while not (tmp_path / "d").exists():
        assert starting.poll() is None
    starting.send_signal(number)
    output, _ = starting.communicate(timeout=20)

    assert starting.returncode == 0
    assert "Traceback" not in output


def test_a_new_start_finds_the_session_that_was_active(tmp_path: Path, project: Path) -> None:
    given = {"PROJECT_DIR": str(project), "DATA_DIR": str(tmp_path / "data")}
    with live_paige(tmp_path, **given) as paige:
        with window(paige.ws) as wire:
            session = wire.start_session()
        os.kill(paige.process.pid, signal.SIGKILL)
        paige.process.wait()
    with live_paige(tmp_path, **given) as paige, window(paige.ws) as wire:
        init = wire.frames[0]["payload"]
        wire.send("session:resume", {"sessionId": session})
        restored = wire.expect("session:resumed")["restoredState"]

    assert init["sessionId"] == restored["sessionId"] == session
