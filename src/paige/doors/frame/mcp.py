"""Operations as tools for agents: described by their values, answered with plain JSON."""

from collections.abc import Sequence
from copy import deepcopy
from typing import TYPE_CHECKING, Any

from paige.base.wire import camel
from paige.doors.frame.dispatch import dispatch
from paige.doors.frame.operations import load_operation
from paige.doors.frame.rows import Tool
from paige.doors.frame.schemas import input_schema, output_schema, reachable

if TYPE_CHECKING:
    from paige.app.application import App

Schema = dict[str, Any]
EVERY = "*"


class OperationTool:
    """A row of the table of tools, with the operation behind it."""

    def __init__(self, row: Tool) -> None:
        self.row = row
        self.operation = load_operation(row.operation)
        self._without = _excluded(row.drops)

    @property
    def input_schema(self) -> Schema:
        """What agents are told of its arguments."""
        if self.operation.takes is None:
            return {"type": "object", "properties": {}, "additionalProperties": False}
        return input_schema(self.operation.takes)

    @property
    def output_schema(self) -> Schema:
        """What agents are told of its answer."""
        return _dropped(output_schema(self.operation.gives), self.row.drops)

    async def call(self, app: "App", arguments: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON values
        """Carry it out. Raises: PaigeError."""
        value = await dispatch(app, self.operation, arguments, way="mcp")
        return self.operation.output.dump_python(
            value, mode="json", by_alias=True, exclude=self._without
        )


def _excluded(drops: Sequence[str]) -> Any:  # noqa: ANN401 - as pydantic takes it
    """`problems.*.hint` as `{"problems": {"__all__": {"hint": True}}}`."""
    excluded: dict[str, Any] = {}
    for drop in drops:
        *above, last = drop.split(".")
        inside = excluded
        for part in above:
            inside = inside.setdefault("__all__" if part == EVERY else part, {})
        inside[last] = True
    return excluded or None


def _dropped(schema: Schema, drops: Sequence[str]) -> Schema:
    """A schema without the fields that are dropped."""
    made = deepcopy(schema)
    for drop in drops:
        *above, last = drop.split(".")
        inside = made
        for part in above:
            inside = _object(
                made, inside["items"] if part == EVERY else inside["properties"][camel(part)]
            )
        inside["properties"].pop(camel(last), None)
        inside["required"] = [name for name in inside.get("required", ()) if name != camel(last)]
    roots = {name: part for name, part in made.items() if name != "$defs"}
    return {**roots, "$defs": reachable(roots, made.get("$defs", {}))}


def _object(whole: Schema, schema: Schema) -> Schema:
    """What a part of a schema describes, past references and the choice of nothing."""
    if "anyOf" in schema:
        schema = next(each for each in schema["anyOf"] if each.get("type") != "null")
    if "$ref" in schema:
        schema = whole["$defs"][schema["$ref"].rpartition("/")[2]]
    return schema
