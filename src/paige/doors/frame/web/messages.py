"""The messages of the connection itself, and those that rooms and doors add."""

from typing import Any, ClassVar

from pydantic import Field

from paige.coach import client_messages as coach_client
from paige.coach import messages as coach
from paige.guard.messages import GuardChanged
from paige.memory.messages import MemoryChanged
from paige.plan import messages as plan
from paige.store.messages import Message
from paige.study.messages import StudyChanged


class WindowSize(Message):
    """Size of the client's window."""

    topic: ClassVar[str] = ""
    width: int = Field(ge=0)
    height: int = Field(ge=0)


class ConnectionHello(Message):
    """A client introduces itself, and says the last event it has seen."""

    topic: ClassVar[str] = "connection:hello"
    version: str
    platform: str
    window_size: WindowSize
    last_event_id: int | None = Field(default=None, ge=0)


class PracticeStop(Message):
    """A person stops their own code that is running; whatever waits for it gets an error."""

    topic: ClassVar[str] = "practice:stop"


class ConnectionInit(Message):
    """The answer to hello."""

    topic: ClassVar[str] = "connection:init"
    session_id: str | None
    capabilities: list[str]
    feature_flags: dict[str, bool]


class ConnectionError(Message):
    """Something a client sent could not be used."""

    topic: ClassVar[str] = "connection:error"
    code: str
    message: str
    context: dict[str, Any] | None = None


class ConnectionResync(Message):
    """What the client missed is no longer kept; it should read everything again."""

    topic: ClassVar[str] = "connection:resync"
    oldest: int
    latest: int


class ConnectionHeartbeat(Message):
    """The server lives; sent so that a browser notices when it does not."""

    topic: ClassVar[str] = "connection:heartbeat"


INBOUND: tuple[type[Message], ...] = (ConnectionHello, PracticeStop, *coach_client.INBOUND)
OUTBOUND: tuple[type[Message], ...] = (
    ConnectionInit,
    ConnectionError,
    ConnectionResync,
    ConnectionHeartbeat,
    MemoryChanged,
    *coach.OUTBOUND,
    *plan.OUTBOUND,
    StudyChanged,
    GuardChanged,
)
