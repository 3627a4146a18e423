"""What agents are told: the handoff, the feature, what is known, and what the last attempt lacked.

What comes from elsewhere (a description, an earlier agent's words, precedents) stands between marks
and is data. How the work is checked is not told; only what kind of thing was missing.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from paige.guard.state.features import Feature
from paige.models.prompts import untrusted
from paige.orchestra.values import CODER, INITIALIZER, LEADER, TESTER

ROLES: Mapping[str, str] = {
    INITIALIZER: "musician",
    LEADER: "section_leader",
    CODER: "musician",
    TESTER: "tester",
}
_MOST_GOAL = 8000
_INTERRUPTED = (
    "The process that carried it out ended. What it had written is still in the worktree: look at "
    "`git status` and go on from there."
)
_TASKS: Mapping[str, str] = {
    INITIALIZER: (
        "Break this goal down into features that can be built and tested one at a time, in the "
        "order they should be built. End your answer with one fenced block of JSON: "
        '`{"features": [{"id", "title", "description", "acceptance": [...], "group"}]}`. '
        "You work in a worktree; the list of features is kept by the orchestra."
    ),
    LEADER: (
        "You lead the section below. Say in which order its features are built and what whoever "
        "builds each of them has to know: interfaces, names, pitfalls. Change no file."
    ),
    CODER: (
        "Implement this one feature in the worktree you are in, with its tests. Run all tests by "
        "themselves at the end. Finish with the line "
        "`IMPLEMENTATION COMPLETE - Feature {id} ready for testing`, the files you changed, the "
        "tests you ran, and open issues."
    ),
    TESTER: (
        "Validate this one feature in the worktree you are in. Run the project's tests by "
        "themselves, check every acceptance criterion, and finish with one line: `PASSED {id}` or "
        "`FAILED {id}`, after what you ran and what it said."
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """Everything a prompt is made of."""

    agent: str
    goal: str
    handoff: Mapping[str, Any]
    feature: Feature | None = None
    section: Sequence[Feature] = ()
    lead: str = ""  # what the section leader said
    before: str = ""  # what the agent before gave back
    missing: str = ""  # what the last attempt lacked, in words
    last_attempt: str = ""  # the block of the last attempt and its reflection
    precedents: str = ""
    conflict: Sequence[str] = ()  # files with marks of a conflict in them
    again: bool = False


def prompt_for(brief: Brief) -> str:
    """The prompt of a task."""
    id = brief.feature.id if brief.feature else ""
    parts = [
        _TASKS[brief.agent].replace("{id}", id),
        _about(brief),
        _part("Handoff", _json(brief.handoff)),
        _fenced("What the section leader says", "section-leader", brief.lead),
        _fenced("What came back from the agent before you", "before", brief.before),
        _part("What the last attempt lacked", brief.missing),
        brief.last_attempt,
        _conflicts(brief.conflict),
        _fenced("What is known from earlier work", "precedents", brief.precedents),
        _part("This task was interrupted", _INTERRUPTED if brief.again else ""),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def acceptance_of(feature: Feature) -> tuple[str, ...]:
    """The acceptance criteria somebody keeps with a feature."""
    listed = feature.extra.get("acceptance")
    if isinstance(listed, str):
        return (listed,)
    if not isinstance(listed, list):
        return ()
    return tuple(str(each) for each in listed if isinstance(each, str | int | float))


def feature_text(feature: Feature) -> str:
    """A feature as agents read it."""
    lines = [f"{feature.id}: {feature.title}".rstrip(": "), "", feature.description]
    criteria = acceptance_of(feature)
    if criteria:
        lines += ["", "Acceptance criteria:", *(f"- {each}" for each in criteria)]
    return "\n".join(lines).strip()


def _about(brief: Brief) -> str:
    if brief.feature is not None:
        shown = _fenced("The feature", "feature", feature_text(brief.feature))
        return (
            f"{shown}\n\n{_fenced('The goal it serves', 'goal', brief.goal[:_MOST_GOAL])}".strip()
        )
    if brief.section:
        text = "\n\n".join(feature_text(each) for each in brief.section)
        return _fenced("The section", "features", text)
    return _fenced("The goal", "goal", brief.goal[:_MOST_GOAL])


def _part(title: str, text: str) -> str:
    return f"## {title}\n\n{text}" if text else ""


def _fenced(title: str, name: str, text: str) -> str:
    return f"## {title}\n\n{untrusted(name, text)}" if text.strip() else ""


def _json(value: Mapping[str, Any]) -> str:
    return f"```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```" if value else ""


def _conflicts(files: Sequence[str]) -> str:
    if not files:
        return ""
    named = "\n".join(f"- {each}" for each in files)
    text = "The base branch was brought in and does not go together with this feature in:\n"
    return _part("A merge to resolve", f"{text}{named}\nResolve the marks and run all tests.")
