"""What adapters do alike: read fields that may be anything, build the event, say a decision.

This page is on the hook's fast path: built-in modules only.
"""

from paige.base import events
from paige.base.events import Event
from paige.guard.fast.jsonic import dumps, loads
from paige.guard.hook_event import Answer, Heard, Scene

GATES = ("pre_tool", "permission_request")
NO_REASON = "Paige refuses this."
_MODES = {
    "default": "default",
    "acceptEdits": "edits",
    "plan": "plan",
    "bypassPermissions": "bypass",
    "dontAsk": "default",
    "auto": "default",
}


def text(body: dict[str, object], *keys: str) -> str:
    """The first of these fields that is a text; empty without one."""
    for key in keys:
        value = body.get(key)
        if isinstance(value, str):
            return value
    return ""


def mode_of(body: dict[str, object]) -> str:
    """How the host handles permissions, where it says so."""
    said = body.get("permission_mode")
    return _MODES.get(said, "unknown") if isinstance(said, str) else "default"


def hear_as(
    cli: str, names: dict[str, str], body: dict[str, object], host_event: str, mode: str
) -> Heard:
    """The event in a body. Raises: ValueError for one the host does not send."""
    name = names.get(host_event)
    if name is None:
        raise ValueError(f"unknown event {host_event}")
    tool = text(body, "tool_name", "toolName")
    event = event_of(name, body, _input(body), tool)
    scene = Scene(
        cli,
        host_event,
        text(body, "session_id", "sessionId"),
        text(body, "cwd"),
        mode,
        text(body, "agent_id", "agentId") or None,
        agent_name(body) or None,
        text(body, "tool_use_id") or None,
        body,
    )
    return Heard(event, scene)


def joined(*texts: str) -> str:
    """Texts with an empty line between them; empty ones are left out."""
    return "\n\n".join(each for each in texts if each)


def _input(body: dict[str, object]) -> dict[str, object]:
    """The input of the tool; some hosts send it as the text of an object."""
    given = body.get("tool_input", body.get("toolArgs"))
    if isinstance(given, str):
        try:
            given = loads(given)
        except ValueError:
            return {"command": given}  # judged as text, never passed by
    return given if isinstance(given, dict) else {}


def event_of(name: str, body: dict[str, object], given: dict[str, object], tool: str) -> Event:
    """The event of this name with what the body says of it. Raises: ValueError."""
    session = text(body, "session_id", "sessionId")
    if name in ("pre_tool", "permission_request", "post_tool", "post_tool_failure"):
        return _of_tool(name, body, given, tool)
    kind = events.EVENTS[name]
    if name in ("stop", "subagent_stop"):
        agent = (agent_name(body),) if name == "subagent_stop" else ()
        return kind(session, *agent, body.get("stop_hook_active") is True)
    if name == "subagent_start":
        return kind(session, agent_name(body), text(body, "prompt"))
    return kind(session, *(text(body, each) for each in kind.__slots__[1:]))


def _of_tool(name: str, body: dict[str, object], given: dict[str, object], tool: str) -> Event:
    session = text(body, "session_id", "sessionId")
    agent = text(body, "agent_id", "agentId") or None
    call = text(body, "tool_use_id") or None
    if name == "post_tool":
        result = body.get("tool_response", body.get("toolResult", body.get("tool_result")))
        return events.PostTool(session, tool, given, result, call, agent)
    if name == "post_tool_failure":
        return events.PostToolFailure(session, tool, given, _error(body.get("error")), call, agent)
    if not tool:
        raise ValueError("the event names no tool")
    kind = events.EVENTS[name]
    return kind(session, tool, given, call, agent, text(body, "cwd") or None)


def agent_name(body: dict[str, object]) -> str:
    """What kind of agent a subagent is."""
    return text(body, "agent_type", "agentType", "agent_name", "agentName")


def printed(value: dict[str, object]) -> Answer:
    """An answer on stdout."""
    return Answer(dumps(value))


def _error(value: object) -> str:
    if isinstance(value, dict):
        return text(value, "message")
    return value if isinstance(value, str) else ""


def before_tool(decision: object, changed: str = "updatedInput") -> dict[str, object]:
    """A decision on a tool; `changed` is the key of a whole new input."""
    match decision:
        case (
            events.Deny(reason=reason)
            | events.KeepWorking(reason=reason)
            | events.Abort(reason=reason)
        ):
            return {"permissionDecision": "deny", "permissionDecisionReason": reason or NO_REASON}
        case events.Ask(reason=reason):
            return {"permissionDecision": "ask", "permissionDecisionReason": reason or NO_REASON}
        case events.Modify(input=whole):
            return {"permissionDecision": "allow", changed: whole}
        case _:
            return {}


def permission(decision: object, changed: str = "") -> dict[str, object]:
    """A decision on a question to the person; an `ask` leaves it to them.

    `changed` is the key of a whole new input, where the host takes one.
    """
    match decision:
        case events.Allow():
            return {"behavior": "allow"}
        case events.Modify(input=whole) if changed:
            return {"behavior": "allow", changed: whole}
        case (
            events.Deny(reason=reason)
            | events.KeepWorking(reason=reason)
            | events.Abort(reason=reason)
        ):
            return {"behavior": "deny", "message": reason or NO_REASON}
        case _:
            return {}


def unasked(decision: object, mode: str, why: str = "") -> object:
    """A decision where nobody is asked: what would be asked is denied."""
    if isinstance(decision, events.Ask) and mode == "bypass":
        return events.Deny(f"{why}{decision.reason}" or NO_REASON)
    return decision
