"""A judge that looks at a change and the task it was made for, and may say no.

It says `pass` or `veto` in strict JSON; anything else, or no answer in time, is no verdict, and the
work goes on to the tester. Without a model there is no judge. Its reasons are for the person: the
agent only learns what kind of thing is missing. How often it says no stands in the report, since a
judge that always or never does is worth nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, cast

import anyio
from pydantic import BaseModel, ConfigDict, Field

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.base.secrets import redact
from paige.models.calls import Call, Models, call_api
from paige.models.local import LOCAL
from paige.models.prompts import render, untrusted
from paige.orchestra.values import Missing, Verdict

PURPOSE = "orchestra.judge"
DEADLINE_SECONDS = 120.0
MOST_DIFF = 60_000
MOST_PROMPT = 12_000
NO_VERDICT = Verdict(outcome="none")
Kind = Literal["agreement", "scope", "tests"]


class JudgeAnswer(BaseModel):
    """The answer a judge must give, and nothing else."""

    model_config = ConfigDict(extra="forbid", strict=True)
    verdict: Literal["pass", "veto"]
    missing: list[Kind] = Field(default_factory=list[Kind], max_length=3)
    reasons: list[str] = Field(default_factory=list[str], max_length=10)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What a judge looks at: the prompt the agent was given, and the difference it made."""

    feature: str
    prompt: str
    diff: str
    session: str | None = None


async def judge(
    models: Models, actor: Actor, change: Change, *, deadline: float = DEADLINE_SECONDS
) -> Verdict:
    """The verdict on a change; none when nobody can say."""
    if models.provider.name == LOCAL or not change.diff.strip():
        return NO_VERDICT
    try:
        with anyio.fail_after(deadline):
            called = await call_api(models, actor, question(change))
    except (PaigeError, TimeoutError, OSError):
        return NO_VERDICT
    return verdict_of(called.value, called.model)


def question(change: Change) -> Call[JudgeAnswer]:
    """What the judge is asked."""
    diff = redact(change.diff)
    if len(diff) > MOST_DIFF:
        diff = f"{diff[:MOST_DIFF]}\n… {len(diff) - MOST_DIFF} more signs are not shown"
    parts = (
        untrusted("the task as the agent got it", redact(change.prompt)[:MOST_PROMPT]),
        untrusted("the difference it made", diff),
    )
    return Call(
        call_type=PURPOSE,
        model="sonnet",
        system_prompt=render("orchestra/judge"),
        user_message="\n\n".join(parts),
        response_schema=JudgeAnswer,
        session_id=change.session,
        max_tokens=800,
        inputs=change,
    )


def verdict_of(judged: JudgeAnswer, model: str) -> Verdict:
    """An answer as a verdict; a veto always has a kind."""
    reasons = tuple(_short(judged.reasons))
    if judged.verdict == "pass":
        return Verdict(outcome="pass", reasons=reasons, model=model)
    missing = tuple(dict.fromkeys(judged.missing)) or ("agreement",)
    return Verdict(
        outcome="veto",
        missing=cast(tuple[Missing, ...], missing),
        reasons=reasons,
        model=model,
    )


def _short(reasons: Sequence[str]) -> list[str]:
    plain = (" ".join(redact(each).split())[:400] for each in reasons)
    return [each for each in plain if each][:3]
