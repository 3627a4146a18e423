"""Runs over HTTP: listed, opened, told again, and what they cost."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.testclient import TestClient

from paige.agent import queries
from paige.agent.trace import queries as trace_queries
from paige.agent.trace.queries import CostRow, RunSearch
from paige.app.application import App, open_app
from paige.base.actor import Actor
from paige.base.errors import BadInput
from paige.base.settings import Settings
from paige.doors.site.factory import Site
from paige.doors.traces.operations import last_days, read_zone, with_door
from paige.models.log import ApiCall
from paige.models.queries import insert_api_call
from paige.store.engine import Database, open_database
from tests.agent.crew import ME, make_runtime, run
from tests.agent.told_runs import (
    PROMPT,
    add_calls,
    add_long_run,
    begin,
    eventful_runtime,
    send_back_and_keep,
)
from tests.conftest import NOON

BASE = "http://127.0.0.1:3000"
OTHER = Actor(person="somebody-else")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """An application at noon."""
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data")
    with open_app(settings, strict=False, now=lambda: NOON) as found:
        yield found


@pytest.fixture
def client(app: App) -> Iterator[TestClient]:
    """A site over that application."""
    with TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False) as found:
        yield found


def get(client: TestClient, path: str) -> Any:
    answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: TestClient, path: str) -> tuple[int, str]:
    answer = client.get(path)
    return answer.status_code, answer.json()["error"]["message"]


def beside(app: App) -> AbstractContextManager[Database]:
    """The same database as another process opens it: the server's own belongs to its loop."""
    return closing(open_database(app.settings))


def write(app: App, work: Any, *args: Any) -> Any:
    with beside(app) as database:
        return anyio.run(partial(database.write, work, *args))


def eventful(app: App, folder: Path) -> str:
    async def play(database: Database) -> str:
        runtime = eventful_runtime(database, folder, NOON)
        return (await send_back_and_keep(runtime, await begin(runtime))).run.id

    with beside(app) as database:
        return anyio.run(play, database)


def test_where_nothing_ran_the_list_is_empty(client: TestClient) -> None:
    assert get(client, "/api/traces") == {"runs": [], "next": None, "doors": []}
    assert refused(client, "/api/traces/none") == (404, "There is no run `none`")
    assert get(client, "/api/costs?days=2")["rows"] == []


def test_runs_are_listed_newest_first_a_page_at_a_time(client: TestClient, app: App) -> None:
    ids = [write(app, add_long_run, ME, NOON + timedelta(minutes=at), 1) for at in range(5)]
    write(app, add_long_run, OTHER, NOON + timedelta(hours=1), 1)

    first = get(client, "/api/traces?limit=2")
    second = get(client, f"/api/traces?limit=2&before={first['next']}")
    third = get(client, f"/api/traces?limit=2&before={second['next']}")

    seen = [each["id"] for page in (first, second, third) for each in page["runs"]]
    assert seen == ids[::-1]
    assert third["next"] is None
    assert first["doors"] == ["plan"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("query=fractions+LESSON", 1),
        ("query=fractions+long", 0),
        ("query=100%25", 0),
        ("door=plan", 2),
        ("door=coach", 0),
        ("status=waiting", 1),
        ("status=success", 1),
        ("status=failed", 0),
    ],
)
def test_runs_are_found_by_words_door_and_state(
    client: TestClient, app: App, tmp_path: Path, asked: str, found: int
) -> None:
    write(app, add_long_run, ME, NOON, 1)
    with beside(app) as database:
        anyio.run(begin, eventful_runtime(database, tmp_path, NOON))

    assert len(get(client, f"/api/traces?{asked}")["runs"]) == found


def test_a_run_nobody_works_on_any_more_is_said_to_be_interrupted(
    client: TestClient, app: App, tmp_path: Path
) -> None:
    with beside(app) as database:
        state = anyio.run(run, make_runtime(database, tmp_path, ["Done"]))
    write(app, partial(queries.update_run, now=NOON, state="running"), ME, state.run.id)

    assert get(client, "/api/traces")["runs"][0]["state"] == "interrupted"


def test_one_run_has_its_spans_as_columns_and_its_questions(
    client: TestClient, app: App, tmp_path: Path
) -> None:
    found = get(client, f"/api/traces/{eventful(app, tmp_path)}")

    spans = found["spans"]
    assert {len(column) for column in spans.values()} == {len(spans["steps"])}
    assert (spans["kinds"][0], spans["parents"][0], found["prompt"]) == ("run", -1, PROMPT)
    above = {
        step: spans["steps"][parent]
        for step, parent in zip(spans["steps"], spans["parents"], strict=True)
        if parent >= 0
    }
    assert above["sub/c4"] == "t2/tool/c4"
    assert above["sub/c4/t1/model"] == "sub/c4"
    at = spans["steps"].index("t1/model")
    assert (spans["tokensIn"][at], spans["tokensOut"][at], spans["costs"][at]) == (
        6600,
        300,
        0.0081,
    )
    first, second = found["gates"]
    assert (first["title"], first["options"]) == ("Is this lesson right?", ["Keep it", "Change it"])
    assert first["answers"] == [{"question": "", "answer": "Change it: A quiz, please"}]
    assert second["answers"] == [{"question": "", "answer": "Keep it"}]
    assert found["run"]["costUsd"] is None  # one of its models has no price


def test_what_a_tool_was_given_and_said_comes_when_somebody_asks(
    client: TestClient, app: App, tmp_path: Path
) -> None:
    id = eventful(app, tmp_path)

    tool = get(client, f"/api/traces/{id}/span?step=t1/tool/c1")
    whole = get(client, f"/api/traces/{id}/span")

    assert tool["attributes"]["input"] == {"word": "fractions"}
    assert (whole["kind"], whole["attributes"]["status"]) == ("run", "success")
    assert refused(client, f"/api/traces/{id}/span?step=t9/model")[0] == 404


def test_the_journal_is_read_in_pages_and_each_entry_whole(
    client: TestClient, app: App, tmp_path: Path
) -> None:
    id = eventful(app, tmp_path)

    page = get(client, f"/api/traces/{id}/journal?limit=3")
    rest = get(client, f"/api/traces/{id}/journal?after=3&limit=500")

    assert [each["seq"] for each in page["entries"]] == [1, 2, 3]
    assert len(page["entries"]) + len(rest["entries"]) == page["total"]
    last = rest["entries"][-1]
    assert last["step"] == "end"
    whole = get(client, f"/api/traces/{id}/journal/{last['seq']}")
    assert whole["leftOut"] == 0
    assert whole["body"].startswith(last["body"])
    assert refused(client, f"/api/traces/{id}/journal/9999")[0] == 404
    assert refused(client, f"/api/traces/{id}/journal?limit=0")[0] == 400


def test_a_run_is_told_again_from_any_moment(client: TestClient, app: App, tmp_path: Path) -> None:
    id = eventful(app, tmp_path)

    page = get(client, f"/api/traces/{id}/moments?first=1&limit=2")

    model, hook = page["moments"]
    assert (page["first"], page["total"], model["number"]) == (1, 14, 1)
    assert model["read"][1]["text"] == PROMPT
    assert (model["tokensIn"], model["costUsd"]) == (6600, 0.0081)
    assert model["at"] is not None
    assert hook["decided"] == [
        {"hook": "guard", "outcome": "deny", "text": "Names of children stay here."}
    ]
    gate = get(client, f"/api/traces/{id}/moments?first=9&limit=1")["moments"][0]
    assert gate["gate"]["answers"][0]["answer"] == "Change it: A quiz, please"
    assert get(client, f"/api/traces/{id}/moments?first=99")["moments"] == []
    for step in ("t1/tool/c1", "t1/tool/c1/hook/pre_tool/guard"):
        assert get(client, f"/api/traces/{id}/moments?step={step}")["first"] == 3
    assert refused(client, f"/api/traces/{id}/moments?step=nowhere")[0] == 404


def test_ten_thousand_spans_come_in_one_answer_of_a_bearable_size(
    client: TestClient, app: App
) -> None:
    id = write(app, add_long_run, ME, NOON)

    answer = client.get(f"/api/traces/{id}")

    assert len(answer.json()["spans"]["steps"]) == 10_001
    assert len(answer.content) < 1_500_000  # what the tools said would be several times that
    assert len(get(client, f"/api/traces/{id}/moments?first=6990")["moments"]) == 10


def test_another_persons_runs_cannot_be_opened(client: TestClient, app: App) -> None:
    id = write(app, add_long_run, OTHER, NOON, 1)

    for path in ("", "/span", "/journal", "/moments"):
        assert refused(client, f"/api/traces/{id}{path}")[0] == 404
    assert get(client, "/api/traces")["doors"] == []


def test_costs_are_summed_by_day_model_door_and_purpose(client: TestClient, app: App) -> None:
    id = write(app, add_long_run, ME, NOON, 1)
    write(app, add_calls, ME, NOON, f"session-{id}")
    write(app, add_calls, OTHER, NOON + timedelta(milliseconds=1), None)

    found = get(client, "/api/costs?days=14")

    assert (found["days"][0], found["days"][-1]) == ("2026-02-17", "2026-03-02")
    rows = found["rows"]
    assert sum(row["calls"] for row in rows) == 27
    assert {(row["door"], row["model"]) for row in rows} == {
        ("plan", "claude-sonnet-4-5"),
        ("study", "claude-haiku-4-5"),
        ("coach", "our-own-model"),
    }
    unknown = [row for row in rows if row["model"] == "our-own-model"]
    assert all(row["unpriced"] == row["calls"] and row["costUsd"] == 0 for row in unknown)
    assert sum(row["failed"] for row in rows) > 0
    assert (
        refused(client, "/api/costs?zone=Mars/Olympus")[1] == "There is no time zone `Mars/Olympus`"
    )
    assert refused(client, "/api/costs?days=9999")[0] == 400


def at(moment: datetime, **more: Any) -> ApiCall:
    values: dict[str, Any] = {"session_id": None, "call_type": "x", "model": "m", "latency_ms": 5}
    same = {"id": moment.isoformat(), "created_at": moment, "input_hash": "", "provider": "p"}
    return ApiCall(**{**values, **same, **more})


@pytest.mark.db
@pytest.mark.anyio
async def test_a_day_is_that_of_the_reader_also_when_clocks_are_changed(db: Database) -> None:
    moments = (
        datetime(2026, 3, 28, 23, 30, tzinfo=UTC),  # the 29th in Berlin, where an hour is missing
        datetime(2026, 3, 29, 21, 59, tzinfo=UTC),
        datetime(2026, 3, 29, 22, 0, tzinfo=UTC),  # the 30th
    )
    for moment in moments:
        await db.write(insert_api_call, ME, at(moment, cost_estimate=0.5, billed_usd=None))
    failed = at(moments[2] + timedelta(hours=1), latency_ms=-1, cost_estimate=0, billed_usd=2)
    await db.write(insert_api_call, ME, failed)
    days = last_days(moments[2] + timedelta(hours=2), 3, read_zone("Europe/Berlin"))

    rows = await db.read(trace_queries.read_costs, ME, days)

    assert [(row.day, row.calls, row.failed, row.cost_usd) for row in rows] == [
        ("2026-03-29", 2, 0, 1.0),
        ("2026-03-30", 2, 1, 2.5),
    ]
    assert await db.read(trace_queries.read_costs, ME, []) == []


@pytest.mark.db
@pytest.mark.anyio
async def test_the_list_is_the_same_on_both_engines(db: Database, tmp_path: Path) -> None:
    state = await begin(eventful_runtime(db, tmp_path, NOON))

    found = await db.read(trace_queries.find_runs, ME, RunSearch(query="FRACTIONS 6b"))

    assert [(item.run.id, item.door) for item in found] == [(state.run.id, "plan")]
    assert await db.read(trace_queries.asking_runs, ME, [state.run.id]) == {state.run.id}
    light = await db.read(trace_queries.light_spans, ME, state.run.id)
    assert {span.attributes for span in light if span.kind == "tool"} == {"{}"}
    page = await db.read(partial(trace_queries.entries_page, after=1, limit=1), ME, state.run.id)
    assert [each.seq for each in page] == [2]


@pytest.mark.parametrize(
    ("purpose", "door"),
    [("guard_judge", "guard"), ("memory.summarise", "memory"), ("issue_assessment", "coach"),
     ("eval:judge", "plan"), ("something", "other")],
)  # fmt: skip
def test_a_call_outside_a_session_belongs_to_whom_it_was_made_for(purpose: str, door: str) -> None:
    row = CostRow("2026-03-02", "p", "m", "", purpose, 1, 0, 0, 0.0, 0, 0, 0, 0)

    assert with_door(row).door == door
    assert with_door(replace(row, door="study")).door == "study"


@pytest.mark.parametrize("name", ["", "../etc/passwd", "/etc/passwd", "Nowhere", "a\0b"])
def test_a_zone_that_does_not_exist_is_refused(name: str) -> None:
    with pytest.raises(BadInput, match="There is no time zone"):
        read_zone(name)
