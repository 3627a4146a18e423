"""The end of a session over the real server: three questions, what is stored, what is due."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from paige.base.settings import read_settings
from paige.memory.memory import Memory
from paige.store.engine import open_database
from tests.coach.coaching_room import (
    ANSWERS,
    HAIKU_COST,
    SONNET_COST,
    CoachingRoom,
    coaching_room,
    run_plan,
    said,
)
from tests.conftest import NOON
from tests.fakes.model_server import Hangup
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import run_paige
from tests.mcp.at_work import Desk, of_type

pytestmark = pytest.mark.anyio
BROKEN = ANTHROPIC.error(401, "authentication_error", "no such key")
NOTHING = {
    "knowledgeGaps": 0,
    "kataSpecs": 0,
    "dreyfusUpdates": 0,
    "memoriesStored": 0,
    "sessionStatus": "completed",
}


@pytest.fixture
def room(tmp_path: Path) -> Iterator[CoachingRoom]:
    """A running server with nothing known of anyone."""
    with coaching_room(tmp_path) as opened:
        yield opened


async def worked(desk: Desk) -> str:
    """A session in which one phase was done."""
    session = await desk.start(5)
    await run_plan(desk)
    await desk.call("paige_update_phase", phase=1, status="active")
    await desk.window.send("hints:level_change", level="line", previousLevel="file")
    await desk.window.meanwhile()
    await desk.call("paige_update_phase", phase=1, status="complete")
    return session


async def end(desk: Desk, transcript: str = "Kept asking why both baskets change.") -> Any:
    """End the session over MCP."""
    return await desk.call("paige_end_session", sessionTranscript=transcript)


async def test_scenario_9_5_session_wrap_up_happy_path(room: CoachingRoom) -> None:
    async with room.work() as desk:
        session = await worked(desk)
        room.model.requests.clear()
        learnt = await end(desk)
        told = await desk.window.wait("session:completed")

    assert room.kinds() == ["gaps", "stages", "memories"]
    [gaps] = room.asked("gaps")
    assert {each["action_type"] for each in gaps["action_log"]} >= {
        "phase_started",
        "phase_completed",
        "hint_level_change",
    }
    assert gaps["phases"][0] == {
        "number": 1,
        "title": "See it fail",
        "status": "complete",
        "hint_level": "line",
        "hints_used": 1,
    }
    assert gaps["existing_gaps"] == []
    [stages] = room.asked("stages")
    assert stages["recent_session"]["phases_completed"] == 1
    assert stages["accumulated_evidence"][0] == {
        "skill_area": "python",
        "sessions": 1,
        "hint_trend": "first session",
        "completion_rate": 1.0,
    }
    [notes] = room.asked("memories")
    assert notes["transcript"] == "Kept asking why both baskets change."
    assert notes["issue"] == "Issue 5"
    assert [each["topic"] for each in notes["gaps"]] == [
        "mutable default arguments",
        "reading tracebacks",
    ]
    assert learnt == {
        "knowledgeGaps": 2,
        "kataSpecs": 1,
        "dreyfusUpdates": 1,
        "memoriesStored": 2,
        "sessionStatus": "completed",
    }
    assert told == {
        "sessionId": session,
        "knowledgeGaps": 2,
        "kataSpecs": 1,
        "dreyfusUpdates": 1,
        "memoriesStored": 2,
    }
    assert room.rows("SELECT status FROM sessions WHERE id = ?", session) == [("completed",)]
    calls = room.calls(session)
    assert [(call[0], round(call[3], 9)) for call in calls] == [
        ("coach_agent", SONNET_COST),
        ("knowledge_gap_extraction", SONNET_COST),
        ("dreyfus_assessment", SONNET_COST),
        ("memory_summarisation", HAIKU_COST),
    ]
    [[total]] = room.rows(
        "SELECT round(sum(cost_estimate), 6) FROM api_call_log WHERE session_id = ? "
        "AND call_type <> 'observer_triage'",
        session,
    )
    assert total == round(3 * SONNET_COST + HAIKU_COST, 6)


async def test_scenario_9_6_session_wrap_up_knowledge_gap_extraction_fails(
    room: CoachingRoom,
) -> None:
    async with room.work() as desk:
        session = await worked(desk)
        room.says["gaps"] = BROKEN
        learnt = await end(desk)

    assert learnt == {**NOTHING, "dreyfusUpdates": 1, "memoriesStored": 2}
    assert room.kinds()[1:] == ["gaps", "stages", "memories"]
    assert room.rows("SELECT id FROM knowledge_gaps") == []
    assert room.rows("SELECT status FROM sessions WHERE id = ?", session) == [("completed",)]
    failed = [call for call in room.calls(session) if call[4]]
    assert [call[0] for call in failed] == ["knowledge_gap_extraction"]


@pytest.mark.parametrize(
    "failure",
    [BROKEN, ANTHROPIC.refusal("No"), ANTHROPIC.truncated("{"), Hangup(), ANTHROPIC.answer("hm")],
    ids=["401", "refusal", "truncation", "broken connection", "no JSON"],
)
async def test_scenario_9_7_session_wrap_up_all_api_calls_fail(
    room: CoachingRoom, failure: Any
) -> None:
    async with room.work() as desk:
        session = await worked(desk)
        room.says.update(dict.fromkeys(("gaps", "stages", "memories"), failure))
        learnt = await end(desk)
        told = await desk.window.wait("session:completed")

    assert learnt == NOTHING
    assert told["memoriesStored"] == 0
    assert room.rows("SELECT status FROM sessions WHERE id = ?", session) == [("completed",)]
    assert [call[0] for call in room.calls(session) if call[4]] == [
        "knowledge_gap_extraction",
        "dreyfus_assessment",
        "memory_summarisation",
    ]


async def test_scenario_9_9_knowledge_gaps_stored_correctly(room: CoachingRoom) -> None:
    async with room.work() as desk:
        session = await worked(desk)
        await end(desk)

    gaps = room.rows(
        "SELECT topic, evidence, severity, session_id, frequency, addressed FROM knowledge_gaps "
        "ORDER BY topic"
    )
    assert gaps == [
        ("mutable default arguments", "Edited `add` eight times.", "high", session, 1, 0),
        ("reading tracebacks", "Asked what the last line means.", "low", session, 1, 0),
    ]
    [[title, description, scaffolding, tests, constraints, topic]] = room.rows(
        "SELECT k.title, k.description, scaffolding_code, test_cases, constraints, topic "
        "FROM kata_specs k JOIN knowledge_gaps g ON g.id = k.knowledge_gap_id"
    )
    assert title == "A diary for everyone"
    assert description == "Give everybody a fresh diary."
    assert scaffolding.startswith("def write")
    assert json.loads(tests) == ["assert write('a') == ['a']", "assert write('b') == ['b']"]
    assert [(each["title"], each["minLevel"]) for each in json.loads(constraints)] == [
        ("No if statement", 1),
        ("Use a sentinel", 3),
        ("None is a line too", 5),
    ]
    assert topic == "mutable default arguments"


async def test_scenario_9_10_dreyfus_assessments_upserted_correctly(room: CoachingRoom) -> None:
    skill = {**ANSWERS["stages"]["assessments"][0], "skill_area": "React state management"}
    async with room.work() as desk:
        room.says["stages"] = said({"assessments": [{**skill, "stage": "novice"}]})
        await worked(desk)
        await end(desk)
        [[first, _, _, _, before]] = room.rows(_STAGES)
        room.says["stages"] = said(
            {"assessments": [{**skill, "stage": "competent", "confidence": 0.7, "evidence": "New"}]}
        )
        await worked(desk)
        await end(desk)

    [[again, stage, confidence, evidence, after]] = room.rows(_STAGES)
    assert again == first
    assert (stage, confidence, evidence) == ("competent", 0.7, "New")
    assert after > before


_STAGES = (
    "SELECT id, stage, confidence, evidence, assessed_at FROM dreyfus_assessments "
    "WHERE skill_area = 'React state management'"
)


async def test_scenario_9_11_memory_summarisation_stored_correctly(
    room: CoachingRoom, tmp_path: Path
) -> None:
    async with room.work() as desk:
        session = await worked(desk)
        learnt = await end(desk)

    assert learnt["memoriesStored"] == 2
    settings = read_settings({"HOME": str(tmp_path), "PROJECT_DIR": str(room.project)}, tmp_path)
    with (
        closing(open_database(settings)) as database,
        closing(Memory(settings=settings, database=database, now=lambda: NOON)) as memory,
    ):
        found = memory.coach.query_memories("a default list that is shared", 10)
    assert {each.content for each in found} >= {
        "Mixed up a default list and a fresh one until it was printed.",
        "Likes to write the test first.",
    }
    assert {each.metadata.session_id for each in found} == {session}
    assert all(each.id.startswith(f"mem_{session}_") for each in found)


async def test_a_session_without_struggles_stores_nothing_and_is_completed(
    room: CoachingRoom,
) -> None:
    async with room.work() as desk:
        await worked(desk)
        room.says["gaps"] = said({**ANSWERS["gaps"], "knowledge_gaps": [], "kata_specs": []})
        room.says["stages"] = said({"assessments": []})
        room.says["memories"] = said({"memories": []})
        learnt = await end(desk)

    assert learnt == NOTHING
    for table in ("knowledge_gaps", "kata_specs", "dreyfus_assessments"):
        assert room.rows(f"SELECT id FROM {table}") == []


async def test_a_session_that_has_ended_is_not_analysed_again(room: CoachingRoom) -> None:
    async with room.work() as desk:
        await worked(desk)
        await end(desk)
        asked = len(room.kinds())
        again = await desk.fails("paige_end_session", sessionTranscript="Once more")

    assert again.startswith("No active session")
    assert len(room.kinds()) == asked


async def test_a_very_long_transcript_is_cut_to_its_beginning_and_end(room: CoachingRoom) -> None:
    async with room.work() as desk:
        await worked(desk)
        await end(desk, "The beginning. " + "word " * 40_000 + "The end.")

    [notes] = room.asked("memories")
    assert len(notes["transcript"]) < 50_100
    assert notes["transcript"].startswith("The beginning.")
    assert notes["transcript"].endswith("The end.")


async def test_a_known_gap_gains_frequency_and_no_second_kata(room: CoachingRoom) -> None:
    async with room.work() as desk:
        await worked(desk)
        await end(desk)
        await worked(desk)
        other = json.loads(json.dumps(ANSWERS["gaps"]))
        other["knowledge_gaps"][0]["topic"] = "Mutable default argument"
        room.says["gaps"] = said(other)
        learnt = await end(desk)
        [given] = [each for each in room.asked("gaps") if each["existing_gaps"]]

    assert (learnt["knowledgeGaps"], learnt["kataSpecs"]) == (0, 0)
    assert given["existing_gaps"][0] == {
        "topic": "mutable default arguments",
        "frequency": 1,
        "has_kata": True,
    }
    assert room.rows("SELECT frequency FROM knowledge_gaps ORDER BY id") == [(2,), (2,)]
    assert len(room.rows("SELECT id FROM kata_specs")) == 1


async def test_an_answer_that_cannot_be_stored_leaves_no_half_rows(room: CoachingRoom) -> None:
    broken = json.loads(json.dumps(ANSWERS["gaps"]))
    broken["kata_specs"][0]["constraints"] = [
        {"title": "Too hard", "description": "Never", "min_level": 99}
    ]
    async with room.work() as desk:
        await worked(desk)
        room.says["gaps"] = said(broken)
        learnt = await end(desk)

    assert learnt["knowledgeGaps"] == 0
    assert room.rows("SELECT id FROM knowledge_gaps") == []


async def test_a_new_gap_is_due_in_study_with_its_kata(room: CoachingRoom, tmp_path: Path) -> None:
    async with room.work() as desk:
        await worked(desk)
        await end(desk)

    listed = run_paige(tmp_path, "study", "due", "--json", PROJECT_DIR=str(room.project))
    [course] = json.loads(listed.stdout)
    assert course["course"] == "coach"
    assert course["due"] == ["mutable-default-arguments", "reading-tracebacks"]
    checked = run_paige(tmp_path, "study", "courses", "coach", "--json")
    [overview] = json.loads(checked.stdout)
    assert (overview["concepts"], overview["items"], overview["problems"]) == (2, 2, [])


async def test_ending_in_the_window_tells_the_same_as_over_mcp(room: CoachingRoom) -> None:
    async with room.work() as desk:
        await worked(desk)
        await desk.window.send("session:end")
        frames = await desk.window.until("observer:status")

    [told] = of_type(frames, "session:completed")
    assert (told["knowledgeGaps"], told["kataSpecs"]) == (2, 1)
    assert of_type(frames, "session:ended")
