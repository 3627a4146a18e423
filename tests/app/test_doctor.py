"""Gathering checks, and the words about providers."""

from pathlib import Path

from paige.base.checks import Check
from paige.base.settings import Settings
from paige.doors.setup.doctor import ROOMS, healthy, run_checks
from paige.doors.setup.operations import read_doors


def test_every_room_may_add_checks_and_their_names_are_unique(tmp_path: Path) -> None:
    checks = run_checks(Settings(cwd=tmp_path, given_data_dir=tmp_path))

    names = [check.name for check in checks]
    assert len(names) == len(set(names))
    assert {"python", "data folder", "database", "web app", "project", "reach"} <= set(names)


def test_doctor_knows_every_room_that_has_checks() -> None:
    package = Path(run_checks.__code__.co_filename).parents[1]
    rooms = {path.parent.name for path in package.glob("*/checks.py")}

    assert rooms <= set(ROOMS)


def test_a_check_of_a_broken_room_is_a_failed_check() -> None:
    nowhere = Settings(cwd=Path("/"), environ={})

    checks = run_checks(nowhere)

    assert not healthy(checks)
    assert any("HOME" in check.message for check in checks if check.status == "fail")


def test_a_warning_is_still_healthy() -> None:
    assert healthy([Check("a", "warn", "b"), Check("c", "ok", "d")])


def test_the_four_doors_have_all_their_words() -> None:
    doors = read_doors()

    assert [door.id for door in doors] == ["plan", "study", "coach", "guard"]
    assert all(door.title and door.audience and door.summary for door in doors)
