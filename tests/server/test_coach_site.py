"""The coach in a site of this process: its timer, its REST answers, and no project at all."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession

from paige.app.application import open_app
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.coach import queries
from paige.doors.site.factory import Site
from paige.learner.gaps import Constraint, Gap
from paige.learner.queries import NewKata, insert_kata, record_gap
from paige.store.engine import open_sqlite
from tests.coach.making import phase, plan
from tests.coach.scripted_model import ScriptedModel
from tests.conftest import NOON
from tests.server.conftest import BASE, Open

ME = Actor()
WS = BASE.replace("http:", "ws:") + "/ws"
MOST_LOOKS = 3000
Json = dict[str, Any]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A small project."""
    folder = tmp_path / "project"
    (folder / "src").mkdir(parents=True)
    (folder / "src" / "a.py").write_text("x = 1\n")
    return folder


@contextmanager
def site(folder: Path, **options: Any) -> Iterator[TestClient]:
    """A site with other options than the program has."""
    settings = Settings(cwd=folder, given_data_dir=folder / "data", project_dir=folder / "project")
    with ExitStack() as stack:
        app = stack.enter_context(open_app(settings, strict=False))
        yield stack.enter_context(TestClient(Site(app, **options).asgi, base_url=BASE))


def say(socket: WebSocketTestSession, type: str, payload: Json, answer: str) -> Json:
    """Send a message and wait for its answer."""
    socket.send_text(json.dumps({"type": type, "payload": payload}))
    return hear(socket, answer)


def hear(socket: WebSocketTestSession, type: str) -> Json:
    while (frame := socket.receive_json())["type"] != type:
        pass
    return frame["payload"]


def logged(client: TestClient, action_type: str) -> list[Json]:
    """The data of the actions of one type, newest first."""
    actions = client.get("/api/coach/actions?limit=500").json()["actions"]
    return [each["data"] for each in actions if each["actionType"] == action_type]


def look(found: Callable[[], list[Json]]) -> list[Json]:
    """Look until there is something."""
    for _ in range(MOST_LOOKS):
        if seen := found():
            return seen
    raise AssertionError("It did not come")


def typed(text: str) -> Json:
    where = {"line": 1, "column": 1}
    return {"path": "src/a.py", "content": text, "cursorPosition": where, "selections": []}


def test_scenario_4_2_buffer_summary(tmp_path: Path, project: Path) -> None:
    with site(tmp_path, summary_seconds=0.02) as client, client.websocket_connect(WS) as socket:
        say(socket, "session:start", {"issueNumber": None}, "fs:tree")
        say(socket, "file:open", {"path": "src/a.py"}, "fs:content")
        socket.send_json({"type": "buffer:update", "payload": typed("x = 12\n")})
        first = look(lambda: logged(client, "buffer_summary"))
        socket.send_json({"type": "buffer:update", "payload": typed("x = 1234\n")})
        both = look(lambda: logged(client, "buffer_summary")[: -len(first)])

    assert first == [{"path": "src/a.py", "editCount": 1, "charDelta": 1, "charCount": 7}]
    assert both == [{"path": "src/a.py", "editCount": 1, "charDelta": 2, "charCount": 9}]


def test_scenario_4_7_clean_buffer_no_op(tmp_path: Path, project: Path) -> None:
    with site(tmp_path, summary_seconds=0.001) as client, client.websocket_connect(WS) as socket:
        say(socket, "session:start", {"issueNumber": None}, "fs:tree")
        for text in ("x = 2\n", "x = 3\n"):
            say(socket, "file:save", {"path": "src/a.py", "content": text}, "fs:save_ack")
        seen = [client.get("/api/coach/actions").json()["actions"] for _ in range(20)][-1]

    assert [each["actionType"] for each in seen] == ["file_save", "file_save", "session_started"]


def test_where_a_person_is(tmp_path: Path, project: Path) -> None:
    with site(tmp_path) as client, client.websocket_connect(WS) as socket:
        before = client.get("/api/coach").json()
        session = say(socket, "session:start", {"issueNumber": 7}, "session:started")["sessionId"]
        hear(socket, "fs:tree")
        say(socket, "file:open", {"path": "src/a.py"}, "fs:content")
        store_plan(tmp_path, session)
        after = client.get("/api/coach").json()

    assert before == {
        "project": str(project),
        "session": None,
        "plan": None,
        "phases": [],
        "openFiles": [],
        "observer": {"active": False, "muted": False},
    }
    assert after["session"]["id"] == session
    assert after["session"]["issueNumber"] == 7
    assert after["session"]["status"] == "active"
    assert after["plan"]["estimatedDifficulty"] == "beginner"
    assert [each["number"] for each in after["phases"]] == [1, 2]
    assert after["openFiles"] == ["src/a.py"]
    assert after["observer"]["active"] is True


def store_plan(folder: Path, session: str) -> None:
    """A plan with two phases, the first one active."""
    with (
        closing(open_sqlite(folder / "data" / "paige.db")) as database,
        database.transaction(write=True) as connection,
    ):
        queries.insert_plan(connection, ME, plan(of=session))
        first = phase(1, status="active", started_at=NOON)
        queries.insert_phases(connection, ME, [first, phase(2)])


def test_the_hint_slider_moves_the_active_phase(tmp_path: Path, project: Path) -> None:
    with site(tmp_path) as client, client.websocket_connect(WS) as socket:
        session = say(socket, "session:start", {"issueNumber": 7}, "session:started")["sessionId"]
        hear(socket, "fs:tree")
        store_plan(tmp_path, session)
        change = {"level": "line", "previousLevel": "none"}
        socket.send_json({"type": "hints:level_change", "payload": change})
        look(lambda: logged(client, "hint_level_change"))
        phases = client.get("/api/coach").json()["phases"]

    assert [each["hintLevel"] for each in phases] == ["line", "none"]


def test_a_session_can_be_looked_back_at(tmp_path: Path, project: Path) -> None:
    with site(tmp_path) as client, client.websocket_connect(WS) as socket:
        session = say(socket, "session:start", {"issueNumber": 7}, "session:started")["sessionId"]
        hear(socket, "fs:tree")
        store_plan(tmp_path, session)
        seen = client.get(f"/api/coach/sessions/{session}").json()
        missing = client.get("/api/coach/sessions/nobody")

    assert (seen["session"]["id"], seen["session"]["issueNumber"]) == (session, 7)
    assert [each["status"] for each in seen["phases"]] == ["active", "pending"]
    assert seen["gaps"] == []
    assert missing.status_code == 404


def test_files_and_tree_are_read_without_opening_them(tmp_path: Path, project: Path) -> None:
    with site(tmp_path) as client:
        tree = client.get("/api/coach/tree").json()
        shown = client.get("/api/coach/file", params={"path": "src/a.py"}).json()
        outside = client.get("/api/coach/file", params={"path": "../../etc/passwd"})
        missing = client.get("/api/coach/file", params={"path": "no.py"})
        unnamed = client.get("/api/coach/file")
        overview = client.get("/api/coach").json()

    assert tree["root"]["children"][0]["children"][0]["path"] == "src/a.py"
    assert (shown["content"], shown["language"], shown["size"]) == ("x = 1\n", "python", 6)
    assert (outside.status_code, missing.status_code, unnamed.status_code) == (403, 404, 400)
    assert overview["openFiles"] == []


def test_the_dashboard_and_the_budget(tmp_path: Path, project: Path) -> None:
    with site(tmp_path) as client:
        shown = client.get("/api/coach/dashboard?period=7d")
        wrong = client.get("/api/coach/dashboard?period=1y")
        budget = client.get("/api/coach/budget").json()

    assert shown.json()["stats"]["period"] == "7d"
    assert wrong.status_code == 400
    assert budget["session"] is None
    assert budget["total"]["calls"] == 0


def test_a_kata_is_opened_without_its_notes(tmp_path: Path, project: Path) -> None:
    with site(tmp_path) as client, client.websocket_connect(WS) as socket:
        kata = store_kata(tmp_path)
        loaded = say(socket, "practice:open", {"kataId": kata}, "practice:kata_load")

    assert loaded["kata"]["title"] == "Sums"
    assert loaded["kata"]["topic"] == "loops"
    assert [each["title"] for each in loaded["constraints"]] == ["easy"]
    assert "secret note" not in json.dumps(loaded)


def store_kata(folder: Path) -> str:
    """A kata with a constraint that is open from the beginning, and one that is not."""
    constraints = (Constraint("easy", "e", 1), Constraint("hard", "h", 8))
    kata = NewKata(
        title="Sums", description="Add", instructor_notes="secret note", constraints=constraints
    )
    with (
        closing(open_sqlite(folder / "data" / "paige.db")) as database,
        database.transaction(write=True) as connection,
    ):
        gap = Gap(topic="loops", severity="low", evidence="seen")
        recorded = record_gap(connection, ME, gap, gap_id="g1", now=NOON)
        return insert_kata(connection, ME, recorded.gap.id, kata, kata_id="k1").id


def test_a_mind_answers_over_the_socket(tmp_path: Path, project: Path) -> None:
    model = ScriptedModel()
    with site(tmp_path, model=model) as client, client.websocket_connect(WS) as socket:
        selection = {"startLine": 1, "endLine": 1}
        asked = {"path": "src/a.py", "range": selection, "selectedText": "x"}
        explained = say(socket, "user:explain", asked, "explain:response")
        solution = {"kataId": "k", "userCode": "x", "activeConstraintTitles": []}
        reviewed = say(socket, "user:review", solution, "review:response")
        hear(socket, "practice:solution_review")
        issues = say(socket, "dashboard:refresh_issues", {}, "dashboard:issues")

    assert explained["explanation"] == "It adds."
    assert reviewed["level"] == 4
    assert issues["issues"][0]["number"] == 1


def test_without_a_project_the_coach_says_so(open_site: Open) -> None:
    client = open_site()
    with client.websocket_connect(WS) as socket:
        for type, payload in (
            ("file:open", {"path": "a.py"}),
            ("session:start", {"issueNumber": 1}),
            ("fs:request_tree", {}),
        ):
            error = say(socket, type, payload, "connection:error")
            assert error["code"] == "BAD_INPUT"
            assert "without a project" in error["message"]
    overview = client.get("/api/coach")
    tree = client.get("/api/coach/tree")

    assert overview.json()["project"] is None
    assert tree.status_code == 400
