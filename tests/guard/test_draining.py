"""Lines of hooks become memories: once each, whatever happens in between."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.clock import system_clock
from paige.guard.episodes import drafts_of_lines, outcome_of, program_of, task_of
from paige.guard.fast.place import Place
from paige.guard.fast.spool import note
from paige.guard.phases import read_phases
from paige.guard.spool_drain import HookSpool, parsed, spool_of
from paige.guard.spool_drain import hook_settings as settings_of
from paige.memory.event import Draft, Event
from paige.memory.intake.broker import RememberResult
from paige.memory.lifecycle.episodes import episode_of
from paige.memory.log.log import Log
from paige.memory.memory import Memory
from paige.store.engine import open_database
from tests import nursery

RECORD = {"worth": ["pytest"], "most_signs": 2000}


class Desk:
    """A data folder with a spool, and the log its lines go to."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.home, self.root, self.data = folder / "home", folder / "app", folder / "data"
        for each in (self.home, self.root / ".git"):
            each.mkdir(parents=True)
        monkeypatch.setenv("HOME", str(self.home))
        for name in ("XDG_CONFIG_HOME", "AI_MEMORY_PATH", "DATABASE_URL", "CHROMADB_URL"):
            monkeypatch.delenv(name, raising=False)
        self.place = Place(str(self.root), str(self.root), str(self.home), str(self.data), False)

    def tool(self, number: int, event: str = "post_tool_failure", **more: object) -> dict[str, Any]:
        """A line as the hook writes it."""
        return {
            "event": event,
            "cwd": str(self.root),
            "tool": "Bash",
            "input": {"command": f"pytest tests/test_{number}.py"},
            "error": f"{number} failed" if event == "post_tool_failure" else None,
            **more,
        }

    def write(self, *lines: dict[str, Any], session: str = "s1") -> None:
        """Append lines as the hook does."""
        for line in lines:
            assert note(str(self.data), "claude-code", session, line)

    @contextmanager
    def spool(self) -> Iterator[HookSpool]:
        """The spool of this installation."""
        settings = settings_of(self.place)
        with (
            closing(open_database(settings)) as database,
            closing(Memory(settings=settings, database=database, now=system_clock)) as memory,
        ):
            yield spool_of(memory, settings, read_phases(self.place))

    def drain(self) -> None:
        """Take everything in."""
        with self.spool() as spool:
            while spool.drain(system_clock, most_lines=7).more:
                pass

    def job(self) -> list[str]:
        """The command line of the process that organises."""
        given = {**self.place.fields(), "trigger": "stop", "session": "s1"}
        return [sys.executable, "-m", "paige.guard.spool_drain", json.dumps(given)]

    def events(self, kind: str = "episode") -> list[Event]:
        """What the log holds of one type."""
        path = self.home / ".config" / "ai" / "memory" / "events.jsonl"
        if not path.exists():
            return []
        with closing(Log(path)) as log:
            return [event for event in log.read() if event.type == kind]


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    return Desk(tmp_path, monkeypatch)


def test_a_failure_and_what_mended_it_become_episodes(desk: Desk) -> None:
    edit = {
        "event": "post_tool",
        "cwd": str(desk.root),
        "tool": "Edit",
        "input": {"file_path": f"{desk.root}/src/a.py", "new_string": "x"},
        "result": {},
    }
    desk.write(desk.tool(1), edit, desk.tool(1, "post_tool", result={"stdout": "1 passed"}))
    desk.drain()

    failed, worked = (episode_of(event) for event in desk.events())

    assert failed is not None
    assert worked is not None
    assert (failed.outcome, failed.fix) == ("failure", None)
    assert (worked.outcome, worked.fix) == ("success", "change src/a.py")
    assert failed.task == worked.task == "pytest tests/test_1.py"
    assert failed.inputs_hash == worked.inputs_hash
    assert worked.confidence > failed.confidence


def test_what_worked_is_remembered_only_where_it_says_something(desk: Desk) -> None:
    listing = desk.tool(1, "post_tool", input={"command": "ls -la"}, result={})
    denied = {**desk.tool(2, "pre_tool"), "decision": "deny"}
    desk.write(listing, denied, desk.tool(3, "post_tool", result={"exit_code": 0}))
    desk.drain()

    assert [event.task for event in desk.events()] == ["pytest tests/test_3.py"]


def test_prompts_and_answers_are_turns_of_their_session_and_secrets_are_blotted_out(
    desk: Desk,
) -> None:
    key = "sk-ant-" + "a" * 30
    desk.write(
        {"event": "prompt_submit", "cwd": str(desk.root), "prompt": f"Use the key {key} here"},
        {"event": "prompt_submit", "cwd": str(desk.root), "prompt": "/clear"},
        {"event": "response", "cwd": str(desk.root), "text": "I used it."},
    )
    desk.drain()
    turns = desk.events("turn")

    assert [event.speaker for event in turns] == ["user", "assistant"]
    assert {event.scope for event in turns} == {"session"}
    assert key not in turns[0].text


def test_what_a_person_answered_is_kept_as_a_sure_answer_for_the_project(desk: Desk) -> None:
    question = "Which database do we use?"
    asked = {
        "event": "post_tool",
        "cwd": str(desk.root),
        "tool": "AskUserQuestion",
        "input": {"questions": [{"question": question}]},
        "result": {"answers": {question: "PostgreSQL", "odd": 3}},
    }
    desk.write(asked, {**asked, "event": "post_tool_failure", "error": "declined"})
    desk.drain()
    [known] = desk.events("qa")

    assert (known.payload["question"], known.payload["answer"]) == (question, "PostgreSQL")
    assert known.payload["confidence"] >= 0.85
    assert known.scope == "project"


def test_how_checks_ended_is_an_outcome_of_the_session(desk: Desk) -> None:
    desk.write({"event": "checked", "cwd": str(desk.root), "success": False, "retries": 2})
    desk.drain()
    [outcome] = desk.events("outcome")

    assert (outcome.payload["success"], outcome.payload["retries"]) == (False, 2)


def test_lines_that_were_taken_in_count_once_when_they_come_again(desk: Desk) -> None:
    desk.write(*(desk.tool(number) for number in range(5)))
    [path] = (desk.data / "spool").glob("*.jsonl")
    raw = path.read_bytes()
    desk.drain()
    (desk.data / "spool" / "codex-again.jsonl").write_bytes(raw)
    desk.drain()

    assert len(desk.events()) == 5


def test_a_torn_last_line_waits_for_its_end(desk: Desk) -> None:
    desk.write(desk.tool(1), desk.tool(2))
    [path] = (desk.data / "spool").glob("*.jsonl")
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    desk.drain()
    before = len(desk.events())
    [taken] = (desk.data / "spool").glob("*.draining")
    with taken.open("ab") as file:
        file.write(whole[-20:])
    desk.drain()

    assert (before, len(desk.events())) == (1, 2)


def test_a_line_that_ran_into_a_torn_one_is_not_lost(desk: Desk) -> None:
    desk.write(desk.tool(1))
    [path] = (desk.data / "spool").glob("*.jsonl")
    path.write_bytes(path.read_bytes()[:30])  # a full disk cut it off
    desk.write(desk.tool(2))
    desk.drain()

    assert [event.task for event in desk.events()] == ["pytest tests/test_2.py"]
    assert list((desk.data / "spool").glob("*.bad"))


def test_two_drains_at_once_lose_and_double_nothing(desk: Desk) -> None:
    for session in range(4):
        desk.write(*(desk.tool(number) for number in range(40)), session=f"s{session}")
    first, second = (nursery.start(desk.job()) for _ in range(2))
    desk.write(*(desk.tool(number) for number in range(40, 60)))

    assert (first.wait(100), second.wait(100)) == (0, 0)
    desk.drain()
    ids = [event.id for event in desk.events()]

    assert len(ids) == len(set(ids)) == 4 * 40 + 20


KILLED = """
import os, signal, sys
from paige.guard import spool_drain
from paige.memory.intake import spool

at, real = int(sys.argv.pop(1)), getattr(spool, "_write_offset")
def dying(path, offset):
    global at
    at -= 1
    if at == 0:
        os.kill(os.getpid(), signal.SIGKILL)  # in the log, and not yet marked as taken in
    real(path, offset)
spool._write_offset = dying
spool_drain.main(sys.argv[1:])
"""


@pytest.mark.parametrize("at", [1, 2])
def test_a_drain_that_is_killed_in_the_middle_loses_and_doubles_nothing(
    desk: Desk, at: int
) -> None:
    for session in range(2):
        desk.write(*(desk.tool(number) for number in range(20)), session=f"s{session}")
    arguments = desk.job()[3:]
    done = nursery.run([sys.executable, "-c", KILLED, str(at), *arguments], timeout=100)

    assert done.returncode == -signal.SIGKILL
    assert desk.events()
    assert nursery.run(desk.job(), timeout=100).returncode == 0
    ids = [event.id for event in desk.events()]
    assert len(ids) == len(set(ids)) == 40


def test_whoever_else_wants_the_lines_gets_them_before_they_count_as_taken(tmp_path: Path) -> None:
    seen: list[str] = []
    fails = [True]

    def also(lines: Any) -> None:
        if fails.pop() if fails else False:
            raise OSError("not now")
        seen.extend(line["event"] for line in lines)

    def remember(drafts: Any) -> list[RememberResult]:
        return [RememberResult(None, draft.id, "duplicate") for draft in drafts]

    (tmp_path / "spool").mkdir()
    line = {"id": "a", "event": "pre_tool", "decision": "deny"}
    (tmp_path / "spool" / "codex-s.jsonl").write_bytes(orjson.dumps(line) + b"\n")
    spool = HookSpool(tmp_path / "spool", remember, lambda cwd: None, record=RECORD, also=also)
    with pytest.raises(Exception, match="not now"):
        spool.drain(system_clock)
    spool.drain(system_clock)

    assert seen == ["pre_tool"]


def test_a_fault_of_the_job_is_recorded(desk: Desk) -> None:
    folder = desk.home / ".config" / "ai" / "guard"
    folder.mkdir(parents=True)
    (folder / "phases.toml").write_text("[events]\nstop = ['dream']\n")
    desk.write(desk.tool(1))

    assert nursery.run(desk.job(), timeout=100).returncode == 1
    assert "names the phase `dream`" in (desk.data / "spool" / "paige-memory.jsonl").read_text()


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        ({"event": "post_tool_failure"}, "failure"),
        ({"event": "post_tool", "result": {"exit_code": 2}}, "failure"),
        ({"event": "post_tool", "result": {"is_error": True}}, "failure"),
        ({"event": "post_tool", "result": {"resultType": "failure"}}, "failure"),
        ({"event": "post_tool", "result": {"exitCode": 0, "stdout": "error: none"}}, "success"),
        ({"event": "post_tool", "result": "text"}, "success"),
    ],
)
def test_how_a_call_ended_is_read_in_the_words_of_every_host(
    line: dict[str, Any], outcome: str
) -> None:
    assert outcome_of(line) == outcome


@pytest.mark.parametrize(
    ("command", "program"),
    [
        ("pytest -q", "pytest"),
        ("uv run pytest -q", "pytest"),
        ("PYTHONPATH=. python -m pytest", "pytest"),
        ("./.venv/bin/pytest", "pytest"),
        ("", ""),
    ],
)
def test_the_program_behind_wrappers_is_found(command: str, program: str) -> None:
    assert program_of(command) == program


def test_a_task_is_named_by_what_it_does() -> None:
    assert task_of("Bash", {"command": "make\n test"}, "") == "make test"
    assert task_of("Write", {"file_path": "/w/a.py", "content": "x"}, "/w") == "change a.py"
    assert task_of("Read", {"file_path": "/w/a.py"}, "/w") == "read a.py"
    assert task_of("Odd", {}, "/w") == "Odd"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)
KEYS = st.sampled_from(
    ["id", "at", "event", "tool", "input", "result", "error", "prompt", "cwd", "session", "success"]
)
EVENTS = st.sampled_from(["post_tool", "post_tool_failure", "prompt_submit", "checked", "stop"])


@given(st.lists(st.tuples(EVENTS, st.dictionaries(KEYS, JSON, max_size=8)), max_size=6))
def test_no_line_however_odd_keeps_the_others_from_being_read(
    lines: list[tuple[str, dict[str, Any]]],
) -> None:
    made = drafts_of_lines(
        [{**line, "event": event} for event, line in lines], RECORD, lambda cwd: "p"
    )

    assert all(isinstance(each, Draft) and each.id for each in made)


@given(st.dictionaries(st.text(max_size=5), st.integers(0, 9), max_size=3), st.binary(max_size=40))
def test_an_object_behind_a_torn_one_is_found(rest: dict[str, int], torn: bytes) -> None:
    whole = orjson.dumps({"id": "x", **rest})
    broken, found = parsed(
        b'{"id":"y","t' + torn.replace(b"\n", b"").replace(b'{"id"', b"") + whole
    )

    assert found in ([{"id": "x", **rest}], [])
    assert bool(broken)


def test_a_prompt_with_half_a_character_is_kept(desk: Desk) -> None:
    desk.write({"event": "prompt_submit", "cwd": str(desk.root), "prompt": "why \ud83d so?"})
    desk.drain()

    assert [event.text for event in desk.events("turn")] == ["why ? so?"]


def test_only_so_many_lines_are_taken_at_once(desk: Desk) -> None:
    desk.write(*(desk.tool(number) for number in range(30)))
    with desk.spool() as spool:
        done = spool.drain(system_clock, most_lines=10, most_time=timedelta(seconds=60))

    assert (done.lines, done.more, len(desk.events())) == (10, True, 10)


def test_a_project_does_not_choose_where_memory_is(desk: Desk, tmp_path: Path) -> None:
    (desk.root / ".env").write_text(f"AI_MEMORY_PATH={tmp_path}/stolen.jsonl\n")
    desk.write(desk.tool(1))
    desk.drain()

    assert desk.events()
    assert not (tmp_path / "stolen.jsonl").exists()


def test_the_time_of_a_line_is_the_time_of_its_memory(desk: Desk) -> None:
    desk.write(desk.tool(1))
    [path] = (desk.data / "spool").glob("*.jsonl")
    at = datetime.fromisoformat(orjson.loads(path.read_bytes())["at"])
    desk.drain()

    assert [event.at for event in desk.events()] == [at]
    assert os.environ["HOME"] == str(desk.home)
