"""MCP clients of both eras against the real server, and the registry's manners."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import httpx2
import pytest
from mcp import Client
from pydantic import BaseModel, Field

from paige.app.application import App, open_app
from paige.base.errors import NotFound
from paige.base.settings import Settings
from paige.mcp.registry import Registry, Tool, ToolCall
from tests.live import Live, live_paige

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def paige(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A running server for all tests of this file; they leave nothing behind."""
    with live_paige(tmp_path_factory.mktemp("mcp")) as live:
        yield live


@pytest.mark.parametrize(
    ("mode", "version"),
    [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")],
)
async def test_a_client_of_each_era_lists_and_calls_the_tool(
    paige: Live, mode: Literal["legacy", "auto"], version: str
) -> None:
    async with Client(f"{paige.url}/mcp", mode=mode) as client:
        tools = (await client.list_tools()).tools
        result = await client.call_tool("paige_setup", {})

        assert client.protocol_version == version
    assert [tool.name for tool in tools] == ["paige_setup", "memory_search", "memory_add"]
    assert tools[0].annotations is not None
    assert tools[0].annotations.read_only_hint is True
    assert result.is_error is False
    assert json.loads(result.content[0].text) == result.structured_content
    assert result.structured_content["provider"]["name"] == "local"


async def test_a_handshake_client_gets_a_session_of_its_own(paige: Live) -> None:
    sessions = {_initialize(paige.url) for _ in range(3)}

    assert len(sessions) == 3
    assert all(len(session.replace("-", "")) == 32 for session in sessions)


async def test_an_unknown_tool_is_an_error_with_a_sentence(paige: Live) -> None:
    async with Client(f"{paige.url}/mcp", mode="legacy") as client:
        result = await client.call_tool("no_such_tool", {})

    assert result.is_error is True
    assert result.content[0].text == "There is no tool `no_such_tool`"


async def test_a_foreign_page_cannot_reach_mcp(paige: Live) -> None:
    headers = {"origin": "http://evil.example"}

    assert httpx2.post(f"{paige.url}/mcp", headers=headers, json={}).status_code == 403


async def test_a_client_may_send_the_passcode_as_bearer(tmp_path: Path) -> None:
    with live_paige(tmp_path, PAIGE_PASSCODE="open sesame") as locked:
        assert httpx2.post(f"{locked.url}/mcp", json={}).status_code == 401
        headers = {"authorization": "Bearer open sesame"}
        assert _initialize(locked.url, headers)


def _initialize(url: str, headers: dict[str, str] | None = None) -> str:
    params = {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    }
    answer = httpx2.post(
        f"{url}/mcp",
        headers={"accept": "application/json, text/event-stream", **(headers or {})},
        json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params},
    )
    assert answer.status_code == 200
    return answer.headers["mcp-session-id"]


class Number(BaseModel):
    """Parameters of the test tool."""

    number: int = Field(ge=0)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """An application without a server."""
    with open_app(Settings(cwd=tmp_path, given_data_dir=tmp_path), strict=False) as app:
        yield app


async def _half(_: ToolCall, params: Number) -> int | None:
    match params.number:
        case 0:
            raise NotFound("Nothing is half of nothing", hint="Try 2.")
        case 13:
            raise ZeroDivisionError("secret detail")
        case odd if odd % 2:
            return None
        case even:
            return even // 2


@pytest.mark.parametrize(
    ("arguments", "error", "text", "structured"),
    [
        ({"number": 8}, False, "4", {"result": 4}),
        ({"number": 3}, False, "null", {"result": None}),
        ({"number": 0}, True, "Nothing is half of nothing. Try 2.", None),
        (
            {"number": -1},
            True,
            "`half` cannot use `number`: Input should be greater than or equal to 0",
            None,
        ),
        ({}, True, "`half` cannot use `number`: Field required", None),
        ({"number": 13}, True, "`half` failed inside Paige; the server's log says why", None),
    ],
)
async def test_a_tool_answers_its_value_or_a_sentence(
    app: App, arguments: dict[str, Any], error: bool, text: str, structured: object
) -> None:
    registry = Registry()
    registry.add(Tool("half", "Half of a number.", Number, int | None, _half))

    result = await registry.call(ToolCall(app, {}, None), "half", arguments)

    assert bool(result.is_error) is error
    assert result.content[0].text == text
    assert result.structured_content == structured


async def test_two_tools_of_one_name_are_a_mistake() -> None:
    registry = Registry()
    tool = Tool("half", "Half of a number.", Number, int | None, _half)
    registry.add(tool)
    with pytest.raises(ValueError, match="Two tools are called `half`"):
        registry.add(tool)
