"""The memory's MCP tools: a real client of each era against the real server."""

import json
from collections.abc import Iterator
from typing import Any, Literal

import httpx2
import pytest
from mcp import Client

from tests.live import Live, live_paige

pytestmark = pytest.mark.anyio
Mode = Literal["legacy", "auto"]


@pytest.fixture(scope="module")
def paige(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A running server for all tests of this file."""
    with live_paige(tmp_path_factory.mktemp("memory-tools")) as live:
        yield live


async def call(paige: Live, name: str, mode: Mode = "auto", **arguments: object) -> Any:
    async with Client(f"{paige.url}/mcp", mode=mode) as client:
        return await client.call_tool(name, arguments)


def text_of(result: Any) -> str:
    return result.content[0].text


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_what_one_call_adds_the_next_one_finds(paige: Live, mode: Mode) -> None:
    added = await call(
        paige, "memory_add", mode, text=f"The {mode} parser is Anna's", scope="global"
    )
    found = await call(
        paige, "memory_search", mode, query=f"who owns the {mode} parser", k=1, budgetTokens=200
    )

    assert added.is_error is False
    value = json.loads(text_of(added))
    assert value == added.structured_content
    assert (value["status"], value["reason"]) == ("stored", None)
    answer = json.loads(text_of(found))
    assert answer == found.structured_content
    (best,) = answer["results"]
    assert set(best) == {"id", "text", "score", "scope", "meta"}
    assert (best["id"], best["text"]) == (value["id"], f"The {mode} parser is Anna's")
    assert answer["took_ms"] > 0


async def test_a_key_makes_a_fact_that_the_next_one_replaces(paige: Live) -> None:
    for text in ("Deploys are on Mondays", "Deploys are on Tuesdays"):
        await call(paige, "memory_add", text=text, scope="project", project="ship", key="deploys")
    found = await call(paige, "memory_search", query="deploys", project="ship")

    texts = [each["text"] for each in found.structured_content["results"]]
    assert texts == ["Deploys are on Tuesdays"]


async def test_what_came_over_mcp_says_so(paige: Live) -> None:
    added = await call(paige, "memory_add", text="Said by an agent", importance=1, session="s7")
    id = added.structured_content["id"]

    shown = httpx2.get(f"{paige.url}/api/memory/events/{id}").json()

    assert shown["agent"]["tool"] == "mcp"
    assert (shown["session"], shown["importance"]) == ("s7", 1)


async def test_what_may_not_be_kept_is_an_error_with_the_reason(paige: Live) -> None:
    result = await call(paige, "memory_add", text="Marek Kowalski has dyslexia", scope="class")

    assert result.is_error is True
    assert text_of(result).startswith("This is not kept: ")
    assert "Marek" in text_of(result)


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("memory_search", {}, "`memory_search` cannot use `query`: Field required"),
        ("memory_search", {"query": "x", "scope": "moon"}, "`memory_search` cannot use `scope`"),
        ("memory_search", {"query": "x", "k": 0}, "`memory_search` cannot use `k`"),
        ("memory_add", {"text": ""}, "`memory_add` cannot use `text`"),
        ("memory_add", {"text": "x", "importance": 2}, "`memory_add` cannot use `importance`"),
        ("memory_add", {"text": "x", "scope": "session"}, "This is not kept: `scope` is `session`"),
    ],
)
async def test_wrong_arguments_are_named(
    paige: Live, name: str, arguments: dict[str, object], sentence: str
) -> None:
    result = await call(paige, name, **arguments)

    assert result.is_error is True
    assert text_of(result).startswith(sentence)


async def test_the_tools_say_whether_they_only_read(paige: Live) -> None:
    async with Client(f"{paige.url}/mcp") as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}

    hints = {name: tool.annotations.read_only_hint for name, tool in tools.items()}
    assert hints["memory_search"] is True
    assert hints["memory_add"] is False
    asked = tools["memory_search"].input_schema
    assert set(asked["properties"]) == {"query", "k", "budgetTokens", "scope", "project"}
    assert asked["required"] == ["query"]
