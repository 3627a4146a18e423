"""The gate over what tools do to files and run, and over secrets in what they write."""

from paige.base.events import Deny, PermissionRequest, PreTool
from paige.base.secrets import find_secrets
from paige.guard.gating import Situation
from paige.guard.hearing import Outcome
from paige.guard.protecting import SECRETS, judge_call
from paige.guard.tools import changes_of


def gate(situation: Situation) -> Outcome | None:
    """What the rules say of the files and programs in a call, and of secrets in what is written."""
    event = situation.heard.event
    if not isinstance(event, PreTool | PermissionRequest):
        return None
    said = judge_call(event.tool, event.input, situation.place, situation.rules["shell"])
    if said is not None and isinstance(said.decision, Deny):
        return said
    for change in changes_of(event.tool, event.input):
        found = find_secrets(change.text)
        if found:
            reason = (
                f"The text for `{change.path}` seems to hold a secret ({found[0].kind}). Read it "
                "from the environment or a secret store instead of writing it down."
            )
            return Outcome(Deny(reason), SECRETS)
    return said
