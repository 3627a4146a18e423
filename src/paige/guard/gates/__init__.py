"""The gates, one file each, and which of them look at which event."""

from paige.guard.gate_runner import Gate, Situation
from paige.guard.gates import (
    delegation,
    direct_edit,
    learned,
    mcp_logs,
    missing_state,
    next_action,
    rule_gates,
    safe_paths,
    tested_true,
    tester_completion,
)
from paige.guard.hook_event import Outcome


# These two come with events that are rare beside tools, which should not wait for what they load.
def _completion(situation: Situation) -> Outcome | None:
    """What a project asks for before work is called done: its checks are run at the end."""
    from paige.guard.completion.gate import gate  # noqa: PLC0415 - see above

    return gate(situation)


def _memory(situation: Situation) -> Outcome | None:
    """What is remembered of a session, and what an agent is told of it when the next one begins."""
    from paige.guard.hook_memory import gate  # noqa: PLC0415 - see above

    return gate(situation)


_LEARNED: tuple[tuple[str, Gate], ...] = ((learned.RULE, learned.gate),)
_BEFORE_TOOLS: tuple[tuple[str, Gate], ...] = (
    *_LEARNED,
    ("shell", rule_gates.commands),
    ("writes", rule_gates.files),
    (missing_state.RULE, missing_state.gate),
    ("next-step", tester_completion.next_step),
    (tested_true.RULE, tested_true.gate),
    (direct_edit.RULE, direct_edit.gate),
    (delegation.RULE, delegation.gate),
    (mcp_logs.RULE, mcp_logs.gate),
    (safe_paths.RULE, safe_paths.gate),
)
_AFTER_TOOLS: tuple[tuple[str, Gate], ...] = (("evidence", missing_state.about_run),)
# Completion decides before memory speaks; both leave an ordinary person alone.
_CHECKS: tuple[tuple[str, Gate], ...] = (("completion", _completion),)
_MEMORY: tuple[tuple[str, Gate], ...] = (("memory", _memory),)
# At a stop memory says nothing, and keeps the agent's answer before checks that may take long.
_AT_STOP: tuple[tuple[str, Gate], ...] = (
    *_MEMORY,
    *_LEARNED,
    (tester_completion.RULE, tester_completion.gate),
    *_CHECKS,
)
GATES: dict[str, tuple[tuple[str, Gate], ...]] = {
    "pre_tool": _BEFORE_TOOLS,
    "permission_request": _BEFORE_TOOLS,
    "post_tool": _AFTER_TOOLS,
    "post_tool_failure": (*_AFTER_TOOLS, *_CHECKS),
    "stop": _AT_STOP,
    "subagent_stop": _AT_STOP,
    "session_start": (
        (missing_state.RULE, missing_state.gate),
        (next_action.RULE, next_action.gate),
        *_CHECKS,
        *_MEMORY,
    ),
    "prompt_submit": (*_CHECKS, *_MEMORY),
    "notification": _CHECKS,
}
