"""The hook's process: read one event, decide by the compiled rules, answer in the host's own form.

A process is started for every tool call, so nothing here may import more than built-in modules (a
test lists them). What cannot be decided with them takes the slow path, the one lazy edge; and
whatever goes wrong, a gate denies and every other event lets the host go on.
"""

import sys

from paige.base.events import Deny, PermissionRequest, PreTool
from paige.guard.fast.jsonic import loads
from paige.guard.fast.place import Place, environment, exists, place_of
from paige.guard.fast.spool import note
from paige.guard.fast.system import add_packages, system
from paige.guard.hearing import SILENCE, Answer, Heard, Outcome, Scene
from paige.guard.quick import decide_quickly

_signal = __import__("_signal")  # `signal` itself brings `enum`
CLIS = ("claude-code", "codex", "gemini", "copilot")
MAX_INPUT = 16 * 2**20  # no host comes near it
SECONDS = 5.0  # far below every host's own limit, whose end would let the call through


class TooLate(BaseException):
    """The watchdog: not an Exception, so that nothing on the way takes it for its own."""


def main() -> None:
    """Run as `entry.py <cli> [event] [--data FOLDER]`."""
    arguments = sys.argv[1:]
    data = ""
    if "--data" in arguments[:-1]:
        at = arguments.index("--data")
        data = arguments[at + 1]
        del arguments[at : at + 2]
    if not arguments or arguments[0] not in CLIS:
        sys.stderr.write(f"paige-hook: name the CLI: {', '.join(CLIS)}\n")
        sys.exit(2)
    code = run(arguments[0], arguments[1] if len(arguments) > 1 else "", data)
    sys.stdout.flush()
    sys.stderr.flush()
    system._exit(code)  # taking the interpreter down takes as long as the decision


def run(cli: str, event: str, data: str = "") -> int:
    """Answer the event on stdin; return the exit code."""
    raw = b""
    try:
        _watch(SECONDS)
        raw = sys.stdin.buffer.read(MAX_INPUT + 1)
        answer = respond(cli, event, raw, data)
        _unwatch()
    except TooLate:
        answer = broken(cli, event, "Paige took too long to judge it.", raw, data)
    except BaseException as error:  # noqa: BLE001 - whatever it is, a gate must not open
        _unwatch()
        fault = f"Paige failed inside: {type(error).__name__}: {error}"
        answer = broken(cli, event, fault, raw, data)
    sys.stdout.write(answer.stdout)
    sys.stderr.write(answer.stderr)
    return answer.code


def respond(cli: str, event: str, raw: bytes, data: str = "") -> Answer:
    """The answer to one event; `event` is its name on the command line, if it is there."""
    if cli == "claude-code" and environment("COPILOT_CLI"):
        # Copilot reads Claude Code's settings too: its own hook answers where there is one.
        if exists(f"{place_of('', data).data}/guard/installed-copilot"):
            return SILENCE
        cli = "copilot"
    try:
        body = read_body(raw)
        named = body.get("hook_event_name")
        event = named if isinstance(named, str) and named else event
        heard = _adapter(cli).hear(body, event)
    except ValueError as error:
        return broken(cli, event, f"Paige cannot read this event: {error}.", raw, data)
    place = place_of(heard.scene.cwd, data)
    outcome = judge(heard, place)
    _record(heard, place, outcome)
    return _adapter(cli).answer(heard, outcome)


def judge(heard: Heard, place: Place) -> Outcome:
    """What is decided about an event, by the quick way where it suffices."""
    outcome = decide_quickly(heard, place, environment("AGENT_ROLE"))
    if outcome is None:
        # The only lazy edge: everything that needs more than built-in modules.
        add_packages()
        from paige.hooks.slow import decide_slowly  # noqa: PLC0415

        outcome = decide_slowly(heard, place)
    return outcome


def broken(cli: str, event: str, reason: str, raw: bytes = b"", data: str = "") -> Answer:
    """The answer when an event cannot be judged: a gate denies, every other one lets go on."""
    place = place_of("", data)
    event = event or event_in(raw)
    note(place.data, cli, "unknown", {"event": "fault", "host_event": event, "reason": reason})
    adapter = _adapter(cli)
    name = adapter.EVENTS.get(event)
    if name in ("pre_tool", "permission_request"):
        kind = PreTool if name == "pre_tool" else PermissionRequest
        heard = Heard(kind("", "unknown", {}), Scene(cli, event, "", "", "default"))
        return adapter.answer(heard, Outcome(Deny(reason), "could-not-judge"))
    # An event nobody knows may be a gate of a newer host when it is about a tool.
    if name is None and (not event or b'"tool_name"' in raw or b'"toolName"' in raw):
        return Answer("", f"{reason}\n", 2)
    return adapter.QUIET


def read_body(raw: bytes) -> dict[str, object]:
    """The object a host sent. Raises: ValueError."""
    if len(raw) > MAX_INPUT:
        raise ValueError(f"it is larger than {MAX_INPUT} bytes")
    body = loads(raw.decode("utf-8", "replace"))
    if not isinstance(body, dict):
        raise ValueError("it is no object")
    return body


def event_in(raw: bytes) -> str:
    """The name of the event in a body that cannot be read as a whole; empty without one."""
    _, found, rest = raw[:MAX_INPUT].partition(b'"hook_event_name"')
    value = rest.lstrip(b" \t\r\n").removeprefix(b":").lstrip(b" \t\r\n")
    if not found or not value.startswith(b'"'):
        return ""
    name, closed, _ = value[1:100].partition(b'"')
    return name.decode("ascii", "replace") if closed else ""


def _adapter(cli: str):
    name = f"paige.guard.adapters.{cli.replace('-', '_')}"
    __import__(name)
    return sys.modules[name]


def _record(heard: Heard, place: Place, outcome: Outcome) -> None:
    """One line for those who learn from it, and one for a person who watches."""
    event = heard.event
    decision = outcome.decision
    said = decision.name if decision else "none"
    line: dict[str, object] = {
        "event": event.name,
        "host_event": heard.scene.host_event,
        "cwd": heard.scene.cwd,
        "mode": heard.scene.mode,
        "agent": heard.scene.agent,
        "agent_type": heard.scene.agent_type,
        "decision": said,
        "rule": outcome.rule,
        **event.fields(),
    }
    if decision is not None:
        line["reason"] = getattr(decision, "reason", "")
    note(place.data, heard.scene.cli, heard.scene.session, line)
    if environment("PAIGE_TRACE_HOOKS"):
        reason = getattr(decision, "reason", "") or "nothing to say"
        rule = outcome.rule or "no rule"
        sys.stderr.write(f"paige: {event.name} {said} by {rule}: {reason}\n")


def _watch(seconds: float) -> None:
    """Wake this process in time to answer for itself, where the system can."""
    if hasattr(_signal, "setitimer"):
        _signal.signal(_signal.SIGALRM, _too_late)
        _signal.setitimer(_signal.ITIMER_REAL, seconds)


def _unwatch() -> None:
    if hasattr(_signal, "setitimer"):
        _signal.setitimer(_signal.ITIMER_REAL, 0)


def _too_late(number: int, frame: object) -> None:
    raise TooLate
