"""The runner of Paige's own: its agent loop with file and shell tools, in a worktree.

An agent here passes the gates that coding CLIs pass, with its role and in its worktree. The
evidence of its test runs is taken from what its tools really did. Nobody is there to be asked, so
what a gate would ask about is refused. A run that was cut off goes on where it was, from its
journal.
"""

import json
import os
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import anyio
from anyio import to_thread
from pydantic import BaseModel, Field

from paige.agent.builtin_tools import FILE_TOOLS
from paige.agent.hooks import Hook, HookView, Proposal
from paige.agent.interactions import Choices, Reply, automatic_reply, picked
from paige.agent.library.definitions import AgentDefinition, SkillDefinition, read_agent
from paige.agent.limits import Limits
from paige.agent.memories import NO_REQUEST, Request
from paige.agent.runs import NewRun, RunState, continue_run, create_run, read_run, reply_to
from paige.agent.segment import PreparedAgent, Runtime
from paige.agent.tools import Tool, ToolFailed, ToolScope
from paige.app.application import App
from paige.base.environment import passed_on
from paige.base.errors import Unavailable
from paige.base.events import AddContext, Allow, Ask, Deny, Event, PostLoop, Stop
from paige.base.files import write_atomic
from paige.base.platform import locked
from paige.guard.fast.place import Place, place_of
from paige.guard.fast.spool import record
from paige.guard.hook_event import Heard, Outcome, Scene
from paige.guard.slow_path import decide_slowly
from paige.guard.state.files import Damaged, read_object
from paige.guard.state.tree import LEFT_OUT
from paige.models.errors import ModelError
from paige.models.local import LOCAL, Registry
from paige.models.setup import Choice, choose, open_models
from paige.orchestra.running.processes import STDOUT, ProcessRequest, run_process
from paige.orchestra.running.runners import RunResult, Task
from paige.orchestra.running.worktrees import name_of
from paige.store.documents import DirectoryDocuments

NAME = "loop"
DOOR = "orchestra"
CLI = "paige"
HOOK = "orchestra-guard"
MOST_TURNS = 80
SHELL_SECONDS = 600.0
_RUN = "run.json"
_TOOLS = ("read_file", "write_file", "str_replace", "list_directory", "bash")
_POINTS = ("pre_tool", "post_tool", "post_tool_failure", "post_loop")
_NO_ONE = "Nobody can be asked here, so it is refused. Find a way that needs no permission."


class Shell(BaseModel):
    """A command line."""

    command: str = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class LoopRunner:
    """Paige's own agent loop as a runner."""

    app: App
    name: str = NAME

    def check(self) -> None:
        """Refuse when there is no model to ask. Raises: Unavailable."""
        choice = choose(self.app.settings, strict=self.app.strict)
        if choice.provider == LOCAL:
            raise Unavailable(
                "Writing and testing code needs a model, and none is set up",
                hint="Set `ANTHROPIC_API_KEY` or `OPENAI_API_KEY`, or let a coding CLI do it: "
                "`paige orchestra run --runner claude-code` (or `codex`, `gemini`).",
            )
        if not choice.models.get("sonnet"):
            raise Unavailable(
                f"No model of `{choice.provider}` is named", hint="Set `PAIGE_MODEL_SONNET`."
            )

    async def run(self, task: Task) -> RunResult:
        """Let the agent work on a task. Raises: Unavailable when there is no model."""
        self.check()
        known = await to_thread.run_sync(_known_run, task.out)
        if known is not None:  # it goes on as the one it was
            task = replace(task, session=known.session)
        began = anyio.current_time()
        state: RunState | None = None
        try:
            async with self._runtime(task) as runtime:
                with anyio.move_on_after(task.timeout_s):
                    state = await self._work(runtime, task, known.run if known else "")
        except ModelError as error:
            return RunResult(status="failed", problem=error.message, source=self.name)
        seconds = round(anyio.current_time() - began, 3)
        if state is None:
            return RunResult(
                status="timeout",
                seconds=seconds,
                problem=f"The agent did not end within {task.timeout_s:g} s",
                source=self.name,
            )
        return _done(state, seconds)

    async def _work(self, runtime: Runtime, task: Task, run: str) -> RunState:
        actor = self.app.actor
        if not run:
            run = (await create_run(runtime, actor, _new_run(task))).id
            kept = json.dumps({"run": run, "session": task.session}) + "\n"
            await to_thread.run_sync(write_atomic, task.out / _RUN, kept)
        state = await continue_run(runtime, actor, run)
        while state.waiting:
            for gate in state.gates:
                await reply_to(runtime, actor, gate, _unattended(gate.interaction))
            state = await continue_run(runtime, actor, run)
        return await read_run(runtime, actor, run)

    @asynccontextmanager
    async def _runtime(self, task: Task) -> AsyncIterator[Runtime]:
        app = self.app
        choice = choose(app.settings, strict=app.strict)
        models = open_models(app.settings, app.database, Registry(), strict=app.strict, now=app.now)
        place = place_of(str(task.folder), str(app.settings.data_dir), str(task.folder))
        try:
            yield Runtime(
                db=app.database,
                provider=models.provider,
                library=_OneAgent(task, choice),
                documents=_Files(task),
                tools={tool.name: tool for tool in (*FILE_TOOLS, _shell(task))},
                hooks={HOOK: _gate(task, place)},
                now=app.now,
                spend_limit_day=models.spend_limit_day,
                prices=models.prices,
            )
        finally:
            await models.aclose()


class _Files(DirectoryDocuments):
    """The files of a worktree; the lock lies elsewhere, and what tools make is not listed."""

    def __init__(self, task: Task) -> None:
        super().__init__(task.folder)
        self._locks = task.out

    def paths(self, below: str = "") -> list[str]:
        """Every file that belongs to the project."""
        found = super().paths(below)
        return [path for path in found if LEFT_OUT.isdisjoint(path.split("/"))]

    @contextmanager
    def _lock(self) -> Iterator[None]:
        self._locks.mkdir(parents=True, exist_ok=True)
        with locked(self._locks / ".lock"):
            yield


@dataclass(frozen=True, slots=True)
class _OneAgent:
    """The agent of one task, made from its instructions."""

    task: Task
    choice: Choice

    def prepare(self, agent: str, request: Request = NO_REQUEST) -> PreparedAgent:
        """The agent with the prompt it was given."""
        head = (
            f"---\nmodel: {json.dumps(self.choice.models['sonnet'])}\n"
            f"provider: {self.choice.provider}\ndescription: {agent}\n"
            f"tools: [{', '.join(_TOOLS)}]\nmemory: false\nmaxTurns: {MOST_TURNS}\n---\n\n"
        )
        body = self.task.instructions.strip() or f"You are {agent}."
        source = f"{head}{body}\n"
        return PreparedAgent(read_agent(source, f"orchestra/{agent}.md"), source, body)

    def describe(self, agent: str) -> str:
        """There is only one."""
        return agent

    def skills(self, agent: AgentDefinition) -> Mapping[str, SkillDefinition]:
        """It reads none."""
        return {}


def _new_run(task: Task) -> NewRun:
    return NewRun(
        agent=task.agent,
        prompt=task.prompt,
        purpose=f"orchestra.{task.agent}",
        door=DOOR,
        limits=Limits(max_turns=MOST_TURNS),
        hooks=(HOOK,),
        inputs={"key": task.key, "role": task.role, "feature": task.feature},
        command=task.key,
    )


class _KnownRun(NamedTuple):
    run: str
    session: str


def _known_run(out: Path) -> _KnownRun | None:
    try:
        given = read_object(out / _RUN) or {}
    except Damaged:
        return None
    run, session = given.get("run"), given.get("session")
    return _KnownRun(run, session) if isinstance(run, str) and isinstance(session, str) else None


def _unattended(interaction: Any) -> Reply:  # noqa: ANN401 - any interaction
    """What is answered where nobody is there: never a yes to what was asked about."""
    if isinstance(interaction, Choices):
        safe = ("deny", "skip", "again")
        known = [option.id for option in interaction.options]
        return picked(next((each for each in safe if each in known), known[-1]))
    return automatic_reply(interaction)


def _done(state: RunState, seconds: float) -> RunResult:
    run = state.run
    meta: dict[str, Any] = {"run": run.id, "status": run.status, "turns": run.turns}
    if run.cost_usd is not None:
        meta["cost_usd"] = run.cost_usd
    good = run.status == "success"
    return RunResult(
        status="ended" if good or run.output else "failed",
        text=run.output or "",
        seconds=seconds,
        problem="" if good else (run.reason or run.status or ""),
        source=run.source,
        meta=meta,
    )


# --- the tools and the gates ----------------------------------------------------------------------


def _shell(task: Task) -> Tool[Shell]:
    """The shell of a worktree.

    It may be repeated after a crash: what the gates let pass here reads, tests and builds.
    """

    async def run(scope: ToolScope, params: Shell) -> str:
        out = task.out / "shell" / name_of(scope.path)
        ended = await run_process(
            ProcessRequest(
                argv=("bash", "-c", f"exec 2>&1\n{params.command}"),
                folder=task.folder,
                environ={**passed_on(os.environ), "AGENT_ROLE": task.role},
                stdin="",
                out=out,
                seconds=SHELL_SECONDS - 5,
            )
        )
        printed = await to_thread.run_sync(_printed, out / STDOUT)
        if ended.code is None:
            raise ToolFailed(f"The command did not end in its time.\n{printed}")
        if ended.code != 0:
            raise ToolFailed(f"Exit code {ended.code}\n{printed}")
        return printed or "The command printed nothing."

    return Tool(
        "bash",
        "Run a shell command in the worktree and read its output.",
        Shell,
        "keyed",
        run,
        seconds=SHELL_SECONDS,
    )


def _printed(path: Path) -> str:
    try:
        return path.read_bytes()[-1_000_000:].decode("utf-8", "replace")
    except OSError:
        return ""


def _gate(task: Task, place: Place) -> Hook:
    """The hook that asks the gates before a tool, shows them what it did, and asks at the end."""

    async def propose(view: HookView, event: Event) -> Proposal:
        at_end = isinstance(event, PostLoop)
        heard_event = Stop(session=task.session) if at_end else event
        heard = Heard(heard_event, _scene(task, heard_event, view))
        outcome = await to_thread.run_sync(decide_slowly, heard, place)
        await to_thread.run_sync(record, place.data, heard, outcome)
        if outcome.rule:
            view.notes["rule"] = outcome.rule
        return _proposal(outcome)

    return Hook(HOOK, _POINTS, propose, required=True, seconds=120.0)


def _scene(task: Task, event: Event, view: HookView) -> Scene:
    said: dict[str, object] = {}
    return Scene(
        CLI,
        event.name,
        task.session,
        str(task.folder),
        "bypass",  # nobody is asked
        None,
        task.agent,
        getattr(event, "call", None),
        said,
        task.role,
    )


def _proposal(outcome: Outcome) -> Proposal:
    decision = outcome.decision
    if isinstance(decision, Ask):
        return Deny(f"{decision.reason} {_NO_ONE}")
    if decision is None or isinstance(decision, Allow):
        return AddContext(outcome.context) if outcome.context else None
    return decision
