"""The registry's manners: values, sentences, schemas, and what is logged when things go wrong."""

import importlib
import json
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import jsonschema
import pytest
from pydantic import BaseModel

from paige.app.application import App, open_app
from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.coach.live import LiveCoach
from paige.coach.log.queries import recent_actions
from paige.coach.project_context import Surroundings
from paige.doors.frame.mcp import GONE, OperationTool, Registry, ToolCall, correlation
from paige.doors.frame.rows import Tool
from paige.doors.frame.schemas import output_schema
from paige.doors.site.mcp_endpoint import SETS, all_tools
from tests.coach.message_sinks import Nowhere
from tests.mcp import numbers

pytestmark = pytest.mark.anyio


def tool(name: str) -> OperationTool:
    """A tool that is an operation on numbers."""
    return OperationTool(Tool(name, f"tests.mcp.numbers:{name}", name.title(), "Does it."))


HALF = tool("half")


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """An application without a server."""
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data", project_dir=tmp_path)
    with open_app(settings, strict=False) as app:
        yield app


@pytest.fixture
def call(app: App) -> ToolCall:
    """A call that came from nowhere in particular."""
    around = Surroundings(database=app.database, bus=app.bus, outlet=Nowhere(), now=app.now)
    return ToolCall(replace(app, coach=LiveCoach(app.settings.project_dir, around)), {}, None)


async def logged(call: ToolCall) -> list[Any]:
    """The data of every logged call, newest first."""
    found = await call.app.database.read(recent_actions, Actor(), None)
    return [action.data for action in found]


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
async def test_a_tool_answers_its_value_or_a_sentence_and_is_logged(
    call: ToolCall, arguments: dict[str, Any], error: bool, text: str, structured: object
) -> None:
    registry = Registry()
    registry.add(HALF)

    result = await registry.call(call, "half", arguments)

    assert bool(result.is_error) is error
    assert result.content[0].text == text
    assert result.structured_content == structured
    said = {"error": text} if error else {}
    assert await logged(call) == [{"toolName": "half", "sessionId": None, **said}]


async def test_two_tools_of_one_name_are_a_mistake() -> None:
    registry = Registry()
    registry.add(HALF)
    with pytest.raises(ValueError, match="Two tools are called `half`"):
        registry.add(HALF)


async def test_an_unknown_tool_is_no_call_of_a_tool(call: ToolCall) -> None:
    result = await Registry().call(call, "moon", {})

    assert result.content[0].text == "There is no tool `moon`"
    assert await logged(call) == []


async def test_a_call_nobody_waits_for_any_more_is_logged(call: ToolCall) -> None:
    numbers.begun.append(anyio.Event())
    registry = Registry()
    registry.add(tool("forever"))
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(registry.call, call, "forever", {"number": 1})
        await numbers.begun[-1].wait()
        tasks.cancel_scope.cancel()

    assert await logged(call) == [{"toolName": "forever", "sessionId": None, "error": GONE}]


async def test_a_log_that_cannot_be_written_does_not_spoil_the_answer(
    call: ToolCall, caplog: pytest.LogCaptureFixture
) -> None:
    registry = Registry()
    registry.add(HALF)
    await registry.call(call, "half", {"number": 4})
    with call.app.database.transaction(write=True) as connection:
        connection.exec_driver_sql("DROP TABLE action_log")

    result = await registry.call(call, "half", {"number": 8})

    assert (result.is_error, result.content[0].text) == (False, "4")
    assert "A call of half is not logged" in caplog.text


async def test_progress_goes_to_whoever_called(call: ToolCall) -> None:
    heard: list[tuple[int, int, str]] = []

    async def hear(done: int, total: int, message: str) -> None:
        heard.append((done, total, message))

    registry = Registry()
    registry.add(tool("count"))
    await registry.call(replace(call, progress=hear), "count", {"number": 2})
    await registry.call(call, "count", {"number": 2})

    assert heard == [(0, 2, "step 0"), (1, 2, "step 1")]


class Found(BaseModel):
    """An object."""

    name: str


@pytest.mark.parametrize(
    ("kind", "good", "bad"),
    [
        (Found, {"name": "x"}, {"result": {"name": "x"}}),
        (Found | None, {"name": "x"}, {"name": 1}),
        (Found | None, {"result": None}, {"result": "x"}),
        (int | None, {"result": None}, {"result": "x"}),
        (list[Found], {"result": [{"name": "x"}]}, {"result": {"name": "x"}}),
        (dict[str, int], {"a": 1}, {"a": "x"}),
    ],
)
async def test_the_schema_fits_what_is_answered(kind: Any, good: object, bad: object) -> None:
    schema = output_schema(kind)

    assert schema["type"] == "object"
    jsonschema.validate(good, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(bad, schema)


@pytest.mark.parametrize(
    ("meta", "found"),
    [
        ({}, {}),
        ({"claudecode/toolUseId": "toolu_1"}, {"toolUseId": "toolu_1"}),
        ({"callId": "call_1"}, {"toolUseId": "call_1"}),
        (
            {"x-codex-turn-metadata": {"session_id": "s", "turn_id": "t", "model": "m"}},
            {"agentSessionId": "s", "turnId": "t"},
        ),
        ({"x-codex-turn-metadata": ["odd"], "callId": 7, "claudecode/toolUseId": ""}, {}),
        ({"claudecode/toolUseId": "x" * 201}, {}),
    ],
)
async def test_the_ids_that_agents_send_are_found(
    meta: dict[str, Any], found: dict[str, str]
) -> None:
    assert correlation(meta, "mcp-1") == {"sessionId": "mcp-1", **found}


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_a_list_of_tools_costs_an_agent_little(encoding: str) -> None:
    with warnings.catch_warnings(action="ignore"):  # the library's own
        count = importlib.import_module("bpe_openai").get_encoding(encoding)
    registry = all_tools()

    def cost(sets: frozenset[str]) -> int:
        told = [
            tool.model_dump(mode="json", by_alias=True, exclude_none=True)
            for tool in registry.listed(sets)
        ]
        return len(count.encode(json.dumps(told, ensure_ascii=False, separators=(",", ":"))))

    assert cost(frozenset()) <= 5_000
    assert {name: cost(frozenset({name})) <= 2_500 for name in SETS} == dict.fromkeys(SETS, True)
