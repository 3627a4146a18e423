"""A worktree for each feature: made, committed, merged and removed, whatever happened before."""

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, Conflict
from paige.guard.state.tree import tree_hash
from paige.orchestra.running import worktrees
from tests.orchestra.repositories import merges, new_repository, run_git


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return new_repository(tmp_path / "app")


def test_a_folder_without_a_repository_is_told_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="not in a Git repository") as refused:
        worktrees.find_repository(tmp_path)
    assert refused.value.hint is not None
    assert "git init" in refused.value.hint


def test_a_repository_without_commits_is_told_what_to_do(tmp_path: Path) -> None:
    run_git(tmp_path, "init", "--quiet")
    with pytest.raises(BadInput, match="no commit yet"):
        worktrees.find_repository(tmp_path)


def test_a_repository_without_a_branch_is_told_what_to_do(project: Path) -> None:
    run_git(project, "checkout", "--quiet", "--detach")
    with pytest.raises(BadInput, match="No branch is checked out"):
        worktrees.find_repository(project)


def test_a_dirty_tree_is_refused_with_the_names_of_the_files(project: Path) -> None:
    repository = worktrees.find_repository(project)
    worktrees.require_clean(repository)
    (project / "calc.py").write_text("changed\n")
    (project / "new file.py").write_text("new\n")
    with pytest.raises(Conflict, match=r"`calc\.py`, `new file\.py`"):
        worktrees.require_clean(repository)


def test_what_tools_and_paige_leave_about_makes_no_tree_dirty(project: Path) -> None:
    for name in ("__pycache__/a.pyc", ".claude/progress/x.json", ".claude/worktrees/f/a.py"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text("x")
    assert worktrees.uncommitted(worktrees.find_repository(project)) == ()


def test_a_feature_is_built_apart_and_merged_with_a_commit_of_its_own(project: Path) -> None:
    repository = worktrees.find_repository(project)
    made = worktrees.add(repository, "F1")
    assert made.folder == project / ".claude" / "worktrees" / "F1"
    assert worktrees.add(repository, "F1") == made
    (made.folder / "sub.py").write_text("def sub(a, b):\n    return a - b\n")
    (made.folder / "__pycache__").mkdir()
    (made.folder / "__pycache__" / "sub.pyc").write_text("x")
    (made.folder / ".claude" / "progress").mkdir(parents=True)
    (made.folder / ".claude" / "progress" / "session-state.json").write_text("{}")

    first = worktrees.commit(made, "F1: Subtract", key="k1", author="coding-agent")
    assert worktrees.commit(made, "F1: Subtract", key="k1") == first
    assert worktrees.changed_files(repository, made) == ("sub.py",)
    assert "+def sub(a, b):" in worktrees.difference(repository, made)
    assert not (project / "sub.py").exists()

    tested = tree_hash(made.folder)
    done = worktrees.merge(repository, made, "F1: Subtract", key="k2")
    assert done.status == "merged"
    assert tree_hash(project) == tested
    again = worktrees.merge(repository, made, "F1: Subtract", key="k2")
    assert (again.status, again.commit) == ("already", done.commit)
    assert merges(project) == ["F1: Subtract"]
    assert "Paige-Task: k2" in run_git(project, "log", "-1", "--format=%B")

    worktrees.remove(repository, made)
    worktrees.remove(repository, made)
    assert not made.checkout.exists()
    assert run_git(project, "branch", "--list", "paige/*") == ""
    assert worktrees.uncommitted(repository) == ()


def test_a_base_that_moved_is_not_merged_over_but_taken_in_first(project: Path) -> None:
    repository = worktrees.find_repository(project)
    made = worktrees.add(repository, "F1")
    (made.folder / "sub.py").write_text("sub = 1\n")
    worktrees.commit(made, "F1", key="k1")
    (project / "other.py").write_text("other = 1\n")
    run_git(project, "add", "-A")
    run_git(project, "commit", "--quiet", "-m", "meanwhile")

    assert worktrees.merge(repository, made, "F1", key="k").status == "moved"
    assert merges(project) == []
    assert worktrees.take_base(repository, made).status == "merged"
    assert worktrees.take_base(repository, made).status == "already"
    assert worktrees.merge(repository, made, "F1", key="k").status == "merged"
    assert (project / "sub.py").exists()


def test_a_conflict_is_reported_with_its_files_and_leaves_both_branches_as_they_were(
    project: Path,
) -> None:
    repository = worktrees.find_repository(project)
    made = worktrees.add(repository, "F1")
    (made.folder / "calc.py").write_text("mine\n")
    mine = worktrees.commit(made, "F1", key="k1")
    (project / "calc.py").write_text("theirs\n")
    run_git(project, "commit", "--quiet", "-am", "meanwhile")

    taken = worktrees.take_base(repository, made)
    assert (taken.status, taken.files) == ("conflict", ("calc.py",))
    assert worktrees.tip(made) == mine
    assert (made.folder / "calc.py").read_text() == "mine\n"
    assert run_git(made.folder, "status", "--porcelain") == ""
    assert worktrees.uncommitted(repository) == ()


def test_a_dirty_tree_is_not_merged_into(project: Path) -> None:
    repository = worktrees.find_repository(project)
    made = worktrees.add(repository, "F1")
    (made.folder / "sub.py").write_text("sub = 1\n")
    worktrees.commit(made, "F1", key="k1")
    (project / "calc.py").write_text("a person types\n")
    with pytest.raises(Conflict, match="not committed"):
        worktrees.merge(repository, made, "F1", key="k2")
    assert (project / "calc.py").read_text() == "a person types\n"


def test_a_worktree_that_was_half_made_or_lost_is_made_again_with_its_commits(
    project: Path,
) -> None:
    repository = worktrees.find_repository(project)
    made = worktrees.add(repository, "F1")
    (made.folder / "sub.py").write_text("sub = 1\n")
    worktrees.commit(made, "F1", key="k1")
    shutil.rmtree(made.checkout)
    made.checkout.mkdir()
    (made.checkout / "rubbish").write_text("x")

    again = worktrees.add(repository, "F1")
    assert (again.folder / "sub.py").read_text() == "sub = 1\n"
    assert not (again.folder / "rubbish").exists()


def test_a_worktree_on_another_branch_is_no_worktree_of_the_feature(project: Path) -> None:
    repository = worktrees.find_repository(project)
    made = worktrees.add(repository, "F1")
    run_git(made.checkout, "switch", "--quiet", "-c", "elsewhere")
    with pytest.raises(Conflict, match="elsewhere"):
        worktrees.commit(made, "F1", key="k")


def test_a_project_inside_a_larger_repository_is_built_in_its_own_folder(tmp_path: Path) -> None:
    top = new_repository(tmp_path / "all", **{"apps/one/a.py": "a = 1\n"})
    repository = worktrees.find_repository(top / "apps" / "one")
    made = worktrees.add(repository, "F1")
    assert made.folder == made.checkout / "apps" / "one"
    (made.folder / "b.py").write_text("b = 1\n")
    worktrees.commit(made, "F1", key="k")
    assert worktrees.changed_files(repository, made) == ("b.py",)
    assert worktrees.merge(repository, made, "F1", key="k").status == "merged"
    assert (top / "apps" / "one" / "b.py").exists()
    assert worktrees.uncommitted(repository) == ()


def test_hooks_of_the_repository_do_not_run(project: Path) -> None:
    hook = project / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text('#!/bin/sh\ntouch "$GIT_DIR/ran"\nexit 1\n')
    hook.chmod(0o755)
    repository = worktrees.find_repository(project)
    made = worktrees.add(repository, "F1")
    (made.folder / "b.py").write_text("b = 1\n")
    worktrees.commit(made, "F1", key="k")
    assert not list((project / ".git").rglob("ran"))


@given(st.text(min_size=1, max_size=90), st.text(min_size=1, max_size=90))
def test_two_features_never_share_a_name_and_every_name_is_a_plain_one(one: str, two: str) -> None:
    names = {worktrees.name_of(one), worktrees.name_of(two)}
    assert len(names) == len({one, two})
    for name in names:
        assert name.isascii()
        assert name.replace("-", "").replace("_", "").isalnum()
        assert not name.startswith("-")
        assert len(name) <= 80
