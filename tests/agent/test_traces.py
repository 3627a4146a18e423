"""Traces: who belongs to whom, the tree people see, and what OpenTelemetry gets."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.agent.hooks import Hook
from paige.agent.interactions import Choices, Option, picked
from paige.agent.runs import continue_run, reply_to
from paige.agent.tables import RunRow, SpanRow
from paige.agent.trace.otel import span_id, to_otlp, trace_id
from paige.agent.trace.traces import (
    Trace,
    dump_trace,
    find_runs,
    parents_of,
    read_traces,
    render_cost,
    render_duration,
    render_tree,
)
from paige.base.errors import NotFound
from paige.models.scripted import calls
from paige.store.engine import Database
from tests.agent.crew import ME, agent_text, make_runtime, run
from tests.conftest import NOON

pytestmark = pytest.mark.anyio
RUN = "0195573d-6c00-7000-8000-000000000001"


def span(step: str, parent: str, kind: str, name: str = "x", **more: Any) -> SpanRow:
    attributes = json.dumps(more.pop("attributes", {}))
    values = {"failed": False, "started_us": 1_000_000, "ended_us": 1_500_000, **more}
    return SpanRow(RUN, step, parent, kind, name, attributes=attributes, **values)


def trace(*spans: SpanRow) -> Trace:
    header = {"agent": {"name": "planner", "file": "planner.md"}}
    row = RunRow(RUN, "me", "s1", 1, 1, header, "Do", "ended", "anthropic", NOON, NOON, "success")
    return Trace(row, spans)


ROOT = span("", "", "run", "planner", attributes={"status": "success", "cost_usd": 0.25})
MODEL = span(
    "t1/model",
    "t1",
    "model",
    "claude",
    attributes={
        "provider": "anthropic",
        "model": "claude",
        "stop_reason": "tool_use",
        "input_tokens": 20,
        "output_tokens": 30,
        "cache_write_tokens": 100,
        "cache_read_tokens": 2000,
        "cost_usd": None,
    },
)
TOOL = span(
    "t1/tool/c1", "t1", "tool", "spawn_subagent", failed=True, attributes={"input": {"a": "b"}}
)
NESTED = (
    span("sub/c1", "t1/tool/c1", "subagent", "helper", attributes={"task": "secret"}),
    span("sub/c1/t1/model", "sub/c1/t1", "model", "claude"),
)
HOOK = span("t1/tool/c1/hook/pre_tool/guard", "t1/tool/c1", "hook", "guard")


def test_a_span_belongs_to_the_nearest_span_above_it() -> None:
    assert parents_of((ROOT, MODEL, TOOL, HOOK, *NESTED)) == {
        "": None,
        "t1/model": "",
        "t1/tool/c1": "",
        "t1/tool/c1/hook/pre_tool/guard": "t1/tool/c1",
        "sub/c1": "t1/tool/c1",
        "sub/c1/t1/model": "sub/c1",
    }


@given(st.lists(st.text("at/", max_size=6), unique=True), st.data())
def test_whatever_the_steps_are_nobody_is_their_own_ancestor(
    steps: list[str], data: st.DataObject
) -> None:
    spans = tuple(
        span(step, data.draw(st.sampled_from([step, "a/t", ""])), "tool") for step in steps
    )

    above = parents_of(spans)

    for step in steps:
        seen: set[str | None] = set()
        place: str | None = step
        while place is not None:
            assert place not in seen
            seen.add(place)
            place = above[place]


def test_the_tree_shows_time_tokens_cost_and_failure() -> None:
    assert render_tree(trace(ROOT, MODEL, TOOL, HOOK, *NESTED)) == [
        "run planner              500 ms  2,120 in, 30 out  $0.2500  success",
        "  model claude           500 ms  2,120 in, 30 out  cost unknown",
        "  tool spawn_subagent    500 ms  FAILED",
        "    hook guard           500 ms",
        "    subagent helper      500 ms",
        "      model claude       500 ms  0 in, 0 out",
    ]


@pytest.mark.parametrize(
    ("microseconds", "shown"),
    [
        (-5, "0 µs"),
        (999, "999 µs"),
        (1_500, "2 ms"),
        (2_500_000, "2.5 s"),
        (61_000_000, "1 min 1 s"),
        (7_260_000_000, "2 h 1 min"),
    ],
)
def test_time_is_shown_as_people_read_it(microseconds: int, shown: str) -> None:
    assert render_duration(microseconds) == shown


def test_a_cost_that_is_not_known_is_not_shown_as_nothing() -> None:
    assert (render_cost(0.0), render_cost(None)) == ("$0.0000", "cost unknown")


def exported(*spans: SpanRow, content: bool = False) -> list[dict[str, Any]]:
    request = to_otlp([trace(*spans)], content=content)
    return request["resourceSpans"][0]["scopeSpans"][0]["spans"]


def named(shown: dict[str, Any]) -> dict[str, Any]:
    return {each["key"]: next(iter(each["value"].values())) for each in shown["attributes"]}


def test_ids_have_the_length_that_opentelemetry_wants_and_form_the_same_tree() -> None:
    shown = exported(ROOT, MODEL, TOOL, *NESTED)

    ids = {each["spanId"] for each in shown}
    assert {each["traceId"] for each in shown} == {RUN.replace("-", "")}
    assert len(ids) == 5
    assert all(len(bytes.fromhex(each)) == 8 and int(each, 16) for each in ids)
    assert "parentSpanId" not in shown[0]
    assert all(each["parentSpanId"] in ids for each in shown[1:])
    assert len(bytes.fromhex(trace_id("not a uuid"))) == 16
    assert span_id(RUN, "a") != span_id(RUN, "b")


def test_a_model_call_has_the_names_of_the_conventions() -> None:
    [_, shown] = exported(ROOT, MODEL)

    assert (shown["name"], shown["kind"]) == ("chat claude", 3)
    assert shown["startTimeUnixNano"] == "1000000000"
    assert named(shown) == {
        "gen_ai.conversation.id": "s1",
        "paige.step": "t1/model",
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "anthropic",
        "gen_ai.request.model": "claude",
        "gen_ai.response.model": "claude",
        "gen_ai.response.finish_reasons": {"values": [{"stringValue": "tool_use"}]},
        "gen_ai.usage.input_tokens": "2120",
        "gen_ai.usage.output_tokens": "30",
        "gen_ai.usage.cache_creation.input_tokens": "100",
        "gen_ai.usage.cache_read.input_tokens": "2000",
    }


def test_what_was_said_leaves_only_when_it_is_asked_for() -> None:
    without, whole = exported(ROOT, TOOL, *NESTED), exported(ROOT, TOOL, *NESTED, content=True)

    assert "secret" not in json.dumps(without)
    assert named(whole[1])["gen_ai.tool.call.arguments"] == '{"a": "b"}'
    assert named(whole[2])["paige.task"] == "secret"
    assert without[1]["status"] == {"code": 2}
    assert named(without[1])["error.type"] == "_OTHER"


async def ask(view: object, event: object) -> Choices:
    return Choices("Go on?", (Option("yes", "Yes"),))


async def yes(view: object, event: object, reply: object) -> None:
    return None


async def test_a_run_that_waits_has_a_trace_and_so_has_the_session(
    db: Database, tmp_path: Path
) -> None:
    gate = Hook("gate", ("pre_loop",), ask, yes)
    agents = {"helper": agent_text(hooks="[gate]")}
    runtime = make_runtime(
        db, tmp_path, [calls("read_file", path="note.md"), "Done."], agents=agents, hooks=(gate,)
    )
    state = await run(runtime)

    [waiting] = await db.read(read_traces, ME, state.run.id)
    await reply_to(runtime, ME, state.gates[0], picked("yes"))
    await continue_run(runtime, ME, state.run.id)
    [ended] = await db.read(read_traces, ME, state.run.session_id)

    assert [(each.kind, each.failed) for each in waiting.spans] == [("run", False)]
    assert [each.kind for each in ended.spans] == ["run", "hook", "model", "tool", "model"]
    assert set(parents_of(ended.spans).values()) == {None, ""}
    assert ended.spans[1].parent == ""
    assert dump_trace(ended)["gates"][0]["reply"]["picked"][""]["option"] == "yes"
    assert json.dumps(dump_trace(ended))


async def test_an_id_nobody_has_is_not_found(db: Database) -> None:
    with pytest.raises(NotFound, match="no run and no session `x`"):
        await db.read(find_runs, ME, "x")
