"""The terminal over real sockets: who may have it, and what a flood of output does to others."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocket
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from paige.app.application import open_app
from paige.base.settings import Settings
from paige.doors.frame.web.hub import ROOM_FRAMES, Connection, Hub
from paige.doors.frame.web.router import Router
from tests.live import Live, live_paige
from tests.server.conftest import BASE, Open
from tests.server.windows import Window, window

SECRETS = {
    "ANTHROPIC_API_KEY": "sk-ant-secret",
    "OPENAI_API_KEY": "sk-secret",
    "PAIGE_EMBEDDER_KEY": "key-secret",
}
FLOOD_FRAMES = 100
SCOPE = {"type": "websocket"}
WS = BASE.replace("http:", "ws:") + "/ws"
TERMINAL = {
    "terminal:ready": {"cols": 80, "rows": 24},
    "terminal:input": {"input": "id\n"},
    "terminal:resize": {"cols": 80, "rows": 24},
}


@pytest.fixture
def paige(tmp_path: Path) -> Iterator[Live]:
    """A server with a project."""
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.py").write_text("x = 1\n")
    given = {"PROJECT_DIR": str(project), "SHELL": "/bin/sh", "PS1": "$ ", **SECRETS}
    with live_paige(tmp_path, **given) as live:
        yield live


async def no_line(*_: object) -> Any:
    raise AssertionError("nobody writes or reads here")


def show(wire: Window, text: str) -> str:
    """Wait until a text is on the screen."""
    screen = ""
    while text not in screen:
        screen += wire.expect("terminal:output")["output"]
    return screen


def test_a_terminal_opens_takes_keys_and_size_and_tells_its_end(paige: Live) -> None:
    with window(paige.ws) as wire:
        opened = wire.ask("terminal:ready", {"cols": 90, "rows": 33}, answer="terminal:ready")
        wire.send("terminal:resize", {"cols": 70, "rows": 20})
        wire.send("terminal:input", {"input": "stty size; pwd\n"})
        screen = show(wire, "project")
        wire.send("terminal:input", {"input": "exit 5\n"})
        ended = wire.expect("terminal:exit")
        error = wire.ask("terminal:input", {"input": "x"}, answer="connection:error")

    assert opened == {"cols": 90, "rows": 33, "shell": "sh"}
    assert "20 70" in screen
    assert ended == {"code": 5}
    assert error["code"] == "NOT_FOUND"


def test_the_shell_does_not_see_paiges_own_keys(paige: Live) -> None:
    with window(paige.ws) as wire:
        wire.send("terminal:ready", {"cols": 80, "rows": 24})
        wire.send("terminal:input", {"input": 'env; echo fin""ished\n'})
        screen = show(wire, "finished")

    assert "SHELL=/bin/sh" in screen
    assert "secret" not in screen


def test_another_window_gets_the_same_terminal_with_what_was_shown(paige: Live) -> None:
    with window(paige.ws) as first, window(paige.ws) as second:
        first.send("terminal:ready", {"cols": 80, "rows": 24})
        first.send("terminal:input", {"input": "echo wor$((40 + 2))ds\n"})
        show(first, "wor42ds")
        with connect(paige.ws) as socket:
            late = Window(socket)
            late.ask("terminal:ready", {"cols": 80, "rows": 24}, answer="terminal:ready")
            assert "wor42ds" in show(late, "wor42ds")
        show(second, "wor42ds")


def test_a_flood_closes_nobody_and_leaves_room_for_others(paige: Live) -> None:
    with window(paige.ws) as wire, window(paige.ws) as other:
        wire.send("terminal:ready", {"cols": 80, "rows": 24})
        wire.send("terminal:input", {"input": "yes a-long-line-of-output-that-goes-on\n"})
        for _ in range(FLOOD_FRAMES):
            wire.expect("terminal:output")
        # Both still read, and both are still answered in the middle of it.
        other.send("file:open", {"path": "a.py"}, id="mine")
        assert other.expect("fs:content")["content"] == "x = 1\n"
        wire.send("terminal:input", {"input": "\x03"})
        wire.send("terminal:input", {"input": "echo qui$((1 + 1))et\n"})
        show(wire, "qui2et")
        show(other, "qui2et")


@pytest.mark.soak
def test_a_window_that_does_not_read_holds_the_flood_only_for_a_while(paige: Live) -> None:
    never_reads = connect(paige.ws, max_queue=1, compression=None, close_timeout=0.1)
    with window(paige.ws) as wire, never_reads as stuck:
        Window(stuck).send("terminal:resize", {"cols": 1, "rows": 1})  # it talks and never reads
        wire.send("terminal:ready", {"cols": 80, "rows": 24})
        wire.send("terminal:input", {"input": "yes\n"})
        for _ in range(FLOOD_FRAMES * 5):
            wire.expect("terminal:output")
        wire.send("terminal:input", {"input": "\x03"})
        wire.send("terminal:input", {"input": "echo qui$((1 + 1))et\n"})
        show(wire, "qui2et")
    _, output = paige.stop()

    assert output.count("reads too slowly") == 1


@pytest.mark.anyio
async def test_a_window_that_does_not_read_is_waited_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paige.doors.frame.web.hub.ROOM_SECONDS", 0.01)
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data")
    with open_app(settings, strict=False) as app, anyio.fail_after(30):
        hub = Hub(app, Router())
        stuck = Connection("stuck", WebSocket(SCOPE, no_line, no_line), app, joined=0, seq=0)
        hub.connections["stuck"] = stuck
        for _ in range(ROOM_FRAMES + 1):
            stuck.put("output")

        await hub.room(None)
        assert stuck.stalled
        monkeypatch.setattr("paige.doors.frame.web.hub.ROOM_SECONDS", 3600.0)
        await hub.room(None)

    stuck.take()
    assert not stuck.stalled


def test_a_page_at_another_port_gets_no_shell(paige: Live) -> None:
    for origin in (f"http://127.0.0.1:{paige.port + 1}", f"http://localhost:{paige.port}"):
        with pytest.raises(InvalidStatus, match="403"), connect(paige.ws, origin=Origin(origin)):
            pass


def test_a_listed_page_neither_uses_the_terminal_nor_sees_it(
    open_site: Open, tmp_path: Path
) -> None:
    listed = {"origin": "http://localhost:5173"}
    client = open_site(
        project_dir=tmp_path, passcode="open sesame", allowed_origins=tuple(listed.values())
    )
    client.headers["authorization"] = "Bearer open sesame"
    with (
        client.websocket_connect(WS) as own,
        client.websocket_connect(WS, headers=listed) as foreign,
    ):
        assert hello(own)["featureFlags"] == {"terminal": True}
        assert hello(foreign)["featureFlags"] == {"terminal": False}
        for type, payload in TERMINAL.items():
            foreign.send_json({"type": type, "payload": payload})
            assert foreign.receive_json()["payload"]["code"] == "REFUSED"
        own.send_json({"type": "terminal:ready", "payload": TERMINAL["terminal:ready"]})
        own.send_json({"type": "terminal:input", "payload": {"input": "exit\n"}})
        while own.receive_json()["type"] != "terminal:exit":
            pass
        foreign.send_json({"type": "practice:open", "payload": {"kataId": "nobody-has-this"}})
        assert foreign.receive_json()["type"] == "connection:error"  # and nothing came before it


def hello(socket: WebSocketTestSession) -> dict[str, object]:
    size = {"width": 1, "height": 1}
    payload = {"version": "1", "platform": "test", "windowSize": size}
    socket.send_json({"type": "connection:hello", "payload": payload})
    return socket.receive_json()["payload"]


def refused(client: TestClient) -> tuple[dict[str, object], dict[str, object]]:
    """What a client that is not on this machine is told."""
    with client.websocket_connect(WS) as socket:
        init = hello(socket)
        socket.send_json({"type": "terminal:ready", "payload": {"cols": 80, "rows": 24}})
        return init, socket.receive_json()["payload"]


def test_who_is_neither_here_nor_signed_in_gets_no_terminal(
    open_site: Open, tmp_path: Path
) -> None:
    init, error = refused(open_site(project_dir=tmp_path))

    assert init["featureFlags"] == {"terminal": False}
    assert error["code"] == "REFUSED"
    assert "passcode" in str(error["message"])


def test_who_has_the_passcode_gets_a_terminal_from_anywhere(
    open_site: Open, tmp_path: Path
) -> None:
    client = open_site(project_dir=tmp_path, passcode="open sesame", host="0.0.0.0")
    client.headers["authorization"] = "Bearer open sesame"
    with client.websocket_connect(WS) as socket:
        init = hello(socket)
        socket.send_json({"type": "terminal:ready", "payload": {"cols": 80, "rows": 24}})
        answer = socket.receive_json()

    assert init["featureFlags"] == {"terminal": True}
    assert answer["type"] == "terminal:ready"
