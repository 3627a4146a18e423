"""A teacher at a window of the Plan door: over a real socket, or to a site in this process."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx2
from starlette.testclient import TestClient, WebSocketTestSession

from tests.live import Live
from tests.server.windows import SECONDS, SIZE, Window, window

MOST_LOOKS = 100
MOST_QUESTIONS = 40
Json = dict[str, Any]
Answers = Callable[[Json], Json]


class Teacher:
    """One person with a window open, who asks, answers and looks."""

    def __init__(self, http: Any, opened: Window) -> None:
        self.http = http
        self.window = opened

    def get(self, path: str, **query: object) -> Any:
        """Read an address of the door."""
        answer = self.http.get(f"/api/plan{path}", params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def ask(self, input: str, command: str = "create-lesson", **more: object) -> Json:
        """Start a run."""
        answer = self.http.post("/api/plan/runs", json={"command": command, "input": input, **more})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def until(self, run: str, *states: str) -> Json:
        """Wait until a run is in one of these states; return it as its session shows it."""
        while True:
            told = self.window.expect("plan:run")
            if told["run"] == run and told["state"] in states:
                # The server that is asked may still be putting the segment away, or the run may
                # have moved on since; then more will be told.
                for _ in range(MOST_LOOKS):
                    seen = self.run(told["session"], run)
                    if seen["state"] in states:
                        return seen

    def run(self, session: str, run: str) -> Json:
        """A run as its session shows it now."""
        runs = self.get(f"/sessions/{session}")["runs"]
        return next(each for each in runs if each["id"] == run)

    def answer(self, gate: Json, reply: Json, *, revision: int | None = None) -> Any:
        """Answer a question; return the whole response."""
        wanted = gate["revision"] if revision is None else revision
        return self.http.post(
            f"/api/plan/runs/{gate['run']}/gates/{gate['gate']}",
            json={"revision": wanted, "reply": reply},
        )

    def finish(self, run: str, answers: Mapping[str, Answers] | None = None) -> Json:
        """Answer until the run ends: as given by the hook's name, else yes to all."""
        for _ in range(MOST_QUESTIONS):
            seen = self.until(run, "waiting", "ended", "interrupted")
            if seen["state"] != "waiting":
                return seen
            gate = open_gate(seen)
            given = (answers or {}).get(gate["hook"], yes)
            answer = self.answer(gate, given(gate["interaction"]))
            assert answer.status_code == 200, answer.text
        raise AssertionError("the run did not end")


def open_gate(run: Json) -> Json:
    """The one question that is open."""
    [gate] = [gate for gate in run["gates"] if gate["answeredAt"] is None]
    return gate


def yes(asked: Json) -> Json:
    """What a person says who likes everything."""
    match asked["kind"]:
        case "questions":
            return {"texts": ["Yes."] * len(asked["questions"])}
        case "free_text":
            return {"texts": [asked["initial"]]}
        case "choices":
            return {"picked": {"": {"option": asked["options"][0]["id"]}}}
        case _:
            first = asked["options"][0]["id"]
            return {"picked": {each["id"]: {"option": first} for each in asked["sections"]}}


@contextmanager
def teacher_at(live: Live, **hello: object) -> Iterator[Teacher]:
    """A teacher at a real server."""
    with (
        httpx2.Client(base_url=live.url, timeout=SECONDS) as http,
        window(live.ws, **hello) as opened,
    ):
        yield Teacher(http, opened)


@contextmanager
def teacher_in(client: TestClient, **hello: object) -> Iterator[Teacher]:
    """A teacher at a site in this process."""
    with client.websocket_connect("ws://127.0.0.1:3000/ws") as session:
        opened = Window(_Socket(session))  # type: ignore[arg-type]  # send and recv are all it needs
        payload = {"version": "1", "platform": "test", "windowSize": SIZE, **hello}
        opened.send("connection:hello", payload, id="hello")
        opened.expect("connection:init")
        yield Teacher(client, opened)


class _Socket:
    """A socket of the test client, called as a real one."""

    def __init__(self, session: WebSocketTestSession) -> None:
        self._session = session

    def send(self, text: str) -> None:
        """Send a frame."""
        self._session.send_text(text)

    def recv(self, timeout: float) -> str:
        """The next frame; how long a test may wait is pytest's business."""
        return self._session.receive_text()
