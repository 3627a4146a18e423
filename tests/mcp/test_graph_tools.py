"""The MCP tools of the context graph: a real client of each era against the real server."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client

from paige.base.tokens import count_tokens_bound
from paige.doors.guard.learned_operations import within
from paige.doors.guard.mcp import TOOLS
from paige.guard.graph.values import BUDGETS
from tests.live import Live, live_paige

pytestmark = pytest.mark.anyio
Mode = Literal["legacy", "auto"]
NAMES = ["store_trace", "query_traces", "get_trace", "extract_patterns", "create_guard"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a project in it."""
    made = tmp_path_factory.mktemp("graph-tools")
    (made / "shop" / ".git").mkdir(parents=True)
    return made


@pytest.fixture(scope="module")
def paige(folder: Path) -> Iterator[Live]:
    """A running server for all tests of this file."""
    with live_paige(folder, PROJECT_DIR=str(folder / "shop")) as live:
        yield live


async def call(paige: Live, name: str, mode: Mode = "auto", **arguments: object) -> Any:
    async with Client(f"{paige.url}/mcp", mode=mode) as client:
        return await client.call_tool(name, arguments)


def text_of(result: Any) -> str:
    return result.content[0].text


def event(what: str, right: str = "", why: str = "") -> dict[str, str]:
    return {"what_happened": what, "what_was_correct": right, "why": why}


def test_there_are_five_besides_the_one_for_logs() -> None:
    assert [tool.name for tool in TOOLS] == ["read_log", *NAMES]


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_what_one_agent_notes_the_next_one_finds_step_by_step(
    paige: Live, mode: Mode
) -> None:
    stored = await call(
        paige, "store_trace", mode, type="violation",
        context={"agent": f"{mode}-agent", "feature": "PT-003", "task": "implement it"},
        event=event("Marked tested: true with empty data", "Verify first", "It does not work"),
    )  # fmt: skip
    assert stored.is_error is False
    told = json.loads(text_of(stored))
    assert told == stored.structured_content
    assert (told["type"], told["source"]) == ("violation", "auto_detected")

    found = await call(
        paige, "query_traces", mode, query="tested without evidence", agent=f"{mode}-agent"
    )
    (item,) = found.structured_content["items"]
    assert set(item) == {"id", "type", "timestamp", "agent"}
    assert item["id"] == told["id"]

    summary = await call(paige, "get_trace", mode, id=item["id"], level="summary")
    assert summary.structured_content["what_was_correct"] == "Verify first"
    full = await call(paige, "get_trace", mode, id=item["id"])
    assert full.structured_content["context"] == {
        "agent": f"{mode}-agent", "feature": "PT-003", "task": "implement it",
    }  # fmt: skip
    assert full.structured_content["event"]["why"] == "It does not work"


async def test_an_agent_cannot_speak_for_a_person(paige: Live) -> None:
    stored = await call(
        paige, "store_trace", type="approval", source="user_correction", reason="guard:no-push",
        context={"agent": "forger"}, event=event("A person allowed it"),
    )  # fmt: skip
    full = await call(paige, "get_trace", id=stored.structured_content["id"])

    assert full.structured_content["source"] == "auto_detected"
    assert full.structured_content["reason"] == "said:guard:no-push"
    assert full.structured_content["rule"] == ""


@pytest.mark.parametrize("level", ["metadata", "summary", "full"])
async def test_no_answer_is_longer_than_its_level_allows(paige: Live, level: Any) -> None:
    for number in range(12):
        await call(
            paige, "store_trace", type="decision", context={"agent": "talker"},
            event=event(f"Number {number}: " + "said a lot of things " * 150, "長い文章" * 200),
        )  # fmt: skip
    found = await call(paige, "query_traces", agent="talker", level=level, limit=100)

    answer = json.loads(text_of(found))
    assert count_tokens_bound(text_of(found)) <= BUDGETS[level]
    assert len(answer["items"]) + answer["left_off"] == min(answer["total"], 100)
    assert answer["items"]


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("store_trace", {"type": "gossip", "event": event("x")}, "`store_trace` cannot use `type`"),
        ("store_trace", {"type": "decision"}, "`store_trace` cannot use `event`"),
        (
            "store_trace",
            {"type": "decision", "event": event("x"), "ledBy": ["trace-none"]},
            "There is no trace `trace-none`",
        ),
        ("query_traces", {"level": "everything"}, "`query_traces` cannot use `level`"),
        ("get_trace", {"id": "trace-none"}, "There is no trace `trace-none`"),
        ("create_guard", {"pattern": "no such pattern"}, "No guard can be made of the pattern"),
        ("create_guard", {"guard": {"id": "x"}}, ""),
    ],
)
async def test_what_cannot_be_used_is_an_error_that_says_so(
    paige: Live, name: str, arguments: dict[str, Any], sentence: str
) -> None:
    result = await call(paige, name, **arguments)

    assert result.is_error is True
    assert text_of(result).startswith(sentence)


async def test_patterns_are_read_within_their_budget_and_change_nothing(paige: Live) -> None:
    result = await call(paige, "extract_patterns", limit=5)

    assert result.is_error is False
    assert isinstance(result.structured_content["patterns"], list)
    assert count_tokens_bound(text_of(result)) <= BUDGETS["full"]


def test_a_long_list_of_patterns_is_cut_to_its_budget() -> None:
    learned = {
        "patterns": [{"key": f"pattern {n} " + "word " * 100} for n in range(40)],
        "proposals": [{"guard": "word " * 300}],
        "skipped": [],
        "prompts": [],
        "report": {"found": "word " * 500},
    }
    cut = within(learned, 30, 2000)

    assert count_tokens_bound(json.dumps(cut)) <= 2000
    assert cut["patterns"]
    assert len(cut["patterns"]) + cut["left_off"] == 40


async def test_a_guard_that_an_agent_makes_decides_nothing(paige: Live, folder: Path) -> None:
    command = {"tool": "Bash", "input": {"command": "deployctl production --now"}}
    harmless = {"tool": "Bash", "input": {"command": "deployctl status"}}
    made = await call(
        paige, "create_guard", why="It keeps happening",
        guard={
            "id": "no-deploy", "event": "pre_tool", "message": "Ask before you deploy.",
            "matcher": {"tools": ["shell"], "command": ["deployctl", "production"]},
            "decision": "deny", "must": [command], "must_not": [harmless],
        },
    )  # fmt: skip

    assert made.is_error is False, text_of(made)
    assert made.structured_content["stage"] == "experiment"
    assert made.structured_content["blocks"] is False
    assert "paige guard shadow no-deploy" in made.structured_content["next"]
    # No tool writes into the project.
    assert not (folder / "shop" / ".ai").exists()
