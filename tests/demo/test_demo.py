"""The demo: full behind every door, the same whenever it is filled, and apart from one's own."""

import signal
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import httpx2
import pytest

from paige.app.demo import demo_folder, keep_old_sample, read_demo
from tests.demo.conftest import Filled, reset
from tests.demo.dumped import dumped
from tests.live import PAIGE, Live, environment, live_paige, run_paige

pytestmark = pytest.mark.timeout(900)
LONG = 60
MOST_TRIES = 200


@pytest.fixture
def shown(filled: Filled) -> Iterator[Live]:
    """A server that shows the demo."""
    with live_paige(filled.home, "up", "--demo") as live:
        yield live


def ask(live: Live, path: str) -> httpx2.Response:
    answer = httpx2.get(f"{live.url}/api{path}", timeout=LONG)
    assert answer.status_code == 200, answer.text
    return answer


def own_files(filled: Filled) -> dict[str, bytes]:
    """Everything in the home that is not the demo's."""
    paths = (path for path in filled.home.rglob("*") if path.is_file())
    return {
        str(path): path.read_bytes()
        for path in paths
        if not path.is_relative_to(filled.demo) and path.name != "demo.lock"
    }


def test_every_door_of_the_demo_has_something_behind_it(shown: Live) -> None:
    lessons = ask(shown, "/plan/lessons").json()
    sessions = ask(shown, "/plan/sessions").json()["sessions"]
    courses = {each["name"]: each for each in ask(shown, "/study").json()["courses"]}
    progress = ask(shown, "/study/progress?course=bahasa-melayu").json()
    coach = ask(shown, "/coach/dashboard?period=all").json()
    decisions = ask(shown, "/guard/decisions").json()
    guards = {each["id"]: each["standing"] for each in ask(shown, "/guards").json()["guards"]}
    orchestra = ask(shown, "/orchestra").json()
    graph = ask(shown, "/graph").json()
    runs = ask(shown, "/traces").json()["runs"]
    costs = ask(shown, "/costs?days=90").json()
    memories = ask(shown, "/memory/search?query=pence").json()["results"]

    assert len(lessons) >= 12
    assert {each["classId"] for each in lessons} >= {"1B", "2A", "2C", "3B"}
    assert any(each["state"] == "waiting" for each in sessions)
    assert {"bahasa-melayu", "python-algorithms", "how-memory-works", "coach"} <= set(courses)
    assert progress
    assert len(coach["dreyfus"]) >= 3
    assert {"production", "shadow"} <= set(guards.values())
    assert len(decisions["decisions"]) >= 20
    assert orchestra["features"]
    assert set(graph["types"]) == {"approval", "correction", "decision", "violation"}
    assert len(runs) >= 15
    assert len(costs["days"]) == 90
    assert memories


def test_the_demo_says_where_it_is_and_how_to_leave_it(shown: Live, filled: Filled) -> None:
    session = ask(shown, "/session").json()
    setup = ask(shown, "/setup").json()
    code, said = shown.stop(signal.SIGINT)

    assert session["demo"] is True
    assert setup["project"] == str(filled.demo / "project")
    assert setup["provider"]["name"] == "local"
    assert code == 0
    assert "Paige is ready at http://127.0.0.1:" in said
    assert "This is the demo" in said
    assert "`paige demo reset` puts it back" in said


def test_an_installation_of_ones_own_is_no_demo(filled: Filled) -> None:
    with live_paige(filled.home, "up") as live:
        assert ask(live, "/session").json()["demo"] is False
        assert ask(live, "/plan/lessons").json() == []


def test_nobody_resets_the_demo_while_a_server_shows_it(shown: Live, filled: Filled) -> None:
    refused = run_paige(filled.home, "demo", "reset", "--yes")
    again = run_paige(filled.home, "up", "--demo")

    assert (refused.returncode, again.returncode) == (1, 1)
    assert "Another process of Paige uses the demo" in refused.stderr
    assert "Stop the server" in again.stderr


def test_a_reset_brings_back_the_same_demo_and_touches_nothing_else(filled: Filled) -> None:
    with live_paige(filled.home, "up", "--demo"):
        pass  # whatever a server notes by itself
    own, lesson = own_files(filled), next((filled.demo / "workspace/lessons").iterdir())
    lesson.unlink()
    (filled.demo / "project" / "basket.py").write_text("# broken\n", encoding="utf-8")
    (filled.demo / "mine.txt").write_text("left here by mistake\n", encoding="utf-8")

    reset(filled.home)

    assert (lesson.exists(), (filled.demo / "mine.txt").exists()) == (True, False)
    assert dumped(filled.demo) == filled.before
    assert own_files(filled) == own


def test_a_fill_that_is_killed_leaves_no_demo_that_looks_whole(tmp_path: Path) -> None:
    place = demo_folder(tmp_path / ".paige")
    environ = environment(tmp_path)
    command = [PAIGE, "demo", "reset", "--yes"]
    with subprocess.Popen(command, env=environ, cwd=tmp_path, start_new_session=True) as process:
        for _ in count():
            if (place / "paige.db").exists() or process.poll() is not None:
                break
        process.kill()
    half = read_demo(tmp_path / ".paige"), place.exists()
    (tmp_path / ".paige" / "mine.txt").write_text("mine\n")
    # The process that fills notices at its next word that nobody hears it any more.
    removed = run_paige(tmp_path, "demo", "remove", "--yes")
    for _ in range(MOST_TRIES):
        if removed.returncode == 0:
            break
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
