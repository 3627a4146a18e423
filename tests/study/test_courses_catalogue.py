"""Courses that were read before, and when they are read again."""

from pathlib import Path

import pytest

from paige.base.file_cache import stamps_of
from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import load_course
from tests.study import small_courses


def test_a_course_is_read_again_only_when_one_of_its_files_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paige.base.file_cache._TICK", 0)
    small_courses.malay(tmp_path)
    documents = DirectoryDocuments(tmp_path)

    first = load_course(documents, "malay")
    again = load_course(DirectoryDocuments(tmp_path), "malay")
    files = sorted((tmp_path / "courses" / "malay").rglob("*"))
    place = next(path for path in files if path.is_file())
    place.write_text(place.read_text("utf-8") + "\n", encoding="utf-8")
    changed = load_course(documents, "malay")

    assert again is first
    assert changed is not first


def test_what_was_written_this_moment_is_read_every_time(tmp_path: Path) -> None:
    small_courses.malay(tmp_path)
    documents = DirectoryDocuments(tmp_path)

    assert stamps_of(tmp_path / path for path in documents.paths("courses/malay")) is None
    assert stamps_of([tmp_path / "courses/malay/nothing.md"]) is None
