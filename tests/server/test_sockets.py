"""The WebSocket hub over a real socket: frames, numbers, replay, and clients that misbehave."""

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from paige.base.actor import Actor
from paige.store.engine import open_sqlite
from paige.store.queries import append_event, prune_events
from tests.conftest import NOON
from tests.live import Live, live_paige

SIZE = {"width": 800, "height": 600}


@pytest.fixture
def paige(tmp_path: Path) -> Iterator[Live]:
    """A running server."""
    with live_paige(tmp_path, DATA_DIR=str(tmp_path / "data")) as live:
        yield live


@pytest.fixture(scope="module")
def shared_paige(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A running server for tests that leave nothing behind."""
    with live_paige(tmp_path_factory.mktemp("shared")) as live:
        yield live


def hello(**more: object) -> str:
    payload = {"version": "1", "platform": "test", "windowSize": SIZE, **more}
    return json.dumps({"type": "connection:hello", "payload": payload, "id": "h1"})


def receive(socket: ClientConnection) -> dict[str, Any]:
    """The next frame that is not a heartbeat."""
    while True:
        frame = json.loads(socket.recv(timeout=10))
        if frame["type"] != "connection:heartbeat":
            return frame


def write_event(folder: Path, text: str, actor: Actor | None = None) -> int:
    """Store an event as another process would."""
    database = open_sqlite(folder / "data" / "paige.db")
    payload = {"code": "TEST", "message": text, "context": None}
    with database.transaction(write=True) as connection:
        seq = append_event(
            connection, actor or Actor(), "connection:error", payload, now=NOON, everyone=False
        )
    database.close()
    return seq


def test_hello_is_answered_with_init_and_its_id(shared_paige: Live) -> None:
    with connect(shared_paige.ws) as socket:
        socket.send(hello())
        frame = receive(socket)

    assert frame["type"] == "connection:init"
    assert frame["id"] == "h1"
    assert frame["payload"]["sessionId"] is None
    assert {"connection", "file", "session"} <= set(frame["payload"]["capabilities"])
    assert frame["payload"]["featureFlags"] == {"terminal": True}
    assert frame["seq"] == 0
    assert frame["durable"] is False


def test_what_another_process_writes_reaches_the_client_in_order(
    paige: Live, tmp_path: Path
) -> None:
    with connect(paige.ws) as socket:
        socket.send(hello())
        receive(socket)
        written = [write_event(tmp_path, f"event {number}") for number in range(5)]
        frames = [receive(socket) for _ in range(5)]

    assert [frame["seq"] for frame in frames] == written == [1, 2, 3, 4, 5]
    assert [frame["payload"]["message"] for frame in frames] == [f"event {n}" for n in range(5)]
    assert all(frame["durable"] for frame in frames)


def test_a_client_that_comes_back_gets_what_it_missed_once(paige: Live, tmp_path: Path) -> None:
    for number in range(1, 8):
        write_event(tmp_path, f"event {number}")
    with connect(paige.ws) as socket:
        socket.send(hello(lastEventId=3))
        frames = [receive(socket) for _ in range(5)]

    assert frames[0]["type"] == "connection:init"
    assert [frame["seq"] for frame in frames[1:]] == [4, 5, 6, 7]


def test_events_of_other_people_are_neither_sent_nor_replayed(paige: Live, tmp_path: Path) -> None:
    write_event(tmp_path, "theirs", Actor(tenant="other"))
    write_event(tmp_path, "somebody's", Actor(person="somebody"))
    write_event(tmp_path, "mine")
    with connect(paige.ws) as socket:
        socket.send(hello(lastEventId=0))
        receive(socket)
        frame = receive(socket)

    assert (frame["seq"], frame["payload"]["message"]) == (3, "mine")


@pytest.mark.parametrize("last", [0, 99])
def test_a_place_that_is_gone_means_read_everything_again(
    paige: Live, tmp_path: Path, last: int
) -> None:
    for number in range(4):
        write_event(tmp_path, f"event {number}")
    database = open_sqlite(tmp_path / "data" / "paige.db")
    with database.transaction(write=True) as connection:
        prune_events(connection, before=NOON.replace(year=2027))
    database.close()
    with connect(paige.ws) as socket:
        socket.send(hello(lastEventId=3))
        receive(socket)
        receive(socket)  # event 4: now the server has seen it too
    with connect(paige.ws) as socket:
        socket.send(hello(lastEventId=last))
        receive(socket)
        frame = receive(socket)

    assert frame["type"] == "connection:resync"
    assert frame["payload"] == {"oldest": 4, "latest": 4}


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{not json", "BAD_FRAME"),
        ("[]", "BAD_FRAME"),
        ('{"payload": {}}', "BAD_FRAME"),
        ('{"type": 7, "payload": {}}', "BAD_FRAME"),
        ("[" * 100_000, "BAD_FRAME"),
        ('{"type": "connection:hello", "payload": {"version": "1"}}', "INVALID_PAYLOAD"),
        ('{"type": "connection:hello", "payload": null}', "INVALID_PAYLOAD"),
    ],
)
def test_a_bad_frame_is_answered_and_the_connection_goes_on(
    shared_paige: Live, frame: str, code: str
) -> None:
    with connect(shared_paige.ws) as socket:
        socket.send(frame)
        answer = receive(socket)
        socket.send(hello())
        after = receive(socket)

    assert (answer["type"], answer["payload"]["code"]) == ("connection:error", code)
    assert after["type"] == "connection:init"


def test_a_hello_that_comes_too_late_for_a_replay_means_read_everything_again(
    shared_paige: Live,
) -> None:
    with connect(shared_paige.ws) as socket:
        socket.send("{")  # its answer shows that the wait for a hello is over
        receive(socket)
        socket.send(hello(lastEventId=9))
        frames = [receive(socket)["type"], receive(socket)["type"]]

    assert frames == ["connection:init", "connection:resync"]


def test_an_unknown_type_is_logged_and_ignored(paige: Live) -> None:
    with connect(paige.ws) as socket:
        socket.send('{"type": "no:such", "payload": {}}')
        socket.send(hello())
        answer = receive(socket)
    _, output = paige.stop()

    assert answer["type"] == "connection:init"
    assert "Unknown message type 'no:such'" in output


def read_until_closed(socket: ClientConnection) -> list[int]:
    """The numbers of the frames that still come."""
    seen: list[int] = []
    try:
        while True:
            seen.append(receive(socket)["seq"])
    except ConnectionClosed:
        return seen


def test_an_oversized_frame_closes_that_connection_only(shared_paige: Live) -> None:
    with connect(shared_paige.ws) as other, connect(shared_paige.ws) as socket:
        with suppress(ConnectionClosed):
            socket.send("x" * (17 * 2**20))
        assert read_until_closed(socket) == []
        other.send(hello())
        assert receive(other)["type"] == "connection:init"


def test_a_reader_that_is_too_slow_is_let_go_and_can_catch_up(paige: Live, tmp_path: Path) -> None:
    payload = {"code": "TEST", "message": "x" * 100_000, "context": None}
    database = open_sqlite(tmp_path / "data" / "paige.db")
    with connect(paige.ws, max_queue=1, compression=None) as stuck, connect(paige.ws) as good:
        stuck.send(hello())
        good.send(hello())
        receive(good)
        for number in range(1, 601):
            with database.transaction(write=True) as connection:
                append_event(connection, Actor(), "connection:error", payload, now=NOON)
            assert number % 100 or [receive(good)["seq"] for _ in range(100)][-1] == number
        last = read_until_closed(stuck)[-1]
    database.close()
    assert last < 600

    with connect(paige.ws) as socket:
        socket.send(hello(lastEventId=last))
        receive(socket)
        missed = [receive(socket)["seq"] for _ in range(600 - last)]
    assert missed == list(range(last + 1, 601))
