"""One run of learning: what repeats, what could be done about it, and how well learning goes.

Nothing is changed here. A run reads the graph, the guards and what happened, and gives back values:
patterns, a few proposals, changes of prompts, and the report. Writing proposals down, trying them
and letting them block are steps of their own, each taken by somebody.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from paige.base.errors import PaigeError
from paige.guard.fast.place import Place
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import Group, Trace
from paige.guard.guards.files import read_records
from paige.guard.guards.history import read_history
from paige.guard.learning.learning_queries import Note, count_retrievals, notes_of
from paige.guard.learning.metrics import (
    Success,
    Window,
    compare,
    dump_success,
    first_production,
    split,
)
from paige.guard.learning.observing import ATTEMPT, CLOSED, attempt_of, seen_in
from paige.guard.learning.patterns import (
    COUNTED,
    Pattern,
    dump_pattern,
    find_patterns,
    pattern_words,
)
from paige.guard.learning.prompt_files import agent_files, prompt_records
from paige.guard.learning.prompts import Lesson, PromptChange, dump_change, propose_changes
from paige.guard.learning.proposing import (
    Known,
    Proposal,
    Proposed,
    Skipped,
    dump_proposal,
    propose,
)
from paige.guard.learning.reporting import Report, dump_report, make_report
from paige.guard.learning.settings import Learning, read_learning, shipped_learning
from paige.guard.state.features import read_features
from paige.memory.intake.project_identity import identify

MOST_PATTERNS = 200  # weaker ones come into view when the stronger ones are dealt with


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What a run found."""

    patterns: tuple[Pattern, ...]
    proposals: tuple[Proposal, ...]
    skipped: tuple[Skipped, ...]
    prompts: tuple[PromptChange, ...]
    report: Report


def known(place: Place, graph: ContextGraph | None = None) -> Known:
    """What is there at a place. Raises: PaigeError where guards cannot be read."""
    home = Path(place.home) if place.home else None
    identity = identify(Path(place.root), home=home, apart=place.apart)
    return Known(
        records=read_records(place),
        history=read_history(place, graph),
        root=place.root,
        project="" if identity is None else identity.id,
        agents=agent_files(place.root),
        tested=_tested(place.root),
        learning=read_learning(place),
    )


def learn(graph: ContextGraph, guards: Known, now: datetime) -> Learned:
    """Patterns, proposals, changes of prompts and the report, from what is known now."""
    settings = guards.learning or shipped_learning()
    groups = graph.groups(None, now - timedelta(days=settings.patterns.days))
    found = [
        (replace(pattern, traces=tuple(each.id for each in traces)), traces)
        for pattern in _strongest(find_patterns(groups, settings.patterns, now), guards.project)
        for traces in [_cases(graph, pattern, settings)]
    ]
    # What another project's agents do is no reason for a guard here.
    mine = [(p, t) for p, t in found if p.scope == "universal" or p.project == guards.project]
    proposed = propose(mine, guards, settings, now)
    return Learned(
        patterns=tuple(pattern for pattern, _ in found),
        proposals=proposed.proposals,
        skipped=proposed.skipped,
        prompts=_prompt_changes(proposed, guards, settings),
        report=report_of(graph, guards, now, groups),
    )


def report_of(
    graph: ContextGraph, guards: Known, now: datetime, groups: Sequence[Group] | None = None
) -> Report:
    """The checklist of anti-patterns with its numbers, for a project or for all of them."""
    limits = (guards.learning or shipped_learning()).report
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


def success(graph: ContextGraph, guards: Known, now: datetime) -> Success:
    """The success metrics, compared at the moment the first guard began to block.

    Without such a moment the last days are compared with those before them.
    """
    settings = guards.learning or shipped_learning()
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


def learned_lines(learned: Learned) -> list[str]:
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


def dump_learned(learned: Learned) -> dict[str, Any]:
    """A run as JSON."""
    return {
        "patterns": [dump_pattern(each) for each in learned.patterns],
        "proposals": [dump_proposal(each) for each in learned.proposals],
        "skipped": [
            {"pattern": each.pattern.key, "why": each.why, "known": each.known}
            for each in learned.skipped
        ],
        "prompts": [dump_change(each) for each in learned.prompts],
        "report": dump_report(learned.report),
    }


def dump_metrics(found: Success) -> dict[str, Any]:
    """The success metrics as JSON."""
    return dump_success(found)


def _strongest(patterns: Sequence[Pattern], project: str) -> Sequence[Pattern]:
    """The patterns of a project and the universal ones; all of them where there is no project."""
    mine = [each for each in patterns if not project or each.project in ("", project)]
    return mine[:MOST_PATTERNS]


def _cases(graph: ContextGraph, pattern: Pattern, learning: Learning) -> tuple[Trace, ...]:
    cases = graph.samples(
        **pattern.kind._asdict(),
        project=pattern.project if pattern.scope == "project" else None,
        limit=learning.patterns.most_traces,
    )
    return tuple(each for each in cases if each.type in COUNTED)


def _prompt_changes(
    proposed: Proposed, guards: Known, learning: Learning
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


def _with(window: Window, closed: Sequence[Note], prompts: dict[str, str]) -> Window:
    features = {each.feature or str(number) for number, each in enumerate(closed)}
    return replace(window, closed=len(features), prompts=prompts or None)


def _first_texts(guards: Known) -> dict[str, str]:
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
