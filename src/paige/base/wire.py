"""How a value travels: what every dataclass that crosses a door says about itself.

A value that comes in or goes out has `__pydantic_config__ = WIRE`; dataclasses inside it follow.
Names are snake_case in Python and in files, camelCase on the wire.
"""

from typing import Any


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
