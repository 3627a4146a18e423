"""The demo's commands when something goes wrong, and who may use them."""

import fcntl
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from paige.app.demo.installation import LOCK, demo_folder, keep_old_sample, read_demo
from tests.live import PAIGE, environment, run_paige

pytestmark = pytest.mark.timeout(900)
LOOK_SECONDS = 0.02


def test_a_fill_that_is_killed_leaves_no_demo_that_looks_whole(tmp_path: Path) -> None:
    place = demo_folder(tmp_path / ".paige")
    environ = environment(tmp_path)
    command = [PAIGE, "demo", "reset", "--yes"]
    with subprocess.Popen(command, env=environ, cwd=tmp_path, start_new_session=True) as process:
        while process.poll() is None and not (place / "paige.db").exists():
            with suppress(subprocess.TimeoutExpired):
                process.wait(LOOK_SECONDS)
        process.kill()
    half = read_demo(tmp_path / ".paige"), place.exists()
    (tmp_path / ".paige" / "mine.txt").write_text("mine\n")
    # The process that fills notices at its next word that nobody hears it any more.
    with (tmp_path / ".paige" / LOCK).open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
    removed = run_paige(tmp_path, "demo", "remove", "--yes")

    assert half == (None, True)
    assert removed.returncode == 0, removed.stderr
    assert not place.exists()
    assert (tmp_path / ".paige" / "mine.txt").exists()


def test_a_disk_that_takes_no_more_is_said_and_leaves_no_demo(tmp_path: Path) -> None:
    # A file may have 4 KB, and the database wants more.
    command = ["bash", "-c", f"ulimit -f 4 && exec {PAIGE} demo reset --yes"]
    done = subprocess.run(
        command, env=environment(tmp_path), cwd=tmp_path, capture_output=True, text=True,
        check=False,
    )  # fmt: skip

    assert done.returncode == 1
    assert "The demo could not be made: The disk of" in done.stderr
    assert "Traceback" not in done.stderr
    assert read_demo(tmp_path / ".paige") is None


@pytest.mark.parametrize("words", [("reset",), ("remove",)])
def test_an_agent_may_not_reset_or_remove_the_demo(tmp_path: Path, words: tuple[str, ...]) -> None:
    done = run_paige(tmp_path, "demo", *words, "--yes", CLAUDECODE="1")

    assert done.returncode == 3
    assert "An agent may not do this" in done.stderr


def test_without_a_yes_nothing_is_changed(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "demo", "remove")
    where = run_paige(tmp_path, "demo", "path")

    assert done.returncode == 3
    assert "Say `--yes`" in done.stderr
    assert where.stdout.strip() == str(tmp_path / ".paige" / "demo")


def test_a_copy_of_the_sample_from_before_there_was_a_demo_is_kept(tmp_path: Path) -> None:
    old = tmp_path / "demo" / "project"
    old.mkdir(parents=True)
    (old / "basket.py").write_text("# mine\n", encoding="utf-8")

    keep_old_sample(tmp_path)

    assert (tmp_path / "sample" / "project" / "basket.py").read_text() == "# mine\n"
    assert not old.exists()
