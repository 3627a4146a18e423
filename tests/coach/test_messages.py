"""The catalogue of messages: whole, both ways, each with someone who takes or sends it."""

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

import paige
from paige.app.application import open_app
from paige.base.settings import Settings
from paige.coach import client_messages as client
from paige.coach import messages as coach
from paige.coach.client_messages import INBOUND
from paige.coach.message_parts import FileHint, TextRange
from paige.coach.messages import DURABLE, OUTBOUND
from paige.doors.frame.web import messages as server
from paige.doors.site.factory import Site
from paige.store.messages import Message

SOURCE = Path(paige.__file__).parent
FROM_CLIENTS = [
    "dashboard:request",
    "dashboard:refresh_issues",
    "session:start",
    "session:resume",
    "session:end",
    "file:open",
    "file:save",
    "file:close",
    "buffer:update",
    "editor:tab_switch",
    "editor:selection",
    "editor:scroll",
    "explorer:expand_dir",
    "explorer:collapse_dir",
    "hints:level_change",
    "user:explain",
    "user:review",
    "user:idle_start",
    "user:idle_end",
    "observer:mute",
    "practice:submit_solution",
    "practice:open",
    "terminal:input",
    "terminal:resize",
    "terminal:ready",
    "fs:request_tree",
]
FROM_SERVER = [
    "dashboard:dreyfus",
    "dashboard:state",
    "dashboard:issues",
    "dashboard:issues_error",
    "dashboard:materials",
    "dashboard:materials_error",
    "fs:tree",
    "fs:tree_update",
    "fs:content",
    "fs:save_ack",
    "fs:save_error",
    "editor:decorations",
    "editor:clear_decorations",
    "editor:hover_hint",
    "editor:open_file",
    "editor:highlight_lines",
    "editor:clear_highlights",
    "explorer:hint_files",
    "explorer:clear_hints",
    "session:started",
    "session:resumed",
    "session:ended",
    "session:completed",
    "coaching:phase_update",
    "coaching:message",
    "coaching:issue_context",
    "coaching:plan_ready",
    "observer:nudge",
    "observer:status",
    "explain:response",
    "explain:error",
    "review:response",
    "review:error",
    "practice:kata_load",
    "practice:solution_review",
    "terminal:ready",
    "terminal:output",
    "terminal:exit",
]


def test_the_catalogue_is_whole() -> None:
    assert {kind.topic for kind in INBOUND} == set(FROM_CLIENTS)
    assert {kind.topic for kind in OUTBOUND} == set(FROM_SERVER)
    assert set(INBOUND) <= set(server.INBOUND)
    assert set(OUTBOUND) <= set(server.OUTBOUND)


@pytest.mark.parametrize("kinds", [server.INBOUND, server.OUTBOUND])
def test_no_two_messages_of_one_direction_have_a_topic_or_a_class_name_in_common(
    kinds: tuple[type[Message], ...],
) -> None:
    assert len({kind.topic for kind in kinds}) == len(kinds)
    assert len({kind.__name__ for kind in kinds}) == len(kinds)


@pytest.mark.parametrize("module", [client, coach])
def test_every_class_with_a_topic_is_in_its_list(module: Any) -> None:
    listed = set(INBOUND if module is client else OUTBOUND)
    declared = {
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, Message) and "topic" in vars(value)
    }

    assert declared == listed


def test_every_inbound_message_has_a_handler(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data", project_dir=tmp_path)
    with open_app(settings, strict=False) as app:
        router = Site(app).hub.router

    assert {kind for kind, _ in router.inbound.values()} == set(server.INBOUND)
    assert set(router.outbound.values()) == set(server.OUTBOUND)


def constructions() -> Iterator[str]:
    """The names of everything that is called anywhere, except where messages are declared."""
    for path in SOURCE.rglob("*.py"):
        if path.name in ("messages.py", "client_messages.py", "message_parts.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                callee = node.func
                if isinstance(callee, ast.Attribute) and callee.attr == "model_validate":
                    callee = callee.value
                if isinstance(callee, ast.Name):
                    yield callee.id
                elif isinstance(callee, ast.Attribute):
                    yield callee.attr


def test_every_outbound_message_has_a_sender() -> None:
    made = set(constructions())

    assert [kind.__name__ for kind in server.OUTBOUND if kind.__name__ not in made] == []


def test_events_are_the_messages_about_sessions_coaching_and_the_observers_state() -> None:
    stored = {kind.topic for kind in DURABLE}
    expected = {
        topic
        for topic in FROM_SERVER
        if topic.startswith(("session:", "coaching:")) or topic == "observer:status"
    }

    assert stored == expected


@pytest.mark.parametrize(
    ("kind", "payload", "expected"),
    [
        (client.UserReview, {}, {"kata_id": None, "active_constraint_titles": []}),
        (
            client.UserReview,
            {"kataId": "k", "userCode": "x", "activeConstraintTitles": ["fast"]},
            {"kata_id": "k", "user_code": "x", "active_constraint_titles": ["fast"]},
        ),
        (client.DashboardRequest, {}, {"stats_period": "all"}),
        (client.DashboardRequest, {"statsPeriod": "7d"}, {"stats_period": "7d"}),
        (client.HintsLevelChange, {"level": 2, "previousLevel": 1}, {"level": 2}),
        (client.TerminalReady, {}, {"cols": 80, "rows": 24}),
        (
            client.BufferUpdate,
            {"path": "a", "content": "", "cursorPosition": {"lineNumber": 2, "column": 3}},
            {"cursor_position": {"line": 2, "column": 3}},
        ),
        (client.UserIdleStart, {"lastActionTimestamp": 17}, {"last_action_timestamp": 17}),
        (client.SessionStart, {"issueNumber": 4}, {"issue_number": 4, "issue_title": None}),
    ],
)
def test_what_clients_may_send_is_read(
    kind: type[Message], payload: dict[str, Any], expected: dict[str, Any]
) -> None:
    read = kind.model_validate(payload).model_dump()

    assert {name: read[name] for name in expected} == expected


@pytest.mark.parametrize(
    "payload",
    [
        {
            "path": "a.py",
            "language": "python",
            "selection": {"startLine": 1, "startCol": 2, "endLine": 3, "endCol": 4},
            "selectedText": "x",
            "surroundingContext": "y",
        },
        {
            "path": "a.py",
            "range": {"startLine": 1, "startColumn": 2, "endLine": 3, "endColumn": 4},
            "selectedText": "x",
        },
    ],
)
def test_both_ways_of_asking_for_an_explanation_mean_the_same(payload: dict[str, Any]) -> None:
    asked = client.UserExplain.model_validate(payload)

    assert asked.selection == TextRange(start_line=1, start_col=2, end_line=3, end_col=4)
    assert asked.selection.model_dump(by_alias=True) == {
        "startLine": 1,
        "startCol": 2,
        "endLine": 3,
        "endCol": 4,
    }


@pytest.mark.parametrize(
    ("kind", "payload"),
    [
        (client.FileOpen, {"path": ""}),
        (client.FileOpen, {"path": "x" * 5000}),
        (client.FileOpen, {"path": 3}),
        (client.FileSave, {"path": "a.py"}),
        (client.BufferUpdate, {"path": "a.py", "content": "x", "cursorPosition": {"line": -1}}),
        (client.UserReview, {"kataId": "k"}),
        (client.UserReview, {"userCode": "x"}),
        (client.DashboardRequest, {"statsPeriod": "1y"}),
        (client.TerminalReady, {"cols": 0, "rows": 10}),
        (client.TerminalResize, {"cols": 80, "rows": 100_000}),
        (client.HintsLevelChange, {"level": True}),
        (client.SessionStart, {"issueNumber": -1}),
    ],
)
def test_what_cannot_be_used_is_refused(kind: type[Message], payload: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        kind.model_validate(payload)


@pytest.mark.parametrize(
    ("message", "payload"),
    [
        (
            coach.FsContent(path="a", content="b", language="c", line_count=1),
            {"path": "a", "content": "b", "language": "c", "lineCount": 1},
        ),
        (
            coach.FsContent(path="a", content="", language="c", line_count=0, binary=True),
            {"path": "a", "content": "", "language": "c", "lineCount": 0, "binary": True},
        ),
        (
            coach.EditorHighlightLines(path="a", start=1, end=2, style="hint"),
            {"path": "a", "start": 1, "end": 2, "style": "hint"},
        ),
        (
            coach.ExplorerHintFiles(hints=[FileHint(path="a", style="suggested")]),
            {"hints": [{"path": "a", "style": "suggested"}]},
        ),
        (
            coach.ExplorerHintFiles(hints=[FileHint(path="a", style="x", directories=False)]),
            {"hints": [{"path": "a", "style": "x", "directories": False}]},
        ),
        (coach.CoachingMessage(message="a", type="b"), {"message": "a", "type": "b"}),
        (coach.EditorClearHighlights(), {}),
        (coach.EditorClearDecorations(path="a"), {"path": "a"}),
        (coach.FsTreeUpdate(action="add", path="a"), {"action": "add", "path": "a"}),
        (
            coach.ObserverStatus(active=True, muted=False),
            {"active": True, "muted": False, "lastEvaluation": None},
        ),
    ],
)
def test_what_need_not_be_said_is_left_out_and_what_is_none_is_null(
    message: Message, payload: dict[str, Any]
) -> None:
    assert message.payload() == payload
    assert json.loads(message.model_dump_json(by_alias=True)) == payload


def test_an_explanation_begins_with_its_words() -> None:
    sent = coach.ExplainResponse(explanation="It adds.", path="a.py").payload()

    assert next(iter(sent)) == "explanation"


def test_a_nudge_has_the_names_that_prompts_use() -> None:
    context = coach.NudgeContext(current_file="a.py", time_in_file="3m")
    sent = coach.ObserverNudge(signal="wrong_file", confidence=0.8, context=context).payload()

    assert sent["context"] == {
        "current_file": "a.py",
        "expected_file": None,
        "time_in_file": "3m",
        "phase_description": None,
    }
