"""Two real servers with one PostgreSQL: what happens at one is seen at the other."""

import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest

from tests.conftest import TEMPLATE
from tests.fakes.served_model import ServedModel, served_model
from tests.live import Live
from tests.many_servers.cluster import cluster, servers
from tests.plan.planning import WORKSPACE, write_files
from tests.postgres import temp_database
from tests.server.plan_window import Json, Teacher, open_gate, teacher_at, yes
from tests.server.test_plan_runs import drafted, joined, to_the_draft
from tests.server.windows import Window, window

WRITES = 10


@pytest.fixture
def model() -> Iterator[ServedModel]:
    """A model on loopback."""
    with served_model() as served:
        yield served


@pytest.fixture
def url(postgres_server: str) -> Iterator[str]:
    """A database for one test."""
    with temp_database(postgres_server, template=TEMPLATE) as address:
        yield address


@pytest.fixture
def workspace(tmp_path: Path) -> str:
    """A small workspace that both servers see."""
    return str(write_files(tmp_path / "workspace", WORKSPACE))


def put(live: Live, name: str, text: str = "text") -> Any:
    """A write that an event tells of."""
    where = {"path": f"notes/{name}.md"}
    return httpx2.put(f"{live.url}/api/plan/file", params=where, json={"text": text}, timeout=30)


def put_many(live: Live) -> None:
    """Write one after another."""
    for n in range(WRITES):
        assert put(live, f"{live.port}-{n}").status_code == 200


def told(opened: Window, count: int) -> list[tuple[int, str]]:
    """Numbers and paths of the next events about files."""
    found: list[tuple[int, str]] = []
    while len(found) < count:
        opened.expect("plan:file")
        frame = opened.frames[-1]
        found.append((frame["seq"], frame["payload"]["path"]))
    return found


def test_windows_at_both_servers_see_everything_once_and_in_order(url: str, tmp_path: Path) -> None:
    with (
        servers(url, tmp_path) as (one, other),
        window(one.ws) as here,
        window(other.ws) as there,
    ):
        writers = [threading.Thread(target=put_many, args=(live,)) for live in (one, other)]
        for writer in writers:
            writer.start()
        seen = [told(each, 2 * WRITES) for each in (here, there)]
        for writer in writers:
            writer.join(60)
    assert seen[0] == seen[1]
    seqs = [seq for seq, _ in seen[0]]
    assert seqs == sorted(set(seqs))
    wanted = {f"notes/{live.port}-{n}.md" for live in (one, other) for n in range(WRITES)}
    assert {path for _, path in seen[0]} == wanted


def test_a_window_that_comes_back_at_the_other_server_gets_what_it_missed(
    url: str, tmp_path: Path
) -> None:
    with servers(url, tmp_path) as (one, other):
        with window(one.ws) as here:
            assert put(one, "first").status_code == 200
            [(last, _)] = told(here, 1)
        for n in range(3):
            assert put(one, f"missed-{n}").status_code == 200
        with window(other.ws, lastEventId=last) as back:
            missed = told(back, 3)
    assert [path for _, path in missed] == [f"notes/missed-{n}.md" for n in range(3)]
    assert all(seq > last for seq, _ in missed)


@pytest.mark.timeout(120)
def test_windows_go_on_after_postgresql_restarted(tmp_path: Path) -> None:
    with (
        cluster() as own,
        servers(own.url, tmp_path) as (one, other),
        window(one.ws) as here,
        window(other.ws) as there,
    ):
        assert put(one, "before").status_code == 200
        own.restart("immediate")
        after = [_put_until_kept(live, f"after-{live.port}") for live in (one, other)]
        seen = [told(each, 3) for each in (here, there)]
    assert after == [200, 200]
    assert seen[0] == seen[1]
    assert len({seq for seq, _ in seen[0]}) == 3


def _put_until_kept(live: Live, name: str) -> int:
    """Write as a client does: what was not acknowledged is written again."""
    for _ in range(50):
        answer = put(live, name)
        if answer.status_code != 503:
            return answer.status_code
        assert answer.headers["retry-after"]
    return answer.status_code


# --- Runs -----------------------------------------------------------------------------------------


def test_a_question_asked_at_one_server_is_answered_at_the_other(
    url: str, tmp_path: Path, workspace: str
) -> None:
    with (
        servers(url, tmp_path, PAIGE_WORKSPACE=workspace) as (one, other),
        teacher_at(one) as here,
        teacher_at(other) as there,
    ):
        begun = here.ask("loops for 3B")
        ended = _finish_in_turns(begun["run"], here, there)
        seen = here.until(begun["run"], "ended")
    assert (ended["state"], ended["status"]) == ("ended", "success")
    assert seen["output"] == ended["output"]


def _finish_in_turns(run: str, *teachers: Teacher) -> Json:
    """Answer every question at another server than the one before."""
    for turn in range(40):
        teacher = teachers[(turn + 1) % len(teachers)]
        seen = teachers[1].until(run, "waiting", "ended", "interrupted")
        if seen["state"] != "waiting":
            return seen
        gate = open_gate(seen)
        assert teacher.answer(gate, yes(gate["interaction"])).status_code == 200
    raise AssertionError("the run did not end")


def test_words_that_are_written_at_one_server_are_seen_at_the_other(
    url: str, tmp_path: Path, workspace: str, model: ServedModel
) -> None:
    draft = drafted()
    model.answers(draft)
    told_of = {**model.variables, "PAIGE_FALLBACK": "none", "PAIGE_WORKSPACE": workspace}
    with (
        servers(url, tmp_path, **told_of) as (one, other),
        teacher_at(one) as here,
        teacher_at(other) as there,
    ):
        begun = to_the_draft(here)
        here.until(begun["run"], "waiting")
        there.until(begun["run"], "waiting")  # for the question before the draft
        there.until(begun["run"], "waiting")
        mine, theirs = _deltas(here, begun["run"]), _deltas(there, begun["run"])
    assert theirs
    assert joined(theirs) == joined(mine)


def _deltas(teacher: Teacher, run: str) -> list[Json]:
    seen = [f["payload"] for f in teacher.window.frames if f["type"] == "plan:delta"]
    return [each for each in seen if each["run"] == run]


def test_a_run_is_stopped_at_another_server_than_the_one_that_works_on_it(
    url: str, tmp_path: Path, workspace: str, model: ServedModel
) -> None:
    told_of = {**model.variables, "PAIGE_FALLBACK": "none", "PAIGE_WORKSPACE": workspace}
    with (
        servers(url, tmp_path, **told_of) as (one, other),
        teacher_at(one) as here,
        teacher_at(other) as there,
    ):
        model.keeps_silent()
        begun = to_the_draft(here)
        assert model.asked.wait(30)
        stopped = there.http.post(f"/api/plan/runs/{begun['run']}/stop")
        seen = there.until(begun["run"], "interrupted")
    assert stopped.status_code == 200, stopped.text
    assert seen["reason"].startswith("It was stopped")


@pytest.mark.timeout(120)
def test_a_run_whose_server_was_killed_goes_on_at_the_other(
    url: str, tmp_path: Path, workspace: str, model: ServedModel
) -> None:
    told_of = {**model.variables, "PAIGE_FALLBACK": "none", "PAIGE_WORKSPACE": workspace}
    with servers(url, tmp_path, **told_of) as (one, other), teacher_at(other) as there:
        with teacher_at(one) as here:
            model.keeps_silent()
            begun = to_the_draft(here)
            assert model.asked.wait(30)
        model.answers_with(lambda _: drafted())
        one.stop(signal.SIGKILL)
        seen = there.until(begun["run"], "waiting")
        while seen["gates"][-1]["hook"] == "feedforward":
            seen = there.until(begun["run"], "waiting", "interrupted")
        assert seen["state"] == "waiting"
        ended = _answer_all(there, seen)
    assert (ended["state"], ended["status"]) == ("ended", "success")
    assert len(model.requests) == 2  # once in vain, once by the server that went on


def _answer_all(teacher: Teacher, seen: Json) -> Json:
    for _ in range(40):
        if seen["state"] != "waiting":
            return seen
        gate = open_gate(seen)
        assert teacher.answer(gate, yes(gate["interaction"])).status_code == 200
        seen = teacher.until(seen["id"], "waiting", "ended", "interrupted")
    raise AssertionError("the run did not end")
