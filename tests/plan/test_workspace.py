"""The workspace: its sample, its classes, and what of it a request brings into the prompt."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from paige.agent.memories import Request
from paige.base.checks import Check
from paige.base.paths import shipped
from paige.plan.checks import checks
from paige.plan.curriculum.library import load_all
from paige.plan.workspace import (
    MARKER,
    brought_along,
    curricula_for,
    find_class,
    open_workspace,
    read_classes,
)
from paige.store.documents import DirectoryDocuments
from tests.plan.planning import CLASS_3B, WORKSPACE, plan_settings, write_files


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    return write_files(tmp_path / "sample", WORKSPACE)


@pytest.fixture
def documents(tmp_path: Path) -> DirectoryDocuments:
    return DirectoryDocuments(write_files(tmp_path / "workspace", WORKSPACE))


# --- the sample -----------------------------------------------------------------------------------


def test_an_empty_workspace_begins_with_the_sample(tmp_path: Path, sample: Path) -> None:
    documents = open_workspace(tmp_path / "new", sample)

    assert documents.paths() == sorted(WORKSPACE)
    assert documents.read("classes/3B.md").text == CLASS_3B


def test_a_workspace_that_somebody_uses_is_left_alone(tmp_path: Path, sample: Path) -> None:
    mine = write_files(tmp_path / "mine", {"notes.md": "Mine"})

    assert open_workspace(mine, sample).paths() == ["notes.md"]
    assert not (mine / MARKER).exists()


def test_what_was_remembered_before_does_not_count_as_use_and_stays(
    tmp_path: Path, sample: Path
) -> None:
    root = write_files(tmp_path / "new", {"memory/MEMORY.md": "- Likes bullets"})

    documents = open_workspace(root, sample)

    assert documents.read("memory/MEMORY.md").text == "- Likes bullets"
    assert "classes/3B.md" in documents.paths()


def test_a_file_that_a_person_removed_does_not_come_back(tmp_path: Path, sample: Path) -> None:
    root = tmp_path / "new"
    open_workspace(root, sample)
    for path in list(WORKSPACE):
        (root / path).unlink()

    assert open_workspace(root, sample).paths() == []


@pytest.mark.parametrize("after", range(1, len(WORKSPACE) + 1))
def test_a_copy_that_was_killed_is_finished_by_the_next_use(
    tmp_path: Path, sample: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "new"
    child = os.fork()
    if child == 0:
        _die_after(after, monkeypatch)
        open_workspace(root, sample)
        os._exit(1)
    assert os.WIFSIGNALED(os.waitpid(child, 0)[1])
    (root / "teacher.md").write_text("Mine already")

    documents = open_workspace(root, sample)

    assert documents.paths() == sorted(WORKSPACE)
    assert documents.read("teacher.md").text == "Mine already"


def _die_after(writes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    write = DirectoryDocuments.write
    left = [writes]

    def write_or_die(self, path: str, text: str, *, base: str):
        written = write(self, path, text, base=base)
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return written

    monkeypatch.setattr(DirectoryDocuments, "write", write_or_die)


def test_several_that_come_first_at_once_see_the_whole_sample(tmp_path: Path, sample: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        seen = list(pool.map(lambda _: open_workspace(tmp_path / "new", sample).paths(), range(16)))

    assert all(paths == sorted(WORKSPACE) for paths in seen)


def test_the_sample_that_paige_ships_has_no_problem() -> None:
    documents = DirectoryDocuments(shipped("workspace"))

    classes = read_classes(documents)
    library = load_all(documents)

    assert [profile.id for profile in classes.profiles] == ["1B", "2A", "2C", "3B"]
    assert [problem for profile in classes.profiles for problem in profile.problems] == []
    assert all(curricula_for(library, profile) for profile in classes.profiles)
    assert {"soul.md", "teacher.md", "pedagogy.md"} <= set(documents.paths())


# --- classes and tiers ----------------------------------------------------------------------------


def test_a_class_is_found_however_it_is_written(documents: DirectoryDocuments) -> None:
    assert find_class(documents, "3b") == read_classes(documents).find("3B")
    assert find_class(documents, "../soul") is None
    assert find_class(documents, "9Z") is None
    assert find_class(documents, None) is None


def test_a_profile_that_is_no_text_is_a_class_with_a_problem(
    documents: DirectoryDocuments,
) -> None:
    (documents.root / "classes" / "2A.md").write_bytes(b"# 2A\nM\xfcller\n")

    _, broken, _ = read_classes(documents).profiles

    assert (broken.id, broken.year) == ("2A", "")
    assert [str(each) for each in broken.problems] == ["classes/2A.md:2: this is not UTF-8 text"]
    assert brought_along(documents, "2A")(Request("loops")) == []


def test_a_class_brings_its_profile_and_its_curriculum_with_line_numbers(
    documents: DirectoryDocuments,
) -> None:
    profile, curriculum = brought_along(documents, "3B")(Request("loops"))

    assert (profile.path, profile.text) == ("classes/3B.md", CLASS_3B)
    assert curriculum.path == "curriculum/cfe-computing.md"
    assert "   9  - **TCH 3-15a** (grade A) Choose tools" in curriculum.text
    assert "curriculum/cfe-computing.md#L12-L12" in curriculum.text


def test_without_a_class_a_subject_that_is_named_brings_its_curriculum(
    documents: DirectoryDocuments,
) -> None:
    files = brought_along(documents, None)

    assert [file.path for file in files(Request("a Computing lesson"))] == [
        "curriculum/cfe-computing.md"
    ]
    assert files(Request("recompute the sum")) == []
    assert files(Request("")) == []


def test_a_class_without_curriculum_files_gets_those_of_its_subject(
    documents: DirectoryDocuments,
) -> None:
    files = brought_along(documents, "1B")(Request("loops"))

    assert [file.path for file in files] == ["classes/1B.md", "curriculum/cfe-computing.md"]


def test_of_several_subjects_the_one_that_is_named_is_brought_along(
    documents: DirectoryDocuments,
) -> None:
    maths = "---\nsubject: Mathematics\nalso: [Maths]\nedition: 2017-06\n---\n## Third level\n"
    both = CLASS_3B.replace("curriculum: cfe", "also: [Maths]\ncurriculum: [cfe-maths, cfe")
    files = {
        "classes/3B.md": both.replace("cfe-computing\n", "cfe-computing]\n"),
        "curriculum/cfe-maths.md": maths,
    }
    write_files(documents.root, files)
    bring = brought_along(documents, "3B")

    assert [file.path for file in bring(Request("ratio in maths"))][1:] == [
        "curriculum/cfe-maths.md"
    ]
    assert len(bring(Request("ratio"))) == 3


def test_of_a_long_curriculum_only_the_level_of_the_class_is_shown(
    documents: DirectoryDocuments,
) -> None:
    path = documents.root / "curriculum" / "cfe-computing.md"
    padding = "\n".join(f"  - notes: {'words ' * 20}{n}" for n in range(400))
    path.write_text(path.read_text() + padding)

    _, curriculum = brought_along(documents, "3B")(Request("loops"))

    assert "**TCH 3-15a**" in curriculum.text
    assert "**TCH 4-15a**" not in curriculum.text


# --- doctor ---------------------------------------------------------------------------------------


def test_doctor_names_file_and_line_of_what_cannot_be_used(tmp_path: Path) -> None:
    settings = plan_settings(tmp_path)
    assert checks(settings)[0].status == "ok"
    assert not settings.workspace.exists()
    write_files(settings.workspace, WORKSPACE)
    assert checks(settings) == [
        Check("workspace", "ok", f"`{settings.workspace}`, 2 classes"),
    ]
    broken = CLASS_3B.replace("size: 24", "size: lots").replace("cfe-computing", "cfe-cooking")
    broken += "- Jamie Macdonald needs a seat at the front\n"
    write_files(settings.workspace, {"classes/3B.md": broken})

    found = checks(settings)

    assert [check.status for check in found] == ["warn"] * 3
    assert found[0].message.startswith("classes/3B.md:7: `size` is `lots`")
    assert found[1].message == "classes/3B.md:22: `Jamie Macdonald` looks like a person"
    assert "curriculum/cfe-cooking.md" in found[2].message


def test_doctor_names_a_profile_and_a_curriculum_that_are_no_text(tmp_path: Path) -> None:
    settings = plan_settings(tmp_path)
    write_files(settings.workspace, WORKSPACE)
    (settings.workspace / "classes" / "1B.md").write_bytes(b"# 1B\nM\xfcller\n")
    (settings.workspace / "curriculum" / "mine.md").write_bytes(b"\xff")

    assert [check.message for check in checks(settings)] == [
        "classes/1B.md:2: this is not UTF-8 text",
        "curriculum/mine.md:1: This is not UTF-8 text.",
    ]


def test_doctor_has_nothing_against_the_sample(tmp_path: Path) -> None:
    settings = plan_settings(tmp_path)
    open_workspace(settings.workspace, shipped("workspace"))

    assert [check.status for check in checks(settings)] == ["ok"]
