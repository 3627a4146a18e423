"""What can be decided with built-in modules: most calls of most people.

`None` says that more is needed: the project has rules or roles of its own, the event wants memory,
or the compiled rules are missing or old. This page is on the hook's fast path.
"""

from paige.base.events import Allow, Ask, Deny, PermissionRequest, PreTool
from paige.guard.fast.place import Place, environment
from paige.guard.fast.snapshot import read_snapshot, snapshot_path
from paige.guard.hook_event import NOTHING, Heard, Outcome, must_be_told
from paige.guard.protection import at_folder, judge_call, may_hold_secret
from paige.guard.shell.judge import ALLOW, ASK, DENY, Judge, Judgement
from paige.guard.tools import changes_of, command_of, folder_of, is_powershell, reads_of

_OBSERVED = (
    "post_tool", "post_tool_failure", "session_end", "subagent_start", "pre_compact",
    "notification",
)  # fmt: skip
LOGS = (".log", ".jsonl", ".out", ".ndjson")
# Programs that may show a file from its beginning to its end.
READING = frozenset((
    "cat", "less", "more", "bat", "batcat", "nl", "tac", "most", "view", "pg", "gcat", "head",
    "tail", "ghead", "gtail",
))  # fmt: skip


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
        return _before_tool(heard, place, compiled)
    except ValueError:
        return None  # damaged rules: the slow path makes new ones


def outcome_of(judged: Judgement, *, unasked: bool) -> Outcome:
    """A judgement on a command as an outcome; `unasked` when an allow spares the person a question.

    Before a tool an allow says nothing, so that the person's own rules decide. To have no opinion
    says nothing anywhere: the host decides as it would without Paige.
    """
    if judged.decision == DENY:
        return Outcome(Deny(judged.reason), judged.rule)
    if judged.decision == ASK:
        return Outcome(Ask(judged.reason), judged.rule)
    if judged.decision == ALLOW:
        return Outcome(Allow() if unasked else None, judged.rule)
    # Whoever learns from the line must not take it for a proof that it was fine.
    return Outcome(None, judged.rule, noted={"passed": True})


def has_judge(rules) -> bool:
    """Whether a person has named somebody who looks at questions first."""
    return bool(rules.get("judge") or environment("PAIGE_GUARD_JUDGE"))


def _before_tool(heard: Heard, place: Place, rules: dict[str, object]) -> Outcome | None:
    event = heard.event
    assert isinstance(event, PreTool | PermissionRequest)
    book = rules.get("shell")
    if not isinstance(book, dict):
        return None
    command = command_of(event.tool, event.input)
    acts = ()
    if command is None:
        outcome = _by_files(event, place, book)
    elif is_powershell(event.tool):
        outcome = None
    else:
        folder = folder_of(event.input)
        judge = Judge(at_folder(folder, place) if folder else place, book)
        judged = judge.judge(command)
        acts = judge.acts
        outcome = outcome_of(judged, unasked=must_be_told(heard))
        if judged.decision != DENY and any(each in command for each in LOGS):
            outcome = None if _reads_log(judged.commands) else outcome
    asks = outcome is not None and isinstance(outcome.decision, Ask | None) and command is not None
    if asks and event.name == "permission_request" and has_judge(rules):
        return None  # somebody is to look at the question first
    guards = rules.get("guards")
    if outcome is None or not guards:
        return outcome
    from paige.guard.fast.guards import with_guards  # noqa: PLC0415 - most people have none

    return with_guards(outcome, heard, place, guards, acts)  # type: ignore[arg-type]


def _by_files(
    event: PreTool | PermissionRequest, place: Place, book: dict[str, object]
) -> Outcome | None:
    said = judge_call(event.tool, event.input, place, book)
    if said is not None and isinstance(said.decision, Deny):
        return said
    if may_hold_secret(changes_of(event.tool, event.input)):
        return None
    # A log may be too long to be read whole; that takes a look at the file.
    logs = [path for path in reads_of(event.tool, event.input) if _is_log(path)]
    return None if logs else said or NOTHING


def _reads_log(commands: tuple[tuple[str, ...], ...]) -> bool:
    """Whether a log may be read whole; whether it is long is seen elsewhere."""
    for words in commands:
        if words[0].rpartition("/")[2] in READING and any(map(_is_log, words[1:])):
            return True
    return False


def _is_log(path: str) -> bool:
    """Whether a file is called as logs are; one that was put aside has a number behind."""
    stem, _, last = path.rpartition(".")
    return (stem if last.isdigit() else path).lower().endswith(LOGS)
