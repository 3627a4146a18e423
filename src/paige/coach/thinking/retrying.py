"""Asks for what somebody waits for: a failure that may pass is tried once more, a second later."""

from dataclasses import replace
from typing import TypeVar

from pydantic import BaseModel

from paige.base.actor import Actor
from paige.coach.thinking.services import Services
from paige.models.calls import Call, Called, call_api_with_retry

T = TypeVar("T", bound=BaseModel)


async def ask(services: Services, actor: Actor, call: Call[T]) -> Called[T]:
    """The answer to a question. Raises: ModelError when nobody gives one."""
    models = replace(services.models, sleep=services.sleep)
    return await call_api_with_retry(models, actor, call)
