"""The `.gitignore` of a project is a stranger's: its lines are patterns, and bounded."""

import time
from pathlib import Path

from paige.guard.state.tree import tree_hash


def test_a_hostile_gitignore_does_not_hold_up_the_hash_of_a_tree(tmp_path: Path) -> None:
    (tmp_path / ("a" * 200)).write_text("x", encoding="utf-8")
    (tmp_path / ".gitignore").write_text("*a" * 40 + "*b\n[z-a]x\n", encoding="utf-8")
    start = time.thread_time()
    assert tree_hash(tmp_path)
    assert time.thread_time() - start < 2


def test_what_is_ignored_does_not_count(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("*.log\n!kept.log\n/build/\n", encoding="utf-8")
    before = tree_hash(tmp_path)
    (tmp_path / "a.log").write_text("x", encoding="utf-8")
    assert tree_hash(tmp_path) == before
    (tmp_path / "kept.log").write_text("x", encoding="utf-8")
    assert tree_hash(tmp_path) != before
