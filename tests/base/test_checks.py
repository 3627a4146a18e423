from pathlib import Path

import pytest

from paige.base import checks as module
from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.checks import Check, checks
from paige.base.settings import Settings


def by_name(settings: Settings) -> dict[str, Check]:
    return {check.name: check for check in checks(settings)}


def test_a_writable_folder_is_ok_and_keeps_no_trace_of_the_check(tmp_path: Path) -> None:
    answers = by_name(Settings(cwd=tmp_path, given_data_dir=tmp_path))
    assert {name: answer.status for name, answer in answers.items()} == {
        "python": "ok",
        "data folder": "ok",
    }
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_cannot_be_used_fails_with_a_way_out(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    answer = by_name(Settings(cwd=tmp_path, given_data_dir=tmp_path / "file"))["data folder"]
    assert answer.status == "fail"
    assert str(tmp_path / "file") in answer.message
    assert "DATA_DIR" in (answer.fix or "")


def test_no_home_fails_and_names_the_variable(tmp_path: Path) -> None:
    answer = by_name(Settings(cwd=tmp_path))["data folder"]
    assert answer.status == "fail"
    assert "`DATA_DIR`" in (answer.fix or "")


def test_little_space_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "ENOUGH_DISK", 2**80)
    answer = by_name(Settings(cwd=tmp_path, given_data_dir=tmp_path))["data folder"]
    assert answer.status == "warn"
    assert "MB left" in answer.message


def test_variables_named_like_ours_are_a_warning(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path, environ={"PAIGE_PROT": "1"})
    answer = by_name(settings)["variables"]
    assert answer.status == "warn"
    assert "`PAIGE_PROT`" in answer.message


def test_an_actor_is_someone_of_the_local_tenant_without_roles() -> None:
    assert Actor() == Actor(LOCAL_TENANT, "me", frozenset())
    assert LOCAL_TENANT == "local"
