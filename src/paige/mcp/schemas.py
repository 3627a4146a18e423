"""The JSON schemas of tools: what clients are told about arguments and answers.

A structured answer is always an object, so whatever is not one travels as `{"result": …}`, and the
schema says so: a value that may be an object or null is described as either of the two.

Each is worked out once in a process, however many endpoints are opened; nobody changes one.
"""

from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter

Schema = dict[str, Any]


@cache
def input_schema(params: type[BaseModel]) -> Schema:
    """The schema of a tool's arguments."""
    return params.model_json_schema(by_alias=True)


@cache
def adapter_of(result: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - any type that can be described
    """What turns an answer of this type into JSON."""
    return TypeAdapter(result)


@cache
def output_schema(result: Any) -> Schema:  # noqa: ANN401 - as above
    """The schema of a structured answer of this type."""
    schema = adapter_of(result).json_schema(mode="serialization", by_alias=True)
    definitions = schema.pop("$defs", {})
    described = _object(schema, definitions)
    return {**described, "$defs": definitions} if definitions else described


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
