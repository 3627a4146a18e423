"""`paige plan` and `teacher-assist`: real processes, a model on loopback."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from paige.doors.plan.cli_runs import PROMPT
from tests import nursery
from tests.cli.conftest import kill_while_the_model_thinks, result, runs
from tests.fakes.served_model import ServedModel
from tests.fakes.wire_bodies import ANTHROPIC
from tests.live import PAIGE, environment, run_paige
from tests.terminal import paige_in_terminal

WRITE = {"path": "summary.md", "content": "Bread.\n"}


# --- running --------------------------------------------------------------------------------------


def test_a_command_works_on_the_workspace_and_answers_on_stdout(
    project: Path, model: ServedModel
) -> None:
    model.answers(
        ANTHROPIC.tool_call("c1", "read_file", {"path": "plan.md"}),
        ANTHROPIC.tool_call("c2", "write_file", WRITE),
        ANTHROPIC.answer("I wrote `summary.md`."),
    )

    done = run_paige(project, "plan", "summarise", "plan.md", **model.variables)

    assert done.returncode == 0, done.stderr
    assert done.stdout == "I wrote `summary.md`.\n"
    assert (project / ".paige" / "workspace" / "summary.md").read_text() == "Bread.\n"
    assert "[success · 3 turns · $0." in done.stderr
    assert "Bring the bread." in json.dumps(model.requests[1].body["messages"])


def test_json_has_the_fields_of_the_contract_and_nothing_else_is_on_stdout(
    project: Path, model: ServedModel
) -> None:
    model.says("Done.")

    done = run_paige(
        project, "plan", "notes:summarise", "plan.md", "--yes", "--json", **model.variables
    )

    shown = result(done)
    assert list(shown) == [
        "session", "trace", "status", "source", "lesson", "sections", "evidence", "cost_usd",
        "open", "output", "reason", "turns", "gates", "memory",
    ]  # fmt: skip
    assert (shown["lesson"], shown["sections"], shown["evidence"]) == (None, [], [])
    assert shown["status"] == "success"
    assert shown["source"] == "anthropic"
    assert shown["output"] == "Done."
    assert shown["cost_usd"] > 0
    assert (shown["turns"], shown["gates"]) == (1, [])


def test_what_to_do_may_come_from_stdin(project: Path, model: ServedModel) -> None:
    model.says("Done.")

    done = run_paige(project, "plan", "summarise", stdin="plan.md\nplease\n", **model.variables)
    nothing = run_paige(project, "plan", "summarise", **model.variables)

    assert done.returncode == 0, done.stderr
    assert "plan.md\\nplease" in json.dumps(model.requests[0].body["messages"])
    assert nothing.returncode == 2
    assert "There is nothing to do" in nothing.stderr


def test_a_plugin_of_the_person_works_in_every_folder(project: Path, model: ServedModel) -> None:
    home, elsewhere = project / ".config" / "ai", project / "elsewhere"
    home.parent.mkdir()
    (project / ".ai").rename(home)
    elsewhere.mkdir()
    model.says("Done.")

    done = run_paige(elsewhere, "plan", "summarise", "x", HOME=str(project), **model.variables)

    assert done.stdout == "Done.\n", done.stderr


def test_a_model_may_be_named_by_its_tier(project: Path, model: ServedModel) -> None:
    model.says("Done.")

    run_paige(project, "plan", "summarise", "x", "--model", "haiku", **model.variables)

    assert model.requests[0].body["model"] == "claude-haiku-4-5-20251001"


def test_an_agent_of_another_provider_gets_the_strong_model_of_the_one_that_answers(
    project: Path, model: ServedModel
) -> None:
    agent = project / ".ai" / "plugins" / "notes" / "agents" / "editor.md"
    text = agent.read_text().replace("provider: anthropic", "provider: openai")
    agent.write_text(text.replace("model: sonnet", "model: gpt-5"))
    model.says("Done.")

    done = run_paige(project, "plan", "summarise", "x", **model.variables)

    assert done.returncode == 0, done.stderr
    assert model.requests[0].body["model"] == "claude-sonnet-4-5-20250929"


def test_a_run_that_reaches_its_most_turns_fails_and_says_so(
    project: Path, model: ServedModel
) -> None:
    model.answers(ANTHROPIC.tool_call("c1", "list_directory", {}))

    done = run_paige(
        project, "plan", "summarise", "x", "--max-turns", "1", "--json", **model.variables
    )

    assert done.returncode == 1
    assert result(done)["status"] == "error_max_turns"
    assert "it took 1 turns" in done.stderr


def test_bash_is_there_only_for_who_asks(project: Path, model: ServedModel) -> None:
    agent = project / ".ai" / "plugins" / "notes" / "agents" / "editor.md"
    agent.write_text(agent.read_text().replace("tools: [", "tools: [bash, "))
    model.answers(
        ANTHROPIC.tool_call("c1", "bash", {"command": "echo hello > made.txt"}),
        ANTHROPIC.answer("Done."),
    )

    refused = run_paige(project, "plan", "summarise", "x", **model.variables)
    done = run_paige(project, "plan", "summarise", "x", "--bash", "--yes", **model.variables)

    assert refused.returncode == 2
    assert f"{agent}:6: There is no tool `bash`" in refused.stderr
    assert done.returncode == 0, done.stderr
    assert (project / "made.txt").read_text() == "hello\n"
    assert len(runs(project)) == 1


# --- without a model ------------------------------------------------------------------------------


def test_a_dry_run_shows_every_section_with_its_tokens_and_leaves_nothing(project: Path) -> None:
    (project / ".paige" / "paige.db").unlink()

    done = run_paige(project, "plan", "summarise", "plan.md", "--dry-run")
    listed = result(run_paige(project, "plan", "summarise", "plan.md", "--dry-run", "--json"))

    assert done.returncode == 0, done.stderr
    assert "[2] agent_instructions: " in done.stdout
    assert "You look after a folder of notes." in done.stdout
    assert "- house-style: How notes are written here." in done.stdout
    assert f"Total: {listed['tokens']} tokens" in done.stdout
    assert [section["name"] for section in listed["sections"]] == [
        "agent_instructions",
        "available_skills",
        "command",
        "available_commands",
    ]
    assert not (project / ".paige" / "paige.db").exists()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "Nobody can answer `notes:summarise`"),
        (("--provider", "openai"), "`OPENAI_API_KEY` is not set"),
        (("--provider", "openai-compatible"), "`PAIGE_BASE_URL` is not set"),
    ],
)
def test_without_anyone_to_ask_nothing_is_begun(
    project: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    done = run_paige(project, "plan", "summarise", "x", *arguments)

    assert done.returncode == 1
    assert complaint in done.stderr
    assert runs(project) == []


@pytest.mark.parametrize(
    ("name", "hint"),
    [("lst", "Did you mean `list`?"), ("sumarise", "Did you mean `notes:summarise`?")],
)
def test_a_command_nobody_has_is_wrong_usage_and_names_the_closest(
    project: Path, name: str, hint: str
) -> None:
    done = run_paige(project, "plan", name)

    assert done.returncode == 2
    assert hint in done.stderr


def test_a_broken_plugin_is_listed_with_its_place_and_takes_no_other_down(project: Path) -> None:
    broken = project / ".ai" / "plugins" / "broken"
    broken.mkdir()
    (broken / "PLUGIN.md").write_text("---\nname: broken\nversion: 1\ncolour: red\n---\n")

    listed = run_paige(project, "plan", "list")
    data = result(run_paige(project, "plan", "list", "--json"))
    missing = run_paige(project, "plan", "broken:work", "x")

    assert listed.stdout.endswith("  Write a short summary of one note.\n")
    assert f"{broken / 'PLUGIN.md'}:4" in listed.stderr
    assert data["commands"][-1]["name"] == "notes:summarise"
    assert not any(command["name"].startswith("broken") for command in data["commands"])
    assert len(data["problems"]) >= 1
    assert "`paige plan list` says what" in missing.stderr


def test_an_argument_that_is_not_text_is_wrong_usage(project: Path) -> None:
    done = subprocess.run(
        [PAIGE.encode(), b"plan", b"summarise", b"\xff\xfe"],
        env=environment(project),
        cwd=project,
        capture_output=True,
        check=False,
    )

    assert done.returncode == 2
    assert b"not UTF-8" in done.stderr


# --- sessions -------------------------------------------------------------------------------------


def test_a_session_is_listed_and_goes_on_with_what_was_said(
    project: Path, model: ServedModel
) -> None:
    model.says("First.")
    first = result(
        run_paige(project, "plan", "summarise", "one", "--class", "3B", "--json", **model.variables)
    )
    model.says("Second.")
    more = run_paige(
        project, "plan", "resume", first["session"], "two", "--json", **model.variables
    )

    second = result(more)
    listed = json.loads(run_paige(project, "plan", "sessions", "--json").stdout)
    other = run_paige(project, "plan", "sessions", "--plugin", "other")
    said = json.dumps(model.requests[1].body["messages"])
    assert second["session"] == first["session"]
    assert second["trace"] != first["trace"]
    assert said.index("one") < said.index("First.") < said.index("two")
    assert [(row["session"], row["class"], row["title"]) for row in listed] == [
        (first["session"], "3B", "one")
    ]
    assert other.stdout == ""


def test_resuming_what_has_ended_gives_its_result_again_and_asks_nobody(
    project: Path, model: ServedModel
) -> None:
    model.says("Done.")
    first = run_paige(project, "plan", "summarise", "one", "--json", **model.variables)

    again = run_paige(project, "plan", "resume", result(first)["trace"], "--json")

    assert result(again) == result(first)
    assert len(model.requests) == 1


def test_an_unknown_id_is_not_found(project: Path) -> None:
    for command in (("plan", "resume"), ("trace", "show")):
        done = run_paige(project, *command, "no-such-id")
        assert done.returncode == 1
        assert "There is no run and no session `no-such-id`" in done.stderr


def test_a_run_that_failed_for_want_of_an_answer_can_go_on(
    project: Path, model: ServedModel
) -> None:
    model.answers(ANTHROPIC.error(400, "invalid_request_error", "no"))
    failed = run_paige(project, "plan", "summarise", "one", **model.variables)
    [run] = runs(project)
    model.says("Done.")

    done = run_paige(project, "plan", "resume", run.id, **model.variables)

    assert failed.returncode == 1
    assert f"Go on with `paige plan resume {run.id}`" in failed.stderr
    assert done.stdout == "Done.\n"


# --- crashes and questions ------------------------------------------------------------------------


def test_a_killed_run_is_finished_by_resume(project: Path, model: ServedModel) -> None:
    kill_while_the_model_thinks(project, model, "plan", "summarise", "plan.md")
    [begun] = runs(project)
    model.answers(ANTHROPIC.tool_call("c1", "write_file", WRITE), ANTHROPIC.answer("Done."))

    more = run_paige(project, "plan", "resume", begun.session_id, "more", **model.variables)
    done = run_paige(project, "plan", "resume", begun.session_id, "--json", **model.variables)

    assert begun.state == "running"
    assert more.returncode == 1
    assert "has not ended" in more.stderr
    assert result(done)["status"] == "success", done.stderr
    assert result(done)["trace"] == begun.id
    assert (project / ".paige" / "workspace" / "summary.md").read_text() == "Bread.\n"


def test_a_question_without_a_terminal_is_shown_and_exits_4(
    project: Path, model: ServedModel, asking: str
) -> None:
    shown = run_paige(project, "plan", "resume", asking, **model.variables)
    data = run_paige(project, "plan", "resume", asking, "--json", **model.variables)

    assert shown.returncode == data.returncode == 4
    assert "The model was asked and its answer lost" in shown.stderr
    assert "1  Ask once more" in shown.stderr
    assert asking in shown.stderr
    [gate] = result(data)["gates"]
    assert result(data)["status"] == "waiting"
    assert gate["interaction"]["options"][0]["id"] == "again"
    assert gate["reply"] is None
    assert model.requests == []


def test_yes_answers_every_question_and_marks_the_answers(
    project: Path, model: ServedModel, asking: str
) -> None:
    model.says("All is well.")

    done = run_paige(project, "plan", "resume", asking, "--yes", "--json", **model.variables)

    [gate] = result(done)["gates"]
    assert done.returncode == 0
    assert gate["reply"]["auto"] is True
    assert result(done)["output"] == "All is well."


def test_a_question_is_answered_in_the_terminal_and_the_words_come_as_they_are_said(
    project: Path, model: ServedModel, asking: str
) -> None:
    model.says("All is well.")

    with paige_in_terminal(project, "plan", "resume", asking, **model.variables) as terminal:
        terminal.expect("The model was asked and its answer lost")
        terminal.expect("2  End the run")
        terminal.type("7\n")
        terminal.expect("`7` is none of 1 to 2.")
        terminal.type("1\n")
        terminal.expect("All is well.")
        code = terminal.end()

    assert code == 0, terminal.shown
    assert terminal.shown.count("All is well.") == 1
    assert model.requests[-1].body["stream"] is True


def test_who_ends_the_run_at_a_question_is_obeyed(
    project: Path, model: ServedModel, asking: str
) -> None:
    model.says("All is well.")

    with paige_in_terminal(project, "plan", "resume", asking, **model.variables) as terminal:
        terminal.expect("2  End the run")
        terminal.type("2\n")
        code = terminal.end()

    assert code == 3
    assert "it was ended after the model's answer was lost" in terminal.shown


@pytest.mark.parametrize(("keys", "code"), [("\x03", 130), ("\x04", 4)])
def test_leaving_a_question_keeps_it_open_and_says_how_to_come_back(
    project: Path, model: ServedModel, asking: str, keys: str, code: int
) -> None:
    with paige_in_terminal(project, "plan", "resume", asking, **model.variables) as terminal:
        terminal.expect("Answer with a number")
        terminal.expect("> ")
        ended = terminal.leave(keys)

    assert ended == code, terminal.shown
    assert f"paige plan resume {asking}" in terminal.shown
    assert [run.state for run in runs(project)] == ["waiting"]


def test_ctrl_c_in_the_middle_of_an_answer_leaves_a_run_that_goes_on(
    project: Path, model: ServedModel
) -> None:
    model.keeps_silent()
    with paige_in_terminal(project, "plan", "summarise", "x", **model.variables) as terminal:
        assert model.asked.wait(30)
        terminal.type("\x03")
        code = terminal.end()
    [run] = runs(project)
    model.says("Done.")

    done = run_paige(project, "plan", "resume", run.id, **model.variables)

    assert code == 130
    assert f"paige plan resume {run.id}" in terminal.shown
    assert "Traceback" not in terminal.shown
    assert done.stdout == "Done.\n", done.stderr


def test_what_a_model_writes_cannot_steer_the_terminal(project: Path, model: ServedModel) -> None:
    model.says("\x1b]0;owned\x07red")
    with paige_in_terminal(project, "plan", "summarise", "x", **model.variables) as terminal:
        code = terminal.end()

    assert code == 0
    assert "]0;owned�red" in terminal.shown
    assert "\x1b]0" not in terminal.shown


# --- talking --------------------------------------------------------------------------------------


def test_the_repl_keeps_one_session_over_the_lines_of_a_pipe(
    project: Path, model: ServedModel
) -> None:
    model.says("Fine.")
    lines = "/trace\none\n\ntwo\n/trace\n/sessions\n/help\n/nothing\n/exit\nthree\n"

    done = run_paige(project, "plan", "repl", "summarise", stdin=lines, **model.variables)

    made = runs(project)
    assert done.returncode == 0, done.stderr
    assert done.stdout == "Fine.\nFine.\n"
    assert len(made) == 2
    assert len({run.session_id for run in made}) == 1
    assert "Nothing has run yet." in done.stderr
    assert "model claude-sonnet" in done.stderr
    assert "There is no `/nothing`" in done.stderr
    assert "Fine." in json.dumps(model.requests[1].body["messages"])


def test_the_repl_talks_in_a_terminal(project: Path, model: ServedModel) -> None:
    model.says("Fine.")
    with paige_in_terminal(project, "plan", "repl", "summarise", **model.variables) as terminal:
        terminal.expect("Ctrl+D ends.")
        terminal.expect(PROMPT)
        terminal.type("hello\n")
        terminal.expect("Fine.")
        terminal.expect(PROMPT)
        terminal.type("/exit\n")
        code = terminal.end()

    assert code == 0
    assert "Session 0" in terminal.shown


def test_a_session_that_has_ended_goes_on_in_the_terminal(
    project: Path, model: ServedModel
) -> None:
    command = project / ".ai" / "plugins" / "notes" / "commands" / "summarise.md"
    command.write_text(command.read_text().replace("writes:", "mode: interactive\nwrites:"))
    model.says("Fine.")
    with paige_in_terminal(project, "plan", "summarise", "x", **model.variables) as terminal:
        terminal.expect("Fine.")
        terminal.expect("Ctrl+D ends.")
        terminal.expect(PROMPT)
        terminal.leave("\x04")
    [run] = runs(project)

    with paige_in_terminal(
        project, "plan", "resume", run.session_id, **model.variables
    ) as terminal:
        terminal.expect("Ctrl+D ends.")
        terminal.expect(PROMPT)
        terminal.type("more\n")
        terminal.expect("Fine.")
        terminal.expect(PROMPT)
        terminal.leave("\x04")

    assert len({made.session_id for made in runs(project)}) == 1
    assert len(runs(project)) == 2


def test_who_names_no_command_talks_with_the_planner(project: Path) -> None:
    done = run_paige(project, "plan", "repl", stdin="/sessions\nWhat is the weather today?\n")

    assert done.returncode == 3
    assert "This assistant plans lessons" in done.stderr


# --- teacher-assist -------------------------------------------------------------------------------


def teacher_assist(folder: Path, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    return nursery.run(
        [str(Path(sys.executable).parent / "teacher-assist"), *arguments],
        env=environment(folder, **extra),
        cwd=folder,
        stdin=subprocess.DEVNULL,
        text=True,
    )


def test_teacher_assist_runs_lists_resumes_and_shows(project: Path, model: ServedModel) -> None:
    model.says("Done.")

    done = teacher_assist(project, "notes:summarise", "one", "--no-memory", **model.variables)
    [run] = runs(project)
    more = teacher_assist(project, "--resume", run.session_id, "two", **model.variables)
    listed = teacher_assist(project, "--list")
    sessions = teacher_assist(project, "--sessions", "--plugin", "notes")
    shown = teacher_assist(project, "--trace", run.id)
    dry = teacher_assist(project, "notes:summarise", "one", "--dry-run")

    assert (done.stdout, more.stdout) == ("Done.\n", "Done.\n"), done.stderr + more.stderr
    assert "\nnotes:summarise " in listed.stdout
    assert "lesson-planning:create-lesson " in listed.stdout
    assert run.session_id in sessions.stdout
    assert "model claude-sonnet" in shown.stdout
    assert "Total:" in dry.stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--list", "--sessions"), "`--list` and `--sessions` do not go together"),
        (("--plugin", "notes"), "`--plugin` filters `--sessions`"),
        (("nothing", "x"), "There is no command `nothing`"),
    ],
)
def test_teacher_assist_refuses_what_makes_no_sense(
    tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    done = teacher_assist(tmp_path, *arguments)

    assert done.returncode == 2
    assert complaint in done.stderr


def test_teacher_assist_has_the_options_of_its_specification(tmp_path: Path) -> None:
    shown = teacher_assist(tmp_path, "--help").stdout

    options = (
        "--list", "--interactive", "--resume", "--sessions", "--plugin", "--trace", "--provider",
        "--model", "--max-turns", "--dry-run", "--serve", "--no-memory",
    )  # fmt: skip
    assert [option for option in options if f"  {option} " not in shown] == []
