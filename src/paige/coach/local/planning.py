"""Phases of a plan without a model: its own steps by name, with the places that they name.

What a step means and how to go about it is not said: the plan is the agent's, and nobody here
understood it. Hints point only at files and definitions that a step names and the project has.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from paige.coach.answers import (
    MOST_PHASES,
    CoachAgentAnswer,
    CoachedPhase,
    HintLevel,
    PlannedFileHint,
    PlannedHints,
    PlannedLineHint,
)
from paige.coach.local.places import Found, Lines, Places
from paige.coach.local.steps import Step, steps_of

CANNOT = (
    "This is a step of the plan by its own name: breaking it down and explaining it needs a model, "
    "and none answered."
)
LEVELS: Mapping[str, HintLevel] = {
    "novice": "line",
    "advanced_beginner": "region",
    "competent": "file",
    "proficient": "none",
    "expert": "none",
}
MOST_HINTS = 6
LONGEST = 12


@dataclass(frozen=True, slots=True)
class PlanInputs:
    """The plan, the person's stage, and the project."""

    plan_text: str
    stage: str
    files: tuple[str, ...]
    read: Callable[[str], str | None]


def coach_plan(inputs: PlanInputs) -> CoachAgentAnswer:
    """The phases of a plan; a plan that says nothing has none."""
    places = Places(inputs.files, inputs.read)
    level = LEVELS.get(inputs.stage, "line")
    steps = steps_of(inputs.plan_text)[:MOST_PHASES]
    return CoachAgentAnswer(
        phases=[_phase(number, step, places, level) for number, step in enumerate(steps, 1)],
        memory_connection=None,
        estimated_difficulty="intermediate",  # an answer has one; nobody is told that of the rules
    )


def _phase(number: int, step: Step, places: Places, level: HintLevel) -> CoachedPhase:
    found = places.find(f"{step.title}\n{step.body}")
    return CoachedPhase(
        number=number,
        title=step.title,
        description=f"{CANNOT} {_names(found)}",
        expected_files=list(found.files),
        hint_level=level,
        hints=_hints(found, places, level),
        knowledge_gap_opportunities=[],
    )


def _names(found: Found) -> str:
    """What a step names, and where to begin with it."""
    if not found.files:
        return "It names no file, so search the project for what it is about."
    named = [f"`{path}`" for path in found.files]
    named += [f"`{each.name}` ({_lines(each)} of `{each.path}`)" for each in found.lines]
    return f"It names {', '.join(named)}: read that first, then run the tests after every change."


def _lines(lines: Lines) -> str:
    return (
        f"line {lines.start}" if lines.start == lines.end else f"lines {lines.start} to {lines.end}"
    )


def _hints(found: Found, places: Places, level: HintLevel) -> PlannedHints:
    if level == "none":
        return PlannedHints(file_hints=[], line_hints=[])
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
    return PlannedHints(
        file_hints=[
            PlannedFileHint(path=path, style="suggested")
            for path in found.files
            if path in places.files
        ],
        line_hints=lines if level in ("line", "region") else [],
    )
