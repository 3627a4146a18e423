"""Agents of a plugin, prompted with a workspace."""

from dataclasses import replace
from pathlib import Path

import pytest

from paige.agent.context import Task
from paige.agent.library.library import PluginLibrary
from paige.agent.library.plugins import load_plugin
from paige.agent.library.prompt import ClassMemory, Prompt
from paige.agent.memories import PromptMemory
from paige.base.errors import BadInput, NotFound
from paige.models.scripted import Scripted, calls
from paige.store.documents import DirectoryDocuments
from paige.store.engine import Database
from tests.agent.crew import make_runtime, run

FILES = {
    "PLUGIN.md": "---\nname: planning\nversion: 1.0.0\ndescription: d\n---\nAbout.\n",
    "agents/planner.md": (
        "---\nmodel: m\nprovider: local\ndescription: Plans lessons\nworkspace: [classes/3B.md]\n"
        "skills: [design]\nhandoffs: [reviewer]\n---\nYou plan.\n"
    ),
    "agents/reviewer.md": (
        "---\nmodel: m\nprovider: local\ndescription: Reviews plans\nmemory: false\n"
        "tools: [read_file]\n---\nYou review.\n"
    ),
    "commands/create-lesson.md": (
        "---\nagent: planner\ndescription: Make a lesson\n---\nMake a lesson of 50 minutes.\n"
    ),
    "skills/design/SKILL.md": "---\ndescription: Backward design\n---\nStart at the end.\n",
}
WORKSPACE = {"soul.md": "You are kind.\n", "classes/3B.md": "3B has 20 pupils.\n"}


def write(folder: Path, files: dict[str, str]) -> Path:
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


def library(folder: Path, **workspace: str) -> PluginLibrary:
    plugin = load_plugin(write(folder / "planning", FILES))
    place = write(folder / "workspace", workspace or WORKSPACE)
    return PluginLibrary(plugin, DirectoryDocuments(place))


def sections(prompt: Prompt) -> dict[str, str]:
    return {section.name: section.text for section in prompt.sections}


def prompt_of(chosen: PluginLibrary, agent: str = "planner") -> dict[str, str]:
    return sections(chosen.prompt(chosen.prepare(agent).agent))


def test_a_prompt_is_made_of_the_plugin_and_the_workspace(tmp_path: Path) -> None:
    chosen = library(tmp_path)
    chosen = replace(
        chosen,
        command=chosen.plugin.commands["create-lesson"],
        memory=PromptMemory("Likes bullet points.", of_class=ClassMemory("3B", "Short starters.")),
        tasks=(Task("1", "Plan"), Task("2", "Write", "done")),
    )
    shown = prompt_of(chosen)

    assert list(shown) == [
        "assistant_identity",
        "agent_instructions",
        "workspace",
        "teacher_memory",
        "class_memory",
        "available_skills",
        "command",
        "available_commands",
        "available_subagents",
        "handoff_targets",
        "tasks",
    ]
    said = {
        "assistant_identity": "You are kind.",
        "agent_instructions": "You plan.",
        "workspace": '<file path="classes/3B.md">\n3B has 20 pupils.\n</file>',
        "teacher_memory": "Likes bullet points.",
        "class_memory": "Class 3B:\n\nShort starters.",
        "available_skills": "- design: Backward design",
        "command": "Make a lesson of 50 minutes.",
        "available_commands": "- create-lesson: Make a lesson",
        "available_subagents": "- reviewer: Reviews plans",
        "handoff_targets": "- reviewer: Reviews plans",
        "tasks": "2. [x] Write",
    }
    for name, text in said.items():
        assert text in shown[name], name
    assert "Start at the end." not in str(shown)


def test_what_was_prepared_is_the_prompt_and_the_file_it_was_made_from(tmp_path: Path) -> None:
    chosen = library(tmp_path)
    prepared = chosen.prepare("planner")

    assert prepared.source == FILES["agents/planner.md"]
    assert prepared.system == chosen.prompt(prepared.agent).text
    assert prepared.agent.name == "planner"


def test_without_an_identity_the_prompt_begins_with_the_instructions(tmp_path: Path) -> None:
    shown = prompt_of(library(tmp_path, **{"classes/3B.md": "x"}))

    assert next(iter(shown)) == "agent_instructions"


def test_a_workspace_file_that_is_missing_is_named_with_who_wants_it(tmp_path: Path) -> None:
    chosen = library(tmp_path, **{"soul.md": "x"})

    with pytest.raises(NotFound) as missing:
        chosen.prepare("planner")

    agent = tmp_path / "planning" / "agents" / "planner.md"
    assert missing.value.message == f"{agent}: There is no document `classes/3B.md`"
    assert missing.value.hint == "Check `workspace`."


def test_an_agent_without_memory_gets_none(tmp_path: Path) -> None:
    chosen = replace(
        library(tmp_path),
        memory=PromptMemory("Likes bullet points.", of_class=ClassMemory("3B", "Short starters.")),
    )

    assert {"teacher_memory", "class_memory"} <= set(prompt_of(chosen, "planner"))
    assert not {"teacher_memory", "class_memory"} & set(prompt_of(chosen, "reviewer"))


def test_only_an_agent_that_may_start_others_is_told_of_them(tmp_path: Path) -> None:
    chosen = library(tmp_path)

    assert "available_subagents" in prompt_of(chosen, "planner")
    assert "available_subagents" not in prompt_of(chosen, "reviewer")


def test_an_agent_is_read_anew_each_time(tmp_path: Path) -> None:
    chosen = library(tmp_path)
    file = tmp_path / "planning" / "agents" / "reviewer.md"
    file.write_text(FILES["agents/reviewer.md"].replace("You review.", "You review twice."))

    assert "You review twice." in chosen.prepare("reviewer").system


@pytest.mark.parametrize(
    ("text", "error", "said"),
    [
        (None, NotFound, "there is no such file"),
        (b"\xff\xfe", BadInput, "not UTF-8"),
        (b"no front matter", BadInput, "reviewer.md"),
        (b"---\nmodel: m\nprovider: local\nskills: [gone]\n---\nx", NotFound, "skill `gone`"),
        (b"---\nmodel: m\nprovider: local\nhandoffs: [gone]\n---\nx", NotFound, "agent `gone`"),
    ],
)
def test_a_file_that_was_spoilt_since_is_said_in_words(
    tmp_path: Path, text: bytes | None, error: type[Exception], said: str
) -> None:
    chosen = library(tmp_path)
    file = tmp_path / "planning" / "agents" / "reviewer.md"
    if text is None:
        file.unlink()
    else:
        file.write_bytes(text)

    with pytest.raises(error, match=said):
        chosen.prepare("reviewer")


def test_an_unknown_agent_is_refused_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="no agent `planer`") as refused:
        library(tmp_path).prepare("planer")

    assert refused.value.hint == "There are: `planner`, `reviewer`."


@pytest.mark.anyio
async def test_a_run_is_prompted_by_the_library_and_reads_its_skills(
    sqlite_db: Database, tmp_path: Path
) -> None:
    chosen = library(tmp_path)
    model = Scripted([calls("read_skill", reference="design"), "A plan"])
    runtime = replace(make_runtime(sqlite_db, tmp_path, provider=model), library=chosen)
    before = chosen.prepare("planner").system

    await run(runtime, agent="planner")

    assert [request.system for request in model.requests] == [before, before]
    assert model.requests[1].messages[-1].blocks[0].content.strip() == "Start at the end."
    assert "transfer_to_reviewer" in {spec.name for spec in model.requests[0].tools}
