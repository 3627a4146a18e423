"""What a person left with the version before opens, goes on and comes back with this one.

`make.py` says what there is and how it came about. What that version said at last about everything
that was open is the measure: this one says the same, and goes on from there.
"""

import json
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest

import paige
from paige.hooks.faults import TOO_LATE
from tests import nursery
from tests.before import make
from tests.before.make import BOARD, FOLDERS, HOME, LOOKS, PROJECT
from tests.conftest import TEMPLATE
from tests.live import PAIGE, live_paige
from tests.orchestra.repositories import merges
from tests.postgres import database_url, temp_database
from tests.server.learned_project import CLAIM, CLAIMS, CODER, LIST
from tests.server.windows import window
from tests.study.answering import right_answer

pytestmark = pytest.mark.db
TRIES = 10
PASSING = ("minutes_left", "resumed", "advice")
SPOOL = HOME / ".paige" / "spool"
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Before:
    """The folder of the version before, in the hands of this one."""

    url: str
    said: Json

    @property
    def environ(self) -> dict[str, str]:
        """What a person has in their shell."""
        given = make.environment(self.url)
        del given["PYTHONPATH"]
        return {**given, "PYTHONWARNINGS": nursery.WARNINGS}

    def run(
        self, *arguments: str, cwd: Path = PROJECT, **extra: str
    ) -> subprocess.CompletedProcess[str]:
        """Run a command."""
        env = {**self.environ, **extra}
        return nursery.run([PAIGE, *arguments], env=env, cwd=cwd, text=True, timeout=120)

    def json(self, *arguments: str, cwd: Path = PROJECT, **extra: str) -> Any:
        """What a command prints as JSON."""
        done = self.run(*arguments, "--json", cwd=cwd, **extra)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def look(self, name: str) -> Any:
        """Ask what the version before was asked at last."""
        return self.json(*LOOKS[name][:-1], cwd=FOLDERS.get(name, PROJECT))


@pytest.fixture
def before(db_engine: str, request: pytest.FixtureRequest) -> Iterator[Before]:
    """The folder, unpacked where it was, and the database it belongs to."""
    with make.alone():
        unpack(db_engine)
        said = json.loads((HOME / make.SAID).read_text(encoding="utf-8"))
        if db_engine == "sqlite":
            yield Before("", said)
            return
        server = request.getfixturevalue("postgres_server")
        with temp_database(server, template="template0") as url:
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute((HOME / make.DUMP).read_bytes())
            yield Before(url, said)


def empty_database(before: Before) -> AbstractContextManager[str]:
    """The address of another database of the same server; nothing for SQLite."""
    if not before.url:
        return nullcontext("")
    return temp_database(database_url(before.url, "postgres"), template=TEMPLATE)


def unpack(engine: str) -> None:
    """Put the folder where it was, with this version where the other one was installed."""
    with tarfile.open(make.archive(engine)) as packed:
        packed.extractall(HOME, filter="tar")
    make.PROGRAM.mkdir()
    (make.PROGRAM / "venv").symlink_to(sys.prefix)
    (make.PROGRAM / "src").symlink_to(Path(paige.__file__).parents[1])


def fire(before: Before, event: str, **given: Any) -> Any:
    """What the installed hook answers to an event, when it has the time to judge it.

    The first one after an upgrade makes the rules anew; on a busy machine that may be too slow.
    """
    env = {"HOME": str(HOME), "PATH": before.environ["PATH"]}
    for _ in range(TRIES):
        answer = make.fire(event, given, env)
        if TOO_LATE not in json.dumps(answer):
            return answer
    raise AssertionError(answer)


def lines_of_spool() -> list[Json]:
    """What hooks noted and nobody took in."""
    files = [each for each in sorted(SPOOL.iterdir()) if each.suffix in (".jsonl", ".draining")]
    return [json.loads(line) for each in files for line in each.read_text("utf-8").splitlines()]


def found(before: Before, query: str) -> list[str]:
    """The texts of memories."""
    return [each["text"] for each in before.json("memory", "search", query)["results"]]


def keeps(new: Any, old: Any, *passing: str) -> bool:
    """Whether a value has everything that an older one has; what passes with time is left out."""
    if isinstance(old, dict):
        names = old.keys() - set(passing)
        return names <= new.keys() and all(keeps(new[each], old[each], *passing) for each in names)
    if isinstance(old, list):
        return len(new) == len(old) and all(map(lambda *two: keeps(*two, *passing), new, old))
    return new == old


# --- it opens -------------------------------------------------------------------------------------


def test_doctor_complains_of_nothing_that_an_empty_folder_is_not_blamed_for(
    before: Before, tmp_path: Path
) -> None:
    fire(before, "PreToolUse", tool_name="Bash", tool_input={"command": "ls"})
    given = {"PROJECT_DIR": str(PROJECT)}

    def checks(**extra: str) -> list[Json]:
        return json.loads(before.run("doctor", "--json", **given, **extra).stdout)["checks"]

    def complaints(found: list[Json]) -> set[str]:
        return {f"{each['name']}: {each['message']}" for each in found if each["status"] != "ok"}

    found = checks()
    assert "guard of Claude Code" in {each["name"] for each in found}
    if blamed := complaints(found):
        with empty_database(before) as url:
            blamed -= complaints(checks(HOME=str(tmp_path), DATABASE_URL=url))
    assert blamed == set()


def test_a_server_opens_it_and_every_door_has_what_was_there(before: Before) -> None:
    session, waiting = before.said["session"]["session"]["session"], before.said["waiting"]
    given = {**before.environ, "PROJECT_DIR": str(PROJECT)}
    del given["HOME"], given["PYTHONWARNINGS"]
    with live_paige(HOME, **given) as live:

        def told(path: str) -> str:
            answer = httpx2.get(f"{live.url}{path}", timeout=60)
            assert answer.status_code == 200, answer.text
            return answer.text

        told("/health/ready")
        assert waiting["session"] in told("/api/plan/sessions")
        assert before.said["step"]["session"] in told("/api/study")
        assert CLAIMS in told("/api/guards")
        assert "trace-0000000000000002" in told("/api/graph/traces?limit=100")
        assert "needs water on Mondays" in told("/api/memory/recent")
        told("/api/orchestra")
        with window(live.ws) as shown:
            restored = shown.ask("session:resume", {"sessionId": session}, answer="session:resumed")
    assert "Write a test" in json.dumps(restored)


# --- it goes on -----------------------------------------------------------------------------------


def test_the_waiting_run_is_answered_and_finishes(before: Before) -> None:
    waiting = before.said["waiting"]

    done = before.json("plan", "resume", waiting["trace"], "--yes")

    assert done["status"] == "success"
    assert (done["session"], done["trace"]) == (waiting["session"], waiting["trace"])
    first, asked = done["gates"][0], waiting["gates"][0]
    assert keeps(first, asked, "reply")
    assert [each["valid"] for each in done["evidence"]] == [True] * len(done["evidence"])
    again = before.json("plan", "resume", before.said["lesson"]["session"])
    assert again["output"] == before.said["lesson"]["output"]


def test_the_spool_is_taken_into_graph_and_memory_once(before: Before) -> None:
    waiting = lines_of_spool()
    assert [each["event"] for each in waiting].count("prompt_submit") == 2

    def after_learning() -> tuple[int, int]:
        assert before.run("guard", "learn").returncode == 0
        denied = before.json("guard", "traces", "find", "--rule", "guard:no-force-push")
        return denied["total"], before.json("memory", "stats")["events"]

    known = after_learning()

    assert known[0] == 1
    assert after_learning() == known
    assert lines_of_spool() == []
    assert "Always run the linter before a commit, please." in found(before, "linter commit")


def test_the_orchestra_goes_on_with_the_feature_that_was_in_hand(before: Before) -> None:
    following = before.look("next")
    assert following == before.said["next"]
    assert (following["agent"], following["feature"]) == ("coding-agent", "F2")
    assert keeps(before.look("status"), before.said["status"])

    work = ("orchestra", "run", "--runner", "claude-code", "--most", "1")
    report = before.json(*work, cwd=BOARD)

    assert (report["closed"], report["open"]) == (["F1", "F2"], ["F3"])
    assert [each[:2] for each in merges(BOARD)] == ["F1", "F2"]


def test_learned_guards_stand_where_they_stood_and_do_what_they_did(before: Before) -> None:
    assert keeps(before.look("guards"), before.said["guards"])
    given = {"file_path": str(PROJECT / LIST), "content": CLAIM}

    fire(before, "PreToolUse", tool_name="Write", tool_input=given, agent_type=CODER)

    assert [CLAIMS] in [each.get("shadow") for each in lines_of_spool()]
    stages = {each["id"]: each["stage"] for each in before.look("guards")["guards"]}
    assert stages["no-force-push"] == "production"


def test_the_installed_hooks_answer_as_before(before: Before) -> None:
    said = [fire(before, event, **given) for event, given in make.EVENTS]

    assert said == before.said["hooks"]
    assert "Push a new commit instead" in json.dumps(said[1])


def test_memory_finds_what_was_remembered_and_is_whole(before: Before) -> None:
    ids = before.said["memory"]
    assert before.run("memory", "verify").returncode == 0

    results = before.look("search")["results"]

    assert results[0]["id"] == ids[0]
    assert [each["id"] for each in results] == [
        each["id"] for each in before.said["search"]["results"]
    ]
    assert "The release is on Friday" not in found(before, "when is the release")


def test_the_study_session_goes_on_at_its_step(before: Before) -> None:
    step = before.look("step")
    assert keeps(step, before.said["step"], *PASSING)

    for _ in range(80):
        if step["stage"] == "over":
            break
        options = right_answer(HOME / ".claude" / "teaching", step)
        step = before.json("study", "next", "--step", str(step["step"]), *options)
    assert step["stage"] == "over"
    assert step["summary"]["share"] == 1.0


def test_the_coach_session_goes_on_in_its_phase(before: Before) -> None:
    assert before.look("phases") == before.said["phases"]
    session = before.look("session")
    assert keeps(session, before.said["session"])

    before.run("coach", "phases", "--set", "2", "complete")
    standing = [each["status"] for each in before.look("phases")]
    assert standing == ["complete", "complete", "pending"]
    left = before.said["session"]["earlier"][0]["session"]
    assert before.json("coach", "resume", left)["session"] == left
    assert before.json("coach", "resume")["session"] == session["session"]["session"]


# --- it comes back --------------------------------------------------------------------------------


def test_the_backup_of_the_version_before_holds_the_same_in_an_empty_folder(
    before: Before, tmp_path: Path
) -> None:
    old, new = HOME / make.BACKUP, tmp_path / "new"
    given = before.json("restore", str(old), "--into", str(new))["settings"]
    given["DATABASE_URL"] = ""

    again = tmp_path / "again.zip"
    assert before.run("backup", str(again), **given).returncode == 0

    assert manifest(again)["tables"].items() >= manifest(old)["tables"].items()
    results = before.json(*LOOKS["search"][:-1], **given)["results"]
    assert [each["id"] for each in results] == before.said["memory"][:1]
    assert before.run("memory", "verify", **given).returncode == 0
    done = before.json("plan", "resume", before.said["waiting"]["trace"], "--yes", **given)
    assert done["status"] == "success"


def manifest(backup: Path) -> Json:
    """What a backup says it holds."""
    with zipfile.ZipFile(backup) as opened:
        return json.loads(opened.read("manifest.json"))
