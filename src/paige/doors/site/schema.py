"""The wire as one JSON schema; the web app's TypeScript is generated from it (`make types`).

Each REST shape is a definition of its own name; each message is a definition of the whole frame,
its payload inside, and the unions `ServerFrame` and `ClientFrame` hold them all.
"""

import inspect
import json
import sys
from typing import Any, Literal

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from paige.doors.frame.operations import load_operation, shapes_of
from paige.doors.frame.schemas import adapter_of, reachable
from paige.doors.frame.values import ErrorBody, Health, Ready
from paige.doors.frame.web import messages
from paige.doors.table import all_routes
from paige.store.messages import Message

Schema = dict[str, Any]
SERVER = (ErrorBody, Health, Ready)
"""What the server says of itself, whatever was asked."""
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
    _define(definitions, [(each.__name__, "serialization", adapter_of(each)) for each in SERVER])
    _define(definitions, shapes_of(load_operation(row.operation) for row in all_routes()))
    sent = [_frame(definitions, kind, "serialization") for kind in messages.OUTBOUND]
    received = [_frame(definitions, kind, "validation") for kind in messages.INBOUND]
    definitions["ServerFrame"] = _union(sent, "Everything the server may send.")
    definitions["ClientFrame"] = _union(received, "Everything a client may send.")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": definitions}


def _define(definitions: Schema, shapes: list[Any]) -> None:
    """Say each shape once: a name stands for one."""
    found, described = TypeAdapter.json_schemas(shapes, schema_generator=_Untitled)
    for name, schema in reachable(list(found.values()), described.get("$defs", {})).items():
        if "__" in name or name in definitions:
            raise ValueError(f"Two shapes on the wire are called `{name}`")
        definitions[name] = _closed(schema)


def _frame(
    definitions: Schema, kind: type[Message], mode: Literal["serialization", "validation"]
) -> str:
    schema = kind.model_json_schema(by_alias=True, mode=mode, schema_generator=_Untitled)
    for name, inner in schema.pop("$defs", {}).items():
        definitions[name] = _closed(inner)
    payload = _closed(schema)
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
