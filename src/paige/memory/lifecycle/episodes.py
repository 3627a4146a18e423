"""Episodes: what was tried with which tool, how it ended, and what fixed it.

An episode is kept as data, not as a story, so that repeated ones can be counted. Two tasks are the
same when their shape is: the words without the paths, numbers, quotes and hashes that differ from
one time to the next. Inputs are kept as a hash: enough to see that they are the same, not enough to
read them.
"""

import json
import re
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

import orjson

from paige.memory.event import Draft, Event, Provenance, Scope

SUCCESS, FAILURE = "success", "failure"
_VARYING = re.compile(
    r"(?P<quoted>`[^`]*`|\"[^\"]*\"|'[^']*'(?!\w))"
    r"|(?P<path>(?:[A-Za-z]:)?(?:(?<![\w.~-])[\w.~-]++)?(?:[/\\][\w.@~-]+)+[/\\]?|\b[\w-]{1,200}\.[A-Za-z]{1,5}\b)"
    r"|(?P<hash>\b(?=[0-9a-f-]{0,64}\d)[0-9a-f]{7,}(?:-[0-9a-f]+){0,8}\b)"
    r"|(?P<number>\b\d+(?:[.,:]\d+)*\b)",
)
_NAMES = {"quoted": "<text>", "path": "<file>", "hash": "<id>", "number": "<n>"}
_MOST_SIGNS = 20_000  # what makes tasks alike is at their beginning
_NOT_WORDS = re.compile(r"[^\w<>]+")


class Episode(NamedTuple):
    """One task with one tool."""

    task: str
    tool: str
    inputs_hash: str | None
    outcome: str
    fix: str | None
    confidence: float

    @property
    def succeeded(self) -> bool:
        """Whether it ended well."""
        return self.outcome == SUCCESS


class Shape(NamedTuple):
    """What two episodes have in common when they are the same kind of task."""

    task: str
    tool: str
    fix: str


def task_shape(text: str) -> str:
    """The words of a task without what differs from one time to the next."""
    plain = _VARYING.sub(
        lambda found: f" {_NAMES[found.lastgroup or 'number']} ", text[:_MOST_SIGNS]
    )
    return " ".join(_NOT_WORDS.sub(" ", plain.casefold()).split())


def shape_of(episode: Episode) -> Shape:
    """The kind of task an episode is one of."""
    return Shape(task_shape(episode.task), episode.tool.casefold(), task_shape(episode.fix or ""))


def inputs_hash(inputs: object) -> str:
    """The same for the same inputs, whatever the order of their keys."""
    try:
        written = orjson.dumps(
            inputs, default=str, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS
        )
    except TypeError:  # a number of more than 64 bits, half a character
        written = json.dumps(inputs, default=str, sort_keys=True).encode()
    return blake2b(written, digest_size=12).hexdigest()


def episode_of(event: Event) -> Episode | None:
    """The episode an event holds; `None` when it is none, or has no ending that counts."""
    if event.type != "episode" or event.forgotten or event.outcome not in (SUCCESS, FAILURE):
        return None
    payload = event.payload
    confidence = payload.get("confidence")
    return Episode(
        event.task or event.text,
        _words(payload, "tool") or event.agent.tool or "",
        _words(payload, "inputs_hash"),
        event.outcome,
        _words(payload, "fix"),
        float(confidence) if isinstance(confidence, int | float) else 0.5,
    )


def episode_draft(
    episode: Episode,
    *,
    scope: Scope = "session",
    project: str | None = None,
    session: str | None = None,
    trace: str | None = None,
    evidence: tuple[str, ...] = (),
) -> Draft:
    """What the broker is given to remember an episode."""
    ending = "worked" if episode.succeeded else "failed"
    fixed = f"; fix: {episode.fix}" if episode.fix else ""
    return Draft(
        type="episode",
        text=f"{episode.task} with {episode.tool or 'no tool'} {ending}{fixed}",
        task=episode.task,
        scope=scope,
        project=project,
        session=session,
        outcome=episode.outcome,
        payload={
            "tool": episode.tool,
            "inputs_hash": episode.inputs_hash,
            "fix": episode.fix,
            "confidence": episode.confidence,
        },
        evidence=evidence,
        provenance=Provenance(session, trace),
    )


def _words(payload: Mapping[str, Any], name: str) -> str | None:
    value = payload.get(name)
    return value if isinstance(value, str) and value else None
