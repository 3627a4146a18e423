"""The wire as one JSON schema; the web app's TypeScript is generated from it (`make types`).

Each REST shape is a definition of its own name; each message is a definition of the whole frame,
its payload inside, and the unions `ServerFrame` and `ClientFrame` hold them all.
"""

import inspect
import json
import sys
from typing import Any, Literal

from pydantic import BaseModel, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaMode

from paige.doors.frame.operations import load_operation
from paige.doors.frame.schemas import reachable
from paige.doors.frame.values import Download
from paige.doors.table import all_routes
from paige.server import (
    accounts_wire,
    answer_wire,
    class_errors_wire,
    coach_wire,
    graph_wire,
    guard_wire,
    guards_wire,
    memory_wire,
    messages,
    orchestra_wire,
    plan_wire,
    settings_wire,
    traces_wire,
    wire,
)
from paige.store.messages import Message

Schema = dict[str, Any]
REST_OUT = (
    wire.Setup,
    wire.Session,
    wire.ErrorBody,
    wire.Health,
    wire.Ready,
    *accounts_wire.OUT,
    *memory_wire.OUT,
    *coach_wire.OUT,
    *guard_wire.OUT,
    *graph_wire.OUT,
    *guards_wire.OUT,
    *orchestra_wire.OUT,
    *traces_wire.OUT,
    *plan_wire.OUT,
    *answer_wire.OUT,
    *class_errors_wire.OUT,
    *settings_wire.OUT,
)
REST_IN = (
    wire.SignIn,
    *accounts_wire.IN,
    *memory_wire.IN,
    *coach_wire.IN,
    *guard_wire.IN,
    *guards_wire.IN,
    *plan_wire.IN,
    *answer_wire.IN,
    *settings_wire.IN,
)
SERVER_FRAME: Schema = {
    "seq": {"type": "integer", "description": "Highest number of the event stream sent so far."},
    "durable": {"type": "boolean", "description": "Whether the frame is an event of the stream."},
    "timestamp": {"type": "integer"},
}


class _Untitled(GenerateJsonSchema):
    """Without titles on fields, which would become type aliases of their own."""

    def field_title_should_be_set(self, schema: object) -> bool:
        return False


def wire_schema() -> Schema:
    """Everything that crosses the wire."""
    definitions: Schema = {}
    for shape in REST_OUT:
        _define(definitions, shape, "serialization")
    for shape in REST_IN:
        _define(definitions, shape, "validation")
    _define_operations(definitions)
    sent = [_frame(definitions, kind, "serialization") for kind in messages.OUTBOUND]
    received = [_frame(definitions, kind, "validation") for kind in messages.INBOUND]
    definitions["ServerFrame"] = _union(sent, "Everything the server may send.")
    definitions["ClientFrame"] = _union(received, "Everything a client may send.")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions}


def _define(definitions: Schema, shape: type[BaseModel], mode: JsonSchemaMode) -> None:
    definitions[shape.__name__] = _closed(_model_schema(definitions, shape, mode))


def _define_operations(definitions: Schema) -> None:
    """What operations take and give; a name stands for one shape, so each is said once."""
    operations = {row.operation: load_operation(row.operation) for row in all_routes()}
    shapes: list[Any] = []
    for each in operations.values():
        if each.takes is not None:
            shapes.append((f"{each.name} in", "validation", each.input))
        if each.gives is not Download:
            shapes.append((f"{each.name} out", "serialization", each.output))
    found, described = TypeAdapter.json_schemas(shapes, schema_generator=_Untitled)
    for name, schema in reachable(list(found.values()), described.get("$defs", {})).items():
        if "__" in name or name in definitions:
            raise ValueError(f"Two shapes on the wire are called `{name}`")
        definitions[name] = _closed(schema)


def _frame(
    definitions: Schema, kind: type[Message], mode: Literal["serialization", "validation"]
) -> str:
    payload = _closed(_model_schema(definitions, kind, mode))
    description = payload.pop("description", "")
    properties: Schema = {"type": {"const": kind.topic, "type": "string"}, "payload": payload}
    required = ["type", "payload"]
    if mode == "serialization":
        properties |= SERVER_FRAME
        required += list(SERVER_FRAME)
    else:
        properties["timestamp"] = {"type": "integer"}
    properties["id"] = {"type": "string", "description": "Joins an answer to its question."}
    frame = {"type": "object", "properties": properties, "required": required}
    definitions[kind.__name__] = {
        **frame,
        "additionalProperties": False,
        "description": description,
    }
    return kind.__name__


def _model_schema(definitions: Schema, shape: type[BaseModel], mode: JsonSchemaMode) -> Schema:
    schema = shape.model_json_schema(by_alias=True, mode=mode, schema_generator=_Untitled)
    for name, inner in schema.pop("$defs", {}).items():
        definitions[name] = _closed(inner)
    schema.pop("title", None)
    return schema


def _closed(schema: Schema) -> Schema:
    schema.pop("title", None)
    if schema.get("type") == "object":
        schema.setdefault("properties", {})
        schema.setdefault("additionalProperties", False)
    if "description" in schema:
        schema["description"] = inspect.cleandoc(schema["description"]).splitlines()[0]
    return schema


def _union(names: list[str], description: str) -> Schema:
    return {"oneOf": [{"$ref": f"#/$defs/{name}"} for name in names], "description": description}


if __name__ == "__main__":
    json.dump(wire_schema(), sys.stdout, indent=2)
    sys.stdout.write("\n")
