import shutil
from pathlib import Path

import pytest

from paige.memory.event import Event
from paige.memory.intake.project_identity import Identity, common_dir, identify
from paige.memory.intake.project_logs import ProjectLogs
from paige.memory.log.log import Log
from tests.conftest import NOON


def repository(root: Path) -> Path:
    """A folder as git leaves it, as far as we read it."""
    (root / ".git").mkdir(parents=True)
    (root / ".git/HEAD").write_text("ref: refs/heads/main\n")
    return root


def worktree(of: Path, root: Path) -> Path:
    """A second work tree of a repository."""
    inner = of / ".git/worktrees" / root.name
    inner.mkdir(parents=True)
    (inner / "commondir").write_text("../..\n")
    root.mkdir(parents=True)
    (root / ".git").write_text(f"gitdir: {inner}\n")
    return root


def found(folder: Path, home: Path | None = None) -> Identity:
    """The identity of a folder that has one."""
    identity = identify(folder, home=home)
    assert identity is not None
    return identity


def test_everything_in_a_repository_is_one_project(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop")
    (root / "src/deep").mkdir(parents=True)
    inner = found(root / "src/deep")
    assert inner == found(root)
    assert (inner.root, inner.name) == (root, "shop")
    assert inner.id.startswith("shop-")
    assert len(inner.id) == len("shop-") + 8


def test_work_trees_share_their_identity(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop")
    other = worktree(main, tmp_path / "elsewhere/shop-fix")
    assert found(other).id == found(main).id
    assert found(other).name == "shop"
    assert found(other).root == other
    assert common_dir(other) == main / ".git"


def test_two_folders_of_the_same_name_are_two_projects(tmp_path: Path) -> None:
    one, two = repository(tmp_path / "a/shop"), repository(tmp_path / "b/shop")
    assert found(one).id != found(two).id
    plain = [tmp_path / "c/notes", tmp_path / "d/notes"]
    for folder in plain:
        folder.mkdir(parents=True)
    assert found(plain[0]).id != found(plain[1]).id


def test_a_submodule_is_its_own_project(tmp_path: Path) -> None:
    main = repository(tmp_path / "shop")
    (main / ".git/modules/lib").mkdir(parents=True)
    (main / "lib").mkdir()
    (main / "lib/.git").write_text("gitdir: ../.git/modules/lib\n")
    assert found(main / "lib").id != found(main).id
    assert found(main / "lib").root == main / "lib"


def test_a_symbolic_link_leads_to_the_same_project(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop")
    link = tmp_path / "link"
    link.symlink_to(root)
    assert found(link).id == found(root).id


def test_a_stored_id_wins_and_survives_a_move(tmp_path: Path) -> None:
    root = repository(tmp_path / "shop")
    (root / ".ai").mkdir()
    (root / ".ai/project-id").write_text("shop-2026\n")
    (root / "src").mkdir()
    assert found(root / "src").id == "shop-2026"
    moved = tmp_path / "moved"
    shutil.move(root, moved)
    assert found(moved / "src").id == "shop-2026"


@pytest.mark.parametrize("text", ["", "  \n", "two words", "x" * 300, "a\nb"])
def test_a_stored_id_that_cannot_be_used_is_passed_over(tmp_path: Path, text: str) -> None:
    root = repository(tmp_path / "shop")
    before = found(root).id
    (root / ".ai").mkdir()
    (root / ".ai/project-id").write_text(text)
    assert found(root).id == before


def test_home_and_the_folder_for_temporary_files_are_no_projects(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".git").mkdir(parents=True)
    (home / "notes").mkdir()
    assert identify(home, home=home) is None
    assert found(home / "notes", home).root == home / "notes"
    assert identify(tmp_path, home=home, temporary=tmp_path) is None
    assert identify(Path(tmp_path.anchor), home=home) is None


def test_a_pointer_that_leads_nowhere_still_tells_projects_apart(tmp_path: Path) -> None:
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        (tmp_path / name / ".git").write_text(f"gitdir: /nowhere/{name}\n")
    assert found(tmp_path / "a").id != found(tmp_path / "b").id


def test_a_broken_git_file_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x/.git").write_bytes(b"\xff\xfe")
    assert found(tmp_path / "x").root == tmp_path / "x"


def event(**fields: object) -> Event:
    """An event with only what matters given."""
    base = {"id": "a", "seq": 1, "at": NOON, "type": "note", "scope": "project", "owner": "me"}
    return Event(**{**base, **fields})  # type: ignore[arg-type]


def test_only_project_events_of_a_project_with_a_memory_folder_go_to_its_log(
    tmp_path: Path,
) -> None:
    main = Log(tmp_path / "main.jsonl")
    with_folder, without = tmp_path / "a", tmp_path / "b"
    (with_folder / ".ai/memory").mkdir(parents=True)
    without.mkdir()
    logs = ProjectLogs(main, tmp_path / "state/projects.json")
    logs.add(Identity("a-1", with_folder, "a"))
    logs.add(Identity("b-1", without, "b"))
    own = logs.log_for(event(project="a-1"))
    assert own.path == with_folder / ".ai/memory/events.jsonl"
    assert logs.log_for(event(project="a-1")) is own
    assert logs.log_for(event(project="a-1", scope="session", session="s")) is main
    assert logs.log_for(event(project="b-1")) is main
    assert logs.log_for(event(project="never seen")) is main
    assert ProjectLogs(main, tmp_path / "state/projects.json").all()[1].path == own.path


def test_a_project_that_is_gone_is_passed_over(tmp_path: Path) -> None:
    main = Log(tmp_path / "main.jsonl")
    root = tmp_path / "a"
    (root / ".ai/memory").mkdir(parents=True)
    register = tmp_path / "projects.json"
    ProjectLogs(main, register).add(Identity("a-1", root, "a"))
    shutil.rmtree(root)
    logs = ProjectLogs(main, register)
    assert logs.all() == [main]
    assert logs.log_for(event(project="a-1")) is main


def test_a_damaged_register_is_started_anew(tmp_path: Path) -> None:
    main = Log(tmp_path / "main.jsonl")
    register = tmp_path / "projects.json"
    register.write_text("{")
    logs = ProjectLogs(main, register)
    (tmp_path / "a/.ai/memory").mkdir(parents=True)
    logs.add(Identity("a-1", tmp_path / "a", "a"))
    assert len(ProjectLogs(main, register).all()) == 2
