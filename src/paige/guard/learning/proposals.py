"""Makes guards out of patterns: data, with examples from the history, at most a few a run.

A guard is proposed only when the calls behind a pattern have something in common that the nearest
allowed calls do not have. What it must meet are the refused calls themselves, what it must not meet
the allowed ones that look most like them. Traces an agent wrote down by itself are no evidence:
otherwise an agent could teach Paige to block somebody else. A proposal blocks nothing; it has to
prove itself first.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from paige.base.errors import BadInput
from paige.base.wire import plain
from paige.guard.fast.guards import Action, meets
from paige.guard.graph.values import GUARD, Trace
from paige.guard.guards.parser import check_breadth, dump_guard
from paige.guard.guards.trials import action_from, compiled, failing, probe
from paige.guard.guards.values import (
    Example,
    Guard,
    GuardEvent,
    GuardRecord,
    LearnedMatcher,
    PastAction,
)
from paige.guard.learning.calls import (
    STOPS,
    TRUSTED,
    examples_of,
    nearest,
    roots_of,
    without_roots,
)
from paige.guard.learning.generalization import Case, common_word, matchers
from paige.guard.learning.patterns import LearnedPattern, pattern_words
from paige.guard.learning.prompts import AgentFile
from paige.guard.learning.settings import Learning, shipped_learning
from paige.guard.tools import kind_of

# A guard that was taken back is left alone for a while; the others are still there.
GONE = ("rolled_back", "retired")
_UNSAFE = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A guard that could be tried, and the pattern behind it."""

    guard: Guard
    pattern: LearnedPattern
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkippedPattern:
    """A pattern that makes no guard, and why.

    `known` says that there is one already, `words` what could be told instead of blocking it.
    """

    pattern: LearnedPattern
    why: str
    known: bool = False
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalRun:
    """What a run proposes, and what it leaves."""

    proposals: tuple[Proposal, ...] = ()
    skipped: tuple[SkippedPattern, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What is there already: guards with all their steps, what happened, agents, and where.

    `project` is the id of the project that is looked at (empty: none), `tested` the number of its
    features that are tested.
    """

    records: tuple[GuardRecord, ...] = ()
    history: tuple[PastAction, ...] = ()
    root: str = ""
    project: str = ""
    agents: Mapping[str, AgentFile] = field(default_factory=dict[str, AgentFile])
    tested: int = 0
    learning: Learning = field(default_factory=shipped_learning)  # the numbers that hold there


def propose(
    found: Iterable[tuple[LearnedPattern, Sequence[Trace]]],
    known: Surroundings,
    learning: Learning,
    now: datetime,
) -> ProposalRun:
    """Guards for patterns with their traces, the strongest first; never more than a few."""
    proposals: list[Proposal] = []
    skipped: list[SkippedPattern] = []
    looked_at = 0
    for pattern, traces in found:
        enough = len(proposals) >= learning.proposals.most
        if enough or looked_at >= learning.proposals.most_tried:
            skipped.append(
                SkippedPattern(pattern=pattern, why="There are stronger ones; run it again.")
            )
            continue
        one = propose_one(pattern, traces, known, learning, now)
        if isinstance(one, Proposal):
            other = _covering(one.guard.must, (each.guard for each in proposals), one.guard.event)
            if other is not None:
                why = f"The guard `{other.id}` of this run covers it."
                one = SkippedPattern(pattern=pattern, why=why, known=True)
        if isinstance(one, Proposal):
            proposals.append(one)
        else:
            skipped.append(one)
            looked_at += not one.known
    return ProposalRun(proposals=tuple(proposals), skipped=tuple(skipped))


def propose_one(
    pattern: LearnedPattern,
    traces: Sequence[Trace],
    known: Surroundings,
    learning: Learning,
    now: datetime,
) -> Proposal | SkippedPattern:
    """A guard for one pattern, or why there is none."""
    before = _known_already(pattern, known.records, learning, now)
    if before is not None:
        return before
    share = pattern.overridden / pattern.count if pattern.count else 0.0
    if share >= learning.proposals.overridden_share:
        why = f"People let it pass {pattern.overridden} times: look at the rule instead."
        return SkippedPattern(pattern=pattern, why=why)
    event, must = examples_of(traces, known.root, learning.proposals.most_must)
    if event is None or len(must) < min(learning.proposals.least_examples, _different(event)):
        why = f"Only {len(must)} of its calls can be executed."
        return SkippedPattern(pattern=pattern, why=why, words=_right(traces, known.root))
    live = [each.guard for each in known.records if each.standing not in GONE]
    other = _covering(must, live, event)
    if other is not None:
        return SkippedPattern(pattern=pattern, why=f"The guard `{other.id}` covers it.", known=True)
    made = (
        _guard(pattern, traces, event, each, known, learning) for each in _alike(must, learning)
    )
    guard = next((each for each in made if each is not None), None)
    if guard is None:
        why = "Nothing tells its calls from harmless ones."
        return SkippedPattern(pattern=pattern, why=why, words=_right(traces, known.root))
    return Proposal(guard=guard, pattern=pattern, why=f"{pattern_words(pattern)}.")


def message_of(pattern: LearnedPattern, traces: Sequence[Trace], root: str, most: int) -> str:
    """What the agent is told: why it is refused, and what is right instead."""
    trusted = [each for each in traces if each.source in TRUSTED]
    why = _usual(((each, each.why or each.what_happened) for each in trusted), root)
    right = _right(traces, root)
    said = why or f"`{pattern.action}` is refused by {pattern.reason or 'a rule'}"
    told = _sentence(said)
    if right and right not in said:
        told += f" {_sentence(right)}"
    told += f" This was refused {pattern.count} times before: do not try it in another way."
    return told if len(told) <= most else f"{told[: most - 1]}…"


def dump_proposal(proposal: Proposal) -> dict[str, Any]:
    """A proposal as JSON."""
    return {
        "guard": dump_guard(proposal.guard),
        "pattern": plain(proposal.pattern),
        "why": proposal.why,
    }


def guard_id(pattern: LearnedPattern) -> str:
    """A short name that is always the same for the same pattern."""
    words = _UNSAFE.sub("-", pattern.action.lower()).strip("-")[:40] or "guard"
    return f"{words}-{pattern.key.rpartition('-')[2][:6]}"


def _guard(
    pattern: LearnedPattern,
    traces: Sequence[Trace],
    event: GuardEvent,
    must: Sequence[Example],
    known: Surroundings,
    learning: Learning,
) -> Guard | None:
    unless = tuple(learning.unless.get(pattern.reason, ()))
    if event in STOPS and not unless:
        return None  # nobody could ever stop again
    roles = {each.role for each in must}
    case = Case(
        agent=pattern.agent,
        role=roles.pop() if len(roles) == 1 else "",
        unless=unless,
        # The words of a command say how it was done, not what was wrong with it.
        about=pattern.reason
        if pattern.action.startswith("run:")
        else f"{pattern.action} {pattern.reason}",
    )
    allowed = [] if event in STOPS else nearest(must, list(_here(known, pattern)), [known.root])
    base = Guard(
        id=guard_id(pattern),
        event=event,
        matcher=LearnedMatcher(),
        message=message_of(pattern, traces, known.root, learning.proposals.most_message),
        must=tuple(must),
        scope=pattern.scope,
        pattern=pattern.key,
        evidence=tuple(each.id for each in traces if each.source in TRUSTED),
    )
    actions = [action_from(event, each) for each in must]
    told = [(past, action_from(event, past.example)) for past in allowed]
    for matcher in matchers(actions, case, learning.proposals):
        made = _tried(replace(base, matcher=matcher), told, learning.proposals.most_must_not)
        if made is not None:
            return made
    return None


def _tried(guard: Guard, allowed: Sequence[tuple[PastAction, Action]], most: int) -> Guard | None:
    """The guard with what it must not meet; nothing when it would meet what is harmless."""
    made = compiled(guard)
    loose = {key: value for key, value in made.items() if key != "contains"}
    spared: list[Example] = []
    for past, action in allowed:
        if meets(made, action) and not guard.matcher.unless:
            return None
        # Of a text that was not kept nobody knows whether it was one of these.
        if not meets(made if past.whole else loose, action):
            spared.append(past.example)
    # Where a fact makes a call right, the same call with that fact is the nearest of all.
    facts = [replace(each, facts=guard.matcher.unless) for each in guard.must[:1]]
    facts = facts if guard.matcher.unless else []
    whole = replace(guard, must_not=(*facts, *spared)[:most])
    try:
        check_breadth(whole)
    except BadInput:
        return None
    return None if failing(whole) or probe(whole) else whole


def _known_already(
    pattern: LearnedPattern, records: Sequence[GuardRecord], learning: Learning, now: datetime
) -> SkippedPattern | None:
    if pattern.reason.startswith(GUARD):
        why = f"The guard `{pattern.reason.removeprefix(GUARD)}` refuses it already."
        return SkippedPattern(pattern=pattern, why=why, known=True)
    for record in records:
        if record.guard.pattern != pattern.key and record.id != guard_id(pattern):
            continue
        if record.standing not in GONE:
            why = f"The guard `{record.id}` is there ({record.standing})."
            return SkippedPattern(pattern=pattern, why=why, known=True)
        again = record.current.since + timedelta(days=learning.proposals.again_days)
        if now < again:
            why = (
                f"The guard `{record.id}` was taken back; it is left alone until {again:%Y-%m-%d}."
            )
            return SkippedPattern(pattern=pattern, why=why, known=True)
    return None


def _covering(must: Sequence[Example], guards: Iterable[Guard], event: str) -> Guard | None:
    actions = [(action_from(event, each), each.facts) for each in must]
    for guard in guards:
        made = compiled(guard)
        if event in made["events"] and all(meets(made, action) for action, _ in actions):
            return guard
    return None


def _here(known: Surroundings, pattern: LearnedPattern) -> Iterator[PastAction]:
    """The history that counts: of the project, or all of it for a universal pattern."""
    root = known.root.rstrip("/")
    for past in known.history:
        inside = not past.cwd or past.cwd == root or past.cwd.startswith(f"{root}/")
        if pattern.scope == "universal" or not root or inside:
            yield past


def _alike(must: Sequence[Example], learning: Learning) -> list[tuple[Example, ...]]:
    """All the calls together, or else those of the tools that were used most."""
    kinds: dict[str, list[Example]] = {}
    for each in must:
        kinds.setdefault(kind_of(each.tool), []).append(each)
    most = max(kinds.values(), key=len)
    whole = tuple(must)
    if len(kinds) == 1 or len(most) < learning.proposals.least_examples:
        return [whole]
    return [whole, tuple(most)]


def _different(event: str) -> int:
    """How many different calls there can be: one stop of an agent is like the other."""
    return 1 if event in STOPS else 1000


def _right(traces: Sequence[Trace], root: str) -> str:
    """What people and rules said is right; what agents wrote down is no instruction."""
    trusted = (each for each in traces if each.source in TRUSTED)
    return _usual(((each, each.what_was_correct) for each in trusted), root)


def _usual(told: Iterable[tuple[Trace, str]], root: str) -> str:
    """The text that is told most often, with `*` for what differs from case to case."""
    texts = sorted(_general(trace, text, root) for trace, text in told if text.strip())
    if not texts:
        return ""
    lengths = Counter(len(each.split()) for each in texts)
    usual = min(lengths, key=lambda length: (-lengths[length], length))
    words = [each.split() for each in texts if len(each.split()) == usual]
    shared = [common_word(each) for each in zip(*words, strict=True)]
    if sum(each == "*" for each in shared) * 3 > len(shared):
        counted = Counter(texts)  # these are different sentences
        return min(counted, key=lambda each: (-counted[each], each))
    return " ".join(shared)


def _general(trace: Trace, text: str, root: str) -> str:
    """What was said about one case, without its feature and without folders of a machine."""
    plain = without_roots(text, roots_of(trace, root))
    if trace.feature:
        plain = plain.replace(f"`{trace.feature}`", "the feature")
    return plain


def _sentence(text: str) -> str:
    return text if text[-1:] in ".!?…" else f"{text}."
