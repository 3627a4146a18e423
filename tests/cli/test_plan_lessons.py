"""Lessons from the command line: real processes, the sample workspace, perhaps a model."""

import json
import signal
import sqlite3
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest

from paige.agent.queries import gates_of, get_session, recent_runs, spans_of
from paige.agent.tables import GateRow
from paige.app.application import open_app
from paige.base.settings import Settings
from tests import nursery
from tests.cli.conftest import result, runs
from tests.fakes.served_model import ServedModel
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import READY, environment, run_paige
from tests.plan.planning import WORKSPACE, lesson_text, write_files
from tests.terminal import Terminal, paige_in_terminal

TEACHER_ASSIST = str(Path(sys.executable).parent / "teacher-assist")
CONTRACT = ["session", "trace", "status", "source", "lesson", "sections", "evidence", "cost_usd"]
EVIDENCE = ["file", "lines", "code", "quote", "grade", "valid"]


def teacher_assist(folder: Path, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    return nursery.run(
        [TEACHER_ASSIST, *arguments],
        env=environment(folder, **extra),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def stored(folder: Path, query: Any, *arguments: str) -> Any:
    with open_app(Settings(cwd=folder, given_data_dir=folder / ".paige"), strict=False) as app:
        return anyio.run(app.database.read, query, app.actor, *arguments)


def open_gate(folder: Path) -> GateRow:
    [run, *_] = stored(folder, recent_runs)
    [gate] = [row for row in stored(folder, gates_of, run.id) if row.answered_at is None]
    return gate


@pytest.fixture
def teaching(tmp_path: Path) -> Path:
    """A folder whose workspace is the small one of the tests."""
    write_files(tmp_path / ".paige" / "workspace", WORKSPACE)
    return tmp_path


# --- yes, as JSON ---------------------------------------------------------------------------------


def test_a_class_that_is_not_there_is_named_instead_of_left_out(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "plan", "create-lesson", "loops", "--class", "3X", "--yes")

    assert done.returncode == 1
    assert "There is no class `3X`" in done.stderr
    assert "There are: 1B, 2A, 2C, 3B." in done.stderr


def test_yes_and_json_give_the_contract_and_a_lesson_on_the_disk(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "plan", "create-lesson", "iteration for 3B", "--yes", "--json")

    shown = result(done)
    assert done.returncode == 0, done.stderr
    assert list(shown)[: len(CONTRACT)] == CONTRACT
    assert (shown["status"], shown["source"], shown["cost_usd"]) == ("success", "local", 0.0)
    lesson = Path(shown["lesson"])
    assert lesson.is_absolute()
    assert lesson.parent == tmp_path / ".paige" / "workspace" / "lessons"
    assert "-3B-" in lesson.name
    text = lesson.read_text()
    assert [line[3:] for line in text.splitlines() if line.startswith("## ")] == shown["sections"]
    assert shown["output"] == text
    assert shown["open"] == []
    assert shown["evidence"]
    for row in shown["evidence"]:
        assert list(row) == EVIDENCE
        assert row["valid"] is True
        start, _, end = row["lines"].partition("-")
        cited = (tmp_path / ".paige" / "workspace" / row["file"]).read_text().splitlines()
        assert row["quote"].rstrip(".") in " ".join(cited[int(start) - 1 : int(end)])
    checked = run_paige(tmp_path, "plan", "check-evidence", str(lesson))
    assert checked.returncode == 0, checked.stderr
    assert told_states(tmp_path) == ["running", "ended"], "open windows hear of it"


def told_states(folder: Path) -> list[str]:
    """Where windows were told that runs stand."""
    with closing(sqlite3.connect(folder / ".paige" / "paige.db")) as connection:
        rows = connection.execute(
            "SELECT payload FROM events WHERE topic = 'plan:run' ORDER BY seq"
        )
        return [json.loads(payload)["state"] for (payload,) in rows]


def test_everything_that_yes_answered_is_marked_and_nothing_is_remembered(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "plan", "create-lesson", "iteration for 3B", "--yes", "--json")
    shown = result(done)

    spans = {
        span.name: json.loads(span.attributes)
        for span in stored(tmp_path, spans_of, shown["trace"])
        if span.kind == "hook"
    }
    session = stored(tmp_path, get_session, shown["session"])
    assert all(gate["reply"]["auto"] for gate in shown["gates"])
    for hook in ("feedforward", "reflection-prompt", "teacher-adjudication", "memory-capture"):
        assert spans[hook]["auto"] is True
    assert {each["decision"] for each in spans["memory-capture"]["decisions"]} == {"pending"}
    assert not (tmp_path / ".paige" / "workspace" / "memory").exists()
    assert session.class_id == "3B"
    assert len(session.decisions) == len(shown["gates"])


@pytest.mark.parametrize(
    ("command", "prompt", "folder"),
    [
        ("cover-lesson", "tomorrow for 3B", "lessons"),
        ("worksheet", "iteration for 3B", "worksheets"),
        ("unit-overview", "iteration, 4 lessons, for 3B", "units"),
    ],
)
def test_every_command_saves_where_its_file_says(
    tmp_path: Path, command: str, prompt: str, folder: str
) -> None:
    done = run_paige(tmp_path, "plan", f"lesson-planning:{command}", prompt, "--yes", "--json")

    shown = result(done)
    assert done.returncode == 0, done.stderr
    assert Path(shown["lesson"]).parent == tmp_path / ".paige" / "workspace" / folder
    assert all(row["valid"] for row in shown["evidence"])


def test_a_topic_that_nobody_shipped_gives_the_frame_and_names_what_is_open(
    tmp_path: Path,
) -> None:
    prompt = "photosynthesis in plant cells for 1B"

    done = run_paige(tmp_path, "plan", "create-lesson", prompt, "--yes", "--json")

    shown = result(done)
    assert (done.returncode, shown["status"], shown["source"]) == (0, "success", "local")
    assert "Starter (5 min)" in shown["open"]
    assert set(shown["sections"]) - set(shown["open"]) == {"Notes"}
    assert Path(shown["lesson"]).read_text() == shown["output"]
    assert f"Open, for you or a model to write: {', '.join(shown['open'])}." in done.stderr
    assert "spreadsheet" not in shown["output"].split("## Notes")[0].lower()


def test_a_lesson_is_not_changed_without_a_model_and_that_is_said(tmp_path: Path) -> None:
    first = result(
        run_paige(tmp_path, "plan", "create-lesson", "iteration for 3B", "--yes", "--json")
    )

    done = run_paige(tmp_path, "plan", "refine-lesson", "a livelier starter for 3B", "--yes")

    assert done.returncode == 0, done.stderr
    assert "Without a model Paige does not change a lesson" in done.stdout
    assert "choose a model in Settings" in done.stdout
    assert [str(each) for each in Path(first["lesson"]).parent.iterdir()] == [first["lesson"]]


def test_a_memory_that_a_teacher_asks_for_waits_for_their_yes(tmp_path: Path) -> None:
    prompt = "remember that 3B have finished iteration"

    done = run_paige(tmp_path, "plan", "update-memory", prompt, "--json")

    shown = result(done)
    assert done.returncode == 4, done.stderr
    assert shown["gates"][-1]["title"] == "Should I remember this?"
    assert shown["lesson"] is None


@pytest.mark.parametrize(
    ("prompt", "code", "said", "decisions"),
    [
        ("remember that 3B have finished iteration", 0, "Not remembered yet: 1 note.", ["pending"]),
        ("remember 3B loops", 0, "Nothing is remembered.", []),
        ("Hello!", 3, "Nothing is remembered.", []),
    ],
    ids=["nobody decided", "nothing to keep", "refused"],
)
def test_yes_to_all_remembers_nothing_and_says_so(
    tmp_path: Path, prompt: str, code: int, said: str, decisions: list[str]
) -> None:
    done = run_paige(tmp_path, "plan", "update-memory", prompt, "--yes", "--json")

    assert done.returncode == code, done.stderr
    assert said in done.stderr
    assert "Remembered:" not in done.stderr
    assert [each["decision"] for each in result(done)["memory"]] == decisions
    assert list((tmp_path / ".paige/workspace").rglob("classes/3B/MEMORY.md")) == []


@pytest.mark.parametrize(
    ("answer", "said", "kept"),
    [("1*", "Remembered: 1 note.", True), ("3*", "Not remembered: 1 note.", False)],
    ids=["kept", "dismissed"],
)
def test_what_a_teacher_decided_about_a_note_is_what_is_said(
    tmp_path: Path, answer: str, said: str, kept: bool
) -> None:
    prompt = "remember that 3B have finished iteration"
    with paige_in_terminal(tmp_path, "plan", "update-memory", prompt) as terminal:
        terminal.expect("Nothing is kept without your yes")
        terminal.expect("is left")
        terminal.type(f"{answer}\n")
        terminal.expect(said)
        assert terminal.end() == 0

    written = list((tmp_path / ".paige/workspace").rglob("classes/3B/MEMORY.md"))
    assert bool(written) is kept


def test_a_model_answers_the_same_contract(teaching: Path, model: ServedModel) -> None:
    model.says(lesson_text())

    done = run_paige(
        teaching, "plan", "create-lesson", "loops for 3b", "--yes", "--json", **model.variables
    )

    shown = result(done)
    assert done.returncode == 0, done.stderr
    assert (shown["status"], shown["source"]) == ("success", "anthropic")
    assert shown["cost_usd"] > 0
    assert Path(shown["lesson"]).read_text() == lesson_text()
    assert [row["code"] for row in shown["evidence"]] == ["TCH 3-15a"]


def test_that_no_model_was_asked_is_said_once_unless_it_was_wanted(teaching: Path) -> None:
    said = "No key for a model is set, so local rules answer."
    command = ("plan", "create-lesson", "iteration for 3B", "--yes", "--json")

    plain = run_paige(teaching, *command)
    wanted = run_paige(teaching, *command, "--provider", "local")

    assert plain.stderr.count(said) == 1
    assert said not in wanted.stderr


def test_why_local_rules_took_over_from_a_provider_is_said(
    teaching: Path, model: ServedModel
) -> None:
    model.answers_with(lambda request: ANTHROPIC.error(401, "authentication_error", "no"))

    done = run_paige(
        teaching, "plan", "create-lesson", "iteration for 3B", "--yes", "--json", **model.variables
    )

    assert (done.returncode, result(done)["source"]) == (0, "local")
    assert "Local rules answered: `anthropic` does not accept the API key (401)." in done.stderr


def test_a_lesson_whose_evidence_fails_is_refused_with_its_pointers(
    teaching: Path, model: ServedModel
) -> None:
    model.says(lesson_text().replace("#L9-L9", "#L99-L99"))

    done = run_paige(
        teaching, "plan", "create-lesson", "loops for 3B", "--yes", "--json", **model.variables
    )

    shown = result(done)
    assert done.returncode == 3
    assert (shown["status"], shown["lesson"]) == ("error_hook_abort", None)
    assert [row["valid"] for row in shown["evidence"]] == [False]
    assert shown["reason"].startswith("`curriculum-evidence`: Line ")
    assert len(model.requests) == 3
    assert not (teaching / ".paige" / "workspace" / "lessons").exists()


def test_what_is_no_planning_is_refused_by_a_rule(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "plan", "create-lesson", "Tell me a joke", "--yes", "--json")

    assert done.returncode == 3
    assert result(done)["status"] == "error_hook_abort"
    assert "This assistant plans lessons" in done.stderr


# --- classes --------------------------------------------------------------------------------------


def test_a_class_that_nobody_knows_is_asked_about(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "plan", "create-lesson", "iteration for 9Z", "--json")

    shown = result(done)
    assert done.returncode == 4
    assert shown["status"] == "waiting"
    [gate] = shown["gates"]
    assert gate["title"] == "Which class is it for?"
    options = [option["id"] for option in gate["interaction"]["options"]]
    assert options == ["none", "1B", "2A", "2C", "3B"]
    assert gate["reply"] is None


@pytest.mark.parametrize("arguments", [("iteration for my 3b",), ("iteration", "--class", "3b")])
def test_the_class_comes_from_the_option_or_from_the_words(
    tmp_path: Path, arguments: tuple[str, ...]
) -> None:
    done = run_paige(tmp_path, "plan", "create-lesson", *arguments, "--json")

    shown = result(done)
    assert shown["gates"][0]["title"] == "What I know about 3B"
    assert stored(tmp_path, get_session, shown["session"]).class_id == "3B"


# --- looking first --------------------------------------------------------------------------------


def test_a_dry_run_counts_every_section_and_shows_the_class(tmp_path: Path) -> None:
    done = run_paige(tmp_path, "plan", "create-lesson", "iteration for 3B", "--dry-run")
    data = result(
        run_paige(tmp_path, "plan", "create-lesson", "iteration for 3B", "--dry-run", "--json")
    )

    assert done.returncode == 0, done.stderr
    assert "[1] assistant_identity: " in done.stdout
    assert 'path="classes/3B.md"' in done.stdout
    assert 'path="curriculum/cfe-computing.md"' in done.stdout
    assert [section["position"] for section in data["sections"]] == [1, 2, 3, 6, 7, 8, 9, 10]
    assert all(section["tokens"] > 0 for section in data["sections"])
    assert data["tokens"] > 0
    assert not (tmp_path / ".paige" / "paige.db").exists()


def test_no_memory_leaves_it_out_of_prompts_and_gates(teaching: Path) -> None:
    run_paige(teaching, "memory", "add", "x")  # the database is there
    write_files(
        teaching / ".paige" / "workspace" / "memory",
        {"MEMORY.md": "- Likes bullets\n", "classes/3B/MEMORY.md": "- Short starters\n"},
    )
    look = ("plan", "create-lesson", "loops for 3B", "--dry-run", "--json")

    with_memory = result(run_paige(teaching, *look))
    without = result(run_paige(teaching, *look, "--no-memory"))
    ran = result(
        run_paige(teaching, "plan", "create-lesson", "loops for 3B", "--no-memory", "--json")
    )

    assert {4, 5} <= {section["position"] for section in with_memory["sections"]}
    assert not {4, 5} & {section["position"] for section in without["sections"]}
    assert "Short starters" not in json.dumps(ran)


# --- waiting --------------------------------------------------------------------------------------


def test_a_run_that_waits_is_answered_later_by_another_process(tmp_path: Path) -> None:
    asked = result(run_paige(tmp_path, "plan", "create-lesson", "iteration for 3B", "--json"))
    done = run_paige(tmp_path, "plan", "resume", asked["trace"], "--yes", "--json")
    again = run_paige(tmp_path, "plan", "resume", asked["session"], "--json")

    assert result(done)["status"] == "success"
    assert Path(result(done)["lesson"]).exists()
    assert {key: result(again)[key] for key in CONTRACT} == {
        key: result(done)[key] for key in CONTRACT
    }
    assert len(list((tmp_path / ".paige/workspace/lessons").iterdir())) == 1


def test_killed_while_it_waits_at_each_gate_the_same_question_is_open_in_a_new_process(
    tmp_path: Path,
) -> None:
    passed: list[str] = []
    command = ("plan", "create-lesson", "iteration for 3B")
    for _ in range(10):
        with paige_in_terminal(tmp_path, *command) as terminal:
            if passed:
                answer(terminal, open_gate(tmp_path))
            if not reaches_a_gate(terminal, tmp_path, passed):
                break
            waiting = open_gate(tmp_path)
            terminal.process.send_signal(signal.SIGKILL)
            terminal.process.wait()
        [run] = runs(tmp_path)
        looked = run_paige(tmp_path, "plan", "resume", run.id, "--json")
        assert looked.returncode == 4, looked.stderr
        assert open_gate(tmp_path) == waiting
        assert result(looked)["gates"][-1]["interaction"] == waiting.interaction
        passed.append(waiting.gate)
        command = ("plan", "resume", run.id)

    assert [gate.split("/")[-2] for gate in passed] == [
        "feedforward",
        "reflection-prompt",
        "teacher-adjudication",
        "memory-capture",
    ]
    [run] = runs(tmp_path)
    assert run.status == "success"
    assert len(list((tmp_path / ".paige/workspace/lessons").iterdir())) == 1
    log = next((tmp_path / ".paige/workspace/memory").rglob("lessons.md")).read_text()
    assert log.count("\n") == 1


def reaches_a_gate(terminal: Terminal, folder: Path, passed: list[str]) -> bool:
    """Wait until the next question is on the screen; false when the run has ended instead."""
    titles = {
        0: "What I know about 3B",
        1: "Before you judge it",
        2: "Judge the draft, section by section",
        3: "Should I remember this?",
    }
    title = titles.get(len(passed))
    if title is None:
        assert terminal.end() == 0, terminal.shown
        return False
    terminal.expect(title)
    terminal.expect("> ")
    return True


def answer(terminal: Terminal, gate: GateRow) -> None:
    """Type an answer to everything the open question asks."""
    terminal.expect(gate.interaction["title"])
    asked = gate.interaction.get("questions") or gate.interaction.get("sections") or [""]
    for _ in asked:
        terminal.expect("> ")
        terminal.type("fine\n" if "questions" in gate.interaction else "1\n")


# --- teacher-assist -------------------------------------------------------------------------------


def test_teacher_assist_plans_a_lesson_and_goes_on_with_it(tmp_path: Path) -> None:
    asked = teacher_assist(tmp_path, "lesson-planning:create-lesson", "recursion for 1B")
    [run] = runs(tmp_path)
    listed = teacher_assist(tmp_path, "--sessions", "--plugin", "lesson-planning")
    other = teacher_assist(tmp_path, "--sessions", "--plugin", "notes")
    resumed = teacher_assist(tmp_path, "--resume", run.session_id)
    traced = teacher_assist(tmp_path, "--trace", run.id)

    assert asked.returncode == 4
    assert "What I know about 1B" in asked.stderr
    assert run.session_id in listed.stdout
    assert run.session_id not in other.stdout
    assert resumed.returncode == 4
    assert "What I know about 1B" in resumed.stderr
    assert "hook scope-check" in traced.stdout


def test_teacher_assist_overrides_provider_model_and_turns(
    teaching: Path, model: ServedModel
) -> None:
    model.says(lesson_text())
    folder = teaching / ".ai" / "plugins" / "quick"
    write_files(
        folder,
        {
            "PLUGIN.md": "---\nname: quick\nversion: 1.0.0\ndescription: Quick.\n---\n",
            "agents/a.md": "---\nmodel: sonnet\nprovider: anthropic\n---\nPlan.\n",
            "commands/go.md": "---\nagent: a\ndescription: Go.\n---\nGo.\n",
        },
    )

    done = teacher_assist(
        teaching, "quick:go", "loops", "--provider", "anthropic", "--model", "haiku",
        "--max-turns", "1", "--no-memory", **model.variables,
    )  # fmt: skip
    local = teacher_assist(teaching, "quick:go", "loops", "--provider", "local")
    dry = teacher_assist(teaching, "quick:go", "loops", "--dry-run")
    names = teacher_assist(teaching, "--list")

    assert done.returncode == 0, done.stderr
    assert "haiku" in model.requests[0].body["model"]
    assert local.returncode == 1
    assert "Nobody can answer `quick:go`" in local.stderr
    assert "Total: " in dry.stdout
    assert "quick:go " in names.stdout


@pytest.mark.parametrize("place", ["--interactive", "--serve", "--list"])
def test_a_dry_run_never_becomes_something_else(tmp_path: Path, place: str) -> None:
    done = teacher_assist(tmp_path, "lesson-planning:create-lesson", "x", "--dry-run", place)

    assert done.returncode == 2
    assert f"`--dry-run` does not go with `{place}`" in done.stderr


def test_teacher_assist_talks(tmp_path: Path) -> None:
    done = nursery.run(
        [TEACHER_ASSIST, "--interactive"],
        env=environment(tmp_path),
        cwd=tmp_path,
        input="/help\nTell me a joke\n/exit\n",
        text=True,
    )

    assert "/sessions" in done.stderr
    assert "This assistant plans lessons" in done.stderr


def test_teacher_assist_serves_the_web_app(tmp_path: Path) -> None:
    process = subprocess.Popen(
        [TEACHER_ASSIST, "--serve"],
        env=environment(tmp_path, PORT="0"),
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process:
        try:
            assert process.stdout is not None
            ready = next(found for line in process.stdout if (found := READY.search(line)))
            with urllib.request.urlopen(f"{ready[1]}/health", timeout=20) as response:
                health = json.load(response)
        finally:
            process.kill()

    assert health["status"] == "ok"
