"""Runs that go on in a server: streamed, answered once, stopped, continued, never lost."""

import itertools
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from paige.app.application import open_app
from paige.base.settings import Settings
from paige.doors.site.factory import Site
from tests.conftest import NOON
from tests.docs.pages import ROOT
from tests.fakes.model_server import Recorded, Reply, Sse
from tests.fakes.served_model import KEY, ServedModel, served_model
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import live_paige
from tests.plan.planning import WORKSPACE, lesson_text, write_files
from tests.processes import line, python
from tests.server.plan_window import Json, Teacher, open_gate, teacher_at, teacher_in, yes

MILLISECOND = timedelta(milliseconds=1)
BASE = "http://127.0.0.1:3000"
IN_ORDER = ["feedforward", "reflection-prompt", "teacher-adjudication", "memory-capture"]
HOLD_A_LEASE = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from paige.base.actor import Actor
from paige.store.engine import open_sqlite
from paige.store.leases import take_lease
database = open_sqlite(Path(sys.argv[1]))
with database.transaction(write=True) as connection:
    now = datetime.fromisoformat(sys.argv[3])
    assert take_lease(connection, Actor(), sys.argv[2], now=now, seconds=30)
print("held", flush=True)
input()
"""


class Stalling(list[Mapping[str, Any]]):
    """Events of a stream that stops in the middle until it is told to go on."""

    def __init__(self, events: Sequence[Mapping[str, Any]], first: int) -> None:
        super().__init__(events)
        self.first = first
        self.stalled = threading.Event()
        self.go_on = threading.Event()

    def __iter__(self) -> Iterator[Mapping[str, Any]]:
        for number, event in enumerate(list.__iter__(self)):
            if number == self.first:
                self.stalled.set()
                assert self.go_on.wait(60), "nobody told the stream to go on"
            yield event


@pytest.fixture
def model() -> Iterator[ServedModel]:
    """A model on loopback."""
    with served_model() as served:
        yield served


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A small workspace."""
    return write_files(tmp_path / "workspace", WORKSPACE)


@pytest.fixture
def open_site(tmp_path: Path, workspace: Path) -> Callable[..., Any]:
    """A function that opens a site over the same data, at a moment; blocks end it."""

    @contextmanager
    def opener(now: datetime = NOON, **settings: Any) -> Iterator[TestClient]:
        ticks = itertools.count()
        chosen = Settings(
            cwd=tmp_path,
            given_data_dir=tmp_path / "data",
            given_workspace=workspace,
            environ={"HOME": str(tmp_path)},
            **settings,
        )
        with (
            open_app(chosen, strict=False, now=lambda: now + MILLISECOND * next(ticks)) as app,
            TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False) as client,
        ):
            yield client

    return opener


@pytest.fixture
def teacher(open_site: Any) -> Iterator[Teacher]:
    """A teacher whose lessons are composed without a model."""
    with open_site() as client, teacher_in(client) as opened:
        yield opened


def with_model(model: ServedModel, **more: Any) -> dict[str, Any]:
    """Settings of a site whose lessons are written by a model, and by nobody else."""
    return {"anthropic_api_key": KEY, "base_url": model.url, "fallback": "none", **more}


@pytest.fixture
def asking(open_site: Any, model: ServedModel) -> Iterator[Teacher]:
    """A teacher whose lessons are written by a model."""
    with open_site(**with_model(model)) as client, teacher_in(client) as opened:
        yield opened


def pieces(text: str) -> list[str]:
    """A text word by word, as models send it."""
    first, *rest = text.split(" ")
    return [first, *(f" {word}" for word in rest)]


def drafted(text: str | None = None) -> Sse:
    """A lesson as a model streams it."""
    return ANTHROPIC.text_stream(*pieces(text or lesson_text()))


def joined(deltas: list[Json]) -> str:
    """What a window makes of the pieces: each goes to where it belongs."""
    units = b""
    for delta in deltas:
        at = 2 * delta["start"]
        units = units[:at] + delta["text"].encode("utf-16-le")
    return units.decode("utf-16-le")


def to_the_draft(teacher: Teacher, **more: Any) -> Json:
    """Ask for a lesson and confirm what is known; the model is asked next."""
    begun = teacher.ask("loops for 3B", **more)
    gate = open_gate(teacher.until(begun["run"], "waiting"))
    assert gate["hook"] == "feedforward"
    assert teacher.answer(gate, yes(gate["interaction"])).status_code == 200
    return begun


# --- A whole lesson -------------------------------------------------------------------------------


def test_a_lesson_is_asked_for_judged_and_saved_and_every_window_sees_the_same(
    teacher: Teacher, workspace: Path
) -> None:
    with teacher_in(teacher.http) as colleague:
        begun = teacher.ask("loops for 3B")
        ended = teacher.finish(begun["run"])
        colleague.until(begun["run"], "ended")
        saved = [each.window.expect("plan:file") for each in (teacher, colleague)]

    assert (ended["state"], ended["status"], ended["source"]) == ("ended", "success", "local")
    assert [gate["hook"] for gate in ended["gates"]] == IN_ORDER
    assert all(gate["reply"]["auto"] is False for gate in ended["gates"])
    assert (workspace / ended["lesson"]).read_text() == ended["output"]
    assert [said["role"] for said in ended["said"]] == ["person", "agent"]
    assert saved == [{"path": ended["lesson"], "action": "written"}] * 2
    told = [
        [(f["type"], f["payload"]) for f in each.window.frames if f["type"].startswith("plan:")]
        for each in (teacher, colleague)
    ]
    assert told[0] == told[1]
    runs = [frame for frame in teacher.window.frames if frame["type"] == "plan:run"]
    assert all(frame["durable"] for frame in runs)
    assert runs[0]["payload"]["state"] == "running"
    assert runs[-1]["payload"] == {**begun, "state": "ended", "status": "success", "reason": None}


@pytest.mark.db
def test_a_lesson_is_planned_and_found_on_either_engine(
    db_settings: Settings, workspace: Path, tmp_path: Path
) -> None:
    settings = replace(db_settings, given_workspace=workspace, environ={"HOME": str(tmp_path)})
    with (
        open_app(settings, strict=False, now=lambda: NOON) as app,
        TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False) as client,
        teacher_in(client) as teacher,
    ):
        begun = teacher.ask("loops for 3B")
        ended = teacher.finish(begun["run"])
        found = teacher.get("/sessions", query="loops", **{"class": "3B"})["sessions"]
        waiting = teacher.get("/proposals")

    assert ended["status"] == "success"
    assert {gate["hook"] for gate in ended["gates"]} == set(IN_ORDER)
    assert [each["id"] for each in found] == [begun["session"]]
    assert waiting == []


def test_who_comes_back_gets_the_messages_that_were_missed(teacher: Teacher) -> None:
    begun = teacher.ask("loops for 3B")
    teacher.until(begun["run"], "waiting")
    seen = teacher.window.frames[-1]["seq"]
    gate = open_gate(teacher.run(begun["session"], begun["run"]))
    teacher.answer(gate, yes(gate["interaction"]))
    teacher.until(begun["run"], "waiting")
    missed = [f for f in teacher.window.frames if f["type"] == "plan:run" and f["seq"] > seen]

    with teacher_in(teacher.http, lastEventId=seen) as back:
        replayed = [back.window.receive() for _ in missed]

    assert [frame["payload"] for frame in replayed] == [frame["payload"] for frame in missed]


def test_a_session_goes_on_with_what_was_said_before(asking: Teacher, model: ServedModel) -> None:
    model.answers(drafted(), drafted(lesson_text(title="Loops again")))
    first = to_the_draft(asking)
    asking.finish(first["run"])

    second = asking.ask("make it shorter", "refine-lesson", session=first["session"])
    ended = asking.finish(second["run"])

    assert ended["number"] == 2
    assert ended["output"].startswith("# Loops again")
    history = [message["content"] for message in model.requests[-1].body["messages"]]
    assert "loops for 3B" in str(history[0])
    assert asking.get("/sessions")["sessions"][0]["classId"] == "3B"


def test_a_session_waits_for_its_run_before_another_begins(teacher: Teacher) -> None:
    begun = teacher.ask("loops for 3B")
    teacher.until(begun["run"], "waiting")

    another = teacher.http.post(
        "/api/plan/runs",
        json={"command": "refine-lesson", "input": "x", "session": begun["session"]},
    )

    assert another.status_code == 409
    assert begun["run"] in another.json()["error"]["message"]


# --- Answers --------------------------------------------------------------------------------------


def test_an_answer_that_does_not_fit_changes_nothing(teacher: Teacher) -> None:
    begun = teacher.ask("loops for 3B")
    gate = open_gate(teacher.until(begun["run"], "waiting"))
    right = yes(gate["interaction"])

    wrong = [
        teacher.answer(gate, {"picked": {"": {"option": "explode"}}}),
        teacher.answer(gate, {"texts": ["words"]}),
        teacher.answer(gate, {"picked": {"": {"option": []}}}),
        teacher.answer(gate, right, revision=7),
        teacher.answer({**gate, "gate": "hook/pre_loop/nobody/1"}, right),
        teacher.answer({**gate, "run": "nobody"}, right),
    ]

    assert [answer.status_code for answer in wrong] == [400, 400, 400, 409, 404, 404]
    assert open_gate(teacher.run(begun["session"], begun["run"])) == gate


def test_words_that_an_option_needs_cannot_be_left_out_by_calling_it_automatic(
    teacher: Teacher,
) -> None:
    begun = teacher.ask("loops for 3B")
    gate = open_gate(teacher.until(begun["run"], "waiting"))
    wordy = next(each["id"] for each in gate["interaction"]["options"] if each["wants_text"])

    answer = teacher.answer(gate, {"picked": {"": {"option": wordy}}, "auto": True})

    assert answer.status_code == 400


def test_of_many_answers_at_once_exactly_one_counts(teacher: Teacher) -> None:
    begun = teacher.ask("loops for 3B")
    gate = open_gate(teacher.until(begun["run"], "waiting"))
    codes: list[int] = []
    together = threading.Barrier(6)

    def answer() -> None:
        together.wait(30)
        codes.append(teacher.answer(gate, yes(gate["interaction"])).status_code)

    threads = [threading.Thread(target=answer) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)

    assert sorted(codes) == [200, 409, 409, 409, 409, 409]
    assert open_gate(teacher.until(begun["run"], "waiting"))["hook"] == "reflection-prompt"
    late = teacher.answer(gate, yes(gate["interaction"]))
    assert late.json()["error"]["message"] == "This question was answered meanwhile"


def test_a_gate_that_waits_for_a_week_is_answered_then(open_site: Any) -> None:
    with open_site() as client, teacher_in(client) as before:
        begun = before.ask("loops for 3B")
        asked = open_gate(before.until(begun["run"], "waiting"))

    later = NOON + timedelta(days=7)
    with open_site(later) as client, teacher_in(client) as after:
        [session] = after.get("/sessions")["sessions"]
        gate = open_gate(after.run(begun["session"], begun["run"]))
        answered = after.answer(gate, yes(gate["interaction"])).json()
        ended = after.finish(begun["run"])

    assert session["state"] == "waiting"
    assert gate == asked
    assert answered["openedAt"].startswith("2026-03-02T12:00:0")
    assert answered["answeredAt"].startswith("2026-03-09T12:00:0")
    assert ended["lesson"].startswith("lessons/2026-03-09-3B-")


def test_an_answer_is_kept_when_the_run_cannot_go_on(open_site: Any, model: ServedModel) -> None:
    with open_site(**with_model(model)) as client, teacher_in(client) as teacher:
        begun = teacher.ask("loops for 3B")
        gate = open_gate(teacher.until(begun["run"], "waiting"))

    # Without a key and without anybody who stands in.
    with open_site(provider="openai", fallback="none") as client, teacher_in(client) as teacher:
        kept = teacher.answer(gate, yes(gate["interaction"]))
        left = teacher.until(begun["run"], "interrupted")
        refused = teacher.http.post(f"/api/plan/runs/{begun['run']}/continue")

    model.answers(drafted())
    with open_site(**with_model(model)) as client, teacher_in(client) as teacher:
        went_on = teacher.http.post(f"/api/plan/runs/{begun['run']}/continue")
        seen = teacher.until(begun["run"], "waiting")

    assert kept.status_code == 200
    assert "`OPENAI_API_KEY` is not set" in left["reason"]
    assert refused.status_code == 503
    assert (went_on.status_code, went_on.json()) == (200, begun)
    assert open_gate(seen)["hook"] == "reflection-prompt"
    assert seen["reason"] is None


# --- While it is written --------------------------------------------------------------------------


def test_words_are_streamed_in_handfuls_to_every_window(
    asking: Teacher, model: ServedModel
) -> None:
    text = lesson_text()
    model.answers(drafted(text))
    with teacher_in(asking.http) as colleague:
        begun = to_the_draft(asking)
        seen = asking.until(begun["run"], "waiting")
        while open_gate(seen)["hook"] == "feedforward":
            seen = asking.until(begun["run"], "waiting")
        for _ in range(2):
            colleague.until(begun["run"], "waiting")
        streams = [
            [f["payload"] for f in each.window.frames if f["type"] == "plan:delta"]
            for each in (asking, colleague)
        ]

    assert streams[0] == streams[1]
    assert joined(streams[0]) == text
    assert {(each["run"], each["step"], each["attempt"]) for each in streams[0]} == {
        (begun["run"], "t1/model", 1)
    }
    assert len(streams[0]) < len(pieces(text)) / 4
    assert not any(f["durable"] for f in asking.window.frames if f["type"] == "plan:delta")


def test_tools_are_told_while_they_run_and_folded_into_what_was_said(
    asking: Teacher, model: ServedModel
) -> None:
    tool = ANTHROPIC.tool_stream("call_1", "read_file", '{"path": "classes', '/3B.md"}')
    gone = ANTHROPIC.tool_stream("call_2", "write_file", '{"path": "lessons/x.md", "text": "x"}')
    model.answers(tool, gone, drafted())
    begun = to_the_draft(asking)
    steps = [asking.window.expect("plan:step") for _ in range(2)]
    seen = asking.until(begun["run"], "waiting")

    assert [(each["name"], each["state"]) for each in steps] == [
        ("read_file", "started"),
        ("read_file", "ended"),
    ]
    assert {each["step"] for each in steps} == {"t1/tool/call_1"}
    _, reading, writing, answered = seen["said"]
    assert reading["tools"][0]["input"] == {"path": "classes/3B.md"}
    assert "Mixed ability" in reading["tools"][0]["result"]
    assert (reading["tools"][0]["failed"], writing["tools"][0]["failed"]) == (False, True)
    assert answered["text"] == lesson_text()
    assert seen["writing"] is None

    gate = open_gate(seen)
    asking.answer(gate, yes(gate["interaction"]))
    ended = asking.finish(begun["run"])
    refused = ended["said"][2]["tools"][0]
    assert (refused["failed"], refused["result"].startswith("Refused: ")) == (True, True)


def test_a_window_that_opens_late_reads_what_was_written_and_hears_the_rest(
    asking: Teacher, model: ServedModel
) -> None:
    text = lesson_text(title="Loops 🔁🔁 again")
    stream = ANTHROPIC.text_stream(*pieces(text))
    events = Stalling(stream.events, first=40)
    model.answers(Sse(events, headers=stream.headers))
    begun = to_the_draft(asking)
    assert events.stalled.wait(30)
    asking.window.expect("plan:delta")

    with teacher_in(asking.http) as late:
        running = late.run(begun["session"], begun["run"])
        so_far = running["writing"]
        events.go_on.set()
        late.until(begun["run"], "waiting")
        rest = [f["payload"] for f in late.window.frames if f["type"] == "plan:delta"]

    assert running["state"] == "running"
    assert (so_far["step"], so_far["attempt"]) == ("t1/model", 1)
    assert "🔁🔁" in so_far["text"]
    known = {"start": 0, "text": so_far["text"]}
    assert joined([known, *rest]) == text


# --- Stopping, failing, going on ------------------------------------------------------------------


def test_a_run_is_stopped_in_the_middle_and_continued(asking: Teacher, model: ServedModel) -> None:
    stream = drafted()
    events = Stalling(stream.events, first=30)
    model.answers(Sse(events, headers=stream.headers), drafted())
    begun = to_the_draft(asking)
    assert events.stalled.wait(30)

    stopped = asking.http.post(f"/api/plan/runs/{begun['run']}/stop")
    seen = asking.until(begun["run"], "interrupted")
    events.go_on.set()
    again = asking.http.post(f"/api/plan/runs/{begun['run']}/stop")
    went_on = asking.http.post(f"/api/plan/runs/{begun['run']}/continue")
    ended = asking.finish(begun["run"])

    assert (stopped.status_code, stopped.json()) == (200, begun)
    assert (seen["state"], seen["reason"]) == (
        "interrupted",
        "It was stopped. Continue it when you like.",
    )
    assert (again.status_code, went_on.status_code) == (200, 200)
    assert (ended["status"], ended["reason"]) == ("success", None)
    told = [f["payload"] for f in asking.window.frames if f["type"] == "plan:run"]
    assert "interrupted" in [each["state"] for each in told]


def test_a_run_whose_provider_fails_is_told_and_goes_on_when_it_is_mended(
    asking: Teacher, model: ServedModel
) -> None:
    model.answers(ANTHROPIC.error(401, "authentication_error", "invalid x-api-key"), drafted())
    begun = to_the_draft(asking)
    seen = asking.until(begun["run"], "interrupted")
    told = asking.window.frames[-1]["payload"]

    [session] = asking.get("/sessions")["sessions"]
    went_on = asking.http.post(f"/api/plan/runs/{begun['run']}/continue")
    ended = asking.finish(begun["run"])

    assert "ANTHROPIC_API_KEY" in seen["reason"]
    assert told["reason"] == seen["reason"]
    assert session["state"] == "interrupted"
    assert went_on.status_code == 200
    assert ended["status"] == "success"
    assert [gate["hook"] for gate in ended["gates"]] == IN_ORDER


def test_a_stream_that_breaks_starts_over_and_windows_end_with_the_whole_text(
    asking: Teacher, model: ServedModel
) -> None:
    text = lesson_text()
    model.answers(ANTHROPIC.text_stream(*pieces(text), cut=20), drafted(text))
    begun = to_the_draft(asking)
    asking.until(begun["run"], "interrupted")

    asking.http.post(f"/api/plan/runs/{begun['run']}/continue")
    asking.until(begun["run"], "waiting")

    deltas = [f["payload"] for f in asking.window.frames if f["type"] == "plan:delta"]
    assert [each["start"] for each in deltas].count(0) == 2
    assert joined(deltas) == text


def test_only_an_interrupted_run_is_continued(teacher: Teacher) -> None:
    begun = teacher.ask("loops for 3B")
    teacher.until(begun["run"], "waiting")
    waiting = teacher.http.post(f"/api/plan/runs/{begun['run']}/continue")
    gate = open_gate(teacher.run(begun["session"], begun["run"]))
    teacher.answer(gate, yes(gate["interaction"]))
    teacher.finish(begun["run"])
    ended = teacher.http.post(f"/api/plan/runs/{begun['run']}/continue")
    late = teacher.answer(gate, yes(gate["interaction"]))

    assert [each.status_code for each in (waiting, ended, late)] == [409, 409, 409]
    assert waiting.json()["error"]["hint"] == "Answer its question."


def test_a_run_that_another_process_works_on_is_left_to_it(
    open_site: Any, model: ServedModel, tmp_path: Path
) -> None:
    model.keeps_silent()
    with open_site(**with_model(model)) as client, teacher_in(client) as teacher:
        begun = to_the_draft(teacher)
        assert model.asked.wait(30)
    run = begun["run"]

    database = tmp_path / "data" / "paige.db"
    with (
        python(HOLD_A_LEASE, database, f"run/{run}", NOON.isoformat()) as other,
        open_site(**with_model(model)) as client,
    ):
        assert line(other) == "held"
        state = client.get(f"/api/plan/sessions/{begun['session']}").json()["session"]["state"]
        codes = [
            client.post(f"/api/plan/runs/{run}/{do}").status_code for do in ("continue", "stop")
        ]

    with open_site(**with_model(model)) as client:  # the other process is dead
        after = client.get(f"/api/plan/sessions/{begun['session']}").json()["session"]["state"]

    assert (state, codes) == ("running", [409, 409])
    assert after == "interrupted"


def test_who_cannot_be_answered_is_told_at_once(open_site: Any, tmp_path: Path) -> None:
    notes = ROOT / "tests" / "docs" / "plugins" / "notes"
    (tmp_path / ".ai" / "plugins").mkdir(parents=True)
    (tmp_path / ".ai" / "plugins" / "notes").symlink_to(notes)

    with open_site() as client:
        answer = client.post("/api/plan/runs", json={"command": "summarise", "input": "plan.md"})
        sessions = client.get("/api/plan/sessions").json()["sessions"]

    assert answer.status_code == 503
    assert "Nobody can answer" in answer.json()["error"]["message"]
    assert sessions == []


# --- A server that dies or stops ------------------------------------------------------------------


def variables(folder: Path, model: ServedModel | None = None) -> dict[str, str]:
    """The environment of a real server over the same data."""
    given = {
        "DATA_DIR": str(folder / "data"),
        "PAIGE_WORKSPACE": str(folder / "workspace"),
        "PAIGE_FALLBACK": "none",
    }
    return given if model is None else {**given, **model.variables}


def test_a_gate_outlives_a_killed_server(tmp_path: Path, workspace: Path) -> None:
    with live_paige(tmp_path, **variables(tmp_path)) as live:
        with teacher_at(live) as before:
            begun = before.ask("loops for 3B")
            asked = open_gate(before.until(begun["run"], "waiting"))
        live.stop(signal.SIGKILL)

    with live_paige(tmp_path, **variables(tmp_path)) as live, teacher_at(live) as after:
        [session] = after.get("/sessions")["sessions"]
        gate = open_gate(after.run(begun["session"], begun["run"]))
        assert after.answer(gate, yes(gate["interaction"])).status_code == 200
        ended = after.finish(begun["run"])
        code, _ = live.stop()

    assert session["state"] == "waiting"
    assert gate == asked
    assert ended["status"] == "success"
    assert [gate["hook"] for gate in ended["gates"]] == IN_ORDER
    assert (workspace / ended["lesson"]).exists()
    assert code == 0


def test_a_run_outlives_a_server_that_is_killed_while_the_model_thinks(
    tmp_path: Path, workspace: Path, model: ServedModel
) -> None:
    model.keeps_silent()
    with live_paige(tmp_path, **variables(tmp_path, model)) as live:
        with teacher_at(live) as before:
            begun = to_the_draft(before)
            assert model.asked.wait(30)
            known = before.window.frames[-1]["seq"]
        live.stop(signal.SIGKILL)

    model.answers_with(drafted_for)
    with (
        live_paige(tmp_path, **variables(tmp_path, model)) as live,
        teacher_at(live, lastEventId=known) as after,
    ):
        left = after.until(begun["run"], "interrupted")
        went_on = after.http.post(f"/api/plan/runs/{begun['run']}/continue")
        ended = after.finish(begun["run"])

    assert "stopped while it ran" in left["reason"]
    assert went_on.status_code == 200
    assert ended["status"] == "success"
    assert (workspace / ended["lesson"]).read_text() == ended["output"]


def drafted_for(request: Recorded) -> Reply:
    """A lesson, streamed when the request wants that."""
    return drafted() if request.body.get("stream") else ANTHROPIC.answer(lesson_text())


def test_a_server_that_is_asked_to_stop_does_not_wait_for_a_model(
    tmp_path: Path, workspace: Path, model: ServedModel
) -> None:
    model.keeps_silent()
    with live_paige(tmp_path, **variables(tmp_path, model)) as live, teacher_at(live) as teacher:
        begun = to_the_draft(teacher)
        assert model.asked.wait(30)
        code, output = live.stop()

    with live_paige(tmp_path, **variables(tmp_path, model)) as live, teacher_at(live) as after:
        seen = after.run(begun["session"], begun["run"])

    assert code == 0
    assert "Traceback" not in output
    assert seen["state"] == "interrupted"
