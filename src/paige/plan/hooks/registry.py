"""Every hook of this room, made from the services of a runtime."""

from collections.abc import Mapping

from paige.agent.hooks import Hook
from paige.plan.hooks.adjudication import teacher_adjudication
from paige.plan.hooks.checks import age_appropriate, curriculum_evidence
from paige.plan.hooks.feedforward import feedforward
from paige.plan.hooks.kept_files import kept_files
from paige.plan.hooks.memory_capture import memory_capture
from paige.plan.hooks.reflection import confidence, reflection_prompt
from paige.plan.hooks.scope_check import scope_check
from paige.plan.services import PlanServices


def plan_hooks(services: PlanServices) -> Mapping[str, Hook]:
    """The hooks that agents may name, by name."""
    hooks = (
        scope_check(services),
        feedforward(services),
        kept_files(),
        age_appropriate(services),
        curriculum_evidence(services),
        reflection_prompt(services),
        confidence(services),
        teacher_adjudication(services),
        memory_capture(services),
    )
    return {hook.name: hook for hook in hooks}
