"""A second look by a model at commands that the rules would ask about; off unless switched on.

It can never turn a refusal into a permission: it is asked only where the rules ask. Whatever goes
wrong (no answer in time, an answer that is not what was asked for, a provider that fails) leaves
the question to the person. After three failures in a row, or ten among the last fifty calls, it is
left alone for a while. The command is given to it as fenced data.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Literal

import anyio
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from paige.base.errors import PaigeError
from paige.guard.fast.place import Place
from paige.guard.shell.judge import ALLOW, ASK, DENY, PASS, Judgement
from paige.models.calls import Call
from paige.models.prompts import render, untrusted

PURPOSE = "guard_judge"
DEADLINE_SECONDS = 8.0
IN_A_ROW = 3
OF_LAST = (10, 50)
REST_SECONDS = 300.0
MOST_SIGNS = 4_000
MOST_REASON = 400
RULE = "judge.model"


class Verdict(BaseModel):
    """The answer a model must give, and nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True)
    decision: Literal["allow", "ask", "deny"]
    reason: str = Field(min_length=1, max_length=2_000)


@dataclass(frozen=True, slots=True)
class Breaker:
    """How the last calls went: `True` for one that failed, the newest last."""

    recent: tuple[bool, ...] = ()
    rests_until: float = 0.0

    def is_open(self, now: float) -> bool:
        """Whether the judge is left alone for now."""
        return now < self.rests_until

    def after(self, failed: bool, now: float) -> "Breaker":
        """The breaker after one more call."""
        recent = (*self.recent, failed)[-OF_LAST[1] :]
        in_a_row = len(recent) >= IN_A_ROW and all(recent[-IN_A_ROW:])
        if failed and (in_a_row or sum(recent) >= OF_LAST[0]):
            # After the rest it begins anew; a failure then counts like the first.
            return Breaker((), now + REST_SECONDS)
        return replace(self, recent=recent, rests_until=0.0)


Asking = Callable[[Call[Verdict]], Awaitable[object]]
"""Puts the question to a model: an answer as a `Verdict`, a text or a mapping."""


@dataclass(slots=True)
class Judge:
    """Looks at judgements once more; `clock` counts seconds and never goes back."""

    ask: Asking
    clock: Callable[[], float]
    deadline: float = DEADLINE_SECONDS
    breaker: Breaker = Breaker()

    async def look(self, judged: Judgement, command: str, place: Place) -> Judgement:
        """The judgement after the second look; only what a person would be asked may change."""
        if judged.decision not in (ASK, PASS) or self.breaker.is_open(self.clock()):
            return judged
        verdict = await self._verdict(question(judged, command, place))
        self.breaker = self.breaker.after(verdict is None, self.clock())
        return judged if verdict is None else merged(judged, verdict)

    async def _verdict(self, call: Call[Verdict]) -> Verdict | None:
        try:
            with anyio.fail_after(self.deadline):
                return read_verdict(await self.ask(call))
        except (TimeoutError, PaigeError, OSError, ValueError):
            return None


def question(judged: Judgement, command: str, place: Place) -> Call[Verdict]:
    """What a model is asked about a command."""
    shown = command if len(command) <= MOST_SIGNS else command[:MOST_SIGNS] + " …"
    commands = "\n".join(json.dumps(list(words), ensure_ascii=False) for words in judged.commands)
    return Call(
        call_type=PURPOSE,
        model="haiku",
        system_prompt=render("guard/judge", root=_plain(place.root), said=_plain(judged.reason)),
        user_message="\n\n".join(
            (untrusted("command", shown), untrusted("what it would start", commands[:MOST_SIGNS]))
        ),
        response_schema=Verdict,
        max_tokens=300,
        inputs={"command": shown},
    )


def read_verdict(answer: object) -> Verdict | None:
    """An answer as a verdict; nothing when it is anything but exactly that."""
    if isinstance(answer, Verdict):
        return answer
    try:
        if isinstance(answer, str | bytes):
            return Verdict.model_validate_json(answer)
        return Verdict.model_validate(answer)
    except ValidationError:
        return None


def merged(judged: Judgement, verdict: Verdict) -> Judgement:
    """A judgement with the verdict of a model on it.

    A model may answer where Paige has no opinion; where a person must decide it may only refuse.
    """
    allowed = verdict.decision == "allow"
    if judged.decision not in (ASK, PASS) or verdict.decision == ASK:
        return judged
    if allowed and judged.decision == ASK:
        return judged
    decision = ALLOW if allowed else DENY
    reason = " ".join(verdict.reason.split())[:MOST_REASON]
    return Judgement(decision, RULE, f"A model looked at it: {reason}", judged.commands)


def _plain(text: str) -> str:
    """A text on one line without signs that could look like the end of a fence."""
    return " ".join(text.replace("`", "'").split())[:500]
