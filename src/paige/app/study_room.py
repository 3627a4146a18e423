"""Opens the room of a session: files, whoever marks, speech, and a model if one is set.

Every door opens rooms through here, commands and servers alike. What a step does not need is not
imported: a command opens a room for one step and should be quick.
"""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from paige.base.actor import Actor
from paige.base.settings import Settings, provider_of
from paige.sandbox.terms import Runs, RunTerms, run_terms
from paige.store.documents import DirectoryDocuments
from paige.study.delivering.speech import find_speaker
from paige.study.desk import Desk, Speech
from paige.study.session.finding import usual_course
from paige.study.session.giving import DeskExercises
from paige.study.session.ports import PracticeHeard, Practised, TakenBack, TakingBackHeard
from paige.study.session.room import Room, learner_root, open_room
from paige.study.values import LOCAL

COACH_COURSE = "coach"
"""The course that gaps of coaching sessions become concepts of."""

if TYPE_CHECKING:
    from paige.app.application import App
    from paige.models.calls import Models


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What rooms are opened with, whoever the learner is.

    `anywhere` says that files outside the teaching folder may be handed in. `heard` is told what
    came of exercises of whoever the folder belongs to, not of other learners in it; `unheard` of
    results that were taken back.
    """

    documents: DirectoryDocuments
    speech: Speech
    models: "Models | None" = None
    heard: PracticeHeard | None = None
    unheard: TakingBackHeard | None = None
    anywhere: bool = False
    actor: Actor = field(default_factory=Actor)
    terms: RunTerms = field(default_factory=RunTerms)


@asynccontextmanager
async def study_room(
    settings: Settings, course: str | None, learner: str | None
) -> AsyncIterator[Room]:
    """The room of a learner in a course, for somebody who sits at this machine."""
    async with AsyncExitStack() as stack:
        models = None
        if provider_of(settings, strict=False) != LOCAL:
            models = await stack.enter_async_context(_opened_models(settings))

        around = Around(
            documents=DirectoryDocuments(settings.teaching_dir),
            speech=speech_of(settings),
            models=models,
            heard=partial(tell_coach, settings),
            anywhere=True,
            terms=run_terms(settings, Actor(), Runs()),
        )
        yield room_of(around, course, learner)


def room_of(around: Around, course: str | None, learner: str | None) -> Room:
    """The room of a learner in a course, the last one if none is named.

    Raises: NotFound, BadInput.
    """
    root = learner_root(learner)
    name = course or usual_course(around.documents, root)
    desk = desk_of(around, root)
    return open_room(
        around.documents,
        name,
        exercises=DeskExercises(desk),
        mark=desk.mark,
        learner=learner,
        heard=around.heard if learner is None else None,
    )


def desk_of(around: Around, root: str) -> Desk:
    """What exercises are made and marked with; `root` is the learner's folder."""
    return Desk(
        documents=around.documents,
        root=around.documents.root,
        actor=around.actor,
        models=around.models,
        speech=around.speech,
        learner=root,
        anywhere=around.anywhere,
        terms=around.terms,
    )


def speech_of(settings: Settings) -> Speech:
    """How things are said and heard on this machine."""
    return Speech(
        speaker=find_speaker(),
        endpoint=settings.transcription_url,
        model=settings.transcription_model,
        key=settings.openai_api_key,
    )


def models_of(app: "App") -> "Models":
    """The models that make and mark exercises; whoever opens them closes them."""
    # Without a model none of this is needed.
    from paige.models.local import Registry  # noqa: PLC0415
    from paige.models.setup import open_models  # noqa: PLC0415
    from paige.study.local import register  # noqa: PLC0415

    engines = Registry()
    register(engines)
    return open_models(app.settings, app.database, engines, strict=app.strict, now=app.now)


async def tell_coach(settings: Settings, practised: Practised) -> None:
    """Tell the coach what came of an exercise, if that is its business."""
    if is_for_the_coach(practised):
        from paige.app import study_coach  # noqa: PLC0415 - few steps need it, all should be quick

        await study_coach.tell_coach(settings, practised)


async def tell_coach_in(app: "App", practised: Practised) -> None:
    """The same where the application is open already."""
    if is_for_the_coach(practised):
        from paige.app import study_coach  # noqa: PLC0415 - as above

        await study_coach.tell_coach_in(app, practised)


async def untell_coach_in(app: "App", taken: TakenBack) -> None:
    """Tell the coach which result does not count any more, if it could have been told of it."""
    was_mastered = taken.had.status == "mastered" != taken.left.status
    if taken.course == COACH_COURSE or was_mastered:
        from paige.app import study_coach  # noqa: PLC0415 - as above

        await study_coach.untell_coach_in(app, taken)


def is_for_the_coach(practised: Practised) -> bool:
    """Whether the coach has to know: success with what it gave, or mastery of anything."""
    evidence = practised.evidence
    return evidence.mastered or (practised.course == COACH_COURSE and evidence.success)


@asynccontextmanager
async def _opened_models(settings: Settings) -> "AsyncIterator[Models]":
    from paige.app.application import open_app  # noqa: PLC0415 - as above

    with open_app(settings, strict=False) as app:
        models = models_of(app)
        try:
            yield models
        finally:
            await models.aclose()
