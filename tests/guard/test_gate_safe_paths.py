"""Summaries go to one folder; the whole input comes back with only the path changed."""

from dataclasses import replace
from pathlib import Path

import pytest

from paige.guard.gates.safe_paths import is_summary
from tests.guard.gate_project import Project, new_project, with_features


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """A project with features."""
    made = new_project(tmp_path)
    with_features(made, {"id": "F1"})
    return made


def test_the_whole_input_comes_back_with_the_path_changed(project: Project) -> None:
    given = {"content": "# Done", "file_path": project.path("SUMMARY.md"), "mode": 7, "x": None}
    said = project.before("Write", **given)

    target = project.path(".claude/progress/summaries/SUMMARY.md")
    assert said.own["permissionDecision"] == "allow"
    assert said.own["updatedInput"] == {**given, "file_path": target}
    assert target in said.context


def test_an_earlier_summary_is_not_overwritten(project: Project) -> None:
    folder = project.root / ".claude" / "progress" / "summaries"
    folder.mkdir()
    (folder / "SUMMARY.md").write_text("first")
    (folder / "SUMMARY-2.md").write_text("second")
    said = project.before("Write", file_path=project.path("docs/SUMMARY.md"), content="x")

    assert said.own["updatedInput"]["file_path"].endswith("/summaries/SUMMARY-3.md")


def test_a_patch_is_changed_in_its_one_line(project: Project) -> None:
    patch = "*** Begin Patch\n*** Add File: test-summary.md\n+# Done\n*** End Patch"
    said = project.before("apply_patch", command=patch)

    target = project.path(".claude/progress/summaries/test-summary.md")
    assert said.own["updatedInput"] == {"command": patch.replace("test-summary.md", target)}


def test_a_command_is_told_where_to_write(project: Project) -> None:
    said = project.before("Bash", command="echo done > SUMMARY.md")

    assert "/.claude/progress/summaries/SUMMARY.md" in said.denied


def test_a_conductor_leaves_a_summary_there_too(project: Project) -> None:
    conductor = replace(project, role="conductor")
    said = conductor.before("Write", file_path=project.path("SUMMARY.md"), content="x")

    assert said.own["updatedInput"]["file_path"].endswith("/summaries/SUMMARY.md")


@pytest.mark.parametrize("name", ["src/summary.py", "README.md", ".claude/summary.md"])
def test_other_files_stay_where_they_are(project: Project, name: str) -> None:
    assert project.before("Write", file_path=project.path(name), content="x").body == {}


def test_a_summary_that_is_there_already_and_one_elsewhere_are_left_alone(
    project: Project,
) -> None:
    (project.root / "SUMMARY.md").write_text("of a book")

    there = project.before("Write", file_path=project.path("SUMMARY.md"), content="x")
    away = project.before("Write", file_path=str(project.root.parent / "summary.md"), content="x")

    assert (there.body, away.body) == ({}, {})


@pytest.mark.parametrize(
    ("path", "summary"),
    [
        ("SUMMARY.md", True),
        ("a/test-summary.txt", True),
        ("session_summaries.rst", True),
        ("summary", True),
        ("summary.py", False),
        ("summary.test.ts", False),
        ("notes.md", False),
        ("summary/notes.md", False),
    ],
)
def test_a_summary_is_known_by_its_name(path: str, summary: bool) -> None:
    assert is_summary(path) is summary


def test_a_permission_for_the_folder_of_summaries_is_given(project: Project) -> None:
    def asked(name: str, tool: str = "Write") -> object:
        given = {"file_path": project.path(name), "content": "x"}
        said = project.fire("PermissionRequest", tool_name=tool, tool_input=given)
        return said.own.get("decision", {}).get("behavior")

    folder = ".claude/progress/summaries"
    assert asked(f"{folder}/SUMMARY.md") == "allow"
    assert asked(f"{folder}/notes.md") == "allow"
    assert asked(f"{folder}/../evidence/x.json") == "deny"
    assert asked("src/b.py") is None
    (project.root / folder).mkdir(parents=True)
    (project.root / folder / "link").symlink_to(project.root / "src")
    assert asked(f"{folder}/link/a.py") is None
