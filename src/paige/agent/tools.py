"""Tools: what the model may ask for, and how their effects survive a crash.

Every tool declares an effect class, which says what a resumed run may do with a call that was begun
and never finished:

- `pure`: it changes nothing; it is run again. - `keyed`: it changes something under an idempotency
key; it is run again with the same key. - `file`: it replaces one document; the hashes before and
after are in the journal, so it is skipped or applied. - `nested`: it is made of steps that are
journaled themselves; it goes on where it was. - `once`: anything else; it is never repeated, and a
person is asked what happened.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from paige.agent.context import RunContext
from paige.base.errors import BadInput, PaigeError
from paige.base.wire import storable
from paige.models.requests import ToolSpec

if TYPE_CHECKING:
    from paige.agent.segment import Segment, Work

Effect = Literal["pure", "keyed", "file", "nested", "once"]
P = TypeVar("P", bound=BaseModel)
TOOL_SECONDS = 60.0
MAX_OUTPUT = 50_000


class TryAgain(PaigeError):
    """The call was wrong in a way the model can correct."""


class ToolFailed(PaigeError):
    """The call cannot work."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a `file` tool is about to write, and what it says when it has."""

    path: str
    base: str  # version of the document it was made from
    text: str
    said: str


@dataclass(frozen=True, slots=True)
class ToolScope:
    """What a running tool may use; `key` is the same whenever this call is repeated."""

    segment: "Segment"
    work: "Work"
    path: str
    call: str
    key: str
    context: RunContext


@dataclass(frozen=True, slots=True)
class Tool(Generic[P]):
    """One tool. `run` does the work; a `file` tool has `change` instead, applied by the loop.

    `fold` says what a call that went well changes in the context; it is done again on replay.
    """

    name: str
    description: str
    params: type[P]
    effect: Effect
    run: Callable[[ToolScope, P], Awaitable[str]] | None = None
    change: Callable[[ToolScope, P], Awaitable[FileChange]] | None = None
    seconds: float = TOOL_SECONDS
    fold: Callable[[RunContext, P], RunContext] | None = None
    attributes: Callable[[P], dict[str, Any]] | None = None  # for the span of a call
    schema: dict[str, Any] = field(default_factory=dict)

    def spec(self) -> ToolSpec:
        """The tool as the model sees it."""
        schema = self.schema or _schema_of(self.params)
        return ToolSpec(self.name, self.description, schema)


def read_params(tool: Tool[P], given: object) -> P:
    """Check what the model sent. Raises: TryAgain with what is wrong."""
    try:
        return tool.params.model_validate(given)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the input"
        raise TryAgain(f"`{where}` is wrong: {first['msg']}") from error


def bounded(text: str, limit: int = MAX_OUTPUT) -> str:
    """Cut what is too long for a model to read, and say so."""
    text = storable(text)
    if len(text) <= limit:
        return text
    head = text[: limit * 3 // 4]
    tail = text[-limit // 4 :]
    return f"{head}\n[… {len(text) - limit} characters left out …]\n{tail}"


def choose_tools(
    known: dict[str, Tool[Any]], names: tuple[str, ...], *, memory: bool
) -> dict[str, Tool[Any]]:
    """The tools an agent gets: those it names, or all but `bash`. Raises: BadInput."""
    for name in names:
        if name not in known:
            raise BadInput(
                f"There is no tool `{name}`", hint=f"There are: {', '.join(sorted(known))}."
            )
    chosen = names or tuple(name for name in known if name != "bash")
    without = () if memory else ("read_memory", "update_memory")
    return {name: known[name] for name in chosen if name not in without}


@lru_cache(maxsize=256)
def _schema_of(params: type[BaseModel]) -> dict[str, Any]:
    return tidy(params.model_json_schema())


def tidy(schema: dict[str, Any]) -> dict[str, Any]:
    """A schema without the titles pydantic adds."""
    schema.pop("title", None)
    for value in schema.values():
        if isinstance(value, dict):
            for inner in (value, *(v for v in value.values() if isinstance(v, dict))):
                inner.pop("title", None)
    return schema
