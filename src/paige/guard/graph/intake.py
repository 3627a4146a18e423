"""Makes traces of the lines of hooks: what was refused, let pass by a person, or corrected.

One line seldom says enough: an approval is an answer to an earlier question, a correction is about
an earlier call. So the last things heard in a session are kept, by their moments, and a line is
understood from those that were before it. A line that comes again is among them and adds nothing;
every trace has its id from the line that made it. All of it is pure.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import timedelta
from typing import Any

from paige.base.clock import from_iso, to_iso
from paige.guard.graph.corrections import (
    Before,
    Correction,
    Deed,
    Words,
    correction_in,
    is_interruption,
)
from paige.guard.graph.lines import Line, digest_of, line_id
from paige.guard.graph.shapes import (
    action_of,
    feature_in,
    feature_refused,
    files_of,
    is_command,
    only_looks,
    shape_of,
    target_of,
)
from paige.guard.graph.values import GUARD, NewTrace, TraceType
from paige.language.words import sentences

MOST_KEPT = 60
RELATED = timedelta(hours=1)  # what happened longer ago led to nothing
ANSWERED = timedelta(hours=12)  # a question may wait for its person
REFUSALS = ("deny", "keep_working", "abort")
GATED = ("pre_tool", "permission_request")
DONE = ("post_tool", "post_tool_failure")
PROMPT, RESPONSE = "prompt_submit", "response"
CALL, ASK, PROMPTED, SAID, TRACED, NOTED = "call", "ask", "prompt", "said", "trace", "noted"
CORRECTED = "corrected"
_MOST_PROMPT = 500
# A host that asked for permission asked a person; without it a setting may have let the call pass.
_SURE, _LIKELY = 0.9, 0.6
_MOST_WORDS = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing heard in a session, short enough to be kept."""

    id: str
    at: str
    kind: str
    agent: str = ""
    tool: str = ""
    action: str = ""
    target: str = ""
    shape: str = ""
    files: tuple[str, ...] = ()
    call: str = ""
    digest: str = ""
    rule: str = ""
    trace: str = ""
    text: str = ""
    reason: str = ""
    feature: str = ""
    cwd: str = ""
    given: Mapping[str, Any] = field(default_factory=dict[str, Any])
    looked: bool = False
    marked: bool = False  # a call that was interrupted; words that are a question; an answered ask


@dataclass(frozen=True, slots=True)
class LineResult:
    """What a line came to: what is kept of the session now, and the traces it made."""

    recent: tuple[Entry, ...]
    traces: tuple[NewTrace, ...] = ()


def take(recent: tuple[Entry, ...], line: Line, words: Words, project: str) -> LineResult:
    """Understand one line of a session."""
    made = [*_decided(recent, line, project), *_shadowed(line, project)]
    new = _entries(line, made, words)
    known = {each.id for each in recent}
    fresh = [each for each in new if each.id not in known and not _too_old(each, recent)]
    if not fresh:
        # What was refused is a trace whenever it comes; the rest was understood already.
        return LineResult(recent, tuple(made))
    before = tuple(each for each in recent if (each.at, each.id) < (fresh[0].at, fresh[0].id))
    if line.event == PROMPT:
        made += _corrected(before, line, words, project)
        # What was done before this prompt is not corrected by a later one.
        recent = tuple(replace(each, given={}) if each.given else each for each in recent)
    elif line.event in DONE:
        approval, recent = _approved(recent, before, line, project)
        made += approval
    fresh += [_traced(each, line) for each in made if each.id not in known]
    unique = {each.id: each for each in (*recent, *fresh)}
    kept = sorted(unique.values(), key=lambda each: (each.at, each.id))[-MOST_KEPT:]
    return LineResult(tuple(kept), tuple(made))


def dump_entries(entries: Sequence[Entry]) -> list[dict[str, Any]]:
    """Entries as JSON, without what is empty."""
    found = (asdict(each) for each in entries)
    return [{name: value for name, value in each.items() if value} for each in found]


def load_entries(given: object) -> tuple[Entry, ...]:
    """Entries from JSON; what cannot be read is left out."""
    if not isinstance(given, list):
        return ()
    names = {each.name for each in fields(Entry)}
    found: list[Entry] = []
    for each in given:
        if isinstance(each, dict) and {"id", "at", "kind"} <= each.keys() <= names:
            found.append(Entry(**{**each, "files": tuple(each.get("files", ()))}))
    return tuple(found)


def _decided(recent: Sequence[Entry], line: Line, project: str) -> list[NewTrace]:
    """The trace of a refusal or of a change to what was asked for."""
    refused = line.decision in REFUSALS and line.event not in (PROMPT, "fault")
    changed = line.decision == "modify"
    if not (refused or changed) or line.rule.endswith(".failed"):
        return []
    trace = _of_call(line, "violation" if refused else "decision", project)
    what = "was refused to" if refused else "had its call changed:"
    why, right = _parted(line.reason)
    return [
        replace(
            trace,
            what_happened=f"{line.agent} {what} {_did(trace.action, trace.target)}",
            why=why,
            what_was_correct=right,
            source="enforcement_hook",
            led_by=_led_by(recent, line, trace),
        )
    ]


def _shadowed(line: Line, project: str) -> list[NewTrace]:
    """What guards on trial would have decided."""
    found: list[NewTrace] = []
    for guard in line.shadow:
        trace = _of_call(replace(line, rule=f"{GUARD}{guard}"), "decision", project)
        found.append(
            replace(
                trace,
                id=line_id(line, guard),
                what_happened=f"A guard on trial would have stopped {line.agent}: "
                f"{_did(trace.action, trace.target)}",
                source="enforcement_hook",
                meta={**trace.meta, "shadow": True},
            )
        )
    return found


def _approved(
    recent: tuple[Entry, ...], before: Sequence[Entry], line: Line, project: str
) -> tuple[list[NewTrace], tuple[Entry, ...]]:
    """The approval that a call proves which was asked about and has run; its asks are answered."""
    digest = digest_of(line.tool, line.given)
    since = to_iso(line.at - ANSWERED)
    asks = [
        each
        for each in before
        if each.kind == ASK and not each.marked and each.at >= since
        and (each.call == line.call if each.call and line.call else each.digest == digest)
    ]  # fmt: skip
    if not asks or line.interrupted:
        return [], recent
    first = asks[0]
    answered = {each.id for each in asks}
    kept = tuple(replace(each, marked=True) if each.id in answered else each for each in recent)
    trace = replace(
        _of_call(replace(line, rule=first.rule, reason=first.reason), "approval", project),
        id=line_id(line, f"approved {first.id}"),
        what_happened=f"A person let {line.agent} {_did(first.action, first.target)}",
        why=_parted(first.reason)[0],
        source="auto_detected",
        feature=first.feature,
        confidence=_SURE if any(each.text == "permission_request" for each in asks) else _LIKELY,
    )
    return [
        replace(trace, meta={**trace.meta, "overrode": first.rule, "asked_line": first.id})
    ], kept


def _corrected(before: Sequence[Entry], line: Line, words: Words, project: str) -> list[NewTrace]:
    """The correction a prompt is, and what it corrects where that has no trace yet."""
    last = max((at for at, each in enumerate(before) if each.kind == PROMPTED), default=-1)
    since = before[last + 1 :]
    calls = [each for each in since if each.kind == CALL]
    said = [each for each in since if each.kind == SAID]
    seen = Before(
        did=tuple(
            Deed(about=f"{each.action} {each.target}", looked=each.looked, interrupted=each.marked)
            for each in calls
        ),
        prompt=before[last].text if last >= 0 else "",
        asked=bool(said) and said[-1].marked,
    )
    found = correction_in(line.said, seen, words)
    if found is None:
        return []
    return _correction(calls[found.about], line, found, project)


def _correction(call: Entry, line: Line, found: Correction, project: str) -> list[NewTrace]:
    done = NewTrace(
        type="decision",
        id=call.trace,
        project=project,
        at=from_iso(call.at),
        agent=call.agent,
        feature=call.feature or line.feature,
        what_happened=f"{call.agent} did {_did(call.action, call.target)}",
        session=line.session,
        cli=line.cli,
        event="post_tool",
        tool=call.tool,
        action=call.action,
        target=call.target,
        shape=call.shape,
        files=call.files,
        meta={
            name: value
            for name, value in (
                ("input", call.given),
                ("cwd", call.cwd),
                ("line", call.id),
                ("call", call.call),
            )
            if value
        },
    )
    detected = found.sign in ("interrupted", "repeated")
    said = replace(
        done,
        type="correction",
        id=line_id(line),
        at=line.at,
        what_happened=f"{done.what_happened}, and was corrected",
        what_was_correct=line.said[:_MOST_WORDS],
        why=_SIGNS[found.sign],
        source="auto_detected" if detected else "user_correction",
        reason=CORRECTED,
        confidence=found.confidence,
        meta={**done.meta, "sign": found.sign, "line": line.id, "corrected_line": call.id},
        corrects=(call.trace,),
    )
    return [done, said]


_SIGNS = {
    "strong": "A person said that it was wrong.",
    "refused": "A person said no to it.",
    "pointed": "A person named it and said not to.",
    "interrupted": "A person stopped it.",
    "repeated": "A person had to ask for the same again.",
}


def _of_call(line: Line, kind: TraceType, project: str) -> NewTrace:
    """What every trace of a line has."""
    target = target_of(line.tool, line.given, line.cwd)
    meta = {
        "line": line.id,
        "decision": line.decision,
        "input": line.given,
        "role": line.role,
        "agent_type": line.agent_type,
        "cwd": line.cwd,
        "call": line.call,
    }
    return NewTrace(
        type=kind,
        id=line_id(line),
        project=project,
        at=line.at,
        agent=line.agent,
        feature=feature_refused(line.rule, line.reason)
        or line.feature
        or feature_in(target, line.reason, line.task),
        task=line.task,
        session=line.session,
        cli=line.cli,
        event=line.event,
        tool=line.tool,
        action=action_of(line.event, line.tool, line.given, line.rule),
        reason=line.rule,
        target=target,
        shape=shape_of(target, command=is_command(line.tool)),
        rule=line.rule,
        files=files_of(line.tool, line.given, line.cwd),
        meta={name: value for name, value in meta.items() if value},
    )


def _led_by(recent: Sequence[Entry], line: Line, trace: NewTrace) -> tuple[str, ...]:
    """The trace of this session that this one follows from: the same thing tried before."""
    since, until = to_iso(line.at - RELATED), to_iso(line.at)
    for each in reversed(recent):
        if each.kind != TRACED or each.trace == trace.id or not since <= each.at < until:
            continue
        same = each.target == trace.target or each.rule == trace.rule
        if each.agent == line.agent and (same or each.shape == trace.shape):
            return (each.trace,)
    return ()


def _entries(line: Line, made: Sequence[NewTrace], words: Words) -> list[Entry]:
    """What is kept of a line, if anything."""
    plain = Entry(id=line.id, at=to_iso(line.at), kind=NOTED, agent=line.agent)
    if line.event == PROMPT:
        return [replace(plain, kind=PROMPTED, text=line.said[:_MOST_PROMPT])]
    if line.event == RESPONSE:
        return [replace(plain, kind=SAID, marked=_is_question(line.said))]
    target = target_of(line.tool, line.given, line.cwd)
    call = replace(
        plain,
        tool=line.tool,
        action=action_of(line.event, line.tool, line.given, ""),
        target=target,
        shape=shape_of(target, command=is_command(line.tool)),
        files=files_of(line.tool, line.given, line.cwd),
        call=line.call,
        digest=digest_of(line.tool, line.given),
        feature=line.feature,
    )
    if line.event in GATED and line.decision == "ask" and line.mode != "bypass":
        action = action_of(line.event, line.tool, line.given, line.rule)
        asked = replace(call, kind=ASK, rule=line.rule, reason=line.reason, action=action)
        return [replace(asked, text=line.event)]
    if line.event in DONE:
        cut = line.interrupted or (line.failed and is_interruption(line.error, words))
        looked = only_looks(line.tool, line.given)
        given = {} if looked else line.given
        done = replace(call, kind=CALL, trace=line_id(line), looked=looked, marked=cut)
        return [replace(done, given=given, cwd=line.cwd)]
    return [plain] if made else []


def _traced(trace: NewTrace, line: Line) -> Entry:
    return Entry(
        id=trace.id or "",
        at=to_iso(line.at),
        kind=TRACED,
        agent=trace.agent,
        action=trace.action,
        target=trace.target,
        shape=trace.shape,
        rule=trace.rule,
        trace=trace.id or "",
    )


def _too_old(entry: Entry, recent: Sequence[Entry]) -> bool:
    """Whether an entry is from before all that is still known: it was understood long ago."""
    return len(recent) >= MOST_KEPT and (entry.at, entry.id) < (recent[0].at, recent[0].id)


def _parted(reason: str) -> tuple[str, str]:
    """A reason as why it is refused, and what is to be done instead."""
    first = next(iter(sentences(reason)), "")
    return first[:_MOST_WORDS], reason.strip()[len(first) :].strip()[:_MOST_WORDS]


def _did(action: str, target: str) -> str:
    return f"{action}: {target[:200]}" if target else action


def _is_question(text: str) -> bool:
    return text.rstrip().rstrip("*_`\"')").endswith(("?", "\uff1f", "か。"))
