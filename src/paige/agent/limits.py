"""When a loop must end: the limits, whether it goes nowhere, and the status it ends with."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Literal

from paige.agent.context import RunContext, TurnMark

Status = Literal[
    "success",
    "error_max_turns",
    "error_max_budget",
    "error_hook_abort",
    "error_tool_retry_exhausted",
    "error_no_progress",
]
SUBAGENT_TURNS = 10
SAME_ERROR = 3
MONOLOGUE = 3
ALTERNATIONS = 6


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a run may go. `max_budget_usd` is for the whole tree of subagents."""

    max_turns: int = 25
    max_budget_usd: float | None = None
    max_tool_retries: int = 3
    max_no_progress_iterations: int = 4
    force_finalize_on_stall: bool = True


@dataclass(frozen=True, slots=True)
class LoopEnd:
    """Why a loop ends before the model is done; `finalize` asks it for a last answer first."""

    status: Status
    reason: str
    finalize: bool = False


@dataclass(frozen=True, slots=True)
class Stall:
    """Why a run counts as stuck."""

    kind: str
    reason: str


def check_limits(context: RunContext, limits: Limits, *, spent_usd: float) -> LoopEnd | None:
    """Whether another turn may be taken."""
    if context.turn >= limits.max_turns:
        return LoopEnd("error_max_turns", f"it took {limits.max_turns} turns")
    if limits.max_budget_usd is not None and spent_usd >= limits.max_budget_usd:
        return LoopEnd(
            "error_max_budget", f"it spent ${spent_usd:.4f} of ${limits.max_budget_usd:.4f}"
        )
    if context.worst_retries > limits.max_tool_retries:
        return LoopEnd(
            "error_tool_retry_exhausted",
            f"a call failed again after {limits.max_tool_retries} retries",
        )
    stall = find_stall(context.marks, same_turn=limits.max_no_progress_iterations)
    return stall and LoopEnd(
        "error_no_progress", stall.reason, finalize=limits.force_finalize_on_stall
    )


def find_stall(marks: Sequence[TurnMark], *, same_turn: int) -> Stall | None:
    """Why the run is stuck, if it is; `same_turn` equal turns in a row are too many."""
    if not marks:
        return None
    last = marks[-1]
    if _run_of(marks, lambda mark: mark.talked) >= MONOLOGUE:
        return Stall("monologue", f"the model only talked {MONOLOGUE} times in a row")
    if last.failed and _run_of(marks, lambda mark: mark == last) >= SAME_ERROR:
        return Stall("same_error", f"the same call failed the same way {SAME_ERROR} times")
    if not last.talked and _run_of(marks, lambda mark: mark == last) >= same_turn:
        return Stall("same_call", f"the same call gave the same result {same_turn} times")
    if _alternates(marks):
        return Stall("alternation", f"two calls took turns {ALTERNATIONS} times without a change")
    return None


def _run_of(marks: Sequence[TurnMark], is_alike: Callable[[TurnMark], bool]) -> int:
    return sum(1 for _ in takewhile(is_alike, reversed(marks)))


def _alternates(marks: Sequence[TurnMark]) -> bool:
    tail = marks[-ALTERNATIONS:]
    if len(tail) < ALTERNATIONS or tail[0] == tail[1]:
        return False
    return all(mark == tail[index % 2] for index, mark in enumerate(tail))
