"""One run of learning: what repeats, what could be done about it, and how well learning goes.

Nothing is changed here. A run reads the graph, the guards and what happened, and gives back values:
patterns, a few proposals, changes of prompts, and the report. Writing proposals down, trying them
and letting them block are steps of their own, each taken by somebody.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from paige.base.errors import PaigeError
from paige.base.wire import plain
from paige.guard.fast.place import Place
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.queries import count_retrievals, notes_of
from paige.guard.graph.values import Group, Trace
from paige.guard.guards.files import read_records
from paige.guard.guards.history import read_history
from paige.guard.guards.values import GuardRecord, PastAction
from paige.guard.learning.calls import STOPS
from paige.guard.learning.metrics import (
    Attempt,
    LearnedMetrics,
    Window,
    compare,
    first_production,
    split,
)
from paige.guard.learning.patterns import (
    COUNTED,
    LearnedPattern,
    find_patterns,
    pattern_words,
)
from paige.guard.learning.prompt_files import agent_files, prompt_records
from paige.guard.learning.prompts import Lesson, PromptChange, propose_changes
from paige.guard.learning.proposals import (
    Proposal,
    ProposalRun,
    SkippedPattern,
    Surroundings,
    dump_proposal,
    propose,
)
from paige.guard.learning.report import Reflection, Report, ReportFacts, dump_report, make_report
from paige.guard.learning.settings import Learning, ReportLimits, read_learning
from paige.guard.state.features import read_features
from paige.memory.intake.project_identity import identify

ATTEMPT, CLOSED = "attempt", "close-feature"


def seen_in(
    groups: Iterable[Group], notes: Sequence[Trace], guards: Surroundings, limits: ReportLimits
) -> ReportFacts:
    """What the report is made of, from groups, notes and what is known. Pure."""
    wrong = [each for each in groups if each.type in COUNTED]
    attempts = [attempt_of(each) for each in notes if each.action == ATTEMPT]
    refused = sum(
        each.count for each in wrong if each.type == "violation" and each.action in limits.claims
    )
    claimed = [each for each in attempts if each.claimed]
    upheld = max(sum(each.verified for each in claimed), guards.tested)
    failed = sum(not each.verified for each in claimed)
    mistakes: dict[tuple[str, str], int] = {}
    for each in wrong:
        key = (each.project, each.session)
        mistakes[key] = mistakes.get(key, 0) + each.count
    return ReportFacts(
        approaches=(*approaches_of(attempts), *(switches_of(each) for each in guards.records)),
        mistakes=tuple(mistakes.values()),
        reflections=tuple(_reflection(each) for each in notes if each.action != ATTEMPT),
        claims=refused + failed + upheld,
        refuted=refused + failed,
        idle=tuple(idle_runs(guards.history)),
    )


def approaches_of(attempts: Iterable[Attempt]) -> list[tuple[str, ...]]:
    """The ways that were tried for each feature, in order."""
    found: dict[str, list[str]] = {}
    for each in sorted(attempts, key=lambda attempt: attempt.at):
        if each.feature and each.approach:
            found.setdefault(each.feature, []).append(each.approach)
    return [tuple(each) for each in found.values()]


def switches_of(record: GuardRecord) -> tuple[str, ...]:
    """When a guard was switched on and off again, in order."""
    steps = sorted(
        (step.at, step.stage)
        for version in record.lineage.versions
        if version.value is not None
        for step in version.history
        if step.stage in ("production", "rolled_back")
    )
    return tuple(stage for _, stage in steps)


def idle_runs(history: Iterable[PastAction]) -> list[int]:
    """For each session with a refused stop: the longest run of them without a call between."""
    running: dict[str, int] = {}
    longest: dict[str, int] = {}
    for past in history:
        if past.event in STOPS and not past.allowed:
            running[past.session] = running.get(past.session, 0) + 1
            longest[past.session] = max(longest.get(past.session, 0), running[past.session])
        elif past.example.tool:
            running[past.session] = 0
    # The first refusal is the guard's doing; what follows without a call is the agent's.
    return [each - 1 for each in longest.values()]


def attempt_of(note: Trace) -> Attempt:
    """An attempt out of what was noted about it; what is missing or odd counts as nothing."""
    meta = note.meta
    approach = meta.get("approach")
    return Attempt(
        at=note.at,
        feature=note.feature,
        session=note.session,
        approach=approach if isinstance(approach, str) else "",
        claimed=meta.get("claimed") is True,
        verified=meta.get("verified") is True,
    )


def _reflection(note: Trace) -> Reflection:
    text = " ".join((note.what_happened, note.what_was_correct, note.why)).strip()
    return Reflection(text=text, linked=bool(note.files or note.rule))


MOST_PATTERNS = 200  # weaker ones come into view when the stronger ones are dealt with


@dataclass(frozen=True, slots=True, kw_only=True)
class Findings:
    """What a run found."""

    patterns: tuple[LearnedPattern, ...]
    proposals: tuple[Proposal, ...]
    skipped: tuple[SkippedPattern, ...]
    prompts: tuple[PromptChange, ...]
    report: Report


def known(place: Place, graph: ContextGraph | None = None) -> Surroundings:
    """What is there at a place. Raises: PaigeError where guards cannot be read."""
    home = Path(place.home) if place.home else None
    identity = identify(Path(place.root), home=home, apart=place.apart)
    return Surroundings(
        records=read_records(place),
        history=read_history(place, graph),
        root=place.root,
        project="" if identity is None else identity.id,
        agents=agent_files(place.root),
        tested=_tested(place.root),
        learning=read_learning(place),
    )


def learn(graph: ContextGraph, guards: Surroundings, now: datetime) -> Findings:
    """Patterns, proposals, changes of prompts and the report, from what is known now."""
    settings = guards.learning
    groups = graph.groups(None, now - timedelta(days=settings.patterns.days))
    found = [
        (replace(pattern, traces=tuple(each.id for each in traces)), traces)
        for pattern in _strongest(find_patterns(groups, settings.patterns, now), guards.project)
        for traces in [_cases(graph, pattern, settings)]
    ]
    # What another project's agents do is no reason for a guard here.
    mine = [(p, t) for p, t in found if p.scope == "universal" or p.project == guards.project]
    proposed = propose(mine, guards, settings, now)
    return Findings(
        patterns=tuple(pattern for pattern, _ in found),
        proposals=proposed.proposals,
        skipped=proposed.skipped,
        prompts=_prompt_changes(proposed, guards, settings),
        report=report_of(graph, guards, now, groups),
    )


def report_of(
    graph: ContextGraph, guards: Surroundings, now: datetime, groups: Sequence[Group] | None = None
) -> Report:
    """The checklist of anti-patterns with its numbers, for a project or for all of them."""
    limits = guards.learning.report
    since = now - timedelta(days=limits.days)
    project = guards.project or None
    counted = graph.groups(project, since) if groups is None else groups
    with graph.db.of(graph.actor).transaction(write=False) as connection:
        retrievals = count_retrievals(
            connection, graph.actor, project, since, now - timedelta(hours=limits.grace_hours)
        )
        notes = notes_of(connection, graph.actor, project, since, (ATTEMPT, *limits.reflections))
    mine = [each for each in counted if each.last >= since and project in (None, each.project)]
    seen = replace(
        seen_in(mine, notes, guards, limits),
        stored=retrievals.stored,
        retrieved=retrievals.retrieved,
    )
    return make_report(seen, limits)


def success(graph: ContextGraph, guards: Surroundings, now: datetime) -> LearnedMetrics:
    """The success metrics, compared at the moment the first guard began to block.

    Without such a moment the last days are compared with those before them.
    """
    settings = guards.learning
    span = timedelta(days=settings.metrics.days)
    moment = first_production(guards.records) or now - span
    since = moment - span
    project = guards.project or None
    groups = graph.groups(project, since)
    with graph.db.of(graph.actor).transaction(write=False) as connection:
        notes = notes_of(connection, graph.actor, project, since, (ATTEMPT, CLOSED))
    attempts = [attempt_of(each) for each in notes if each.action == ATTEMPT]
    closed = [each for each in notes if each.action == CLOSED]
    before, after = split(groups, attempts, moment)
    now_texts = {name: file.text for name, file in guards.agents.items()}
    return compare(
        _with(before, [each for each in closed if each.at < moment], _first_texts(guards)),
        _with(after, [each for each in closed if each.at >= moment], now_texts),
        moment,
        settings.metrics,
        settings.report.claims,
    )


def learned_lines(learned: Findings) -> list[str]:
    """What a run found, as people read it."""
    lines = [f"{len(learned.patterns)} patterns, {len(learned.proposals)} proposals"]
    for pattern in learned.patterns:
        lines.append(f"  {pattern.weight:6.2f}  {pattern_words(pattern)}  [{pattern.scope}]")
    for proposal in learned.proposals:
        lines += [f"Guard `{proposal.guard.id}`: {proposal.guard.message}"]
    lines += [f"No guard for {each.pattern.key}: {each.why}" for each in learned.skipped]
    lines += [f"Prompt of {each.agent} ({each.tokens:+d} tokens): {each.why}"
              for each in learned.prompts]  # fmt: skip
    return lines


def dump_learned(learned: Findings) -> dict[str, Any]:
    """A run as JSON."""
    return {
        "patterns": plain(learned.patterns),
        "proposals": [dump_proposal(each) for each in learned.proposals],
        "skipped": [
            {"pattern": each.pattern.key, "why": each.why, "known": each.known}
            for each in learned.skipped
        ],
        "prompts": [{**plain(each), "tokens": each.tokens} for each in learned.prompts],
        "report": dump_report(learned.report),
    }


def _strongest(patterns: Sequence[LearnedPattern], project: str) -> Sequence[LearnedPattern]:
    """The patterns of a project and the universal ones; all of them where there is no project."""
    mine = [each for each in patterns if not project or each.project in ("", project)]
    return mine[:MOST_PATTERNS]


def _cases(graph: ContextGraph, pattern: LearnedPattern, learning: Learning) -> tuple[Trace, ...]:
    cases = graph.samples(
        **pattern.kind._asdict(),
        project=pattern.project if pattern.scope == "project" else None,
        limit=learning.patterns.most_traces,
    )
    return tuple(each for each in cases if each.type in COUNTED)


def _prompt_changes(
    proposed: ProposalRun, guards: Surroundings, learning: Learning
) -> tuple[PromptChange, ...]:
    lessons = [
        Lesson(each.pattern, each.words)
        for each in proposed.skipped
        if each.words and not each.known
    ]
    return propose_changes(
        lessons,
        guards.records,
        guards.agents,
        most=learning.proposals.most,
        most_tokens=learning.metrics.prompt_tokens,
    )


def _with(window: Window, closed: Sequence[Trace], prompts: dict[str, str]) -> Window:
    features = {each.feature or str(number) for number, each in enumerate(closed)}
    return replace(window, closed=len(features), prompts=prompts or None)


def _first_texts(guards: Surroundings) -> dict[str, str]:
    """The prompts as people wrote them; those that were never changed are as they are now."""
    texts = {name: file.text for name, file in guards.agents.items()}
    try:
        records = prompt_records(guards.root) if guards.root else {}
    except PaigeError:
        records = {}  # a broken record must not hide the other numbers
    texts |= {name: each.lineage.versions[0].value for name, each in records.items()}
    return texts


def _tested(root: str) -> int:
    try:
        return sum(each.tested for each in read_features(root) or ())
    except PaigeError:
        return 0  # a list that cannot be read proves nothing
