"""What a planner did, read from the trace of a run: skills, files, memory, checks, decisions.

Numbers first, then plain questions about them. A question that does not apply (no skills at hand,
nothing remembered) is passed and says so.
"""

import json
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from paige.agent.tables import SpanRow
from paige.agent.trace.traces import Trace
from paige.base.tokens import count_tokens_bound
from paige.memory.documents.records import EventRow
from paige.plan.evals.criteria import Criterion
from paige.plan.hooks.names import (
    ADJUDICATION,
    AGE_APPROPRIATE,
    CURRICULUM_EVIDENCE,
    FEEDFORWARD,
    MEMORY_CAPTURE,
    REFLECTION,
    SCOPE_CHECK,
)

CHECKS = (SCOPE_CHECK, FEEDFORWARD, AGE_APPROPRIATE, CURRICULUM_EVIDENCE, ADJUDICATION)
MEMORY_SECTIONS = ("teacher_memory", "class_memory")
_SECTION = re.compile(r"<(?P<tag>[a-z_]+)>\n(?P<text>.*?)\n</(?P=tag)>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Behaviour:
    """One run in numbers."""

    turns: int = 0
    model_calls: int = 0
    tool_calls: int = 0
    failed_calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    prompt_tokens: int = 0  # of the system prompt, an upper bound
    memory_tokens: int = 0
    workspace_tokens: int = 0
    skills: tuple[str, ...] = ()  # what was read, in order: `differentiation`, `x/techniques.md`
    tier2: int = 0
    tier3: int = 0
    escalated: int = 0  # tier 3 after tier 2 of the same skill
    skipped: int = 0  # tier 3 without tier 2 before
    workspace_reads: int = 0
    memory_reads: int = 0
    memory_writes: int = 0
    sessions_searched: int = 0
    subagents: int = 0
    handoffs: int = 0
    returned: int = 0  # how often a lesson went back to the model
    feedforward: str = ""
    feedforward_auto: bool = False
    surfaced: Mapping[str, int] = field(default_factory=dict)  # by kind: class, teacher, memory …
    reflections: int = 0  # questions that were answered with words
    accepted: int = 0
    revised: int = 0
    alternatives: int = 0
    captures: Mapping[str, int] = field(default_factory=dict)  # by decision
    pointers: int = 0
    pointers_valid: int = 0
    evidence_first_time: bool | None = None
    outcomes: Mapping[str, str] = field(default_factory=dict)  # of hooks, the last one


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a run had at hand, so that one can ask whether it was used."""

    local: bool = True
    skills: bool = True
    class_id: str | None = None
    memory: bool = False


def read_behaviour(trace: Trace, events: Sequence[EventRow], system: str) -> Behaviour:
    """Everything that a trace tells."""
    spans = [(span, json.loads(span.attributes)) for span in trace.spans]
    models = [told for span, told in spans if span.kind == "model"]
    tools = [(span, told) for span, told in spans if span.kind == "tool"]
    hooks = [(span, told) for span, told in spans if span.kind == "hook"]
    sizes = prompt_sizes(system)
    costs = [told.get("cost_usd") for told in models]
    return Behaviour(
        turns=trace.run.turns,
        model_calls=len(models),
        tool_calls=len(tools),
        failed_calls=sum(span.failed for span, _ in tools),
        input_tokens=sum(told["input_tokens"] for told in models),
        output_tokens=sum(told["output_tokens"] for told in models),
        cost_usd=None if None in costs else sum(costs),
        prompt_tokens=sum(sizes.values()),
        memory_tokens=sum(sizes.get(name, 0) for name in MEMORY_SECTIONS),
        workspace_tokens=sizes.get("workspace", 0),
        workspace_reads=sum(span.name == "read_file" and not span.failed for span, _ in tools),
        memory_reads=sum(event.event_type == "read" for event in events),
        memory_writes=sum(event.event_type == "write" for event in events),
        sessions_searched=sum(
            span.name in ("search_sessions", "read_session") for span, _ in tools
        ),
        subagents=sum(span.kind == "subagent" for span, _ in spans),
        handoffs=sum(span.kind == "handoff" for span, _ in spans),
        **_skills(tools),
        **_hooks(hooks),
    )


def prompt_sizes(system: str) -> dict[str, int]:
    """The size of each section of a system prompt, as an upper bound of tokens."""
    return {found["tag"]: count_tokens_bound(found["text"]) for found in _SECTION.finditer(system)}


def _skills(tools: Sequence[tuple[SpanRow, Mapping[str, Any]]]) -> dict[str, Any]:
    """Which tiers were read, and whether they were climbed one by one."""
    read = [told for span, told in tools if "skill_tier" in told and not span.failed]
    met: set[str] = set()
    escalated = skipped = 0
    for told in read:
        skill = told["skill"].partition("/")[0]
        if told["skill_tier"] == 2:
            met.add(skill)
        elif skill in met:
            escalated += 1
        else:
            skipped += 1
    return {
        "skills": tuple(told["skill"] for told in read),
        "tier2": sum(told["skill_tier"] == 2 for told in read),
        "tier3": sum(told["skill_tier"] == 3 for told in read),
        "escalated": escalated,
        "skipped": skipped,
    }


def _hooks(hooks: Sequence[tuple[SpanRow, Mapping[str, Any]]]) -> dict[str, Any]:
    """What the hooks noted: the last word of each, and how the evidence did at first."""
    last: dict[str, Mapping[str, Any]] = {}
    first: dict[str, Mapping[str, Any]] = {}
    for span, told in hooks:
        first.setdefault(span.name, told)
        last[span.name] = told
    shown, judged = last.get(FEEDFORWARD, {}), last.get(ADJUDICATION, {})
    decided = Counter(each["decision"] for each in judged.get("decisions", ()))
    kept = last.get(MEMORY_CAPTURE, {}).get("decisions", ())
    evidence = judged.get("evidence") or last.get(CURRICULUM_EVIDENCE, {}).get("evidence", ())
    checked = first.get(CURRICULUM_EVIDENCE)
    answers = last.get(REFLECTION, {}).get("answers", ())
    return {
        "returned": sum(told.get("outcome") == "keep_working" for _, told in hooks),
        "feedforward": shown.get("response", ""),
        "feedforward_auto": bool(shown.get("auto")),
        "surfaced": dict(Counter(each["kind"] for each in shown.get("surfaced", ()))),
        "reflections": sum(bool(each["answer"].strip()) for each in answers),
        "accepted": decided["accept"],
        "revised": decided["revise"],
        "alternatives": decided["alternatives"],
        "captures": dict(Counter(each["decision"] for each in kept)),
        "pointers": len(evidence),
        "pointers_valid": sum(bool(each["valid"]) for each in evidence),
        "evidence_first_time": None if checked is None else not checked.get("faults"),
        "outcomes": {name: str(told.get("outcome", "")) for name, told in last.items()},
    }


def judge_behaviour(found: Behaviour, expected: Setup) -> tuple[Criterion, ...]:
    """Every question, in a fixed order."""
    return tuple(question(found, expected) for question in QUESTIONS)


def checks_ran(found: Behaviour, expected: Setup) -> Criterion:
    """Whether every check of a lesson ran and let it pass."""
    missing = [name for name in CHECKS if name not in found.outcomes]
    stopped = [name for name in CHECKS if found.outcomes.get(name) in ("abort", "deny")]
    wrong = [*(f"{name} did not run" for name in missing), *(f"{name} stopped" for name in stopped)]
    said = ", ".join(wrong) if wrong else f"all {len(CHECKS)} checks ran"
    return Criterion("checks-ran", not wrong, said)


def evidence_at_once(found: Behaviour, expected: Setup) -> Criterion:
    """Whether the claims about the curriculum held without going back."""
    name = "evidence-at-once"
    if found.evidence_first_time is None:
        return Criterion(name, False, "the evidence was not checked")
    said = "held at once" if found.evidence_first_time else "went back"
    return Criterion(name, found.evidence_first_time, said)


def context_surfaced(found: Behaviour, expected: Setup) -> Criterion:
    """Whether the teacher was shown what is known about the class."""
    name = "context-surfaced"
    if expected.class_id is None:
        return Criterion(name, True, "no class was named")
    shown = found.surfaced.get("class", 0)
    return Criterion(name, shown > 0, f"{shown} lines about the class were shown")


def memory_surfaced(found: Behaviour, expected: Setup) -> Criterion:
    """Whether what is remembered was read and shown."""
    name = "memory-surfaced"
    if not expected.memory:
        return Criterion(name, True, "nothing was remembered")
    shown = found.surfaced.get("memory", 0)
    said = f"{shown} remembered lines were shown, {found.memory_reads} documents read"
    return Criterion(name, shown > 0 and found.memory_reads > 0, said)


def memory_waits(found: Behaviour, expected: Setup) -> Criterion:
    """Whether nothing was kept that nobody had confirmed."""
    name = "memory-waits"
    if not found.feedforward_auto:
        return Criterion(name, True, "a person answered")
    kept = found.captures.get("confirmed", 0) + found.captures.get("edited", 0)
    return Criterion(name, kept == 0, f"{kept} proposals were kept without a person")


def skills_climbed(found: Behaviour, expected: Setup) -> Criterion:
    """Whether a model that has skills read one, and none of their files before the overview."""
    name = "skills-climbed"
    if expected.local or not expected.skills:
        why = "local rules read no skills" if expected.local else "there were no skills"
        return Criterion(name, True, why)
    said = f"{found.tier2} overviews, {found.tier3} files, {found.skipped} without overview"
    return Criterion(name, found.tier2 > 0 and found.skipped == 0, said)


QUESTIONS: tuple[Callable[[Behaviour, Setup], Criterion], ...] = (
    checks_ran,
    evidence_at_once,
    context_surfaced,
    memory_surfaced,
    memory_waits,
    skills_climbed,
)
"""Every behavioural criterion, in the order in which they are reported."""
