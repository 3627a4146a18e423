"""Memory in the runs of a plugin's commands, and runs that are to remember nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from paige.agent.library.plugins import FoundCommand, load_plugin
from paige.agent.memories import Request
from paige.app.application import App, open_app
from paige.app.plugin_runs import (
    RunOptions,
    agent_of,
    check_command,
    open_library,
    open_runtime,
)
from paige.base.settings import Settings
from paige.memory.access import Reader
from paige.memory.event import Draft
from paige.memory.intake.admission import Writer
from tests.agent.test_library import FILES, WORKSPACE, write

pytestmark = pytest.mark.anyio


@pytest.fixture
def found(tmp_path: Path) -> FoundCommand:
    plugin = load_plugin(write(tmp_path / "planning", FILES))
    write(tmp_path / "workspace", WORKSPACE)
    return FoundCommand(plugin, plugin.commands["create-lesson"])


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    """An application whose teacher has memory."""
    with open_app(settings(tmp_path), strict=False) as app:
        documents = app.memory.open().documents
        documents.append(app.actor, "MEMORY.md", "Likes bullet points.")
        documents.append(app.actor, "classes/3B/MEMORY.md", "Short starters.")
        yield app


def settings(folder: Path) -> Settings:
    return Settings(
        cwd=folder,
        given_data_dir=folder / "data",
        given_workspace=folder / "workspace",
        given_memory_path=folder / "events.jsonl",
        base_url="http://127.0.0.1:9",
    )


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (RunOptions(), {"teacher_memory"}),
        (RunOptions(class_id="3B"), {"teacher_memory", "class_memory"}),
        (RunOptions(class_id="2C"), {"teacher_memory"}),
        (RunOptions(class_id="3B", memory=False), set()),
    ],
)
async def test_the_options_say_what_of_memory_is_in_the_prompt(
    app: App, found: FoundCommand, options: RunOptions, parts: set[str]
) -> None:
    prompt = open_library(app, found, options).prompt(agent_of(found))

    names = {section.name for section in prompt.sections}
    assert names & {"teacher_memory", "class_memory"} == parts


@pytest.mark.parametrize("memory", [True, False])
async def test_a_runtime_has_memory_unless_the_person_said_no(
    app: App, found: FoundCommand, memory: bool
) -> None:
    options = RunOptions(class_id="3B", memory=memory, provider="openai-compatible")
    async with open_runtime(app, found, options) as runtime:
        prepared = runtime.library.prepare("planner")

    assert (runtime.memory is not None) is memory
    assert ("Short starters." in prepared.system) is memory
    assert ("memory/MEMORY.md" in prepared.files) is memory


async def test_what_is_remembered_about_a_request_is_in_the_prompt_and_counts_as_used(
    app: App, found: FoundCommand
) -> None:
    memory = app.memory.open()
    [kept] = memory.remember([Draft(text="Fractions went badly", scope="global")], Writer())
    library = open_library(app, found, RunOptions())

    looked = library.prepare("planner", Request("fractions"))
    asked = library.prepare("planner", Request("fractions", session="s1", trace="t1"))

    assert "Fractions went badly" in looked.system
    assert "Fractions went badly" in asked.system
    recalls = memory.show(kept.id or "", Reader()).recalls
    assert [(each.session, each.provenance.trace_id) for each in recalls] == [("s1", "t1")]


async def test_an_agent_that_names_memory_tools_runs_without_memory_too(
    tmp_path: Path,
) -> None:
    files = {**FILES}
    files["agents/planner.md"] = files["agents/planner.md"].replace(
        "skills:", "tools: [read_file, read_memory, update_memory]\nskills:"
    )
    plugin = load_plugin(write(tmp_path / "planning", files))
    found = FoundCommand(plugin, plugin.commands["create-lesson"])

    check_command(settings(tmp_path), found, RunOptions(memory=False))
    check_command(settings(tmp_path), found, RunOptions())
