"""A sequence of lessons: topics in the order they build on one another, with time to come back.

Every fourth lesson brings no new idea. Each idea returns in the next lesson, about a week later and
before the end. The curriculum rows follow the progression that the curriculum files give.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from paige.plan.lesson import Adaptation
from paige.plan.lesson_rendering import LOCAL_MARK, render_claim
from paige.plan.local.adapting import adaptations
from paige.plan.local.brief import Brief
from paige.plan.local.choosing import Chosen, claim_of, rows_for
from paige.plan.local.composing import assumptions, memory_notes
from paige.plan.local.topics import Step, Topic

USUAL_LESSONS = 6
FEWEST, MOST = 2, 16
EVERY_FOURTH = 4
_LESSONS = re.compile(
    r"\b(\d{1,2}|two|three|four|five|six|seven|eight|ten|twelve)\s+lessons?\b", re.I
)
_WORDS = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "ten": 10,
    "twelve": 12,
}


@dataclass(frozen=True, slots=True)
class Planned:
    """One lesson of a unit: a new step of a topic, or nothing new."""

    outcome: str
    idea: str
    returns: str
    evidence: str


def compose_unit(brief: Brief, topic: Topic) -> str:
    """The overview of a unit that begins with a topic."""
    number = lessons_asked(brief.request) or USUAL_LESSONS
    path = path_from(topic, brief.topics, new_lessons(number))
    chosen = _rows(path, brief)
    lessons = planned(path, number)
    parts = [
        _head(brief, topic, chosen, number),
        _section("Purpose", [_purpose(path)]),
        _section("Curriculum", [f"- {line}" for line in _claims(chosen, brief)]),
        _section("Final task", _final_task(path, number)),
        _section("Lessons", _table(lessons)),
        _section("Misconceptions", _misconceptions(path)),
        _section("Differentiation", _differentiation(adaptations(brief.profile, topic))),
        _section("Where to stop and look", _stops(number)),
        _section("Notes", [f"- {note}" for note in _notes(brief, topic, path, chosen)]),
    ]
    return "\n".join(parts).rstrip("\n") + "\n"


def lessons_asked(text: str) -> int | None:
    """How many lessons a request names."""
    found = _LESSONS.search(text)
    if found is None:
        return None
    number = _WORDS.get(found[1].lower()) or int(found[1])
    return max(FEWEST, min(MOST, number))


def new_lessons(number: int) -> int:
    """How many of the lessons bring something new: not every fourth, and not the last."""
    return sum(1 for at in range(1, number + 1) if not _nothing_new(at, number))


def path_from(topic: Topic, topics: Sequence[Topic], lessons: int) -> list[tuple[Topic, Step]]:
    """The steps of a topic, then of those that build on it, until there are enough."""
    order = [topic]
    for here in order:
        if sum(len(each.steps) for each in order) >= lessons:
            break
        following = [
            each
            for each in topics
            if here.id in each.after and each.curriculum == topic.curriculum and each not in order
        ]
        order += following
    if sum(len(each.steps) for each in order) < lessons:
        rows = set(topic.outcomes)
        order += [
            each
            for each in topics
            if each not in order and each.curriculum == topic.curriculum
            if rows & set(each.outcomes) and each.id not in topic.after
        ]
    return [(each, step) for each in order for step in each.steps][:lessons]


def planned(path: Sequence[tuple[Topic, Step]], number: int) -> list[Planned]:
    """Every lesson of the unit, new ones and those that bring things together."""
    lessons: list[Planned] = []
    done: list[tuple[Topic, Step]] = []
    left = list(path)
    for at in range(1, number + 1):
        last = at == number
        if last or not left or _nothing_new(at, number):
            lessons.append(_together(done, last=last))
            continue
        topic, step = left.pop(0)
        back = done[-1][1].title if done else "what the class was taught before"
        if len(done) > 3:
            back = f"{back}; {done[-4][1].title}"
        question = step.questions[-1]
        outcome = f"I can {topic.outcome}" if step is topic.steps[-1] else _outcome(topic, step)
        lessons.append(
            Planned(outcome, step.title, back, f"exit check: {_cell(question.question)}")
        )
        done.append((topic, step))
    return lessons


def _nothing_new(at: int, number: int) -> bool:
    return at == number or at % EVERY_FOURTH == 0


def _outcome(topic: Topic, step: Step) -> str:
    at = topic.steps.index(step)
    return f"I can {topic.criteria[min(at, len(topic.criteria) - 1)]}"


def _together(done: Sequence[tuple[Topic, Step]], *, last: bool) -> Planned:
    titles = [step.title for _, step in done[-4:]]
    if last:
        return Planned(
            "I can show in the final task what I have learned", "-", "; ".join(titles), "final task"
        )
    return Planned(
        "I can choose between what I have learned and say why",
        "- (mixed practice)",
        "; ".join(titles),
        "three mixed questions, marked at once",
    )


def _head(brief: Brief, topic: Topic, chosen: Chosen, number: int) -> str:
    facts = {
        "Class": brief.class_id,
        "Year": brief.profile.year if brief.profile else "",
        "Subject": topic.subject,
        "Level": brief.level or chosen.level,
        "Lessons": str(number),
        "Minutes": str(brief.minutes),
        "Source": f"local ({LOCAL_MARK})",
    }
    lines = [f"- {name}: {value}" for name, value in facts.items() if value]
    return "\n".join([f"# Unit: {topic.title}", "", *lines, ""])


def _section(title: str, lines: Sequence[str]) -> str:
    return "\n".join([f"## {title}", "", *lines, ""])


def _purpose(path: Sequence[tuple[Topic, Step]]) -> str:
    topics = list(dict.fromkeys(topic for topic, _ in path))
    can = [topic.outcome for topic in topics]
    listed = "; ".join(can)
    return f"At the end pupils can {listed}. They can say which of these a new task needs, and why."


def _rows(path: Sequence[tuple[Topic, Step]], brief: Brief) -> Chosen:
    """The rows of every topic of the unit, each once."""
    rows: dict[str, Chosen] = {}
    for topic in dict.fromkeys(topic for topic, _ in path):
        rows[topic.id] = rows_for(topic, brief.library, brief.level)
    outcomes = dict.fromkeys(row for each in rows.values() for row in each.outcomes)
    remarks = dict.fromkeys(text for each in rows.values() for text in each.remarks)
    return Chosen(tuple(outcomes), tuple(remarks))


def _claims(chosen: Chosen, brief: Brief) -> list[str]:
    """The rows of the unit, and the rows they come from and lead to."""
    own = [render_claim(claim) for claim in chosen.claims]
    linked: list[str] = []
    for row in chosen.outcomes:
        for word, codes in (("Before", row.progression_from), ("After", row.progression_to)):
            for code in codes:
                found = brief.library.named(code)[:1]
                linked += [f"{word}: {render_claim(claim_of(each))}" for each in found]
    return list(dict.fromkeys([*own, *linked]))


def _final_task(path: Sequence[tuple[Topic, Step]], number: int) -> list[str]:
    hard = [task for _, step in path for task in step.stretch][-1:]
    topics = list(dict.fromkeys(topic for topic, _ in path))
    lines = [
        f"In lesson {number}, alone, on paper or at the machine: one task of each topic, new to "
        "pupils, and one that needs several of them together.",
        "",
        "A good answer:",
        "",
        *(f"- shows that the pupil can {topic.criteria[-1]}" for topic in topics[:3]),
        "- says why this way was chosen and not another",
    ]
    if hard:
        lines += ["", f"A task to begin from: {hard[0].task}"]
    return lines


def _table(lessons: Sequence[Planned]) -> list[str]:
    rows = [
        f"| {at} | {_cell(each.outcome)} | {_cell(each.idea)} | {_cell(each.returns)} | "
        f"{_cell(each.evidence)} |"
        for at, each in enumerate(lessons, 1)
    ]
    head = "| lesson | outcome | new idea | comes back | evidence |"
    return [head, "|---|---|---|---|---|", *rows]


def _misconceptions(path: Sequence[tuple[Topic, Step]]) -> list[str]:
    lines: list[str] = []
    for topic in list(dict.fromkeys(topic for topic, _ in path))[:3]:
        lines.append(f"- {topic.misconceptions[0].sentence} (met in: {topic.steps[0].title})")
    return lines


def _differentiation(found: Sequence[Adaptation]) -> list[str]:
    return [f"- **{each.audience}**: {each.what}" for each in found]


def _stops(number: int) -> list[str]:
    middle, late = max(1, number // 3), max(2, number * 2 // 3)
    return [
        f"- After lesson {middle}: look at the exit checks. If fewer than two thirds are right, "
        "teach the worked example again with new numbers; otherwise go on.",
        f"- After lesson {late}: look at the mixed questions. If pupils mix things up, add a "
        "lesson of choosing; otherwise use the time for the final task.",
    ]


def _notes(
    brief: Brief, topic: Topic, path: Sequence[tuple[Topic, Step]], chosen: Chosen
) -> list[str]:
    notes = [f"{LOCAL_MARK}, from Paige's own material. Each lesson can be drafted by its title."]
    titles = list(dict.fromkeys(each.title for each, _ in path))
    notes.append(f"Topics in order: {'; '.join(titles)}.")
    if len(path) < new_lessons(lessons_asked(brief.request) or USUAL_LESSONS):
        notes.append("There is too little material for more new ideas: the rest is mixed practice.")
    return [*notes, *chosen.remarks, *memory_notes(brief), *assumptions(brief, topic)]


def _cell(text: str) -> str:
    return " ".join(text.replace("|", "/").split())
