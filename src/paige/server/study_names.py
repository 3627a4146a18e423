"""Names that the shapes of the Study door share."""

from typing import Literal

from paige.server.wire import Wire

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
Status = Literal["new", "learning", "review", "mastered", "relearning"]
SessionKind = Literal["study", "review", "quiz"]
Stage = Literal["teach", "check", "ready", "exercise", "over", "nothing"]
AnsweredBy = Literal["text", "choice", "file", "folder", "image", "entry", "recall", "voice"]
Expects = Literal[
    "text",
    "choice",
    "file",
    "folder",
    "image",
    "entry",
    "recall",
    "voice",
    "go_on",
    "self_check",
    "nothing",
]
Style = Literal["examples_first", "explanation_first"]
MOST_TEXT = 1_000_000
MOST_PARTS = 500


class StudyProblem(Wire):
    """What is wrong with a file, where, and what to do about it."""

    file: str
    line: int | None
    message: str
    fix: str
