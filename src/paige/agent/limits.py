"""When a loop must end: the limits, and the status it ends with."""

from dataclasses import dataclass
from typing import Literal

from paige.agent.context import RunContext
from paige.agent.stall import Stall, find_stall

Status = Literal[
    "success",
    "error_max_turns",
    "error_max_budget",
    "error_hook_abort",
    "error_tool_retry_exhausted",
    "error_no_progress",
]
SUBAGENT_TURNS = 10


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a run may go. `max_budget_usd` is for the whole tree of subagents."""

    max_turns: int = 25
    max_budget_usd: float | None = None
    max_tool_retries: int = 3
    max_no_progress_iterations: int = 4
    force_finalize_on_stall: bool = True


@dataclass(frozen=True, slots=True)
class Ended:
    """Why a loop ends before the model is done; `finalize` asks it for a last answer first."""

    status: Status
    reason: str
    finalize: bool = False


def check_limits(context: RunContext, limits: Limits, *, spent_usd: float) -> Ended | None:
    """Whether another turn may be taken."""
    if context.turn >= limits.max_turns:
        return Ended("error_max_turns", f"it took {limits.max_turns} turns")
    if limits.max_budget_usd is not None and spent_usd >= limits.max_budget_usd:
        return Ended(
            "error_max_budget", f"it spent ${spent_usd:.4f} of ${limits.max_budget_usd:.4f}"
        )
    if context.worst_retries > limits.max_tool_retries:
        return Ended(
            "error_tool_retry_exhausted",
            f"a call failed again after {limits.max_tool_retries} retries",
        )
    stall = find_stall(context.marks, same_turn=limits.max_no_progress_iterations)
    return stall and _stalled(stall, limits)


def _stalled(stall: Stall, limits: Limits) -> Ended:
    return Ended("error_no_progress", stall.reason, finalize=limits.force_finalize_on_stall)
