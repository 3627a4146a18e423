"""The term behind Study: one learner in three courses, who remembers most and forgets some.

Sessions are real: the planner chooses, the grader marks, FSRS says when something comes back. The
learner is invented: what was met often is answered right more often, and a wrong answer is a slip
of the pen, somebody else's answer, or nothing at all.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from random import Random
from typing import Any

from paige.app.demo.term import Calendar, Json, TermEvent, content
from paige.app.study_deps import StudyDeps, speech_of
from paige.base.errors import PaigeError
from paige.base.settings import Settings
from paige.learner.files import LearnerFiles
from paige.store.documents import DirectoryDocuments
from paige.study.preferences import easy_days
from paige.study.session.context import SessionContext
from paige.study.session.driver import Act, Instead, Skip, Stop, Turn, act, start
from paige.study.session.state import SessionState
from paige.study.settings import StudyProfileChange, change_profile
from paige.study.values import Answer, GaveUp, Question, SelfCheck, SessionRequest

MOST_ACTS = 60
_TYPED = ("conversation", "repl", "audio")


@dataclass(frozen=True, slots=True)
class DemoSession:
    """One session: in which course, for how long, by which kind, and with how much luck."""

    course: str
    minutes: int
    prefer: Any
    sure: float
    stop_after: int = MOST_ACTS


def study_happenings(term: Calendar) -> list[TermEvent]:
    """When the learner sits down, and to what."""
    told = content("study")
    chance = term.random("study")
    first = term.moment(1, "mon", "06:00")
    found = [TermEvent(first, "study", partial(_set_up, term, told))]
    for course in told["course"]:
        for at, sitting in _sittings(term, course, chance):
            found.append(TermEvent(at, "study", partial(_sit_down, term, sitting, chance)))
    return found


def _sittings(term: Calendar, course: Json, chance: Random) -> list[tuple[datetime, DemoSession]]:
    made: list[tuple[datetime, DemoSession]] = []
    for week in range(course["from"], course["to"] + 1):
        if week in course.get("pause", ()):
            continue
        for day in course["days"]:
            if chance.random() < course["missed"]:
                continue
            at = term.moment(week, day, course["at"]) + timedelta(minutes=chance.randrange(25))
            prefer = chance.choices(("flashcard", "conversation"), (3, 2))[0]
            sure = min(0.93, course["sure"] + 0.015 * week)
            made.append((at, DemoSession(course["name"], course["minutes"], prefer, sure)))
    if course.get("left_open") and made:
        at, last = made[-1]
        made[-1] = (at, DemoSession(last.course, 25, "conversation", last.sure, stop_after=5))
    return made


async def _set_up(term: Calendar, told: Json) -> None:
    """How the learner likes it, and when the exam is."""
    exam = term.day + timedelta(days=told["exam_in_days"])
    change = StudyProfileChange(
        session_minutes=told["minutes"],
        explanation_style="examples_first",
        preferred=("flashcard",),
        easy_days=easy_days(tuple(told["easy_days"])),
        exams={told["exam_course"]: exam},
    )
    change_profile(_deps(term).documents, change)


def _deps(term: Calendar) -> StudyDeps:
    documents = DirectoryDocuments(term.settings.teaching_dir)
    return StudyDeps(documents=documents, speech=speech_of(term.settings))


async def _sit_down(term: Calendar, sitting: DemoSession, chance: Random) -> None:
    context = _deps(term).session_of(sitting.course, None)
    wish = SessionRequest(minutes=sitting.minutes, prefer=sitting.prefer, anew=True)
    turn = await start(context, wish, now=term.clock(), seed=chance.randrange(2**32))
    for number in range(MOST_ACTS):
        state = turn.state
        if state is None or state.is_over:
            return
        if number >= sitting.stop_after and state.stage == "exercise":
            return  # it is left open for whoever looks at the demo
        term.clock.wait(seconds=chance.randrange(12, 50))
        turn = await _act(term, context, turn, _what(state, sitting, context, chance))
    await act(context, Stop(), now=term.clock())


async def _act(term: Calendar, context: SessionContext, turn: Turn, what: Act) -> Turn:
    try:
        return await act(context, what, now=term.clock())
    except PaigeError:  # such as a kind of exercise that this concept has not
        return await act(context, Skip(), now=term.clock())


def _what(
    state: SessionState, sitting: DemoSession, context: SessionContext, chance: Random
) -> Act:
    """What the learner does next."""
    if state.stage == "check":
        item = state.item
        teaching = context.course.teaching.get(item.concept_id) if item else None
        right = teaching.checks[0].answers[:1] if teaching and teaching.checks else ()
        return Answer(
            text=right[0] if right and chance.random() < sitting.sure else "I am not sure"
        )
    if state.stage != "exercise" or state.sitting is None:
        return Answer(text="Go on")
    now = state.sitting
    modality = now.exercise.modality
    luck = chance.random()
    seconds = round(chance.uniform(6, 40), 1)
    closed = now.question is not None and bool(now.question.choices)
    if modality == "flashcard" and not (now.turned or closed):
        return Answer()
    if now.turned or modality == "image_review":
        said: SelfCheck = "right" if luck < sitting.sure else "partly" if luck < 0.9 else "wrong"
        return Answer(self_check=said, seconds=seconds, confident=luck < sitting.sure / 5)
    if now.question is None or not (modality in _TYPED or closed):
        return Instead("flashcard") if not now.judged else GaveUp()
    if now.ladder.attempts > 1:
        return GaveUp()
    known = luck < sitting.sure or (now.ladder.attempts == 1 and luck < 0.95)
    text = right_answer(now.question) if known else _wrong(now.question, chance)
    return Answer(text=text, seconds=seconds, confident=luck < sitting.sure / 5)


def right_answer(question: Question) -> str:
    """What a question wants to hear."""
    if question.blanks:
        return "; ".join(blank[0] for blank in question.blanks if blank)
    if question.answers:
        return question.answers[0]
    return ", ".join(question.key)


def _wrong(question: Question, chance: Random) -> str:
    """A slip of the pen, or something else."""
    right = right_answer(question)
    if len(right) > 4 and chance.random() < 0.7:
        at = chance.randrange(1, len(right) - 1)
        return right[:at] + right[at + 1 :]
    others = [choice for choice in question.choices if choice != right]
    return others[0] if others else "I do not remember"


def settle_profile(settings: Settings) -> None:
    """Say of the learner what all courses say, the coach's too, which another process filled."""
    LearnerFiles(DirectoryDocuments(settings.teaching_dir)).note_modalities()
