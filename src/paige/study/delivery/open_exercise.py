"""One exercise, step by step: an answer, a hint, an answer again, until it is over.

Each step takes how far somebody is and what they did, and gives how far they are then and what they
are told. Nothing is kept in between, so another process can take the next step.
"""

from dataclasses import replace
from datetime import datetime

from paige.base.errors import Conflict
from paige.exercise.hints import ANSWER, Ladder, how_to_continue, next_level
from paige.exercise.values import AnswerMark, Modality, with_help
from paige.study.delivery.code import all_passed, mark_code
from paige.study.delivery.help import allowed_hint, kept_back, next_hint
from paige.study.delivery.judge import JudgedAnswer, judge
from paige.study.delivery.results import Session, answer_of, evaluated, questions_result
from paige.study.delivery.round_trip import explained, judged_code, mark_whole
from paige.study.exercise_tools import ExerciseTools
from paige.study.values import (
    COMPARE,
    LOCAL,
    Answer,
    Evaluation,
    Event,
    Exercise,
    GaveUp,
    HintWanted,
    Line,
    OpenExercise,
    Question,
    QuestionResult,
    StepOutcome,
    check_manner,
)

_WHOLE: tuple[Modality, ...] = ("worksheet", "long_form", "image_review")
_ONE_TRY: tuple[Modality, ...] = ("flashcard",)
_SLIP = "spelling"
NO_PARTNER = (
    "Without a model {name} cannot answer you; your words are compared with the course's answer."
)


def begin(exercise: Exercise, now: datetime) -> OpenExercise:
    """The start of an exercise."""
    return OpenExercise(exercise=exercise, started=now)


async def take(
    tools: ExerciseTools, sitting: OpenExercise, event: Event, now: datetime
) -> StepOutcome:
    """One step. When it fails nothing has happened, and it can be taken again.

    Raises: Conflict when the exercise is over; NotFound, BadInput, Unavailable, ProviderFailed.
    """
    if sitting.over:
        raise Conflict("This exercise is over", hint="Go on to the next one.")
    match event:
        case Answer():
            check_manner(sitting, event)
            return await _take_answer(tools, sitting, event, now)
        case HintWanted() if _is_whole(sitting) and sitting.exercise.modality == "worksheet":
            return StepOutcome(
                sitting=sitting, says=("Fill in what you know; leave the rest open.",)
            )
        case HintWanted() | GaveUp():
            return await _help(tools, sitting, event, now)


async def finish(tools: ExerciseTools, sitting: OpenExercise, now: datetime) -> StepOutcome:
    """End an exercise as it is, because time is up; what was not reached does not count."""
    if sitting.over:
        raise Conflict("This exercise is over", hint="Go on to the next one.")
    if _is_whole(sitting) or (_is_code(sitting) and not sitting.judged):
        taken = await _end_file(tools, sitting, sitting.ladder, now)
        return replace(taken, sitting=replace(taken.sitting, over=True))
    reached = sitting.exercise.items[: len(sitting.judged)]
    shorter = replace(sitting, exercise=replace(sitting.exercise, items=reached))
    done = _outcome(shorter, now)
    ended = replace(sitting, over=True)
    return StepOutcome(sitting=ended, says=done.feedback, evaluated=done)


def _is_whole(sitting: OpenExercise) -> bool:
    return sitting.exercise.modality in _WHOLE


def _is_code(sitting: OpenExercise) -> bool:
    return sitting.question is not None and sitting.question.kind == "code"


async def _take_answer(
    tools: ExerciseTools, sitting: OpenExercise, answer: Answer, now: datetime
) -> StepOutcome:
    if _is_whole(sitting):
        return await _hand_in(tools, sitting, answer, now)
    if _is_code(sitting):
        return await _run_code(tools, sitting, answer, now)
    return await _answer(tools, sitting, answer, now)


async def _hand_in(
    tools: ExerciseTools, sitting: OpenExercise, answer: Answer, now: datetime
) -> StepOutcome:
    session = _session(_timed(sitting, answer), now)
    done = await mark_whole(tools, sitting.exercise, answer, sitting.ladder, session)
    if done.compare:
        return StepOutcome(
            sitting=replace(_timed(sitting, answer), turned=True), says=done.feedback
        )
    if not done.result.gradable:
        return StepOutcome(sitting=sitting, says=done.feedback)
    correct = done.result.score.percentage >= 1.0
    ended = replace(_timed(sitting, answer), over=True)
    return StepOutcome(sitting=ended, says=done.feedback, evaluated=done, correct=correct)


async def _run_code(
    tools: ExerciseTools, sitting: OpenExercise, answer: Answer, now: datetime
) -> StepOutcome:
    """Run the tests; code that fails them may be mended and handed in again."""
    question = _asked(sitting)
    session = _session(_timed(sitting, answer), now)
    done = await mark_code(tools, sitting.exercise, answer, sitting.ladder, session)
    if not done.result.gradable:
        return StepOutcome(sitting=sitting, says=done.feedback)
    passed = all_passed(done.result)
    event = "attempt_correct" if passed else "attempt_failed"
    ladder = next_level(sitting.ladder, event, now)
    timed = replace(_timed(sitting, answer), ladder=ladder)
    if passed or answer.final or ladder.level >= ANSWER:
        return _code_over(timed, done, now, said=done.feedback)
    said = [*done.feedback]
    hint = allowed_hint(question, ladder) if ladder.level > sitting.ladder.level else ""
    said += [hint] if hint else []
    return StepOutcome(sitting=timed, says=(*said, how_to_continue(ladder)), correct=False)


def _code_over(
    sitting: OpenExercise, done: Evaluation, now: datetime, *, said: tuple[str, ...]
) -> StepOutcome:
    """The end of code: alone it is the whole exercise, in a pair the last of its questions."""
    question, ladder = _asked(sitting), sitting.ladder
    correct = all_passed(done.result)
    if len(sitting.exercise.items) == 1:
        rating = with_help(
            done.result.fsrs_rating,
            hints_used=ladder.hints_used,
            answer_shown=ladder.answer_shown,
        )
        result = replace(
            done.result,
            fsrs_rating=rating,
            hints_used=ladder.hints_used,
            answer_shown=ladder.answer_shown,
        )
        ended = replace(sitting, over=True)
        told = replace(done, result=result)
        return StepOutcome(sitting=ended, says=said, evaluated=told, correct=correct)
    judged = (*sitting.judged, judged_code(question, done.result, ladder))
    ended = replace(sitting, judged=judged, at=sitting.at + 1, over=True)
    outcome = _outcome(ended, now)
    whole = replace(outcome, result=replace(outcome.result, tests=done.result.tests))
    return StepOutcome(
        sitting=ended, says=(*said, *outcome.feedback), evaluated=whole, correct=correct
    )


async def _answer(
    tools: ExerciseTools, sitting: OpenExercise, answer: Answer, now: datetime
) -> StepOutcome:
    question, exercise = _asked(sitting), sitting.exercise
    given = await judge(tools, exercise, question, answer, sitting.ladder, sitting.dialogue)
    if given.marked is None:
        turned = replace(sitting, turned=True)
        return StepOutcome(sitting=turned, says=(answer_of(question), COMPARE))
    sitting = _heard(_timed(sitting, answer), question, given)
    if given.marked.verdict == "correct":
        solved = next_level(sitting.ladder, "attempt_correct", now)
        sitting, said = await _partner(tools, sitting, question, given, right=True)
        return _closed(replace(sitting, ladder=solved), given, now, said)
    if given.by_learner or exercise.modality in _ONE_TRY or _is_slip(given.marked):
        tried = next_level(sitting.ladder, "attempt_failed", now)
        return _closed(replace(sitting, ladder=_still(tried, sitting.ladder)), given, now, ())
    ladder = next_level(sitting.ladder, "attempt_failed", now)
    if ladder.level >= ANSWER:
        return _closed(replace(sitting, ladder=ladder), given, now, ())
    climbed = ladder.level > sitting.ladder.level
    sitting, said = await _partner(tools, replace(sitting, ladder=ladder), question, given)
    told = [*said, *_not_yet(sitting, question, given, climbed=climbed)]
    dialogue = (*sitting.dialogue, *(Line("tutor", each) for each in told if each))
    return StepOutcome(
        sitting=replace(sitting, dialogue=dialogue),
        says=(*told, how_to_continue(ladder)),
        correct=False,
    )


def _still(tried: Ladder, before: Ladder) -> Ladder:
    """An attempt that ends a question opens no further hint."""
    return replace(before, attempts=tried.attempts, changed=tried.changed)


def _is_slip(marked: AnswerMark) -> bool:
    """Whether somebody knows it and only wrote it a little wrong."""
    return marked.verdict == "partial" and marked.error_type == _SLIP


def _not_yet(
    sitting: OpenExercise, question: Question, given: JudgedAnswer, *, climbed: bool
) -> list[str]:
    """What is said to an answer that is not right: what is wrong, then a hint if one is due."""
    assert given.marked is not None
    opening = "Nearly." if given.marked.verdict == "partial" else "Not yet."
    reply = given.reply or f"{opening} {given.marked.feedback}"
    said = [kept_back(question, sitting.ladder, reply, sitting.dialogue) or opening]
    if climbed and (not given.reply or said == [opening]):
        said.append(allowed_hint(question, sitting.ladder, sitting.dialogue))
    return [each for each in said if each]


async def _partner(
    tools: ExerciseTools,
    sitting: OpenExercise,
    question: Question,
    given: JudgedAnswer,
    *,
    right: bool = False,
) -> tuple[OpenExercise, tuple[str, ...]]:
    """What a partner says to the answer, in exercises that have one."""
    exercise = sitting.exercise
    if exercise.partner is None:
        return sitting, ()
    # It brings the whole agent along, and few exercises have a partner.
    from paige.study.delivery.partners import ask_partner  # noqa: PLC0415

    said = await ask_partner(tools, exercise, question, given.text, session=sitting.partner_session)
    name = "Sam" if exercise.partner == "pupil" else "Robin"
    if said is None:
        alone = NO_PARTNER.format(name=name)
        known = sitting.judged or any(line.text == alone for line in sitting.dialogue)
        return sitting, () if known else (alone,)
    kept = said.text
    if not right:
        kept = kept_back(question, sitting.ladder, said.text, sitting.dialogue)
    moved = replace(sitting, partner_session=said.session, source=said.by)
    return moved, (f"{name}: {kept}",) if kept else ()


async def _help(
    tools: ExerciseTools, sitting: OpenExercise, event: HintWanted | GaveUp, now: datetime
) -> StepOutcome:
    question = sitting.question
    if question is None:
        return StepOutcome(sitting=sitting, says=(how_to_continue(sitting.ladder),))
    name = "hint_requested" if isinstance(event, HintWanted) else "gave_up"
    begun = sitting.ladder
    if _is_whole(sitting):  # handing it in ends it, so the work itself is the attempt
        begun = replace(begun, attempts=max(begun.attempts, 1))
    ladder = next_level(begun, name, now)
    if _is_whole(sitting) and isinstance(event, HintWanted) and ladder.level >= ANSWER:
        return StepOutcome(
            sitting=sitting, says=("There are no more hints: hand in what you have.",)
        )
    if ladder.level == sitting.ladder.level:
        return StepOutcome(sitting=sitting, says=(how_to_continue(ladder),))
    if ladder.level >= ANSWER:
        moved = replace(sitting, ladder=ladder)
        if _is_code(sitting) or _is_whole(sitting):
            return await _end_file(tools, moved, ladder, now)
        last = JudgedAnswer("", AnswerMark("incorrect", 0.0, "The answer was shown."))
        return _closed(moved, last, now, ())
    hint, ladder = next_hint(question, begun, ladder, sitting.dialogue)
    dialogue = (*sitting.dialogue, Line("tutor", hint))
    moved = replace(sitting, ladder=ladder, dialogue=dialogue)
    return StepOutcome(sitting=moved, says=(hint, how_to_continue(ladder)))


async def _end_file(
    tools: ExerciseTools, sitting: OpenExercise, ladder: Ladder, now: datetime
) -> StepOutcome:
    """The end of work on files for somebody who leaves it as it is."""
    session = _session(sitting, now)
    shown = answer_of(_asked(sitting)) if ladder.answer_shown else ""
    if _is_code(sitting):
        done = await mark_code(tools, sitting.exercise, Answer(), ladder, session)
        taken = _code_over(sitting, done, now, said=done.feedback)
    else:
        done = await mark_whole(tools, sitting.exercise, Answer(), ladder, session)
        if done.compare:
            return StepOutcome(sitting=replace(sitting, turned=True), says=done.feedback)
        taken = StepOutcome(
            sitting=replace(sitting, over=True), says=done.feedback, evaluated=done, correct=False
        )
    return replace(taken, says=(*((shown,) if shown else ()), *taken.says))


def _closed(
    sitting: OpenExercise, given: JudgedAnswer, now: datetime, said: tuple[str, ...]
) -> StepOutcome:
    """A question is done: say why, and go on or end."""
    question = _asked(sitting)
    assert given.marked is not None
    right = given.marked.verdict == "correct"
    told = [*said, given.reply or given.marked.feedback if right else ""]
    if right:
        told.append(question.explanation.strip())
    elif _is_slip(given.marked):
        told += [given.marked.feedback, answer_of(question)]
    else:
        told += [given.reply, answer_of(question)]
    judged = QuestionResult(question.id, given.text, given.marked, sitting.ladder)
    moved = replace(
        sitting,
        at=sitting.at + 1,
        judged=(*sitting.judged, judged),
        ladder=Ladder(),
        turned=False,
        dialogue=(),
    )
    lines = tuple(dict.fromkeys(each for each in told if each and each.strip()))
    if moved.question is not None:
        return StepOutcome(sitting=moved, says=lines, correct=right)
    done = _outcome(moved, now)
    over = replace(moved, over=True)
    return StepOutcome(
        sitting=over, says=(*lines, done.result.message), evaluated=done, correct=right
    )


def _outcome(sitting: OpenExercise, now: datetime) -> Evaluation:
    session = _session(sitting, now)
    result = questions_result(sitting.exercise, sitting.judged, session)
    told = explained(sitting.exercise, sitting.judged, result)
    return replace(evaluated(result, sitting.judged), feedback=told)


def _heard(sitting: OpenExercise, question: Question, given: JudgedAnswer) -> OpenExercise:
    """The sitting after an answer was understood."""
    lines = sitting.dialogue or (Line("tutor", question.prompt),)
    remarks = (*sitting.remarks, *((given.remark,) if given.remark else ()))
    return replace(
        sitting,
        dialogue=(*lines, Line("learner", given.text)),
        source=given.by if given.by != LOCAL else sitting.source,
        remarks=tuple(dict.fromkeys(remarks)),
    )


def _timed(sitting: OpenExercise, answer: Answer) -> OpenExercise:
    known = sitting.seconds is not None and answer.seconds is not None
    seconds = (sitting.seconds or 0.0) + (answer.seconds or 0.0) if known else None
    return replace(sitting, seconds=seconds, confident=sitting.confident and answer.confident)


def _session(sitting: OpenExercise, now: datetime) -> Session:
    return Session(
        now=now,
        started=sitting.started,
        seconds=sitting.seconds,
        confident=sitting.confident,
        source=sitting.source,
        remarks=sitting.remarks,
    )


def _asked(sitting: OpenExercise) -> Question:
    question = sitting.question
    if question is None:
        raise Conflict("This exercise has no more questions", hint="Go on to the next one.")
    return question
