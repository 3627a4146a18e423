"""Asking a model for something typed, or learning that there is none and rules must do.

A provider that does not answer is an error only where the settings forbid rules to stand in. An
answer that cannot be used never is: then rules do the work, and a remark says so.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, TypeVar

from pydantic import BaseModel

from paige.models.errors import AnswerUnusable, ProviderFailed
from paige.models.messages import Image, Message
from paige.models.provider import Provider
from paige.models.requests import DEFAULT_MAX_TOKENS, Answer, Delta, Request, Tier
from paige.study.exercise_tools import ExerciseTools
from paige.study.values import LOCAL

if TYPE_CHECKING:
    from paige.models.calls import Models

T = TypeVar("T", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTask(Generic[T]):
    """A typed question for a model, which may never be asked."""

    call_type: str
    model: Tier
    system_prompt: str
    user_message: str
    response_schema: type[T]
    session_id: str | None = None
    max_tokens: int = DEFAULT_MAX_TOKENS


@dataclass(frozen=True, slots=True)
class Asked(Generic[T]):
    """What a model said, or nothing; `by` is who answered, `remark` why it was not a model."""

    value: T | None
    by: str = LOCAL
    remark: str = ""


async def ask_model(
    tools: ExerciseTools, task: ModelTask[T], images: Sequence[Image] = ()
) -> Asked[T]:
    """Ask the model. Raises: ProviderFailed where nothing may stand in for it."""
    models = tools.models
    if models is None or not tools.asks_a_model:
        return Asked(None)
    # It brings the database along, and without a model nobody gets here.
    from paige.models.calls import Call, call_api_with_retry  # noqa: PLC0415

    asked = Call(
        call_type=task.call_type,
        model=task.model,
        system_prompt=task.system_prompt,
        user_message=task.user_message,
        response_schema=task.response_schema,
        session_id=task.session_id,
        max_tokens=task.max_tokens,
    )
    try:
        called = await call_api_with_retry(_showing(models, images), tools.actor, asked)
    except AnswerUnusable as error:
        return Asked(None, LOCAL, f"The model's answer could not be used: {error.message}.")
    except ProviderFailed as error:
        if models.fallback != LOCAL:
            raise
        return Asked(None, LOCAL, f"The model did not answer: {error.message}.")
    return Asked(called.value, called.answered_by)


def _showing(models: "Models", images: Sequence[Image]) -> "Models":
    if not images:
        return models
    return replace(models, provider=Showing(models.provider, tuple(images)))


class Showing:
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
