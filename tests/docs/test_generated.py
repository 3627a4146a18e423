"""The pages that are made from the code, and whether everything has its place in the reference."""

import importlib
import re
import subprocess
import sys
from xml.etree import ElementTree

import grimp
import pytest

from bench.__main__ import WHERE
from docs.database_tables import declare_all_tables
from docs.diagrams import pictures, told
from docs.http_tables import openapi
from docs.imports import SOURCE, direct, edges, layers
from docs.operation_tables import behind_doors
from paige.base.events import DECISIONS, EVENTS
from paige.base.settings import SETTINGS, Setting
from paige.doors.frame.operations import Operation
from paige.doors.frame.web.messages import INBOUND, OUTBOUND
from paige.doors.site.main import COMMANDS
from paige.doors.site.mcp_endpoint import all_tools
from paige.guard.install.manifests import CLIS, manifest
from paige.store.tables import METADATA
from tests.docs.pages import ROOT, page


def test_what_is_generated_is_what_the_code_says_now() -> None:
    # In a process of its own: a command keeps the `--help` it first had, whoever ran it.
    told = subprocess.run(
        [sys.executable, "-m", "docs.generate", "--check"],
        cwd=ROOT, check=False, capture_output=True, text=True,
    )  # fmt: skip

    assert (told.returncode, told.stderr) == (0, "")


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


def test_every_mcp_tool_has_its_arguments_in_the_generated_page() -> None:
    prose = page("docs/reference/mcp-tools.md").prose

    for tool in all_tools().listed():
        section = prose.partition(f"\n## {tool.name}\n")[2].partition("\n## ")[0]
        names = list(tool.input_schema.get("properties", {}))
        assert [name for name in names if f"| `{name}` |" not in section] == [], tool.name


def test_every_address_of_the_api_has_a_row_in_the_generated_page() -> None:
    text = page("docs/reference/http-routes.md").text
    described = openapi()["paths"]

    wanted = [f"| `{m.upper()} /api{path}` |" for path, all_ in described.items() for m in all_]
    assert [row for row in wanted if row not in text] == []


def test_every_operation_is_behind_a_door() -> None:
    declared = {
        f"{module}:{name}"
        for module in operation_modules()
        for name, value in vars(importlib.import_module(module)).items()
        if isinstance(value, Operation) and value.run.__module__ == module
    }

    assert len(declared) > 150
    assert sorted(declared - set(behind_doors())) == []


def test_every_table_has_its_columns_in_the_generated_schema() -> None:
    declare_all_tables()
    prose = page("docs/reference/database-schema.md").prose

    for name, table in METADATA.tables.items():
        section = prose.partition(f"\n## {name}\n")[2].partition("\n## ")[0]
        columns = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
        assert columns == [column.name for column in table.columns], name


def test_every_event_of_every_coding_cli_has_a_row() -> None:
    prose = page("docs/reference/hook-manifests.md").prose

    for cli in CLIS:
        known = manifest(cli)
        section = prose.partition(f"\n## Events of {known.title}\n")[2].partition("\n## ")[0]
        assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == list(known.events)


def test_every_rule_that_refuses_is_listed_with_what_to_do_instead() -> None:
    text = page("docs/reference/shipped-guard-rules.md").text

    assert (
        "| `git.reset-hard` | Every change that is not committed would be gone for good. |" in text
    )
    assert text.count("\n| `git.") > 10


def test_the_drawn_imports_are_those_that_the_linter_sees() -> None:
    graph = grimp.build_graph("paige", cache_dir=None)
    rooms = {room for row in layers() for room in row}
    seen = {
        (room, other)
        for module in graph.modules
        for imported in graph.find_modules_directly_imported_by(module)
        if (room := _room(module)) != (other := _room(imported)) and {room, other} <= rooms
    }

    assert seen == set(edges())


def test_the_dark_arrows_alone_lead_to_everything_that_is_imported() -> None:
    found = edges()
    strong = direct(found)
    reached = set(strong)
    while more := {(a, d) for a, b in reached for c, d in strong if b == c} - reached:
        reached |= more

    assert set(found) <= reached
    assert len(strong) < len(found) / 2


def test_diagrams_are_well_formed_and_told_in_words() -> None:
    for name, drawing in pictures().items():
        root = ElementTree.fromstring(drawing)

        assert root.attrib["role"] == "img", name
        assert len(told(name, {name: drawing}).split()) > 20, name
        assert "http" not in drawing.replace("http://www.w3.org/2000/svg", ""), name


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


def _room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def operation_modules() -> list[str]:
    """The modules in which operations are declared."""
    found = (SOURCE / "doors").glob("*/*.py")
    texts = [path for path in found if re.search(r"^@\w+\.(read|change)\b", path.read_text(), re.M)]
    return [".".join(path.relative_to(SOURCE.parent).with_suffix("").parts) for path in texts]
