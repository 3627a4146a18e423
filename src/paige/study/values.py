"""What a session hands around: an exercise, how it is shown, what comes back, what came of it.

An `Exercise` is whole: everything needed to show it, to mark it and to help with it is in it, so it
can be written down (`session/keeping.py`) and picked up by another process. What a learner may see
of it is its `Presentation`; the answers stay behind until the ladder allows them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal

from paige.exercise.hints import Ladder
from paige.exercise.result import Result
from paige.exercise.rubric import Rubric
from paige.exercise.values import Bloom, ConversationType, Domain, ImageKind, Marked, Modality
from paige.study.courses.values import Direction, ItemKind, ReplCase

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
class Past:
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
class Wanted:
    """What an exercise should be.

    `known` are concepts the learner has met; what needs others is left out, and nothing means that
    only the prerequisites of the concept count as known. `focus` are kinds of errors it should work
    on, `items` those it must ask when they fit, `without` those it must not. `count` overrules how
    many things are asked.
    """

    concept_id: str
    modality: Modality
    bloom: Bloom
    history: tuple[Past, ...] = ()
    known: frozenset[str] = frozenset()
    manner: Manner = ""
    focus: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    count: int | None = None
    is_new: bool = False
    mastery: float = 0.0


@dataclass(frozen=True, slots=True)
class Shown:
    """A question as a learner sees it: no answer in it."""

    id: str
    prompt: str
    kind: ItemKind
    choices: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    context: str = ""
    starter: str = ""
    audio_path: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """What a door shows. `body` is markdown; `open` are files to open, `run` a command to try."""

    exercise_id: str
    modality: Modality
    title: str
    body: str
    answered_by: AnsweredBy
    questions: tuple[Shown, ...] = ()
    minutes: float = 5.0
    open: tuple[str, ...] = ()
    run: str = ""
    pauses: bool = False
    """Whether the session waits until the learner says that it is done."""
    optional: bool = False
    """Whether it may be left out without any harm, as a photo always may."""
    how_to_continue: str = ""


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
class Judged:
    """What one question came to. `answer` is what was said."""

    question_id: str
    answer: str
    marked: Marked
    ladder: Ladder = field(default_factory=Ladder)


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluated:
    """What came of an exercise: the record, and what the learner is told, line by line.

    Feedback always explains; answers are in it once the exercise is over. `compare` says that
    nobody here can judge the work: what it is compared with lies open in the feedback, and the
    learner says how it was.
    """

    result: Result
    feedback: tuple[str, ...] = ()
    judged: tuple[Judged, ...] = ()
    compare: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a dialogue."""

    role: Literal["tutor", "learner"]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """How far somebody is with one exercise. Everything in it survives as JSON.

    `at` is the question being asked, `ladder` where they stand with it, `judged` what the earlier
    ones came to. `turned` says that its answer was turned over for the learner to compare with.
    `seconds` is the time spent on answers, nothing when somebody did not say.
    """

    exercise: Exercise
    started: datetime
    at: int = 0
    ladder: Ladder = field(default_factory=Ladder)
    judged: tuple[Judged, ...] = ()
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
class Taken:
    """What an event led to: how far it is now, what is said, and the outcome once it is over.

    `correct` says whether an answer was right; nothing means there was none to judge.
    """

    sitting: Sitting
    says: tuple[str, ...]
    evaluated: Evaluated | None = None
    correct: bool | None = None
