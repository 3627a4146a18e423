"""The JSON schemas of tools: what clients are told about arguments and answers.

A structured answer is always an object, so whatever is not one travels as `{"result": …}`, and the
schema says so: a value that may be an object or null is described as either of the two.

Each is worked out once in a process, however many endpoints are opened; nobody changes one.
"""

import json
import re
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from paige.base import python_source  # noqa: F401 - fields are described by parsing sources

Schema = dict[str, Any]
_REFERENCE = re.compile(r'"#/(?:\$defs|components/schemas)/([^"]+)"')


@cache
def input_schema(params: Any) -> Schema:  # noqa: ANN401 - any type that can be described
    """The schema of a tool's arguments."""
    return adapter_of(params).json_schema(by_alias=True)


@cache
def adapter_of(kind: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - any type that can be described
    """What reads values of this type from JSON and writes them."""
    return TypeAdapter(kind)


@cache
def output_schema(result: Any) -> Schema:  # noqa: ANN401 - as above
    """The schema of a structured answer of this type."""
    schema = adapter_of(result).json_schema(mode="serialization", by_alias=True)
    definitions = schema.pop("$defs", {})
    described = _object(schema, definitions)
    return {**described, "$defs": definitions} if definitions else described


def compact(schema: Schema) -> Schema:
    """A schema in few words, for agents pay for each: no titles, defaults, limits or nothing.

    What is given is checked against the whole one.
    """
    definitions = schema.get("$defs", {})
    return _compact({name: part for name, part in schema.items() if name != "$defs"}, definitions)


_LEFT_OUT = ("title", "default", "minLength", "maxLength", "minItems", "maxItems")


def _compact(schema: Any, definitions: Schema) -> Any:  # noqa: ANN401 - JSON values
    if isinstance(schema, list):
        return [_compact(each, definitions) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return _compact(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema:
        choices = [each for each in schema["anyOf"] if each.get("type") != "null"]
        if len(choices) == 1:
            rest = {name: part for name, part in schema.items() if name != "anyOf"}
            return _compact({**choices[0], **rest}, definitions)
    made: Schema = {}
    for name, part in schema.items():
        if name == "properties":
            made[name] = {key: _compact(each, definitions) for key, each in part.items()}
        elif name not in _LEFT_OUT and part is not False and part != {}:
            made[name] = _compact(part, definitions)
    if made.get("type") == "object" and "properties" in made:
        made.pop("description", None)  # what it is, its tool or its field says
    return made


def reachable(roots: object, definitions: Schema) -> Schema:
    """The definitions that something refers to: a field that never leaves still has one."""
    used: dict[str, Any] = {}
    waiting = [roots]
    while waiting:
        for name in _REFERENCE.findall(json.dumps(waiting.pop())):
            if name not in used:
                used[name] = definitions[name]
                waiting.append(definitions[name])
    return {name: part for name, part in definitions.items() if name in used}


def _object(schema: Schema, definitions: Schema) -> Schema:
    if _is_object(schema, definitions):
        return schema
    choices = schema.get("anyOf", [schema])
    objects = [choice for choice in choices if _is_object(choice, definitions)]
    if not objects:
        return _wrapped(schema)
    others = [choice for choice in choices if choice not in objects]
    return {"type": "object", "anyOf": [*objects, *map(_wrapped, others)]}


def _is_object(schema: Schema, definitions: Schema) -> bool:
    name = schema.get("$ref", "").removeprefix("#/$defs/")
    return definitions.get(name, schema).get("type") == "object"


def _wrapped(schema: Schema) -> Schema:
    return {"type": "object", "properties": {"result": schema}, "required": ["result"]}
