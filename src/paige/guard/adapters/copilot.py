"""GitHub Copilot CLI: its events, and how it is told a decision.

Its bodies come in two spellings; in one of them the event is named on the command line only. It
does not say how permissions are handled, so an `ask` asks: it denies where nobody can be asked.
This page is on the hook's fast path.
"""

from paige.base import events
from paige.guard.adapters.shared import NO_REASON, before_tool, hear_as, joined, permission, printed
from paige.guard.hook_event import SILENCE, Answer, Heard, Outcome

NAME = "copilot"
QUIET = SILENCE  # nothing to say
EVENTS = {
    "preToolUse": "pre_tool",
    "permissionRequest": "permission_request",
    "postToolUse": "post_tool",
    "postToolUseFailure": "post_tool_failure",
    "userPromptSubmitted": "prompt_submit",
    "sessionStart": "session_start",
    "sessionEnd": "session_end",
    "agentStop": "stop",
    "subagentStart": "subagent_start",
    "subagentStop": "subagent_stop",
    "preCompact": "pre_compact",
    "notification": "notification",
    "errorOccurred": "notification",
    "PreToolUse": "pre_tool",
    "PermissionRequest": "permission_request",
    "PostToolUse": "post_tool",
    "PostToolUseFailure": "post_tool_failure",
    "UserPromptSubmit": "prompt_submit",
    "SessionStart": "session_start",
    "SessionEnd": "session_end",
    "Stop": "stop",
    "SubagentStart": "subagent_start",
    "SubagentStop": "subagent_stop",
    "PreCompact": "pre_compact",
    "Notification": "notification",
    "ErrorOccurred": "notification",
}
_WITH_CONTEXT = (
    "pre_tool", "post_tool", "post_tool_failure", "prompt_submit", "session_start",
    "subagent_start", "notification",
)  # fmt: skip
_UNREAD = ("session_end", "pre_compact")


def hear(body: dict[str, object], host_event: str) -> Heard:
    """The event in a body. Raises: ValueError for one this host does not send."""
    return hear_as(NAME, EVENTS, body, host_event, "unknown")


def answer(heard: Heard, outcome: Outcome) -> Answer:
    """What the host is told."""
    name = heard.event.name
    if name in _UNREAD:
        return SILENCE
    decision = outcome.decision
    context = outcome.context
    made: dict[str, object] = {}
    if isinstance(decision, events.AddContext):
        context = joined(context, decision.text)
    if isinstance(decision, events.Abort):
        decision = events.Deny(decision.reason)
    if name == "pre_tool":
        made.update(before_tool(decision, "modifiedArgs"))
    elif name == "permission_request":
        made.update(permission(decision))
    elif name in ("stop", "subagent_stop"):
        if isinstance(decision, events.Deny | events.KeepWorking):
            made.update({"decision": "block", "reason": decision.reason or NO_REASON})
    elif isinstance(decision, events.Deny | events.KeepWorking):
        # It cannot be refused here; the model is told instead.
        context = joined(context, decision.reason)
    if context and name in _WITH_CONTEXT:
        made["additionalContext"] = context
    return printed(made) if made else SILENCE
