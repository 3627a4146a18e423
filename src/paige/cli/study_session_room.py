"""Opens the room of a session for a command: files, whoever marks, and a model if one is set."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial

from paige.base.settings import Settings, provider_of
from paige.models.calls import Models
from paige.models.local import LOCAL, Registry
from paige.store.documents import DirectoryDocuments
from paige.study.delivering.speech import find_speaker
from paige.study.desk import Desk, Speech
from paige.study.local import register
from paige.study.session.finding import usual_course
from paige.study.session.giving import DeskExercises
from paige.study.session.room import Room, learner_root, open_room


@asynccontextmanager
async def study_room(
    settings: Settings, course: str | None, learner: str | None
) -> AsyncIterator[Room]:
    """The room of a learner in a course, the last one if none is named."""
    documents = DirectoryDocuments(settings.teaching_dir)
    root = learner_root(learner)
    name = course or usual_course(documents, root)
    async with AsyncExitStack() as stack:
        models = None
        if provider_of(settings, strict=False) != LOCAL:
            models = await stack.enter_async_context(_opened_models(settings))
        desk = Desk(
            documents=documents,
            root=documents.root,
            models=models,
            speech=Speech(speaker=find_speaker()),
            learner=root,
        )

        async def heard(concept_id: str, title: str) -> None:
            await close_gaps(settings, concept_id, title)

        yield open_room(
            documents,
            name,
            exercises=DeskExercises(desk),
            mark=desk.mark,
            learner=learner,
            heard=heard,
        )


@asynccontextmanager
async def _opened_models(settings: Settings) -> AsyncIterator[Models]:
    # Without a model none of this is needed, and a step should be quick.
    from paige.app.application import open_app  # noqa: PLC0415
    from paige.models.setup import open_models  # noqa: PLC0415

    engines = Registry()
    register(engines)
    with open_app(settings, strict=False) as app:
        models = open_models(settings, app.database, engines, strict=False, now=app.now)
        try:
            yield models
        finally:
            await models.aclose()


async def close_gaps(settings: Settings, concept_id: str, title: str) -> None:
    """Close the gaps that a mastered concept fills; without a database there are none."""
    if not settings.database_url and not (settings.data_dir / "paige.db").exists():
        return
    # Few steps master anything, and a step should be quick.
    from paige.app.application import open_app  # noqa: PLC0415
    from paige.learner.queries import address_mastered  # noqa: PLC0415

    with open_app(settings, strict=False) as app:
        close = partial(address_mastered, concept_id=concept_id, title=title)
        await app.database.write(close, app.actor)
