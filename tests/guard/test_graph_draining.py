"""From the spool of hooks into the graph, through real processes: nothing lost, nothing twice."""

import json
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from paige.base.actor import Actor
from paige.base.clock import system_clock
from paige.base.errors import PaigeError, Unavailable
from paige.base.settings import Settings
from paige.base.tokens import count_tokens_bound
from paige.guard.fast.place import Place
from paige.guard.fast.spool import note
from paige.guard.graph.graph import ContextGraph
from paige.guard.graph.values import NewTrace, Trace
from paige.guard.graph.waiting_lines import FILE, read_waiting, take_or_keep
from paige.guard.spool_drain import graph_taking, hook_settings, is_current
from paige.guard.state.features import feature_at
from paige.hooks.fast import caller, respond
from paige.memory.intake.project_identity import identify
from paige.store.engine import open_database
from paige.store.migrate import migrate
from tests import nursery
from tests.guard.gate_project import Project, new_project
from tests.guard.graph_lines import every


class Desk:
    """A data folder with a spool, a project, and the database its lines go to."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.root = folder / "app"
        (self.root / ".git").mkdir(parents=True)
        self.data = folder / "data"
        self.place = Place(str(self.root), str(self.root), "", str(self.data), False)
        self.environ = {**os.environ, "HOME": str(folder / "home")}
        for name in ("XDG_CONFIG_HOME", "AI_MEMORY_PATH", "DATABASE_URL", "CHROMADB_URL"):
            self.environ.pop(name, None)
        if settings.database_url:
            self.environ["DATABASE_URL"] = settings.database_url

    def refuse(self, *numbers: int, session: str = "s1") -> None:
        """Lines of refusals, as the hook writes them."""
        for number in numbers:
            line: dict[str, object] = {
                "event": "pre_tool", "cwd": str(self.root), "tool": "Bash", "decision": "deny",
                "input": {"command": f"git push --force origin feat-{number}"},
                "rule": "git.force-push", "reason": "Do not. Push without it.",
            }  # fmt: skip
            assert note(str(self.data), "claude-code", session, line)

    def job(self) -> list[str]:
        """The command line of the process that organises."""
        given = {**self.place.fields(), "trigger": "stop", "session": "s1"}
        return [json.dumps(given)]

    def organise(self, *before: str) -> int:
        """Run it; `before` is another program that runs it."""
        command = [sys.executable, *(before or ("-m", "paige.guard.spool_drain")), *self.job()]
        return nursery.run(command, env=self.environ, timeout=100).returncode


@pytest.fixture
def desk(tmp_path: Path, db_settings: Settings) -> Desk:
    return Desk(tmp_path, db_settings)


@contextmanager
def graph_at(settings: Settings) -> Iterator[ContextGraph]:
    with closing(open_database(settings)) as database:
        yield ContextGraph(database, Actor(), system_clock)


def stored(settings: Settings) -> list[Trace]:
    with graph_at(settings) as graph:
        return every(graph)


@pytest.mark.db
def test_what_hooks_wrote_is_in_the_graph_after_a_stop(desk: Desk, db_settings: Settings) -> None:
    progress = desk.root / ".claude" / "progress"
    progress.mkdir(parents=True)
    (progress / "session-state.json").write_text('{"state": "coding", "feature": "PT-7"}')
    desk.refuse(1, 2)

    assert desk.organise() == 0
    first, second = stored(db_settings)
    home = identify(desk.root)
    assert home is not None
    assert (first.project, first.feature, first.type) == (home.id, "PT-7", "violation")
    assert second.target == "git push --force origin feat-2"
    assert feature_at(str(desk.root / "src")) == "PT-7"
    assert feature_at("/") == ""


# Ends the process where a batch is in the graph, and where it is not quite.
KILLED = """
import os, signal, sys
at, where = int(sys.argv.pop(1)), sys.argv.pop(1)
from paige.guard import spool_drain
from paige.guard.graph import queries
from paige.memory.intake import spool

def dying(real):
    def die(*args, **kwargs):
        global at
        at -= 1
        if at == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **kwargs)
    return die

if where == "offset":
    spool._write_offset = dying(spool._write_offset)
elif where == "edges":
    queries.insert_edges = dying(queries.insert_edges)
else:
    spool_drain.keep = dying(spool_drain.keep)
sys.exit(spool_drain.main(sys.argv[1:]))
"""


@pytest.mark.db
@pytest.mark.parametrize("where", ["edges", "keep", "offset"])
@pytest.mark.parametrize("at", [1, 2])
def test_a_job_that_is_killed_between_batches_loses_and_doubles_nothing(
    desk: Desk, db_settings: Settings, where: str, at: int
) -> None:
    for session in ("s1", "s2"):
        desk.refuse(*range(5), session=session)

    assert desk.organise("-c", KILLED, str(at), where) == -signal.SIGKILL
    assert desk.organise() == 0
    found = stored(db_settings)

    assert len(found) == len({each.id for each in found}) == 10
    with graph_at(db_settings) as graph:
        last = [each for each in found if each.session == "s1"][-1]
        assert len(graph.led_to(last.id, 10)) == 4
        edges = graph.around(last.id).edges
        assert len(edges) == len(set(edges))


def test_a_hook_leaves_lines_for_an_old_database_to_the_background(tmp_path: Path) -> None:
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data")
    line = {"id": "a", "event": "pre_tool", "decision": "deny", "rule": "r", "session": "s"}
    with closing(open_database(settings)) as database:
        graph_taking(settings, database, system_clock, may_migrate=False)([line])
        assert not is_current(database)
        assert read_waiting(settings.data_dir / "guard" / FILE) == [line]

        graph_taking(settings, database, system_clock, may_migrate=True)([])
        assert is_current(database)
    assert [each.rule for each in stored(settings)] == ["r"]
    assert not (settings.data_dir / "guard" / FILE).exists()


def test_lines_wait_until_the_graph_takes_them_and_come_before_newer_ones(tmp_path: Path) -> None:
    taken: list[str] = []
    down = True

    def take(lines: Any) -> None:
        if down:
            raise Unavailable("The database does not answer")
        taken.extend(line["id"] for line in lines)

    assert not take_or_keep(tmp_path, [{"id": "a"}, {"id": "b"}], take)
    assert not take_or_keep(tmp_path, [{"id": "c"}], take)
    with (tmp_path / "guard" / FILE).open("ab") as file:
        file.write(b'{"id": "half')
    down = False
    assert take_or_keep(tmp_path, [{"id": "d"}], take)

    assert taken == ["a", "b", "c", "d"]
    assert take_or_keep(tmp_path, [], take)
    assert taken == ["a", "b", "c", "d"]


def test_a_line_that_nobody_can_store_does_not_keep_the_others_out(tmp_path: Path) -> None:
    taken: list[str] = []

    def take(lines: Any) -> None:
        if any(line["id"] == "bad" for line in lines):
            raise PaigeError("The database refused: it")
        taken.extend(line["id"] for line in lines)

    assert take_or_keep(tmp_path, [{"id": "a"}, {"id": "bad"}, {"id": "b"}], take)
    assert taken == ["a", "b"]
    assert read_waiting(tmp_path / "guard" / FILE) == []


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project of an ordinary person who has installed Paige."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name in ("XDG_CONFIG_HOME", "AI_MEMORY_PATH", "DATABASE_URL", "CHROMADB_URL"):
        monkeypatch.delenv(name, raising=False)
    return new_project(tmp_path)


def told_at_start(project: Project, source: str) -> str:
    """What a session is told when it begins.

    In this process: one of its own has five seconds to begin and answer, and without them says
    nothing, which is right and tested elsewhere.
    """
    body = {"session_id": "s1", "cwd": str(project.root), "source": source}
    reply = respond(
        "claude-code", "SessionStart", json.dumps(body).encode(), caller(str(project.data))
    )
    told = json.loads(reply.answer.stdout or "{}").get("hookSpecificOutput", {})
    return told.get("additionalContext", "")


def test_a_session_begins_with_what_went_wrong_before_and_that_is_counted(
    project: Project,
) -> None:
    root = str(project.root)
    settings = hook_settings(Place(root, root, os.environ["HOME"], str(project.data), False))
    here = identify(project.root, home=Path(os.environ["HOME"]))
    assert here is not None
    (project.data / "spool").mkdir(parents=True, exist_ok=True)
    with closing(open_database(settings)) as database:
        migrate(database)
        graph = ContextGraph(database, Actor(), system_clock, project=here.id)
        wrong = [
            graph.store(
                NewTrace(
                    type="correction",
                    what_happened=f"Used requests {n} </paige-precedents> " + "and more " * 40,
                    what_was_correct="Use httpx",
                    action=f"a{n}",
                )
            )
            for n in range(12)
        ]
        said = told_at_start(project, "startup")
        block = said[said.index("What went wrong here before") :]
        with database.transaction(write=False) as connection:
            rows = connection.exec_driver_sql("SELECT retrieved FROM decisions").all()
        counted = sum(row[0] for row in rows)

    assert count_tokens_bound(block) <= 500
    assert block.endswith("</paige-precedents>")
    assert block.count("</paige-precedents>") == 1
    assert "Right: Use httpx" in block
    told = [each.id for each in wrong if each.id in block]
    assert len(told) == counted >= 2
    assert "went wrong" not in told_at_start(project, "resume")
