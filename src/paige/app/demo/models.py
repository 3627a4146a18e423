"""Calls of models in the term, so that costs have something to show. Nobody is asked anything.

A script answers in the place of a provider. Each call goes through the same function as every call
of Paige, which prices it and writes it down.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from random import Random
from typing import Any, cast

from pydantic import BaseModel

from paige.app.demo.term import DAYS, WEEKS, Term, TermEvent, content
from paige.models.calls import Call, Models, call_api
from paige.models.local import LocalProvider, Registry
from paige.models.messages import Message, Text
from paige.models.prices import shipped_prices
from paige.models.requests import Answer, Request, Tier, Usage
from paige.models.scripted import Scripted
from paige.plan.session_queries import PlanSearch
from paige.plan.sessions import Viewer, list_sessions

PROVIDER = "anthropic"
_SPREAD = 0.35
_WORKDAYS = DAYS[:5]


class ScriptAnswer(BaseModel):
    """What the script answers."""

    text: str = "Done."


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call: what for, whom, and how large."""

    call_type: str
    tier: Tier
    usage: Usage
    latency_ms: int


class Priced(Scripted):
    """A script that answers under the names of a provider's models."""

    def model_for(self, request: Request) -> str:
        """The model of the tier."""
        return model_of(request.tier)


def model_of(tier: Tier) -> str:
    """The full id of a tier's model."""
    return shipped_prices().tiers[PROVIDER][tier]


def call_happenings(term: Term) -> list[TermEvent]:
    """Calls on the working days of the term."""
    chance = term.random("models")
    found: list[TermEvent] = []
    for week in range(1, WEEKS + 1):
        for kind in content("models")["kind"]:
            for _ in range(chance.randrange(1, 2 * kind["a_week"])):
                hour, minute = chance.randrange(6, 20), chance.randrange(60)
                at = term.moment(week, chance.choice(_WORKDAYS), f"{hour:02d}:{minute:02d}")
                at += timedelta(seconds=chance.randrange(60))
                found.append(TermEvent(at, "costs", partial(_call, term, _asked(kind, chance))))
    return found


def _asked(kind: Mapping[str, Any], chance: Random) -> ModelCall:
    size = chance.uniform(1 - _SPREAD, 1 + _SPREAD)
    given, made = (round(size * each) for each in kind["tokens"])
    usage = Usage(given, made, 0, round(given * chance.choice((0, 0, 0.6))))
    return ModelCall(
        call_type=kind["call_type"],
        tier=cast("Tier", kind["tier"]),
        usage=usage,
        latency_ms=round(400 + 14 * made * chance.uniform(0.7, 1.4)),
    )


async def _call(term: Term, asked: ModelCall) -> None:
    model = model_of(asked.tier)
    session = await _session_of(term, asked)
    answer = Answer(
        message=Message("assistant", (Text(ScriptAnswer().model_dump_json()),)),
        stop_reason="end_turn",
        answered_by=PROVIDER,
        model=model,
        usage=asked.usage,
        cost_usd=shipped_prices().cost(model, asked.usage),
        latency_ms=asked.latency_ms,
    )
    models = Models(
        Priced([answer], name=PROVIDER), LocalProvider(Registry()), term.app.database,
        now=term.clock,
    )  # fmt: skip
    call = Call(
        call_type=asked.call_type,
        model=asked.tier,
        system_prompt="",
        user_message=asked.call_type,
        response_schema=ScriptAnswer,
        session_id=session,
    )
    await call_api(models, term.app.actor, call)


async def _session_of(term: Term, asked: ModelCall) -> str | None:
    """The newest session of Plan for calls of its commands; others belong to no session."""
    if ":" not in asked.call_type:
        return None
    looking = Viewer(term.app.actor, term.clock(), frozenset(), shared=False)
    found = await term.app.database.read(list_sessions, looking, PlanSearch(limit=1))
    return found[0].id if found else None
