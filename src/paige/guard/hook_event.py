"""What a host said and what it is told: the values between an adapter and the gates.

This page is on the hook's fast path: built-in modules only.
"""

from paige.base.events import Decision, Event
from paige.base.record import Record


class Scene(Record):
    """Who acts, where, and how the host handles permissions.

    `mode` is `default`, `edits`, `plan`, `bypass` (nobody is asked) or `unknown`. `agent` is set
    inside a subagent only; `agent_type` may also name the main agent. `said` is the host's body,
    `role` what the caller was started as.
    """

    cli: str
    host_event: str
    session: str
    cwd: str
    mode: str
    agent: str | None = None
    agent_type: str | None = None
    call: str | None = None
    said: dict[str, object] = {}
    role: str = ""


class Heard(Record):
    """One event of a host in the house's own words, and the scene of it."""

    event: Event
    scene: Scene


class Outcome(Record):
    """What came of an event: the decision of the strictest gate and what else is to be told.

    `context` is for the model, `notice` for the person; `noted` goes into the spool's line, such as
    the guards in shadow that would have had something to say.
    """

    decision: Decision | None = None
    rule: str = ""
    context: str = ""
    notice: str = ""
    noted: dict[str, object] = {}


def must_be_told(heard: Heard) -> bool:
    """Whether it counts that a call is proven harmless: somebody would be asked about it.

    For Paige's own agents Paige is the host, and what it has no opinion on is not let pass.
    """
    return heard.event.name == "permission_request" or heard.scene.cli == OWN


class Answer(Record):
    """What the hook's process prints and how it ends."""

    stdout: str = ""
    stderr: str = ""
    code: int = 0


OWN = "paige"  # the `cli` of Paige's own agents
NOTHING = Outcome()
SILENCE = Answer()
