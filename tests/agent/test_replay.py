"""A run told again from its journal: order, what was read, and who was asked."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.agent import queries
from paige.agent.journal import Entry
from paige.agent.trace.moments import MOST_TEXT, Beginning, MomentDetail, passage, tell
from paige.agent.trace.replay import kind_of, loop_of, tell_again
from paige.store.engine import Database
from tests.agent.crew import ME
from tests.agent.told_runs import PROMPT, begin, eventful_runtime, send_back_and_keep
from tests.conftest import NOON

pytestmark = pytest.mark.anyio
BEGINNING = Beginning(PROMPT, "You are helper.", 2)


async def told(db: Database, run: str) -> list[MomentDetail]:
    entries = await db.read(queries.journal_entries, ME, run)
    gates = await db.read(queries.gates_of, ME, run)
    spans = await db.read(queries.spans_of, ME, run)
    tools = {span.step: span.name for span in spans if span.kind == "tool"}
    return [tell(each, BEGINNING, tools) for each in tell_again(entries, gates)]


@pytest.mark.db
async def test_a_run_is_told_in_the_order_it_happened(db: Database, tmp_path: Path) -> None:
    runtime = eventful_runtime(db, tmp_path, NOON)
    state = await begin(runtime)
    waiting = await told(db, state.run.id)
    assert waiting[-1].kind == "gate"

    state = await send_back_and_keep(runtime, state)

    moments = await told(db, state.run.id)
    assert [(each.kind, each.name) for each in moments] == [
        ("hook", "pre_model"),
        ("model", "claude-sonnet-4-5"),
        ("hook", "pre_tool"),
        ("tool", "echo"),
        ("model", "claude-sonnet-4-5"),
        ("subagent", "worker"),
        ("model", "claude-haiku-4-5"),
        ("tool", "spawn_subagent"),
        ("model", "claude-sonnet-4-5"),
        ("gate", ""),
        ("hook", "post_loop"),
        ("model", "claude-sonnet-4-5"),
        ("gate", ""),
        ("end", "success"),
    ]


async def test_every_answer_comes_with_what_the_model_had_read_before_it(
    db: Database, tmp_path: Path
) -> None:
    runtime = eventful_runtime(db, tmp_path, NOON)
    state = await send_back_and_keep(runtime, await begin(runtime))

    first, second, worker, third, last = (
        each for each in await told(db, state.run.id) if each.kind == "model"
    )

    assert [(each.who, each.name, each.text) for each in first.read] == [
        ("system", "", "You are helper."),
        ("history", "2", ""),
        ("person", "", PROMPT),
        ("hook", "remind", "Class 6b meets on Tuesdays."),
    ]
    assert first.thought == "First what is known, then the plan."
    assert [each.name for each in first.called] == ["echo", "echo", "no_such_tool"]
    assert json.loads(first.called[0].input) == {"word": "fractions"}
    assert [(each.who, each.name, each.text, each.failed) for each in second.read] == [
        ("hook", "guard", "Names of children stay here.", True),
        ("tool", "echo", "fractions", False),
        ("tool", "no_such_tool", "", True),
    ]
    assert worker.read[-1].text == "Find three tasks"
    assert worker.cost_usd is None
    assert [each.text for each in third.read] == ["Halves, quarters, eighths."]
    assert [(each.who, each.text) for each in last.read] == [("hook", "A quiz, please")]
    assert last.said is not None
    assert last.said.text == "Start with halves. End with a quiz."


def entry(seq: int, step: str, body: object, kind: str = "result") -> Entry:
    return Entry(seq, step, kind, json.dumps(body))  # type: ignore[arg-type]  # one of both


def test_what_has_begun_and_did_not_end_comes_last() -> None:
    entries = [
        entry(1, "t1/model", {"attempt": 1}, "intent"),
        entry(2, "t1/model/failed/1", "overloaded"),
        entry(3, "fallback", {"to": "local", "reason": "Nobody answers"}),
        entry(4, "t1/tool/c1", {"tool": "send"}, "intent"),
    ]

    moments = [tell(each, BEGINNING, {}) for each in tell_again(entries, [])]

    assert [(each.kind, each.pending) for each in moments] == [
        ("failed", False),
        ("fallback", False),
        ("tool", True),
    ]


def test_hooks_that_say_nothing_are_left_out_and_nothing_is_told_twice() -> None:
    deny = {"decision": "deny", "reason": "No"}
    entries = [
        entry(1, "hook/pre_loop", {"a": None}),
        entry(2, "t1/hook/pre_model/a", deny),
        entry(3, "t1/hook/pre_model", {"a": deny, "b": None}),
        entry(4, "t1/hook/pre_model/a/step/x", 1),
    ]

    moments = [tell(each, BEGINNING, {}) for each in tell_again(entries, [])]

    assert [(each.step, [one.text for one in each.decided]) for each in moments] == [
        ("t1/hook/pre_model", ["No"])
    ]
    assert moments[0].failed


@pytest.mark.parametrize(
    ("step", "kind", "loop"),
    [
        ("t3/model", "model", ""),
        ("end/model", "model", ""),
        ("sub/c1/again2/t1/model", "model", "sub/c1/again2/"),
        ("t1/hook/post_loop/judge/ask/lesson/model", "model", ""),
        ("t1/tool/c1", "tool", ""),
        ("t1/tool/c1/agent", "subagent", ""),
        ("t1/tool/c1/hook/pre_tool", "hook", ""),
        ("sub/c1/hook/pre_loop", "hook", "sub/c1/"),
        ("t1/hook/pre_model/a/step/x", None, ""),
        ("t2/handoff", "handoff", ""),
        ("what/ever", None, ""),
    ],
)
def test_a_path_says_what_a_step_is_and_whose(step: str, kind: str | None, loop: str) -> None:
    assert (kind_of(step), loop_of(step)) == (kind, loop)


STEPS = st.sampled_from(
    ["t1/model", "t1/tool/c", "t1/hook/pre_model", "hook/x/y", "sub/c/t1/tool/d", "end", "x", "a/b"]
)


@given(st.lists(st.tuples(STEPS, st.sampled_from(["intent", "result"])), max_size=12))
def test_whatever_a_journal_holds_its_moments_are_in_order_and_told_once(
    given_steps: list[tuple[str, str]],
) -> None:
    entries = [entry(at, step, {}, kind) for at, (step, kind) in enumerate(given_steps, 1)]

    moments = tell_again(entries, [])

    done = [each.seq for each in moments if each.body is not None]
    assert done == sorted(done)
    begun = [each.step for each in moments if each.body is None]
    assert len(begun) == len(set(begun))


def test_a_text_nobody_would_read_is_cut_and_that_is_said() -> None:
    cut = passage("tool", "read_file", "x" * (MOST_TEXT + 7))

    assert (len(cut.text), cut.left_out) == (MOST_TEXT, 7)
