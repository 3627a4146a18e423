"""What is asked of the Plan door, as values that cost nothing to import."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAsked:
    """A command with its input, in a new session unless one is given; empty decides nothing."""

    command: str
    prompt: str
    session: str | None = None
    class_id: str | None = None
    provider: str = ""
    model: str = ""
    memory: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerAsked:
    """An answer to a gate at the revision somebody saw; `reply` is not read yet."""

    run: str
    gate: str
    revision: int
    reply: object
