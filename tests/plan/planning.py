"""A small workspace, a lesson that fits it, and lesson runs with a scripted model."""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from paige.agent.interactions import (
    Interaction,
    PickedOption,
    Reply,
    Sections,
    automatic_reply,
)
from paige.agent.queries import gates_of, get_session, journal_entries, spans_of
from paige.agent.runs import NewRun, RunState, continue_run, reply_to, start_run
from paige.agent.segment import Runtime
from paige.agent.tables import GateRow, SessionRow
from paige.app.application import App, open_app
from paige.app.lazy_memory import memory_access
from paige.base.settings import Settings
from paige.models.scripted import Scripted
from paige.plan.hooks.names import CONFIDENCE, HOOK_NAMES
from paige.plan.hooks.registry import plan_hooks
from paige.plan.lessons.lesson import Claim, Lesson, render
from paige.plan.results import Outcome, read_outcome
from paige.plan.services import PlanServices
from tests.agent.crew import agent_text, make_runtime
from tests.conftest import NOON
from tests.plan.lessons import loops_lesson

CURRICULUM = """\
---
framework: Curriculum for Excellence
subject: Computing Science
also: [Computing]
edition: 2017-03
---
## Third level
### Designing, building and testing
- **TCH 3-15a** (grade A) Choose tools to design, build, evaluate and refine solutions.
  - progression: TCH 2-15a -> TCH 4-15a
- **TCH 3-15b** (grade C) Say how two programs that solve one problem differ.
## Fourth level
### Designing, building and testing
- **TCH 4-15a** (grade A) Select constructs of a language to build and test a modular program.
"""
CLASS_3B = """\
---
class: 3B
year: S3
subject: Computing Science
curriculum: cfe-computing
level: Third
size: 24
minutes: 50
reading_age: 12
---
# 3B
## Ability
Mixed ability. Most work at Third level.
## Needs
- EAL (2 pupils, Ukrainian): flowcharts before code
- Stretch (4 pupils): compare two solutions
## What works
- Predict, then run, in pairs
## Taught so far
- Variables
- Selection
"""
WORKSPACE = {
    "soul.md": "# Identity\nYou draft, the teacher decides.\n",
    "teacher.md": "# Teacher\n## How I like plans\n- Bullet points\n",
    "pedagogy.md": "# How I teach\n## Always\n- Start with retrieval\n",
    "classes/3B.md": CLASS_3B,
    "classes/1B.md": "---\nclass: 1B\nyear: S1\nsubject: Computing Science\n---\n# 1B\n",
    "curriculum/cfe-computing.md": CURRICULUM,
}
QUOTE = "Choose tools to design, build, evaluate and refine solutions"
CITED = Claim("TCH 3-15a", QUOTE, "curriculum/cfe-computing.md", 9, 9)
WITHOUT_CONFIDENCE = tuple(name for name in HOOK_NAMES if name != CONFIDENCE)
CREATE = "lesson-planning:create-lesson"


def lesson(**changes: Any) -> Lesson:
    """A lesson that passes every check in this workspace."""
    return replace(loops_lesson(), **{"curriculum": (CITED,), **changes})


def lesson_text(**changes: Any) -> str:
    """Its markdown."""
    return render(lesson(**changes))


def write_files(folder: Path, files: Mapping[str, str]) -> Path:
    """Put texts into a folder."""
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder


@dataclass
class Planning:
    """A lesson run and everything to drive it."""

    app: App
    folder: Path
    runtime: Runtime
    model: Scripted
    command: str

    async def start(
        self, prompt: str = "loops for 3B", *, class_id: str | None = "3B", **more: Any
    ) -> RunState:
        """Start a run; it goes on until it asks."""
        new = NewRun(
            agent="planner",
            prompt=prompt,
            purpose=self.command,
            door="plan",
            inputs={"class_id": class_id},
            class_id=class_id,
            **more,
        )
        return await start_run(self.runtime, self.app.actor, new)

    async def answer(self, state: RunState, reply: Reply) -> RunState:
        """Answer the one question that is open, and go on."""
        (gate,) = state.gates
        await reply_to(self.runtime, self.app.actor, gate, reply)
        return await continue_run(self.runtime, self.app.actor, state.run.id)

    async def finish(
        self, state: RunState, **answers: Callable[[Interaction], Reply] | Reply
    ) -> RunState:
        """Answer until the end: as given by the hook's name (`_` for `-`), else yes to all."""
        for _ in range(60):
            if not state.waiting:
                return state
            hook = hook_of(state).replace("-", "_")
            given = answers.get(hook, yes)
            asked = state.gates[0].interaction
            state = await self.answer(state, given if isinstance(given, Reply) else given(asked))
        raise AssertionError(f"the run did not end: {state.gates}")

    def spans(self, state: RunState) -> dict[str, dict[str, Any]]:
        """The attributes of the last span of every hook."""
        with self.app.database.transaction(write=False) as connection:
            rows = spans_of(connection, self.app.actor, state.run.id)
        return {row.name: json.loads(row.attributes) for row in rows if row.kind == "hook"}

    def session(self, state: RunState) -> SessionRow:
        """The session as it is stored."""
        with self.app.database.transaction(write=False) as connection:
            return get_session(connection, self.app.actor, state.run.session_id)

    def gates(self, state: RunState) -> list[GateRow]:
        """Every question so far."""
        with self.app.database.transaction(write=False) as connection:
            return gates_of(connection, self.app.actor, state.run.id)

    def steps(self, state: RunState) -> list[str]:
        """The steps that have a result."""
        with self.app.database.transaction(write=False) as connection:
            entries = journal_entries(connection, self.app.actor, state.run.id)
        return [entry.step for entry in entries if entry.kind == "result"]

    def outcome(self, state: RunState) -> Outcome:
        """What came of it."""
        with self.app.database.transaction(write=False) as connection:
            return read_outcome(connection, self.app.actor, state.run)

    def saved(self) -> dict[str, str]:
        """Every file under the folders where results are saved."""
        folder = self.folder / "workspace"
        return {
            path.relative_to(folder).as_posix(): path.read_text()
            for name in ("lessons", "units", "worksheets")
            for path in sorted((folder / name).rglob("*.md"))
        }


@contextmanager
def planning(
    folder: Path,
    script: Any = (),
    *,
    hooks: tuple[str, ...] = WITHOUT_CONFIDENCE,
    files: Mapping[str, str] | None = None,
    memory: Mapping[str, str] | None = None,
    command: str = CREATE,
    name: str = "scripted",
    database_url: str = "",
    agent: str = "planner",
    **more: Any,
) -> Iterator[Planning]:
    """Lesson runs in a folder; `memory` holds documents, or is `None` for none at all."""
    write_files(folder / "workspace", WORKSPACE if files is None else files)
    settings = replace(plan_settings(folder), database_url=database_url)
    with open_app(settings, strict=False, now=lambda: NOON) as app:
        access = None
        if memory is not None:
            access = memory_access(app.memory, settings)
            for path, text in memory.items():
                access.documents.append(app.actor, path, text)
        model = script if isinstance(script, Scripted) else Scripted(script, name=name)
        runtime = make_runtime(
            app.database,
            folder,
            provider=model,
            agents={"planner": agent_text(hooks=f"[{', '.join(hooks)}]")},
            memory=access,
            **more,
        )
        services = PlanServices(
            documents=runtime.documents,
            actor=app.actor,
            now=runtime.now,
            db=app.database,
            memory=access,
            command=command,
            agent=agent,
        )
        runtime = replace(runtime, hooks=plan_hooks(services))
        yield Planning(app, folder, runtime, model, command)


def plan_settings(folder: Path) -> Settings:
    """Settings of a folder of a test."""
    return Settings(
        cwd=folder,
        given_data_dir=folder / "data",
        given_workspace=folder / "workspace",
        given_memory_path=folder / "memory" / "events.jsonl",
    )


def hook_of(state: RunState) -> str:
    """The hook that asks."""
    return f"/{state.gates[0].row.gate}".split("/hook/")[1].split("/")[1]


def yes(asked: Interaction) -> Reply:
    """What a person says who likes everything."""
    reply = automatic_reply(asked)
    return Reply(picked=reply.picked, texts=reply.texts)


def judge(**by_section: str | tuple[str, str]) -> Callable[[Interaction], Reply]:
    """Decisions by section id (`_` for `-`), each an option or an option with words; else accept.

    Sections of a later round that are named here again are accepted then.
    """
    left = {name.replace("_", "-"): given for name, given in by_section.items()}

    def reply(asked: Interaction) -> Reply:
        if not isinstance(asked, Sections):
            return yes(asked)
        picked: dict[str, PickedOption] = {}
        for section in asked.sections:
            given = left.pop(section.id, asked.options[0].id)
            picked[section.id] = (
                PickedOption(*given) if isinstance(given, tuple) else PickedOption(given)
            )
        return Reply(picked=picked)

    return reply
