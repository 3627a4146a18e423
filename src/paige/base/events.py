"""The one vocabulary of events and decisions; the agent loop and every CLI adapter speak it.

This page is on the hook's fast path: plain `Record` values, no heavy imports. An event is either a
*gate* (a crash or timeout while judging it denies) or an *observation* (a fault is recorded and the
host goes on: a crash at stop must not loop, one at a prompt must not lock a person out).
"""

from paige.base.record import Record


class Event(Record):
    """Something that happens in a run. `gate` says whether a fault while judging it must deny."""

    name = ""
    gate = False


class SessionStart(Event):
    """A session opens; context may be added."""

    session: str
    cwd: str
    source: str = "startup"
    name = "session_start"


class SessionEnd(Event):
    """A session closes; hosts allow about a second."""

    session: str
    reason: str = ""
    name = "session_end"


class PromptSubmit(Event):
    """A person sends a prompt."""

    session: str
    prompt: str
    name = "prompt_submit"


class PreLoop(Event):
    """The loop is about to start on an input; it may be refused."""

    session: str
    agent: str
    prompt: str
    name = "pre_loop"


class PostLoop(Event):
    """The loop has an output that nobody has seen yet; it may be refused."""

    session: str
    agent: str
    output: str
    name = "post_loop"


class PreModel(Event):
    """The model is about to be asked."""

    session: str
    agent: str
    turn: int
    name = "pre_model"


class PostModel(Event):
    """The model has answered."""

    session: str
    agent: str
    turn: int
    answer: object
    name = "post_model"


class PreTool(Event):
    """A tool is about to run; it may be refused or its input changed."""

    session: str
    tool: str
    input: dict[str, object]
    call: str | None = None
    agent: str | None = None
    cwd: str | None = None
    name = "pre_tool"
    gate = True


class PermissionRequest(Event):
    """The host asks whether a tool may run without asking the person."""

    session: str
    tool: str
    input: dict[str, object]
    call: str | None = None
    agent: str | None = None
    cwd: str | None = None
    name = "permission_request"
    gate = True


class PostTool(Event):
    """A tool has run and answered."""

    session: str
    tool: str
    input: dict[str, object]
    result: object
    call: str | None = None
    agent: str | None = None
    name = "post_tool"


class PostToolFailure(Event):
    """A tool has failed."""

    session: str
    tool: str
    input: dict[str, object]
    error: str
    call: str | None = None
    agent: str | None = None
    name = "post_tool_failure"


class Stop(Event):
    """The agent wants to stop; it may be told to keep working."""

    session: str
    again: bool = False
    name = "stop"


class SubagentStart(Event):
    """A subagent starts."""

    session: str
    agent: str
    task: str = ""
    name = "subagent_start"


class SubagentStop(Event):
    """A subagent wants to stop; it may be told to keep working."""

    session: str
    agent: str
    again: bool = False
    name = "subagent_stop"


class Handoff(Event):
    """One agent hands the conversation to another."""

    session: str
    source: str
    target: str
    context: str
    name = "handoff"


class PreCompact(Event):
    """The host is about to shorten its history."""

    session: str
    trigger: str = "auto"
    name = "pre_compact"


class Notification(Event):
    """The host tells the person something."""

    session: str
    message: str
    name = "notification"


EVENTS: dict[str, type[Event]] = {kind.name: kind for kind in Event.__subclasses__()}


class Decision(Record):
    """What is decided about an event. `None` from a gate means it has nothing to say."""

    name = ""


class Allow(Decision):
    """Go ahead, without asking the person."""

    name = "allow"


class Deny(Decision):
    """Do not; the reason is told to whoever asked."""

    reason: str
    name = "deny"


class Ask(Decision):
    """Let the person decide."""

    reason: str
    name = "ask"


class Modify(Decision):
    """Go ahead with this whole input instead."""

    input: dict[str, object]
    name = "modify"


class AddContext(Decision):
    """Go ahead, and let the model read this too."""

    text: str
    name = "add_context"


class KeepWorking(Decision):
    """A stop that is refused, with what is still missing."""

    reason: str
    name = "keep_working"


class Abort(Decision):
    """End the loop; `rule` names what ended it."""

    rule: str
    reason: str
    name = "abort"


DECISIONS: dict[str, type[Decision]] = {kind.name: kind for kind in Decision.__subclasses__()}
