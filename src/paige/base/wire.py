"""How a value travels: what every dataclass that crosses a door says about itself.

A value that comes in or goes out is a `@wire` class: a frozen dataclass that is read and written by
the rules below. Dataclasses inside it follow. Names are snake_case in Python and in files,
camelCase on the wire. Text is `storable` where every database and wire can take it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from datetime import datetime
from typing import Any, TypeVar, dataclass_transform, overload

from paige.base.clock import to_iso

C = TypeVar("C")


def camel(name: str) -> str:
    """The name of a field on the wire."""
    first, *rest = name.split("_")
    return first + "".join(part[:1].upper() + part[1:] for part in rest)


WIRE: Any = {
    "alias_generator": camel,
    "validate_by_name": True,
    "validate_by_alias": True,
    "extra": "forbid",
    "use_attribute_docstrings": True,
    "json_schema_serialization_defaults_required": True,
}
SNAKE: Any = {**WIRE, "alias_generator": None}
"""The same for values whose names are specified as they are in files: answers of some tools."""


def plain(value: Any, *, digits: int = 4) -> Any:  # noqa: ANN401 - any JSON
    """A value as JSON has it: dataclasses are objects, moments texts, and numbers rounded."""
    match value:
        case datetime():
            return to_iso(value)
        case float():
            return round(value, digits)
        case Mapping():
            return {key: plain(each, digits=digits) for key, each in value.items()}
        case list() | tuple():
            return [plain(each, digits=digits) for each in value]
    if is_dataclass(value):
        return {
            each.name: plain(getattr(value, each.name), digits=digits) for each in fields(value)
        }
    return value


def storable(text: str) -> str:
    """The text without halves of characters and NUL, which JSON can bring and nobody can keep."""
    if text.isascii() and "\0" not in text:
        return text
    return text.replace("\0", "\ufffd").encode("utf-8", "replace").decode()


@overload
def wire(cls: type[C], /) -> type[C]: ...


@overload
def wire(*, kw_only: bool) -> Callable[[type[C]], type[C]]: ...


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def wire(
    cls: type[C] | None = None, /, *, kw_only: bool = False
) -> type[C] | Callable[[type[C]], type[C]]:
    """Make a class a value that crosses a door."""

    def made(kind: type[C]) -> type[C]:
        value = dataclass(frozen=True, slots=True, kw_only=kw_only)(kind)
        value.__pydantic_config__ = WIRE  # type: ignore[attr-defined] - the library looks for it
        return value

    return made if cls is None else made(cls)
