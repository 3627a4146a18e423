"""What a model is told when it writes items: the course's own prompt, or the one for its domain."""

import re
from collections.abc import Mapping

from paige.models.prompts import render, untrusted
from paige.study.courses.values import Course
from paige.study.generating.material import KINDS
from paige.study.generating.words import one_line
from paige.study.remedies import shipped_remedies
from paige.study.values import Wanted

_HOLE = re.compile(r"\{([A-Za-z_][A-Za-z_|]*)\}")
_MOST_PAST, _MOST_WORDS, _LEAST_TESTS = 20, 60, 5
_LONGEST_TEACHING = 4000


def system_prompt(course: Course, wanted: Wanted, count: int) -> str:
    """The whole instruction for one exercise."""
    concept = course.concept(wanted.concept_id)
    teaching = course.teaching.get(concept.id)
    known = sorted(course.graph.before(concept.id) | wanted.known)
    past = [one_line(each) for one in reversed(wanted.history) for each in one.prompts]
    return render(
        "study/items",
        course=course.title,
        domain=course.domain,
        task=_task(course, wanted, count),
        concept=concept.title,
        teaching=untrusted("course", teaching.explanation[:_LONGEST_TEACHING])
        if teaching
        else "(nothing is written)",
        known=", ".join(_title(course, each) for each in known) or "nothing before this",
        kinds=", ".join(KINDS[wanted.modality]),
        bloom=wanted.bloom,
        past=untrusted("earlier exercises", "\n".join(f"- {each}" for each in past[:_MOST_PAST]))
        if past
        else "- (none yet)",
    )


def _task(course: Course, wanted: Wanted, count: int) -> str:
    for name in (wanted.modality, *KINDS[wanted.modality]):
        if name in course.prompts:
            filled = fill_holes(course.prompts[name], _values(course, wanted, count))
            return f"{filled}\n{_focus(wanted)}".strip()
    title = course.concept(wanted.concept_id).title
    match course.domain:
        case "language":
            return render("study/task-language", n=str(count), concept=title, focus=_focus(wanted))
        case "technical":
            return render(
                "study/task-technical",
                n=str(count),
                concept=title,
                language=course.config.code_language,
                tests=str(_LEAST_TESTS),
                focus=_focus(wanted),
            )
        case _:
            return render(
                "study/task-conceptual", n=str(count), concept=title, focus=_focus(wanted)
            )


def fill_holes(text: str, values: Mapping[str, str]) -> str:
    """A course's prompt with its holes filled; one that nothing fills stays as it is."""
    return _HOLE.sub(lambda hole: values.get(hole[1], hole[0]), text)


def _values(course: Course, wanted: Wanted, count: int) -> dict[str, str]:
    concept = course.concept(wanted.concept_id)
    words = [f"{word.term} ({word.meaning})" for word in course.words_of(concept.id)]
    return {
        "concept_name": concept.title,
        "description": concept.description or concept.title,
        "key_vocabulary": ", ".join(words[:_MOST_WORDS]) or concept.title,
        "grammar_points": concept.description or concept.title,
        "prerequisites": ", ".join(_title(course, each) for each in concept.prerequisites)
        or "none",
        "bloom_level": wanted.bloom,
        "programming_language": course.config.code_language,
        "n": str(count),
        "worksheet|conversation": wanted.modality,
    }


def _focus(wanted: Wanted) -> str:
    """What the learner got wrong before, as one more requirement."""
    table = shipped_remedies()
    known = [kind for kind in wanted.focus if kind in table]
    if not known:
        return ""
    named = ", ".join(kind.replace("_", " ") for kind in known)
    return f"- The learner often makes these errors: {named}. Aim at them."


def _title(course: Course, concept_id: str) -> str:
    concept = course.concepts.get(concept_id)
    return concept.title if concept else concept_id
