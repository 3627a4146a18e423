"""The hook's process: read one event, decide by the compiled rules, answer in the host's own form.

A process is started for every tool call, so nothing here may import more than built-in modules (a
test lists them). What cannot be decided with them takes the slow path, the one lazy edge; and
whatever goes wrong, a gate denies and every other event lets the host go on. The server's HTTP
hooks use `respond` as it is.
"""

import sys

from paige.base.record import Record
from paige.guard.fast.jsonic import loads
from paige.guard.fast.place import Caller, Place, caller, environment, exists, place_of
from paige.guard.fast.snapshot import read_snapshot
from paige.guard.fast.spool import line_id, record
from paige.guard.fast.system import add_packages, system
from paige.guard.fast_path import decide_quickly
from paige.guard.hook_event import NOTHING, SILENCE, Answer, Heard, Outcome, Scene

_signal = __import__("_signal")  # `signal` itself brings `enum`
CLIS = ("claude-code", "codex", "gemini", "copilot")
MAX_INPUT = 16 * 2**20  # no host comes near it
TOO_LATE = "Paige took too long to judge it."
SECONDS = 5.0  # far below every host's own limit, whose end would let the call through
_GATES = ("pre_tool", "permission_request")


class TooLate(BaseException):
    """The watchdog: not an Exception, so that nothing on the way takes it for its own."""


class Reply(Record):
    """The answer to an event, and what was decided and why for whoever watches."""

    answer: Answer
    event: str
    tool: str = ""
    said: str = "none"
    rule: str = ""
    reason: str = ""


def main() -> None:
    """Run as `entry.py <cli> [event] [--data FOLDER]`; the process ends here."""
    system._exit(started(sys.argv[1:]))  # taking the interpreter down takes as long as deciding


def started(arguments: list[str]) -> int:
    """Answer as the command line asks; the exit code."""
    data = ""
    if "--data" in arguments[:-1]:
        at = arguments.index("--data")
        data = arguments[at + 1]
        del arguments[at : at + 2]
    if not arguments or arguments[0] not in CLIS:
        sys.stderr.write(f"paige-hook: name the CLI: {', '.join(CLIS)}\n")
        sys.stderr.flush()
        return 2
    return run(arguments[0], arguments[1] if len(arguments) > 1 else "", data)


def run(cli: str, event: str, data: str = "") -> int:
    """Answer the event on stdin; return the exit code."""
    raw, id = b"", line_id()

    def slow(heard: Heard, place: Place) -> Outcome:
        # C code that waits looks at no signals, so a thread watches too.
        from paige.hooks.faults import SecondWatch  # noqa: PLC0415 - most calls end without it

        with SecondWatch(cli, event, raw, data, id):
            outcome = decide_with_packages(heard, place)
            _prepare()
            return outcome

    try:
        _watch(SECONDS)
        raw = _read()
        reply = respond(cli, event, raw, caller(data, id), slow=slow)
        _unwatch()
    except TooLate:
        reply = broken(cli, event, TOO_LATE, raw, data, id)
    except BaseException as error:  # noqa: BLE001 - whatever it is, a gate must not open
        _unwatch()
        reply = broken(cli, event, _fault(error), raw, data, id)
    _show(cli, event, raw, reply)
    return say(reply.answer)


def respond(
    cli: str,
    event: str,
    raw: bytes,
    who: Caller,
    *,
    rules=read_snapshot,
    slow=None,
) -> Reply:
    """The reply to one event, whatever it is; `event` is its name as far as the caller knows it.

    `rules` reads a snapshot, `slow` decides what takes more. It raises nothing but `TooLate`.
    """
    id = who.line or line_id()
    cli, answered = _host(cli, who)
    if answered:
        return Reply(SILENCE, event)
    try:
        heard = hear(cli, event, raw, who.role)
    except ValueError as error:
        return broken(cli, event, f"Paige cannot read this event: {error}.", raw, who.data)
    except Exception as error:  # noqa: BLE001 - whatever it is, a gate must not open
        return broken(cli, event, _fault(error), raw, who.data)
    try:
        place = who.place or place_of
        where = place(heard.scene.cwd, who.data, who.project)  # type: ignore[operator]
        return _decided(heard, where, rules, slow or decide_with_packages, id)
    except Exception as error:  # noqa: BLE001 - whatever it is, a gate must not open
        return broken(cli, heard.scene.host_event, _fault(error), raw, who.data, id)


def hear(cli: str, event: str, raw: bytes, role: str = "") -> Heard:
    """The event a host sent. Raises: ValueError."""
    body = read_body(raw)
    adapter = adapter_of(cli)
    heard = adapter.hear(body, _name_of(body, event, adapter.EVENTS))
    if role:
        heard = Heard(heard.event, Scene(**{**heard.scene.fields(), "role": role}))
    return heard


def _decided(heard: Heard, place: Place, rules, slow, id: str) -> Reply:
    outcome = decide_quickly(heard, place, rules)
    kept = outcome is None and keep_words(heard, place.data, id)
    if outcome is None:
        outcome = slow(heard, place)
    answer = adapter_of(heard.scene.cli).answer(heard, outcome)
    if not kept or outcome != NOTHING:
        record(place.data, heard, outcome, id)
    decision = outcome.decision
    return Reply(
        answer,
        heard.scene.host_event,
        getattr(heard.event, "tool", ""),
        decision.name if decision else "none",
        outcome.rule,
        getattr(decision, "reason", ""),
    )


def keep_words(heard: Heard, data: str, id: str) -> bool:
    """Note a prompt before anything slow begins, since a host may end a hook at any moment.

    What is decided later comes in a second line of the same id, so that nothing counts twice.
    """
    return heard.event.name == "prompt_submit" and record(data, heard, NOTHING, id)


def _host(cli: str, who: Caller) -> tuple[str, bool]:
    """Who really asks, and whether a hook of its own answers it."""
    if cli != "claude-code" or not who.copilot:
        return cli, False
    # Copilot reads Claude Code's settings too: its own hook answers where there is one.
    place = place_of("", who.data, who.project)
    own = exists(f"{place.data}/guard/installed-copilot")
    return "copilot", own or exists(f"{place.root}/.github/hooks/paige.json")


def decide_with_packages(heard: Heard, place: Place) -> Outcome:
    """The only lazy edge: everything that needs more than built-in modules."""
    add_packages()
    from paige.base.umask import keep_private  # noqa: PLC0415
    from paige.guard.slow_path import decide_slowly  # noqa: PLC0415

    keep_private()
    return decide_slowly(heard, place)


def _prepare() -> None:
    """Make the next start quicker, now that this one is slow anyway."""
    from paige.hooks.bundle import keep_bundle  # noqa: PLC0415 - the slow path has begun

    keep_bundle()


def broken(
    cli: str, event: str, reason: str, raw: bytes = b"", data: str = "", id: str = ""
) -> Reply:
    """The reply when an event cannot be judged: a gate denies, every other one lets go on."""
    from paige.hooks.faults import reply_to_fault  # noqa: PLC0415 - most calls end without it

    answer, event = reply_to_fault(cli, event, reason, raw, data, id)
    said = "deny" if answer.code or "deny" in answer.stdout else "none"
    return Reply(answer, event, said=said, rule="could-not-judge", reason=reason)


def read_body(raw: bytes) -> dict[str, object]:
    """The object a host sent. Raises: ValueError."""
    if len(raw) > MAX_INPUT:
        raise ValueError(f"it is larger than {MAX_INPUT} bytes")
    body = loads(raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    if not isinstance(body, dict):
        raise ValueError("it is no object")
    return body


def _name_of(body: dict[str, object], event: str, known: dict[str, str]) -> str:
    """The name of the event: the body's own, unless it would turn a gate into something else."""
    named = body.get("hook_event_name")
    if not isinstance(named, str) or not named:
        return event
    return event if known.get(event) in _GATES and known.get(named) not in _GATES else named


def adapter_of(cli: str):
    """The adapter of a CLI."""
    name = f"paige.guard.adapters.{cli.replace('-', '_')}"
    __import__(name)
    return sys.modules[name]


def _read() -> bytes:
    """What the host sent; of what is too long only as much as shows that it is."""
    raw = sys.stdin.buffer.read(MAX_INPUT + 1)
    # A host whose writing is cut off may take that for the end of the hook.
    while len(raw) > MAX_INPUT and sys.stdin.buffer.read(MAX_INPUT):
        pass
    return raw


def say(answer: Answer) -> int:
    """Print an answer; the exit code, which must not be a success when nobody could hear it."""
    try:
        sys.stdout.write(answer.stdout)
        sys.stdout.flush()
        sys.stderr.write(answer.stderr)
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        return answer.code or (2 if answer.stdout else 0)
    return answer.code


def _show(cli: str, event: str, raw: bytes, reply: Reply) -> None:
    """What a person who watches sees, and what one who makes fixtures keeps."""
    if environment("PAIGE_TRACE_HOOKS") and sys.stderr is not None:
        about = f"{reply.event or event or 'an event'} {reply.tool}".rstrip()
        reason = reply.reason or "nothing to say"
        sys.stderr.write(
            f"paige: {cli} {about}: {reply.said} by {reply.rule or 'no rule'}: {reason}\n"
        )
    folder = environment("PAIGE_RECORD_HOOKS")
    if folder:
        add_packages()
        from paige.hooks.recorder import keep_case  # noqa: PLC0415 - for those who make fixtures

        keep_case(folder, cli, reply.event or event, raw, reply.answer)


def _fault(error: BaseException) -> str:
    said = getattr(error, "message", "")  # an error of ours says itself what is the matter
    return f"{said}." if said else f"Paige failed inside: {type(error).__name__}: {error}"


def _watch(seconds: float) -> None:
    """Wake this process in time to answer for itself, where the system can."""
    if hasattr(_signal, "setitimer"):
        _signal.signal(_signal.SIGALRM, _too_late)
        _signal.signal(_signal.SIGTERM, _too_late)
        _signal.setitimer(_signal.ITIMER_REAL, seconds)


def _unwatch() -> None:
    if hasattr(_signal, "setitimer"):
        _signal.setitimer(_signal.ITIMER_REAL, 0)
        _signal.signal(_signal.SIGTERM, _signal.SIG_DFL)


def _too_late(number: int, frame: object) -> None:
    raise TooLate
