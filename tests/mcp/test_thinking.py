"""The two tools that think, with someone who does: progress, what is stored, what is answered."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from mcp import Client

from paige.app.application import App, open_app
from paige.base.actor import Actor
from paige.base.errors import Unavailable
from paige.base.settings import Settings
from paige.coach.live import LiveCoach
from paige.coach.log.queries import recent_actions
from paige.coach.message_parts import FileHint, LineHint
from paige.coach.messages import Reply
from paige.coach.model import CoachedPlan, CoachModel, PlanText, Progress, WrapUp
from paige.coach.project_context import Surroundings
from paige.coach.records import CoachSession
from paige.doors.site.mcp_endpoint import all_tools, build_server
from paige.store.messages import Message
from tests.coach.coached_phases import coached_phase
from tests.coach.message_sinks import Nowhere
from tests.mcp.at_work import MODES, Mode

pytestmark = pytest.mark.anyio
PLAN = {"planText": "1. Read\n2. Write", "issueSummary": "Login fails", "issueNumber": 7}
PHASES = (
    coached_phase(
        1,
        "Read",
        "Read the login first.",
        "line",
        expected_files=("src/login.py",),
        file_hints=(FileHint(path="src/login.py", style="important"),),
        line_hints=(
            LineHint(path="src/login.py", start=3, end=4, style="focus", hover_text="Here"),
        ),
    ),
    coached_phase(2, "Write", "Now write the test.", "file"),
)


class Thinker(CoachModel):
    """Makes the same plan for everyone, in three steps; or is not there."""

    def __init__(self, *, away: bool = False) -> None:
        self.away = away
        self.asked: list[PlanText] = []

    async def run_pipeline(
        self, actor: Actor, session: CoachSession, plan: PlanText, progress: Progress
    ) -> CoachedPlan:
        """Make a plan."""
        self.asked.append(plan)
        await progress(1, 3, "Looking for memories")
        if self.away:
            raise Unavailable("The coach does not answer", hint="Try again later.")
        await progress(2, 3, "Thinking")
        await progress(3, 3, "Done")
        return CoachedPlan(PHASES, "Like the one of May", "intermediate")

    async def wrap_up(self, actor: Actor, session: CoachSession, transcript: str) -> WrapUp:
        """Learn something."""
        return WrapUp(knowledge_gaps=1, kata_specs=2, dreyfus_updates=3, memories_stored=4)


class Heard(Nowhere):
    """An outlet that remembers what was shown."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def send(self, message: Message, actor: Actor | None, *, reply: Reply | None = None) -> None:
        """Keep a message."""
        self.messages.append(message)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """An application without a server."""
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data", project_dir=tmp_path)
    with open_app(settings, strict=False) as app:
        yield app


@asynccontextmanager
async def thinking(app: App, model: Thinker, mode: Mode) -> AsyncIterator[tuple[Client, Heard]]:
    """A client of a coach that thinks, in a session."""
    heard = Heard()
    around = Surroundings(
        database=app.database, bus=app.bus, outlet=heard, now=app.now, model=model
    )
    coach = LiveCoach(app.settings.project_dir, around)
    async with coach.running():
        await coach.start_session(app.actor, 7, "Login fails")
        async with Client(
            build_server(replace(app, coach=coach), all_tools()), mode=mode
        ) as client:
            yield client, heard


@pytest.mark.parametrize("mode", MODES)
async def test_a_plan_becomes_phases_and_progress_is_reported(app: App, mode: Mode) -> None:
    steps: list[tuple[float, float | None, str | None]] = []

    async def step(done: float, total: float | None, message: str | None) -> None:
        steps.append((done, total, message))

    model = Thinker()
    async with thinking(app, model, mode) as (client, heard):
        result = await client.call_tool("paige_run_coaching_pipeline", PLAN, progress_callback=step)
        state = await client.call_tool("paige_get_session_state", {"include": ["plan"]})

    value = json.loads(result.content[0].text)
    assert value == result.structured_content
    assert value.pop("planId") == state.structured_content["plan"]["id"]
    assert value == {
        "phases": [
            {
                "number": 1,
                "title": "Read",
                "description": "Read the login first.",
                "hintLevel": "line",
            },
            {
                "number": 2,
                "title": "Write",
                "description": "Now write the test.",
                "hintLevel": "file",
            },
        ],
        "memoryConnection": "Like the one of May",
        "estimatedDifficulty": "intermediate",
    }
    assert model.asked == [PlanText("1. Read\n2. Write", "Login fails", 7)]
    assert steps == [(1, 3, "Looking for memories"), (2, 3, "Thinking"), (3, 3, "Done")]
    shown = {message.topic for message in heard.messages}
    assert {"editor:highlight_lines", "explorer:hint_files"} <= shown


async def test_a_coach_that_does_not_answer_is_an_error_with_its_sentence(app: App) -> None:
    async with thinking(app, Thinker(away=True), "auto") as (client, _):
        result = await client.call_tool("paige_run_coaching_pipeline", PLAN)
        state = await client.call_tool("paige_get_session_state", {"include": ["plan"]})

    assert result.is_error
    assert result.content[0].text == "The coach does not answer. Try again later."
    assert state.structured_content == {"plan": None}


@pytest.mark.parametrize("mode", MODES)
async def test_the_end_of_a_session_says_what_was_learnt(app: App, mode: Mode) -> None:
    async with thinking(app, Thinker(), mode) as (client, _):
        state = await client.call_tool("paige_get_session_state", {"include": ["session"]})
        session = state.structured_content["session"]["id"]
        result = await client.call_tool("paige_end_session", {"sessionTranscript": "We worked."})
        again = await client.call_tool("paige_end_session", {"sessionTranscript": "We worked."})
        logged = await app.database.read(recent_actions, Actor(), session, types=["mcp_tool_call"])

    assert result.structured_content == {
        "knowledgeGaps": 1,
        "kataSpecs": 2,
        "dreyfusUpdates": 3,
        "memoriesStored": 4,
        "sessionStatus": "completed",
    }
    assert again.content[0].text == "No active session"
    # The call that ended the session belongs to it, though it was over by then.
    assert logged[0].data is not None
    assert logged[0].data["toolName"] == "paige_end_session"
