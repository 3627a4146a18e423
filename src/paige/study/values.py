"""What a session hands around: its plan, an exercise, how it is shown, what comes back.

An `Exercise` is whole: everything needed to show it, to mark it and to help with it is in it, so it
can be written down (`session/session_store.py`) and picked up by another process. What a learner
may see of it is its `StudyExercise`; the answers stay behind until the ladder allows them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Annotated, Literal

from pydantic import Field

from paige.base.errors import BadInput
from paige.base.wire import wire
from paige.exercise.hints import Ladder
from paige.exercise.result import Result
from paige.exercise.rubric import Rubric
from paige.exercise.values import AnswerMark, Bloom, ConversationType, Domain, ImageKind, Modality
from paige.study.courses.values import Direction, ItemKind, ReplCase

MAX_PARTS = 500
"""So many parts at most has an answer, or a wish."""
ItemType = Literal["new", "review", "assess"]
SessionKind = Literal["study", "review", "quiz"]
COMPREHENSIVE = 10.0
"""Minutes of the box of a quiz about a whole unit."""
LOCAL = "local"
Manner = Literal["", "socratic", "scaffolded"]
"""How an exercise is given to somebody who struggled: by questions that lead, or with more help."""
AnsweredBy = Literal["text", "choice", "file", "folder", "image", "entry", "recall", "voice"]
"""What a door asks for: words, a letter, a file or folder that is ready, a photo, an entry at a
prompt, a card to turn over, a recording."""
SelfCheck = Literal["right", "partly", "wrong"]
"""What somebody says of their own work."""
Partner = Literal["pupil", "pair"]
"""Who one works with: somebody to teach, or somebody to program with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanItem:
    """One thing to do in a session. `opening` is recall before anything is taught.

    `teach_again` shows the lesson once more, to somebody who struggled.
    """

    type: ItemType
    concept_id: str
    minutes: float
    bloom: Bloom
    reason: str
    opening: bool = False
    teach_again: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionPlan:
    """What fits into a session; what is due or could be begun and has to wait."""

    items: tuple[PlanItem, ...]
    minutes: int
    reviews_waiting: int = 0
    new_waiting: int = 0

    @property
    def planned(self) -> float:
        """Minutes of all boxes together."""
        return sum(item.minutes for item in self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyQuiz:
    """What a quiz is about: these concepts, a unit, or nothing: what was begun; at most so many."""

    concepts: Annotated[tuple[str, ...], Field(max_length=MAX_PARTS)] = ()
    unit: str = ""
    count: Annotated[int | None, Field(ge=1, le=100)] = None


@wire(kw_only=True)
class SessionRequest:
    """A session to begin, or to go on with if one of its kind is open.

    Without minutes it is as long as the profile or the course says.
    """

    kind: SessionKind = "study"
    minutes: Annotated[int | None, Field(ge=1, le=240)] = None
    ahead: bool = False
    """Whether to go on with what is not due yet."""
    prefer: Modality | None = None
    """The kind of exercise wanted throughout, where it can be."""
    anew: bool = False
    """Whether an open session of this kind is ended first."""
    quiz: StudyQuiz | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyPreview:
    """What comes after this session: how much is due when, and what could be begun."""

    next_due: datetime | None
    due_tomorrow: int
    due_this_week: int
    next_new: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One thing asked. `id` is `1.3` on a worksheet, elsewhere `1`, `2` and so on.

    `choices` are lettered from A when they are shown. `blanks` are the accepted answers for each
    gap. `parts` are what several answers are wanted for: left sides of a match, things to sort or
    to order; `key` has the letter of the right choice for each, or the letters in order.
    """

    id: str
    prompt: str
    kind: ItemKind
    item_id: str = ""
    choices: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    blanks: tuple[tuple[str, ...], ...] = ()
    parts: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    explanation: str = ""
    hints: tuple[str, ...] = ()
    """At most three: a nudge, a pointed hint, a worked step of another item."""
    context: str = ""
    discrimination: bool = False
    direction: Direction | None = None
    starter: str = ""
    """Code that ran before the prompt, for an entry."""
    cases: tuple[ReplCase, ...] = ()
    spoken: str = ""
    """What is read out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exercise:
    """One exercise, ready to be given. `kind` is what most of it asks.

    `files` are texts to write, by their paths below the folder of the exercise's place: a worksheet
    or a response is one file, code is a folder. `file_path` is where they were put, relative to the
    folder of teaching files. `reference` is what a good answer holds, kept back; `points` are what
    a text has to address, shown. `item_ids` are the course's items it was made from.
    """

    id: str
    course: str
    concept_id: str
    concept_title: str
    modality: Modality
    bloom: Bloom
    domain: Domain
    kind: ItemKind
    title: str
    prompt: str
    generated: datetime
    items: tuple[Question, ...] = ()
    minutes: float = 5.0
    item_ids: tuple[str, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict, hash=False)
    folder: str = ""
    """Where its files belong, relative to the folder of teaching files."""
    file_path: str | None = None
    conversation: ConversationType | None = None
    partner: Partner | None = None
    image: ImageKind | None = None
    scene: str = ""
    points: tuple[str, ...] = ()
    reference: tuple[str, ...] = ()
    rubric: Rubric | None = None
    min_words: int = 0
    hints: tuple[str, ...] = ()
    """Of the whole, for exercises that are one question."""
    worked_example: str = ""
    """Shown before the first question to somebody new to the concept; about another item."""
    language: str = ""
    """The spoken language of what is read out, or the programming language."""
    source: str = LOCAL
    """Who made it: `local`, or the name of a provider."""
    remarks: tuple[str, ...] = ()

    def question(self, question_id: str) -> Question | None:
        """The question of that id."""
        return next((each for each in self.items if each.id == question_id), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PastExercise:
    """An exercise somebody has had: what it asked, so that the next one asks something else.

    `missed` are the items that were wrong in it.
    """

    at: datetime
    exercise_id: str
    modality: Modality
    kind: ItemKind | None = None
    item_ids: tuple[str, ...] = ()
    missed: tuple[str, ...] = ()
    prompts: tuple[str, ...] = ()
    score: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseRequest:
    """What an exercise should be.

    `known` are concepts the learner has met; what needs others is left out, and nothing means that
    only the prerequisites of the concept count as known. `focus` are kinds of errors it should work
    on, `items` those it must ask when they fit, `without` those it must not. `count` overrules how
    many things are asked.
    """

    concept_id: str
    modality: Modality
    bloom: Bloom
    history: tuple[PastExercise, ...] = ()
    known: frozenset[str] = frozenset()
    manner: Manner = ""
    focus: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    count: int | None = None
    is_new: bool = False
    mastery: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyQuestion:
    """A question as a learner sees it, without its answer."""

    id: str
    prompt: str
    kind: str
    choices: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    """Each wants an answer of its own."""
    context: str | None = None
    starter: str | None = None
    """Code that ran before the prompt."""
    audio: str | None = None
    """Path of the recording, when there is one."""


@dataclass(frozen=True, slots=True)
class StudyDimension:
    """One thing that a text is judged by. `weight` is its share of the whole."""

    name: str
    description: str
    weight: float


@dataclass(frozen=True, slots=True)
class StudyUpload:
    """A photo or a recording that was uploaded for the exercise."""

    path: str
    name: str
    bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyExercise:
    """The exercise that is being done, without its answers; `body` is markdown to show."""

    id: str
    modality: Modality
    why: tuple[str, ...] = ()
    offer: Modality | None = None
    """Another kind that is offered."""
    instead: tuple[Modality, ...] = ()
    """Other kinds that may be asked for now."""
    title: str
    body: str
    answered_by: AnsweredBy
    asking: str | None = None
    """The id of the question that is being asked, where they come one by one."""
    number: int = 1
    """Of that question, from 1."""
    count: int = 0
    """How many questions the whole exercise has."""
    questions: tuple[StudyQuestion, ...] = ()
    minutes: float = 5.0
    file: str | None = None
    open: tuple[str, ...] = ()
    """Files to edit; the address `session/file` gives and takes their text."""
    run: str | None = None
    pauses: bool = False
    optional: bool = False
    how_to_continue: str | None = None
    language: str = ""
    """Of code, or of what is read out."""
    min_words: int = 0
    points: tuple[str, ...] = ()
    """What a text has to address."""
    rubric: tuple[StudyDimension, ...] = ()
    criteria: tuple[str, ...] = ()
    """What a photo is looked at for."""
    partner: Partner | None = None
    attempts: int = 0
    """How often the question being asked was tried."""
    hints_used: int = 0
    uploads: tuple[StudyUpload, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a learner hands in: words, a file, parts by question, or what they say of themselves.

    `question` is the one it answers; nothing means the one being asked, or the whole. `path` may be
    relative to the folder of teaching files; without one, the exercise's own files count.
    """

    text: str = ""
    question: str = ""
    parts: Mapping[str, str] = field(default_factory=dict, hash=False)
    path: str = ""
    self_check: SelfCheck | None = None
    seconds: float | None = None
    confident: bool = False
    final: bool = False
    """Of code: hand it in as it is, whatever the tests say."""

    @property
    def empty(self) -> bool:
        """Whether nothing was handed in at all."""
        said = self.text.strip() or any(each.strip() for each in self.parts.values())
        return not said and not self.path and self.self_check is None


@dataclass(frozen=True, slots=True)
class QuestionResult:
    """What one question came to. `answer` is what was said."""

    question_id: str
    answer: str
    marked: AnswerMark
    ladder: Ladder = field(default_factory=Ladder)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """What came of an exercise: the record, and what the learner is told, line by line.

    Feedback always explains; answers are in it once the exercise is over. `compare` says that
    nobody here can judge the work: what it is compared with lies open in the feedback, and the
    learner says how it was.
    """

    result: Result
    feedback: tuple[str, ...] = ()
    judged: tuple[QuestionResult, ...] = ()
    compare: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a dialogue."""

    role: Literal["tutor", "learner"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenExercise:
    """How far somebody is with one exercise. Everything in it survives as JSON.

    `at` is the question being asked, `ladder` where they stand with it, `judged` what the earlier
    ones came to. `turned` says that its answer was turned over for the learner to compare with.
    `seconds` is the time spent on answers, nothing when somebody did not say.
    """

    exercise: Exercise
    started: datetime
    at: int = 0
    ladder: Ladder = field(default_factory=Ladder)
    judged: tuple[QuestionResult, ...] = ()
    dialogue: tuple[Line, ...] = ()
    turned: bool = False
    seconds: float | None = 0.0
    confident: bool = True
    partner_session: str = ""
    source: str = LOCAL
    remarks: tuple[str, ...] = ()
    over: bool = False

    @property
    def question(self) -> Question | None:
        """The question being asked."""
        items = self.exercise.items
        return items[self.at] if self.at < len(items) else None


@dataclass(frozen=True, slots=True)
class HintWanted:
    """The learner asks for the next hint."""


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The learner wants to see the answer."""


Event = Answer | HintWanted | GaveUp


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOutcome:
    """What an event led to: how far it is now, what is said, and the outcome once it is over.

    `correct` says whether an answer was right; nothing means there was none to judge.
    """

    sitting: OpenExercise
    says: tuple[str, ...]
    evaluated: Evaluation | None = None
    correct: bool | None = None


COMPARE = "Say how it was: right, partly or wrong."


def check_manner(sitting: OpenExercise | None, answer: Answer) -> None:
    """Let an answer through that fits the exercise; without one, nothing is rated.

    Who did something rates it only where its answer lies open beside it, or where it was made by
    hand. Everything else is marked, at whichever door it comes in. Raises: BadInput.
    """
    turned = sitting is not None and sitting.turned
    by_hand = sitting is not None and sitting.exercise.modality == "image_review"
    if answer.self_check is not None and not (turned or by_hand):
        raise not_yours()
    if turned and answer.self_check is None:
        raise BadInput("The answer lies open already", hint=COMPARE)


def not_yours() -> BadInput:
    """The error of somebody who rates what is marked."""
    return BadInput(
        "This is not yours to judge: an answer is wanted", hint="Answer it, or ask for a hint."
    )
