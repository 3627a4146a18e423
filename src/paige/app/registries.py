"""What rooms add to runs: local engines and hooks; a room that has some is named here.

One hook is the gate before the tools of Paige's own agents: the code that judges coding agents
judges them. A call becomes an event of the same kind as a coding CLI's, in the same place, and the
same rules and gates decide. What they ask, the person of the run is asked.
"""

from collections.abc import Mapping

from paige.agent.hooks import Hook, HookView, Proposal
from paige.app.person_apps import place_for
from paige.base.actor import Actor
from paige.base.events import AddContext, Allow, Ask, PreTool
from paige.base.settings import Settings
from paige.guard.fast.place import Place
from paige.guard.fast.snapshot_cache import SnapshotCache
from paige.guard.fast.spool import record
from paige.guard.fast_path import decide_quickly
from paige.guard.hook_event import OWN, Heard, Outcome, Scene
from paige.guard.tools import SHELL, kind_of
from paige.models.local import Registry
from paige.plan.hooks.names import HOOK_NAMES
from paige.plan.services import PlanServices

GUARD = "guard"
_ALONE = Actor()


def guard_hook(settings: Settings, actor: Actor = _ALONE) -> Hook:
    """The hook that asks the gates before a tool runs; a fault in it refuses the call."""
    kept = SnapshotCache()

    async def propose(view: HookView, event: PreTool) -> Proposal:
        heard = Heard(event, _scene(settings, view, event))
        place = place_for(settings, actor, cwd=heard.scene.cwd, project=_project(settings))
        outcome = decide_quickly(heard, place, kept.read) or await _slowly(heard, place)
        record(place.data, heard, outcome)
        if outcome.rule:
            view.notes["rule"] = outcome.rule
        return _proposal(outcome, event)

    return Hook(GUARD, ("pre_tool",), propose, required=True)


async def _slowly(heard: Heard, place: Place) -> Outcome:
    # Compiling the rules and reading a project's state takes long; the loop must not wait for it.
    from anyio.to_thread import run_sync  # noqa: PLC0415 - most calls end without it

    from paige.guard.slow_path import decide_slowly  # noqa: PLC0415 - it brings the parser

    return await run_sync(decide_slowly, heard, place)


def _scene(settings: Settings, view: HookView, event: PreTool) -> Scene:
    """The scene of a call: commands run in the project, documents lie in the workspace."""
    cwd = _project(settings) if kind_of(event.tool) == SHELL else str(settings.workspace)
    return Scene(
        OWN,
        event.name,
        event.session,
        cwd,
        "default",
        view.agent if view.nested else None,
        view.agent,
        event.call,
        {},
        settings.agent_role,
    )


def _project(settings: Settings) -> str:
    return str(settings.project_dir or settings.cwd)


def _proposal(outcome: Outcome, event: PreTool) -> Proposal:
    decision = outcome.decision
    if decision is None and kind_of(event.tool) == SHELL:
        return Ask("Paige cannot prove that this command is harmless.")
    if decision is None or isinstance(decision, Allow):
        return AddContext(outcome.context) if outcome.context else None
    return decision


HOOKS = (GUARD, *HOOK_NAMES)
"""The names that agents may list, known without building anything."""


def local_engines(services: PlanServices) -> Registry:
    """The engines that answer without a model."""
    # They read their tables of topics, which a run with a model can do without.
    from paige.plan.local.engines import register  # noqa: PLC0415

    registry = Registry()
    register(registry, services.documents, services.memory, services.actor, services.now)
    return registry


def lifecycle_hooks(services: PlanServices, settings: Settings) -> Mapping[str, Hook]:
    """The hooks that agents may name, and the gate before their tools."""
    # Whoever only lists or looks needs their names, not what they work with.
    from paige.plan.hooks.registry import plan_hooks  # noqa: PLC0415

    return {GUARD: guard_hook(settings, services.actor), **plan_hooks(services)}
