"""The tools of the MCP door: a registry, and one way to run any of them.

A door adds its tools with `registry.add`. The text a client reads is the JSON of the value itself,
the structured content is the same value (wrapped as `{"result": …}` when it is not an object), and
an error is a result with the sentence a person would read: no prefix, no traceback. Every call is
logged as an action, failed ones with their sentence.
"""

import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Generic, TypeVar

import anyio
import mcp_types as types
from pydantic import BaseModel, ValidationError

from paige.app.application import App
from paige.base.actor import Actor
from paige.base.errors import PaigeError
from paige.coach.live import LiveCoach
from paige.doors.frame.mcp import OperationTool
from paige.doors.frame.operations import BadField
from paige.doors.frame.schemas import adapter_of, compact, input_schema, output_schema
from paige.mcp.correlation import correlation

logger = logging.getLogger(__name__)
Params = TypeVar("Params", bound=BaseModel)
Progress = Callable[[int, int, str], Awaitable[None]]
GONE = "The client did not wait for the answer"
GONE_SECONDS = 2.0  # how long the log may take when nobody waits any more


Allowed = Callable[[App], None]


def anyone(desk: App) -> None:
    """A tool that everyone who got this far may use."""


async def unheard(done: int, total: int, message: str) -> None:
    """Progress that nobody asked for."""


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Who called: the client's own correlation ids, and the MCP session in the era that has one."""

    app: App
    coach: LiveCoach
    meta: dict[str, Any]
    session: str | None
    progress: Progress = unheard

    @property
    def actor(self) -> Actor:
        """The person who asked."""
        return self.app.actor


@dataclass(frozen=True, slots=True)
class Tool(Generic[Params]):
    """One tool: its name, what it takes and gives, and the function that does it.

    No tool destroys anything or reaches beyond this Paige; `idempotent` says whether a second call
    with the same arguments changes anything more, `long` whether it reports progress.
    """

    name: str
    title: str
    description: str
    params: type[Params]
    result: Any  # a type that pydantic can describe
    run: Callable[[ToolCall, Params], Awaitable[object]]
    read_only: bool = True
    idempotent: bool = True
    long: bool = False


class Registry:
    """Tools by name."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool[Any] | OperationTool] = {}
        self._allowed: dict[str, Allowed] = {}
        self._listed: list[types.Tool] = []
        self._sets: dict[str, frozenset[str]] = {}

    def add(
        self, tool: Tool[Any], allowed: Allowed = anyone, *, sets: tuple[str, ...] = ()
    ) -> None:
        """Add a tool; two with one name are a mistake in the code.

        `allowed` lets a desk use it or raises Refused; `sets` are the choices it is in.
        """
        if tool.name in self._tools:
            raise ValueError(f"Two tools are called `{tool.name}`")
        self._tools[tool.name] = tool
        self._allowed[tool.name] = allowed
        self._sets[tool.name] = frozenset(sets)
        self._listed.append(_described(tool))

    def add_operation(self, tool: OperationTool) -> None:
        """Add a tool of the table of operations, which knows by itself who may use it."""
        self._tools[tool.row.name] = tool
        self._allowed[tool.row.name] = anyone
        self._sets[tool.row.name] = frozenset(tool.row.sets)
        self._listed.append(_described_operation(tool))

    def described(self) -> list[types.Tool]:
        """Every tool with all that there is to say of it."""
        return self._listed

    def listed(self, sets: frozenset[str] = frozenset()) -> list[types.Tool]:
        """Tools as clients are told of them, in few words: those of some sets, or all."""
        return [_brief(tool) for tool in self._listed if not sets or self._sets[tool.name] & sets]

    def input_schema(self, name: str) -> dict[str, Any] | None:
        """The schema of a tool's arguments, if there is such a tool."""
        return next((tool.input_schema for tool in self._listed if tool.name == name), None)

    def is_quick(self, name: object) -> bool:
        """Whether there is such a tool, and it sends nothing before its answer."""
        tool = self._tools.get(name) if isinstance(name, str) else None
        row = tool.row if isinstance(tool, OperationTool) else tool
        return row is not None and not row.long

    async def call(
        self, call: ToolCall, name: str, arguments: dict[str, Any]
    ) -> types.CallToolResult:
        """Run one tool and log that it was called; whatever goes wrong is an answer too."""
        tool = self._tools.get(name)
        if tool is None:
            return failed(f"There is no tool `{name}`")
        try:
            self._allowed[name](call.app)
        except PaigeError as error:
            return failed(error.message if error.hint is None else f"{error.message}. {error.hint}")
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
        self, tool: "Tool[Any] | OperationTool", call: ToolCall, arguments: dict[str, Any]
    ) -> types.CallToolResult:
        name = tool.row.name if isinstance(tool, OperationTool) else tool.name
        try:
            if isinstance(tool, OperationTool):
                return _answered(await tool.call(call.app, arguments))
            value = await tool.run(call, tool.params.model_validate(arguments))
        except ValidationError as error:
            return failed(_what_is_wrong(name, error))
        except BadField as error:
            said = error.message.replace(" cannot be used", "", 1)
            return failed(f"`{name}` cannot use {said}")
        except PaigeError as error:
            return failed(error.message if error.hint is None else f"{error.message}. {error.hint}")
        except Exception:  # the outermost frame of this door
            logger.exception("Tool %s failed", name)
            return failed(f"`{name}` failed inside Paige; the server's log says why")
        plain = adapter_of(tool.result).dump_python(value, mode="json", by_alias=True)
        return _answered(plain)


def failed(sentence: str) -> types.CallToolResult:
    """An error result with a sentence a person can read."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=sentence)], is_error=True
    )


async def _session_id(call: ToolCall) -> str | None:
    coach, actor = call.coach, call.actor
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
        await call.coach.log.log(call.actor, session, "mcp_tool_call", data)
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


def _described(tool: Tool[Any]) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=input_schema(tool.params),
        output_schema=output_schema(tool.result),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.read_only,
            destructive_hint=False,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
    )


def _described_operation(tool: OperationTool) -> types.Tool:
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


def _what_is_wrong(name: str, error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "the arguments"
    return f"`{name}` cannot use `{where}`: {first['msg']}"
