"""A window of the coach over a real socket: it says hello, sends, and waits for frames."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from websockets.sync.client import ClientConnection, connect

SECONDS = 20.0
MOST_FRAMES = 5000
SIZE = {"width": 800, "height": 600}
HELLO = {"version": "1", "platform": "test", "windowSize": SIZE}
Frame = dict[str, Any]


class Window:
    """One connection and every frame it has seen."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[Frame] = []

    def send(self, type: str, payload: object = None, *, id: str | None = None) -> None:
        """Send a message."""
        frame = {"type": type, "payload": {} if payload is None else payload}
        self.socket.send(json.dumps({**frame, **({"id": id} if id else {})}))

    def receive(self) -> Frame:
        """The next frame that is not a heartbeat."""
        while True:
            frame = json.loads(self.socket.recv(timeout=SECONDS))
            if frame["type"] != "connection:heartbeat":
                self.frames.append(frame)
                return frame

    def expect(self, *types: str) -> Any:
        """Wait for a frame of one of these types; return its payload."""
        for _ in range(MOST_FRAMES):
            frame = self.receive()
            if frame["type"] in types:
                return frame["payload"]
        raise AssertionError(f"{types} did not come in {MOST_FRAMES} frames")

    def ask(self, type: str, payload: object = None, *, answer: str) -> Any:
        """Send a message and wait for the frame that answers it."""
        self.send(type, payload)
        return self.expect(answer)

    def settle(self) -> list[str]:
        """Wait until everything sent so far was carried out; return what came in answer to it.

        Changes of files are left out: they come when they come, also from the test before.
        """
        before = len(self.frames)
        self.send("practice:open", {"kataId": "nobody-has-this"}, id="settled")
        while self.receive().get("id") != "settled":
            pass
        types = [frame["type"] for frame in self.frames[before:-1]]
        return [type for type in types if type != "fs:tree_update"]

    def start_session(self, issue: int | None = None) -> str:
        """Begin a session; return its id once the windows know everything about it."""
        self.send("session:start", {"issueNumber": issue})
        session = self.expect("session:started")["sessionId"]
        self.expect("fs:tree")
        return session

    def end_session(self) -> Any:
        """End the session; return what was learnt once the windows know everything about it."""
        learnt = self.ask("session:end", answer="session:completed")
        self.expect("explorer:clear_hints")
        return learnt


@contextmanager
def window(address: str, **hello: object) -> Iterator[Window]:
    """A window that has been answered."""
    with connect(address, max_size=None) as socket:
        opened = Window(socket)
        opened.send("connection:hello", {**HELLO, **hello}, id="hello")
        opened.expect("connection:init")
        yield opened
