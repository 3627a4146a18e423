"""What happened before, as guards are tried on it: the lines of hooks that are still there.

The newest lines lie in the spool as they were written; older ones in the short log of decisions,
which keeps no texts that tools would write. What a person corrected or let pass afterwards is said
by the context graph, where there is one.
"""

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paige.base.file_cache import FileCache
from paige.base.secrets import redact
from paige.guard.decision_log import FILE, FOLDER, OLDER, moment_of, said_of, subject_of
from paige.guard.fast.guards import MAIN
from paige.guard.fast.place import Place
from paige.guard.guards.values import EVENTS, Example, PastAction
from paige.guard.tools import READ, WRITE, kind_of
from paige.memory.intake.spool import TAKEN

if TYPE_CHECKING:
    from paige.guard.graph.graph import ContextGraph
    from paige.guard.graph.values import Trace

MOST_BYTES = 64 * 2**20
MOST_LINES = 200_000
_MOST_KEPT = 2**18
_ENDINGS = (".jsonl", TAKEN)


def read_history(place: Place, graph: "ContextGraph | None" = None) -> tuple[PastAction, ...]:
    """Everything that was decided, the oldest first; each action once."""
    return history_of(read_lines(Path(place.data)), graph)


def history_of(
    lines: Iterable[Mapping[str, Any]], graph: "ContextGraph | None" = None
) -> tuple[PastAction, ...]:
    """What the lines of hooks, and the graph, tell of what was decided."""
    pasts = pasts_of(lines)
    return tuple(pasts) if graph is None else with_traces(pasts, graph.judged())


def with_traces(pasts: Iterable[PastAction], traces: Iterable["Trace"]) -> tuple[PastAction, ...]:
    """Actions with what the graph knows of them: older refusals, corrections, approvals."""
    found = {each.id: each for each in pasts}
    judged: list[Trace] = []
    for trace in traces:
        if trace.type != "violation":
            judged.append(trace)
            continue
        known = found.get(str(trace.meta.get("line", "")))
        if known is None or not known.whole:
            found[trace.meta.get("line") or trace.id] = _of_trace(trace)
    ordered = sorted(found.values(), key=lambda each: (str(each.at or ""), each.id))
    marks = dict(_marks(ordered, judged))
    return tuple(
        replace(each, **{marks[each.id]: True}) if each.id in marks else each for each in ordered
    )


def _marks(pasts: Sequence[PastAction], judged: Iterable["Trace"]) -> Iterator[tuple[str, str]]:
    """What was said of which action: the last one like it before it was said."""
    by_key: dict[tuple[str, str, str], list[PastAction]] = {}
    for past in pasts:
        given = {"tool": past.example.tool, "input": dict(past.example.input)}
        by_key.setdefault((past.session, past.example.tool, _subject(given)), []).append(past)
    known = {past.id for past in pasts}
    for trace in judged:
        if trace.type == "approval":
            asked = str(trace.meta.get("asked_line", ""))
            if asked in known:
                yield asked, "approved"
            continue
        if not trace.meta.get("corrected_line"):
            continue  # somebody only says so: what a person did is in the lines of hooks
        given = {"tool": trace.tool, "input": trace.meta.get("input")}
        before = [
            each
            for each in by_key.get((trace.session, trace.tool, _subject(given)), ())
            if each.at is None or each.at <= trace.at
        ]
        if before:
            yield before[-1].id, "corrected"


def _of_trace(trace: "Trace") -> PastAction:
    given = trace.meta.get("input")
    agent = str(trace.meta.get("agent_type") or trace.agent)
    return PastAction(
        id=str(trace.meta.get("line") or trace.id),
        event=trace.event,
        example=Example(
            tool=trace.tool,
            input=dict(given) if isinstance(given, dict) else {},
            agent="" if agent == MAIN else agent,
            role=str(trace.meta.get("role", "")),
        ),
        at=trace.at,
        session=trace.session,
        cwd=str(trace.meta.get("cwd", "")),
        decision=str(trace.meta.get("decision", "deny")),
        rule=trace.rule,
        whole=isinstance(given, dict) or not trace.tool,
    )


def _subject(said: Mapping[str, Any]) -> str:
    return redact(subject_of(said)[0])


def read_lines(data: Path) -> list[dict[str, Any]]:
    """The lines of hooks that a data folder still has, the oldest first, each once."""
    found: dict[str, dict[str, Any]] = {}
    left = MOST_BYTES
    for path in history_files(data):
        read, objects = _said(path, left)
        left -= read
        for said in objects:
            # The spool comes first: its lines are whole, those of the log are not.
            found.setdefault(str(said["id"]), said)
        if left <= 0 or len(found) > MOST_LINES:
            break
    return sorted(found.values(), key=lambda each: (str(each.get("at", "")), str(each["id"])))


def pasts_of(lines: Iterable[Mapping[str, Any]]) -> Iterator[PastAction]:
    """The actions of lines; other lines are left out."""
    listed = list(lines)
    ran = {_call(each) for each in listed if each.get("event") == "post_tool"} - {None}
    for said in listed:
        if said.get("event") not in EVENTS:
            continue
        decision = _text(said, "decision")
        if decision in ("", "none"):
            decision = "pass" if said.get("passed") is True else "allow"
        example, whole = example_of(said)
        yield PastAction(
            id=str(said["id"]),
            event=_text(said, "event"),
            example=example,
            at=moment_of(said.get("at")),
            session=_text(said, "session"),
            cwd=_text(said, "cwd"),
            decision=decision,
            rule=_text(said, "rule"),
            # Whoever was asked and let it run has approved it; of what passes the host asks.
            approved=decision in ("ask", "pass") and _call(said) in ran,
            whole=whole,
        )


def example_of(said: Mapping[str, Any]) -> tuple[Example, bool]:
    """The action of a line, and whether all of it is known."""
    tool, given = _text(said, "tool"), said.get("input")
    whole = isinstance(given, dict)
    if not whole:
        subject = _text(said, "subject")
        given, whole = _guessed(tool, subject, command=said.get("is_command") is True)
    assert isinstance(given, dict)
    agent = _text(said, "agent_type") or _text(said, "agent")
    example = Example(tool=tool, input=given, agent=agent, role=_text(said, "role"))
    return example, whole or not tool


def _guessed(tool: str, subject: str, *, command: bool) -> tuple[dict[str, Any], bool]:
    """The input of a call of which only the subject was kept."""
    if command:
        return {"command": subject}, True
    kind = kind_of(tool)
    paths = subject.split(", ")
    if kind == READ:
        return {"file_path": paths[0], "paths": paths[1:]}, True
    if kind == WRITE and len(paths) > 1:
        adds = "\n".join(f"*** Update File: {each}" for each in paths)
        return {"patch": f"*** Begin Patch\n{adds}\n*** End Patch"}, False
    return {"file_path": subject}, False


def history_files(data: Path) -> list[Path]:
    """The files with lines: the spool, newest first, then the log of decisions."""
    spool: list[tuple[float, Path]] = []
    folder = data / "spool"
    try:
        for path in folder.iterdir():
            if path.name.endswith(_ENDINGS) and path.is_file():
                spool.append((path.stat().st_mtime, path))
    except OSError:
        spool = []  # no hook has run yet, or it is being emptied
    spool.sort(reverse=True)
    log = [data / FOLDER / name for name in (FILE, OLDER)]
    return [*(path for _, path in spool), *(each for each in log if each.is_file())]


_Said = tuple[int, tuple[dict[str, Any], ...]]
"""How many bytes of a file were read, and what its lines say."""
_lines: FileCache[_Said] = FileCache(256)


def _said(path: Path, most: int) -> _Said:
    """What a file says; a short one is not read again until it has changed."""
    read = partial(_read, path, most)
    try:
        short = path.stat().st_size <= min(most, _MOST_KEPT)
    except OSError:
        return 0, ()
    return _lines.get(path, [path], read) if short else read()


def _read(path: Path, most: int) -> _Said:
    read = _tail(path, most)
    objects = (said_of(line) for line in read.splitlines())
    return len(read), tuple(said for said in objects if said is not None)


def _tail(path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > most:
                file.seek(size - most)
                file.readline()  # the first line is cut
            return file.read(most)
    except OSError:
        return b""


def _call(said: Mapping[str, Any]) -> tuple[str, str] | None:
    call = said.get("call")
    return (_text(said, "session"), call) if isinstance(call, str) and call else None


def _text(said: Mapping[str, Any], name: str) -> str:
    value = said.get(name)
    return value if isinstance(value, str) else ""
