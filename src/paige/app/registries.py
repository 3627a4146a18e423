"""What rooms add to runs: local engines and hooks; a room that has some is named here."""

from collections.abc import Mapping

from paige.agent.hooks import Hook
from paige.app.guarding import GUARD, guard_hook
from paige.base.settings import Settings
from paige.models.local import Registry
from paige.plan.hooks.names import HOOK_NAMES
from paige.plan.services import PlanServices

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
