"""Changes a lesson as a teacher wishes: what was asked for and what follows from it, no more.

Each change says in words what it did. What the rules cannot do, or did not understand, is said too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from paige.plan.lesson import Cycle, Lesson, Question
from paige.plan.local.adapting import adaptations
from paige.plan.local.brief import plain_words
from paige.plan.local.changes import CHANGES, Context, Outcome, asked_in
from paige.plan.local.choosing import rows_for
from paige.plan.local.practice import (
    CORE,
    START,
    STRETCH,
    join_practice,
    minutes_in,
    practice_minutes,
    split_practice,
    with_minutes,
)
from paige.plan.local.starters import EARLIER, count_for, recall_questions, seed_of
from paige.plan.local.timing import FEWEST_CYCLE_MINUTES, retimed
from paige.plan.local.wishes import (
    Adding,
    AtLevel,
    Change,
    ForClass,
    LeavingOut,
    LessonOf,
    NotUnderstood,
    StarterOf,
    Wish,
)

FEWEST_LESSON, LONGEST_LESSON = 20, 240
MOST_STARTER = 20


@dataclass(frozen=True, slots=True)
class Refined:
    """The lesson after all changes, what was changed, and what could not be."""

    lesson: Lesson
    changed: tuple[str, ...]
    could_not: tuple[str, ...]


def refine(lesson: Lesson, wishes: Sequence[Wish], context: Context) -> Refined:
    """Carry out every wish that can be carried out; another class and length come first."""
    changed: list[str] = []
    could_not: list[str] = []
    wished_starter = any(isinstance(wish, StarterOf) for wish in wishes)
    for wish in sorted(wishes, key=_order):
        outcome = _apply(lesson, wish, context, wished_starter=wished_starter)
        lesson = outcome.lesson
        if outcome.done:
            changed.append(outcome.done)
        if outcome.problem:
            could_not.append(outcome.problem)
    return Refined(lesson, tuple(changed), tuple(could_not))


def with_report(refined: Refined) -> Lesson:
    """The lesson with a last note that says what was changed and what was not."""
    notes = list(refined.lesson.notes)
    if refined.changed:
        notes.append(f"Changed: {'; '.join(refined.changed)}.")
    if refined.could_not:
        notes.append(f"Not changed: {'; '.join(refined.could_not)}.")
    return replace(refined.lesson, notes=tuple(notes))


def _order(wish: Wish) -> int:
    order = (ForClass, AtLevel, LessonOf, StarterOf)
    return next((at for at, kind in enumerate(order) if isinstance(wish, kind)), len(order))


def _apply(lesson: Lesson, wish: Wish, context: Context, *, wished_starter: bool) -> Outcome:
    match wish:
        case ForClass():
            return _for_class(lesson, wish.class_id, context)
        case AtLevel():
            return _at_level(lesson, wish.level, context)
        case LessonOf():
            return _of_minutes(lesson, wish.minutes)
        case StarterOf():
            return _starter(lesson, wish, context)
        case Change(kind="retrieval"):
            return _retrieval(lesson, context, keep_minutes=wished_starter)
        case Change():
            return _changed(lesson, wish, context)
        case Adding() | LeavingOut() | NotUnderstood():
            return Outcome(lesson, problem=_why_not(wish))


def _changed(lesson: Lesson, wish: Change, context: Context) -> Outcome:
    change = CHANGES.get(wish.kind)
    if change is None:
        said = f"“{wish.kind}” does not say of what: name the starter, the practice, the words"
        return Outcome(lesson, problem=said)
    return change(lesson, context)


def _why_not(wish: Adding | LeavingOut | NotUnderstood) -> str:
    words = plain_words(wish.text) or "…"
    match wish:
        case Adding():
            return f"“add {words}” does not say where: ask for it in its section"
        case LeavingOut():
            return f"“leave out {words}” does not say where: ask for it in its section"
        case NotUnderstood():
            return f"“{words}” was not understood without a model"


def _starter(lesson: Lesson, wish: StarterOf, context: Context) -> Outcome:
    before = lesson.starter.minutes
    step = 3 if before > 6 else 2
    after = wish.minutes or (before + step if wish.longer else max(2, before - step))
    cycles = len(lesson.cycles)
    most = min(
        MOST_STARTER, lesson.minutes - lesson.exit_check.minutes - FEWEST_CYCLE_MINUTES * cycles
    )
    after = max(1, min(after, most))
    if after == before:
        return Outcome(lesson, problem=f"the starter has {before} minutes already")
    changed = retimed(lesson, starter=after)
    questions = changed.starter.questions
    if after < before:
        questions = questions[: max(2, min(len(questions), count_for(after)))]
    elif len(questions) < count_for(after):
        questions = _more_recall(lesson, context, count_for(after))
    dropped = len(lesson.starter.questions) - len(questions)
    said = f"starter {before} to {after} minutes, the cycles have the difference"
    if dropped > 0:
        said += f", {dropped} of its questions left out"
    starter = replace(changed.starter, questions=questions)
    return Outcome(replace(changed, starter=starter), said)


def _of_minutes(lesson: Lesson, minutes: int) -> Outcome:
    if not FEWEST_LESSON <= minutes <= LONGEST_LESSON:
        return Outcome(lesson, problem=f"a lesson of {minutes} minutes is not possible")
    if minutes == lesson.minutes:
        return Outcome(lesson, problem=f"the lesson has {minutes} minutes already")
    said = f"{lesson.minutes} to {minutes} minutes"
    changed = lesson
    while len(changed.cycles) > 1 and _cycle_share(changed, minutes) < FEWEST_CYCLE_MINUTES:
        changed = replace(changed, cycles=changed.cycles[:-1])
    dropped = len(lesson.cycles) - len(changed.cycles)
    if dropped:
        said += f", {dropped} learning cycle{'s' if dropped > 1 else ''} left out for lack of time"
    changed = retimed(changed, minutes=minutes)
    cycles = tuple(_practice_for(cycle) for cycle in changed.cycles)
    return Outcome(replace(changed, cycles=cycles), said)


def _cycle_share(lesson: Lesson, minutes: int) -> float:
    return (minutes - 8) / len(lesson.cycles)


def _practice_for(cycle: Cycle) -> Cycle:
    if minutes_in(cycle.practice) is None:
        return cycle
    return replace(cycle, practice=with_minutes(cycle.practice, practice_minutes(cycle.minutes)))


def _at_level(lesson: Lesson, level: str, context: Context) -> Outcome:
    if lesson.level.casefold().startswith(level.casefold()):
        return Outcome(lesson, problem=f"the lesson is at {level} level already")
    if context.topic is None:
        said = f"the rows of {level} level: choose one, Paige does not know this topic"
        return Outcome(lesson, problem=said)
    chosen = rows_for(context.topic, context.library, level)
    if not chosen.outcomes or not chosen.level.casefold().startswith(level.casefold()):
        return Outcome(lesson, problem=f"no curriculum row of {level} level fits this topic")
    before, after = _rank(lesson.level), _rank(level)
    harder = after > before
    cycles = tuple(_harder(cycle) if harder else _easier(cycle) for cycle in lesson.cycles)
    changed = replace(lesson, level=level, curriculum=chosen.claims, cycles=cycles)
    how = "the Stretch tasks are now for all" if harder else "the Stretch tasks may be left out"
    notes = (*lesson.notes, *(remark for remark in chosen.remarks if remark not in lesson.notes))
    return Outcome(replace(changed, notes=notes), f"{level} level with its own row; {how}")


def _harder(cycle: Cycle) -> Cycle:
    """Stretch tasks become core tasks, and the easiest one goes."""
    head, tasks = split_practice(cycle.practice)
    kept = [task.replace(f"**{STRETCH}**", f"**{CORE}**") for task in tasks]
    if len(kept) > 3:
        kept = [task for task in kept if not task.startswith(f"**{START}**")] or kept
    return replace(cycle, practice=join_practice(head, kept)) if tasks else cycle


def _easier(cycle: Cycle) -> Cycle:
    head, tasks = split_practice(cycle.practice)
    kept = [task.replace(f"**{STRETCH}**", f"**{STRETCH}, if there is time**") for task in tasks]
    return replace(cycle, practice=join_practice(head, kept)) if tasks else cycle


def _rank(level: str) -> int:
    order = ("early", "first", "second", "third", "fourth")
    return next((at for at, each in enumerate(order) if level.casefold().startswith(each)), 3)


def _for_class(lesson: Lesson, class_id: str, context: Context) -> Outcome:
    profile = context.profile(class_id)
    if profile is None:
        return Outcome(lesson, problem=f"there is no profile of class {class_id}")
    said = [f"for {profile.id}: needs, starter questions and facts of that class"]
    changed = replace(
        lesson,
        class_id=profile.id,
        year=profile.year,
        differentiation=adaptations(profile, context.topic),
    )
    problems: list[str] = []
    if profile.level and profile.level != lesson.level:
        moved = _at_level(changed, profile.level, context)
        changed = moved.lesson
        (problems if moved.problem else said).append(moved.problem or moved.done)
    if profile.minutes != lesson.minutes:
        timed = _of_minutes(changed, profile.minutes)
        changed = timed.lesson
        (problems if timed.problem else said).append(timed.problem or timed.done)
    number = max(2, min(len(changed.starter.questions), count_for(changed.starter.minutes)))
    questions = _recall(context, profile.id, number)
    if questions:
        changed = replace(changed, starter=replace(changed.starter, questions=questions))
    return Outcome(changed, "; ".join(said), "; ".join(problems))


def _recall(context: Context, class_id: str, number: int) -> tuple[Question, ...]:
    seed = seed_of(context.request, class_id)
    return recall_questions(context.topic, context.taught(class_id), number, seed)


def _more_recall(lesson: Lesson, context: Context, number: int) -> tuple[Question, ...]:
    """The questions of the starter and further ones from what the class was taught."""
    known = {each.question.removeprefix(EARLIER) for each in asked_in(lesson)}
    more = [
        each
        for each in _recall(context, lesson.class_id, number + 8)
        if each.question.removeprefix(EARLIER) not in known
    ]
    return (*lesson.starter.questions, *more)[:number]


def _retrieval(lesson: Lesson, context: Context, *, keep_minutes: bool) -> Outcome:
    before = len(lesson.starter.questions)
    if keep_minutes:
        known = {each.question.removeprefix(EARLIER) for each in asked_in(lesson)}
        fresh = [
            each
            for each in _recall(context, lesson.class_id, before + 8)
            if each.question.removeprefix(EARLIER) not in known
        ]
        if not fresh:
            return Outcome(lesson, problem="nothing else is known that the class was taught")
        asked = Question(f"{EARLIER}{fresh[0].question.removeprefix(EARLIER)}", fresh[0].answer)
        exit_check = lesson.exit_check
        exit_check = replace(exit_check, questions=(asked, *exit_check.questions))
        said = "one more question from memory, in the exit check, because the starter is short"
        return Outcome(replace(lesson, exit_check=exit_check), said)
    questions = _more_recall(lesson, context, before + 2)
    added = len(questions) - before
    if added < 1:
        return Outcome(lesson, problem="nothing else is known that the class was taught")
    changed = retimed(lesson, starter=lesson.starter.minutes + added)
    starter = replace(changed.starter, questions=questions)
    said = f"{added} more questions from memory in the starter, which is {added} minutes longer"
    return Outcome(replace(changed, starter=starter), said)
