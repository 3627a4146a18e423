"""Claude Code: its events, and how it is told a decision.

An `ask` is asked, also where the person's allow rules would let it pass; where nobody is asked it
is a denial. This page is on the hook's fast path.
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

NAME = "claude-code"
QUIET = SILENCE  # nothing to say
EVENTS = {
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
}
_WITH_CONTEXT = (
    "pre_tool", "post_tool", "post_tool_failure", "prompt_submit", "session_start",
    "subagent_start", "notification",
)  # fmt: skip
_BLOCKING = ("stop", "subagent_stop", "prompt_submit", "post_tool", "post_tool_failure")


def hear(body: dict[str, object], host_event: str) -> Heard:
    """The event in a body. Raises: ValueError for one this host does not send."""
    return hear_as(NAME, EVENTS, body, host_event, mode_of(body))


def answer(heard: Heard, outcome: Outcome) -> Answer:
    """What the host is told."""
    name = heard.event.name
    made: dict[str, object] = {}
    own: dict[str, object] = {}
    if outcome.context and name in _WITH_CONTEXT:
        own["additionalContext"] = outcome.context
    if outcome.notice:
        made["systemMessage"] = outcome.notice
    decision = outcome.decision
    if isinstance(decision, events.AddContext) and name in _WITH_CONTEXT:
        own["additionalContext"] = joined(outcome.context, decision.text)
    elif isinstance(decision, events.Abort):
        made.update({"continue": False, "stopReason": decision.reason or NO_REASON})
        if name == "pre_tool":
            own.update(before_tool(decision))
    elif name == "pre_tool":
        why = "Nobody is asked in this mode, so it is refused: "
        own.update(before_tool(unasked(decision, heard.scene.mode, why)))
    elif name == "permission_request":
        said = permission(unasked(decision, heard.scene.mode), "updatedInput")
        own.update({"decision": said} if said else {})
    elif isinstance(decision, events.Deny | events.KeepWorking) and name in _BLOCKING:
        made.update({"decision": "block", "reason": decision.reason or NO_REASON})
    if own:
        made["hookSpecificOutput"] = {"hookEventName": heard.scene.host_event, **own}
    return printed(made) if made else SILENCE
