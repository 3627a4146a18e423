"""Handoffs: work goes from one agent to another as a command object that both ends look at.

Nothing is implied: what must be so before, what is passed along, what is expected after, what
happens when it fails, how long it may take. The sender checks it before it is sent, the receiver
before it begins, each against the project as it is then. The same key is the same handoff.

What happened to each stands in a log. Lines are only ever added, under a lock, and the same thing
about the same key is written once. A line that was cut off by a crash is left out.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from paige.base.clock import to_iso
from paige.base.errors import BadInput, Conflict, Unavailable
from paige.guard.state.files import alone_with
from paige.orchestra.machine import AGENTS
from paige.orchestra.running.journal import append_line
from paige.orchestra.values import CODER, INITIALIZER, LEADER, TESTER, Facts, HandoffEvent, RunAgent

MAIN = "main"
MOST_PATHS = 500
TASKS: Mapping[str, str] = {
    INITIALIZER: "initialize_project",
    LEADER: "lead_section",
    CODER: "implement_feature",
    TESTER: "validate_feature",
}
TIMEOUTS: Mapping[str, int] = {INITIALIZER: 1800, LEADER: 900, CODER: 3600, TESTER: 1800}
PHASES: Mapping[str, str] = {agent: phase for phase, agent in AGENTS.items()}
# Where the work goes on when it fails.
_ROLLBACKS: Mapping[str, str] = {
    INITIALIZER: "initializing",
    LEADER: "leading",
    CODER: "coding",
    TESTER: "coding",
}
WITHOUT_FEATURE = (INITIALIZER, LEADER)
Status = Literal["pending", "in_progress", "completed", "blocked"]
FILE = ".claude/progress/handoffs.jsonl"
EVENTS: tuple[HandoffEvent, ...] = get_args(HandoffEvent)


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Context(_Part):
    """What the work is about, and which state it comes from."""

    feature_id: str | None = Field(default=None, max_length=200)
    files_changed: tuple[str, ...] = Field(default=(), max_length=MOST_PATHS)
    previous_state: str = Field(max_length=60)


class SuccessCriteria(_Part):
    """What counts as success."""

    tests_pass: bool = True
    coverage_min: int = Field(default=0, ge=0, le=100)


class Condition(_Part):
    """What has to be so: in words, and as far as a program can look.

    `feature_status` are the states the feature may be in, `tree_hash` the files it holds for, and
    `evidence` whether a run of tests must stand for the feature.
    """

    says: str = Field(min_length=1, max_length=1000)
    feature_status: tuple[Status, ...] = ()
    tree_hash: str = Field(default="", max_length=128)
    evidence: bool = False


class Rollback(_Part):
    """What happens when it fails: the state the work returns to, and what becomes of the files."""

    to: str = Field(min_length=1, max_length=60)
    files: Literal["keep", "discard"] = "keep"


class Command(_Part):
    """The order itself."""

    agent: str = Field(min_length=1, max_length=100)
    task: str = Field(pattern=r"^[a-z][a-z0-9_]{0,99}$")
    context: Context
    success_criteria: SuccessCriteria
    next_agent: str = Field(min_length=1, max_length=100)
    precondition: Condition
    artifacts: tuple[str, ...] = Field(default=(), max_length=MOST_PATHS)
    postcondition: Condition
    rollback: Rollback
    timeout_s: int = Field(ge=1, le=24 * 3600)
    idempotency_key: str = Field(min_length=1, max_length=400)


class Handoff(_Part):
    """One handoff: `{"command": {…}}`."""

    command: Command

    @property
    def key(self) -> str:
        """What makes two of them the same."""
        return self.command.idempotency_key

    def dump(self) -> dict[str, Any]:
        """The handoff as JSON."""
        return self.model_dump(mode="json")


@dataclass(frozen=True, slots=True)
class HandoffProblem:
    """What is wrong with a handoff: where, and in a sentence."""

    field: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HandoffMaterial:
    """What is passed along besides what the state knows."""

    files_changed: tuple[str, ...] = ()
    artifacts: tuple[str, ...] = ()
    tree: str = ""
    coverage_min: int = 0
    timeout_s: int | None = None


def handoff_for(action: RunAgent, passed: HandoffMaterial) -> Handoff:
    """The handoff that gives an action of the machine to its agent."""
    pre, post = _CONDITIONS[action.agent]
    command = Command(
        agent=action.agent,
        task=TASKS[action.agent],
        context=Context(
            feature_id=action.feature,
            files_changed=passed.files_changed,
            previous_state=_came_from(action),
        ),
        success_criteria=SuccessCriteria(
            tests_pass=action.agent in (CODER, TESTER), coverage_min=passed.coverage_min
        ),
        next_agent=MAIN,
        precondition=pre.model_copy(update={"tree_hash": passed.tree}),
        artifacts=passed.artifacts,
        postcondition=post,
        rollback=Rollback(to=_ROLLBACKS[action.agent]),
        timeout_s=passed.timeout_s or TIMEOUTS[action.agent],
        idempotency_key=action.key,
    )
    return Handoff(command=command)


def parse_handoff(given: object) -> Handoff:
    """A handoff from JSON, as text or as values. Raises: BadInput naming the field.

    Of the agents that are known, what is not given is what the orchestra itself would ask for; a
    key is made from the content, so that the same handoff twice is one.
    """
    try:
        value = json.loads(given) if isinstance(given, str | bytes) else given
    except (ValueError, RecursionError) as error:
        raise _no_handoff(f"it is not JSON: {error}") from None
    try:
        return Handoff.model_validate(_completed(value))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the whole"
        raise _no_handoff(f"`{place}`: {first['msg'][:1].lower()}{first['msg'][1:]}") from None


def _came_from(action: RunAgent) -> str:
    """The state the work comes from."""
    if action.agent == TESTER:
        return "coding"
    return "testing" if action.agent == CODER and action.attempt > 1 else "session_start"


def _no_handoff(problem: str) -> BadInput:
    return BadInput(
        f"This is no handoff: {problem}",
        hint='Write `{"command": {"agent": "…", "task": "…", "context": {…}, …}}`.',
    )


def _completed(value: object) -> object:
    inner = value.get("command") if isinstance(value, dict) else None
    agent = inner.get("agent") if isinstance(inner, dict) else None
    if not isinstance(inner, dict) or not isinstance(agent, str) or agent not in _CONDITIONS:
        return value
    pre, post = _CONDITIONS[agent]
    text = json.dumps(inner, sort_keys=True, default=str)
    made = {
        "precondition": pre.model_dump(),
        "postcondition": post.model_dump(),
        "rollback": {"to": _ROLLBACKS[agent]},
        "timeout_s": TIMEOUTS[agent],
        "idempotency_key": f"given/{sha256(text.encode('utf-8', 'replace')).hexdigest()[:24]}",
    }
    return {"command": {**made, **inner}}


def validate_as_sender(handoff: Handoff, facts: Facts) -> tuple[HandoffProblem, ...]:
    """What is wrong with a handoff before it is sent; nothing when it may go."""
    command = handoff.command
    found = [*_names(command, facts), *_paths(command), *_precondition(command, facts)]
    works = PHASES.get(command.agent, "")
    if facts.phase and works and works != facts.phase:
        message = f"`{command.agent}` has nothing to do while the work is in `{facts.phase}`"
        found.append(HandoffProblem("agent", message))
    return tuple(found)


def validate_as_receiver(
    handoff: Handoff, facts: Facts, receiver: str
) -> tuple[HandoffProblem, ...]:
    """What is wrong with a handoff for the one who gets it; nothing when they may begin."""
    command = handoff.command
    found = [*_names(command, facts), *_paths(command), *_precondition(command, facts)]
    if command.agent != receiver:
        found.append(
            HandoffProblem("agent", f"This is for `{command.agent}`, not for `{receiver}`")
        )
    missing = [each for each in command.artifacts if each not in facts.files]
    found += [HandoffProblem("artifacts", f"`{each}` is not there") for each in missing]
    return tuple(found)


def validate_result(handoff: Handoff, facts: Facts) -> tuple[HandoffProblem, ...]:
    """What is missing after the work: the postcondition against the project as it is now."""
    command = handoff.command
    return tuple(_condition("postcondition", command.postcondition, command, facts))


def _names(command: Command, facts: Facts) -> list[HandoffProblem]:
    found = [
        HandoffProblem(field, f"Nobody is called `{name}`")
        for field, name in (("agent", command.agent), ("next_agent", command.next_agent))
        if name not in facts.agents
    ]
    feature = command.context.feature_id
    if feature is None:
        if command.agent not in WITHOUT_FEATURE:
            found.append(HandoffProblem("context.feature_id", f"`{command.agent}` needs a feature"))
    elif feature not in facts.states:
        found.append(HandoffProblem("context.feature_id", f"There is no feature `{feature}`"))
    elif feature in facts.tested:
        found.append(HandoffProblem("context.feature_id", f"Feature `{feature}` is done already"))
    return found


def _paths(command: Command) -> list[HandoffProblem]:
    """Paths are the project's own: relative, and not up and out of it."""
    listed = (("context.files_changed", command.context.files_changed),
              ("artifacts", command.artifacts))  # fmt: skip
    return [
        HandoffProblem(field, f"`{path}` is no path inside the project")
        for field, paths in listed
        for path in paths
        if not _inside(path)
    ]


def _inside(path: str) -> bool:
    parts = path.replace("\\", "/").split("/")
    whole = bool(path) and "\0" not in path and len(path) <= 1000
    return whole and parts[0] not in ("", "~") and ":" not in parts[0] and ".." not in parts


def _precondition(command: Command, facts: Facts) -> list[HandoffProblem]:
    return _condition("precondition", command.precondition, command, facts)


def _condition(
    field: str, condition: Condition, command: Command, facts: Facts
) -> list[HandoffProblem]:
    found: list[HandoffProblem] = []
    feature = command.context.feature_id
    status = facts.states.get(feature or "")
    wanted = condition.feature_status
    if wanted and status is not None and status not in wanted:
        fits = " or ".join(f"`{each}`" for each in wanted)
        message = f"Feature `{feature}` is `{status}`, not {fits}"
        found.append(HandoffProblem(f"{field}.feature_status", message))
    if condition.tree_hash and condition.tree_hash != facts.tree:
        found.append(
            HandoffProblem(f"{field}.tree_hash", "The files are not those this was made for")
        )
    if condition.evidence and (feature is None or feature not in facts.evidence):
        found.append(HandoffProblem(f"{field}.evidence", f"No run of tests stands for `{feature}`"))
    return found


_CONDITIONS: Mapping[str, tuple[Condition, Condition]] = {
    INITIALIZER: (
        Condition(says="The project has no features yet, and the person gave a goal."),
        Condition(says="The goal is broken down into features, each with an id of its own."),
    ),
    LEADER: (
        Condition(says="The features of the section are listed, and none of them is begun."),
        Condition(says="There is an order and a brief for the features; no file has changed."),
    ),
    CODER: (
        Condition(says="The feature is open.", feature_status=("pending", "in_progress")),
        Condition(says="The code of the feature is written and ready to be tested."),
    ),
    TESTER: (
        Condition(says="The code is written and verified.", feature_status=("completed",)),
        Condition(says="Tests ran with the files as they are, and passed.", evidence=True),
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line: what happened to a handoff, when, and what else is known about it."""

    key: str
    event: HandoffEvent
    at: str
    handoff: Mapping[str, Any] | None = None
    about: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def dump(self) -> dict[str, Any]:
        """The entry as it stands in the file."""
        shown: dict[str, Any] = {"at": self.at, "event": self.event, "key": self.key}
        if self.handoff is not None:
            shown["handoff"] = dict(self.handoff)
        if self.about:
            shown["about"] = dict(self.about)
        return shown


class HandoffLog:
    """The handoffs of one project."""

    def __init__(self, root: Path | str) -> None:
        self.path = Path(root) / FILE

    def note(
        self,
        event: HandoffEvent,
        key: str,
        at: datetime,
        handoff: Handoff | None = None,
        about: Mapping[str, Any] | None = None,
    ) -> bool:
        """Write down what happened; false when it was there already.

        Raises: Conflict when another handoff has that key; Refused, Unavailable.
        """
        entry = Entry(
            key=key,
            event=event,
            at=to_iso(at),
            handoff=handoff.dump() if handoff is not None else None,
            about=dict(about or {}),
        )
        # A lock of its own: whoever holds the one of the state files may write here.
        with alone_with(self.path, self.path.with_suffix(".lock").name):
            for known in _read(self.path):
                if known.key == key and known.event == event:
                    _same(known, entry)
                    return False
            append_line(self.path, entry.dump())
        return True

    def read(self) -> tuple[Entry, ...]:
        """All entries, the oldest first. Raises: Unavailable."""
        return tuple(_read(self.path))

    def of(self, key: str) -> tuple[Entry, ...]:
        """What happened to one handoff. Raises: Unavailable."""
        return tuple(each for each in _read(self.path) if each.key == key)

    def has(self, key: str, event: HandoffEvent) -> bool:
        """Whether something happened to a handoff. Raises: Unavailable."""
        return any(each.event == event for each in self.of(key))


def _same(known: Entry, entry: Entry) -> None:
    given = json.loads(json.dumps(entry.handoff))
    if entry.handoff is not None and known.handoff is not None and known.handoff != given:
        raise Conflict(
            f"Another handoff has the key `{entry.key}`",
            hint="Give it an `idempotency_key` of its own.",
        )


def _read(path: Path) -> Iterator[Entry]:
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        return
    except OSError as error:
        raise Unavailable(f"`{path}` cannot be read: {error.strerror or error}") from error
    for line in raw.split(b"\n"):
        entry = _entry(line)
        if entry is not None:
            yield entry


def _entry(line: bytes) -> Entry | None:
    # Not by its type: an agent's words may hold what UTF-8 has no signs for.
    try:
        given: Any = json.loads(line)
        key, event, at = given["key"], given["event"], given["at"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not isinstance(key, str) or event not in EVENTS or not isinstance(at, str):
        return None
    handoff, about = given.get("handoff"), given.get("about")
    return Entry(
        key=key,
        event=event,
        at=at,
        handoff=handoff if isinstance(handoff, dict) else None,
        about=about if isinstance(about, dict) else {},
    )
