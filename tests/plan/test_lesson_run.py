"""A whole lesson run, from the request to what is remembered, on both kinds of database."""

from pathlib import Path

import pytest

from paige.agent.interactions import Interaction, Reply, picked
from paige.agent.runs import continue_run, read_run, reply_to
from paige.base.settings import Settings
from paige.plan.hooks.names import HOOK_NAMES
from tests.plan.planning import judge, lesson_text, planning, yes
from tests.plan.test_hook_adjudication import SHORT

pytestmark = pytest.mark.anyio
MEMORY = {"MEMORY.md": "- Likes bullets\n", "classes/3B/MEMORY.md": "- Short starters\n"}


def says(asked: Interaction) -> Reply:
    return picked("modify", "They know selection well.")


@pytest.mark.db
async def test_every_hook_is_a_span_and_every_decision_is_kept(
    tmp_path: Path, db_settings: Settings
) -> None:
    url = db_settings.database_url
    with planning(
        tmp_path / "run", [lesson_text(), SHORT], hooks=HOOK_NAMES, memory=MEMORY, database_url=url
    ) as plan:
        state = await plan.finish(
            await plan.start(),
            feedforward=says,
            confidence=picked("3"),
            teacher_adjudication=judge(starter=("revise", "three minutes")),
        )
        spans, session = plan.spans(state), plan.session(state)
        outcome = plan.outcome(state)
        assert plan.runtime.memory is not None
        kept = plan.runtime.memory.documents.files(plan.app.actor)

    assert state.run.status == "success"
    assert set(spans) == set(HOOK_NAMES) - {"kept-files"}
    assert spans["feedforward"]["memory"] == ["classes/3B/MEMORY.md", "MEMORY.md"]
    assert spans["confidence"]["rating"] == 3
    assert len(spans["reflection-prompt"]["answers"]) == 5
    assert {each["decision"] for each in spans["teacher-adjudication"]["decisions"]} == {
        "accept",
        "revise",
    }
    assert {each["decision"] for each in spans["memory-capture"]["decisions"]} == {"confirmed"}
    assert {each["gate"].split("/")[-2] for each in session.decisions} == {
        "feedforward",
        "reflection-prompt",
        "confidence",
        "teacher-adjudication",
        "memory-capture",
    }
    assert all(each["at"] and each["reply"]["auto"] is False for each in session.decisions)
    assert session.class_id == "3B"
    assert list(plan.saved()) == [outcome.path]
    assert {row.path for row in kept} == {
        "MEMORY.md",
        "classes/3B/MEMORY.md",
        "classes/3B/lessons.md",
    }


@pytest.mark.db
async def test_a_question_is_answered_by_another_process_that_knows_only_the_run(
    tmp_path: Path, db_settings: Settings
) -> None:
    url = db_settings.database_url
    with planning(tmp_path / "run", [lesson_text()], memory={}, database_url=url) as first:
        asked = await first.start()
    with planning(tmp_path / "run", [lesson_text()], memory={}, database_url=url) as second:
        found = await read_run(second.runtime, second.app.actor, asked.run.id)
        same = found.gates[0].interaction == asked.gates[0].interaction
        await reply_to(
            second.runtime, second.app.actor, found.gates[0], yes(found.gates[0].interaction)
        )
        state = await continue_run(second.runtime, second.app.actor, found.run.id)
        state = await second.finish(state)

    assert same
    assert (state.run.status, len(second.saved())) == ("success", 1)
    assert first.model.requests == []
