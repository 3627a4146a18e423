"""Operations as tools for agents: described by their values, and one way to run any of them.

The text a client reads is the JSON of the value itself, the structured content is the same value
(wrapped as `{"result": …}` when it is not an object), and an error is a result with the sentence a
person would read: no prefix, no traceback. Every call is logged as an action, failed ones with
their sentence, and with the ids that an agent sent: nothing depends on them, but a call can be
found in the agent's own records.
"""

import json
import logging
from collections.abc import Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from typing import Any

import anyio
import mcp_types as types

from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.base.wire import camel
from paige.doors.frame.caller import Caller, Progress, called_by, unheard
from paige.doors.frame.dispatch import dispatch
from paige.doors.frame.operations import BadField, load_operation
from paige.doors.frame.rows import Tool
from paige.doors.frame.schemas import compact, input_schema, output_schema, reachable

logger = logging.getLogger(__name__)
Schema = dict[str, Any]
EVERY = "*"
MOST_CHARACTERS = 200  # ids are short; whatever is longer is none
GONE = "The client did not wait for the answer"
GONE_SECONDS = 2.0  # how long the log may take when nobody waits any more


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

    async def call(self, app: App, arguments: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON values
        """Carry it out. Raises: PaigeError."""
        if self.operation.takes is None:
            for name in arguments:
                message = f"`{name}` cannot be used: Extra inputs are not permitted"
                raise BadField(message, field=name)
        return self.told(await dispatch(app, self.operation, arguments, way="mcp"))

    def told(self, value: object) -> Any:  # noqa: ANN401 - JSON values
        """What agents are told of a value."""
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
            holder, name = (inside, "items") if part == EVERY else (inside["properties"], part)
            inside = _own_object(made, holder, name if name in holder else camel(name))
        inside["properties"].pop(camel(last), None)  # of its own: others show it whole
        inside["required"] = [name for name in inside.get("required", ()) if name != camel(last)]
    roots = {name: part for name, part in made.items() if name != "$defs"}
    return {**roots, "$defs": reachable(roots, made.get("$defs", {}))}


def _own_object(whole: Schema, holder: Schema, name: str) -> Schema:
    """What a part of a schema describes, in it and not referred to, past the choice of nothing."""
    part = holder[name]
    if "anyOf" in part:
        at = next(i for i, each in enumerate(part["anyOf"]) if each.get("type") != "null")
        return _own_object(whole, part["anyOf"], at)  # type: ignore[arg-type] - a list has places
    if "$ref" in part:
        holder[name] = part = deepcopy(whole["$defs"][part["$ref"].rpartition("/")[2]])
    return part


def correlation(meta: Mapping[str, Any], session: str | None) -> dict[str, Any]:
    """The MCP session (null in the era without) and the agent's own ids that were sent."""
    turn = meta.get("x-codex-turn-metadata")
    codex = turn if isinstance(turn, Mapping) else {}
    named = {
        "toolUseId": _id(meta.get("claudecode/toolUseId")) or _id(meta.get("callId")),
        "agentSessionId": _id(codex.get("session_id")),
        "turnId": _id(codex.get("turn_id")),
    }
    return {"sessionId": session, **{key: value for key, value in named.items() if value}}


def _id(value: object) -> str | None:
    return value if isinstance(value, str) and 0 < len(value) <= MOST_CHARACTERS else None


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Who called: the client's own correlation ids, and the MCP session in the era that has one."""

    app: App
    meta: dict[str, Any]
    session: str | None
    progress: Progress = unheard

    @property
    def actor(self) -> Actor:
        """The person who asked."""
        return self.app.actor


class Registry:
    """Tools by name."""

    def __init__(self) -> None:
        self._tools: dict[str, OperationTool] = {}
        self._listed: list[types.Tool] = []

    def add(self, tool: OperationTool) -> None:
        """Add a tool; two with one name are a mistake in the code."""
        if tool.row.name in self._tools:
            raise ValueError(f"Two tools are called `{tool.row.name}`")
        self._tools[tool.row.name] = tool
        self._listed.append(_described(tool))

    def described(self) -> list[types.Tool]:
        """Every tool with all that there is to say of it."""
        return self._listed

    def listed(self, sets: frozenset[str] = frozenset()) -> list[types.Tool]:
        """Tools as clients are told of them, in few words: those of some sets, or all."""
        return [
            _brief(tool)
            for tool in self._listed
            if not sets or sets.intersection(self._tools[tool.name].row.sets)
        ]

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """The schema of a tool's arguments, if there is such a tool."""
        return next((tool.input_schema for tool in self._listed if tool.name == name), None)

    def is_quick(self, name: object) -> bool:
        """Whether there is such a tool, and it sends nothing before its answer."""
        tool = self._tools.get(name) if isinstance(name, str) else None
        return tool is not None and not tool.row.long

    async def call(
        self, call: ToolCall, name: str, arguments: dict[str, Any]
    ) -> types.CallToolResult:
        """Run one tool and log that it was called; whatever goes wrong is an answer too."""
        tool = self._tools.get(name)
        if tool is None:
            return failed(f"There is no tool `{name}`")
        session = await _session_id(call)  # first: the tool may end the session
        try:
            result = await self._run(tool, call, arguments)
        except anyio.get_cancelled_exc_class():
            with anyio.move_on_after(GONE_SECONDS, shield=True):
                await _log(call, name, session, GONE)
            raise
        await _log(call, name, session, _sentence(result))
        return result

    async def _run(
        self, tool: OperationTool, call: ToolCall, arguments: dict[str, Any]
    ) -> types.CallToolResult:
        name = tool.row.name
        try:
            with called_by(Caller(progress=call.progress)):
                return _answered(await tool.call(call.app, arguments))
        except BadField as error:
            said = error.message.replace(" cannot be used", "", 1)
            if not error.field:
                said = said.replace("`the body`", "`the arguments`", 1)
            return failed(f"`{name}` cannot use {said}")
        except PaigeError as error:
            return failed(error.message if error.hint is None else f"{error.message}. {error.hint}")
        except Exception:  # the outermost frame of this door
            logger.exception("Tool %s failed", name)
            return failed(f"`{name}` failed inside Paige; the server's log says why")


def failed(sentence: str) -> types.CallToolResult:
    """An error result with a sentence a person can read."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=sentence)], is_error=True
    )


async def _session_id(call: ToolCall) -> str | None:
    coach, actor = call.app.live_coach, call.actor
    try:
        session = await coach.known_session(actor) or await coach.active_session(actor)
    except PaigeError as error:
        # A tool that needs the session says so itself; the others work without.
        logger.warning("The active session is not known: %s", error.message)
        return None
    return session.id if session is not None else None


async def _log(call: ToolCall, name: str, session: str | None, error: str | None) -> None:
    data = {"toolName": name, **correlation(call.meta, call.session)}
    if error is not None:
        data["error"] = error
    try:
        await call.app.live_coach.log.log(call.actor, session, "mcp_tool_call", data)
    except PaigeError as problem:
        # What the tool did is done: its answer must not become an error for this.
        logger.warning("A call of %s is not logged: %s", name, problem.message)


def _sentence(result: types.CallToolResult) -> str | None:
    [content] = result.content
    return content.text if result.is_error and isinstance(content, types.TextContent) else None


def _answered(plain: object) -> types.CallToolResult:
    text = types.TextContent(type="text", text=json.dumps(plain, ensure_ascii=False))
    structured = plain if isinstance(plain, dict) else {"result": plain}
    return types.CallToolResult(content=[text], structured_content=structured)


@cache
def _brief_schema(name: str, schema: str) -> dict[str, Any]:
    return compact(json.loads(schema))


def _brief(tool: types.Tool) -> types.Tool:
    schema = _brief_schema(tool.name, json.dumps(tool.input_schema))
    return tool.model_copy(update={"input_schema": schema, "output_schema": None, "title": None})


def _described(tool: OperationTool) -> types.Tool:
    row = tool.row
    return types.Tool(
        name=row.name,
        title=row.title,
        description=row.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            title=row.title,
            read_only_hint=not tool.operation.changes,
            destructive_hint=False,
            idempotent_hint=row.idempotent,
            open_world_hint=False,
        ),
    )
