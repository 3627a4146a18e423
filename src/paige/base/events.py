"""The one vocabulary of events and decisions; the agent loop and every CLI adapter speak it.

This page is on the hook's fast path: plain `Record` values, no heavy imports. An event is either a
*gate* (a crash or timeout while judging it denies) or an *observation* (a fault is recorded and the
host goes on: a crash at stop must not loop, one at a prompt must not lock a person out).
"""

from paige.base.record import Record


class Event(Record):
    """Something that happens in a run. `gate` says whether a fault while judging it must deny."""

    __slots__ = ()
    name = ""
    gate = False


class SessionStart(Event):
    """A session opens; context may be added."""

    __slots__ = ("session", "cwd", "source")
    session: str
    cwd: str
    source: str
    name = "session_start"
    _defaults = {"source": "startup"}


class SessionEnd(Event):
    """A session closes; hosts allow about a second."""

    __slots__ = ("session", "reason")
    session: str
    reason: str
    name = "session_end"
    _defaults = {"reason": ""}


class PromptSubmit(Event):
    """A person sends a prompt."""

    __slots__ = ("session", "prompt")
    session: str
    prompt: str
    name = "prompt_submit"


class PreLoop(Event):
    """The loop is about to start on an input; it may be refused."""

    __slots__ = ("session", "agent", "prompt")
    session: str
    agent: str
    prompt: str
    name = "pre_loop"


class PostLoop(Event):
    """The loop has an output that nobody has seen yet; it may be refused."""

    __slots__ = ("session", "agent", "output")
    session: str
    agent: str
    output: str
    name = "post_loop"


class PreModel(Event):
    """The model is about to be asked."""

    __slots__ = ("session", "agent", "turn")
    session: str
    agent: str
    turn: int
    name = "pre_model"


class PostModel(Event):
    """The model has answered."""

    __slots__ = ("session", "agent", "turn", "answer")
    session: str
    agent: str
    turn: int
    answer: object
    name = "post_model"


class PreTool(Event):
    """A tool is about to run; it may be refused or its input changed."""

    __slots__ = ("session", "tool", "input", "call", "agent", "cwd")
    session: str
    tool: str
    input: dict[str, object]
    call: str | None
    agent: str | None
    cwd: str | None
    name = "pre_tool"
    gate = True
    _defaults = {"agent": None, "call": None, "cwd": None}


class PermissionRequest(Event):
    """The host asks whether a tool may run without asking the person."""

    __slots__ = ("session", "tool", "input", "call", "agent", "cwd")
    session: str
    tool: str
    input: dict[str, object]
    call: str | None
    agent: str | None
    cwd: str | None
    name = "permission_request"
    gate = True
    _defaults = {"agent": None, "call": None, "cwd": None}


class PostTool(Event):
    """A tool has run and answered."""

    __slots__ = ("session", "tool", "input", "result", "call", "agent")
    session: str
    tool: str
    input: dict[str, object]
    result: object
    call: str | None
    agent: str | None
    name = "post_tool"
    _defaults = {"agent": None, "call": None}


class PostToolFailure(Event):
    """A tool has failed."""

    __slots__ = ("session", "tool", "input", "error", "call", "agent")
    session: str
    tool: str
    input: dict[str, object]
    error: str
    call: str | None
    agent: str | None
    name = "post_tool_failure"
    _defaults = {"agent": None, "call": None}


class Stop(Event):
    """The agent wants to stop; it may be told to keep working."""

    __slots__ = ("session", "again")
    session: str
    again: bool
    name = "stop"
    _defaults = {"again": False}  # true when an earlier stop of this turn was refused


class SubagentStart(Event):
    """A subagent starts."""

    __slots__ = ("session", "agent", "task")
    session: str
    agent: str
    task: str
    name = "subagent_start"
    _defaults = {"task": ""}


class SubagentStop(Event):
    """A subagent wants to stop; it may be told to keep working."""

    __slots__ = ("session", "agent", "again")
    session: str
    agent: str
    again: bool
    name = "subagent_stop"
    _defaults = {"again": False}


class Handoff(Event):
    """One agent hands the conversation to another."""

    __slots__ = ("session", "source", "target", "context")
    session: str
    source: str
    target: str
    context: str
    name = "handoff"


class PreCompact(Event):
    """The host is about to shorten its history."""

    __slots__ = ("session", "trigger")
    session: str
    trigger: str
    name = "pre_compact"
    _defaults = {"trigger": "auto"}


class Notification(Event):
    """The host tells the person something."""

    __slots__ = ("session", "message")
    session: str
    message: str
    name = "notification"


EVENTS: dict[str, type[Event]] = {
    kind.name: kind
    for kind in (
        SessionStart,
        SessionEnd,
        PromptSubmit,
        PreLoop,
        PostLoop,
        PreModel,
        PostModel,
        PreTool,
        PermissionRequest,
        PostTool,
        PostToolFailure,
        Stop,
        SubagentStart,
        SubagentStop,
        Handoff,
        PreCompact,
        Notification,
    )
}


class Decision(Record):
    """What is decided about an event. `None` from a gate means it has nothing to say."""

    __slots__ = ()
    name = ""


class Allow(Decision):
    """Go ahead, without asking the person."""

    __slots__ = ()
    name = "allow"


class Deny(Decision):
    """Do not; the reason is told to whoever asked."""

    __slots__ = ("reason",)
    reason: str
    name = "deny"


class Ask(Decision):
    """Let the person decide."""

    __slots__ = ("reason",)
    reason: str
    name = "ask"


class Modify(Decision):
    """Go ahead with this whole input instead."""

    __slots__ = ("input",)
    input: dict[str, object]
    name = "modify"


class AddContext(Decision):
    """Go ahead, and let the model read this too."""

    __slots__ = ("text",)
    text: str
    name = "add_context"


class KeepWorking(Decision):
    """A stop that is refused, with what is still missing."""

    __slots__ = ("reason",)
    reason: str
    name = "keep_working"


class Abort(Decision):
    """End the loop; `rule` names what ended it."""

    __slots__ = ("rule", "reason")
    rule: str
    reason: str
    name = "abort"


DECISIONS: dict[str, type[Decision]] = {
    kind.name: kind for kind in (Allow, Deny, Ask, Modify, AddContext, KeepWorking, Abort)
}
