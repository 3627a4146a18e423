"""The pages that are made from the code, and whether everything has its place in the reference."""

import re

import pytest

from bench.__main__ import WHERE
from docs.generate import REFERENCE, pages
from paige.base.events import DECISIONS, EVENTS
from paige.base.settings import SETTINGS, Setting
from paige.cli.main import COMMANDS
from paige.mcp.endpoint import all_tools
from paige.server.messages import INBOUND, OUTBOUND
from tests.docs.pages import ROOT, page


@pytest.mark.parametrize("name", sorted(pages()))
def test_a_generated_page_is_what_the_code_says_now(name: str) -> None:
    written = (REFERENCE / name).read_text(encoding="utf-8")

    assert written == pages()[name], "Run `make docs`."


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.variable)
def test_every_setting_is_in_the_reference(setting: Setting) -> None:
    row = f"| `{setting.variable}` | `{setting.key}` |"

    assert row in page("docs/reference/settings.md").text


def test_every_command_has_a_heading() -> None:
    assert {f"paige-{name}" for name in COMMANDS} <= page("docs/reference/commands.md").anchors()


def test_every_event_and_decision_has_a_row() -> None:
    text = page("docs/reference/events.md").text

    assert [name for name in (*EVENTS, *DECISIONS) if f"| `{name}` |" not in text] == []


def test_every_message_has_a_heading() -> None:
    prose = page("docs/reference/websocket.md").prose

    missing = [kind.topic for kind in (*INBOUND, *OUTBOUND) if f"### `{kind.topic}`" not in prose]
    assert missing == []


def test_every_mcp_tool_has_a_heading() -> None:
    prose = page("docs/reference/mcp.md").prose

    assert [t.name for t in all_tools().listed() if f"### `{t.name}`" not in prose] == []


def test_every_benchmark_is_explained_and_promised_by_name() -> None:
    explained = page("docs/how-to/measure-speed.md").text
    promised = page("docs/reference/contracts.md").text

    assert [name for name in WHERE if f"| `{name}` |" not in explained] == []
    assert [name for name in WHERE if f"`{name}`" not in promised] == []


def test_the_line_of_rooms_is_the_one_that_is_checked() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    found = re.search(r"^layers = \[(?P<rooms>.*?)^\]", project, re.MULTILINE | re.DOTALL)
    assert found is not None
    line = " > ".join(re.findall(r'"([^"]+)"', found["rooms"]))

    blocks = [block.text for block in page("docs/explanation/architecture.md").blocks]
    assert line in blocks
