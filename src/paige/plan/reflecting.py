"""Questions a teacher asks of a draft before judging it: made from the class and the draft itself.

They are about the teacher's own criteria, not about liking: does it lead where I want, does it
answer the needs in my profile, is the challenge right. No model is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from paige.plan.classes import ClassProfile
from paige.plan.lesson_sections import find_section
from paige.plan.lesson_text import shortened

MOST_QUESTIONS = 5
MOST_NEEDS = 2
_LONGEST = 160


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What is reflected on."""

    command: str
    markdown: str
    profile: ClassProfile | None = None
    remembered: Sequence[str] = ()  # what was surfaced from earlier sessions
    care: Sequence[str] = ()  # topics that need thought


def reflection_questions(draft: Draft) -> tuple[str, ...]:
    """At most five questions, the outcome first."""
    questions = [
        _outcome(draft),
        *_needs(draft),
        *(f"{each} Is that in order for this class?" for each in draft.care[:1]),
        _challenge(draft),
        *_remembered(draft),
    ]
    return tuple(questions[:MOST_QUESTIONS])


def _outcome(draft: Draft) -> str:
    for_class = f" for {draft.profile.id}" if draft.profile else ""
    match draft.command.rpartition(":")[2]:
        case "worksheet":
            return f"Does this practise exactly what you want practised{for_class}?"
        case "unit-overview":
            return f"Does the sequence lead{for_class} to the task at its end?"
        case "refine-lesson":
            return "Is the change you asked for there, and is everything else as it was?"
        case "cover-lesson":
            return "Could a colleague from another subject teach this after two minutes of reading?"
        case _:
            found = find_section(draft.markdown, "learning-outcome")
            said = _short(found.text) if found and found.text.strip() else ""
            outcome = f" (“{said}”)" if said else ""
            return f"Is this the learning outcome you want{for_class}{outcome}?"


def _needs(draft: Draft) -> list[str]:
    needs = draft.profile.needs if draft.profile else ()
    named = [need for need in needs if need.kind][:MOST_NEEDS]
    return [
        f"Does it answer the {need.kind} need in the profile ({_short(need.what)})?"
        for need in named
    ]


def _challenge(draft: Draft) -> str:
    if draft.profile and draft.profile.ability:
        about = _short(draft.profile.ability.split(". ")[0].rstrip("."))
        return f"Is the challenge right for this range of ability ({about})?"
    return "Is the challenge right for the range of ability in the room?"


def _remembered(draft: Draft) -> list[str]:
    if not draft.remembered:
        return []
    return [f"From earlier sessions: “{_short(draft.remembered[0])}” Does the plan respect that?"]


def _short(text: str) -> str:
    return shortened(text, _LONGEST)
