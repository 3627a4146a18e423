"""What is said when a file that gates rest on is missing or broken.

A missing file gets a warning and is made anew. A broken one is a refusal of whatever it would have
decided about: a state nobody can read is not an empty one.
"""

from paige.base.errors import PaigeError
from paige.base.events import Deny, PermissionRequest, PreTool
from paige.guard.gate_runner import Situation
from paige.guard.hook_event import Outcome
from paige.guard.tools import READ, SEARCH, kind_of

RULE = "missing-state"
WARNINGS = "warnings"


def gate(situation: Situation) -> Outcome | None:
    """A refusal while the state of the session cannot be used; else the warnings there are."""
    event = situation.heard.event
    state = situation.facts.get("state")
    if isinstance(state, PaigeError) and isinstance(event, PreTool | PermissionRequest):
        if kind_of(event.tool) in (READ, SEARCH):
            return None
        reason = (
            f"{state.message}. {state.hint or ''} Without it Paige cannot tell what this agent "
            "may do. Only a person may change that file."
        )
        return Outcome(Deny(reason.replace("  ", " ")), RULE)
    warnings: tuple[str, ...] = situation.facts.get(WARNINGS) or ()
    if not warnings:
        return None
    return Outcome(None, RULE, context="\n".join(warnings))


def about_run(situation: Situation) -> Outcome | None:
    """What is said of a test run: why it is no evidence, or what was called tested without any."""
    said = [str(situation.facts.get(name) or "") for name in ("evidence-words", "audit-words")]
    text = "\n\n".join(each for each in said if each)
    return Outcome(None, "evidence", context=text) if text else None
