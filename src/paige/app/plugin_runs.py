"""Runs of plugin commands: finds the plugin, chooses who answers, builds the runtime.

What a person decides about a run travels with it as its inputs, so that it goes on in the same way
in another process.
"""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Any

from anyio import to_thread

from paige.agent import queries
from paige.agent.agents import limits_of
from paige.agent.builtin_tools import builtin_tools
from paige.agent.context import Task
from paige.agent.hooks import check_names
from paige.agent.library.definitions import AgentDefinition
from paige.agent.library.library import PluginLibrary
from paige.agent.library.plugins import FoundCommand, LoadedPlugins, load_plugins
from paige.agent.memories import MemoryAccess, PromptMemory, prompt_memory
from paige.agent.runs import NewRun
from paige.agent.segment import Runtime
from paige.agent.tables import RunRow
from paige.agent.tools import Tool, choose_tools
from paige.app.application import App
from paige.app.lazy_memory import memory_access
from paige.app.places import workspace_documents
from paige.app.registries import GUARD, HOOKS, lifecycle_hooks, local_engines
from paige.base.errors import BadInput, Unavailable
from paige.base.paths import config_dir, layers
from paige.base.settings import Settings
from paige.models.calls import Models
from paige.models.errors import KEY_VARIABLES
from paige.models.local import LOCAL
from paige.models.setup import Choice, choose, open_models
from paige.models.wrappers import AliasProvider
from paige.plan.class_names import recognise
from paige.plan.hooks.names import KEPT_FILES
from paige.plan.services import PlanServices
from paige.plan.workspace import PromptWorkspace, brought_along, read_classes
from paige.store.documents import Documents

DOOR = "plan"
ALWAYS = (GUARD, KEPT_FILES)
"""Hooks of every run, whatever its agent lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What a person may decide about a run; empty means that agent and settings decide."""

    class_id: str | None = None
    provider: str = ""
    model: str = ""
    max_turns: int | None = None
    memory: bool = True
    bash: bool = False

    def over(self, earlier: Mapping[str, Any]) -> "RunOptions":
        """These, and where nothing is said what an earlier run of the session was told."""
        known = {field.name: earlier[field.name] for field in fields(self) if field.name in earlier}
        said = {name: value for name, value in asdict(self).items() if value != _NOTHING[name]}
        return RunOptions(**{**known, **said})


_NOTHING = asdict(RunOptions())


def find_plugins(settings: Settings) -> LoadedPlugins:
    """The plugins of the project, of the person, and Paige's own."""
    try:
        config = config_dir(settings.environ, instead="XDG_CONFIG_HOME")
    except BadInput:  # no home: then there are no plugins of the person either
        config = None
    return load_plugins(layers(settings.project_dir or settings.cwd, config))


def library_for(
    documents: Documents,
    found: FoundCommand,
    options: RunOptions,
    memory: PromptMemory | None = None,
    tasks: tuple[Task, ...] = (),
) -> PluginLibrary:
    """The agents of a plugin, prompted for one of its commands.

    The profile of a class and its curriculum are brought along, with memory or without.
    """
    return PluginLibrary(
        found.plugin,
        PromptWorkspace(documents),
        found.command,
        memory=memory,
        tasks=tasks,
        more=brought_along(documents, options.class_id),
    )


def open_library(
    app: App, found: FoundCommand, options: RunOptions, tasks: tuple[Task, ...] = ()
) -> PluginLibrary:
    """The same for whoever acts, with their memory as it is now."""
    access = memory_of(app, found, options)
    memory = prompt_memory(access, app.actor, options.class_id) if access else None
    return library_for(workspace_documents(app), found, options, memory, tasks)


def memory_of(app: App, found: FoundCommand, options: RunOptions) -> MemoryAccess | None:
    """The memory of a run: none when a person or the agent's file says so."""
    remembers = options.memory and agent_of(found).memory
    return memory_access(app.memory, app.settings) if remembers else None


def options_for(documents: Documents, prompt: str, options: RunOptions) -> RunOptions:
    """The options with the class that the prompt names, when that is beyond doubt."""
    classes = read_classes(documents)
    if profile := classes.find(options.class_id):
        return replace(options, class_id=profile.id)
    if options.class_id:  # nobody knows it; the run asks
        return options
    return replace(options, class_id=recognise(prompt, classes.profiles).only)


def purpose_of(found: FoundCommand) -> str:
    """What a run is for, as local engines and the log of calls know it."""
    return found.full_name


def new_run(
    found: FoundCommand, prompt: str, options: RunOptions, *, session: str | None = None
) -> NewRun:
    """A run of a command, in a new session unless one is given."""
    agent = agent_of(found)
    return NewRun(
        agent=agent.name,
        prompt=prompt,
        purpose=purpose_of(found),
        door=DOOR,
        limits=limits_of(agent, max_turns=options.max_turns),
        hooks=ALWAYS,
        inputs=asdict(options),
        session=session,
        plugin=found.plugin.name,
        command=found.command.name,
        class_id=options.class_id,
    )


def agent_of(found: FoundCommand) -> AgentDefinition:
    """The agent that carries out a command."""
    return found.plugin.agents[found.command.agent]


def check_command(settings: Settings, found: FoundCommand, options: RunOptions) -> None:
    """Refuse a command that names a tool or a hook nobody has, before anything is stored."""
    agent = agent_of(found)
    try:
        memory = agent.memory and options.memory
        choose_tools(_tools(settings, options), agent.tools, memory=memory)
    except BadInput as error:
        raise BadInput(f"{agent.place('tools')}: {error.message}", hint=error.hint) from error
    try:
        check_names(agent.hooks, HOOKS)
    except BadInput as error:
        raise BadInput(f"{agent.place('hooks')}: {error.message}", hint=error.hint) from error


@asynccontextmanager
async def open_runtime(
    app: App, found: FoundCommand, options: RunOptions
) -> AsyncIterator[Runtime]:
    """Everything runs of a command need; the provider is closed at the end of the block.

    Raises: Unavailable when nobody can answer.
    """
    agent = agent_of(found)
    settings = settings_for(app.settings, agent, options)
    memory = await to_thread.run_sync(memory_of, app, found, options)
    services = await to_thread.run_sync(_services, app, found, memory)
    engines = await to_thread.run_sync(local_engines, services)
    models = open_models(settings, app.database, engines, strict=app.strict, now=app.now)
    try:
        _check_answerable(settings, models, found)
        library = await to_thread.run_sync(open_library, app, found, options)
        stands_in = models.fallback == LOCAL and models.local.registry.answers(purpose_of(found))
        yield Runtime(
            db=app.database,
            provider=AliasProvider(
                models.provider,
                model=options.model,
                foreign=_foreign(found, models.provider.name),
            ),
            library=library,
            documents=services.documents,
            tools=_tools(settings, options),
            hooks=lifecycle_hooks(services, settings),
            now=app.now,
            memory=memory,
            local=models.local if stands_in else None,
            spend_limit_day=models.spend_limit_day,
            prices=models.prices,
        )
    finally:
        await models.aclose()


@dataclass(frozen=True, slots=True)
class RunStart:
    """A run that may begin: what it is, and the runtime whose prompts know its class and tasks."""

    runtime: Runtime
    new: NewRun


async def prepare_start(
    app: App,
    runtime: Runtime,
    found: FoundCommand,
    prompt: str,
    options: RunOptions,
    session: str | None = None,
) -> RunStart:
    """Make ready what a person says: its class comes from the options, the prompt, the session."""
    tasks: tuple[Task, ...] = ()
    known = await to_thread.run_sync(options_for, runtime.documents, prompt, options)
    if session is not None:
        row = await runtime.db.read(queries.get_session, app.actor, session)
        tasks = tuple(Task(**task) for task in row.tasks)
        known = replace(known, class_id=known.class_id or row.class_id)
    library = await to_thread.run_sync(open_library, app, found, known, tasks)
    new = new_run(found, prompt, known, session=session)
    return RunStart(replace(runtime, library=library), new)


async def prepare_branch(
    app: App,
    runtime: Runtime,
    found: FoundCommand,
    prompt: str,
    options: RunOptions,
    before: RunRow,
) -> RunStart:
    """Make ready what takes the place of an earlier run, in a session that branches off there.

    The options are those of the earlier run, but a class that only the new words name counts.
    """
    documents = runtime.documents
    named = await to_thread.run_sync(_named_anew, documents, before.prompt, prompt)
    known = replace(options, class_id=named or options.class_id)
    known = await to_thread.run_sync(options_for, documents, prompt, known)
    tasks = tuple(Task(**task) for task in before.header.get("tasks", ()))
    library = await to_thread.run_sync(open_library, app, found, known, tasks)
    new = replace(new_run(found, prompt, known), before=before.id)
    return RunStart(replace(runtime, library=library), new)


def _named_anew(documents: Documents, earlier: str, prompt: str) -> str | None:
    profiles = read_classes(documents).profiles
    named = recognise(prompt, profiles).only
    return None if named == recognise(earlier, profiles).only else named


def _services(app: App, found: FoundCommand, memory: MemoryAccess | None) -> PlanServices:
    return PlanServices(
        documents=workspace_documents(app),
        actor=app.actor,
        now=app.now,
        db=app.database,
        memory=memory,
        misconceptions=partial(_often_wrong, app),
        command=found.full_name,
        agent=found.command.agent,
        writes=found.command.writes or "lessons",
    )


async def _often_wrong(app: App, class_id: str) -> list[str]:
    # It reads the files of learners, whose rooms most runs can do without.
    from paige.app.class_errors import sentences_for  # noqa: PLC0415

    return await sentences_for(app, class_id)


def settings_for(settings: Settings, agent: AgentDefinition, options: RunOptions) -> Settings:
    """The settings with the provider of this run.

    Strongest first: the person's option, the setting, the agent's own if it can be asked, whoever
    has a key.
    """
    asked = options.provider or settings.provider
    if not asked and _has_key(settings, agent.provider):
        asked = agent.provider
    return replace(settings, provider=asked)


def _has_key(settings: Settings, provider: str) -> bool:
    match provider:
        case "anthropic":
            return bool(settings.anthropic_api_key)
        case "openai":  # with another endpoint the key is that endpoint's
            return bool(settings.openai_api_key) and not settings.base_url
        case "openai-compatible":
            return bool(settings.base_url) and not settings.anthropic_api_key
        case _:
            return True


def _check_answerable(settings: Settings, models: Models, found: FoundCommand) -> None:
    choice = choose(settings, strict=False)
    purpose = purpose_of(found)
    engine = models.local.registry.answers(purpose)
    if choice.provider == LOCAL:
        if not engine:
            raise Unavailable(
                f"Nobody can answer `{purpose}`: there is no key for a model, and no local rules",
                hint="Set `ANTHROPIC_API_KEY` or `OPENAI_API_KEY`; `--dry-run` needs none.",
            )
        return
    missing = _missing(choice)
    if missing and not (engine and models.fallback == LOCAL):
        raise Unavailable(
            f"`{choice.provider}` is to answer, but `{missing}` is not set",
            hint="Set it, or choose another one with `--provider`.",
        )


def _missing(choice: Choice) -> str | None:
    if not choice.base_url:
        return "PAIGE_BASE_URL"
    if not choice.key and choice.provider != "openai-compatible":
        return KEY_VARIABLES[choice.provider]
    return None


def _foreign(found: FoundCommand, provider: str) -> set[str]:
    """Models of the plugin's agents that belong to another provider."""
    agents = found.plugin.agents.values()
    own = {agent.model for agent in agents if agent.provider == provider}
    return {agent.model for agent in agents} - own


def _tools(settings: Settings, options: RunOptions) -> dict[str, Tool[Any]]:
    project = (settings.project_dir or settings.cwd) if options.bash else None
    return builtin_tools(project=project)
