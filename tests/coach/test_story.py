"""The story as a test, with a model on the real wire, and what is left of it without one.

Somebody works on a real bug, goes round in circles, is spoken to once, finishes, and is told what
was missing. The kata is due in Study; solving it raises the level, opens constraints, closes the
gap, and the next plan points less finely.
"""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from mcp import Client

from paige.app.application import App, open_app
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.coach.inquiry.topics import topic_named
from paige.doors.site.factory import Site
from paige.learner.queries import assessments, gaps, katas
from paige.store.documents import DirectoryDocuments
from paige.store.engine import Database
from paige.study.report import course_report
from tests.coach.coaching_room import ANSWERS, SHOP, kind_of, material_of, phase, said
from tests.coach.observing import Hands, opened, served, until
from tests.fakes.model_server import ModelServer, Recorded, Reply
from tests.mcp.at_work import Window

pytestmark = pytest.mark.anyio
ME = Actor()
TOPIC = "mutable default arguments"
PLAN = """# Plan

1. Reproduce it: call `add` twice without a basket and look at both results.
2. Change `add` in `shop.py` so that the default value is not shared between calls.
3. Run the tests and add one for two baskets.
"""
LEVELS = {"novice": "line", "advanced_beginner": "region", "competent": "file"}
SOLVED = SHOP.replace("basket=[]", "basket=None").replace(
    "    basket.append", "    if basket is None:\n        basket = []\n    basket.append"
)
TRIED = SHOP.replace("    return basket", "    return list(basket)")


@dataclass
class Story:
    """A coach on real sockets, a window, and a clock that goes by hand."""

    app: App
    url: str
    window: Window
    clock: Hands
    database: Database
    teaching: Path
    requests: list[Recorded]
    frames: list[dict[str, Any]] = field(default_factory=list)

    async def call(self, tool: str, **arguments: object) -> Any:
        """Call a tool as a coding CLI does."""
        async with Client(f"{self.url}/mcp") as agent:
            result = await agent.call_tool(tool, arguments)
        assert not result.is_error, result.content[0].text
        return json.loads(result.content[0].text)

    async def settle(self) -> None:
        """Wait until everything sent so far was dealt with."""
        self.frames += await self.window.settled()

    async def write(self, text: str, *, seconds: float) -> None:
        """Type a text into the editor and save it, then let some time pass."""
        cursor = {"line": 3, "column": 1}
        await self.window.send(
            "buffer:update", path="shop.py", content=text, cursorPosition=cursor, selections=[]
        )
        await self.window.send("file:save", path="shop.py", content=text)
        await self.settle()
        self.clock.go_on(seconds)

    def nudges(self) -> list[Any]:
        """What the observer said so far."""
        return [each["payload"] for each in self.frames if each["type"] == "observer:nudge"]

    async def plan(self, issue: int) -> Any:
        """Start a session on an issue and let the plan become phases."""
        await self.window.send("session:start", issueNumber=issue, issueTitle="Baskets are shared")
        await self.window.wait("session:started")
        await self.settle()
        return await self.call(
            "paige_run_coaching_pipeline",
            planText=PLAN,
            issueSummary="Two baskets share their items because of a default value",
        )

    def due(self) -> tuple[str, ...]:
        """What should be recalled now in the course of the coach."""
        documents = DirectoryDocuments(self.teaching)
        found = course_report(documents, self.clock.now(), name="coach", learner=None)
        assert not found.problems
        return found.due


class Model:
    """A model that keeps to its prompts: the finer the stage, the coarser the hints."""

    def __init__(self) -> None:
        self.asked: list[Recorded] = []

    def answer(self, request: Recorded) -> Reply:
        """What it says to a question."""
        self.asked.append(request)
        kind = kind_of(request)
        match kind:
            case "coach":
                level = LEVELS[material_of(request)["dreyfus_stage"]]
                titles = ("Reproduce it", "Change it", "Run the tests")
                phases = [phase(number, title, level) for number, title in enumerate(titles, 1)]
                return said({**ANSWERS["coach"], "phases": phases})
            case "triage":
                done = material_of(request)["recent_actions"]
                saves = sum(each["type"] == "file_save" for each in done)
                loops = saves == 4
                signal = "edit_loop" if loops else "no_nudge"
                answer = {"should_nudge": loops, "confidence": 0.9, "signal": signal}
                return said({**ANSWERS["triage"], **answer})
            case "stages":
                return said({"assessments": []})
        return said(ANSWERS[kind])


@asynccontextmanager
async def told(folder: Path, provider: str = "anthropic") -> AsyncIterator[Story]:
    """A coach of a small shop."""
    project = folder / "shop"
    project.mkdir()
    (project / "shop.py").write_text(SHOP)
    model, clock = Model(), Hands()
    async with ModelServer() as server:
        server.answer_with(model.answer)
        settings = Settings(
            cwd=folder,
            given_data_dir=folder / "data",
            given_teaching_dir=folder / "teaching",
            project_dir=project,
            provider=provider,
            anthropic_api_key="sk-ant-fake",
            base_url=server.url,
            fallback="none",
            environ={"HOME": str(folder)},
        )
        with open_app(settings, strict=False, now=clock.now) as app:
            site = Site(app, sleep=clock.sleep)
            async with served(site) as url, opened(url) as window:
                yield Story(
                    app, url, window, clock, app.database, settings.teaching_dir, model.asked
                )


async def test_the_story_of_a_shared_basket(tmp_path: Path) -> None:
    async with told(tmp_path) as story:
        first = await story.plan(1)
        assert {each["hintLevel"] for each in first["phases"]} == {"line"}
        await work_through(story, len(first["phases"]))
        learnt = await story.call(
            "paige_end_session",
            sessionTranscript="I don't understand why the default value keeps the old items.",
        )
        kata = await what_was_missing(story, learnt)
        await solve(story, kata)
        second = await story.plan(2)

    changed = second["phases"][1]
    assert changed["hintLevel"] == "region", "the next plan points as finely as before"


async def test_without_a_model_the_observer_speaks_and_nobody_judges(tmp_path: Path) -> None:
    async with told(tmp_path, "local") as story:
        plan = await story.plan(1)
        await work_through(story, len(plan["phases"]))
        learnt = await story.call("paige_end_session", sessionTranscript="I was lost in defaults.")
        completed = await story.window.wait("session:completed")
        found = await story.database.read(gaps, ME)

    assert [each["title"] for each in plan["phases"]] == [
        "Reproduce it",
        "Change `add` in `shop.py` so that the default value is not shared between calls",
        "Run the tests and add one for two baskets",
    ]
    assert {each["hintLevel"] for each in plan["phases"]} == {"line"}
    assert all("needs a model" in each["description"] for each in plan["phases"])
    assert (plan["memoryConnection"], plan["estimatedDifficulty"]) == (None, "")
    assert (learnt["knowledgeGaps"], learnt["kataSpecs"], found) == (0, 0, [])
    assert learnt["note"].startswith("Judging what you still lack needs a model")
    assert "`shop.py` was saved 8 times in phase 2." in learnt["note"]
    assert completed["note"] == learnt["note"]


async def work_through(story: Story, phases: int) -> None:
    """Round in circles in the second phase, then in full flow to the end."""
    await story.call("paige_update_phase", phase=1, status="active")
    story.clock.go_on(60)
    await story.call("paige_update_phase", phase=1, status="complete")
    await story.call("paige_update_phase", phase=2, status="active")
    await story.window.send("file:open", path="shop.py")
    await story.window.wait("fs:content")
    for number in range(8):
        await story.write(TRIED if number % 2 == 0 else SHOP, seconds=25)
    await until(lambda: _nudged(story))
    [nudge] = story.nudges()
    assert nudge["signal"] == "edit_loop"
    await story.window.send("hints:level_change", level="line", previousLevel="file")
    await story.settle()
    story.clock.go_on(290)
    await story.call("paige_update_phase", phase=2, status="complete")
    await story.call("paige_update_phase", phase=3, status="active")
    text = SOLVED
    for number in range(14):  # one after the other, without a pause
        text += f"\n\ndef price_{number}(basket):\n    return basket[{number}]\n"
        await story.write(text, seconds=2)
    assert story.nudges() == [nudge], "somebody in flow was disturbed"
    await story.call("paige_update_phase", phase=3, status="complete")
    for number in range(4, phases + 1):
        await story.call("paige_update_phase", phase=number, status="complete")


async def _nudged(story: Story) -> bool:
    await story.settle()
    return bool(story.nudges())


async def what_was_missing(story: Story, learnt: Any) -> str:
    """The gap that was planted is found, and its kata is due."""
    assert learnt["knowledgeGaps"] >= 1
    assert learnt["kataSpecs"] >= 1
    assert learnt["memoriesStored"] >= 1
    found = await story.database.read(gaps, ME)
    assert TOPIC in [gap.topic for gap in found]
    assert "mutable-default-arguments" in story.due()
    mine = [each.kata for each in await story.database.read(katas, ME) if each.topic == TOPIC]
    return mine[0].id


async def solve(story: Story, kata: str) -> None:
    """Solve the kata in the window: the level rises, constraints open, the gap is closed."""
    topic = topic_named(TOPIC)
    assert topic is not None
    await story.window.send("practice:open", kataId=kata)
    before = await story.window.wait("practice:kata_load")
    await story.window.send(
        "practice:submit_solution", kataId=kata, code=topic.kata.solution, activeConstraints=[]
    )
    review = await story.window.wait("practice:solution_review")
    assert review["passed"]
    assert review["level"] >= 4
    assert review["constraintsUnlocked"]
    await story.window.send("practice:open", kataId=kata)
    after = await story.window.wait("practice:kata_load")
    assert len(after["constraints"]) > len(before["constraints"])
    assert after["kata"]["bestLevel"] == review["level"]
    found = await story.database.read(gaps, ME)
    assert [gap.addressed for gap in found if gap.topic == TOPIC] == [True]
    stages = {each.skill_area: each.stage for each in await story.database.read(assessments, ME)}
    assert stages[TOPIC] == "advanced_beginner"
    assert "mutable-default-arguments" not in story.due()
