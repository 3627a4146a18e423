"""Codex CLI: its events, and how it is told a decision.

It refuses an answer with a key it does not know, and then the tool runs: nothing is printed that
is not in its schema. `ask` is unknown to it before a tool, and what is not answered runs unasked,
so it is a denial there. This page is on the hook's fast path.
"""

from paige.base import events
from paige.guard.adapters.shared import (
    NO_REASON,
    before_tool,
    hear_as,
    joined,
    mode_of,
    permission,
    printed,
    unasked,
)
from paige.guard.hook_event import SILENCE, Answer, Heard, Outcome

NAME = "codex"
QUIET = SILENCE  # nothing to say
EVENTS = {
    "PreToolUse": "pre_tool",
    "PermissionRequest": "permission_request",
    "PostToolUse": "post_tool",
    "UserPromptSubmit": "prompt_submit",
    "SessionStart": "session_start",
    "SessionEnd": "session_end",
    "Stop": "stop",
    "SubagentStart": "subagent_start",
    "SubagentStop": "subagent_stop",
    "PreCompact": "pre_compact",
    "PostCompact": "notification",
    "Interrupt": "notification",
}
_WITH_CONTEXT = ("pre_tool", "post_tool", "prompt_submit", "session_start", "subagent_start")
_BLOCKING = ("stop", "subagent_stop", "prompt_submit", "post_tool")


def hear(body: dict[str, object], host_event: str) -> Heard:
    """The event in a body. Raises: ValueError for one this host does not send."""
    return hear_as(NAME, EVENTS, body, host_event, mode_of(body))


def answer(heard: Heard, outcome: Outcome) -> Answer:
    """What the host is told."""
    name = heard.event.name
    if name in ("session_end", "notification"):
        return SILENCE  # the first is not read, the second may only hold a message
    decision = outcome.decision
    context = outcome.context
    if isinstance(decision, events.AddContext):
        context = joined(context, decision.text)
    made: dict[str, object] = {"systemMessage": outcome.notice} if outcome.notice else {}
    own: dict[str, object] = {}
    if context and name in _WITH_CONTEXT:
        own["additionalContext"] = context
    if name == "pre_tool":
        if isinstance(decision, events.Ask):
            why = f"A person must decide, and Codex cannot be told to ask: {decision.reason}"
            decision = events.Deny(why)
        own.update(before_tool(decision))
    elif name == "permission_request":
        said = permission(unasked(decision, heard.scene.mode))
        own.update({"decision": said} if said else {})
    else:
        made.update(_general(name, decision))
    if own:
        made["hookSpecificOutput"] = {"hookEventName": heard.scene.host_event, **own}
    return printed(made) if made else SILENCE


def _general(name: str, decision: object) -> dict[str, object]:
    match decision:
        case events.Abort(reason=reason) if name != "subagent_start":
            return {"continue": False, "stopReason": reason or NO_REASON}
        case events.Deny(reason=reason) | events.KeepWorking(reason=reason) if name in _BLOCKING:
            return {"decision": "block", "reason": reason or NO_REASON}
        case _:
            return {}
