"""Changes of an agent's prompt, as proposals that have to prove themselves.

A guard is better than a sentence: it cannot be ignored and costs no tokens. So a sentence is
proposed only where no guard can be made, and it goes again when a guard in production says the
same. A change is an experiment while people look at it, is validated while it stands in the file,
and stays when the mistake has become rarer since then; otherwise the text before it comes back.
Pure; files are somebody else's matter.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple

from paige.base.clock import from_iso, to_iso
from paige.base.errors import BadInput, Conflict, NotFound
from paige.base.tokens import count_tokens_bound
from paige.guard.graph.values import Group
from paige.guard.guards.values import GuardRecord
from paige.guard.learning.patterns import COUNTED, Kind, LearnedPattern, pattern_key
from paige.memory.lifecycle.staged import STAGES, Lineage, StagedVersion, Step, begin, move, propose

HEADING = "## Learned in this project"
FORMAT = 1
MOST_LINE = 300
_MARK = re.compile(r"^- .*<!-- (?P<key>pattern-[0-9a-f]+) -->$")
Verdict = Literal["confirmed", "withdrawn"]


class AgentFile(NamedTuple):
    """The prompt of an agent: where it lies in the project, and its text."""

    agent: str
    path: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptChange:
    """One change of a prompt: `old` and `new` are the whole texts."""

    agent: str
    file: str
    old: str
    new: str
    why: str
    pattern: str

    @property
    def tokens(self) -> int:
        """How much longer the prompt becomes; less than 0 when it becomes shorter."""
        return count_tokens_bound(self.new) - count_tokens_bound(self.old)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptRecord:
    """The versions of one agent's prompt; version 0 is what people wrote."""

    agent: str
    file: str
    lineage: Lineage[str]
    patterns: tuple[str, ...] = ()  # what each version after the first is about


class Lesson(NamedTuple):
    """A pattern that no guard can be made of, and what the agent should do instead."""

    pattern: LearnedPattern
    words: str


def propose_changes(
    lessons: Iterable[Lesson],
    records: Sequence[GuardRecord],
    files: Mapping[str, AgentFile],
    *,
    most: int,
    most_tokens: int,
) -> tuple[PromptChange, ...]:
    """At most one change for each agent: first what a guard made needless, then what is missing."""
    found: dict[str, PromptChange] = {}
    for change in (*_removals(records, files), *_additions(lessons, files, most_tokens)):
        found.setdefault(change.agent, change)
    return tuple(found.values())[:most]


def with_line(text: str, pattern: str, words: str) -> str:
    """The prompt with one sentence more, below a heading of its own; one there is replaced."""
    cleaned = without_line(text, pattern).rstrip("\n")
    line = f"- {_one_line(words)} <!-- {pattern} -->"
    lines = cleaned.split("\n") if cleaned else []
    if HEADING not in lines:
        return "\n".join([*lines, *([""] if lines else []), HEADING, "", line, ""])
    at = lines.index(HEADING) + 1
    while at < len(lines) and (not lines[at] or _MARK.match(lines[at])):
        at += 1
    while not lines[at - 1]:
        at -= 1
    between = [""] if lines[at - 1] == HEADING else []
    return "\n".join([*lines[:at], *between, line, *lines[at:], ""])


def without_line(text: str, pattern: str) -> str:
    """The prompt without the sentence about a pattern, and without a heading above nothing."""
    lines = text.split("\n")
    kept = [line for line in lines if (m := _MARK.match(line)) is None or m["key"] != pattern]
    if len(kept) == len(lines):
        return text
    if HEADING in kept and not any(_MARK.match(line) for line in kept):
        at = kept.index(HEADING)
        del kept[at]
        while at < len(kept) and not kept[at] and (at == 0 or not kept[at - 1]):
            del kept[at]
    made = "\n".join(kept).rstrip("\n")
    return f"{made}\n" if made and text.endswith("\n") else made


def lines_in(text: str) -> tuple[str, ...]:
    """The patterns a prompt already says something about."""
    found = (_MARK.match(line) for line in text.split("\n"))
    return tuple(match["key"] for match in found if match)


def record_change(
    record: PromptRecord | None, change: PromptChange, *, at: datetime
) -> PromptRecord:
    """A change as an experiment. Raises: Conflict while another is being tried."""
    if record is None or record.lineage.production.value != change.old:
        if record is not None and record.lineage.tried is not None:
            raise Conflict(
                f"The prompt of `{change.agent}` was changed by hand while a change is being tried",
                hint=f"Take it back first: `paige guard prompts {change.agent} --withdraw`.",
            )
        # What people wrote since is the new beginning.
        record = PromptRecord(
            agent=change.agent,
            file=change.file,
            lineage=begin(change.old, at=at, reason="The prompt as it was."),
        )
    lineage = propose(record.lineage, change.new, at=at, reason=change.why)
    return replace(record, lineage=lineage, patterns=(*record.patterns, change.pattern))


def applied(record: PromptRecord, step: Step) -> PromptRecord:
    """The change goes into the file and is watched. Raises: NotFound, Conflict."""
    return _moved(record, step._replace(stage="validate"))


def confirmed(record: PromptRecord, step: Step) -> PromptRecord:
    """The change stays. Raises: NotFound, Conflict."""
    return _moved(record, step._replace(stage="production"))


def withdrawn(record: PromptRecord, step: Step) -> PromptRecord:
    """The change goes, and the text before it holds again. Raises: NotFound, Conflict."""
    return _moved(record, step._replace(stage="retired"))


def text_of(record: PromptRecord) -> str:
    """What should stand in the file now: a change is in it while it is validated."""
    tried = record.lineage.tried
    return tried.value if tried and tried.stage == "validate" else record.lineage.production.value


def judged(before: float, after: float, sessions: int, least_sessions: int) -> Verdict | None:
    """Whether a change that was watched stays; nothing while too little was seen.

    `before` and `after` are mistakes a session. No fewer mistakes means that the sentence only
    costs tokens.
    """
    if sessions < least_sessions:
        return None
    return "confirmed" if after < before else "withdrawn"


def dump_prompt_record(record: PromptRecord) -> dict[str, Any]:
    """A record as its file holds it."""
    return {
        "format": FORMAT,
        "agent": record.agent,
        "file": record.file,
        "patterns": list(record.patterns),
        "line": list(record.lineage.line),
        "versions": [
            {
                "version": each.version,
                "value": each.value,
                "stage": each.stage,
                "previous": each.previous,
                "history": [
                    {"stage": step.stage, "at": to_iso(step.at), "reason": step.reason,
                     "metrics": dict(step.metrics)}
                    for step in each.history
                ],
            }
            for each in record.lineage.versions
        ],
    }  # fmt: skip


def parse_prompt_record(given: Mapping[str, Any], where: str) -> PromptRecord:
    """A record out of plain values. Raises: BadInput naming the file."""
    try:
        if given["format"] != FORMAT:
            raise ValueError(f"format {given['format']!r}")
        versions = tuple(_staged(each) for each in given["versions"])
        line = tuple(int(each) for each in given["line"])
        if [each.version for each in versions] != list(range(len(versions))) or not line:
            raise ValueError("versions are not numbered from 0")
        if versions[line[-1]].stage != "production":
            raise ValueError("no version is in production")
        return PromptRecord(
            agent=str(given["agent"]),
            file=str(given["file"]),
            lineage=Lineage(versions, line),
            patterns=tuple(str(each) for each in given["patterns"]),
        )
    except (KeyError, TypeError, ValueError, IndexError) as error:
        raise BadInput(
            f"`{where}` is no record of a prompt: {error}",
            hint="Take back the last change to the file, or delete it.",
        ) from None


def _staged(given: Mapping[str, Any]) -> StagedVersion[str]:
    if given["stage"] not in STAGES or not given["history"]:
        raise ValueError(f"stage {given['stage']!r}")
    return StagedVersion(
        version=int(given["version"]),
        value=str(given["value"]),
        stage=given["stage"],
        previous=None if given["previous"] is None else int(given["previous"]),
        history=tuple(
            Step(each["stage"], from_iso(each["at"]), str(each["reason"]), dict(each["metrics"]))
            for each in given["history"]
        ),
    )


def _moved(record: PromptRecord, step: Step) -> PromptRecord:
    tried = record.lineage.tried
    if tried is None:
        raise NotFound(
            f"No change of the prompt of `{record.agent}` is being tried",
            hint="`paige guard learn` proposes changes.",
        )
    return replace(record, lineage=move(record.lineage, tried.version, step))


def _removals(
    records: Sequence[GuardRecord], files: Mapping[str, AgentFile]
) -> Iterable[PromptChange]:
    enforced = {each.blocking.pattern: each.id for each in records if each.blocking is not None}
    for file in files.values():
        for key in lines_in(file.text):
            if key in enforced:
                yield PromptChange(
                    agent=file.agent,
                    file=file.path,
                    old=file.text,
                    new=without_line(file.text, key),
                    why=f"The guard `{enforced[key]}` blocks it, so the sentence is not needed.",
                    pattern=key,
                )


def _additions(
    lessons: Iterable[Lesson], files: Mapping[str, AgentFile], most_tokens: int
) -> Iterable[PromptChange]:
    for pattern, words in lessons:
        file = files.get(pattern.agent)
        if file is None or not words.strip() or pattern.key in lines_in(file.text):
            continue
        new = with_line(file.text, pattern.key, words)
        if count_tokens_bound(new) > most_tokens:
            continue  # a longer prompt is followed less, not more
        yield PromptChange(
            agent=file.agent,
            file=file.path,
            old=file.text,
            new=new,
            why=f"{pattern.count} times in {pattern.sessions} sessions, and no guard can tell it.",
            pattern=pattern.key,
        )


def _one_line(words: str) -> str:
    """A sentence that cannot end the comment behind it or begin a line of its own."""
    told = " ".join(words.split()).replace("<!--", "").replace("-->", "").strip()
    return told if len(told) <= MOST_LINE else f"{told[: MOST_LINE - 1]}…"


class Rates(NamedTuple):
    """Mistakes a session before and after a moment, and how many sessions there were since."""

    before: float
    after: float
    sessions: int


@dataclass(frozen=True, slots=True)
class WatchedChange:
    """A change that stands in a file, how often its mistake comes, and what that says."""

    record: PromptRecord
    rates: Rates
    verdict: Verdict | None


def watch(
    records: Iterable[PromptRecord], groups: Iterable[Group], least_sessions: int
) -> tuple[WatchedChange, ...]:
    """Every change that is being validated, with what was seen of it."""
    listed = tuple(groups)
    found: list[WatchedChange] = []
    for record in records:
        tried = record.lineage.tried
        if tried is None or tried.stage != "validate":
            continue
        rates = rates_around(record.patterns[-1], record.agent, listed, tried.since)
        verdict = judged(rates.before, rates.after, rates.sessions, least_sessions)
        found.append(WatchedChange(record, rates, verdict))
    return tuple(found)


def rates_around(pattern: str, agent: str, groups: Iterable[Group], moment: datetime) -> Rates:
    """How often an agent makes the mistake of a pattern, before a moment and since."""
    mine = [each for each in groups if each.agent == agent]
    before = [each for each in mine if each.last < moment]
    after = [each for each in mine if each.last >= moment]
    return Rates(_rate(pattern, before), _rate(pattern, after), _sessions(after))


def _rate(pattern: str, groups: Iterable[Group]) -> float:
    listed = tuple(groups)
    mistakes = sum(each.count for each in listed if _is_of(each, pattern))
    sessions = _sessions(listed)
    return mistakes / sessions if sessions else 0.0


def _sessions(groups: Iterable[Group]) -> int:
    return len({(each.project, each.session) for each in groups})


def _is_of(group: Group, pattern: str) -> bool:
    kind = Kind(group.agent, group.action, group.reason, group.shape)
    keys = (pattern_key(kind, group.project), pattern_key(kind, ""))
    return group.type in COUNTED and pattern in keys
