"""Writes the page with the arguments and answers of every MCP tool, from the registry."""

from collections.abc import Iterator

import mcp_types as types

from docs.schemas import Schema, cell, value_of
from paige.doors.site.mcp_endpoint import all_tools


def tool_lines() -> list[str]:
    """A table of all tools, then each of them with its fields."""
    tools = all_tools().described()
    lines = ["| tool | what it does | changes something |", "|---|---|---|"]
    for tool in tools:
        changes = "" if tool.annotations and tool.annotations.read_only_hint else "yes"
        lines.append(f"| [`{tool.name}`](#{tool.name}) | {cell(tool.title or '')} | {changes} |")
    for tool in tools:
        lines += _tool(tool)
    return lines


def _tool(tool: types.Tool) -> Iterator[str]:
    yield from ("", f"## {tool.name}", "", cell(tool.description or ""), "")
    taken = tool.input_schema
    if taken.get("properties"):
        yield from ("| argument | needed | value | meaning |", "|---|---|---|---|")
        yield from _rows(taken, tool.name)
    else:
        yield "Takes no arguments."
    given = tool.output_schema or {}
    shape, shapes = _resolved(given), {**taken.get("$defs", {}), **given.get("$defs", {})}
    if shape.get("properties"):
        yield from ("", "| in the answer | always | value | meaning |", "|---|---|---|---|")
        yield from _rows(shape, tool.name)
    elif "anyOf" in shape:
        parts = [value_of(one, prefix=f"{tool.name}-") for one in shape["anyOf"] if "$ref" in one]
        yield from ("", f"Answers {' or '.join(parts)}, or `null` as `result`.")
    for name, part in shapes.items():
        yield from ("", f"### {tool.name} {name}", "", cell(part.get("description", "")), "")
        if part.get("properties"):
            yield from ("| field | always | value | meaning |", "|---|---|---|---|")
            yield from _rows(part, tool.name)
        else:
            yield f"{value_of(part, prefix=f'{tool.name}-')}."


def _resolved(schema: Schema) -> Schema:
    if "$ref" in schema:
        return schema.get("$defs", {})[schema["$ref"].rpartition("/")[2]]
    return schema


def _rows(schema: Schema, tool: str) -> Iterator[str]:
    needed = set(schema.get("required", ()))
    for name, field in schema["properties"].items():
        value, meaning = value_of(field, prefix=f"{tool}-"), cell(field.get("description", ""))
        yield f"| `{name}` | {'yes' if name in needed else ''} | {value} | {meaning} |"
