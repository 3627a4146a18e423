"""What a person or an agent can do: one function for every door.

A subject's `operations.py` says who may and what is opened for it; each operation is a function
from one value to one value. Whatever holds for an operation holds in it, so it holds at every door.
"""

import importlib
import inspect
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Generic, TypeVar, get_args, get_origin, get_type_hints

from anyio.to_thread import run_sync
from pydantic import TypeAdapter, ValidationError

from paige.base.errors import BadInput
from paige.base.rights import Right
from paige.doors.frame.schemas import adapter_of
from paige.doors.frame.values import UNDESCRIBED, WithCookies

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from paige.app.application import App
    from paige.store.messages import Message

T = TypeVar("T")
Announce = Callable[[Any, Any], "Message | None"]
"""From what was given and what came of it (nothing when it failed) to what windows are told."""
_MESSAGES = {
    "unexpected_keyword_argument": "Extra inputs are not permitted",
    "dataclass_type": "Input should be a valid dictionary or object to extract fields from",
    "tuple_type": "Input should be a valid list",
}
"""What the library says of Python's own shapes, in words for whoever sends JSON."""


class BadField(BadInput):
    """A value that does not fit; `field` is the part of the input it is about."""

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(message)
        self.field = field


@asynccontextmanager
async def opens_app(app: "App") -> "AsyncIterator[App]":
    """For subjects that work with the application itself."""
    yield app


@dataclass(frozen=True, slots=True)
class Subject(Generic[T]):
    """What belongs together: who may use it, and what is opened for a person to work with.

    `machine` says that it belongs to the machine Paige runs on, not to everyone with an account.
    """

    name: str
    needs: Right | None = None
    opens: Callable[["App"], AbstractAsyncContextManager[T]] = opens_app  # type: ignore[assignment] - T is App then
    machine: bool = False
    by_roles: bool = False
    """Whether what is opened depends on the roles somebody has now."""
    accounts: bool = False
    """Whether it is there only where people have accounts."""
    installation: bool = False
    """Whether it is about the installation: what is opened is that of nobody in particular."""
    anyone: bool = False
    """Whether it is for whoever comes, signed in or not: it works for the server itself."""

    def read(self, run: Callable[..., Any]) -> "Operation[T]":
        """Declare an operation that only looks."""
        return Operation(self, run)

    def change(
        self, *, announces: Announce | None = None, needs: Right | None = None
    ) -> Callable[[Callable[..., Any]], "Operation[T]"]:
        """Declare an operation that changes something, and what it tells open windows."""

        def declare(run: Callable[..., Any]) -> "Operation[T]":
            return Operation(self, run, changes=True, announces=announces, needs=needs)

        return declare


def told_within(_: object, __: object) -> None:
    """For changes that tell windows of themselves, in the transaction that makes them."""


class Operation(Generic[T]):
    """One thing that can be done. `run` is async, or a plain function that is run in a thread."""

    def __init__(
        self,
        subject: Subject[T],
        run: Callable[..., Any],
        *,
        changes: bool = False,
        announces: Announce | None = None,
        needs: Right | None = None,
    ) -> None:
        self.subject = subject
        self.run = run
        self.name = f"{subject.name}.{run.__name__}"
        self.changes = changes
        self.announces = announces
        self.needs: Right | None = needs or subject.needs
        self.description = inspect.cleandoc(run.__doc__ or "").split("Raises:")[0].strip()

    @cached_property
    def _hints(self) -> tuple[Any, Any]:
        hints = get_type_hints(self.run, include_extras=True)
        gives = hints.pop("return", None)
        if get_origin(gives) is WithCookies:
            [gives] = get_args(gives)
        taken = list(inspect.signature(self.run).parameters)[1:]
        return (hints[taken[0]] if taken else None), gives

    @property
    def takes(self) -> Any:  # noqa: ANN401 - a type, or nothing
        """The type of its input; nothing where it needs none."""
        return self._hints[0]

    @property
    def gives(self) -> Any:  # noqa: ANN401 - as above
        """The type of what comes of it."""
        return self._hints[1]

    @cached_property
    def fields(self) -> dict[str, Any]:
        """The fields of its input with their types."""
        return get_type_hints(self.takes, include_extras=True)

    @cached_property
    def input(self) -> TypeAdapter[Any]:
        """What reads its input."""
        return adapter_of(self.takes)

    @cached_property
    def output(self) -> TypeAdapter[Any]:
        """What writes what comes of it."""
        return adapter_of(self.gives)

    def read_input(self, given: object) -> tuple[Any, ...]:
        """The arguments of `run` after the first. Raises: BadField."""
        if self.takes is None:
            return ()
        if isinstance(self.takes, type) and isinstance(given, self.takes):
            return (given,)
        try:
            return (self.input.validate_python(given),)
        except ValidationError as error:
            raise what_is_wrong(error) from error


def what_is_wrong(error: ValidationError) -> BadField:
    """The first thing that does not fit, in one sentence."""
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"])
    return BadField(f"`{where or 'the body'}` cannot be used: {words_of(first)}", field=where)


def words_of(fault: Mapping[str, Any]) -> str:
    """What does not fit, in the words of every door."""
    return str(_MESSAGES.get(fault["type"], fault["msg"]))


def load_operation(place: str) -> Operation[Any]:
    """The operation at `module:name`. The first one of a subject imports its rooms."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


_READY: dict[str, Operation[Any]] = {}


async def ready_operation(place: str) -> Operation[Any]:
    """The same with its adapters built, which the first call waits for in a thread."""
    operation = _READY.get(place)
    if operation is None:
        operation = _READY[place] = await run_sync(_prepare, place)
    return operation


def _prepare(place: str) -> Operation[Any]:
    operation = load_operation(place)
    if operation.takes is not None:
        _ = operation.input
    if operation.gives not in UNDESCRIBED:
        _ = operation.output
    return operation


def shapes_of(operations: Iterable[Operation[Any]]) -> list[Any]:
    """What operations take and give, each once, as the library describes many shapes together."""
    shapes: list[Any] = []
    for each in {each.name: each for each in operations}.values():
        if each.takes is not None:
            shapes.append((each.name, "validation", each.input))
        if each.gives not in UNDESCRIBED:
            shapes.append((each.name, "serialization", each.output))
    return shapes
