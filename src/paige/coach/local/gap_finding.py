"""Gaps found by rules: where somebody struggled, and which topic of the catalogue it was about.

A topic is chosen by its words in the phase and in what was said, by its signs in the code that was
worked on, and by the plan. Struggle without any topic is about how the work was done.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from paige.coach.answers import FoundGap, GapExtractionAnswer, SessionCounts, Severity
from paige.coach.local.python_reading import constructs_of
from paige.coach.local.struggles import Struggle, struggles
from paige.coach.local.topics import Topic, catalogue, general_topic, sign_hits, word_hits
from paige.coach.records import Action, PhaseRow, ProgressEvent
from paige.learner.gaps import find_match

ENOUGH = 1.5
"""How heavy the signs of a phase must be to show a gap."""
SURE = 2.0
"""How well a topic must fit."""
LARGEST = 100_000
HIGH, MEDIUM = 4.0, 2.5
_OF_WORK: Mapping[str, str] = {
    "tests": "debugging-from-a-test",
    "loop": "one-change-at-a-time",
    "nudge": "one-change-at-a-time",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GapInputs:
    """A session, and what is known of the person and the project."""

    actions: tuple[Action, ...]
    phases: tuple[PhaseRow, ...]
    progress: tuple[ProgressEvent, ...]
    plan_text: str
    issue_title: str
    transcript: str
    known: tuple[str, ...]
    practised: frozenset[str]
    counts: SessionCounts
    read: Callable[[str], str | None]


def find_gaps(inputs: GapInputs) -> GapExtractionAnswer:
    """The gaps of a session, each with its kata unless there is one already."""
    signs = struggles(inputs.actions, inputs.phases, inputs.progress, inputs.transcript)
    grouped: dict[int | None, list[Struggle]] = defaultdict(list)
    for sign in signs:
        grouped[sign.phase].append(sign)
    # What was said belongs to no phase by itself: it adds to the one that was hardest.
    said = grouped.pop(None, [])
    if grouped and said:
        hardest = max(grouped, key=lambda number: _weight(grouped[number]))
        grouped[hardest] += said
    elif said:
        grouped[None] = said
    shown: dict[str, tuple[Topic, list[Struggle]]] = {}
    for number, group in grouped.items():
        if _weight(group) < ENOUGH:
            continue
        topic = _topic(number, group, inputs)
        if topic is not None:
            shown.setdefault(topic.id, (topic, []))[1].extend(group)
    found = [_gap(topic, group, inputs) for topic, group in shown.values()]
    wanted = [
        topic for topic, _ in shown.values() if find_match(topic.name, inputs.practised) is None
    ]
    return GapExtractionAnswer(
        knowledge_gaps=found,
        kata_specs=[topic.draft() for topic in wanted],
        session_summary=inputs.counts,
    )


def _topic(number: int | None, group: list[Struggle], inputs: GapInputs) -> Topic | None:
    phase = next((each for each in inputs.phases if each.number == number), None)
    near = f"{phase.title} {phase.description}" if phase else ""
    near += " ".join(sign.says for sign in group if sign.kind == "said")
    far = f"{inputs.plan_text} {inputs.issue_title} {inputs.transcript}"
    codes = list(_codes(group, phase, inputs))
    code = "\n".join(codes)
    constructs = frozenset(name for each in codes for name in constructs_of(each))
    best, fits = None, 0.0
    for topic in catalogue():
        if topic.general:
            continue
        fit = 2 * word_hits(topic, near) + word_hits(topic, far)
        fit += 1.5 * sign_hits(topic, code, constructs)
        if fit > fits:
            best, fits = topic, fit
    if best is not None and fits >= SURE:
        return best
    kinds = sorted(group, key=lambda sign: -sign.weight)
    names = (_OF_WORK[sign.kind] for sign in kinds if sign.kind in _OF_WORK)
    name = next(names, None)
    return None if name is None else general_topic(name)


def _codes(group: list[Struggle], phase: PhaseRow | None, inputs: GapInputs) -> Iterable[str]:
    """The code that was worked on: the files the signs name, else those of the phase."""
    named = [sign.path for sign in group if sign.path]
    named += phase.expected_files if phase else ()
    for path in list(dict.fromkeys(named))[:5]:
        text = inputs.read(path)
        if text and len(text) <= LARGEST:
            yield text


def _gap(topic: Topic, group: list[Struggle], inputs: GapInputs) -> FoundGap:
    known = find_match(topic.name, inputs.known)
    heaviest = sorted(group, key=lambda sign: -sign.weight)
    return FoundGap(
        topic=known or topic.name,
        evidence=" ".join(dict.fromkeys(sign.says for sign in heaviest[:5])),
        severity=_severity(_weight(group)),
        related_concepts=list(topic.related),
    )


def _weight(group: Iterable[Struggle]) -> float:
    return sum(sign.weight for sign in group)


def _severity(weight: float) -> Severity:
    if weight >= HIGH:
        return "high"
    return "medium" if weight >= MEDIUM else "low"
