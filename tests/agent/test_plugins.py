import os
from pathlib import Path

import pytest

from paige.agent.library.definitions import Plugin
from paige.agent.library.plugins import get_command, load_plugin, load_plugins
from paige.base.errors import BadInput, NotFound

AGENT = "---\nmodel: m\nprovider: local\nskills: [design]\n---\nPlan.\n"


def write_plugin(layer: Path, name: str, files: dict[str, str] | None = None) -> Path:
    """A whole plugin in `layer`; `files` replaces or adds some of its files."""
    folder = layer / "plugins" / name
    texts = {
        "PLUGIN.md": f"---\nname: {name}\nversion: 1.0.0\ndescription: d\n---\nAbout.\n",
        "agents/planner.md": AGENT,
        "commands/create.md": "---\nagent: planner\ndescription: Make it\n---\nMake it.\n",
        "skills/design/SKILL.md": "---\ndescription: How\n---\nSee examples.md.\n",
        "skills/design/examples.md": "One.\n",
        **(files or {}),
    }
    for path, text in texts.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


def problems(layer: Path) -> list[str]:
    return [problem.message for problem in load_plugins([layer]).problems]


def test_a_plugin_is_its_head_and_everything_in_its_folders(tmp_path: Path) -> None:
    folder = write_plugin(
        tmp_path,
        "planning",
        {
            "skills/design/references/deep.md": "x",
            "skills/design/references/too/deep.md": "x",
            "skills/design/.hidden": "x",
            "skills/README.md": "not a skill",
            "agents/notes.txt": "not an agent",
            "hooks/scope.py": "raise SystemExit('never run')",
        },
    )

    loaded = load_plugins([tmp_path])

    assert loaded.problems == ()
    plugin = loaded.plugins["planning"]
    assert (plugin.name, plugin.version, plugin.folder) == ("planning", "1.0.0", folder)
    assert list(plugin.agents) == ["planner"]
    assert list(plugin.commands) == ["create"]
    assert list(plugin.skills) == ["design"]
    assert plugin.skills["design"].files == ("examples.md", "references/deep.md")


def test_layers_without_plugins_are_empty(tmp_path: Path) -> None:
    assert load_plugins([tmp_path, tmp_path / "nowhere"]) == ({}, ())


def test_a_broken_plugin_is_told_and_the_others_are_loaded(tmp_path: Path) -> None:
    write_plugin(tmp_path, "good")
    write_plugin(
        tmp_path,
        "bad",
        {"agents/planner.md": "no front matter", "commands/create.md": "---\nagnt: x\n---\n"},
    )

    loaded = load_plugins([tmp_path])

    assert list(loaded.plugins) == ["good"]
    assert [
        problem.message.removeprefix(f"{tmp_path}/plugins/") for problem in loaded.problems
    ] == [
        "bad/agents/planner.md:1: there is no front matter",
        "bad/commands/create.md:2: the key `agnt` is not known here",
    ]
    assert loaded.problems[1].hint == "Did you mean `agent`?"
    assert loaded.problems[0].folder == tmp_path / "plugins" / "bad"


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {"commands/create.md": "---\nagent: planer\ndescription: d\n---\n"},
            "commands/create.md:2: the plugin has no agent `planer`",
        ),
        (
            {"agents/planner.md": AGENT.replace("design", "disign")},
            "agents/planner.md:4: the plugin has no skill `disign`",
        ),
        (
            {"agents/planner.md": AGENT.replace("skills: [design]", "handoffs: [reviewer]")},
            "agents/planner.md:4: the plugin has no agent `reviewer`",
        ),
    ],
)
def test_a_name_that_leads_nowhere_refuses_the_plugin(
    tmp_path: Path, files: dict[str, str], message: str
) -> None:
    folder = write_plugin(tmp_path, "p", files)

    assert problems(tmp_path) == [f"{folder}/{message}"]
    assert load_plugins([tmp_path]).plugins == {}


def test_a_folder_without_plugin_md_is_told(tmp_path: Path) -> None:
    (tmp_path / "plugins" / "empty").mkdir(parents=True)

    assert problems(tmp_path) == [f"{tmp_path}/plugins/empty/PLUGIN.md: there is no such file"]


def test_a_plugin_does_not_take_the_name_of_one_below_it(tmp_path: Path) -> None:
    project, shipped = tmp_path / "project", tmp_path / "shipped"
    original = write_plugin(shipped, "planning")
    copy = write_plugin(project, "planning")

    loaded = load_plugins([project, shipped])

    assert loaded.plugins["planning"].folder == original
    (problem,) = loaded.problems
    assert problem.folder == copy
    assert str(original) in problem.message
    assert str(copy) in problem.message
    assert problem.hint == "Give it another name."


def test_two_folders_of_one_layer_with_the_same_name_are_told(tmp_path: Path) -> None:
    head = "---\nname: planning\nversion: 1.0.0\ndescription: d\n---\n"
    write_plugin(tmp_path, "a", {"PLUGIN.md": head})
    write_plugin(tmp_path, "b", {"PLUGIN.md": head})

    assert [problem.folder.name for problem in load_plugins([tmp_path]).problems] == ["b"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"---\nmodel: \xff\n---\n", "agents/planner.md:2: this is not UTF-8 text"),
        (b"x" * 300_000, "the file has 300000 bytes, and 262144 are allowed"),
    ],
)
def test_a_file_that_is_no_text_or_too_long_is_told(
    tmp_path: Path, content: bytes, message: str
) -> None:
    folder = write_plugin(tmp_path, "p")
    (folder / "agents/planner.md").write_bytes(content)

    assert message in problems(tmp_path)[0]


def test_a_link_out_of_the_plugin_is_not_followed(tmp_path: Path) -> None:
    folder = write_plugin(tmp_path, "p")
    (tmp_path / "secret.md").write_text(AGENT)
    (folder / "agents/spy.md").symlink_to(tmp_path / "secret.md")

    assert problems(tmp_path) == [f"{folder}/agents/spy.md: this leads out of `p`"]


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    folder = write_plugin(tmp_path, "p")
    os.mkfifo(folder / "commands" / "pipe.md")

    assert problems(tmp_path) == [f"{folder}/commands/pipe.md: this is not a file"]


def test_one_plugin_can_be_loaded_alone(tmp_path: Path) -> None:
    assert load_plugin(write_plugin(tmp_path, "good")).name == "good"
    with pytest.raises(BadInput, match="no agent `nobody`"):
        load_plugin(
            write_plugin(
                tmp_path,
                "bad",
                {"commands/create.md": "---\nagent: nobody\ndescription: d\n---\n"},
            )
        )


def two_plugins(tmp_path: Path) -> dict[str, Plugin]:
    command = "---\nagent: planner\ndescription: d\n---\n"
    write_plugin(tmp_path, "planning", {"commands/refine-lesson.md": command})
    write_plugin(tmp_path, "grading", {"commands/mark.md": command})
    return dict(load_plugins([tmp_path]).plugins)


@pytest.mark.parametrize("name", ["mark", "grading:mark"])
def test_a_command_is_found_by_its_full_name_or_alone(tmp_path: Path, name: str) -> None:
    found = get_command(two_plugins(tmp_path), name)

    assert (found.full_name, found.plugin.name, found.command.name) == (
        "grading:mark",
        "grading",
        "mark",
    )


def test_a_name_that_two_plugins_have_must_be_said_in_full(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="Several plugins have a command `create`") as caught:
        get_command(two_plugins(tmp_path), "create")
    assert caught.value.hint == "Say which: `grading:create`, `planning:create`."


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("refine-leson", "Did you mean `planning:refine-lesson`?"),
        ("planing:refine-lesson", "Did you mean `planning:refine-lesson`?"),
        ("qqqqqqqq", "`paige plan list` shows every command."),
    ],
)
def test_an_unknown_command_is_not_found_and_the_closest_is_named(
    tmp_path: Path, name: str, hint: str
) -> None:
    with pytest.raises(NotFound, match=f"There is no command `{name}`") as caught:
        get_command(two_plugins(tmp_path), name)
    assert caught.value.hint == hint
