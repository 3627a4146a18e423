"""A desk with real files, and one with a model on loopback."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from paige.exercise.hints import Ladder
from paige.models.calls import Models
from paige.models.local import LOCAL, LocalProvider, Registry
from paige.models.setup import Choice, open_provider
from paige.store.documents import DirectoryDocuments
from paige.store.engine import Database
from paige.study.delivery.code import mark_code
from paige.study.delivery.results import Session
from paige.study.delivery.round_trip import mark_whole
from paige.study.exercise_tools import ExerciseTools
from paige.study.values import Answer, Evaluation, Exercise
from tests.conftest import NOON
from tests.fakes.model_server import Json, ModelServer, Recorded
from tests.fakes.wire_bodies import ANTHROPIC

KEY = "sk-ant-test-0123456789abcdef0123456789"
TIERS = {"haiku": "claude-haiku-4-5", "sonnet": "claude-sonnet-4-5"}


def local_desk(root: Path, **more: Any) -> ExerciseTools:
    """A desk without a model."""
    documents = DirectoryDocuments(root)
    return ExerciseTools(documents=documents, root=documents.root, **more)


@asynccontextmanager
async def model_desk(
    root: Path, db: Database, server: ModelServer, *, fallback: str = LOCAL, **more: Any
) -> AsyncIterator[ExerciseTools]:
    """A desk that asks a model over the wire."""
    registry = Registry()
    choice = Choice("anthropic", server.url, KEY, TIERS, fallback)  # type: ignore[arg-type]
    provider = open_provider(choice, registry)

    async def at_once(seconds: float) -> None:
        return None

    local = LocalProvider(registry)
    models = Models(provider, local, db, fallback, now=lambda: NOON, sleep=at_once)
    try:
        yield local_desk(root, models=models, **more)
    finally:
        await provider.aclose()


async def evaluate(
    desk: ExerciseTools, exercise: Exercise, answer: Answer, ladder: Ladder, now: datetime
) -> Evaluation:
    """What came of an exercise that is handed in at once."""
    mark = mark_code if exercise.modality == "code" else mark_whole
    session = Session(now=now, seconds=answer.seconds, confident=answer.confident)
    return await mark(desk, exercise, answer, ladder, session)


def says(value: BaseModel | dict[str, Any] | str) -> Json:
    """A model's answer with this value."""
    if isinstance(value, str):
        return ANTHROPIC.answer(value)
    data = value.model_dump() if isinstance(value, BaseModel) else value
    return ANTHROPIC.answer(json.dumps(data))


def words_of(request: Recorded) -> str:
    """Everything a model was told."""
    return json.dumps(request.body, ensure_ascii=False)
