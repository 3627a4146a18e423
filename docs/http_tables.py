"""Writes the page with every address of the REST API, from the server's own description of it."""

from collections.abc import Iterator

from docs.schemas import Schema, cell, value_of
from paige.doors.site.api import describe_api

OTHER = "signing in and setup"


def openapi() -> Schema:
    """The description of the API of a server without accounts."""
    return describe_api(many=False)


def route_lines(described: Schema) -> list[str]:
    """A section for each part of the API: addresses, parameters, what is sent and answered."""
    groups: dict[str, list[str]] = {}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            tag = (operation.get("tags") or [OTHER])[0]
            groups.setdefault(tag, []).append(_row(method.upper(), f"/api{path}", operation))
    lines: list[str] = []
    for tag, rows in groups.items():
        lines += ["", f"## {tag.capitalize()}", ""]
        lines += ["| address | what it does | parameters | body | answer |"]
        lines += ["|---|---|---|---|---|", *rows]
    return lines[1:]


def _row(method: str, path: str, operation: Schema) -> str:
    given = ", ".join(_parameters(operation))
    body = _shape(operation.get("requestBody", {}))
    answer = _shape(next(iter(operation["responses"].values()), {}))
    words = cell(operation.get("description", "")).split(" Raises")[0]
    return f"| `{method} {path}` | {words} | {given} | {body} | {answer} |"


def _parameters(operation: Schema) -> Iterator[str]:
    for parameter in operation.get("parameters", ()):
        if parameter["in"] in ("query", "path"):
            yield f"`{parameter['name']}`" + (" (needed)" if parameter.get("required") else "")


def _shape(described: Schema) -> str:
    for kind, content in described.get("content", {}).items():
        if kind == "application/json":
            return value_of(content.get("schema", {}), prefix=None)
        return f"`{kind}`"
    return ""
