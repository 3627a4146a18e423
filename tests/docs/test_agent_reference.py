"""The pages about agents against the code: tools, limits, points, front matter, positions."""

import re
from dataclasses import fields
from pathlib import Path
from typing import get_args

import pytest

from paige.agent.builtin_tools import builtin_tools
from paige.agent.library.definitions import _AGENT_KEYS as AGENT_KEYS
from paige.agent.library.definitions import SHARED_KEYS
from paige.agent.library.prompt import SECTIONS
from paige.agent.limits import Limits, Status
from paige.agent.tools import Tool
from paige.base.events import DECISIONS, EVENTS
from tests.docs.pages import page

TOOLS = builtin_tools(project=Path())


@pytest.mark.parametrize("tool", TOOLS.values(), ids=list(TOOLS))
def test_every_built_in_tool_has_its_class_and_its_inputs(tool: Tool) -> None:
    prose = page("docs/reference/agent-tools.md").prose
    section = prose.partition(f"\n### `{tool.name}`\n")[2].partition("\n### ")[0]
    rows = re.findall(r"^\| (`[^|]+`) \|", section, re.MULTILINE)

    assert f"| `{tool.name}` | `{tool.effect}` |" in prose
    shown = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    assert shown == list(tool.params.model_fields)


def test_no_tool_is_described_that_does_not_exist() -> None:
    prose = page("docs/reference/agent-tools.md").prose
    described = set(re.findall(r"^### `(\w+)`$", prose, re.MULTILINE))

    assert described == set(TOOLS)


def test_every_status_code_has_a_row() -> None:
    prose = page("docs/reference/loop.md").prose

    assert [status for status in get_args(Status) if f"| `{status}` |" not in prose] == []


def test_every_event_and_decision_is_named_in_the_loop() -> None:
    prose = page("docs/reference/loop.md").prose

    assert [name for name in (*EVENTS, *DECISIONS) if f"`{name}`" not in prose] == []


def test_the_defaults_of_the_limits_are_those_of_the_code() -> None:
    prose = page("docs/reference/loop.md").prose
    limits = Limits()

    assert len(fields(limits)) == 5, "a limit was added: describe it"
    assert f"| turns | {limits.max_turns} |" in prose
    assert f"| retries of a call that failed | {limits.max_tool_retries} |" in prose
    assert f"| equal turns | {limits.max_no_progress_iterations} |" in prose


def test_the_positions_of_the_prompt_are_in_order() -> None:
    prose = page("docs/reference/plugins.md").prose
    shown = re.findall(r"^\| (\d+) \| `(\w+)` \|", prose, re.MULTILINE)

    assert shown == [(str(place), name) for place, name in enumerate(SECTIONS, 1)]


def test_every_key_of_an_agent_has_a_row() -> None:
    prose = page("docs/reference/plugins.md").prose
    section = prose.partition("\n### Agents\n")[2].partition("\n### ")[0]
    keys = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)

    assert sorted(keys) == sorted((*AGENT_KEYS, "description"))
    assert [key for key in SHARED_KEYS if f"`{key}`" not in prose] == []
