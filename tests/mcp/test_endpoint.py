"""MCP clients of both eras against the real server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

import anyio
import httpx2
import pytest
from mcp import Client

from tests.live import Live, live_paige

pytestmark = pytest.mark.anyio
ACCEPT = {"accept": "application/json, text/event-stream"}


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
    assert {"paige_setup", "memory_search", "memory_add"} < {tool.name for tool in tools}
    assert tools[0].name == "paige_setup"
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
        headers={**ACCEPT, **(headers or {})},
        json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params},
    )
    assert answer.status_code == 200
    return answer.headers["mcp-session-id"]


QUICK = {"name": "paige_get_open_files", "arguments": {}}
LONG = {"name": "paige_end_session", "arguments": {"sessionTranscript": ""}}


@pytest.mark.parametrize(
    ("method", "params", "kind"),
    [
        ("tools/call", QUICK, "application/json"),
        ("tools/call", LONG, "text/event-stream"),
        ("tools/call", {"name": "no_such_tool", "arguments": {}}, "text/event-stream"),
        ("tools/call", {"name": ["odd"], "arguments": {}}, "text/event-stream"),
        ("tools/call", {**QUICK, "_meta": {"long": "x" * 70_000}}, "text/event-stream"),
        ("tools/list", {}, "text/event-stream"),
    ],
)
async def test_only_what_takes_long_is_answered_with_a_stream(
    paige: Live, method: str, params: dict[str, object], kind: str
) -> None:
    headers = {**ACCEPT, "mcp-session-id": _initialize(paige.url)}
    request = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}

    answer = httpx2.post(f"{paige.url}/mcp", headers=headers, json=request)

    assert answer.status_code == 200
    assert answer.headers["content-type"].split(";")[0] == kind
    assert '"id":7' in answer.text


async def test_requests_of_one_session_at_once_each_get_their_own_answer(paige: Live) -> None:
    headers = {**ACCEPT, "mcp-session-id": _initialize(paige.url)}
    answers: dict[int, httpx2.Response] = {}

    async def ask(client: httpx2.AsyncClient, number: int) -> None:
        params = QUICK if number % 2 else LONG
        request = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        answers[number] = await client.post(f"{paige.url}/mcp", headers=headers, json=request)

    async with httpx2.AsyncClient(timeout=30) as client, anyio.create_task_group() as tasks:
        for number in range(1, 41):
            tasks.start_soon(ask, client, number)

    kinds = {number: answer.headers["content-type"] for number, answer in answers.items()}
    assert all(("json" in kind) is bool(number % 2) for number, kind in kinds.items())
    assert all(f'"id":{number}' in answer.text for number, answer in answers.items())


@pytest.mark.parametrize("body", [b"{", b"[]", b"7", b"null", b"\xff", b""])
async def test_a_body_that_is_no_request_is_refused(paige: Live, body: bytes) -> None:
    headers = {**ACCEPT, "mcp-session-id": _initialize(paige.url)}
    headers["content-type"] = "application/json"

    answer = httpx2.post(f"{paige.url}/mcp", headers=headers, content=body)

    assert answer.status_code == 400
    assert answer.json()["error"]["code"] in (-32700, -32602, -32600)
