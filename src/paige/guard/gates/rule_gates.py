"""The gates that go by the rules: what a command really does, and what a call does to files."""

from paige.base.events import Deny, PermissionRequest, PreTool
from paige.base.secrets import find_secrets
from paige.guard.fast_path import outcome_of
from paige.guard.gate_runner import Situation
from paige.guard.hook_event import Outcome, must_be_told
from paige.guard.protection import SECRETS, at_folder, judge_call
from paige.guard.rules.powershell import judge_powershell
from paige.guard.shell.judge import judge
from paige.guard.tools import changes_of, command_of, folder_of, is_powershell


def commands(situation: Situation) -> Outcome | None:
    """What the rules say of the command a tool would run."""
    event = situation.heard.event
    if not isinstance(event, PreTool | PermissionRequest):
        return None
    command = command_of(event.tool, event.input)
    if command is None:
        return None
    book = situation.rules["shell"]
    if is_powershell(event.tool):
        judged = judge_powershell(command, book, situation.place)
    else:
        folder = folder_of(event.input)
        place = at_folder(folder, situation.place) if folder else situation.place
        judged = judge(command, place, book)
    return outcome_of(judged, unasked=must_be_told(situation.heard))


def files(situation: Situation) -> Outcome | None:
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
