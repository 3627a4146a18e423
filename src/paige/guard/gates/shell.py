"""The gate over shell commands: what a command really does, by the rules."""

from paige.base.events import PermissionRequest, PreTool
from paige.guard.gating import Situation
from paige.guard.hearing import Outcome, must_be_told
from paige.guard.protecting import at_folder
from paige.guard.quick import outcome_of
from paige.guard.rules.powershell import judge_powershell
from paige.guard.shell.judging import judge
from paige.guard.tools import command_of, folder_of, is_powershell


def gate(situation: Situation) -> Outcome | None:
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
