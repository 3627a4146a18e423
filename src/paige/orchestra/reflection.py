"""Reflexion: after a failed attempt, first what went wrong, then, apart from it, how to prevent it.

These are two questions to a model. Whoever asks both at once gets the cause that suits the remedy.
What comes of it is kept as an episode of memory and as a decision in the context graph, and stands
in the prompt of the next attempt as `LAST_ATTEMPT_AND_REFLEXION`. Without a model nobody knows the
cause: then the next attempt is told what failed, and that nobody looked further.
"""

import logging
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, TypeVar

import anyio
from pydantic import BaseModel, ConfigDict, Field

from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.base.secrets import redact
from paige.base.tokens import count_tokens_bound
from paige.guard.graph.values import NewTrace
from paige.memory.event import Draft
from paige.memory.lifecycle.episodes import FAILURE, Episode, episode_draft, inputs_hash
from paige.models.calls import Call, Models, call_api_with_retry
from paige.models.local import LOCAL
from paige.models.prompts import render, untrusted
from paige.orchestra.values import CODER, MOST_RETRIES, Missing
from paige.orchestra.verification import told

logger = logging.getLogger(__name__)
DEADLINE_SECONDS = 60.0
BLOCK = "LAST_ATTEMPT_AND_REFLEXION"
BLOCK_TOKENS = 900
MOST_FAILURES = 20
MOST_SIGNS = 500
_SHORT = 60
CONFIDENCE_MODEL, CONFIDENCE_FACTS = 0.7, 0.5
_TAG = re.compile(rf"</?\s*{BLOCK}\s*>", re.IGNORECASE)
T = TypeVar("T", bound=BaseModel)
CAUSE, PREVENTION = "reflect.cause", "reflect.prevention"
UNEXPLAINED = "No model looked for the cause: read what failed before you change anything."


class Cause(BaseModel):
    """Which assumption failed, what shows it, and what it is about."""

    model_config = ConfigDict(extra="forbid")
    assumption: str = Field(min_length=1, max_length=2000)
    because: str = Field(default="", max_length=2000)
    names: list[str] = Field(default_factory=list[str], max_length=20)


class Prevention(BaseModel):
    """What the next attempt does differently, and how it sees that the cause is gone."""

    model_config = ConfigDict(extra="forbid")
    steps: list[str] = Field(min_length=1, max_length=10)
    check: str = Field(default="", max_length=2000)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """An attempt that did not pass, as far as facts are known.

    `failures` are lines the tester or the test tool gave, `said` what the agent reported.
    """

    feature: str
    title: str = ""
    attempt: int = 1
    agent: str = CODER
    missing: tuple[Missing, ...] = ()
    failures: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    said: str = ""
    session: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownCause:
    """What the second question rests on: the attempt, and the cause that was found."""

    attempt: Attempt
    cause: Cause


@dataclass(frozen=True, slots=True, kw_only=True)
class Reflection:
    """What came of a failed attempt: the cause, what prevents it, and who thought so.

    Where nobody did, all of it is empty but the attempt.
    """

    attempt: Attempt
    assumption: str = ""
    because: str = ""
    names: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    check: str = ""
    answered_by: str

    @property
    def what_happened(self) -> str:
        """The cause, or the fact of the failure where nobody found one."""
        missing = ", ".join(self.attempt.missing)
        return self.assumption or f"Attempt {self.attempt.attempt} did not pass: {missing}"

    def dump(self) -> dict[str, Any]:
        """The reflection as JSON."""
        return asdict(self)


async def reflect(
    models: Models, actor: Actor, attempt: Attempt, *, deadline: float = DEADLINE_SECONDS
) -> Reflection:
    """Think about a failed attempt in two steps; what nobody answers stays open."""
    cause, by = await _asked(models, actor, cause_question(attempt), deadline)
    if cause is None:
        return Reflection(attempt=attempt, answered_by=LOCAL)
    given = KnownCause(attempt=attempt, cause=cause)
    prevention, by_second = await _asked(models, actor, prevention_question(given), deadline)
    found = Reflection(
        attempt=attempt,
        assumption=_line(cause.assumption),
        because=_line(cause.because),
        names=tuple(_line(each)[:200] for each in cause.names if each.strip()),
        answered_by=by,
    )
    if prevention is None:
        return found
    return replace(
        found,
        steps=tuple(_line(each) for each in prevention.steps if each.strip())[:3],
        check=_line(prevention.check),
        answered_by=by if by == by_second else f"{by}, {by_second}",
    )


def cause_question(attempt: Attempt) -> Call[Cause]:
    """The first question: which assumption failed."""
    return Call(
        call_type=CAUSE,
        model="sonnet",
        system_prompt=render("orchestra/reflect-cause"),
        user_message=_facts(attempt),
        response_schema=Cause,
        session_id=attempt.session or None,
        max_tokens=800,
        inputs=attempt,
    )


def prevention_question(given: KnownCause) -> Call[Prevention]:
    """The second question: how to prevent it. The failures themselves are not in it."""
    cause = given.cause
    found = "\n".join((cause.assumption, cause.because, *cause.names))
    parts = (
        f"Feature `{_line(given.attempt.feature)}`: {_line(given.attempt.title)}",
        untrusted("the cause that was found", redact(found)[:4000]),
        untrusted("files of the attempt", "\n".join(given.attempt.files[-10:])),
    )
    return Call(
        call_type=PREVENTION,
        model="sonnet",
        system_prompt=render("orchestra/reflect-prevention"),
        user_message="\n\n".join(parts),
        response_schema=Prevention,
        session_id=given.attempt.session or None,
        max_tokens=800,
        inputs=given,
    )


def block(reflections: Sequence[Reflection], *, tokens: int = BLOCK_TOKENS) -> str:
    """The part of the next prompt: the last attempt, then earlier reflections while they fit."""
    if not reflections:
        return ""
    last = reflections[-1]
    lines = _fitting([*_last_attempt(last), "", *_lessons(last)], tokens)
    earlier = [
        f"- Attempt {each.attempt.attempt}: {each.assumption}"
        for each in reflections[-4:-1]
        if each.assumption
    ]
    longer = _wrapped([*lines, "", "Before that:", *earlier])
    return longer if earlier and count_tokens_bound(longer) <= tokens else _wrapped(lines)


def episode_of(reflection: Reflection, project: str = "") -> Draft:
    """A reflection as an episode of memory."""
    attempt = reflection.attempt
    return episode_draft(
        Episode(
            f"{attempt.title or attempt.feature}: {reflection.what_happened}",
            attempt.agent,
            inputs_hash([attempt.feature, attempt.attempt, attempt.missing, attempt.failures]),
            FAILURE,
            " ".join(reflection.steps) or None,
            CONFIDENCE_MODEL if reflection.assumption else CONFIDENCE_FACTS,
        ),
        scope="project" if project else "session",
        project=project or None,
        session=attempt.session or None,
    )


def trace_of(reflection: Reflection, project: str = "") -> NewTrace:
    """A reflection as a decision in the context graph."""
    attempt = reflection.attempt
    return NewTrace(
        type="decision",
        project=project,
        agent=attempt.agent,
        feature=attempt.feature,
        task=attempt.title,
        what_happened=reflection.what_happened,
        what_was_correct=" ".join(reflection.steps),
        why=reflection.because,
        source="auto_detected",
        session=attempt.session,
        action="reflect",
        reason=attempt.missing[0] if attempt.missing else "",
        files=attempt.files[-5:],
        meta={
            "attempt": attempt.attempt,
            "missing": list(attempt.missing),
            "names": list(reflection.names),
            "check": reflection.check,
            "answered_by": reflection.answered_by,
        },
    )


async def _asked(
    models: Models, actor: Actor, call: Call[T], deadline: float
) -> tuple[T | None, str]:
    if models.provider.name == LOCAL:
        return None, ""
    try:
        with anyio.fail_after(deadline):
            called = await call_api_with_retry(models, actor, call)
    except (PaigeError, TimeoutError, OSError) as error:
        logger.warning("`%s` was not answered: %s", call.call_type, error)
        return None, ""
    return called.value, called.answered_by


def _facts(attempt: Attempt) -> str:
    failures = "\n".join(redact(each)[:MOST_SIGNS] for each in attempt.failures[:MOST_FAILURES])
    parts = [
        f"Feature `{_line(attempt.feature)}`: {_line(attempt.title)}",
        f"Attempt {attempt.attempt} by {attempt.agent} did not pass:\n{told(attempt.missing)}",
        untrusted("what failed", failures or "nothing more is known"),
        untrusted("files that were changed", "\n".join(attempt.files[-10:]) or "none"),
        untrusted("what the agent said of it", redact(attempt.said)[:4000] or "nothing"),
    ]
    return "\n\n".join(parts)


def _last_attempt(last: Reflection) -> list[str]:
    attempt = last.attempt
    lines = [f"Attempt {attempt.attempt} of {MOST_RETRIES + 1} did not pass."]
    lines += told(attempt.missing).splitlines()
    lines += [f"- failed: {_line(each)}" for each in attempt.failures[:5]]
    if attempt.files:
        lines.append(f"- files: {', '.join(map(_line, attempt.files[-5:]))}")
    return lines


def _lessons(last: Reflection) -> list[str]:
    if not last.assumption:
        return [UNEXPLAINED]
    lines = [f"Assumption that failed: {last.assumption}"]
    lines += [f"Seen in: {last.because}"] if last.because else []
    lines += ["This time:"] if last.steps else []
    lines += [f"{number}. {each}" for number, each in enumerate(last.steps, 1)]
    return [*lines, f"Before you hand over: {last.check}"] if last.check else lines


def _fitting(lines: list[str], tokens: int) -> list[str]:
    """The lines within a budget: long ones are cut, then what failed goes, the lesson last."""
    while len(lines) > 1 and count_tokens_bound(_wrapped(lines)) > tokens:
        longest = max(range(len(lines)), key=lambda at: len(lines[at]))
        if len(lines[longest]) > _SHORT:
            lines[longest] = lines[longest][: len(lines[longest]) // 2] + " …"
        else:
            lines.pop(1)
    return lines


def _wrapped(lines: Sequence[str]) -> str:
    inside = _TAG.sub("", "\n".join(lines))
    return f"<{BLOCK}>\n{inside}\n</{BLOCK}>"


def _line(text: str) -> str:
    return " ".join(redact(text).split())[:MOST_SIGNS]
