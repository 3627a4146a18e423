"""What a person or an agent can do with learned guards, whichever door they come through.

Only a person may let a guard watch, block or go: a command that an agent's shell starts refuses by
itself. A guard that an agent asks for is a proposal. Secrets in examples are left out.
"""

import json
from dataclasses import replace
from difflib import unified_diff
from pathlib import Path
from typing import Any

from paige.app import guards as staged_guards
from paige.app import learning
from paige.app.application import App
from paige.app.guards import GuardList, ListedGuard, OneTimePass, place_for
from paige.app.learning import LearningResult
from paige.app.memory_use import open_graph
from paige.base.secrets import redact
from paige.base.tokens import count_tokens_bound
from paige.doors.frame.console import person
from paige.doors.frame.operations import Subject
from paige.doors.guard.learned_values import (
    GuardProposal,
    GuardProposed,
    LearnedAct,
    LearnedExample,
    LearnedGuard,
    LearnedGuards,
    LearnedHit,
    LearnedId,
    LearnedLessons,
    LearnedMove,
    LearnedPrompt,
    LearnedProposal,
    LearnedReplay,
    LearnedStep,
    LearnedTrial,
    LearnRequest,
    PatternsRequest,
    PromptMove,
    PromptsRequest,
)
from paige.guard.graph.values import BUDGETS
from paige.guard.guards.files import home_of
from paige.guard.guards.values import STANDINGS, Example, Guard, GuardRecord, PastAction, Trial
from paige.guard.learning.keep_or_change import Judgement
from paige.guard.learning.learning import Findings, dump_learned, known, learn, success
from paige.guard.learning.metrics import LearnedMetrics
from paige.guard.learning.report import Report
from paige.guard.learning.settings import read_learning
from paige.guard.messages import GuardChanged
from paige.guard.tools import changes_of, command_of
from paige.memory.lifecycle.staged import Step

PERSON = "person (web)"
MOST_HITS = 50
_MOST_TEXT = 2000
# What is left out of a long answer, the least needed first.
_LESS = ("report", "prompts", "skipped", "proposals")
GUARDS = Subject("guards", needs="guard")
HERE = Subject("guards")
"""For whoever sits at this machine."""


def _moved(_: object, made: LearnedGuard | GuardProposed | None) -> GuardChanged | None:
    return made and GuardChanged(part="guards", ids=[made.id])


# --- looking -------------------------------------------------------------------------------------


@GUARDS.read
def guards(app: App) -> LearnedGuards:
    """List every guard with its stage, its trials and what was seen of it."""
    found = staged_guards.listed(app)
    place = place_for(app)
    return LearnedGuards(
        guards=tuple(map(guard_of, found.guards)),
        problems=found.problems,
        promote=read_learning(place).promotion.promote,
        folder=str(home_of(place)),
    )


@GUARDS.read
def guard(app: App, given: LearnedId) -> LearnedGuard:
    """Show one guard. Raises: NotFound, BadInput."""
    return guard_of(staged_guards.record(app, given.id))


@GUARDS.read
def try_out(app: App, given: LearnedId) -> LearnedGuard:
    """Try a guard on its examples, on harmless actions and on the past; nothing moves.

    Raises: NotFound, BadInput.
    """
    tried = staged_guards.try_out(app, given.id)
    judged = staged_guards.judgement(app, given.id)
    shown = guard_of(staged_guards.record(app, given.id))
    return replace(shown, trial=trial_of(tried, judged))


@GUARDS.read
def lessons(app: App) -> LearnedLessons:
    """Show patterns, proposals and the report on how well learning works."""
    return lessons_of(_learned(app))


@GUARDS.read
def metrics(app: App) -> LearnedMetrics:
    """Compare the success metrics before and after the first guard blocked."""
    graph = open_graph(app)
    return success(graph, known(place_for(app), graph), app.now())


# --- moving --------------------------------------------------------------------------------------


@GUARDS.change(announces=_moved)
def shadow(app: App, given: LearnedMove) -> LearnedGuard:
    """Let a proposal watch. Raises: NotFound, BadInput, Conflict, Refused."""
    staged_guards.shadow(app, given.id, why=given.why, by=_who(app), force=given.force)
    return guard_of(staged_guards.record(app, given.id))


@GUARDS.change(announces=_moved)
def promote(app: App, given: LearnedMove) -> LearnedGuard:
    """Let a guard block. Raises: NotFound, BadInput, Conflict, Refused."""
    staged_guards.promote(app, given.id, why=given.why, by=_who(app), force=given.force)
    return guard_of(staged_guards.record(app, given.id))


@GUARDS.change(announces=_moved)
def roll_back(app: App, given: LearnedAct) -> LearnedGuard:
    """Take a guard back. Raises: NotFound, BadInput, Conflict."""
    staged_guards.roll_back(app, given.id, why=given.why, by=_who(app))
    return guard_of(staged_guards.record(app, given.id))


def _who(app: App) -> str:
    """Who takes a step, as its guard's file keeps it. Raises: Refused for an agent's shell."""
    return person() if app.at_machine else PERSON


# --- for agents ----------------------------------------------------------------------------------


@GUARDS.read
def extract_patterns(app: App, given: PatternsRequest) -> dict[str, Any]:
    """What keeps happening, and which guards could stop it. Raises: PaigeError."""
    return within(dump_learned(_learned(app)), given.limit, BUDGETS["full"])


@GUARDS.change(announces=_moved)
def create_guard(app: App, given: GuardProposal) -> GuardProposed:
    """Propose a guard. Raises: BadInput, NotFound, Conflict, Refused."""
    made = staged_guards.create_from(app, pattern=given.pattern, guard=given.guard, why=given.why)
    return GuardProposed(
        id=made.id,
        stage=made.current.stage,
        message=made.guard.message,
        blocks=made.blocking is not None,
        next=f"It decides nothing yet; a person runs `paige guard shadow {made.id}`.",
    )


def within(learned: dict[str, Any], limit: int, budget: int) -> dict[str, Any]:
    """What was learned, in at most so many tokens: the first patterns stay longest."""
    patterns = learned.get("patterns", [])
    found = {**learned, "patterns": patterns[:limit], "left_off": len(patterns[limit:])}
    for name in _LESS:
        if _cost(found) <= budget:
            return found
        found = {**found, name: type(found.get(name, []))()}
    while found["patterns"] and _cost(found) > budget:
        found = {
            **found, "patterns": found["patterns"][:-1], "left_off": found["left_off"] + 1,
        }  # fmt: skip
    return found


def _cost(value: object) -> int:
    return count_tokens_bound(json.dumps(value, ensure_ascii=False, default=str))


def _learned(app: App) -> Findings:
    graph = open_graph(app)
    return learn(graph, known(place_for(app), graph), app.now())


# --- for whoever sits at this machine ------------------------------------------------------------


@HERE.read
def listed(app: App) -> GuardList:
    """Every guard with what hooks noted of it."""
    return staged_guards.listed(app)


@HERE.read
def record(app: App, given: LearnedId) -> ListedGuard:
    """One guard with what hooks noted of it. Raises: NotFound, BadInput."""
    return staged_guards.record(app, given.id)


@HERE.read
def replay(app: App, given: LearnedId) -> Trial:
    """What a guard does on its examples, on harmless actions and on history. Raises: NotFound."""
    return staged_guards.try_out(app, given.id)


@HERE.change(announces=lambda _, done: done and GuardChanged(part="guards", ids=[done.guard]))
def override(app: App, given: LearnedAct) -> OneTimePass:
    """Let what a guard refused pass once, soon. Raises: NotFound, BadInput, Refused."""
    return staged_guards.override(app, given.id, why=given.why, by=_who(app))


@HERE.change(
    announces=lambda given, _: GuardChanged(part="guards", ids=[]) if given.apply else None
)
def study(app: App, given: LearnRequest) -> tuple[Findings, LearningResult | None]:
    """Learn from everything that happened; what is proposed may be written down."""
    by = _who(app) if given.apply else ""
    run = learning.run(app)
    return run.learned, learning.apply(app, run, by=by) if given.apply else None


@HERE.read
def report(app: App) -> tuple[Report, LearnedMetrics]:
    """The checklist of anti-patterns, and the success metrics."""
    return learning.reported(app)


@HERE.read
def prompts(app: App, given: PromptsRequest) -> list[dict[str, Any]]:
    """The changes of prompts that are being tried, as JSON. Raises: NotFound."""
    return learning.prompt_rows(app, given.agent)


@HERE.change(announces=lambda *_: GuardChanged(part="guards", ids=[]))
def move_prompt(app: App, given: PromptMove) -> Path:
    """Apply, confirm or withdraw the change of an agent's prompt.

    Raises: NotFound, Conflict, Refused, Unavailable.
    """
    by = _who(app)
    return learning.move_prompt_of(app, given.agent, given.how, by=by, why=given.why)


# --- what is shown -------------------------------------------------------------------------------


def guard_of(seen: ListedGuard) -> LearnedGuard:
    """A guard and where it stands."""
    record, guard = seen.record, seen.record.guard
    current = record.current
    return LearnedGuard(
        id=record.id,
        standing=record.standing,
        since=current.since,
        version=current.version,
        event=guard.event,
        decision=guard.decision,
        scope=guard.scope,
        message=redact(guard.message),
        pattern=guard.pattern,
        evidence=guard.evidence,
        matcher=guard.matcher,
        must=tuple(map(example_of, guard.must)),
        must_not=tuple(map(example_of, guard.must_not)),
        shadow=seen.shadowed,
        trial=kept_trial(record),
        history=history_of(record),
    )


def history_of(record: GuardRecord) -> tuple[LearnedStep, ...]:
    """Every step of every version that is a guard, the oldest first."""
    steps = [
        (version.version, step)
        for version in record.lineage.versions
        if version.value is not None
        for step in version.history
    ]
    return tuple(
        LearnedStep(
            version=version,
            stage=STANDINGS[step.stage],
            at=step.at,
            why=redact(step.reason),
            by=str(step.metrics.get("by", "")),
            forced=step.metrics.get("forced") is True,
        )
        for version, step in sorted(steps, key=lambda each: each[1].at)
    )


def kept_trial(record: GuardRecord) -> LearnedTrial | None:
    """The numbers of the last trial that was kept with a step; nothing when there was none."""
    history = record.current.history
    kept = next((each for each in reversed(history) if "replayed" in each.metrics), None)
    if kept is None:
        return None
    harmless = _number(kept, "harmless")
    return LearnedTrial(
        sound=harmless == 0,
        faults=(),
        probed=_number(kept, "probed"),
        benign=0,  # no step is taken with a guard that meets one of these
        benign_hits=(),
        replay=LearnedReplay(
            actions=_number(kept, "replayed"),
            already=_number(kept, "already"),
            corrected=_number(kept, "corrected"),
            harmless=harmless,
            unclear=_number(kept, "unclear"),
            hits=(),
        ),
        answers=(),
    )


def trial_of(tried: Trial, judged: Judgement) -> LearnedTrial:
    """What a guard was tried on just now."""
    past = tried.replay
    return LearnedTrial(
        sound=tried.sound,
        faults=tuple(redact(each) for each in tried.faults),
        probed=tried.probed,
        benign=len(tried.benign),
        benign_hits=tuple(map(hit_of, tried.benign[:MOST_HITS])),
        replay=LearnedReplay(
            actions=past.actions,
            already=len(past.already),
            corrected=len(past.corrected),
            harmless=len(past.harmless),
            unclear=len(past.unclear),
            hits=tuple(map(hit_of, past.harmless[:MOST_HITS])),
        ),
        answers=judged.answers,
    )


def hit_of(past: PastAction) -> LearnedHit:
    """An action of the history or of the benign list."""
    return LearnedHit(
        id=past.id,
        at=past.at,
        tool=past.example.tool,
        text=text_of(past.example),
        decision=past.decision,
        rule=past.rule,
    )


def example_of(example: Example) -> LearnedExample:
    """One action a guard must meet, or must not."""
    return LearnedExample(
        tool=example.tool,
        agent=example.agent,
        role=example.role,
        text=text_of(example),
        facts=example.facts,
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


def lessons_of(learned: Findings) -> LearnedLessons:
    """Patterns, what could be made of them, and how well learning works."""
    return LearnedLessons(
        patterns=learned.patterns,
        proposals=tuple(_proposal(each.guard, each.why) for each in learned.proposals),
        prompts=tuple(
            LearnedPrompt(
                agent=each.agent,
                file=each.file,
                diff=redact(_diff(each.old, each.new)),
                why=redact(each.why),
                tokens=each.tokens,
            )
            for each in learned.prompts
        ),
        report=learned.report.rows,
    )


def _proposal(guard: Guard, why: str) -> LearnedProposal:
    return LearnedProposal(
        id=guard.id,
        pattern=guard.pattern,
        why=redact(why),
        message=redact(guard.message),
        matcher=guard.matcher,
        must=tuple(map(example_of, guard.must)),
        must_not=tuple(map(example_of, guard.must_not)),
    )


def _diff(old: str, new: str) -> str:
    return "\n".join(unified_diff(old.splitlines(), new.splitlines(), lineterm="", n=2))


def _number(step: Step, name: str) -> int:
    value = step.metrics.get(name)
    return value if isinstance(value, int) else 0
