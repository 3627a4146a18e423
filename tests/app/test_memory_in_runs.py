"""Memory in the runs of a plugin's commands, and runs that are to remember nothing."""

from pathlib import Path

import pytest

from paige.agent.memories import MemoryAccess
from paige.agent.plugins import FoundCommand, load_plugin
from paige.app.application import open_app
from paige.app.running import (
    RunOptions,
    agent_of,
    check_command,
    library_for,
    open_runtime,
    remembering_for,
)
from paige.base.settings import Settings
from paige.store.engine import Database
from tests.agent.test_library import FILES, WORKSPACE, write
from tests.memory.papers import ME, Papers

pytestmark = pytest.mark.anyio


@pytest.fixture
def found(tmp_path: Path) -> FoundCommand:
    plugin = load_plugin(write(tmp_path / "planning", FILES))
    write(tmp_path / "workspace", WORKSPACE)
    return FoundCommand(plugin, plugin.commands["create-lesson"])


@pytest.fixture
def access(sqlite_db: Database, tmp_path: Path) -> MemoryAccess:
    papers = Papers(sqlite_db, tmp_path)
    papers.append(ME, "MEMORY.md", "Likes bullet points.")
    papers.append(ME, "classes/3B/MEMORY.md", "Short starters.")
    return MemoryAccess(papers)


def settings(folder: Path) -> Settings:
    return Settings(
        cwd=folder, given_data_dir=folder / "data", given_workspace=folder / "workspace"
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
    tmp_path: Path, found: FoundCommand, access: MemoryAccess, options: RunOptions, parts: set[str]
) -> None:
    remembering = remembering_for(access, ME, options)
    prompt = library_for(settings(tmp_path), found, (), remembering).prompt(agent_of(found))

    names = {section.name for section in prompt.sections}
    assert names & {"teacher_memory", "class_memory"} == parts


@pytest.mark.parametrize("memory", [True, False])
async def test_a_runtime_has_memory_unless_the_person_said_no(
    tmp_path: Path, found: FoundCommand, access: MemoryAccess, memory: bool
) -> None:
    options = RunOptions(class_id="3B", memory=memory, provider="openai-compatible")
    chosen = Settings(
        cwd=tmp_path,
        given_data_dir=tmp_path / "data",
        given_workspace=tmp_path / "workspace",
        base_url="http://127.0.0.1:9",
    )
    with open_app(chosen, strict=False) as app:
        async with open_runtime(app, found, options, access) as runtime:
            prepared = runtime.library.prepare("planner")

    assert (runtime.memory is access) is memory
    assert ("Short starters." in prepared.system) is memory
    assert ("memory/MEMORY.md" in prepared.files) is memory


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
