"""The dashboard over a real socket: what is known at once, the rest as it comes."""

import asyncio
import json
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from paige.base.clock import system_clock
from paige.coach import queries
from paige.coach.records import CoachSession
from paige.learner.queries import address_gap
from tests.coach.thinking_room import (
    ISSUE,
    MATERIAL,
    SONNET,
    Room,
    add_gap,
    add_kata,
    add_stage,
    error,
    material_of,
    thinking_room,
)
from tests.fakes.model_server import Held, Recorded, Reply
from tests.fakes.wire_bodies import ANTHROPIC
from tests.server.windows import Window, window

MOST_LOOKS = 200


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    """One server for this file."""
    with thinking_room(tmp_path_factory.mktemp("dashboard")) as room:
        yield room


@pytest.fixture
def room(shared: Room) -> Room:
    """The server as at the beginning."""
    shared.reset()
    return shared


@pytest.fixture
def wire(room: Room) -> Iterator[Window]:
    """A window on it."""
    with window(room.live.ws) as opened:
        yield opened


def load(wire: Window, period: str = "all", *answers: str) -> dict[str, Any]:
    """Ask for the dashboard and wait for these answers; return all by type, in order of arrival."""
    begin = len(wire.frames)
    wire.send("dashboard:request", {"statsPeriod": period})
    missing = set(answers or ("dashboard:issues",)) | {"dashboard:state"}
    while missing:
        missing.discard(wire.receive()["type"])
    return {frame["type"]: frame["payload"] for frame in wire.frames[begin:]}


def types(wire: Window) -> list[str]:
    found = [frame["type"] for frame in wire.frames]
    return [name for name in found if name.startswith("dashboard:")]


def worked(room: Room, identity: str, days: float, issue: int) -> None:
    """A session of ten minutes, some days ago."""
    started = system_clock() - timedelta(days=days)
    ended = started + timedelta(minutes=10)
    row = CoachSession(identity, f"/{identity}", issue, "Sums", "completed", started, ended)
    room.write(queries.insert_session, row)


def test_scenario_12_1_dashboard_load_immediate_response(room: Room, wire: Window) -> None:
    add_kata(room, title="Loops")
    add_stage(room, "python", "competent")
    session = wire.start_session()
    held = threading.Event()

    def after_the_state(request: Recorded) -> Reply:
        assert held.wait(20), "the model is asked beside the state, not before it"
        return ANTHROPIC.answer(json.dumps({"issues": [ISSUE]}))

    room.says["issues"] = after_the_state
    state = wire.ask("dashboard:request", {"statsPeriod": "7d"}, answer="dashboard:state")
    held.set()

    assert state["stats"]["period"] == "7d"
    assert [each["skillArea"] for each in state["dreyfus"]] == ["python"]
    assert session in [each["id"] for each in state["inProgressSessions"]]
    assert [each["title"] for each in state["katas"]] == ["Loops"]
    wire.expect("dashboard:issues")


def test_scenario_12_2_dashboard_load_progressive_issue_assessment(
    room: Room, wire: Window
) -> None:
    room.lists(
        [
            {
                "number": 7,
                "title": "The total is wrong",
                "body": "Sums",
                "labels": [{"name": "bug"}],
                "assignees": [{"login": "anna"}],
                "comments": [{}, {}],
            },
            {"number": 9, "title": "Other", "body": ""},
        ]
    )
    add_gap(room)
    add_stage(room, "python", "novice")
    worked(room, "done-before", 1, 3)
    made_up = {**ISSUE, "number": 999}
    room.answer("issues", issues=[{**ISSUE, "title": "Other words"}, made_up])

    shown = load(wire, "all", "dashboard:issues", "dashboard:materials")["dashboard:issues"]

    assert [(each["number"], each["title"]) for each in shown["issues"]] == [
        (7, "The total is wrong")
    ], "an issue nobody has is not shown, and a title is that of the issue"
    assert shown["issues"][0]["priorityFactors"]["userTagged"] is True
    calls = (room.gh / "calls").read_text().splitlines()
    assert calls[0] == (
        f"{room.project} issue list --state open "
        "--json number,title,body,labels,assignees,comments --limit 50"
    )
    (request,) = room.asked("issues")
    given = material_of(request)
    assert request.body["model"] == SONNET
    assert given["github_issues"][0] == {
        "number": 7,
        "title": "The total is wrong",
        "body": "Sums",
        "labels": ["bug"],
        "assignees": ["anna"],
        "comments": 2,
    }
    assert given["user_logins"] == ["anna"]
    assert [each["stage"] for each in given["user_dreyfus_stages"]] == ["novice"]
    assert given["knowledge_gaps"] == [{"topic": "loops", "severity": "high"}]
    assert given["recent_sessions"][0]["issueTitle"] == "Sums"


def test_scenario_12_3_dashboard_load_progressive_learning_materials(
    room: Room, wire: Window
) -> None:
    for number, severity in enumerate(["low", "high", "medium", "high", "low", "low"]):
        add_gap(room, f"topic {'abcdef'[number] * 4}", severity, f"g{number}")
    add_gap(room, "topic dddd", "high", "again")  # met twice

    shown = load(wire, "all", "dashboard:materials", "dashboard:issues")["dashboard:materials"]

    (request,) = room.asked("materials")
    assert request.body["tools"] == [
        {"type": "web_search_20250305", "name": "web_search", "max_uses": 5}
    ]
    asked = [each["topic"] for each in material_of(request)["knowledge_gaps"]]
    assert asked == ["topic dddd", "topic bbbb", "topic cccc", "topic aaaa", "topic eeee"]
    assert material_of(request)["tech_stack"] == "python"
    assert shown["recommendations"][0]["resources"][0]["url"].startswith("https://docs.python")


def test_scenario_12_4_issue_assessment_chroma_db_unavailable(tmp_path: Path) -> None:
    with thinking_room(tmp_path, CHROMADB_URL="http://127.0.0.1:9") as room:
        room.reset()
        with window(room.live.ws) as wire:
            shown = load(wire)["dashboard:issues"]
        (request,) = room.asked("issues")

    assert material_of(request)["related_memories"] == []
    assert [each["number"] for each in shown["issues"]] == [7]


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("no git remotes found", "No GitHub remote found"),
        ("To get started with GitHub CLI, please run:  gh auth login", "not signed in"),
        ("HTTP 502: Bad Gateway", "GitHub CLI failed: HTTP 502: Bad Gateway"),
    ],
)
def test_scenario_12_5_issue_assessment_gh_cli_failure(
    room: Room, wire: Window, said: str, expected: str
) -> None:
    (room.gh / "fails").write_text(said)
    shown = load(wire, "all", "dashboard:issues_error")["dashboard:issues_error"]
    assert expected in shown["error"]
    assert room.asked("issues") == []


def test_scenario_12_6_issue_assessment_api_failure(room: Room, wire: Window) -> None:
    room.says["issues"] = error(500)
    shown = load(wire, "all", "dashboard:issues_error")["dashboard:issues_error"]
    assert "has a fault of its own (500)" in shown["error"]
    assert [call.error for call in room.calls()] == ["server_error", "server_error"]


def test_scenario_12_7_learning_materials_api_failure(room: Room, wire: Window) -> None:
    add_gap(room)
    room.says["materials"] = error(529, "overloaded_error")
    shown = load(wire, "all", "dashboard:materials_error", "dashboard:issues")
    assert shown["dashboard:materials_error"]["error"] == "`anthropic` is overloaded (529)"
    failed = [call for call in room.calls() if call.call_type == "learning_materials"]
    assert len(failed) == 2


def test_scenario_12_8_dashboard_refresh_issues(room: Room, wire: Window) -> None:
    load(wire)
    before = len(types(wire))
    room.lists([{"number": 8, "title": "Newer", "body": ""}])
    room.answer("issues", issues=[{**ISSUE, "number": 8}])

    shown = wire.ask("dashboard:refresh_issues", {}, answer="dashboard:issues")

    assert [each["number"] for each in shown["issues"]] == [8]
    assert types(wire)[before:] == ["dashboard:issues"], "the state is not sent again"
    (room.gh / "fails").write_text("no git remotes found")
    wire.ask("dashboard:refresh_issues", {}, answer="dashboard:issues_error")


def test_scenario_12_9_dashboard_with_no_data(tmp_path: Path) -> None:
    with thinking_room(tmp_path) as room:
        room.reset()
        with window(room.live.ws) as wire:
            shown = load(wire)
            wire.settle()
            found = types(wire)

    state = shown["dashboard:state"]
    assert (state["dreyfus"], state["inProgressSessions"], state["katas"]) == ([], [], [])
    assert set(state["stats"].values()) == {"all", 0}
    assert room.asked("materials") == [], "there is no gap to read about"
    assert "dashboard:materials" not in found
    assert "dashboard:materials_error" not in found
    assert [each["number"] for each in shown["dashboard:issues"]["issues"]] == [7]


def test_scenario_12_10_stats_period_filtering(room: Room, wire: Window) -> None:
    for identity, days in (("p1", 2.0), ("p2", 20.0), ("p3", 60.0)):
        worked(room, f"period-{identity}", days, int(days))
    add_stage(room, "python", "competent")
    week, all_time = load(wire, "7d"), load(wire, "all")

    counts = [each["dashboard:state"]["stats"]["sessionsCompleted"] for each in (week, all_time)]
    assert counts[1] - counts[0] == 2, "those of 20 and 60 days ago"
    for name in ("dreyfus", "inProgressSessions", "katas"):
        assert week["dashboard:state"][name] == all_time["dashboard:state"][name]


def test_scenario_12_11_dashboard_load_parallel_execution(room: Room, wire: Window) -> None:
    add_gap(room)
    session = wire.start_session()

    asked = {"issues": asyncio.Event(), "materials": asyncio.Event()}

    def once_asked(mine: str, other: str, answer: dict[str, Any]) -> Any:
        """Answer when the other flow has asked, too: one after the other both would give up."""

        def reply(request: Recorded) -> Reply:
            asked[mine].set()
            return Held(asked[other], ANTHROPIC.answer(json.dumps(answer)))

        return reply

    room.says["issues"] = once_asked("issues", "materials", {"issues": [ISSUE]})
    room.says["materials"] = once_asked("materials", "issues", {"recommendations": [MATERIAL]})
    load(wire, "all", "dashboard:issues", "dashboard:materials")
    wire.settle()

    order = types(wire)
    assert order[0] == "dashboard:state"
    assert sorted(order[1:]) == ["dashboard:dreyfus", "dashboard:issues", "dashboard:materials"]
    for _ in range(MOST_LOOKS):  # it is written down after everything was sent
        if room.logged(session, "dashboard_loaded"):
            break
        wire.settle()
    (loaded,) = room.logged(session, "dashboard_loaded")
    assert loaded == {"statsPeriod": "all", "issuesLoaded": True, "materialsLoaded": True}


def test_without_gh_that_is_said(tmp_path: Path) -> None:
    empty = tmp_path / "bin"
    empty.mkdir()
    with thinking_room(tmp_path / "room", PATH=str(empty)) as room:
        room.reset()
        with window(room.live.ws) as wire:
            shown = load(wire, "all", "dashboard:issues_error")["dashboard:issues_error"]
    assert shown == {"error": "GitHub CLI not found"}


def test_a_project_without_open_issues_has_an_empty_list(room: Room, wire: Window) -> None:
    room.lists([])
    assert load(wire)["dashboard:issues"] == {"issues": []}


def test_addressed_gaps_ask_for_nothing(room: Room, wire: Window) -> None:
    add_gap(room)
    room.write(address_gap, "g1")
    load(wire)
    wire.settle()
    assert room.asked("materials") == []


def test_long_bodies_are_shortened(room: Room, wire: Window) -> None:
    room.lists([{"number": 7, "title": "Long", "body": "é" * 5_000}])
    load(wire)
    (issue,) = material_of(room.asked("issues")[0])["github_issues"]
    assert issue["body"] == "é" * 2_000


def test_dashboards_at_once_are_each_answered(room: Room, wire: Window) -> None:
    for _ in range(3):
        wire.send("dashboard:request", {"statsPeriod": "all"})
    wire.send("dashboard:refresh_issues", {})
    for _ in range(4):
        wire.expect("dashboard:issues")
    assert types(wire).count("dashboard:state") == 3


def test_issues_of_the_project_itself_replace_those_of_github(room: Room, wire: Window) -> None:
    file = room.project / "issues.json"
    issues = [
        {"number": 3, "title": "Mine", "body": "b", "labels": ["bug"], "assignees": ["anna"]},
        {"number": 4, "title": "Closed", "state": "closed"},
        {"title": "No number"},
    ]
    file.write_text(json.dumps(issues))
    try:
        room.answer("issues", issues=[{**ISSUE, "number": 3}])
        shown = load(wire)["dashboard:issues"]
        file.write_text("{")
        broken = wire.ask("dashboard:refresh_issues", {}, answer="dashboard:issues_error")
    finally:
        file.unlink()

    assert [each["title"] for each in shown["issues"]] == ["Mine"]
    assert "`issues.json` is no JSON" in broken["error"]
    assert (room.gh / "calls").read_text() == ""
    (given,) = material_of(room.asked("issues")[0])["github_issues"]
    assert (given["labels"], given["assignees"]) == (["bug"], ["anna"])


def test_without_a_key_issues_are_listed_unjudged_and_reading_comes_from_the_list(
    tmp_path: Path,
) -> None:
    with thinking_room(tmp_path, PAIGE_PROVIDER="local") as room:
        room.reset()
        add_gap(room, "exception handling", gap_id="g0")
        add_kata(room, title="Catch it")
        with window(room.live.ws) as wire:
            shown = load(wire, "all", "dashboard:issues", "dashboard:materials")

    (issue,) = shown["dashboard:issues"]["issues"]
    assert (issue["number"], issue["suitability"]) == (7, "unknown")
    assert "needs a model" in issue["suitabilityReason"]
    topics = [each["knowledgeGap"] for each in shown["dashboard:materials"]["recommendations"]]
    assert topics == ["exception handling", "loops"]
    assert room.model.requests == []


def test_a_provider_without_search_answers_from_the_list(tmp_path: Path) -> None:
    with thinking_room(tmp_path, PAIGE_PROVIDER="openai", OPENAI_API_KEY="sk-test") as room:
        room.reset()
        add_gap(room, "exception handling")
        with window(room.live.ws) as wire:
            shown = load(wire, "all", "dashboard:materials", "dashboard:issues_error")
    urls = [
        each["url"]
        for recommendation in shown["dashboard:materials"]["recommendations"]
        for each in recommendation["resources"]
    ]
    assert urls[0].startswith("https://docs.python.org/")
