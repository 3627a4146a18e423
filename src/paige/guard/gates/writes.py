"""The gate over files that tools write: what Paige rests on, and secrets."""

from paige.base.events import Deny, PermissionRequest, PreTool
from paige.base.secrets import find_secrets
from paige.guard.gating import Situation
from paige.guard.hearing import Outcome
from paige.guard.protecting import SECRETS, protected_change
from paige.guard.tools import changes_of


def gate(situation: Situation) -> Outcome | None:
    """A refusal when a file is protected or a secret would be written down."""
    event = situation.heard.event
    if not isinstance(event, PreTool | PermissionRequest):
        return None
    changes = changes_of(event.tool, event.input)
    refused = protected_change(changes, situation.place, situation.rules["shell"]["protected"])
    if refused is not None:
        return refused
    for change in changes:
        found = find_secrets(change.text)
        if found:
            reason = (
                f"The text for `{change.path}` seems to hold a secret ({found[0].kind}). Read it "
                "from the environment or a secret store instead of writing it down."
            )
            return Outcome(Deny(reason), SECRETS)
    return None
