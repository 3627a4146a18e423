"""What exercises are made and marked with: files, a sandbox, and a model where there is one.

Where there is none, asking says so and rules must do.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Generic, TypeVar

from pydantic import BaseModel

from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound, Refused
from paige.exercise.values import Marker
from paige.models.calls import Call, Models, call_api_with_retry
from paige.models.errors import AnswerUnusable, ProviderFailed
from paige.models.messages import Image, Message
from paige.models.requests import Answer, Delta, Provider, Request
from paige.sandbox.terms import RunTerms
from paige.sandbox.values import Isolation
from paige.store.documents import Documents
from paige.study.values import LOCAL


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """How things are said and heard. An empty value means: not here.

    `speaker` is the program that reads out, `endpoint` the address of a service that writes down
    what it hears, as OpenAI's does, up to and without `/audio/transcriptions`.
    """

    speaker: str = ""
    endpoint: str = ""
    model: str = "whisper-1"
    key: str = field(default="", repr=False)
    seconds: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseTools:
    """Everything that making, giving and marking exercises needs.

    `root` is the folder the documents are in: programs and photos are no documents. Without
    `models`, or when they are local, everything goes by rules.
    """

    documents: Documents
    root: Path
    actor: Actor = field(default_factory=Actor)
    models: Models | None = None
    marker: Marker | None = None
    isolation: Isolation | None = None
    terms: RunTerms = field(default_factory=RunTerms)
    speech: Speech = field(default_factory=Speech)
    learner: str = "learner"
    """The folder of learners' files."""
    anywhere: bool = True
    """Whether files outside `root` may be handed in: yes for somebody who sits at this machine."""

    @property
    def asks_a_model(self) -> bool:
        """Whether there is a model to ask."""
        return self.models is not None and self.models.provider.name != LOCAL

    @property
    def mark(self) -> Marker:
        """Who marks short answers."""
        if self.marker is not None:
            return self.marker
        from paige.exercise.marking.marker import mark  # noqa: PLC0415 - loads word vectors

        return mark

    def place(self, path: str) -> Path:
        """Where a file is that somebody names: below the teaching folder, or anywhere.

        Raises: NotFound, BadInput, Refused.
        """
        if not path.strip() or "\0" in path:
            raise BadInput("No file was named", hint="Give the path of your file.")
        given = Path(path).expanduser()
        found = given if given.is_absolute() else self.root / given
        if not self.anywhere and not found.resolve().is_relative_to(self.root.resolve()):
            raise Refused(f"`{path}` is outside the teaching folder", hint="Upload the file.")
        if not found.exists():
            raise NotFound(f"There is no file `{path}`", hint="Check the path and try again.")
        return found


T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ModelReply(Generic[T]):
    """What a model said, or nothing; `by` is who answered, `remark` why it was not a model."""

    value: T | None
    by: str = LOCAL
    remark: str = ""


async def ask_model(
    tools: ExerciseTools, call: Call[T], images: Sequence[Image] = ()
) -> ModelReply[T]:
    """Ask the model. Raises: ProviderFailed where nothing may stand in for it."""
    models = tools.models
    if models is None or not tools.asks_a_model:
        return ModelReply(None)
    try:
        called = await call_api_with_retry(_showing(models, images), tools.actor, call)
    except AnswerUnusable as error:
        return ModelReply(None, LOCAL, f"The model's answer could not be used: {error.message}.")
    except ProviderFailed as error:
        if models.fallback != LOCAL:
            raise
        return ModelReply(None, LOCAL, f"The model did not answer: {error.message}.")
    return ModelReply(called.value, called.answered_by)


def _showing(models: Models, images: Sequence[Image]) -> Models:
    if not images:
        return models
    return replace(models, provider=PictureProvider(models.provider, tuple(images)))


class PictureProvider:
    """Wraps a provider; the first message of every request comes with pictures."""

    def __init__(self, inner: Provider, images: tuple[Image, ...]) -> None:
        self.inner = inner
        self.name = inner.name
        self._images = images

    def model_for(self, request: Request) -> str:
        """The model of the provider inside."""
        return self.inner.model_for(request)

    async def ask(self, request: Request) -> Answer:
        """Ask with the pictures."""
        return await self.inner.ask(self._shown(request))

    async def stream(self, request: Request) -> AsyncGenerator[Delta | Answer]:
        """Stream with the pictures."""
        async with aclosing(self.inner.stream(self._shown(request))) as items:
            async for item in items:
                yield item

    async def open(self) -> None:
        """Open the provider inside."""
        await self.inner.open()

    async def aclose(self) -> None:
        """Close the provider inside."""
        await self.inner.aclose()

    def _shown(self, request: Request) -> Request:
        first, *rest = request.messages
        shown = Message(first.role, (*self._images, *first.blocks))
        return replace(request, messages=(shown, *rest))
