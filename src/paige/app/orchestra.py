"""The orchestra of an application: which runner works, what agents are told, what is kept.

Paige's own loop needs a model; a coding CLI brings its own. Without either the features can still
be planned by rules, and whoever wants code written is told what is needed.
"""

import logging
import os
import shutil
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from paige.app.application import App
from paige.app.memory_use import open_graph, project_id
from paige.app.orchestra_files import FeaturePlan, planned_features, project_root
from paige.app.orchestra_runner import NAME as LOOP
from paige.app.orchestra_runner import LoopRunner
from paige.base.errors import BadInput, PaigeError
from paige.base.paths import SHIPPED, config_dir
from paige.base.settings import Settings
from paige.language.front_matter import read_front_matter
from paige.memory.event import AgentRef, Draft
from paige.memory.intake.admission import Writer
from paige.models.local import Registry
from paige.models.setup import open_models
from paige.orchestra.running.cli_runner import CliRunner, get_spec, read_specs
from paige.orchestra.running.conductor import Report, Wishes, conduct
from paige.orchestra.running.parts import Notice, Orchestra, project_checks

logger = logging.getLogger(__name__)
AGENTS = "integrations/agents"
_LEADER = (
    "You lead a section of an orchestra of agents. You plan how the features of your section are "
    "built, in which order, and what whoever builds them has to know. You change no file."
)
_MOST_LOGGED = 50


async def plan_project(
    app: App, goal: str, runner: str = "", tell: Callable[[Notice], None] | None = None
) -> FeaturePlan:
    """Let an agent break a goal down into features. Raises: Unavailable without one."""
    async with open_orchestra(app, runner, tell) as orchestra:
        await conduct(orchestra, Wishes(goal=goal, plan=True))
    return FeaturePlan(runner or LOOP, planned_features(project_root(app.settings)))


async def run_orchestra(
    app: App, wishes: Wishes, runner: str = "", tell: Callable[[Notice], None] | None = None
) -> Report:
    """Conduct the project until it is done or somebody is needed. Raises: PaigeError."""
    async with open_orchestra(app, runner, tell) as orchestra:
        return await conduct(orchestra, wishes)


@asynccontextmanager
async def open_orchestra(
    app: App, runner: str = "", tell: Callable[[Notice], None] | None = None
) -> AsyncIterator[Orchestra]:
    """Everything a conductor needs. Raises: NotFound, Unavailable when nobody can write code."""
    chosen = find_runner(app, runner or LOOP)
    chosen.check()
    models = open_models(app.settings, app.database, Registry(), strict=app.strict, now=app.now)
    root = project_root(app.settings)
    graph = open_graph(app)
    try:
        yield Orchestra(
            root=root,
            data=app.settings.data_dir,
            runner=chosen,
            models=models,
            actor=app.actor,
            now=app.now,
            randomness=os.urandom,
            instructions=instructions_in(root),
            checks=project_checks(root, app.settings.data_dir, app.now),
            precedents=lambda agent, feature, text: _precedents(graph, agent, feature, text),
            store=graph.store,
            remember=_remembering(app),
            tell=tell or (lambda _: None),
            project=project_id(app),
        )
    finally:
        await models.aclose()


def find_runner(app: App, name: str) -> "LoopRunner | CliRunner":
    """The runner of a name. Raises: NotFound."""
    if name == LOOP:
        return LoopRunner(app)
    spec = get_spec(read_specs(_config(app.settings)), name)
    return CliRunner(spec, app.settings, dict(app.settings.environ))


def installed_runners(settings: Settings) -> tuple[str, ...]:
    """The runners whose programs are on this machine."""
    path = settings.environ.get("PATH")
    specs = read_specs(_config(settings))
    return tuple(
        name for name, spec in specs.items() if shutil.which(spec.program, path=path) is not None
    )


def instructions_in(root: Path) -> Callable[[str], str]:
    """What gives the body of an agent's file: the project's own, else the shipped one."""

    def instructions(agent: str) -> str:
        for path in (root / ".claude" / "agents" / f"{agent}.md", SHIPPED / AGENTS / f"{agent}.md"):
            try:
                text = path.read_text("utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            return _body(text, str(path))
        return _LEADER

    return instructions


def _body(text: str, file: str) -> str:
    try:
        return read_front_matter(text, file).body.strip()
    except BadInput:  # written for another host; what stands below the second line is the body
        parts = text.split("---", 2)
        return (parts[2] if text.startswith("---") and len(parts) == 3 else text).strip()


def _precedents(graph: Any, agent: str, feature: str, text: str) -> str:  # noqa: ANN401 - the graph
    """What is known from earlier work; the work does not rest on it."""
    try:
        return graph.precedents(agent, feature, text).text
    except PaigeError as error:
        logger.warning("Precedents could not be read: %s", error.message)
        return ""


def _remembering(app: App) -> Callable[[Draft], object]:
    def remember(draft: Draft) -> object:
        writer = Writer(
            person=app.actor.person,
            project=project_id(app) or None,
            agent=AgentRef(None, "conductor", "paige"),
        )
        return app.memory.open().remember([draft], writer)

    return remember


def _config(settings: Settings) -> Path | None:
    try:
        return config_dir(settings.environ, instead="XDG_CONFIG_HOME")
    except BadInput:
        return None
