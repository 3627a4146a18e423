"""Requests that routes, tools and commands must refuse, made from what they say of themselves."""

import re
from typing import Any

from tests.server.generated import operations
from tools.exchanges.world import Client, Json, Server, World

Route = tuple[str, str, Json]
NOBODY = "nobody-has-this"
LEFT_OUT = {("post", "/settings/restart"), ("post", "/settings/sample")}
"""The one begins the program anew, the other fills a demo for minutes."""
LONG = {("up",), ("serve",), ("eval", "run")}
"""Commands that do not end by themselves, or take a minute."""


def simplest(schema: Json, definitions: Json) -> Any:
    """The plainest value that a schema takes."""
    if "$ref" in schema:
        return simplest(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    for several in ("anyOf", "oneOf", "allOf"):
        if several in schema:
            return simplest(schema[several][0], definitions)
    if "const" in schema or "enum" in schema:
        return schema.get("const", schema.get("enum", [None])[0])
    match schema.get("type"):
        case "integer" | "number":
            return schema.get("minimum", 1)
        case "boolean":
            return False
        case "array":
            return [simplest(schema.get("items", {}), definitions)] * schema.get("minItems", 0)
        case "object":
            fields = schema.get("properties", {})
            return {
                name: simplest(fields[name], definitions) for name in schema.get("required", ())
            }
        case "null":
            return None
    return NOBODY[: schema.get("maxLength", 100)]


def routes(api: Json, beginnings: tuple[str, ...]) -> list[Route]:
    """The operations of a subject, by the first word of their path."""
    return [each for each in operations(api) if each[1].split("/")[1] in beginnings]


def ask_simply(client: Client, api: Json, route: Route, label: str) -> None:
    """Ask a route for something that nobody has."""
    method, path, operation = route
    if (method, path) in LEFT_OUT:
        return
    schemas = api["components"]["schemas"]
    query, given = {}, {}
    for parameter in operation.get("parameters", ()):
        if parameter["in"] == "query" and parameter.get("required"):
            query[parameter["name"]] = simplest(parameter.get("schema", {}), schemas)
    for kind, content in operation.get("requestBody", {}).get("content", {}).items():
        if kind == "application/json":
            given["json"] = simplest(content["schema"], schemas)
        else:
            given["content"] = b"?"
    client.request(method, f"/api{_filled(path)}", params=query, label=label, **given)


def refuse_routes(client: Client, api: Json, chosen: list[Route]) -> None:
    """A wrong method, an unknown id, fields that are missing, wrong or unknown."""
    for method, path, operation in chosen:
        address = f"/api{_filled(path)}"
        others = [
            each for each in ("patch", "put", "delete", "post") if each not in api["paths"][path]
        ]
        client.request(others[0], address, label=f" (not {method.upper()})")
        if (method, path) in LEFT_OUT:
            continue
        ask_simply(client, api, (method, path, operation), f" ({method} nobody's)")
        required = [
            each["name"] for each in operation.get("parameters", ()) if each.get("required")
        ]
        if set(required) - set(re.findall(r"{(\w+)", path)):
            client.request(method, address, label=f" ({method} without a query)")
        wrong = {
            each["name"]: "-1" if _number(each.get("schema", {})) else "\x00?"
            for each in operation.get("parameters", ()) if each["in"] == "query"
        }  # fmt: skip
        if wrong:
            client.request(method, address, params=wrong, label=f" ({method} wrong query)")
        body = operation.get("requestBody", {}).get("content", {}).get("application/json")
        if body:
            _refuse_bodies(client, api, (method, path, operation), body["schema"])


def _refuse_bodies(client: Client, api: Json, route: Any, schema: Json) -> None:
    method, path, _ = route
    address, schemas = f"/api{_filled(path)}", api["components"]["schemas"]
    good = simplest(schema, schemas)
    client.request(method, address, json=[], label=f" ({method} a list)")
    client.request(method, address, content=b"{", label=f" ({method} broken)")
    client.request(method, address, json={}, label=f" ({method} nothing)")
    if not isinstance(good, dict):
        return
    client.request(method, address, json={**good, "colour": "red"}, label=f" ({method} a colour)")
    named = schemas[schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    wrong = {name: {"no": []} for name in named.get("properties", ())}
    client.request(method, address, json=wrong, label=f" ({method} all wrong)")


def refuse_tools(server: Server, beginnings: tuple[str, ...]) -> None:
    """Every tool of a subject without arguments, with wrong ones, and with the plainest."""
    listed = server.mcp("tools/list", {}, quiet=True)["result"]["tools"]
    for tool in listed:
        name, schema = tool["name"], tool["inputSchema"]
        if not name.startswith(beginnings):
            continue
        fields = schema.get("properties", {})
        if schema.get("required"):
            server.call(name, {}, " (nothing)")
        server.call(name, simplest(schema, schema.get("$defs", {})), " (simplest)")
        server.call(name, {"colour": "red"}, " (a colour)")
        if fields:
            server.call(name, {name: {"no": [1]} for name in fields}, " (all wrong)")


def commands(world: World, *path: str) -> list[tuple[str, ...]]:
    """A command and all below it, as `--help` names them; the help is noted."""
    named = below(world.run(*path, "--help"))
    return [path, *(each for name in named for each in commands(world, *path, name))]


def below(text: str) -> list[str]:
    """The commands that a help names."""
    listed = text.partition("\nCommands:\n")[2]
    return re.findall(r"^  ([a-z][\w-]*)(?: |$)", listed, re.MULTILINE)


def refuse_commands(world: World, *beginnings: str) -> None:
    """Every command of a subject without arguments, and with an unknown option."""
    for beginning in beginnings:
        for path in commands(world, beginning):
            world.run(*path, "--colour")
            if path not in LONG:
                world.run(*path)


def _filled(path: str) -> str:
    return re.sub(r"{\w+}", lambda found: "1" if found[0] == "{seq}" else NOBODY, path)


def _number(schema: Json) -> bool:
    kinds = {schema.get("type"), *(each.get("type") for each in schema.get("anyOf", ()))}
    return bool(kinds & {"integer", "number", "boolean"})
