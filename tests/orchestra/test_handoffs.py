"""Handoffs: the command object, looked at by both ends, and the log of them."""

import json
import multiprocessing
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, Conflict, PaigeError
from paige.orchestra.handoffs import (
    FILE,
    Handoff,
    HandoffLog,
    HandoffMaterial,
    handoff_for,
    parse_handoff,
    validate_as_receiver,
    validate_as_sender,
    validate_result,
)
from paige.orchestra.machine import AGENTS
from paige.orchestra.values import AgentName, Facts, RunAgent
from tests.conftest import NOON

SPEC: dict[str, Any] = {
    "command": {
        "agent": "tester-agent",
        "task": "validate_feature",
        "context": {
            "feature_id": "PT-003",
            "files_changed": ["src/feature.py"],
            "previous_state": "coding",
        },
        "success_criteria": {"tests_pass": True, "coverage_min": 80},
        "next_agent": "main",
    }
}
MORE = {
    "precondition",
    "artifacts",
    "postcondition",
    "rollback",
    "timeout_s",
    "idempotency_key",
}
FACTS = Facts(
    tree="t1",
    files=frozenset(("report.md",)),
    states={"PT-003": "completed"},
    phase="testing",
)


def to_tester(**passed: Any) -> Handoff:
    action = RunAgent(key="r/0007/testing/PT-003", agent="tester-agent", feature="PT-003")
    return handoff_for(action, HandoffMaterial(tree="t1", **passed))


def test_a_handoff_has_the_agreed_fields_and_no_other() -> None:
    command = to_tester().dump()["command"]
    assert set(command) == set(SPEC["command"]) | MORE
    assert set(command["context"]) == set(SPEC["command"]["context"])
    assert set(command["success_criteria"]) == set(SPEC["command"]["success_criteria"])
    assert command["context"]["previous_state"] == "coding"
    assert command["task"] == "validate_feature"


def test_a_command_with_the_plain_fields_only_is_completed() -> None:
    handoff = parse_handoff(json.dumps(SPEC))
    assert handoff.command.postcondition.evidence
    assert handoff.command.rollback.to == "coding"
    assert handoff.command.timeout_s > 0
    assert handoff.key == parse_handoff(SPEC).key
    other = {"command": {**SPEC["command"], "task": "look_again"}}
    assert handoff.key != parse_handoff(other).key


@pytest.mark.parametrize("agent", AGENTS.values())
def test_what_is_written_is_read_again_as_the_same(agent: AgentName) -> None:
    made = handoff_for(
        RunAgent(key="k", agent=agent, feature="A"), HandoffMaterial(artifacts=("a.md",))
    )
    assert parse_handoff(json.dumps(made.dump())) == made


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"agent": ""}, "command.agent"),
        ({"task": "Do It!"}, "command.task"),
        ({"timeout_s": 0}, "command.timeout_s"),
        ({"surprise": 1}, "command.surprise"),
        ({"success_criteria": {"coverage_min": 101}}, "coverage_min"),
        ({"context": {}}, "previous_state"),
        ({"rollback": {"to": "coding", "files": "burn"}}, "rollback.files"),
    ],
)
def test_a_wrong_field_is_named(change: dict[str, Any], named: str) -> None:
    given = {"command": {**to_tester().dump()["command"], **change}}
    with pytest.raises(BadInput, match=named):
        parse_handoff(given)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(("command", "agent", "task", "context", "x")), inner, max_size=3
            )
        ),
        max_leaves=8,
    )
)
def test_whatever_is_given_is_a_handoff_or_refused_in_words(value: object) -> None:
    with suppress(BadInput):
        assert isinstance(parse_handoff(value), Handoff)


@pytest.mark.parametrize("text", ["", "{", "[1", "\x00"])
def test_text_that_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="not JSON"):
        parse_handoff(text)


def test_a_good_handoff_passes_both_ends() -> None:
    handoff = to_tester(artifacts=("report.md",))
    assert validate_as_sender(handoff, FACTS) == ()
    assert validate_as_receiver(handoff, FACTS, "tester-agent") == ()


@pytest.mark.parametrize(
    ("facts", "field"),
    [
        ({"tree": "t2"}, "precondition.tree_hash"),
        ({"states": {}}, "context.feature_id"),
        ({"states": {"PT-003": "pending"}}, "precondition.feature_status"),
        ({"tested": frozenset(("PT-003",))}, "context.feature_id"),
        ({"agents": frozenset(("main",))}, "agent"),
    ],
)
def test_both_ends_refuse_what_does_not_hold_in_the_project(
    facts: dict[str, Any], field: str
) -> None:
    changed = Facts(**{"tree": "t1", "states": {"PT-003": "completed"}, **facts})
    handoff = to_tester()
    assert field in {each.field for each in validate_as_sender(handoff, changed)}
    received = validate_as_receiver(handoff, changed, "tester-agent")
    assert field in {each.field for each in received}


def test_the_receiver_misses_what_is_not_there_and_refuses_what_is_for_others() -> None:
    handoff = to_tester(artifacts=("report.md", "gone.md"))
    found = validate_as_receiver(handoff, FACTS, "coding-agent")
    assert [(each.field, "gone.md" in each.message) for each in found] == [
        ("agent", False),
        ("artifacts", True),
    ]


def test_the_sender_refuses_an_agent_that_is_not_on() -> None:
    wrong = Facts(tree="t1", states={"PT-003": "completed"}, phase="coding")
    assert [each.field for each in validate_as_sender(to_tester(), wrong)] == ["agent"]


@pytest.mark.parametrize("path", ["/etc/passwd", "../up", "a/../../b", "~/x", "C:/x", "", "a\0b"])
def test_paths_outside_the_project_are_refused(path: str) -> None:
    found = validate_as_sender(to_tester(files_changed=(path,)), FACTS)
    assert [each.field for each in found] == ["context.files_changed"]


def test_the_result_of_a_tester_is_evidence_not_words() -> None:
    assert [each.field for each in validate_result(to_tester(), FACTS)] == [
        "postcondition.evidence"
    ]
    shown = Facts(tree="t1", states=FACTS.states, evidence=frozenset(("PT-003",)))
    assert validate_result(to_tester(), shown) == ()


def test_a_coder_without_a_feature_has_nothing_to_do() -> None:
    handoff = handoff_for(RunAgent(key="k", agent="coding-agent"), HandoffMaterial())
    assert [each.field for each in validate_as_sender(handoff, Facts())] == ["context.feature_id"]


def test_the_handoff_in_the_reference_is_one_with_all_fields() -> None:
    page = (Path(__file__).parents[2] / "docs/reference/handoffs.md").read_text("utf-8")
    shown = json.loads(page.partition("```json")[2].partition("```")[0])
    assert parse_handoff(shown).dump() == shown


# --- the log --------------------------------------------------------------------------------------


def test_the_same_handoff_twice_is_one(tmp_path: Path) -> None:
    log, handoff = HandoffLog(tmp_path), to_tester()
    assert log.note("sent", handoff.key, NOON, handoff)
    assert not log.note("sent", handoff.key, NOON, handoff)
    assert log.note("received", handoff.key, NOON)
    assert [each.event for each in log.read()] == ["sent", "received"]
    assert log.read()[0].handoff == handoff.dump()
    assert log.has(handoff.key, "received")
    assert not log.has(handoff.key, "returned")


def test_another_handoff_under_the_same_key_is_refused(tmp_path: Path) -> None:
    log, handoff = HandoffLog(tmp_path), to_tester()
    log.note("sent", handoff.key, NOON, handoff)
    with pytest.raises(Conflict, match="Another handoff"):
        log.note("sent", handoff.key, NOON, to_tester(timeout_s=5))


def test_a_line_that_was_cut_off_anywhere_is_left_out_and_the_next_one_is_whole(
    tmp_path: Path,
) -> None:
    log, handoff = HandoffLog(tmp_path), to_tester()
    log.note("sent", handoff.key, NOON, handoff)
    log.note("returned", handoff.key, NOON, about={"text": "naïve ✓"})
    whole = (tmp_path / FILE).read_bytes()
    first = whole.index(b"\n") + 1
    for end in range(first, len(whole)):
        (tmp_path / FILE).write_bytes(whole[:end])
        kept = len(log.read())
        assert kept in (1, 2)
        assert log.note("returned", handoff.key, NOON, about={"text": "again"}) == (kept == 1)
        assert [each.event for each in log.read()] == ["sent", "returned"]


def test_lines_of_others_are_left_out(tmp_path: Path) -> None:
    log = HandoffLog(tmp_path)
    log.path.parent.mkdir(parents=True)
    log.path.write_text('[1]\n{"key": 3}\n{"key":"k","event":"eaten","at":"x"}\nnull\n\n')
    assert log.read() == ()


def test_any_text_can_be_noted(tmp_path: Path) -> None:
    log = HandoffLog(tmp_path)
    odd = {"text": "a\ud800\u2028\n\x00漢"}
    assert log.note("failed", "k", NOON, about=odd)
    assert log.read()[0].about == odd


def test_a_folder_that_cannot_be_made_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / ".claude").write_text("a file")
    with pytest.raises(PaigeError):
        HandoffLog(tmp_path).note("sent", "k", NOON)
    assert HandoffLog(tmp_path / "nowhere").read() == ()


def _note_many(root: str, number: int) -> None:
    log = HandoffLog(root)
    for turn in range(8):
        log.note("sent", f"k{turn}", NOON)
        log.note("returned", f"k{turn}-{number}", NOON)


def test_many_processes_at_once_write_each_thing_once(tmp_path: Path) -> None:
    context = multiprocessing.get_context("spawn")
    writers = [context.Process(target=_note_many, args=(str(tmp_path), each)) for each in range(2)]
    for each in writers:
        each.start()
    for each in writers:
        each.join(60)
    assert [each.exitcode for each in writers] == [0, 0]
    entries = HandoffLog(tmp_path).read()
    assert len([each for each in entries if each.event == "sent"]) == 8
    assert len([each for each in entries if each.event == "returned"]) == 16
