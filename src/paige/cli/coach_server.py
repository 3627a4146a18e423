"""Asks a running Paige over its MCP door, with one plain request: no session, no client library."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from typing import Any

from paige.base.settings import Settings

VERSION = "2026-07-28"
CONNECT_SECONDS = 2.0
_ENVELOPE = "io.modelcontextprotocol/"


class ToolRefused(Exception):
    """The tool answered with an error: its sentence."""


def call_tool(
    settings: Settings, name: str, arguments: Mapping[str, Any], *, seconds: float
) -> Any | None:  # noqa: ANN401 - JSON
    """The value of a tool of the server that runs here; `None` when none runs.

    Raises: ToolRefused with the tool's own sentence.
    """
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
    connection = HTTPConnection(host, settings.port, timeout=CONNECT_SECONDS)
    try:
        connection.connect()
        connection.sock.settimeout(seconds)
        connection.request("POST", "/mcp", _body(name, arguments), _headers(settings, name))
        response = connection.getresponse()
        answer = _answer(response.read().decode("utf-8", "replace"))
    except (OSError, HTTPException):
        return None
    finally:
        connection.close()
    return _value(answer)


def _body(name: str, arguments: Mapping[str, Any]) -> bytes:
    meta = {
        f"{_ENVELOPE}protocolVersion": VERSION,
        f"{_ENVELOPE}clientCapabilities": {},
        f"{_ENVELOPE}clientInfo": {"name": "paige-coach-hook", "version": "1"},
    }
    params = {"name": name, "arguments": arguments, "_meta": meta}
    asked = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(asked).encode()


def _headers(settings: Settings, name: str) -> dict[str, str]:
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": VERSION,
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
    }
    if settings.passcode:
        headers["Authorization"] = f"Bearer {settings.passcode}"
    return headers


def _answer(text: str) -> dict[str, Any]:
    """The answer, which may come as one object or as the last event of a stream."""
    streamed = text.lstrip().startswith(("event", "data", ":"))
    for line in reversed(text.splitlines()) if streamed else (text,):
        try:
            found = json.loads(line.removeprefix("data:").strip())
        except ValueError:
            continue
        if isinstance(found, dict) and ("result" in found or "error" in found):
            return found
    return {}


def _value(answer: dict[str, Any]) -> Any | None:  # noqa: ANN401 - JSON
    result = answer.get("result")
    if not isinstance(result, dict):
        return None
    if result.get("isError"):
        words = [part.get("text", "") for part in result.get("content", [])]
        raise ToolRefused(" ".join(words))
    return result.get("structuredContent")
