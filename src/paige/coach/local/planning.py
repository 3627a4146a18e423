"""A plan made into phases by rules: its steps, with the files and lines of the project they name.

Code in the plan is left out: it is the learner who writes it. How finely the hints point follows
from the stage, of the whole or of the skill that a step is about.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from paige.coach.answers import (
    CoachAgentAnswer,
    CoachedPhase,
    Difficulty,
    HintLevel,
    PlannedFileHint,
    PlannedHints,
    PlannedLineHint,
    RelevantMemory,
)
from paige.coach.local.places import Found, Places
from paige.coach.local.steps import Step, framed, steps_of
from paige.coach.local.topics import topics_in
from paige.learner.gaps import same_topic
from paige.learner.stages import STAGES

LEVELS: Mapping[str, HintLevel] = {
    "novice": "line",
    "advanced_beginner": "region",
    "competent": "file",
    "proficient": "none",
    "expert": "none",
}
MOST_HINTS = 6
LONGEST = 12
_HOW: Mapping[HintLevel, str] = {
    "line": "The marked lines are where to look first: read them, say aloud what they do, then "
    "change as little as you can and run it.",
    "region": "The marked part is where it happens; which line it is, you find.",
    "file": "The file is marked; the place in it is yours to find.",
    "none": "",
}


@dataclass(frozen=True, slots=True)
class PlanInputs:
    """The plan, the person's stages, what is remembered, and the project."""

    plan_text: str
    issue_summary: str
    stage: str
    skills: Mapping[str, str]
    memories: tuple[RelevantMemory, ...]
    files: tuple[str, ...]
    read: Callable[[str], str | None]


def coach_plan(inputs: PlanInputs) -> CoachAgentAnswer:
    """The phases of a plan; a plan that says nothing has none."""
    steps = framed(steps_of(inputs.plan_text), inputs.issue_summary)
    places = Places(inputs.files, inputs.read)
    whole = places.find(f"{inputs.plan_text}\n{inputs.issue_summary}")
    phases = [
        _phase(number, step, _of_step(step, places, whole), inputs)
        for number, step in enumerate(steps, 1)
    ]
    return CoachAgentAnswer(
        phases=phases,
        memory_connection=_connection(inputs.memories),
        estimated_difficulty=_difficulty(steps, whole, inputs.stage),
    )


def level_for(text: str, stage: str, skills: Mapping[str, str]) -> HintLevel:
    """How finely to point in a step: by the skill that it is about, else by the whole."""
    names = [topic.name for topic in topics_in(text)]
    known = [
        skills[skill] for skill in skills if any(same_topic(skill, name) for name in names[:3])
    ]
    # Of several skills the one furthest behind decides: help that is missing stops the work.
    decides = min(known, key=STAGES.index) if known else stage  # type: ignore[arg-type] - a stage
    return LEVELS.get(decides, "line")


def _of_step(step: Step, places: Places, whole: Found) -> Found:
    """What a step names; one that names nothing is about what the plan names first."""
    own = places.find(f"{step.title}\n{step.body}")
    if own.files:
        return own
    if step.kind == "check":
        tests = tuple(path for path in places.files if _is_test(path))[:2]
        return Found(tests or whole.files[:1], ())
    return Found(whole.files[:2], whole.lines[:2])


def _phase(number: int, step: Step, found: Found, inputs: PlanInputs) -> CoachedPhase:
    text = f"{step.title} {step.body}"
    level = level_for(f"{text} {inputs.issue_summary}", inputs.stage, inputs.skills)
    return CoachedPhase(
        number=number,
        title=step.title,
        description=_description(step, found, level),
        expected_files=list(found.files),
        hint_level=level,
        hints=_hints(step, found, level),
        knowledge_gap_opportunities=[topic.name for topic in topics_in(text)[:3]],
    )


def _description(step: Step, found: Found, level: HintLevel) -> str:
    said = [step.body or step.title]
    if level in ("line", "region") and found.files:
        said.append(f"Look at {_listed(found.files)}.")
    if _HOW[level] and (found.lines or level == "file"):
        said.append(_HOW[level])
    said.append(step.done_when)
    return "\n\n".join(part for part in said if part)


def _hints(step: Step, found: Found, level: HintLevel) -> PlannedHints:
    if level == "none":
        return PlannedHints(file_hints=[], line_hints=[])
    main = "suggested" if step.kind == "look" else "important"
    files = [
        PlannedFileHint(path=path, style=main if number == 0 else "suggested")
        for number, path in enumerate(found.files)
    ]
    lines = [
        PlannedLineHint(
            path=line.path,
            start=line.start,
            end=min(line.end, line.start + LONGEST - 1) if level == "line" else line.end,
            style="focus" if level == "line" else "hint",
            hover_text=f"`{line.name}`: {line.says}",
        )
        for line in found.lines[:MOST_HINTS]
    ]
    return PlannedHints(file_hints=files, line_hints=lines if level in ("line", "region") else [])


def _connection(memories: tuple[RelevantMemory, ...]) -> str | None:
    if not memories:
        return None
    first = memories[0]
    return f"You have met something like this before: {first.content} {first.connection}".strip()


def _difficulty(steps: list[Step], whole: Found, stage: str) -> Difficulty:
    size = len(steps) + 2 * max(0, len(whole.files) - 1)
    place = [str(each) for each in STAGES].index(stage) if stage in STAGES else 0
    weight = size - 2 * place
    if weight <= 5:
        return "beginner"
    return "intermediate" if weight <= 10 else "advanced"


def _is_test(path: str) -> bool:
    name = path.rpartition("/")[2]
    return name.startswith("test_") or "_test." in name or ".test." in name or ".spec." in name


def _listed(paths: tuple[str, ...]) -> str:
    named = [f"`{path}`" for path in paths[:3]]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"
