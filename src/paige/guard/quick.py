"""What can be decided with built-in modules: most calls of most people.

`None` says that more is needed: the project has rules or roles of its own, the event wants memory,
or the compiled rules are missing or old. This page is on the hook's fast path.
"""

from paige.base.events import Allow, Ask, Deny, PermissionRequest, PreTool
from paige.guard.fast.place import Place
from paige.guard.fast.snapshot import read_snapshot, snapshot_path
from paige.guard.hearing import NOTHING, Heard, Outcome
from paige.guard.protecting import may_hold_secret, protected_change
from paige.guard.shell.judging import ALLOW, DENY, Judgement, judge
from paige.guard.tools import changes_of, command_of, is_powershell, reads_of

_OBSERVED = (
    "post_tool", "post_tool_failure", "session_end", "subagent_start", "pre_compact",
    "notification",
)  # fmt: skip
LOGS = (".log", ".jsonl", ".out", ".ndjson")


def decide_quickly(heard: Heard, place: Place, rules=read_snapshot) -> Outcome | None:
    """What is decided, or nothing when that takes more; `rules` reads a snapshot."""
    event = heard.event
    if heard.scene.role or place.own or not place.data:
        return None
    if event.name in _OBSERVED:
        return NOTHING  # the line in the spool is all there is to do
    if not isinstance(event, PreTool | PermissionRequest):
        return None
    compiled = rules(snapshot_path(place.data, ""))
    if compiled is None:
        return None
    try:
        return _before_tool(event, place, compiled)
    except ValueError:
        return None  # damaged rules: the slow path makes new ones


def outcome_of(judged: Judgement, *, unasked: bool) -> Outcome:
    """A judgement on a command as an outcome; `unasked` when an allow spares the person a question.

    Before a tool an allow says nothing, so that the person's own rules decide.
    """
    if judged.decision == DENY:
        return Outcome(Deny(judged.reason), judged.rule)
    if judged.decision == ALLOW:
        return Outcome(Allow() if unasked else None, judged.rule)
    return Outcome(Ask(judged.reason), judged.rule)


def _before_tool(
    event: PreTool | PermissionRequest, place: Place, rules: dict[str, object]
) -> Outcome | None:
    command = command_of(event.tool, event.input)
    book = rules.get("shell")
    if command is not None:
        if is_powershell(event.tool) or not isinstance(book, dict):
            return None
        judged = judge(command, place, book)
        return outcome_of(judged, unasked=event.name == "permission_request")
    changes = changes_of(event.tool, event.input)
    if changes:
        if may_hold_secret(changes) or not isinstance(book, dict):
            return None
        return protected_change(changes, place, book["protected"]) or NOTHING
    # A log may be too long to be read whole; that takes a look at the file.
    logs = [path for path in reads_of(event.tool, event.input) if path.endswith(LOGS)]
    return None if logs else NOTHING
