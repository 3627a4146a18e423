"""`paige mcp`: the tools over standard input and output, with a server beside it and without."""

from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.live import PAIGE, environment, live_paige, run_paige

pytestmark = pytest.mark.anyio


def started(folder: Path, *arguments: str) -> Any:
    """The program as an agent starts it."""
    given = StdioServerParameters(
        command=PAIGE, args=["mcp", *arguments], env=environment(folder), cwd=str(folder)
    )
    return stdio_client(given)


async def test_an_agent_without_a_server_has_the_tools_it_asked_for(tmp_path: Path) -> None:
    async with Client(started(tmp_path, "--tools", "study,memory")) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        added = await client.call_tool("memory_add", {"text": "Anna likes short examples"})
        found = await client.call_tool("memory_search", {"query": "short examples"})
        shown = await client.call_tool("paige_open_file", {"path": "notes.md"})

    assert {"study_next", "memory_search", "paige_setup"} <= names
    assert not {name for name in names if "trace" in name}
    assert not added.is_error
    assert "Anna likes short examples" in str(found.content)
    assert shown.is_error


async def test_beside_a_server_it_is_the_server_that_answers(tmp_path: Path) -> None:
    with live_paige(tmp_path) as server:
        async with Client(started(tmp_path)) as client:
            tools = (await client.list_tools()).tools
            await client.call_tool("memory_add", {"text": "The server heard this"})
        totals = httpx2.get(f"{server.url}/metrics").text

    assert len(tools) > 20
    assert 'route="/mcp"' in totals


def test_a_set_that_does_not_exist_is_named(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "mcp", "--tools", "dance")

    assert done.returncode == 2
    assert "There is no set of tools `dance`" in done.stderr
