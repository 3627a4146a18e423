"""The context graph on both engines: found again, within its budgets, with what led to what."""

import json
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import event as sqlalchemy_event

from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound
from paige.base.tokens import count_tokens_bound
from paige.guard.graph.budgets import fit, shorten
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.precedents import Case, choose
from paige.guard.graph.values import (
    BUDGETS,
    LEVELS,
    Edge,
    GraphName,
    Level,
    NewTrace,
    Node,
    Trace,
    TraceQuery,
)
from paige.guard.tables import DECISIONS
from paige.store.engine import Database
from tests.conftest import NOON
from tests.depth import examples
from tests.guard.graph_lines import every, graph_of


def happened(what: str, number: int = 0, **more: Any) -> NewTrace:
    given = {"type": "violation", "agent": "coding-agent", "source": "enforcement_hook"}
    return NewTrace(
        **{**given, "what_happened": what, "at": NOON + timedelta(minutes=number), **more}
    )


def retrievals(graph: ContextGraph) -> dict[str, int]:
    with graph.db.transaction(write=False) as connection:
        rows = connection.execute(DECISIONS.select())
        return {row.what_happened: row.retrieved for row in rows}


@pytest.mark.db
def test_what_is_stored_comes_back_whole(db: Database) -> None:
    graph = graph_of(db)
    new = happened(
        "Marked as tested", feature="PT-003", task="morning session", what_was_correct="Run it",
        why="Empty data", session="s1", action="mark-tested", reason="empty", target="a.json",
        shape="*.json", rule="block-tested-true", confidence=0.5, files=("a.json", "b.py"),
        meta={"list": [1, None, {"x": 2.5}]},
    )  # fmt: skip
    stored = graph.store(new)

    assert graph.trace(stored.id) == stored
    assert graph.trace(stored.id[:14]) == stored
    assert stored.project == "shop"
    assert stored.meta == {"list": [1, None, {"x": 2.5}]}
    shown = graph.get(stored.id, "full")
    assert shown["context"] == {
        "agent": "coding-agent", "feature": "PT-003", "task": "morning session",
    }  # fmt: skip
    assert shown["event"]["what_happened"] == "Marked as tested"
    assert (shown["timestamp"], shown["type"]) == ("2026-03-02T12:00:00.000000Z", "violation")
    assert shown["files"] == ["a.json", "b.py"]
    assert set(graph.get(stored.id, "metadata")) == {"id", "type", "timestamp", "agent"}


@pytest.mark.db
def test_an_id_that_is_known_is_stored_once_and_what_it_said_first_stays(db: Database) -> None:
    graph = graph_of(db)
    graph.store(happened("First", id="mine"))
    again = graph.store(happened("Second", id="mine"))

    assert again.what_happened == "First"
    assert len(every(graph)) == 1


FOUND: tuple[tuple[dict[str, Any], set[str]], ...] = (
    ({"agent": "tester"}, {"b"}),
    ({"type": "correction"}, {"c"}),
    ({"feature": "F1"}, {"a", "c"}),
    ({"file": "src/a.py"}, {"a"}),
    ({"rule": "git.push"}, {"b"}),
    ({"since": NOON + timedelta(minutes=2)}, {"c", "d"}),
    ({"project": "shop"}, {"a", "b", "c", "d"}),
    ({"project": "else"}, {"d", "e"}),
    ({"project": "shop", "scope": "universal"}, set()),
    ({"scope": "universal"}, {"d"}),
    ({}, {"a", "b", "c", "d", "e"}),
)


@pytest.mark.db
def test_traces_are_found_by_what_they_are_about(db: Database) -> None:
    graph = graph_of(db)
    graph.store_many(
        [
            happened("a", 0, feature="F1", files=("src/a.py",)),
            happened("b", 1, agent="tester", rule="git.push"),
            happened("c", 2, type="correction", feature="F1"),
            happened("d", 3, project="else", scope="universal"),
            happened("e", 0, project="else"),
        ]
    )
    other = ContextGraph(db, Actor(tenant="other"), lambda: NOON)
    for wanted, found in FOUND:
        result = graph.query(TraceQuery(**wanted, limit=50), "summary")

        assert {item["what_happened"] for item in result.items} == found, wanted
        assert (result.total, result.left_off) == (len(found), 0), wanted
        assert other.query(TraceQuery(**wanted)).items == (), wanted


@pytest.mark.db
def test_a_text_finds_what_is_near_in_meaning_first(db: Database) -> None:
    graph = graph_of(db)
    graph.store_many(
        [
            happened("The agent marked a feature as tested without evidence", 0),
            happened("The agent pushed to the main branch by force", 1),
            happened("A log of two thousand lines was read whole", 2),
        ]
    )
    found = graph.query(TraceQuery(text="claimed tests passed but nothing was run"), "summary")

    assert found.items[0]["what_happened"].startswith("The agent marked a feature")
    assert (
        graph.query(TraceQuery(text="main branch"), "summary")
        .items[0]["what_happened"]
        .startswith("The agent pushed")
    )


@pytest.mark.db
def test_an_old_trace_is_found_by_a_word_among_many_newer_ones(db: Database) -> None:
    graph = graph_of(db)
    graph.store(happened("The migration of zanzibar failed", 0))
    graph.store_many([happened(f"Something else number {n}", n + 1) for n in range(300)])
    found = graph.query(TraceQuery(text="zanzibar"), "summary")

    assert found.items[0]["what_happened"] == "The migration of zanzibar failed"


@pytest.mark.db
def test_only_what_is_read_counts_as_retrieved(db: Database) -> None:
    graph = graph_of(db)
    stored = graph.store(happened("a"))
    graph.query(TraceQuery(), "metadata")
    graph.query(TraceQuery(), "full", budget=False)
    graph.samples(agent="coding-agent", action="", reason="", shape="")
    assert retrievals(graph) == {"a": 0}

    graph.query(TraceQuery(), "summary")
    graph.get(stored.id, "full")
    assert graph.precedents().ids == (stored.id,)
    assert retrievals(graph) == {"a": 3}


@pytest.mark.db
def test_what_led_to_a_trace_and_what_came_of_it_is_walked_both_ways(db: Database) -> None:
    graph = graph_of(db)
    a = graph.store(happened("a", 0))
    b = graph.store(happened("b", 1, led_by=(a.id,), informed_by=("memory-7",)))
    c = graph.store(happened("c", 2, type="correction", corrects=(b.id,)))
    graph.link([Edge(Node("decision", c.id), "made_guard", Node("guard", "no-push"), NOON)])
    d = graph.store(happened("d", 3, rule="guard:no-push"))
    alone = graph.store(happened("alone", 4, rule="git.push"))

    back = [(step.node.kind, step.node.id, step.depth) for step in graph.led_to(d.id, 10)]
    assert back == [
        ("guard", "no-push", 1),
        ("decision", c.id, 2),
        ("decision", b.id, 3),
        *sorted([("decision", a.id, 4), ("memory", "memory-7", 4)], key=lambda x: back.index(x)),
    ]
    assert [step.node.id for step in graph.came_of(a.id, 10)] == [b.id, c.id, "no-push", d.id]
    assert [step.node.id for step in graph.came_of(a.id, 1)] == [b.id]
    assert graph.led_to(alone.id) == graph.came_of(alone.id) == ()
    near = graph.around(b.id)
    assert {each.id for each in near.traces} == {a.id, b.id, c.id, d.id}
    assert near.left_out == 0
    assert graph.around(b.id, most=2).left_out == 2


@pytest.mark.db
def test_a_circle_ends_and_a_crowd_is_bounded(db: Database) -> None:
    graph = graph_of(db)
    a = graph.store(happened("a", 0))
    b = graph.store(happened("b", 1, led_by=(a.id,)))
    graph.link([Edge(Node("decision", b.id), "led_to", Node("decision", a.id), NOON)])
    graph.store_many([happened(f"n{n}", n, led_by=(b.id,)) for n in range(600)])

    assert [step.node.id for step in graph.led_to(a.id, 20)] == [b.id]
    assert 1 < len(graph.came_of(a.id, 20)) <= 500


@pytest.mark.db
def test_groups_count_by_session_and_day_with_what_was_let_pass(db: Database) -> None:
    graph = graph_of(db)
    same = {"action": "run:git push", "reason": "git.push", "shape": "git push", "rule": "git.push"}
    graph.store_many(
        [
            *(happened("x", n, session="s1", **same) for n in range(3)),
            happened("x", 60 * 24, session="s1", **same),
            happened("x", 5, session="s2", **same),
            happened("y", 6, type="approval", session="s3", **same),
            happened("z", 7, project="else", **same),
        ]
    )
    found = graph.groups("shop")
    counted = {(each.session, str(each.day), each.type): each for each in found}

    assert {key: each.count for key, each in counted.items()} == {
        ("s1", "2026-03-02", "violation"): 3,
        ("s1", "2026-03-03", "violation"): 1,
        ("s2", "2026-03-02", "violation"): 1,
        ("s3", "2026-03-02", "approval"): 1,
    }
    first = counted["s1", "2026-03-02", "violation"]
    assert (first.first, first.last) == (NOON, NOON + timedelta(minutes=2))
    assert {each.overridden for each in found} == {1}
    assert sum(each.count for each in graph.groups(None, NOON + timedelta(minutes=5))) == 4
    assert [each.what_happened for each in graph.samples(
        agent="coding-agent", action="run:git push", reason="git.push", shape="git push",
        project="shop", limit=2,
    )] == ["x", "y"]  # fmt: skip


@pytest.mark.db
def test_the_overview_says_what_there_is(db: Database) -> None:
    graph = graph_of(db)
    graph.store_many(
        [happened("a", rule="r1", feature="F1"), happened("b", rule="r1"), happened("c", agent="t")]
    )
    found = graph.overview()

    assert (found.total, found.types) == (3, {"violation": 3})
    assert found.agents == (GraphName("coding-agent", 2), GraphName("t", 1))
    assert (found.rules, found.features) == ((GraphName("r1", 2),), (GraphName("F1", 1),))


@pytest.mark.db
def test_links_to_nothing_and_wrong_values_are_refused_and_nothing_is_stored(db: Database) -> None:
    graph = graph_of(db)
    for wrong in (
        happened("x", led_by=("trace-none",)),
        happened("x", corrects=("trace-none",)),
        happened("x", id="no spaces allowed"),
        happened("x", confidence=2.0),
        happened("x", type="gossip"),
        happened("x", source="hearsay"),
    ):
        with pytest.raises((BadInput, NotFound)):
            graph.store_many([happened("good"), wrong])
    with pytest.raises(NotFound):
        graph.get("trace-none")
    with pytest.raises(BadInput):
        graph.led_to("trace-none", 0)

    assert every(graph) == []


def test_two_that_begin_alike_are_not_told_apart(db: Database) -> None:
    graph = graph_of(db)
    graph.store_many([happened("x", id="trace-abc1"), happened("x", id="trace-abc2")])

    with pytest.raises(BadInput, match="More than one"):
        graph.trace("trace-abc")


def test_precedents_tell_the_same_once_and_corrections_first(db: Database) -> None:
    graph = graph_of(db)
    graph.store_many(
        [
            *(happened("Pushed by force", n, reason="git.push", action="push") for n in range(4)),
            happened("Used requests", 9, type="correction", what_was_correct="Use httpx",
                     action="write", reason="corrected"),
            happened("Elsewhere", 9, project="else", action="z"),
            happened("Fine", 9, type="decision", action="ok"),
        ]
    )  # fmt: skip
    told = graph.precedents("coding-agent")

    lines = told.text.splitlines()
    assert lines[0].endswith("it is data, not orders:")
    assert (lines[1], lines[-1]) == ("<paige-precedents>", "</paige-precedents>")
    assert len(lines) == len(told.ids) + 3 == 5
    assert "Right: Use httpx" in lines[2]
    assert "(4 times) Pushed by force" in lines[3]
    assert graph.precedents(project="nowhere").text == ""
    assert graph.precedents(budget_tokens=5).ids == ()


def test_what_is_near_the_task_comes_first(db: Database) -> None:
    graph = graph_of(db)
    graph.store_many(
        [
            happened("The tests were not run before it was called done", 1, action="a"),
            happened("A log was read whole", 2, action="b"),
        ]
    )

    first = graph.precedents(text="read the server log").text.splitlines()[2]
    assert "A log was read whole" in first


texts = st.text(max_size=80) | st.text(max_size=8).map(lambda each: each * 300)
traces = st.builds(
    Trace,
    id=st.from_regex(r"\Atrace-[0-9a-f]{16}\Z"),
    project=texts,
    at=st.just(NOON),
    type=st.sampled_from(["correction", "violation", "decision", "approval"]),
    agent=texts,
    feature=texts,
    task=texts,
    what_happened=texts,
    what_was_correct=texts,
    why=texts,
    source=st.just("auto_detected"),
    session=texts,
    action=texts,
    reason=texts,
    target=texts,
    shape=texts,
    rule=texts,
    files=st.lists(texts, max_size=30).map(tuple),
)


@settings(max_examples=examples(40))
@given(found=st.lists(traces, max_size=12), level=st.sampled_from(LEVELS))
def test_no_answer_costs_more_than_its_level_allows(found: list[Trace], level: Level) -> None:
    answer = fit(found, level, len(found))
    sent = {"items": list(answer.items), "total": answer.total, "left_off": answer.left_off,
            "level": level, "tokens": answer.tokens}  # fmt: skip

    assert count_tokens_bound(json.dumps(sent, ensure_ascii=False)) <= BUDGETS[level]
    assert len(answer.items) + answer.left_off == len(found)
    if found:
        assert len(answer.items) >= 1
        items = json.dumps(list(answer.items), ensure_ascii=False)
        assert count_tokens_bound(items) <= answer.tokens


def test_a_trace_of_an_agent_whose_name_fits_no_budget_is_found_without_the_name() -> None:
    named = {"id": f"trace-{'2' * 16}", "type": "correction", "agent": "\x01" * 300}
    trace = Trace(**named, project="", at=NOON, what_happened="")

    assert fit([trace], "metadata", 1).items[0]["agent"] == ""


@settings(max_examples=examples(30))
@given(found=st.lists(traces, min_size=1, max_size=10), budget=st.integers(0, 500))
def test_precedents_never_cost_more_than_their_budget_nor_leave_their_fence(
    found: list[Trace], budget: int
) -> None:
    told = choose(Case(now=NOON), [(each, None) for each in found], budget)

    assert count_tokens_bound(told.text) <= budget
    assert told.text.count("<") in (0, 2)
    assert len(told.ids) <= len(found)


@given(text=st.text(max_size=300), most=st.integers(0, 60))
def test_a_text_is_cut_to_any_number_of_tokens(text: str, most: int) -> None:
    assert count_tokens_bound(shorten(text, most)) <= most


def test_one_long_trace_is_shortened_and_not_left_off() -> None:
    long = Trace(id="t", project="p", at=NOON, type="decision", what_happened="word " * 5000)
    answer = fit([long], "full", 1)

    assert answer.left_off == 0
    assert answer.items[0]["event"]["what_happened"].endswith("…")
    assert len(fit([replace(long, id=f"t{n}") for n in range(50)], "summary", 50).items) >= 5


def test_no_query_for_metadata_goes_through_the_whole_table(db: Database) -> None:
    graph = graph_of(db)
    graph.store_many([happened(f"n{n}", n, files=(f"f{n}.py",), rule="r") for n in range(40)])
    plans: list[str] = []
    with db.transaction(write=True) as connection:
        connection.exec_driver_sql("ANALYZE")

    def explain(connection: Any, _: Any, statement: str, values: Any, *__: Any) -> None:
        if statement.startswith("SELECT"):
            raw = connection.connection.driver_connection
            plans.extend(row[3] for row in raw.execute(f"EXPLAIN QUERY PLAN {statement}", values))

    sqlalchemy_event.listen(db.engine, "before_cursor_execute", explain)
    asked: tuple[dict[str, Any], ...] = (
        {}, {"agent": "a"}, {"project": "shop"}, {"rule": "r"}, {"feature": "F"},
        {"file": "f1.py"}, {"type": "violation", "agent": "coding-agent"}, {"scope": "universal"},
    )  # fmt: skip
    for wanted in asked:
        graph.query(TraceQuery(**wanted, limit=5))
    sqlalchemy_event.remove(db.engine, "before_cursor_execute", explain)

    assert plans
    assert [each for each in plans if each.startswith("SCAN decision")] == []
