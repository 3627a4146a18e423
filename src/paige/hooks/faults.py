"""What is said when an event cannot be judged: a gate denies, every other one lets the host go on.

This page is on the hook's fast path, loaded only where something went wrong: built-in modules only.
"""

import sys

from paige.base.events import Deny, PermissionRequest, PreTool
from paige.guard.fast.place import place_of
from paige.guard.fast.spool import note
from paige.guard.fast.system import system
from paige.guard.hook_event import Answer, Heard, Outcome, Scene

GATES = ("pre_tool", "permission_request")
GATE_NAMES = ("PreToolUse", "PermissionRequest", "BeforeTool", "preToolUse", "permissionRequest")
LATEST = 6.0  # after the watchdog, and still far below every host's limit
TOO_LATE = "Paige took too long to judge it."
_MOST_LOOKED_AT = 16 * 2**20


def reply_to_fault(
    cli: str, event: str, reason: str, raw: bytes, data: str, id: str = ""
) -> tuple[Answer, str]:
    """The answer to an event that cannot be judged, and the name of it.

    With the `id` of its line what was said is kept, in case there was no time for that before.
    """
    event = event or event_in(raw)
    kept = False
    try:
        if id:
            _keep_words(cli, event, raw, data, id)
        line: dict[str, object] = {"event": "fault", "host_event": event, "reason": reason}
        kept = note(place_of("", data).data, cli, "unknown", line)
        answer = _refusal(cli, event, reason, raw)
    except Exception:  # noqa: BLE001 - not even the adapter works
        answer = Answer("", f"{reason}\n", 2 if _may_be_gate(event, None, raw) else 1)
    if not kept and not answer.stderr:
        # Nobody reads it later, so it is said now; no host takes it for an answer.
        answer = Answer(answer.stdout, f"paige: {reason}\n", answer.code)
    return answer, event


def _keep_words(cli: str, event: str, raw: bytes, data: str, id: str) -> None:
    from paige.hooks.fast import hear, keep_words  # noqa: PLC0415 - it loads this page

    try:
        heard = hear(cli, event, raw)
    except Exception:  # noqa: BLE001 - what cannot be read says nothing
        return
    keep_words(heard, place_of(heard.scene.cwd, data).data, id)


def event_in(raw: bytes) -> str:
    """The name of the event in a body that cannot be read as a whole; empty without one.

    Where several stand in it, as in what a tool is given, a gate's name counts.
    """
    names = [_name(each) for each in raw[:_MOST_LOOKED_AT].split(b'"hook_event_name"', 20)[1:]]
    named = [name for name in names if name]
    return next((name for name in named if name in GATE_NAMES), named[0] if named else "")


def _name(after: bytes) -> str:
    value = after[:200].lstrip(b" \t\r\n").removeprefix(b":").lstrip(b" \t\r\n")
    name, closed, _ = value[1:100].partition(b'"')
    return name.decode("ascii", "replace") if closed and value.startswith(b'"') else ""


def _refusal(cli: str, event: str, reason: str, raw: bytes) -> Answer:
    module = f"paige.guard.adapters.{cli.replace('-', '_')}"
    __import__(module)
    adapter = sys.modules[module]
    name = adapter.EVENTS.get(event)
    if name in GATES:
        kind = PreTool if name == "pre_tool" else PermissionRequest
        heard = Heard(kind("", "unknown", {}), Scene(cli, event, "", "", "default"))
        return adapter.answer(heard, Outcome(Deny(reason), "could-not-judge"))
    return Answer("", f"{reason}\n", 2) if _may_be_gate(event, name, raw) else adapter.QUIET


def _may_be_gate(event: str, name: str | None, raw: bytes) -> bool:
    """Whether an event nobody knows may be a gate of a newer host: when it is about a tool."""
    return name is None and (not event or b'"tool_name"' in raw or b'"toolName"' in raw)


class SecondWatch:
    """A second watch for the slow path: it answers in place of a thread that does not come back."""

    def __init__(self, cli: str, event: str, raw: bytes, data: str, id: str) -> None:
        self.about = (cli, event, TOO_LATE, raw, data, id)
        self.lock = None

    def __enter__(self) -> None:
        threads = __import__("_thread")
        self.lock = threads.allocate_lock()
        self.lock.acquire()
        threads.start_new_thread(self._wait, (self.lock,))

    def __exit__(self, *_: object) -> None:
        if self.lock is not None:
            self.lock.release()

    def _wait(self, lock) -> None:
        if lock.acquire(timeout=LATEST):
            return
        answer, _ = reply_to_fault(*self.about)
        # Not by `sys.stdout`, whose lock the other thread may hold.
        system.write(1, answer.stdout.encode("utf-8", "backslashreplace"))
        system.write(2, answer.stderr.encode("utf-8", "backslashreplace"))
        system._exit(answer.code)
