"""Retrieval policies as people and programs read them."""

from typing import Any

from paige.base.clock import to_iso
from paige.memory.lifecycle.policies import Applied, HistoryLine, RetrievalPolicy, dump_policy


def dump_applied(applied: Applied) -> dict[str, Any]:
    """The policy that holds, as JSON."""
    return {
        **applied.ref._asdict(),
        "stage": applied.stage,
        "reason": applied.reason,
        "policy": dump_policy(applied.policy),
    }


def dump_step(step: HistoryLine) -> dict[str, Any]:
    """One step of one version, as JSON."""
    found = step._asdict()
    return {
        **found,
        "at": to_iso(step.at),
        "policy": dump_policy(step.policy),
        "metrics": dict(step.metrics),
    }


def policy_line(policy: RetrievalPolicy) -> str:
    """What retrieval is told, in one line."""
    weights = ", ".join(f"{name} {value:g}" for name, value in policy.weights._asdict().items())
    return f"{weights}, at least {policy.min_score:g}"


def step_line(step: HistoryLine) -> str:
    """One step of one version, in one line."""
    who = f"{step.role}/{step.scope}"
    return f"{step.at:%Y-%m-%d %H:%M}  {who} v{step.version}  {step.stage}: {step.reason}"
