"""Requests made up from a JSON schema by a seeded generator: they fit it, mostly."""

import json
import random
from collections.abc import Iterable
from typing import Any

from mcp.types import LATEST_PROTOCOL_VERSION
from starlette.testclient import TestClient

Json = dict[str, Any]
_METHODS = ("get", "post", "put", "patch", "delete")


class Maker:
    """Makes values for schemas; `words` are what texts are taken from."""

    def __init__(self, chance: random.Random, words: list[str], definitions: Json) -> None:
        self._chance = chance
        self._words = words
        self._definitions = definitions

    def value(self, schema: Json, depth: int = 0) -> Any:
        """A value for a schema."""
        chance = self._chance
        if "$ref" in schema:
            return self.value(self._definitions[schema["$ref"].rpartition("/")[2]], depth + 1)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            return chance.choice(schema["enum"])
        for several in ("anyOf", "oneOf"):
            if several in schema:
                return self.value(chance.choice(schema[several]), depth + 1)
        if "allOf" in schema:
            return self.value(schema["allOf"][0], depth + 1)
        return self._plain(schema, depth)

    def lines(self) -> bytes:
        """A file that somebody sends: what an import of memories or of cards can read."""
        texts = [{"type": "string"}] * 2
        if self._chance.random() < 0.5:
            fields = ("text", "scope", "project", "session", "type", "owner", "acl")
            return json.dumps({name: self.value(texts[0]) for name in fields}).encode()
        front, back = map(self.value, texts)
        return f"front,back\n{json.dumps(front)},{json.dumps(back)}\n".encode()

    def event(self, names: Iterable[str], paths: list[str]) -> Json:
        """The body of an event of a coding CLI; `paths` are what folders and files are taken from.

        Whatever one of the hosts calls a thing is sent under all of its names.
        """
        chance, text = self._chance, {"type": "string"}
        cwd, session = chance.choice(paths), self.value(text)
        given = {"command": f"cat {chance.choice(paths)}", "file_path": chance.choice(paths)}
        asked = {"questions": [{"question": self.value(text)}]}
        tool, took = chance.choice([("Bash", given), ("Write", given), ("AskUserQuestion", asked)])
        said = {"answers": {self.value(text): self.value(text)}, "stdout": self.value(text)}
        return {
            "hook_event_name": chance.choice(list(names)),
            "cwd": cwd, "transcript_path": chance.choice(paths),
            "session_id": session, "sessionId": session,
            "tool_name": tool, "toolName": tool, "tool_input": took, "toolArgs": took,
            "tool_response": said, "toolResult": said, "error": self.value(text),
            "prompt": f"What is {self.value(text)}?", "initialPrompt": self.value(text),
            "source": chance.choice(["startup", "resume", "new", "clear"]),
            "agent_type": self.value(text), "message": self.value(text),
            "last_assistant_message": self.value(text),
        }  # fmt: skip

    def _plain(self, schema: Json, depth: int) -> Any:
        chance = self._chance
        match schema.get("type"):
            case "integer" | "number":
                least = int(schema.get("minimum", schema.get("exclusiveMinimum", -1)))
                most = int(schema.get("maximum", least + 50))
                return chance.choice([least, most, chance.randint(least, max(least, most))])
            case "boolean":
                return chance.random() < 0.5
            case "array":
                least = int(schema.get("minItems", 0))
                count = chance.randint(least, max(least, 3))
                return [self.value(schema.get("items", {}), depth + 1) for _ in range(count)]
            case "object":
                return self._object(schema, depth)
            case "null":
                return None
        return self._text(schema)

    def _object(self, schema: Json, depth: int) -> Json:
        needed = set(schema.get("required", ()))
        made: Json = {}
        for name, each in schema.get("properties", {}).items():
            if name in needed or (depth < 6 and self._chance.random() < 0.5):
                made[name] = self.value(each, depth + 1)
        return made

    def _text(self, schema: Json) -> str:
        chance = self._chance
        if chance.random() < 0.85:
            text = chance.choice(self._words)
        else:
            text = "".join(chance.choice("aé0/.%'\"\\-_ \n😀") for _ in range(chance.randint(0, 9)))
        return text[: schema.get("maxLength", 10_000)]


def operations(api: Json, methods: tuple[str, ...] = _METHODS) -> list[tuple[str, str, Json]]:
    """Every operation of an OpenAPI description: method, path, description."""
    return [
        (method, path, operation)
        for path, item in api["paths"].items()
        for method, operation in item.items()
        if method in methods
    ]


def request_for(maker: Maker, path: str, operation: Json) -> tuple[str, Json, Json]:
    """An address, its query and what else a request for an operation is sent with."""
    query: Json = {}
    for parameter in operation.get("parameters", ()):
        needed = parameter.get("required", False) or parameter["in"] == "path"
        if not needed and maker.value({"type": "boolean"}):
            continue
        value = maker.value(parameter.get("schema", {}))
        if parameter["in"] == "path":
            path = path.replace(f"{{{parameter['name']}}}", str(value))
        elif parameter["in"] == "query" and value is not None:
            query[parameter["name"]] = value
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        return path, query, {"json": maker.value(content["application/json"]["schema"])}
    return path, query, {"content": maker.lines()} if content else {}


def call_tool(client: TestClient, headers: dict[str, str], name: str, arguments: Any) -> str:
    """One call of a tool, in the era without sessions."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": LATEST_PROTOCOL_VERSION,
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    params = {"name": name, "arguments": arguments, "_meta": meta}
    more = {
        "accept": "application/json, text/event-stream",
        "mcp-protocol-version": LATEST_PROTOCOL_VERSION,
        "mcp-method": "tools/call",
        "mcp-name": name,
    }
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return client.post("/mcp", json=request, headers={**headers, **more}).text
