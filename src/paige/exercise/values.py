"""The values every kind of exercise shares, and the small tasks that are only words.

Worksheets, code exercises and flashcards have modules of their own; what came of doing one of them
is in `result.py`. Everything here is already right: whoever reads a file or a request checks it
there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, Protocol, get_args

from paige.base.errors import BadInput

Bloom = Literal["remember", "understand", "apply", "analyze", "evaluate", "create"]
Modality = Literal[
    "worksheet",
    "conversation",
    "code",
    "long_form",
    "image_review",
    "flashcard",
    "repl",
    "audio",
    "collaborative",
]
Domain = Literal["language", "technical", "conceptual", "interview"]
Verdict = Literal["correct", "partial", "incorrect"]
Rating = Literal[1, 2, 3, 4]
"""Again, Hard, Good, Easy."""

BLOOM_LEVELS: tuple[Bloom, ...] = get_args(Bloom)
"""From recalling to making something new."""
MODALITIES: tuple[Modality, ...] = get_args(Modality)
DOMAINS: tuple[Domain, ...] = get_args(Domain)

AGAIN: Rating = 1
HARD: Rating = 2
GOOD: Rating = 3
EASY: Rating = 4


@dataclass(frozen=True, slots=True)
class AnswerMark:
    """What a marker thinks of one answer. `matched` is the accepted answer it is closest to."""

    verdict: Verdict
    score: float
    feedback: str
    error_type: str | None = None
    matched: str | None = None

    def __post_init__(self) -> None:
        if not 0.0 <= self.score <= 1.0:
            raise BadInput(f"A mark is between 0 and 1, not `{self.score}`")


class Marker(Protocol):
    """Marks one answer; `reference` holds alternatives separated by ` / `, or is a list of them."""

    def __call__(self, question: str, reference: str, answer: str, /) -> AnswerMark:
        """What the answer is worth, and why."""
        ...


@dataclass(frozen=True, slots=True)
class ExerciseError:
    """One thing that went wrong. `error_type` is a name of the taxonomy, or nothing.

    `question` is where: `1.3` of a worksheet, the name of a test, a dimension of a rubric.
    """

    question: str
    error_type: str | None
    expected: str | None
    actual: str | None
    detail: str
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Score:
    """How much was right. `percentage` is a share: 0.8 is eight of ten."""

    correct: float
    total: int
    percentage: float
    extra: Mapping[str, object] = field(default_factory=dict, hash=False)


def score_of(correct: float, total: int) -> Score:
    """The score of so many right of so many; nothing to answer is a score of 0."""
    return Score(correct, total, round(correct / total, 6) if total > 0 else 0.0)


TestStatus = Literal["passed", "failed", "error", "skipped", "timeout"]


@dataclass(frozen=True, slots=True)
class TestOutcome:
    """One test of a code exercise, after it ran. `edge` marks tests of unusual input."""

    __test__ = False  # so that pytest does not take it for a class of tests

    name: str
    status: TestStatus
    message: str = ""
    description: str = ""
    output: str = ""
    points: float = 0.0
    max_points: float = 1.0
    task: int | None = None
    edge: bool = False


ConversationType = Literal["direct", "socratic", "roleplay", "error_identification", "prediction"]
ImageKind = Literal["script", "diagram", "math"]
IMAGE_CRITERIA: Mapping[ImageKind, tuple[tuple[str, str], ...]] = {
    "script": (
        ("recognition", "Can it be told what was written?"),
        ("correctness", "Does it match what was to be written?"),
        ("formation", "Are proportions and strokes reasonable?"),
        ("consistency", "Is the writing alike from one example to the next?"),
    ),
    "diagram": (
        ("structure", "Are the parts and how they are joined right?"),
        ("labelling", "Is every part labelled rightly?"),
        ("completeness", "Is everything there that was asked for?"),
    ),
    "math": (
        ("steps", "Does each step follow from the one before?"),
        ("answer", "Is the conclusion right?"),
        ("presentation", "Can the work be read, and is it in order?"),
    ),
}
"""What is looked at on a photo, by kind of task: the name of a criterion and its question."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseTask:
    """A question that wants a text. `points` are the numbered things the text must address."""

    id: str
    concept_id: str
    course: str
    title: str
    question: str
    generated: str
    bloom_level: Bloom = "analyze"
    points: tuple[str, ...] = ()
    min_words: int = 0


def bloom_level(text: str) -> Bloom:
    """The level of that name, however it is capitalised. Raises: BadInput."""
    level = find_bloom(text)
    if level is None:
        hint = f"Use one of: {', '.join(BLOOM_LEVELS)}."
        raise BadInput(f"`{text}` is not a Bloom level", hint=hint)
    return level


def find_bloom(text: str) -> Bloom | None:
    """The level of that name, if it is one."""
    wanted = text.strip().lower()
    wanted = "analyze" if wanted == "analyse" else wanted
    return next((level for level in BLOOM_LEVELS if level == wanted), None)


def modality(text: str) -> Modality:
    """The modality of that name. Raises: BadInput."""
    wanted = text.strip().lower().replace("-", "_")
    for name in MODALITIES:
        if name == wanted:
            return name
    raise BadInput(f"`{text}` is not a modality", hint=f"Use one of: {', '.join(MODALITIES)}.")


Quality = Literal["good", "acceptable", "needs_improvement", "poor"]
Confidence = Literal["confident", "hesitant"]


def worksheet_rating(share: float) -> Rating:
    """The rating of a share of right answers."""
    return _by_threshold(share, 0.95, 0.75, 0.5)


def rubric_rating(score: float) -> Rating:
    """The rating of a weighted rubric score between 1 and 4."""
    # Weights such as 0.3 are not exact, so a sum that should be 3.5 may fall short by a breath.
    return _by_threshold(round(score, 6), 3.5, 2.5, 1.5)


def code_rating(share_passed: float, quality: Quality = "acceptable") -> Rating:
    """The rating of code: tests decide first, then how it is written."""
    if share_passed >= 1.0:
        return EASY if quality == "good" else GOOD if quality == "acceptable" else HARD
    return HARD if share_passed > 0.5 else AGAIN


def conversation_rating(score: float, confidence: Confidence = "hesitant") -> Rating:
    """The rating of a spoken answer: right and sure, right, half right, or not."""
    if score >= 0.85:
        return EASY if confidence == "confident" else GOOD
    return HARD if score >= 0.5 else AGAIN


def image_rating(share: float) -> Rating:
    """The rating of a photo: never Easy, because a photo shows less than it seems to."""
    return min(worksheet_rating(share), GOOD)


def with_help(rating: Rating, *, hints_used: int = 0, answer_shown: bool = False) -> Rating:
    """What is left of a rating when there was help."""
    if answer_shown:
        return AGAIN
    return min(rating, HARD) if hints_used > 0 else rating


def _by_threshold(value: float, easy: float, good: float, hard: float) -> Rating:
    if value >= easy:
        return EASY
    if value >= good:
        return GOOD
    return HARD if value >= hard else AGAIN
