"""One line per event, appended and forgotten: what the hook has no time to store.

The memory broker and the context graph take the lines up later; each has an id of its own, so that
a line taken twice counts once. This page is on the hook's fast path: built-in modules only.
"""

import time

from paige.guard.fast.jsonic import dumps
from paige.guard.fast.system import system
from paige.guard.hook_event import Heard, Outcome

_SAFE = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
_MOST_TEXT = 4000
_MOST_DEPTH = 6
_FLAGS = (
    system.O_WRONLY
    | system.O_APPEND
    | system.O_CREAT
    | getattr(system, "O_CLOEXEC", 0)
    | getattr(system, "O_NOFOLLOW", 0)
)


def line_id() -> str:
    """An id for a line; two lines of one event share it."""
    return system.urandom(12).hex()


def note(data: str, cli: str, session: str, line: dict[str, object], id: str = "") -> bool:
    """Append a line to the spool of a session; whether that worked. It never raises."""
    if not data:
        return False
    made = {"id": id or line_id(), "at": _now(), "cli": cli, "session": session, **line}
    try:
        return _append(f"{data}/spool", f"{cli}-{_name(session)}.jsonl", dumps(shortened(made)))
    except (OSError, ValueError, TypeError, RecursionError):
        return False


def record(data: str, heard: Heard, outcome: Outcome, id: str = "") -> bool:
    """One line on an event and what was decided about it; whether that worked."""
    scene = heard.scene
    decision = outcome.decision
    line: dict[str, object] = {
        "event": heard.event.name,
        "host_event": scene.host_event,
        "cwd": scene.cwd,
        "mode": scene.mode,
        "agent": scene.agent,
        "agent_type": scene.agent_type,
        "decision": decision.name if decision else "none",
        "rule": outcome.rule,
    }
    for name, value in heard.event.fields().items():
        if value is not None or name not in line:  # the scene may know what the event does not
            line[name] = value
    if decision is not None:
        line["reason"] = getattr(decision, "reason", "")
    if scene.role:
        line["role"] = scene.role
    line.update(outcome.noted)
    return note(data, scene.cli, scene.session, line, id)


def shortened(value: object, depth: int = 0) -> object:
    """A value with long texts cut, so that a line stays a line."""
    if isinstance(value, str):
        return value if len(value) <= _MOST_TEXT else value[:_MOST_TEXT] + "…"
    if depth >= _MOST_DEPTH:
        return None
    if isinstance(value, dict):
        return {str(key)[:200]: shortened(each, depth + 1) for key, each in value.items()}
    if isinstance(value, list):
        return [shortened(each, depth + 1) for each in value[:100]]
    return value


def _append(folder: str, name: str, line: str) -> bool:
    data = f"{line}\n".encode("utf-8", "backslashreplace")
    try:
        handle = system.open(f"{folder}/{name}", _FLAGS, 0o600)
    except FileNotFoundError:
        _make(folder)
        handle = system.open(f"{folder}/{name}", _FLAGS, 0o600)
    try:
        written = system.write(handle, data)
        if 0 < written < len(data):
            system.write(handle, b"\n")  # half a line must not swallow the next one
        return written == len(data)
    finally:
        system.close(handle)


def _make(folder: str) -> None:
    built = ""
    for part in folder.split("/"):
        built += f"{part}/"
        try:
            system.mkdir(built, 0o700)
        except FileExistsError:
            continue
        except OSError:
            continue  # the last one says what is wrong when the file is opened


def _name(session: str) -> str:
    kept = "".join(sign if sign in _SAFE else "_" for sign in session[:80])
    return kept.lstrip(".") or "unknown"


def _now() -> str:
    seconds, rest = divmod(time.time_ns(), 1_000_000_000)
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds))
    return f"{stamp}.{rest // 1000:06d}Z"
