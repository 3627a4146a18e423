"""The workspace, lessons, sessions and proposals of the Plan door over HTTP."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from starlette.testclient import TestClient

from paige.agent.library.plugins import get_command
from paige.agent.runs import continue_run, create_run, run_with_automatic_replies
from paige.app.application import App, open_app
from paige.app.plugin_runs import RunOptions, find_plugins, open_runtime, prepare_start
from paige.base.settings import Settings
from paige.doors.site.factory import Site
from tests.conftest import NOON
from tests.plan.planning import WORKSPACE, lesson_text, write_files
from tests.server.plan_window import Teacher, open_gate, teacher_in, yes

BASE = "http://127.0.0.1:3000"
LESSON = "lessons/2026-03-01-3B-loops.md"


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A small workspace."""
    return write_files(tmp_path / "workspace", WORKSPACE)


@pytest.fixture
def app(tmp_path: Path, workspace: Path) -> Iterator[App]:
    """An application with a home and a workspace of its own."""
    settings = Settings(
        cwd=tmp_path,
        given_data_dir=tmp_path / "data",
        given_workspace=workspace,
        environ={"HOME": str(tmp_path)},
    )
    with open_app(settings, strict=False, now=lambda: NOON) as opened:
        yield opened


@pytest.fixture
def client(app: App) -> Iterator[TestClient]:
    """A site over that application."""
    with TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False) as opened:
        yield opened


@pytest.fixture
def teacher(client: TestClient) -> Iterator[Teacher]:
    """A teacher at that site."""
    with teacher_in(client) as opened:
        yield opened


def error_of(answer: Any) -> str:
    return answer.json()["error"]["message"]


def read(client: TestClient, path: str) -> dict[str, Any]:
    answer = client.get("/api/plan/file", params={"path": path})
    assert answer.status_code == 200, answer.text
    return answer.json()


def put(client: TestClient, path: str, text: str, version: str | None = None) -> Any:
    return client.put(
        "/api/plan/file", params={"path": path}, json={"text": text, "version": version}
    )


# --- The overview ---------------------------------------------------------------------------------


def test_the_overview_names_commands_classes_and_who_composes(client: TestClient) -> None:
    seen = client.get("/api/plan").json()

    commands = {each["fullName"]: each for each in seen["commands"]}
    assert commands["lesson-planning:create-lesson"]["local"] is True
    assert commands["lesson-planning:create-lesson"]["name"] == "create-lesson"
    assert [each["id"] for each in seen["classes"]] == ["1B", "3B"]
    assert seen["classes"][1] == {
        "id": "3B",
        "year": "S3",
        "subject": "Computing Science",
        "level": "Third",
        "minutes": 50,
    }
    assert (seen["provider"], seen["local"], seen["waiting"]) == ("local", True, 0)


def test_the_overview_says_what_is_wrong_with_which_line_of_which_file(
    client: TestClient, workspace: Path
) -> None:
    (workspace / "classes" / "2A.md").write_text("---\nclass: 2A\nminutes: long\n---\n# 2A\n")
    (workspace / "classes" / "2B.md").write_bytes(b"---\nclass: \xff\n---\n")
    (workspace / "curriculum" / "own.md").write_text("## Third level\n- **X 1** no grade\n")

    problems = client.get("/api/plan").json()["problems"]

    places = [(each["path"], each["line"]) for each in problems]
    assert ("classes/2A.md", 3) in places
    assert ("classes/2B.md", 2) in places
    assert any(path == "curriculum/own.md" for path, _ in places)
    assert all(each["message"].endswith((".", "?")) for each in problems)


# --- Files ----------------------------------------------------------------------------------------


def test_files_are_listed_by_kind_without_memory(client: TestClient, workspace: Path) -> None:
    write_files(
        workspace,
        {
            LESSON: lesson_text(),
            "units/loops.md": "# Loops\n",
            "notes.txt": "x",
            "memory/MEMORY.md": "- secret\n",
            ".hidden.md": "x",
        },
    )
    (workspace / "curriculum" / "originals").mkdir()
    (workspace / "curriculum" / "originals" / "paper.pdf").write_bytes(b"%PDF-\xff\xfe")

    files = {each["path"]: each for each in client.get("/api/plan/files").json()}

    assert {path: each["kind"] for path, each in files.items()} == {
        "soul.md": "identity",
        "teacher.md": "profile",
        "pedagogy.md": "profile",
        "classes/1B.md": "class",
        "classes/3B.md": "class",
        "curriculum/cfe-computing.md": "curriculum",
        "curriculum/originals/paper.pdf": "curriculum",
        LESSON: "lesson",
        "units/loops.md": "lesson",
        "notes.txt": "other",
    }
    paper = files["curriculum/originals/paper.pdf"]
    assert (paper["text"], paper["size"]) == (False, 7)
    assert files["soul.md"]["size"] == len(WORKSPACE["soul.md"].encode())
    assert files["soul.md"]["version"] == read(client, "soul.md")["version"]


def test_a_file_is_written_if_nobody_changed_it_meanwhile(
    client: TestClient, workspace: Path
) -> None:
    seen = read(client, "teacher.md")

    written = put(client, "teacher.md", "# Me\n", seen["version"])
    late = put(client, "teacher.md", "# Someone else\n", seen["version"])

    assert written.json()["text"] == "# Me\n"
    assert late.status_code == 409
    assert error_of(late) == "`teacher.md` was changed by someone else meanwhile"
    assert (workspace / "teacher.md").read_text() == "# Me\n"
    assert put(client, "teacher.md", "# More\n", written.json()["version"]).status_code == 200


def test_a_new_file_is_made_once_and_is_markdown(client: TestClient, workspace: Path) -> None:
    made = put(client, "classes/2C.md", "---\nclass: 2C\n---\n# 2C\n")
    again = put(client, "classes/2C.md", "other")
    strange = put(client, "classes/run.sh", "rm -rf /")

    assert (made.status_code, made.json()["kind"]) == (200, "class")
    assert (again.status_code, strange.status_code) == (409, 400)
    assert error_of(again) == "There is a file `classes/2C.md` already"
    assert not (workspace / "classes" / "run.sh").exists()


@pytest.mark.parametrize(
    "path",
    [
        "../outside.md",
        "/etc/passwd.md",
        "classes/../../outside.md",
        ".hidden.md",
        "classes/.git/config.md",
        "classes\\..\\..\\outside.md",
        "memory/MEMORY.md",
        "./memory/new.md",
        "MEMORY/new.md",
        "lessons/../memory/new.md",
        "out/secret.md",
        "remembered/new.md",
        "nul\0.md",
    ],
)
def test_nothing_is_read_written_or_removed_outside_the_workspace_or_in_memory(
    client: TestClient, tmp_path: Path, workspace: Path, path: str
) -> None:
    outside = write_files(tmp_path / "elsewhere", {"secret.md": "secret"})
    write_files(workspace, {"memory/MEMORY.md": "- remembered\n"})
    (workspace / "out").symlink_to(outside)
    (workspace / "remembered").symlink_to(workspace / "memory")
    before = {each: each.read_text() for each in tmp_path.rglob("*.md")}

    answers = [
        client.get("/api/plan/file", params={"path": path}),
        put(client, path, "changed"),
        client.delete("/api/plan/file", params={"path": path}),
        client.get("/api/plan/lesson", params={"path": path}),
        client.get("/api/plan/lines", params={"path": path, "start": 1, "end": 1}),
        client.get("/api/plan/export", params={"path": path, "to": "md"}),
    ]

    assert [answer.status_code for answer in answers] == [403] * 6
    assert {each: each.read_text() for each in tmp_path.rglob("*.md")} == before


def test_a_path_that_cannot_be_a_file_is_an_error_with_a_sentence(client: TestClient) -> None:
    below_a_file = put(client, "teacher.md/more.md", "x")
    too_long = put(client, f"{'x' * 300}.md", "x")
    missing = client.get("/api/plan/file", params={"path": "classes/9Z.md"})
    folder = client.get("/api/plan/file", params={"path": "classes"})

    assert below_a_file.status_code in (400, 404, 409, 503)
    assert too_long.status_code in (400, 403, 503)
    assert (missing.status_code, folder.status_code) == (404, 404)
    assert error_of(missing) == "There is no document `classes/9Z.md`"


def test_a_file_is_removed_if_it_is_the_one_that_was_seen(
    client: TestClient, workspace: Path
) -> None:
    seen = read(client, "classes/1B.md")
    put(client, "classes/1B.md", "# changed\n", seen["version"])

    stale = client.delete(
        "/api/plan/file", params={"path": "classes/1B.md", "version": seen["version"]}
    )
    gone = client.delete("/api/plan/file", params={"path": "classes/1B.md"})
    again = client.delete("/api/plan/file", params={"path": "classes/1B.md"})

    assert [stale.status_code, gone.status_code, again.status_code] == [409, 200, 404]
    assert gone.json()["path"] == "classes/1B.md"
    assert not (workspace / "classes" / "1B.md").exists()


def test_a_file_comes_with_what_is_wrong_in_each_line(client: TestClient) -> None:
    profile = "---\nclass: 2D\nyear: S9\ncurriculum: nowhere\ncolour: red\n---\n# 2D\n"
    lesson = (
        lesson_text().replace('"Choose tools', '"Invented words').replace("(10 min)", "(9 min)")
    )

    wrong_class = put(client, "classes/2D.md", profile).json()["problems"]
    wrong_lesson = put(client, LESSON, lesson).json()["problems"]
    right = put(client, "lessons/right.md", lesson_text()).json()["problems"]

    assert {3, 5, None} <= {each["line"] for each in wrong_class}
    assert any("`curriculum/nowhere.md`" in each["message"] for each in wrong_class)
    cited = next(n for n, line in enumerate(lesson.split("\n"), 1) if "Invented words" in line)
    assert cited in {each["line"] for each in wrong_lesson}
    assert right == []


def test_every_window_hears_of_a_file_that_was_written_or_removed(
    client: TestClient, teacher: Teacher
) -> None:
    with teacher_in(client) as colleague:
        seen = read(client, "teacher.md")
        put(client, "teacher.md", "# Me\n", seen["version"])
        client.delete("/api/plan/file", params={"path": "teacher.md"})

        heard = [
            [each.window.expect("plan:file") for _ in range(2)] for each in (teacher, colleague)
        ]

    assert (
        heard[0]
        == heard[1]
        == [
            {"path": "teacher.md", "action": "written"},
            {"path": "teacher.md", "action": "deleted"},
        ]
    )


def test_windows_hear_of_what_another_program_changes_but_not_of_memory(
    teacher: Teacher, workspace: Path
) -> None:
    teacher.get("/files")  # from now on the folder is watched
    write_files(workspace, {"memory/topic.md": "- x\n"})
    heard: set[tuple[str, str]] = set()
    # Watching begins a moment after the first use: the file is changed until somebody hears it.
    with anyio.from_thread.start_blocking_portal() as portal:
        stop = anyio.Event()

        async def keep_changing() -> None:
            number = 0
            while not stop.is_set():
                number += 1
                (workspace / "pedagogy.md").write_text(f"# How I teach\n{number}\n")
                with anyio.move_on_after(0.2):
                    await stop.wait()

        changing = portal.start_task_soon(keep_changing)
        told = teacher.window.expect("plan:file")
        heard.add((told["path"], told["action"]))
        portal.call(stop.set)
        changing.result(10)

    assert heard == {("pedagogy.md", "written")}


# --- Lines and lessons ----------------------------------------------------------------------------


def test_lines_come_with_four_around_them(client: TestClient) -> None:
    path = "curriculum/cfe-computing.md"
    every = WORKSPACE[path].split("\n")

    middle = client.get("/api/plan/lines", params={"path": path, "start": 9, "end": 10}).json()
    top = client.get("/api/plan/lines", params={"path": path, "start": 1, "end": 1}).json()
    beyond = client.get("/api/plan/lines", params={"path": path, "start": 9, "end": 999})
    backwards = client.get("/api/plan/lines", params={"path": path, "start": 9, "end": 8})

    assert (middle["first"], middle["start"], middle["end"]) == (5, 9, 10)
    assert middle["lines"] == every[4:14]
    assert (top["first"], top["lines"]) == (1, every[:5])
    assert (beyond.status_code, backwards.status_code) == (400, 400)


def test_a_lesson_shows_its_sections_and_whether_its_claims_hold(
    client: TestClient, workspace: Path
) -> None:
    text = lesson_text().replace(
        "## Before the lesson",
        '- [TCH 3-15b](curriculum/cfe-computing.md#L11-L11) "Say how two programs"\n'
        '- [TCH 4-15a](curriculum/cfe-computing.md#L11-L11) "Say how two programs"\n\n'
        "## Before the lesson\n\nThis meets TCH 2-15a as well.\n",
    )
    write_files(workspace, {LESSON: text})

    seen = client.get("/api/plan/lesson", params={"path": LESSON}).json()

    assert (seen["classId"], seen["text"]) == ("3B", text)
    assert seen["version"] == read(client, LESSON)["version"]
    assert "starter" in [each["id"] for each in seen["sections"]]
    good, unsure, wrong = seen["evidence"]
    assert (good["code"], good["valid"], good["verified"], good["reason"]) == (
        "TCH 3-15a",
        True,
        True,
        None,
    )
    assert (good["file"], good["start"], good["end"]) == ("curriculum/cfe-computing.md", 9, 9)
    assert (unsure["valid"], unsure["grade"], unsure["verified"]) == (True, "C", False)
    assert wrong["valid"] is False
    assert wrong["reason"].endswith(".")
    assert text.split("\n")[wrong["line"] - 1].startswith("- [TCH 4-15a]")
    assert any("TCH 2-15a" in each["message"] for each in seen["faults"])


def test_saved_lessons_are_listed_the_latest_first(client: TestClient, workspace: Path) -> None:
    write_files(
        workspace,
        {
            LESSON: lesson_text(),
            "lessons/2026-02-01-1B-old.md": "# Old\n\n- Class: 1B\n- Date: 2027-03-05\n",
            "worksheets/plain.md": "no heading",
            "lessons/paper.pdf": "x",
        },
    )

    items = client.get("/api/plan/lessons").json()

    assert [(each["path"], each["classId"], each["date"]) for each in items] == [
        ("lessons/2026-02-01-1B-old.md", "1B", "2027-03-05"),
        (LESSON, "3B", items[1]["date"]),
        ("worksheets/plain.md", None, None),
    ]
    assert [each["title"] for each in items][::2] == ["Old", "plain"]


@pytest.mark.parametrize(
    ("to", "media", "begins", "ending"),
    [
        ("md", "text/markdown", b"# ", ".md"),
        ("docx", "application/vnd.openxml", b"PK", ".docx"),
        ("pdf", "application/pdf", b"%PDF-", ".pdf"),
        ("slides", "text/markdown", b"# ", "-slides.md"),
        ("worksheet", "text/markdown", b"", "-worksheet.md"),
        ("qti", "application/zip", b"PK", "-qti.zip"),
        ("ics", "text/calendar", b"BEGIN:VCALENDAR", ".ics"),
    ],
)
def test_a_lesson_is_downloaded_in_another_form(
    client: TestClient, workspace: Path, to: str, media: str, begins: bytes, ending: str
) -> None:
    write_files(workspace, {"lessons/Schülerübung 3B.md": lesson_text()})

    answer = client.get("/api/plan/export", params={"path": "lessons/Schülerübung 3B.md", "to": to})

    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"].startswith(media)
    assert answer.content.startswith(begins)
    disposition = answer.headers["content-disposition"]
    assert disposition.startswith('attachment; filename="Sch_ler_bung 3B')
    assert f"filename*=UTF-8''Sch%C3%BCler%C3%BCbung%203B{ending}" in disposition


def test_what_cannot_be_exported_says_why(client: TestClient, workspace: Path) -> None:
    write_files(workspace, {LESSON: "# Only words\n"})

    quiz = client.get("/api/plan/export", params={"path": LESSON, "to": "qti"})
    unknown = client.get("/api/plan/export", params={"path": LESSON, "to": "exe"})
    missing = client.get("/api/plan/export", params={"path": "lessons/none.md", "to": "md"})

    assert (quiz.status_code, unknown.status_code, missing.status_code) == (400, 400, 404)
    assert "cannot be read as a lesson" in error_of(quiz)


# --- Sessions -------------------------------------------------------------------------------------


def test_sessions_are_found_by_words_class_and_plugin(teacher: Teacher) -> None:
    loops = teacher.ask("loops for 3B")
    teacher.finish(loops["run"])
    other = teacher.ask("variables", classId="1B")
    teacher.until(other["run"], "waiting")

    def found(**query: object) -> list[str]:
        return [each["id"] for each in teacher.get("/sessions", **query)["sessions"]]

    assert set(found()) == {loops["session"], other["session"]}
    assert found(query="loops 3B") == [loops["session"]]
    assert found(query="nobody said this") == []
    assert found(**{"class": "1b"}) == [other["session"]]
    assert found(plugin="another") == []
    assert len(found(plugin="lesson-planning", limit=1)) == 1
    states = {each["id"]: each["state"] for each in teacher.get("/sessions")["sessions"]}
    assert states == {loops["session"]: "ended", other["session"]: "waiting"}
    assert teacher.get("")["waiting"] == 1


def test_what_is_not_there_is_404_and_what_cannot_be_used_400(client: TestClient) -> None:
    ask = {"command": "create-lesson", "input": "x"}
    answers = {
        client.get("/api/plan/sessions/none").status_code: 404,
        client.post("/api/plan/runs/none/continue").status_code: 404,
        client.post("/api/plan/runs/none/stop").status_code: 404,
        client.post(
            "/api/plan/runs/none/gates/t1/x", json={"revision": 1, "reply": {}}
        ).status_code: 404,
    }
    bad = [
        client.get("/api/plan/sessions", params={"limit": 0}),
        client.post("/api/plan/runs", json={**ask, "colour": "red"}),
        client.post("/api/plan/runs", json={**ask, "input": "  \n"}),
        client.post("/api/plan/runs", json={**ask, "provider": "somebody"}),
        client.post("/api/plan/runs/none/gates/t1/x", json={"revision": 1, "reply": {"picked": 3}}),
    ]
    unknown = client.post("/api/plan/runs", json={**ask, "command": "create-lessen"})
    strange = client.post("/api/plan/runs", json={**ask, "session": "none"})

    assert set(answers) == {404}
    assert [answer.status_code for answer in bad] == [400] * 5
    assert (unknown.status_code, strange.status_code) == (404, 404)
    assert "create-lesson" in unknown.json()["error"]["hint"]


# --- Proposals ------------------------------------------------------------------------------------


async def run_with_yes(app: App, prompt: str) -> None:
    """A run that nobody answers: its proposals stay pending."""
    found = get_command(find_plugins(app.settings).plugins, "create-lesson")
    async with open_runtime(app, found, RunOptions()) as runtime:
        begun = await prepare_start(app, runtime, found, prompt, RunOptions())
        run = await create_run(begun.runtime, app.actor, begun.new)
        state = await continue_run(begun.runtime, app.actor, run.id)
        ended = await run_with_automatic_replies(begun.runtime, app.actor, state)
    assert ended.run.status == "success", ended.run.reason


@pytest.fixture
def proposal(app: App, teacher: Teacher) -> dict[str, Any]:
    """A proposal that a run left."""
    teacher.http.portal.call(run_with_yes, app, "loops for 3B")
    [pending] = teacher.get("/proposals")
    return pending


def decide(client: TestClient, key: str, decision: str, text: str | None = None) -> Any:
    return client.post(f"/api/plan/proposals/{key}", json={"decision": decision, "text": text})


def remembered(client: TestClient, path: str) -> str | None:
    answer = client.get(f"/api/memory/files/{path}")
    return answer.json()["text"] if answer.status_code == 200 else None


def test_a_pending_proposal_is_confirmed_once_and_then_remembered(
    client: TestClient, teacher: Teacher, proposal: dict[str, Any]
) -> None:
    assert (proposal["scope"], proposal["classId"], proposal["asked"]) == ("class", "3B", False)
    assert proposal["session"] in [each["id"] for each in teacher.get("/sessions")["sessions"]]
    assert remembered(client, proposal["path"]) is None

    first = decide(client, proposal["key"], "confirmed")
    second = decide(client, proposal["key"], "dismissed")

    assert (first.status_code, second.status_code) == (200, 409)
    assert remembered(client, proposal["path"]) == f"- {proposal['text']}\n"
    assert teacher.get("/proposals") == []
    assert teacher.window.expect("memory:changed")["ids"] == [proposal["path"]]


def test_words_that_name_a_pupil_are_refused_and_the_proposal_stays(
    client: TestClient, teacher: Teacher, proposal: dict[str, Any]
) -> None:
    named = decide(client, proposal["key"], "edited", "Marek Kowalski needs more time for reading")
    empty = decide(client, proposal["key"], "edited", "  ")
    unknown = decide(client, "nobody", "dismissed")

    assert (named.status_code, empty.status_code, unknown.status_code) == (403, 400, 404)
    assert remembered(client, proposal["path"]) is None
    assert teacher.get("/proposals") == [proposal]

    edited = decide(client, proposal["key"], "edited", "Two pupils need\nmore time")

    assert edited.status_code == 200
    assert remembered(client, proposal["path"]) == "- Two pupils need more time\n"


def test_a_dismissed_proposal_leaves_nothing(
    client: TestClient, teacher: Teacher, proposal: dict[str, Any]
) -> None:
    assert decide(client, proposal["key"], "dismissed").status_code == 200
    assert teacher.get("/proposals") == []
    assert remembered(client, proposal["path"]) is None


def test_what_a_run_asks_about_now_is_listed_and_answered_there(
    client: TestClient, teacher: Teacher
) -> None:
    begun = teacher.ask("loops for 3B")
    seen = teacher.until(begun["run"], "waiting")
    while open_gate(seen)["hook"] != "memory-capture":
        gate = open_gate(seen)
        teacher.answer(gate, yes(gate["interaction"]))
        seen = teacher.until(begun["run"], "waiting")

    [asked] = teacher.get("/proposals")
    refused = decide(client, asked["key"], "dismissed")
    teacher.answer(open_gate(seen), yes(open_gate(seen)["interaction"]))
    teacher.until(begun["run"], "ended")

    assert asked["asked"] is True
    assert refused.status_code == 409
    assert begun["session"] in refused.json()["error"]["hint"]
    assert teacher.get("/proposals") == []
    assert json.dumps(remembered(client, asked["path"])).count(asked["text"]) == 1
