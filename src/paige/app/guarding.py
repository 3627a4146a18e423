"""The gate before the tools of Paige's own agents: the code that judges coding agents judges them.

An agent's call becomes an event of the same kind as a coding CLI's, in the same place, and the
same rules and gates decide. What they ask, the person of the run is asked.
"""

from paige.agent.hooks import Hook, HookView, Proposal
from paige.app.person_apps import place_for
from paige.base.actor import Actor
from paige.base.events import AddContext, Allow, Ask, PreTool
from paige.base.settings import Settings
from paige.guard.fast.kept import KeptSnapshots
from paige.guard.fast.place import Place
from paige.guard.fast.spool import record
from paige.guard.hearing import OWN, Heard, Outcome, Scene
from paige.guard.quick import decide_quickly
from paige.guard.tools import SHELL, kind_of

GUARD = "guard"
_ALONE = Actor()


def guard_hook(settings: Settings, actor: Actor = _ALONE) -> Hook:
    """The hook that asks the gates before a tool runs; a fault in it refuses the call."""
    kept = KeptSnapshots()

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

    from paige.guard.deciding import decide_slowly  # noqa: PLC0415 - it brings the parser

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
