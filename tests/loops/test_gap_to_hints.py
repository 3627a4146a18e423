"""A gap that coaching shows is practised in Study, and the next coaching session helps less.

Told over real sockets, with a clock that goes by hand and a model on the wire: somebody goes round
in circles, the gap comes up in Study, is solved there and not in the coach's window, and the next
plan points less finely. Then every link is cut once.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest

from paige.app.demo.coach import show_gap
from paige.base.actor import Actor
from paige.coach.inquiry.topics import topic_named
from paige.coach.sessions import active
from paige.learner.queries import gaps
from tests.coach.coaching_room import material_of
from tests.coach.test_story import TOPIC, Story, told, work_through
from tests.live import run_paige

pytestmark = pytest.mark.anyio
ME = Actor()
CONCEPT = "mutable-default-arguments"
DAY = 86_400.0
SAID = "I don't understand why the default value keeps the old items."
MOST_STEPS = 12
GAP = {"topic": TOPIC, "severity": "high", "evidence": "Tests failed in 4 of 4 runs."}
Json = Mapping[str, Any]


async def ask(story: Story, method: str, path: str, **more: Any) -> Any:
    """Ask the server as a page does."""
    async with httpx2.AsyncClient(base_url=story.url, timeout=60) as page:
        answer = await page.request(method, f"/api{path}", **more)
    assert answer.status_code == 200, answer.text
    return answer.json()


async def gap_of(story: Story) -> Any:
    """The gap as the pages of both doors show it."""
    found = (await ask(story, "GET", "/coach/gaps"))["gaps"]
    return next(each for each in found if each["topic"] == TOPIC)


async def coached(story: Story, issue: int = 1) -> Any:
    """A session in which somebody goes round in circles; its plan."""
    story.frames.clear()
    plan = await story.plan(issue)
    await work_through(story, len(plan["phases"]))
    await story.call("paige_end_session", sessionTranscript=SAID)
    return plan


async def struggled(story: Story, issue: int = 1) -> Any:
    """The same in short, with the gap planted: nobody is there to find it; its plan."""
    plan = await story.plan(issue)
    await show_gap(story.app, await session_of(story), GAP)
    await story.call("paige_end_session", sessionTranscript=SAID)
    return plan


async def session_of(story: Story) -> str:
    """The session that is worked in."""
    found = await story.database.read(active, ME, str(story.app.settings.project_dir))
    assert found is not None
    return found.id


def finest(plan: Any) -> str:
    """How finely the step points that is about the gap."""
    return plan["phases"][1]["hintLevel"]


async def review(story: Story, *, solved: bool = True, shown: bool = False, **more: Any) -> Any:
    """Recall what is due in Study until the gap was asked; what came of it."""
    step = await ask(
        story, "POST", "/study/sessions", json={"course": "coach", "kind": "review", "anew": True}
    )
    for _ in range(MOST_STEPS):
        about = step["item"] and step["item"]["concept"] == CONCEPT
        if step["stage"] == "exercise" and about:
            break
        assert step["stage"] not in ("nothing", "over"), f"it is not asked: {step}"
        step = await act(story, step, "skip")
    if shown:  # nothing is before the first try
        step = await act(story, step, "answer", fileText=await code(story, step, False))
        return await act(story, step, "give_up")
    return await act(story, step, "answer", fileText=await code(story, step, solved), **more)


async def act(story: Story, step: Json, name: str, **more: Any) -> Any:
    """Do something in the session."""
    body = {"course": "coach", "step": step["step"], "act": name, **more}
    return await ask(story, "POST", "/study/session/act", json=body)


async def code(story: Story, step: Json, solved: bool, **who: str) -> str:
    """What is handed in: the words above the code stay."""
    topic = topic_named(TOPIC)
    assert topic is not None
    path = step["exercise"]["open"][0]
    asked = {"course": "coach", "path": path, **who}
    file = await ask(story, "GET", "/study/session/file", params=asked)
    head, _, _ = file["text"].rpartition('"""\n')
    return f'{head}"""\n\n{topic.kata.solution if solved else topic.kata.scaffolding}'


async def test_what_was_missing_is_practised_in_study_and_then_helped_with_less(
    tmp_path: Path,
) -> None:
    async with told(tmp_path) as story:
        first = await coached(story)
        shown = await gap_of(story)
        done = await review(story)
        closed = await gap_of(story)
        second = await story.plan(2)
        asked = [each for each in story.requests if "phases" in str(each.body["output_config"])]

    assert finest(first) == "line"
    assert (shown["closed"], shown["stage"], shown["due"]) == (False, "novice", True)
    assert (shown["course"], shown["concept"]) == ("coach", CONCEPT)
    assert shown["sessionTitle"] == "Baskets are shared"
    assert done["result"]["fsrsRating"] >= 3, done
    assert (closed["closed"], closed["stage"], closed["due"]) == (True, "advanced_beginner", False)
    assert closed["nextReview"] > shown["nextReview"]
    assert finest(second) == "region"
    told_to_the_model = material_of(asked[-1])
    assert told_to_the_model["dreyfus_stage"] == "advanced_beginner"
    assert told_to_the_model["skills"] == {TOPIC: "advanced_beginner"}


async def test_help_fades_further_with_every_easy_review(tmp_path: Path) -> None:
    async with told(tmp_path, "local") as story:
        await struggled(story)
        await review(story)
        stages: list[str] = []
        for _ in range(2):
            due = await gap_of(story)
            story.clock.go_on(60 * DAY)
            assert (await gap_of(story))["due"], due
            await review(story, sure=True, seconds=5)
            stages.append((await gap_of(story))["stage"])
        plan = await story.plan(2)

    assert stages == ["advanced_beginner", "competent"]
    assert finest(plan) == "file"


async def test_a_command_shows_the_gap_with_its_session_its_stage_and_its_date(
    tmp_path: Path,
) -> None:
    async with told(tmp_path, "local") as story:
        await struggled(story)
        await review(story)
        shown = await gap_of(story)

    places: dict[str, Any] = {
        "DATA_DIR": str(tmp_path / "data"),
        "PAIGE_TEACHING_DIR": str(tmp_path / "teaching"),
        "PROJECT_DIR": str(tmp_path / "shop"),
    }
    listed = run_paige(tmp_path, "coach", "gaps", **places)
    found = json.loads(run_paige(tmp_path, "coach", "gaps", "--json", **places).stdout)

    assert f"closed  {TOPIC}" in listed.stdout
    assert "advanced beginner" in listed.stdout
    assert "on “Baskets are shared”" in listed.stdout
    mine = next(each for each in found if each["topic"] == TOPIC)
    assert mine["next_review"] == shown["nextReview"]
    assert (mine["session"], mine["course"]) == (shown["sessionId"], "coach")


# --- where a link is cut --------------------------------------------------------------------------


async def test_without_a_review_the_next_plan_points_as_finely_as_before(tmp_path: Path) -> None:
    async with told(tmp_path, "local") as story:
        await struggled(story)
        plan = await story.plan(2)

    assert finest(plan) == "line"


@pytest.mark.parametrize(
    "how", [{"solved": False, "final": True}, {"shown": True}], ids=["failed", "shown"]
)
async def test_a_review_that_was_not_solved_alone_moves_its_date_and_nothing_else(
    tmp_path: Path, how: dict[str, bool]
) -> None:
    async with told(tmp_path, "local") as story:
        await struggled(story)
        before = await gap_of(story)
        await review(story, **how)
        after = await gap_of(story)
        plan = await story.plan(2)

    assert (after["closed"], after["stage"]) == (False, "novice")
    assert after["nextReview"] > before["nextReview"]
    assert finest(plan) == "line"


async def test_a_result_that_is_taken_back_takes_its_step_of_the_stage_back(
    tmp_path: Path,
) -> None:
    async with told(tmp_path, "local") as story:
        await struggled(story)
        before = await gap_of(story)
        await review(story)
        solved = await gap_of(story)
        undone = await ask(story, "POST", "/study/undo", json={"course": "coach"})
        after = await gap_of(story)
        plan = await story.plan(2)

    assert (solved["closed"], solved["stage"]) == (True, "advanced_beginner")
    assert undone["concept"] == CONCEPT
    assert (after["closed"], after["stage"]) == (False, "novice")
    assert (after["due"], after["nextReview"]) == (True, before["nextReview"])
    assert finest(plan) == "line"


async def test_a_result_that_moved_nothing_leaves_the_stage_when_it_is_taken_back(
    tmp_path: Path,
) -> None:
    async with told(tmp_path, "local") as story:
        await struggled(story)
        await review(story)
        story.clock.go_on(60 * DAY)
        await review(story)  # the second one that was not easy moves no stage
        await ask(story, "POST", "/study/undo", json={"course": "coach"})
        after = await gap_of(story)

    assert (after["closed"], after["stage"]) == (True, "advanced_beginner")


async def test_what_another_learner_solves_does_not_close_my_gap(tmp_path: Path) -> None:
    async with told(tmp_path, "local") as story:
        await struggled(story)
        bob = {"course": "coach", "learner": "bob"}
        quiz = {**bob, "kind": "quiz", "quiz": {"concepts": [CONCEPT]}, "prefer": "code"}
        step = await ask(story, "POST", "/study/sessions", json=quiz)
        text = await code(story, step, True, learner="bob")
        done = await act(story, step, "answer", fileText=text, learner="bob")
        mine = await gap_of(story)

    assert done["result"]["fsrsRating"] >= 3
    assert (mine["closed"], mine["stage"]) == (False, "novice")


async def test_a_gap_that_shows_again_is_open_again_and_comes_back_sooner(tmp_path: Path) -> None:
    async with told(tmp_path, "local") as story:
        await struggled(story)
        await review(story)
        closed = await gap_of(story)
        story.clock.go_on(60)
        await struggled(story, 2)
        again = await gap_of(story)

    assert (closed["closed"], again["closed"]) == (True, False)
    assert again["frequency"] == 2
    assert again["nextReview"] < closed["nextReview"]


async def test_a_study_folder_that_cannot_be_read_keeps_nobody_from_being_coached(
    tmp_path: Path,
) -> None:
    async with told(tmp_path, "local") as story:
        (tmp_path / "teaching").write_text("not a folder")
        await struggled(story)
        found = [each.topic for each in await story.database.read(gaps, ME)]
        plan = await story.plan(2)

    assert TOPIC in found
    assert finest(plan) == "line"
