"""A coach that is observed, over real sockets: time goes by hand, the model answers by script."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import uvicorn
from anyio.to_thread import run_sync
from mcp import Client
from websockets.asyncio.client import connect

from paige.app.application import open_app
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.coach.answers import TriageAnswer
from paige.coach.log.queries import recent_actions
from paige.coach.model import CoachedPlan, PlanText
from paige.coach.observer.loop import Moment
from paige.coach.observer.rules import ObserverState
from paige.coach.phases import PlanSource, store_plan
from paige.coach.prompts import TRIAGE, make_call
from paige.coach.records import Action, CoachSession
from paige.doors.site.factory import Site
from paige.learner.queries import Assessment, upsert_assessment
from paige.models.calls import Models, call_api
from paige.models.local import Registry
from paige.models.setup import open_models
from paige.store.engine import Database
from tests.coach.coached_phases import coached_phase
from tests.coach.scripted_model import ScriptedModel
from tests.conftest import NOON
from tests.fakes.model_server import Held, Json, ModelServer, Recorded, Reply
from tests.fakes.wire_bodies import ANTHROPIC
from tests.mcp.at_work import HELLO, SECONDS, Window

ME = Actor()
RIGHT, WRONG = "src/handlers/oauth.py", "src/middleware/auth.py"


class Hands:
    """A clock that goes on only when a test says so."""

    def __init__(self) -> None:
        self.moment = NOON
        self._sleeping: list[tuple[datetime, anyio.Event]] = []
        self._asleep = anyio.Event()

    def now(self) -> datetime:
        """The time."""
        return self.moment

    async def sleep(self, seconds: float) -> None:
        """Wait until so much time was passed by hand."""
        woken = anyio.Event()
        entry = (self.moment + timedelta(seconds=seconds), woken)
        self._sleeping.append(entry)
        self._asleep.set()
        try:
            await woken.wait()
        finally:
            if entry in self._sleeping:  # whoever was woken is not among them any more
                self._sleeping.remove(entry)

    @property
    def timers(self) -> int:
        """How many are waiting."""
        return len(self._sleeping)

    async def fell_asleep(self) -> None:
        """Wait until someone waits."""
        while not self._sleeping:
            self._asleep = anyio.Event()
            await self._asleep.wait()

    def go_on(self, seconds: float) -> None:
        """Let time pass; whoever waited long enough wakes up."""
        self.moment += timedelta(seconds=seconds)
        woken = [entry for entry in self._sleeping if entry[0] <= self.moment]
        self._sleeping = [entry for entry in self._sleeping if entry not in woken]
        for _, event in woken:
            event.set()


@dataclass
class Watching(ScriptedModel):
    """A model whose triage asks the provider; the rest is scripted."""

    models: Models | None = None

    async def triage(self, actor: Actor, session: CoachSession, moment: Moment) -> TriageAnswer:
        """Ask over the wire."""
        assert self.models is not None
        call = make_call(TRIAGE, moment.context, inputs=moment.trace, session_id=session.id)
        return (await call_api(self.models, actor, call)).value


@dataclass
class Model:
    """What the model says, and what it was asked."""

    says: list[dict[str, Any] | Reply] = field(default_factory=list)
    asked: list[Recorded] = field(default_factory=list)
    gate: asyncio.Event | None = None

    def answer(self, request: Recorded) -> Reply:
        """The next thing to say, the last one again and again; without any: nothing to do."""
        self.asked.append(request)
        said = self.says.pop(0) if self.says else nudge(False, 0.9, "no_nudge")
        reply = said if not isinstance(said, dict) else ANTHROPIC.answer(json.dumps(said))
        if self.gate is not None and isinstance(reply, Json):
            return Held(self.gate, reply)
        return reply

    @property
    def contexts(self) -> list[dict[str, Any]]:
        """The snapshots that were sent."""
        return [json.loads(_text(request)) for request in self.asked]


def _text(request: Recorded) -> str:
    content = request.body["messages"][0]["content"]
    return content if isinstance(content, str) else content[0]["text"]


def nudge(should: bool, confidence: float, signal: str, **about: str) -> dict[str, Any]:
    """An answer of the triage."""
    keys = ("current_file", "expected_file", "time_in_file", "phase_description")
    return {
        "should_nudge": should,
        "confidence": confidence,
        "signal": signal,
        "reasoning": "because",
        "suggested_context": {key: about.get(key) for key in keys},
    }


@dataclass
class Ground:
    """A running coach, one window, a clock and a model."""

    url: str
    project: Path
    site: Site
    database: Database
    window: Window
    clock: Hands
    model: Model
    frames: list[dict[str, Any]] = field(default_factory=list)

    @property
    def state(self) -> ObserverState | None:
        """What the observer remembers."""
        return self.site.coach.observer.state(ME)

    async def start(self) -> str:
        """Start a session; the timer runs."""
        await self.window.send("session:start", issueNumber=7, issueTitle="Seven")
        session = (await self.window.wait("session:started"))["sessionId"]
        await self.window.wait("fs:tree")
        await self.clock.fell_asleep()
        return session

    async def open(self, path: str) -> None:
        """Open a file; whatever the observer makes of it has begun when this returns."""
        await self.window.send("file:open", path=path)
        await self.window.wait("fs:content")

    async def save(self, path: str, text: str = "x = 2\n") -> None:
        """Save a file."""
        await self.window.send("file:save", path=path, content=text)
        await self.window.wait("fs:save_ack")

    async def type(self, path: str, text: str) -> None:
        """Change a buffer; it is taken when this returns."""
        await self.window.send(
            "buffer:update",
            path=path,
            content=text,
            cursorPosition={"line": 1, "column": 1},
            selections=[],
        )
        await self.settle()

    async def settle(self) -> list[str]:
        """Wait until all that was sent is dealt with; return the types of what came meanwhile."""
        frames = await self.window.settled()
        self.frames += frames
        return [frame["type"] for frame in frames]

    def nudges(self) -> list[dict[str, Any]]:
        """The nudges that came while something else was waited for."""
        return [each["payload"] for each in self.frames if each["type"] == "observer:nudge"]

    async def plan(self, session: str) -> None:
        """A plan with two phases; the first is active."""
        phases = (
            coached_phase(1, "Find it", "Find the OAuth callback.", "line", (RIGHT,)),
            coached_phase(2, "Change it", "Check the state.", "file", (RIGHT,)),
        )
        made = PlanSource(PlanText("# Plan", "An issue"), CoachedPlan(phases, None, "beginner"))
        await self.database.write(store_plan, ME, session, made, now=self.clock.now())

    async def call(self, tool: str, **arguments: object) -> None:
        """Call a tool of the coach as a coding CLI does."""
        async with Client(f"{self.url}/mcp") as agent:
            result = await agent.call_tool(tool, arguments)
            assert not result.is_error, result.content[0].text

    async def assess(self, stage: Any) -> None:
        """Judge a skill of the person."""
        judged = Assessment("a1", ME.person, "python", stage, 0.8, "Seen", self.clock.now())
        await self.database.write(upsert_assessment, ME, judged)

    async def actions(self, session: str, *types: str) -> list[Action]:
        """What was logged, in order."""
        chosen = types or None
        found = await self.database.read(recent_actions, ME, session, limit=500, types=chosen)
        return found[::-1]

    async def logged(self, session: str, type: str, count: int = 1) -> list[dict[str, Any]]:
        """Wait for actions of a type; return what they say."""

        async def look() -> list[dict[str, Any]]:
            found = await self.actions(session, type)
            return [dict(action.data or {}) for action in found] if len(found) >= count else []

        return await until(look)

    async def rested(self) -> None:
        """Wait until nothing is being evaluated; time does not go by meanwhile."""

        async def look() -> bool:
            return self.state is None or not self.state.evaluating

        await until(look)

    async def evaluated(self, count: int) -> None:
        """Wait until the model was asked so often and all of it is dealt with."""

        async def look() -> bool:
            state = self.state
            return len(self.model.asked) >= count and (state is None or not state.evaluating)

        await until(look)


async def until(look: Callable[[], Awaitable[Any]]) -> Any:
    """Look until there is something; others get a turn in between."""
    with anyio.fail_after(SECONDS):
        while not (found := await look()):
            await run_sync(_nothing)
    return found


def _nothing() -> None:
    """A way through a thread and back."""


@asynccontextmanager
async def observed(folder: Path, *, local: bool = False) -> AsyncIterator[Ground]:
    """A coach on real sockets; `local` judges by the rules instead of a model."""
    project = folder / "project"
    for path in (RIGHT, WRONG):
        (project / path).parent.mkdir(parents=True)
        (project / path).write_text("x = 1\n")
    async with ModelServer() as server:
        model, clock = Model(), Hands()
        server.answer_with(model.answer)
        settings = Settings(
            cwd=folder,
            given_data_dir=folder / "data",
            project_dir=project,
            provider="local" if local else "anthropic",
            anthropic_api_key="sk-ant-fake",
            base_url=server.url,
            fallback="none",
        )
        with open_app(settings, strict=False, now=clock.now) as app:
            models = open_models(settings, app.database, Registry(), strict=False, now=clock.now)
            coach_model = None if local else Watching(models=models)
            site = Site(app, model=coach_model, sleep=clock.sleep)
            try:
                async with served(site) as url, opened(url) as window:
                    ground = Ground(url, project, site, app.database, window, clock, model)
                    yield ground
            finally:
                await models.aclose()


@asynccontextmanager
async def served(site: Site) -> AsyncIterator[str]:
    """The site on a real port of this machine."""
    config = uvicorn.Config(site.asgi, host="127.0.0.1", port=0, log_config=None)
    server = uvicorn.Server(config)
    with closing(config.bind_socket()) as socket:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(server.serve, [socket])
            with anyio.fail_after(SECONDS):
                while not server.started:
                    await run_sync(_nothing)
            try:
                yield f"http://127.0.0.1:{socket.getsockname()[1]}"
            finally:
                await site.close_connections()
                server.should_exit = True


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Window]:
    """A window that has said hello."""
    async with connect(url.replace("http:", "ws:") + "/ws", compression=None) as socket:
        window = Window(socket)
        await window.send("connection:hello", **HELLO)
        await window.wait("connection:init")
        yield window
