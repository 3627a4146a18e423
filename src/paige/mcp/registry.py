"""The tools of the MCP door: a registry, and one way to run any of them.

A door adds its tools with `registry.add`. The text a client reads is the JSON of the value itself,
the structured content is the same value (wrapped as `{"result": …}` when it is not an object), and
an error is a result with the sentence a person would read: no prefix, no traceback.
"""

import json
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import mcp_types as types
from pydantic import BaseModel, TypeAdapter, ValidationError

from paige.app.application import App
from paige.base.errors import PaigeError

logger = logging.getLogger(__name__)
Params = TypeVar("Params", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """Who called: the client's own correlation ids, and the MCP session in the era that has one."""

    app: App
    meta: dict[str, Any]
    session: str | None


@dataclass(frozen=True, slots=True)
class Tool(Generic[Params]):
    """One tool: its name, what it takes and gives, and the function that does it."""

    name: str
    description: str
    params: type[Params]
    result: Any  # a type that pydantic can describe
    run: Callable[[ToolCall, Params], Awaitable[object]]
    read_only: bool = True


class Registry:
    """Tools by name."""

    def __init__(self) -> None:
        self._tools: dict[str, Tool[Any]] = {}
        self._results: dict[str, TypeAdapter[Any]] = {}
        self._listed: list[types.Tool] = []

    def add(self, tool: Tool[Any]) -> None:
        """Add a tool; two with one name are a mistake in the code."""
        if tool.name in self._tools:
            raise ValueError(f"Two tools are called `{tool.name}`")
        self._tools[tool.name] = tool
        self._results[tool.name] = TypeAdapter(tool.result)
        self._listed.append(_described(tool, self._results[tool.name]))

    def listed(self) -> list[types.Tool]:
        """Every tool as clients see it."""
        return self._listed

    async def call(
        self, call: ToolCall, name: str, arguments: dict[str, Any]
    ) -> types.CallToolResult:
        """Run one tool; whatever goes wrong is an answer too."""
        tool = self._tools.get(name)
        if tool is None:
            return failed(f"There is no tool `{name}`")
        try:
            value = await tool.run(call, tool.params.model_validate(arguments))
        except ValidationError as error:
            return failed(_what_is_wrong(name, error))
        except PaigeError as error:
            return failed(error.message if error.hint is None else f"{error.message}. {error.hint}")
        except Exception:  # the outermost frame of this door
            logger.exception("Tool %s failed", name)
            return failed(f"`{name}` failed inside Paige; the server's log says why")
        return _answered(self._results[name].dump_python(value, mode="json", by_alias=True))


def failed(sentence: str) -> types.CallToolResult:
    """An error result with a sentence a person can read."""
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=sentence)], is_error=True
    )


def _answered(plain: object) -> types.CallToolResult:
    text = types.TextContent(type="text", text=json.dumps(plain, ensure_ascii=False))
    structured = plain if isinstance(plain, dict) else {"result": plain}
    return types.CallToolResult(content=[text], structured_content=structured)


def _described(tool: Tool[Any], result: TypeAdapter[Any]) -> types.Tool:
    schema = result.json_schema(mode="serialization", by_alias=True)
    if schema.get("type") != "object":
        definitions = schema.pop("$defs", {})
        schema = {"type": "object", "properties": {"result": schema}, "required": ["result"]}
        if definitions:
            schema["$defs"] = definitions
    return types.Tool(
        name=tool.name,
        description=tool.description,
        input_schema=tool.params.model_json_schema(by_alias=True),
        output_schema=schema,
        annotations=types.ToolAnnotations(read_only_hint=tool.read_only, open_world_hint=False),
    )


def _what_is_wrong(name: str, error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in first["loc"]) or "the arguments"
    return f"`{name}` cannot use `{where}`: {first['msg']}"
