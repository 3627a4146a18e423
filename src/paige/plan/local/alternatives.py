"""Other ways to write one section of a lesson, made from what the lesson itself holds.

Each way is a real alternative: another activity, another form, other questions. What a topic knows
beyond the lesson is used where there is one; no facts are made up.
"""

import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache

from paige.base.paths import shipped
from paige.plan.lesson import Activity, Adaptation, Check, Cycle, Lesson, Question
from paige.plan.local.changes import Context, asked_in, flaw_task
from paige.plan.local.choosing import claim_of
from paige.plan.local.practice import CORE, START, join_practice, minutes_in, task_line
from paige.plan.local.practice import practice_minutes as usual_minutes
from paige.plan.local.starters import as_question, recall_questions, seed_of
from paige.plan.local.topics import Step, Task


@lru_cache(maxsize=1)
def strategies() -> Mapping[str, tuple[str, ...]]:
    """Ways to help, by need."""
    data = tomllib.loads(shipped("plan/strategies.toml").read_text("utf-8"))
    return {name: tuple(each["ways"]) for name, each in data.items()}


def alternatives(lesson: Lesson, section: str, context: Context) -> list[Lesson]:
    """The lesson with the section written in other ways, one lesson for each way."""
    if section.startswith("learning-cycle-"):
        at = int(section.rsplit("-", 1)[1]) - 1
        if not 0 <= at < len(lesson.cycles):
            return []
        return [_with_cycle(lesson, at, cycle) for cycle in _cycles(lesson, at, context)]
    make = _MAKERS.get(section)
    found = list(make(lesson, context)) if make else []
    return [each for each in found if each != lesson]


def _outcomes(lesson: Lesson, context: Context) -> Iterator[Lesson]:
    criteria = [_after_i_can(each) for each in lesson.success_criteria]
    plain = lesson.outcome.rstrip(".")
    options = [
        f"{plain}, and explain to a partner how I know.",
        f"I can {criteria[0]} and {criteria[1]}." if len(criteria) > 1 else "",
        f"I can {criteria[-1]}, on my own." if criteria else "",
        f"I can explain in my own words: {lesson.title.rstrip('.')}.",
    ]
    for text in options:
        if text and len(text) <= 190:
            yield replace(lesson, outcome=text)


def _criteria(lesson: Lesson, context: Context) -> Iterator[Lesson]:
    own = lesson.success_criteria
    words = " and ".join(keyword.word for keyword in lesson.keywords[:2])
    yield replace(lesson, success_criteria=(*own[:2], "I can explain to a partner how I know."))
    yield replace(
        lesson,
        success_criteria=(
            "I can do the Core tasks without looking at the example.",
            "I can say for one wrong option why it is wrong.",
            f"I can use the words {words} in my answer.",
        ),
    )
    yield replace(
        lesson,
        success_criteria=(own[0], own[-1], "I can make a task of this kind and solve it."),
    )


def _curriculum(lesson: Lesson, context: Context) -> Iterator[Lesson]:
    if context.topic is None:
        return
    have = {claim.code for claim in lesson.curriculum}
    for code in context.topic.outcomes:
        for row in context.library.named(code)[:1]:
            if row.code not in have:
                yield replace(lesson, curriculum=(claim_of(row),))


def _before(lesson: Lesson, context: Context) -> Iterator[Lesson]:
    words = ", ".join(keyword.word for keyword in lesson.keywords)
    prior = lesson.prior_knowledge
    asked = tuple(
        f"Pupils can answer: {_one_line(each.question)}" for each in lesson.starter.questions[:3]
    )
    yield replace(lesson, prior_knowledge=asked or prior)
    yield replace(lesson, prior_knowledge=prior[:2], resources=("Paper", "Show-me boards"))
    reminded = tuple(
        f"{each} (if it is not secure: one example on the board first)" for each in prior
    )
    shared = (
        f"On the board before the lesson: {words}",
        "One sheet for each pair, no printing else",
    )
    yield replace(lesson, prior_knowledge=reminded, resources=shared)


def _points(lesson: Lesson, context: Context) -> Iterator[Lesson]:
    if len(lesson.key_points) > 3:
        yield replace(lesson, key_points=lesson.key_points[:3])
    gaps = tuple(_gapped(point, lesson) for point in lesson.key_points)
    yield replace(lesson, key_points=gaps)
    asked = tuple(f"Can you say why? {point}" for point in lesson.key_points)
    yield replace(lesson, key_points=asked)
    yield replace(lesson, key_points=tuple(f"{p} Example wanted." for p in lesson.key_points))


def _keywords(lesson: Lesson, context: Context) -> Iterator[Lesson]:
    words = lesson.keywords
    if len(words) > 3:
        yield replace(lesson, keywords=words[:3])
    framed = tuple(
        replace(word, meaning=f"{word.meaning}. Say: “Here the {word.word} is …”")
        for word in words
        if len(word.meaning) < 150
    )
    yield replace(lesson, keywords=framed)
    drawn = tuple(
        replace(word, meaning=f"{word.meaning} (draw a sign for it)")
        for word in words
        if len(word.meaning) < 170
    )
    yield replace(lesson, keywords=drawn)
    yield replace(lesson, keywords=tuple(reversed(words)))


def _misconceptions(lesson: Lesson, context: Context) -> Iterator[Lesson]:
    own = lesson.misconceptions
    codes = [claim.code for claim in lesson.curriculum]
    rows = [row for code in codes for row in context.library.named(code)[:1]]
    from_rows = [text for row in rows for text in row.misconceptions if len(text) <= 250]
    if from_rows:
        yield replace(lesson, misconceptions=tuple(from_rows[:2]))
        yield replace(lesson, misconceptions=(own[0], from_rows[-1]))
    wrong = [
        f"“{check.distractors[0]}” for “{_one_line(check.question)}”: right is {check.answer}."
        for cycle in lesson.cycles
        for check in cycle.checks
    ]
    short = [text for text in wrong if len(text) <= 250]
    yield replace(lesson, misconceptions=tuple(short[:3]))
    yield replace(lesson, misconceptions=(own[0], *short[-1:]))


def _starters(lesson: Lesson, context: Context) -> Iterator[Lesson]:
    starter = lesson.starter
    number = max(2, len(starter.questions))
    yield replace(lesson, starter=_other_recall(lesson, context, number))
    yield replace(lesson, starter=_spot_the_mistake(lesson, number))
    words = ", ".join(keyword.word for keyword in lesson.keywords)
    dump = (
        "Two minutes: close everything and write down all you remember of last lesson. Then open "
        f"your jotter, add what is missing in another colour, and mark what surprised you. Listen "
        f"for {words}."
    )
    kept = starter.questions[: max(1, number - 2)]
    asked = Question("What had you forgotten?", "own answers; hear three pairs")
    yield replace(lesson, starter=replace(starter, instructions=dump, questions=(asked, *kept)))


def _other_recall(lesson: Lesson, context: Context, number: int) -> Activity:
    """Other questions from memory, answered in pairs."""
    known = {each.question for each in asked_in(lesson)}
    seed = seed_of(context.request, lesson.title, "other")
    taught = context.taught(lesson.class_id)
    found = recall_questions(context.topic, taught, number + 8, seed)
    fresh = tuple(each for each in found if each.question not in known)[:number]
    return Activity(
        lesson.starter.minutes,
        "In pairs: one asks, the other answers from memory, then swap after each question.",
        fresh or tuple(reversed(lesson.starter.questions)),
    )


def _spot_the_mistake(lesson: Lesson, number: int) -> Activity:
    checks = [check for cycle in lesson.cycles for check in cycle.checks]
    questions = tuple(
        Question(
            f"Someone answered “{check.distractors[0]}” to “{_one_line(check.question)}” What do "
            "you think: right or wrong? Guess, we come back to it.",
            f"wrong; {check.answer}",
        )
        for check in checks[: max(2, number - 1)]
    )
    return Activity(
        lesson.starter.minutes,
        "Right or wrong? Decide alone, show a thumb, and keep your answers for the end.",
        questions,
    )


def _exits(lesson: Lesson, context: Context) -> Iterator[Lesson]:
    ending = lesson.exit_check
    asked = {each.question for each in asked_in(lesson)}
    fresh = [
        as_question(check)
        for check in (context.topic.questions if context.topic else ())
        if check.question not in asked
    ]
    words = [keyword.word for keyword in lesson.keywords]
    explain = Question(
        f"Explain to someone who was away today: {lesson.key_points[0].rstrip('.')}. "
        f"Use {' and '.join(words[:2])}.",
        "own words; the key learning point and both words are in it",
    )
    first = ending.questions[:1]
    yield _with_exit(lesson, "Alone, on paper: one question, then explain.", (*first, explain))
    check = lesson.cycles[-1].checks[-1]
    wrong = Question(
        f"“{_one_line(check.question)}” Someone writes “{check.distractors[-1]}”. Put it right, "
        "and say what they may have thought.",
        f"{check.answer}; a reason is given",
    )
    last = fresh[:1] or list(ending.questions[-1:])
    yield _with_exit(lesson, "Alone, on paper: mend the mistake.", (wrong, *last))
    sure = "Alone, on paper. Beside each answer write how sure you are: 1, 2 or 3."
    yield _with_exit(lesson, sure, tuple(reversed(ending.questions)))


def _with_exit(lesson: Lesson, instructions: str, questions: tuple[Question, ...]) -> Lesson:
    ending = replace(lesson.exit_check, instructions=instructions, questions=questions)
    return replace(lesson, exit_check=ending)


def _differentiations(lesson: Lesson, context: Context) -> Iterator[Lesson]:
    words = ", ".join(keyword.word for keyword in lesson.keywords)
    for at in range(3):
        changed = tuple(
            Adaptation(each.audience, _way(each.audience, at).format(words=words))
            for each in lesson.differentiation
        )
        yield replace(lesson, differentiation=changed)


def _way(audience: str, at: int) -> str:
    kind = audience.casefold().split("(")[0].strip()
    ways = strategies().get(kind, strategies()["other"])
    return ways[at % len(ways)]


def _homeworks(lesson: Lesson, context: Context) -> Iterator[Lesson]:
    words = ", ".join(keyword.word for keyword in lesson.keywords[:3])
    check = lesson.cycles[0].checks[0]
    yield replace(lesson, homework=f"Ten minutes on paper: write from memory what {words} mean.")
    asked = _one_line(check.question)
    yield replace(lesson, homework=f"Explain the answer to someone, then write it down: {asked}")
    yield replace(lesson, homework="Make three questions about today, with answers, to swap.")


def _cycles(lesson: Lesson, at: int, context: Context) -> Iterator[Cycle]:
    cycle = lesson.cycles[at]
    minutes = minutes_in(cycle.practice) or usual_minutes(cycle.minutes)
    checks = _other_checks(cycle, context, at)
    yield replace(
        cycle,
        explanation=(
            "Example first. Show the worked example without a word, then ask: what happens in each "
            f"step, and why? Only then say it:\n\n{cycle.explanation}"
        ),
        practice=join_practice(
            f"About {minutes} minutes. Finish what is begun: each example has one step less.",
            [
                task_line(
                    START, Task("Cover the last step of the example. Say it.", "as shown above")
                ),
                *_tasks_of(cycle),
            ],
        ),
        checks=checks,
    )
    yield replace(
        cycle,
        explanation=(
            "Talk first. In pairs, two minutes: which of these sentences is true, and how do you "
            f"know?\n\n{_statements(cycle)}\n\nHear three pairs, then:\n\n{cycle.explanation}"
        ),
        practice=join_practice(
            f"About {minutes} minutes. In pairs: one explains, the other writes; swap after each "
            "task.",
            _tasks_of(cycle),
        ),
    )
    yield replace(
        cycle,
        explanation=f"{cycle.explanation}\n\nThen say: today we learn from mistakes as well.",
        practice=join_practice(
            f"About {minutes} minutes. Some answers are wrong. Find them and put them right.",
            [*_wrong_answers(cycle), flaw_task(cycle)],
        ),
        checks=checks,
    )


def _with_cycle(lesson: Lesson, at: int, cycle: Cycle) -> Lesson:
    return replace(lesson, cycles=(*lesson.cycles[:at], cycle, *lesson.cycles[at + 1 :]))


def _other_checks(cycle: Cycle, context: Context, at: int) -> tuple[Check, ...]:
    """Other questions of the same step where the topic has some."""
    step = _step_of(cycle, context)
    fresh = [each for each in (step.questions if step else ()) if each not in cycle.checks]
    return tuple(fresh[: len(cycle.checks)]) if len(fresh) >= 2 else cycle.checks


def _step_of(cycle: Cycle, context: Context) -> Step | None:
    steps = context.topic.steps if context.topic else ()
    return next((step for step in steps if step.title == cycle.title), None)


def _tasks_of(cycle: Cycle) -> list[str]:
    from_checks = [
        task_line(CORE, Task(_one_line(check.question), check.answer)) for check in cycle.checks
    ]
    lines = [line for line in cycle.practice.split("\n") if line[:1].isdigit() and ". " in line]
    tasks = [line.split(". ", 1)[1] for line in lines]
    return tasks or from_checks


def _statements(cycle: Cycle) -> str:
    lines: list[str] = []
    for check in cycle.checks:
        asked = _one_line(check.question)
        lines.append(f"- {asked} Someone says: {check.distractors[0]}.")
        lines.append(f"- {asked} Someone else says: {check.answer}.")
    return "\n".join(lines)


def _wrong_answers(cycle: Cycle) -> list[str]:
    tasks: list[str] = []
    for at, check in enumerate(cycle.checks):
        shown = check.distractors[-1] if at % 2 == 0 else check.answer
        verdict = f"wrong: {check.answer}" if at % 2 == 0 else "right"
        asked = f"“{_one_line(check.question)}” Answer given: “{shown}”. Right or wrong?"
        tasks.append(task_line(CORE, Task(asked, verdict)))
    return tasks


def _gapped(point: str, lesson: Lesson) -> str:
    for keyword in lesson.keywords:
        at = point.casefold().find(keyword.word.casefold())
        if at >= 0:
            return f"{point[:at]}…{point[at + len(keyword.word) :]} (the word: {keyword.word})"
    words = point.rstrip(".").rsplit(" ", 1)
    return f"{words[0]} … (the word: {words[-1]})"


def _after_i_can(text: str) -> str:
    return text.rstrip(".").removeprefix("I can ").strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())


_MAKERS: dict[str, Callable[[Lesson, Context], Iterator[Lesson]]] = {
    "learning-outcome": _outcomes,
    "success-criteria": _criteria,
    "curriculum": _curriculum,
    "before-the-lesson": _before,
    "key-learning-points": _points,
    "keywords": _keywords,
    "misconceptions": _misconceptions,
    "starter": _starters,
    "exit-check": _exits,
    "differentiation": _differentiations,
    "homework": _homeworks,
}
