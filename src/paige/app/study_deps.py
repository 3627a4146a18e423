"""What study sessions are opened with: files, whoever marks, speech, and a model if one is set."""

from dataclasses import dataclass, field

from paige.app.application import App
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.models.calls import Models
from paige.models.local import Registry
from paige.models.setup import open_models
from paige.sandbox.terms import RunTerms
from paige.store.documents import DirectoryDocuments
from paige.study.delivery.speech import find_speaker
from paige.study.exercise_tools import ExerciseTools, Speech
from paige.study.session.context import (
    Exercises,
    PracticeListener,
    RetractionListener,
    SessionContext,
    learner_root,
    open_session_context,
)
from paige.study.session.session_store import usual_course

COACH_COURSE = "coach"
"""The course that gaps of coaching sessions become concepts of."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyDeps:
    """What sessions are opened with, whoever the learner is.

    `anywhere` says that files outside the teaching folder may be handed in. `heard` is told what
    came of exercises of whoever the folder belongs to, not of other learners in it; `unheard` of
    results that were taken back.
    """

    documents: DirectoryDocuments
    speech: Speech
    models: Models | None = None
    heard: PracticeListener | None = None
    unheard: RetractionListener | None = None
    anywhere: bool = False
    actor: Actor = field(default_factory=Actor)
    terms: RunTerms = field(default_factory=RunTerms)

    def session_of(self, course: str | None, learner: str | None) -> SessionContext:
        """Where a learner's session in a course takes place, the last course if none is named.

        Raises: NotFound, BadInput.
        """
        root = learner_root(learner)
        name = course or usual_course(self.documents, root)
        tools = ExerciseTools(
            documents=self.documents,
            root=self.documents.root,
            actor=self.actor,
            models=self.models,
            speech=self.speech,
            learner=root,
            anywhere=self.anywhere,
            terms=self.terms,
        )
        return open_session_context(
            self.documents,
            name,
            exercises=Exercises(tools),
            mark=tools.mark,
            learner=learner,
            heard=self.heard if learner is None else None,
        )


def speech_of(settings: Settings) -> Speech:
    """How things are said and heard on this machine."""
    return Speech(
        speaker=find_speaker(),
        endpoint=settings.transcription_url,
        model=settings.transcription_model,
        key=settings.openai_api_key,
    )


def models_of(app: App) -> Models:
    """The models that make and mark exercises; whoever opens them closes them."""
    # Where no model answers, what rules do right is done already and the rest waits for a person.
    return open_models(app.settings, app.database, Registry(), strict=app.strict, now=app.now)
