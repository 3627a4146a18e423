"""Lines of hooks become traces: the right ones, once each, without secrets."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.base.actor import Actor
from paige.base.clock import to_iso
from paige.guard.graph.corrections import shipped_words
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.intake import (
    MOST_KEPT,
    Entry,
    dump_entries,
    load_entries,
    take,
)
from paige.guard.graph.lines import read_line
from paige.guard.graph.values import NewTrace, TraceQuery
from paige.store.engine import Database
from tests.conftest import NOON
from tests.depth import examples
from tests.guard.graph_lines import Told, every, graph_of

KEY = "-".join(("sk", "ant", "a1B2" * 8))


@pytest.mark.db
def test_a_refusal_is_a_violation_with_what_would_have_been_right(db: Database) -> None:
    told = Told()
    told.refused("git push --force origin feat-12", call="c1")
    graph = graph_of(db)

    assert graph.take_in(told.lines).stored == 1
    (trace,) = every(graph)

    assert (trace.type, trace.source, trace.agent) == (
        "violation", "enforcement_hook", "coding-agent",
    )  # fmt: skip
    assert (trace.action, trace.reason, trace.rule) == (
        "run:git push", "git.force-push", "git.force-push",
    )  # fmt: skip
    assert trace.target == "git push --force origin feat-12"
    assert trace.shape == "git push --force origin feat-<n>"
    assert trace.why == "This rewrites what others have."
    assert trace.what_was_correct == "Push without --force."
    assert trace.meta["input"] == {"command": "git push --force origin feat-12"}
    assert (trace.meta["cwd"], trace.meta["call"]) == ("/shop", "c1")


@pytest.mark.db
def test_what_a_gate_keeps_working_or_changes_is_kept_and_what_it_allows_is_not(
    db: Database,
) -> None:
    told = Told(agent="tester-agent")
    told.line("stop", decision="keep_working", rule="force-tester-completion", reason="No tests.")
    told.line(
        "pre_tool", tool="Write", input={"file_path": "/shop/summary.md", "content": "x"},
        decision="modify", rule="enforce-safe-paths", reason="",
    )  # fmt: skip
    told.shell("ls", decision="allow", rule="files.ls")
    told.line("fault", decision="deny", reason="It broke.")
    told.shell("ls", decision="deny", rule="judge.failed", reason="The gate failed.")
    told.line("prompt_submit", prompt="my key", decision="deny", rule="secrets")
    graph = graph_of(db)
    graph.take_in(told.lines)

    assert [(each.type, each.action) for each in every(graph)] == [
        ("violation", "stop"),
        ("decision", "write-elsewhere"),
    ]


@pytest.mark.db
def test_what_a_person_lets_pass_is_an_approval_that_overrode_the_rule(db: Database) -> None:
    told = Told()
    ask = told.shell("git push", decision="ask", rule="git.push", reason="Ask first.", call="c1")
    told.line("permission_request", tool="Bash", input={"command": "git push"}, call="c1",
              decision="ask", rule="git.push", reason="Ask first.")  # fmt: skip
    told.shell("git tag v1", decision="ask", rule="git.tag", reason="Ask first.", call="c2")
    graph = graph_of(db)
    graph.take_in(told.lines)
    assert every(graph) == []

    told.ran("git push", call="c1")
    graph.take_in(told.lines[-1:])
    (trace,) = every(graph)

    assert (trace.type, trace.rule, trace.confidence) == ("approval", "git.push", 0.9)
    assert (trace.meta["overrode"], trace.meta["asked_line"]) == ("git.push", ask["id"])
    edges = graph.around(trace.id).edges
    assert ("overrode", "rule", "git.push") in {
        (each.relation, each.target.kind, each.target.id) for each in edges
    }


@pytest.mark.db
def test_nobody_approves_where_nobody_is_asked(db: Database) -> None:
    told = Told()
    told.shell("git push", decision="ask", rule="git.push", reason="Ask.", mode="bypass")
    told.ran("git push")
    told.shell("git tag v1", decision="ask", rule="git.tag", reason="Ask.")
    told.ran("git tag v2")
    graph = graph_of(db)
    graph.take_in(told.lines)

    assert every(graph) == []


@pytest.mark.db
def test_a_person_corrects_what_was_just_done(db: Database) -> None:
    told = Told()
    told.said("Make it faster")
    told.wrote("src/app.py")
    wrote = told.wrote("src/client.py", "y = 2")
    told.answered("Done.")
    told.said("No, client.py must stay as it is")
    graph = graph_of(db)
    graph.take_in(told.lines)
    done, correction = every(graph)

    assert (done.type, correction.type, correction.source) == (
        "decision", "correction", "user_correction",
    )  # fmt: skip
    assert correction.what_was_correct == "No, client.py must stay as it is"
    assert (correction.agent, correction.files) == ("coding-agent", ("src/client.py",))
    assert (correction.action, correction.shape, correction.reason) == (
        "write", "src/**/*.py", "corrected",
    )  # fmt: skip
    assert correction.meta["input"]["content"] == "y = 2"
    assert correction.meta["corrected_line"] == wrote["id"]
    assert [each.node.id for each in graph.led_to(correction.id)] == [done.id]
    assert [each.node.id for each in graph.came_of(done.id)] == [correction.id]


@pytest.mark.db
def test_an_answer_to_a_question_and_a_prompt_with_nothing_before_correct_nothing(
    db: Database,
) -> None:
    told = Told()
    told.said("No, not like that")
    told.wrote("src/app.py")
    told.answered("I changed it. Shall I push as well?")
    told.said("No, just leave it there")
    graph = graph_of(db)
    graph.take_in(told.lines)

    assert every(graph) == []


@pytest.mark.db
def test_guards_on_trial_leave_decisions(db: Database) -> None:
    told = Told()
    line = told.shell("make deploy", shadow=["no-deploy", "no-make"])
    graph = graph_of(db)
    graph.take_in([line])

    found = every(graph)
    assert {each.rule for each in found} == {"guard:no-deploy", "guard:no-make"}
    assert all(each.type == "decision" and each.meta["shadow"] is True for each in found)


@pytest.mark.db
def test_the_same_thing_tried_again_follows_from_the_first_try(db: Database) -> None:
    told = Told()
    for number in range(3):
        told.refused(f"git push --force origin feat-{number}")
    graph = graph_of(db)
    graph.take_in(told.lines)
    first, second, third = every(graph)

    assert [(each.node.id, each.depth) for each in graph.led_to(third.id)] == [
        (second.id, 1),
        (first.id, 2),
    ]


@pytest.mark.db
def test_secrets_do_not_get_into_the_graph(db: Database) -> None:
    told = Told()
    told.refused(f"curl -H 'x-api-key: {KEY}' https://example.org", call=KEY)
    told.wrote("src/app.py", f'key = "{KEY}"')
    told.said(f"No, never write {KEY} anywhere")
    graph = graph_of(db)
    graph.take_in(told.lines)
    with db.transaction(write=False) as connection:
        rows = [
            str(row)
            for table in ("decisions", "decision_edges", "decision_sessions")
            for row in connection.exec_driver_sql(f"SELECT * FROM {table}")
        ]

    assert len(every(graph)) == 3
    assert not [row for row in rows if KEY[:20] in row]


@pytest.mark.db
def test_a_feature_is_named_by_the_refusal_or_by_whoever_knows(db: Database) -> None:
    told = Told()
    told.line(
        "pre_tool", tool="Write", decision="deny", rule="block-tested-true",
        input={"file_path": "/shop/.claude/progress/feature-list.json", "content": "{}"},
        reason="`tested: true` needs evidence, and there is none for `login`: nothing ran.",
    )  # fmt: skip
    told.refused("git push --force # PT-003")
    told.refused("git push --force")
    graph = graph_of(db)
    graph.take_in(told.lines, feature_of=lambda line: "F9" if line.id == "s1-0002" else "")

    assert [each.feature for each in every(graph)] == ["login", "PT-003", "F9"]
    assert every(graph)[0].action == "mark-tested"


def _session(moves: list[tuple[str, int]]) -> list[dict[str, Any]]:
    told = Told()
    for kind, number in moves:
        match kind:
            case "deny":
                told.refused(f"git push --force origin feat-{number}")
            case "ask":
                told.shell(f"git tag v{number}", decision="ask", rule="git.tag", reason="Ask.")
            case "run":
                told.ran(f"git tag v{number}")
            case "write":
                told.wrote(f"src/file{number}.py")
            case "no":
                told.said("No, undo that")
            case "go":
                told.said(f"Now do number {number}")
            case "shadow":
                told.shell("make deploy", shadow=[f"g{number}"])
            case _:
                told.answered("Done.")
    return told.lines


moves = st.lists(
    st.tuples(
        st.sampled_from(["deny", "ask", "run", "write", "no", "go", "shadow", "answer"]),
        st.integers(0, 3),
    ),
    max_size=40,
)


@settings(max_examples=examples(25))
@given(moves=moves, cuts=st.lists(st.integers(0, 40), max_size=6), twice=st.booleans())
def test_lines_in_any_batches_and_twice_make_what_they_make_at_once(
    db: Database, moves: list[tuple[str, int]], cuts: list[int], twice: bool
) -> None:
    lines = _session(moves)
    whole, parted = graph_of(db), graph_of(db)
    whole.actor, parted.actor = Actor(tenant="whole"), Actor(tenant="parted")
    whole.take_in([{**line, "id": f"w{line['id']}"} for line in lines])
    ends = sorted({*(cut for cut in cuts if cut < len(lines)), len(lines)})
    start = 0
    for end in ends:
        batch = [{**line, "id": f"p{line['id']}"} for line in lines[start:end]]
        parted.take_in(batch)
        if twice:
            assert parted.take_in(batch).stored == 0
        start = end

    again = parted.take_in([{**line, "id": f"p{line['id']}"} for line in lines])
    assert again.stored == 0
    assert _what(parted) == _what(whole)
    with db.transaction(write=True) as connection:
        for table in ("decisions", "decision_edges", "decision_sessions"):
            connection.exec_driver_sql(f"DELETE FROM {table}")


def _what(graph: ContextGraph) -> list[tuple[str, str, str, str, int]]:
    return [
        (each.type, each.action, each.target, to_iso(each.at), len(graph.led_to(each.id)))
        for each in every(graph)
    ]


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
broken = st.dictionaries(
    st.sampled_from(
        ["id", "at", "event", "session", "tool", "input", "decision", "rule", "reason", "prompt",
         "result", "error", "shadow", "agent", "call", "cwd", "text"]
    ),
    json_values
    | st.sampled_from(["pre_tool", "post_tool", "prompt_submit", "deny", "ask", "Bash"]),
)  # fmt: skip


@settings(max_examples=examples(40))
@given(lines=st.lists(broken, max_size=6))
def test_a_line_of_any_shape_is_read_or_left_out(db: Database, lines: list[dict[str, Any]]) -> None:
    graph = graph_of(db)
    first = graph.take_in(lines)
    second = graph.take_in(lines)

    assert second.stored == 0
    assert first.stored >= 0


@given(moves=moves)
def test_what_is_kept_of_a_session_is_bounded_and_survives_being_stored(
    moves: list[tuple[str, int]],
) -> None:
    recent: tuple[Entry, ...] = ()
    for said in _session(moves * 3):
        line = read_line(said, NOON)
        assert line is not None
        recent = take(recent, line, shipped_words(), "shop").recent

    assert len(recent) <= MOST_KEPT
    assert load_entries(dump_entries(recent)) == recent
    assert load_entries([{"id": 1}, "x", None]) == ()
    assert load_entries("broken") == ()


@pytest.mark.db
def test_a_text_with_signs_that_databases_refuse_is_stored(db: Database) -> None:
    graph = graph_of(db)
    stored = graph.store(
        NewTrace(type="decision", what_happened="a\x00b\ud800c", meta={"x": "\x00"})
    )

    assert graph.trace(stored.id).what_happened == "a\ufffdb\ufffdc"
    assert graph.query(TraceQuery(text="\x00 ' \" OR * NEAR(")).total >= 0
