"""Whatever strikes while somebody studies, what they were told is kept, and they can go on.

Real commands in real processes: killed at writes all over a session, out of space, stopped by the
kernel in the middle of a file, two at once. Then files damaged by hand in every way: each is told
with its line and what to do, and nothing else is lost.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from paige.base.errors import Conflict, PaigeError
from paige.doors.site.main import paige
from paige.learner.changes import fold
from paige.learner.files import LearnerFiles
from paige.learner.progress import Thresholds
from paige.store.documents import DirectoryDocuments
from tests.docs.pages import ROOT
from tests.study.answering import right_answer
from tests.study.faulty_session import NOON
from tests.study.small_course import MALAY, write_malay


class Driver:
    """The program that studies and is struck."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.lines: list[list[str]] = []

    def strike(self, mode: str, number: int, root: Path) -> list[int]:
        """Study in a folder until something happens; how the processes ended."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{mode} {number} {root}\n")
        self._process.stdin.flush()
        self.lines = []
        while (line := self.read())[0] != "ended":
            self.lines.append(line)
        return [int(each) for each in line[1:]]

    def read(self) -> list[str]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "The program that studies is gone"
        return line.split()

    def told(self) -> set[str]:
        """Results and records that somebody was told of."""
        return {each for line in self.lines if line[0] == "told" for each in line[2:]}

    def step(self) -> int:
        """The last step that was shown."""
        return max((int(line[1]) for line in self.lines if line[0] == "told"), default=0)

    def said(self, what: str) -> str:
        return " ".join(" ".join(line[1:]) for line in self.lines if line[0] == what)


@pytest.fixture(scope="module")
def driver() -> Iterator[Driver]:
    with subprocess.Popen(
        [sys.executable, "-m", "tests.study.faulty_session"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        found = Driver(process)
        assert found.read() == ["ready"]
        yield found
        process.kill()


def new_course(folder: Path) -> Path:
    folder.mkdir()
    write_malay(folder)
    return folder


def sessions(root: Path) -> Path:
    return root / "learner" / MALAY / "sessions"


def assert_whole(root: Path, told: set[str]) -> int:
    """What was told is in the logs, once, and progress follows from them; how much that is."""
    found = [
        each
        for path in sessions(root).glob("*.json")
        for each in json.loads(path.read_text())["exercises"]
    ]
    names = [each["change_id"] for each in found]
    assert len(names) == len(set(names))
    known = {*names, *(f"result:{each['exercise_id']}" for each in found)}
    assert told <= known
    files = LearnerFiles(DirectoryDocuments(root), Thresholds())
    state = files.read(MALAY)
    assert not state.problems
    assert state.progress == fold(files.changes(MALAY), Thresholds()).progress
    for path in sessions(root).glob("*.state"):
        json.loads(path.read_text())
    return len(names)


def test_kill_9_at_writes_all_over_a_session_loses_at_most_the_answer_being_typed(
    driver: Driver, tmp_path: Path
) -> None:
    whole = new_course(tmp_path / "whole")
    assert driver.strike("count", 0, whole) == [0]
    exercises = assert_whole(whole, driver.told())
    writes = int(driver.said("writes"))
    assert exercises >= 2
    assert writes > 30
    for number in range(2, writes, max(writes // 9, 1)):
        root = new_course(tmp_path / str(number))
        assert driver.strike("kill", number, root) == [-9]
        told, step = driver.told(), driver.step()
        assert_whole(root, told)
        assert driver.strike("on", 0, root) == [0], f"after write {number}"
        assert int(driver.lines[0][1]) >= step, "a step that was shown is gone"
        assert assert_whole(root, told | driver.told()) == exercises


def test_a_full_disk_is_told_and_nothing_is_lost(driver: Driver, tmp_path: Path) -> None:
    whole = new_course(tmp_path / "whole")
    assert driver.strike("count", 0, whole) == [0]
    exercises = assert_whole(whole, driver.told())
    writes = int(driver.said("writes"))
    for number in range(3, writes, max(writes // 4, 1)):
        root = new_course(tmp_path / str(number))
        ended = driver.strike("full", number, root)
        told = driver.told()
        kept = assert_whole(root, told)
        if ended == [0]:  # only what the profile notes about modalities was not written
            assert kept == exercises
            continue
        assert ended == [1]
        assert "disk is full" in driver.said("complaint")
        assert "try again" in driver.said("complaint")
        assert driver.strike("on", 0, root) == [0]
        assert assert_whole(root, told | driver.told()) == exercises


@pytest.mark.parametrize("size", [300, 2_000, 6_000])
def test_a_write_that_stops_in_the_middle_leaves_the_old_file(
    driver: Driver, tmp_path: Path, size: int
) -> None:
    root = new_course(tmp_path / "torn")
    assert driver.strike("torn", size, root) == [1]
    assert "was not written" in driver.said("complaint")
    told = driver.told()
    assert_whole(root, told)
    assert driver.strike("on", 0, root) == [0]
    assert_whole(root, told | driver.told())


def test_two_processes_on_one_learner_record_every_exercise_once(
    driver: Driver, tmp_path: Path
) -> None:
    alone = new_course(tmp_path / "alone")
    assert driver.strike("on", 0, alone) == [0]
    exercises = assert_whole(alone, driver.told())
    root = new_course(tmp_path / "two")
    assert driver.strike("two", 0, root) == [0, 0]
    assert assert_whole(root, driver.told()) >= exercises
    # Who comes last may find the session over and begin another; the first one is whole.
    first = json.loads(min(sessions(root).glob("*.json")).read_text())["exercises"]
    assert len(first) == exercises


# --- files that somebody damaged -------------------------------------------------------------

PROFILE, PROGRESS = "learner/profile.json", f"learner/{MALAY}/progress.json"
COURSE = f"courses/{MALAY}"
DAMAGES = {
    "cut off": lambda data: data[: len(data) * 2 // 3],
    "empty": lambda data: b"",
    "not text": lambda data: data[:20] + b"\xff\xfe\x00" + data[20:],
    "a comma too many": lambda data: data.rstrip().rstrip(b"}]") + b",,\n",
    "another shape": lambda data: b'["something", 1]\n',
}
FILES = [PROFILE, PROGRESS, "log", "state", f"{COURSE}/config.json", f"{COURSE}/concepts.json"]


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """Every file of somebody who has studied once and begun a second session."""
    root = tmp_path_factory.mktemp("studied")
    write_malay(root)
    step = run(root, 0, "start", "--course", MALAY, "--seed", "1")
    for _ in range(80):
        if step["stage"] == "over":
            break
        step = run(root, 0, "next", *right_answer(root, step))
    run(root, 0, "profile", "--minutes", "20", at=False)
    run(root, 9, "start", "--seed", "1")
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and not path.name.endswith("lock")
    }


def run(root: Path, day: int, *arguments: str, at: bool = True) -> Any:
    """One command; what it prints. Raises what the command raises."""
    when = ["--at", (NOON + timedelta(days=day)).isoformat()] if at else []
    variables = {"PAIGE_TEACHING_DIR": str(root), "HOME": str(root), "DATA_DIR": f"{root}/data"}
    done = CliRunner(env=variables).invoke(
        paige, ["study", *arguments, "--json", *when], standalone_mode=False
    )
    if done.exception is not None:
        raise done.exception
    return json.loads(done.stdout)


def tried(root: Path, command: str) -> Any:
    """What a command prints, or the complaint a person would read."""
    try:
        return run(root, 9, command, "--course", MALAY)
    except PaigeError as error:
        return error


def restored(root: Path, files: dict[str, bytes]) -> None:
    for name, data in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_bytes(data)


def chosen(name: str, files: dict[str, bytes]) -> str:
    """The path of a file; `log` and `state` are those of the newest session that has one."""
    ending = {"log": ".json", "state": ".state"}.get(name)
    if ending is None:
        return name
    return max(each for each in files if "/sessions/" in each and each.endswith(ending))


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("name", FILES)
def test_a_damaged_file_is_told_with_its_line_and_a_fix_and_stays_as_it_is(
    tmp_path: Path, studied: dict[str, bytes], name: str, damage: str
) -> None:
    restored(tmp_path, studied)
    path = chosen(name, studied)
    broken = DAMAGES[damage](studied[path])
    (tmp_path / path).write_bytes(broken)
    step = tried(tmp_path, "next")
    if isinstance(step, PaigeError):  # a course that cannot be read at all
        assert name.startswith(COURSE)
        assert step.hint
        told = f"{step.message} {step.hint}"
    else:
        told = json.dumps(step["problems"])
        assert all(each["line"] >= 1 and each["fix"] for each in step["problems"])
        assert step["stage"] in ("exercise", "teach", "nothing", "check")
    assert Path(path).name in told, told
    for command in ("progress", "due"):
        seen = tried(tmp_path, command)
        assert name.startswith(COURSE) or not isinstance(seen, PaigeError)
    assert (tmp_path / path).read_bytes() == broken, "a damaged file was written over"
    for other, data in studied.items():
        if other != path and ("/sessions/" in other or other == PROFILE or COURSE in other):
            assert (tmp_path / other).read_bytes() == data or other.endswith(".state"), other


def test_a_damaged_profile_can_be_mended_and_is_not_overwritten_by_a_change(
    tmp_path: Path, studied: dict[str, bytes]
) -> None:
    restored(tmp_path, studied)
    (tmp_path / PROFILE).write_text('{\n  "version": 1,\n  oops\n}\n')
    with pytest.raises(PaigeError, match=r"profile\.json") as caught:
        run(tmp_path, 9, "profile", "--minutes", "30", at=False)
    assert "line 3" in str(caught.value) or ":3" in str(caught.value)
    assert "oops" in (tmp_path / PROFILE).read_text()
    (tmp_path / PROFILE).write_bytes(studied[PROFILE])
    assert run(tmp_path, 9, "profile", at=False)["learning_preferences"]


def test_a_lost_progress_file_is_made_again_from_the_logs(
    tmp_path: Path, studied: dict[str, bytes]
) -> None:
    restored(tmp_path, studied)
    (before,) = run(tmp_path, 9, "progress", "--course", MALAY)
    (tmp_path / PROGRESS).unlink()
    (after,) = run(tmp_path, 9, "progress", "--course", MALAY)
    assert after["concepts"] == before["concepts"]
    assert after["retention"] == before["retention"]


@pytest.mark.parametrize("answered", [0, 2])
def test_a_concept_taken_out_of_the_course_is_left_out_of_the_open_session(
    tmp_path: Path, answered: int
) -> None:
    write_malay(tmp_path)
    step = run(tmp_path, 0, "start", "--course", MALAY, "--seed", "1")
    for _ in range(answered):
        step = run(tmp_path, 0, "next", *right_answer(tmp_path, step))
    assert step["item"]["concept"] == "greetings"
    concepts = tmp_path / COURSE / "concepts.json"
    concepts.write_text(concepts.read_text().replace('"greetings"', '"hellos"'))
    with pytest.raises(Conflict, match="not in the course any more"):
        run(tmp_path, 0, "next", "--done")
    after = run(tmp_path, 0, "next")
    assert after["session"] != step["session"] or after["item"]["concept"] != "greetings"
    assert after["stage"] in ("teach", "exercise")


# --- what people type wrongly ------------------------------------------------------------------

WRONG = [
    ("start --course nothing", "no course `nothing`"),
    ("start --learner a/b", "name of a learner"),
    ("start --at yesterday", "not a moment"),
    ("start --at 2026-03-02T12:00:00", "no time zone"),
    ("next --answer x --learner nobody", "Which course?"),
    ("next --answer x --learner nobody --course melayu", "No session is open"),
    ("next --hint --skip", "do not go together"),
    ("next --part nothing", "names no question"),
    ("next --instead singing", "not a modality"),
    ("next --instead code", "cannot be done as `code`"),
    ("next --step 99 --done", "not at step 99"),
    ("next --answer x --seconds nan", "no number of seconds"),
    ("next --answer x --seconds inf", "no number of seconds"),
    ("quiz --concept nothing", "no concept `nothing`"),
    ("quiz --unit nothing", "no unit `nothing`"),
    ("profile --minutes 0", "5 to 240 minutes"),
    ("profile --minutes 99999", "5 to 240 minutes"),
    ("profile --retention 0.2", "cannot be kept"),
    ("profile --retention nan", "cannot be kept"),
    ("profile --prefer singing", "not a modality"),
    ("profile --easy someday", "not a day of the week"),
    ("profile --zone Mars/Base", "not a time zone"),
    ("profile --exam melayu", "names no course"),
    ("profile --exam melayu=soon", "not a day"),
    ("profile --exam nothing=2026-12-01", "no course `nothing`"),
    ("progress --course nothing", "no course `nothing`"),
    ("courses nothing", "no course `nothing`"),
    ("new ../x", "cannot be the name of a course"),
    ("new mine --from nothing", "no template or course"),
    ("import anki /nowhere.apkg", "There is no `/nowhere.apkg`"),
    ("import exercism /nowhere", "There is no"),
    ("export csv nothing", "no course `nothing`"),
]


@pytest.mark.parametrize(("typed", "told"), WRONG)
def test_what_is_typed_wrongly_is_told_with_a_hint(
    tmp_path: Path, studied: dict[str, bytes], typed: str, told: str
) -> None:
    restored(tmp_path, studied)
    words = typed.split()
    result = CliRunner(
        env={"PAIGE_TEACHING_DIR": str(tmp_path), "HOME": str(tmp_path), "DATA_DIR": "data"}
    ).invoke(paige, ["study", *words], standalone_mode=False)
    error = result.exception
    assert isinstance(error, PaigeError), result.output
    assert error.hint
    assert told in f"{error.message} {error.hint}"
    for name, data in studied.items():
        assert (tmp_path / name).read_bytes() == data, f"{name} was changed"
