"""The frame of a lesson or unit that Paige has no material for: headings, facts, and open places.

Nothing about the topic is written. Each open section says that a person or a model has to write
it, and what to do; what is known of the class, of the curriculum and of memory stands beside it.
"""

import re
from collections.abc import Mapping, Sequence

from paige.plan.evidence import check
from paige.plan.lessons import lesson as limits
from paige.plan.lessons.lesson import (
    LOCAL_MARK,
    LOCAL_SOURCE,
    Activity,
    Cycle,
    Lesson,
    render,
    render_claim,
    source_line,
)
from paige.plan.lessons.sections import open_line, replace_section, sections
from paige.plan.local.brief import Brief, cycles_for, share
from paige.plan.local.fit import Fit
from paige.plan.local.rows import Rows, rows_for, rows_of
from paige.plan.local.shipped_lesson import (
    adaptations,
    fact_notes,
    near_notes,
    often_notes,
    said_notes,
)
from paige.plan.local.topics import Topic

UNNAMED = "A lesson"
CYCLES = 2
_LONGEST_NAME = 55
_COUNT = re.compile(r"[\s,;:]*\b\w{1,6} lessons$", re.I)
_LESSON = {
    "learning-outcome": "what pupils can do at the end",
    "success-criteria": "how they see that they can",
    "before-the-lesson": "what they must know before, and what you need",
    "key-learning-points": "three or four sentences to keep",
    "keywords": "each new word with its meaning",
    "misconceptions": "the likeliest mistake, and how to meet it",
    "starter": "questions on what they have learned, with answers",
    "exit-check": "questions that show the outcome, with answers",
    "differentiation": "what this lesson does for these pupils",
}
_CYCLE = "an explanation, an example, tasks with answers, and two checks"
_ROW = "the outcome it serves"
NO_ROW = "No row of your curriculum files speaks of this."
NO_LESSON = (
    f"{LOCAL_MARK}. Paige comes with no lesson that fits this, so this is a frame: what is open is "
    "yours to write. With a model, Paige drafts it."
)
NO_UNIT = (
    f"{LOCAL_MARK}. Paige comes with lessons for this but with no plan of a unit: what is open is "
    "yours to write. With a model, Paige drafts it."
)
_UNIT = {
    "Purpose": "what pupils can do at the end of the unit",
    "Curriculum": _ROW,
    "Final task": "a task that shows it, and what a good answer has",
    "Lessons": "the lessons in their order, each with its outcome",
    "Misconceptions": "the likeliest mistakes, and the lesson that meets each",
    "Differentiation": "what the unit does for these pupils",
    "Where to stop and look": "when you look at results, and what then",
}
_SHEET = {
    "Words": "words to match with their meanings",
    "Questions": "questions from easy to hard",
    "Answer key": "the answers",
}


def lesson_frame(brief: Brief, found: Fit, *, title: str = "") -> str:
    """The frame of a lesson on the words of a request.

    Words that would claim something about the curriculum are not repeated.
    """
    markdown = _lesson(brief, found, f"{title}{_name(brief)}")
    if check(markdown, brief.library).ok:
        return markdown
    return _lesson(brief, found, f"{title}{UNNAMED}")


def unit_frame(brief: Brief, found: Fit, shipped: Sequence[Topic] = ()) -> str:
    """The frame of a unit; `shipped` are the lessons on it that Paige comes with, in order."""
    rows = _rows_of_all(brief, shipped) if shipped else rows_for(brief)
    titles = [
        f"{at}. **{each.title}**: I can {each.outcome}." for at, each in enumerate(shipped, 1)
    ]
    known = {
        "Lessons": ["Paige comes with these, in this order:", "", *titles] if titles else [],
        "Differentiation": [f"- **{e.audience}**: {e.what}" for e in adaptations(brief.profile)],
    }
    parts: dict[str, list[str]] = {}
    for name, what in _UNIT.items():
        facts = known.get(name, [])
        parts[name] = [*facts, *([""] if facts else []), open_line(what)]
    if rows.outcomes:
        parts["Curriculum"] = [f"- {render_claim(each)}" for each in rows.claims]
    told = _told(brief, found, rows, NO_UNIT if shipped else NO_LESSON)
    parts["Notes"] = [f"- {note}" for note in [*told, *fact_notes(brief)]]
    return _document(brief, "Unit: ", parts)


def worksheet_frame(brief: Brief, found: Fit) -> str:
    """The frame of a worksheet: a document, because nothing in it could be marked."""
    parts = {name: [open_line(what)] for name, what in _SHEET.items()}
    told = [NO_LESSON, *near_notes(brief, found.near), *said_notes(brief)]
    parts["Notes"] = [f"- {note}" for note in told]
    return _document(brief, "Worksheet: ", parts)


def _rows_of_all(brief: Brief, topics: Sequence[Topic]) -> Rows:
    """The rows of several lessons, each once."""
    rows = [rows_of(topic, brief.library, brief.level, brief.codes) for topic in topics]
    outcomes = dict.fromkeys(row for each in rows for row in each.outcomes)
    remarks = dict.fromkeys(text for each in rows for text in each.remarks)
    return Rows(tuple(outcomes), tuple(remarks))


def _lesson(brief: Brief, found: Fit, title: str) -> str:
    rows = rows_for(brief)
    count = cycles_for(brief.minutes, CYCLES)
    begin, minutes, end = share(brief.minutes, count, brief.starter)
    profile = brief.profile
    subject = rows.outcomes[0].subject if rows.outcomes else ""
    lesson = Lesson(
        title=title[: limits.TITLE_LENGTH],
        class_id=brief.class_id,
        year=profile.year if profile else "",
        subject=subject or (profile.subject if profile else ""),
        level=brief.level or (rows.outcomes[0].level if rows.outcomes else ""),
        minutes=brief.minutes,
        outcome="",
        success_criteria=(),
        curriculum=rows.claims,
        prior_knowledge=(),
        key_points=(),
        keywords=(),
        misconceptions=(),
        starter=Activity(begin, "", ()),
        cycles=tuple(Cycle("", each, "", "", "", ()) for each in minutes),
        exit_check=Activity(end, "", ()),
        differentiation=adaptations(profile),
        notes=(*_told(brief, found, rows), *fact_notes(brief), *often_notes(brief.often)),
        source=LOCAL_SOURCE,
    )
    markdown = render(lesson)
    for section in sections(markdown):
        what = _LESSON.get(section.id, "")
        if section.id.startswith("learning-cycle-"):
            what = _CYCLE
        elif section.id == "curriculum" and not rows.outcomes:
            what = _ROW
        if what:
            known = (
                f"{section.text}\n\n" if section.id == "differentiation" and section.text else ""
            )
            markdown = replace_section(markdown, section.id, known + open_line(what))
    return markdown


def _told(brief: Brief, found: Fit, rows: Rows, why: str = NO_LESSON) -> list[str]:
    """That this is a frame, why, and what would fill it."""
    unknown = not all(brief.library.named(code) for code in brief.codes)
    return [
        why,
        *(rows.remarks if rows.outcomes else [NO_ROW]),
        *(["A code you named stands in no curriculum file."] if unknown else []),
        *near_notes(brief, found.near),
        *said_notes(brief),
    ]


def _document(brief: Brief, kind: str, parts: Mapping[str, Sequence[str]]) -> str:
    profile = brief.profile
    facts = {
        "Class": brief.class_id,
        "Year": profile.year if profile else "",
        "Subject": profile.subject if profile else "",
        "Level": brief.level,
        "Minutes": str(brief.minutes),
        "Source": source_line(LOCAL_SOURCE),
    }
    head = [f"- {name}: {value}" for name, value in facts.items() if value]

    def written(name: str) -> str:
        body = [line for title, lines in parts.items() for line in (f"## {title}", "", *lines, "")]
        return "\n".join([f"# {kind}{name}", "", *head, "", *body]).rstrip("\n") + "\n"

    markdown = written(_name(brief))
    return markdown if check(markdown, brief.library).ok else written(UNNAMED)


def _name(brief: Brief) -> str:
    words = _COUNT.sub("", brief.words)
    if len(words) > _LONGEST_NAME:
        words = words[:_LONGEST_NAME].rsplit(" ", 1)[0]
    return f"{words[:1].upper()}{words[1:]}" or UNNAMED
