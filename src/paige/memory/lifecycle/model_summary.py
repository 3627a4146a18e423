"""Summaries by a model, and the local engine that stands in where there is none."""

import logging
from collections.abc import Awaitable, Callable

from pydantic import BaseModel

from paige.base.actor import Actor
from paige.memory.lifecycle.summaries import (
    PURPOSE,
    Passage,
    Summariser,
    SummaryInputs,
    extract_summary,
)
from paige.models.calls import Call, CallResult, Models, call_api
from paige.models.errors import ModelError
from paige.models.local import LOCAL, Registry
from paige.models.prompts import render, untrusted

logger = logging.getLogger(__name__)
_LONGEST = 2000  # characters of one memory


class WrittenSummary(BaseModel):
    """What a model answers."""

    summary: str


Wait = Callable[[Callable[[], Awaitable[CallResult[WrittenSummary]]]], CallResult[WrittenSummary]]


def register_engines(registry: Registry) -> None:
    """Add the engine that summarises without a model."""
    registry.register(PURPOSE, SummaryInputs, _extract)


def summary_call(inputs: SummaryInputs) -> Call[WrittenSummary]:
    """The question to a model."""
    return Call(
        call_type=PURPOSE,
        model="haiku",
        system_prompt=render("memory/summarise", sentences=str(inputs.thresholds.most_sentences)),
        user_message=untrusted("memories", "\n".join(map(_line, inputs.passages))),
        response_schema=WrittenSummary,
        inputs=inputs,
    )


def model_summariser(models: Models, actor: Actor, wait: Wait) -> Summariser:
    """A summariser for jobs, which run in threads; `wait` runs a call there to its end.

    A model that fails, or is none, leaves the summary to the extract, and its reason says so.
    """

    def write(inputs: SummaryInputs) -> str | None:
        try:
            called = wait(lambda: call_api(models, actor, summary_call(inputs)))
        except ModelError as error:
            logger.warning("A summary is made by extract: %s", error.message)
            return None
        return None if called.answered_by == LOCAL else called.value.summary

    return write


def _extract(inputs: SummaryInputs) -> WrittenSummary:
    return WrittenSummary(summary=extract_summary(inputs))


def _line(passage: Passage) -> str:
    who = f"{passage.speaker}: " if passage.speaker else ""
    return f"- {passage.at:%Y-%m-%d %H:%M} {who}{passage.text[:_LONGEST]}"
