"""From learned guards and lessons to what the REST API sends. Secrets in examples are left out."""

import json
from collections.abc import Mapping
from difflib import unified_diff
from typing import Any

from paige.app import guards
from paige.app.application import App
from paige.app.guards import Seen
from paige.base.secrets import redact
from paige.guard.graph.graph import ContextGraph
from paige.guard.guards.files import home_of
from paige.guard.guards.values import STANDINGS, Example, Guard, GuardRecord, Matcher, Past, Tried
from paige.guard.learning.keeping import Judgement
from paige.guard.learning.learning import Learned, known, learn, success
from paige.guard.learning.metrics import Metric, Success
from paige.guard.learning.settings import read_learning
from paige.guard.tools import changes_of, command_of
from paige.memory.lifecycle.staged import Step
from paige.server import guards_wire as wire

PERSON = "person (web)"
MOST_HITS = 50
_MOST_TEXT = 2000
_UNITS: Mapping[str, Any] = {"Rule compliance": "share", "Agent prompt size": "tokens"}


class GuardsViews:
    """Learned guards with answers as they are sent; it reads files, so it is used in a thread."""

    def __init__(self, app: App) -> None:
        self._app = app

    def guards(self) -> wire.LearnedGuards:
        """Every guard."""
        found = guards.listed(self._app)
        place = guards.place_for(self._app)
        return wire.LearnedGuards(
            guards=[guard_of(each) for each in found.guards],
            problems=list(found.problems),
            promote=read_learning(place).promotion.promote,
            folder=str(home_of(place)),
        )

    def guard(self, id: str) -> wire.LearnedGuard:
        """One guard. Raises: NotFound, BadInput."""
        return guard_of(guards.record(self._app, id))

    def try_out(self, id: str) -> wire.LearnedGuard:
        """A guard with a fresh trial; nothing moves. Raises: NotFound, BadInput."""
        tried = guards.try_out(self._app, id)
        judged = guards.judgement(self._app, id)
        return self.guard(id).model_copy(update={"trial": trial_of(tried, judged)})

    def shadow(self, id: str, asked: wire.LearnedMove) -> wire.LearnedGuard:
        """Let a proposal watch. Raises: NotFound, BadInput, Conflict, Refused."""
        guards.shadow(self._app, id, why=asked.why, by=PERSON, force=asked.force)
        return self.guard(id)

    def promote(self, id: str, asked: wire.LearnedMove) -> wire.LearnedGuard:
        """Let a guard block. Raises: NotFound, BadInput, Conflict, Refused."""
        guards.promote(self._app, id, why=asked.why, by=PERSON, force=asked.force)
        return self.guard(id)

    def roll_back(self, id: str, asked: wire.LearnedAct) -> wire.LearnedGuard:
        """Take a guard back. Raises: NotFound, BadInput, Conflict."""
        guards.roll_back(self._app, id, why=asked.why, by=PERSON)
        return self.guard(id)

    def lessons(self) -> wire.LearnedLessons:
        """Patterns, proposals and the report."""
        graph = self._graph()
        place = guards.place_for(self._app)
        return lessons_of(learn(graph, known(place, graph), self._app.now()))

    def metrics(self) -> wire.LearnedMetrics:
        """The success metrics, before and after."""
        graph = self._graph()
        place = guards.place_for(self._app)
        return metrics_of(success(graph, known(place, graph), self._app.now()))

    def _graph(self) -> ContextGraph:
        return ContextGraph(self._app.database, self._app.actor, self._app.now)


def guard_of(seen: Seen) -> wire.LearnedGuard:
    """A guard and where it stands."""
    record, guard = seen.record, seen.record.guard
    current = record.current
    return wire.LearnedGuard(
        id=record.id,
        standing=record.standing,
        since=current.since,
        version=current.version,
        event=guard.event,
        decision=guard.decision,
        scope=guard.scope,
        message=redact(guard.message),
        pattern=guard.pattern,
        evidence=list(guard.evidence),
        matcher=matcher_of(guard.matcher),
        must=[example_of(each) for each in guard.must],
        must_not=[example_of(each) for each in guard.must_not],
        shadow=wire.LearnedShadow.model_validate(seen.shadowed),
        trial=kept_trial(record),
        history=history_of(record),
    )


def history_of(record: GuardRecord) -> list[wire.LearnedStep]:
    """Every step of every version that is a guard, the oldest first."""
    steps = [
        (version.version, step)
        for version in record.lineage.versions
        if version.value is not None
        for step in version.history
    ]
    return [
        wire.LearnedStep(
            version=version,
            stage=STANDINGS[step.stage],
            at=step.at,
            why=redact(step.reason),
            by=str(step.metrics.get("by", "")),
            forced=step.metrics.get("forced") is True,
        )
        for version, step in sorted(steps, key=lambda each: each[1].at)
    ]


def kept_trial(record: GuardRecord) -> wire.LearnedTrial | None:
    """The numbers of the last trial that was kept with a step; nothing when there was none."""
    history = record.current.history
    kept = next((each for each in reversed(history) if "replayed" in each.metrics), None)
    if kept is None:
        return None
    harmless = _number(kept, "harmless")
    return wire.LearnedTrial(
        sound=harmless == 0,
        faults=[],
        probed=_number(kept, "probed"),
        benign=0,  # no step is taken with a guard that meets one of these
        benign_hits=[],
        replay=wire.LearnedReplay(
            actions=_number(kept, "replayed"),
            already=_number(kept, "already"),
            corrected=_number(kept, "corrected"),
            harmless=harmless,
            unclear=_number(kept, "unclear"),
            hits=[],
        ),
        answers=[],
    )


def trial_of(tried: Tried, judged: Judgement) -> wire.LearnedTrial:
    """What a guard was tried on just now."""
    past = tried.replay
    return wire.LearnedTrial(
        sound=tried.sound,
        faults=[redact(each) for each in tried.faults],
        probed=tried.probed,
        benign=len(tried.benign),
        benign_hits=[hit_of(each) for each in tried.benign[:MOST_HITS]],
        replay=wire.LearnedReplay(
            actions=past.actions,
            already=len(past.already),
            corrected=len(past.corrected),
            harmless=len(past.harmless),
            unclear=len(past.unclear),
            hits=[hit_of(each) for each in past.harmless[:MOST_HITS]],
        ),
        answers=[wire.LearnedAnswer.model_validate(each) for each in judged.answers],
    )


def hit_of(past: Past) -> wire.LearnedHit:
    """An action of the history or of the benign list."""
    return wire.LearnedHit(
        id=past.id,
        at=past.at,
        tool=past.example.tool,
        text=text_of(past.example),
        decision=past.decision,
        rule=past.rule,
    )


def matcher_of(matcher: Matcher) -> wire.LearnedMatcher:
    """What a guard is about."""
    return wire.LearnedMatcher.model_validate(matcher)


def example_of(example: Example) -> wire.LearnedExample:
    """One action a guard must meet, or must not."""
    return wire.LearnedExample(
        tool=example.tool,
        agent=example.agent,
        role=example.role,
        text=text_of(example),
        facts=list(example.facts),
    )


def text_of(example: Example) -> str:
    """What an action does: its command, its files and texts, or all of its input."""
    given = dict(example.input)
    if not example.tool:
        return "stop"
    command = command_of(example.tool, given)
    if command:
        return redact(command)[:_MOST_TEXT]
    changed = [f"{each.path}\n{each.text}".rstrip() for each in changes_of(example.tool, given)]
    text = "\n".join(changed) or json.dumps(given, ensure_ascii=False)
    return redact(text)[:_MOST_TEXT]


def lessons_of(learned: Learned) -> wire.LearnedLessons:
    """Patterns, what could be made of them, and how well learning works."""
    return wire.LearnedLessons(
        patterns=[wire.LearnedPattern.model_validate(each) for each in learned.patterns],
        proposals=[_proposal(each.guard, each.why) for each in learned.proposals],
        prompts=[
            wire.LearnedPrompt(
                agent=each.agent,
                file=each.file,
                diff=redact(_diff(each.old, each.new)),
                why=redact(each.why),
                tokens=each.tokens,
            )
            for each in learned.prompts
        ],
        report=[wire.LearnedSign.model_validate(each) for each in learned.report.rows],
    )


def metrics_of(found: Success) -> wire.LearnedMetrics:
    """The success metrics."""
    return wire.LearnedMetrics(
        since=found.moment,
        sessions_before=found.sessions_before,
        sessions_after=found.sessions_after,
        metrics=[_metric(each) for each in found.rows],
    )


def _proposal(guard: Guard, why: str) -> wire.LearnedProposal:
    return wire.LearnedProposal(
        id=guard.id,
        pattern=guard.pattern,
        why=redact(why),
        message=redact(guard.message),
        matcher=matcher_of(guard.matcher),
        must=[example_of(each) for each in guard.must],
        must_not=[example_of(each) for each in guard.must_not],
    )


def _metric(metric: Metric) -> wire.LearnedMetric:
    return wire.LearnedMetric(
        name=metric.name,
        how=metric.how,
        unit=_UNITS.get(metric.name, ""),
        before=metric.before,
        after=metric.after,
        target=metric.target,
        better=metric.better,
        met=metric.met,
    )


def _diff(old: str, new: str) -> str:
    return "\n".join(unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2))


def _number(step: Step, name: str) -> int:
    value = step.metrics.get(name)
    return value if isinstance(value, int) else 0
