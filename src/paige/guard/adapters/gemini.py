"""Gemini CLI: its events, and how it is told a decision.

It does not say how permissions are handled, so an `ask` asks. Where nothing is printed it reads
stderr as the answer, so something is always printed. This page is on the hook's fast path.
"""

from paige.base import events
from paige.guard.adapters.shared import NO_REASON, hear_as, joined, printed
from paige.guard.hook_event import Answer, Heard, Outcome

NAME = "gemini"
QUIET = Answer("{}")  # nothing to say
EVENTS = {
    "BeforeTool": "pre_tool",
    "AfterTool": "post_tool",
    "BeforeAgent": "prompt_submit",
    "AfterAgent": "stop",
    "SessionStart": "session_start",
    "SessionEnd": "session_end",
    "PreCompress": "pre_compact",
    "Notification": "notification",
}
_WITH_CONTEXT = ("post_tool", "post_tool_failure", "prompt_submit", "session_start")
_DENYING = ("pre_tool", "post_tool", "post_tool_failure", "prompt_submit", "stop")


def hear(body: dict[str, object], host_event: str) -> Heard:
    """The event in a body. Raises: ValueError for one this host does not send."""
    response = body.get("tool_response")
    if host_event == "AfterTool" and isinstance(response, dict) and response.get("error"):
        names = {**EVENTS, "AfterTool": "post_tool_failure"}
        return hear_as(NAME, names, {**body, "error": response["error"]}, host_event, "unknown")
    return hear_as(NAME, EVENTS, body, host_event, "unknown")


def answer(heard: Heard, outcome: Outcome) -> Answer:
    """What the host is told."""
    name = heard.event.name
    made: dict[str, object] = {}
    own: dict[str, object] = {}
    if outcome.notice:
        made["systemMessage"] = outcome.notice
    decision = outcome.decision
    context = outcome.context
    match decision:
        case events.AddContext(text=more):
            context = joined(context, more)
        case events.Abort(reason=reason):
            made.update({"continue": False, "stopReason": reason or NO_REASON})
            if name == "pre_tool":
                made.update({"decision": "deny", "reason": reason or NO_REASON})
        case events.Deny(reason=reason) | events.KeepWorking(reason=reason) if name in _DENYING:
            made.update({"decision": "deny", "reason": reason or NO_REASON})
        case events.Ask(reason=reason) if name == "pre_tool":
            made.update({"decision": "ask", "reason": reason or NO_REASON})
        case events.Modify(input=whole) if name == "pre_tool":
            own["tool_input"] = whole
        case _:
            pass
    if context and name in _WITH_CONTEXT:
        own["additionalContext"] = context
    if own:
        made["hookSpecificOutput"] = {"hookEventName": heard.scene.host_event, **own}
    return printed(made)
