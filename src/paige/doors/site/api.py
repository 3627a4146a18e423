"""The REST API described from the values themselves: their types, limits and docstrings."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import TypeAdapter

from paige.base.wire import camel
from paige.doors.frame.operations import Operation, load_operation
from paige.doors.frame.rows import Route
from paige.doors.frame.schemas import reachable
from paige.doors.frame.values import Download

Schema = dict[str, Any]
_REF = "#/components/schemas/{model}"
_BYTES: Schema = {"application/octet-stream": {}}


def describe(rows: Iterable[Route]) -> tuple[Schema, Schema]:
    """Paths and the schemas they use, as OpenAPI has them."""
    known = [(row, load_operation(row.operation)) for row in rows]
    described = _Schemas([operation for _, operation in known])
    paths: Schema = {}
    for row, operation in known:
        paths.setdefault(row.path, {})[row.method.lower()] = described.operation(row, operation)
    return paths, described.definitions


class _Schemas:
    """The schemas of everything that operations take and give, described together."""

    def __init__(self, operations: list[Operation[Any]]) -> None:
        adapters: list[Any] = []
        for each in {each.name: each for each in operations}.values():
            if each.takes is not None:
                adapters.append((each.name, "validation", each.input))
            if each.gives is not Download:
                adapters.append((each.name, "serialization", each.output))
        self._found, described = TypeAdapter.json_schemas(adapters, ref_template=_REF)
        roots = list(self._found.values())
        self.definitions = reachable(roots, described.get("$defs", {}))

    def operation(self, row: Route, operation: Operation[Any]) -> Schema:
        """One operation at one address."""
        made: Schema = {
            "tags": [row.tag],
            "summary": operation.name,
            "operationId": f"{operation.name}-{row.method.lower()}",
            "description": operation.description,
            "responses": {"200": self._answer(operation)},
        }
        schema: Schema = {}
        if operation.takes is not None:
            schema = self._found[operation.name, "validation"]  # type: ignore[index] - keys are names
        fields = self._resolved(schema).get("properties", {})
        needed = self._resolved(schema).get("required", ())
        places = {name: _place(row, name) for name in fields}
        parameters = [
            _parameter(name, places[name], field, needed=name in needed)
            for name, field in fields.items()
            if places[name] in ("path", "query")
        ]
        if parameters:
            made["parameters"] = parameters
        inside = {name: field for name, field in fields.items() if places[name] == "body"}
        if row.data:
            made["requestBody"] = {"required": True, "content": _BYTES}
        elif inside:
            body = schema if len(inside) == len(fields) else _object(inside, needed)
            content = {"application/json": {"schema": body}}
            must = any(name in needed for name in inside)
            made["requestBody"] = {"required": must, "content": content}
        return made

    def _answer(self, operation: Operation[Any]) -> Schema:
        if operation.gives is Download:
            return {"description": "The file.", "content": _BYTES}
        schema = self._found[operation.name, "serialization"]  # type: ignore[index] - as above
        return {"description": "Done.", "content": {"application/json": {"schema": schema}}}

    def _resolved(self, schema: Schema) -> Schema:
        name = schema.get("$ref", "").rpartition("/")[2]
        return self.definitions.get(name, schema)


def _place(row: Route, name: str) -> Literal["path", "query", "body", "none"]:
    """Where a field comes from; some the request itself knows, or are its whole body."""
    if f"{{{name}}}" in row.path or f"{{{name}:" in row.path:
        return "path"
    if name == camel(row.data) or any(name == camel(each) for each in row.fills):
        return "none"
    if row.method == "GET" or row.data or any(name == camel(each) for each in row.query):
        return "query"
    return "body"


def _parameter(name: str, place: str, schema: Schema, *, needed: bool) -> Schema:
    described = {key: value for key, value in schema.items() if key != "description"}
    made = {"name": name, "in": place, "required": needed or place == "path", "schema": described}
    return {**made, "description": schema["description"]} if "description" in schema else made


def _object(fields: Schema, needed: Iterable[str]) -> Schema:
    required = [name for name in needed if name in fields]
    return {"type": "object", "properties": fields, "required": required}
