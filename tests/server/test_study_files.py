"""The files of an exercise over HTTP: read, written, uploaded, run; and nothing else."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.server.conftest import Open
from tests.server.study_window import Learner, picture
from tests.study import small_course, small_courses
from tests.study.answering import fill_in


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A teaching folder with three small courses."""
    folder = tmp_path / "teaching"
    small_courses.malay(folder)
    small_courses.algorithms(folder)
    small_course.write_five(folder)
    return folder


@pytest.fixture
def client(open_site: Open, root: Path) -> TestClient:
    """A site over that folder."""
    return open_site(given_teaching_dir=root, environ={"HOME": str(root.parent)})


@pytest.fixture
def worksheet(client: TestClient, root: Path) -> Learner:
    """Somebody with a worksheet before them."""
    learner = Learner(client, root, "malay")
    learner.to_exercise("worksheet", "greetings")
    return learner


@pytest.fixture
def code(client: TestClient, root: Path) -> Learner:
    """Somebody with code to write."""
    learner = Learner(client, root, small_course.FIVE)
    learner.to_exercise("code", "doubling")
    return learner


@pytest.fixture
def photo(client: TestClient, root: Path) -> Learner:
    """Somebody with something to draw."""
    learner = Learner(client, root, small_course.FIVE)
    learner.to_exercise("image_review", "drawing")
    return learner


def put(learner: Learner, path: str, text: str, version: str) -> Any:
    return learner.http.put(
        "/api/study/session/file",
        params={**learner.who, "path": path},
        json={"text": text, "version": version},
    )


def test_a_worksheet_is_shown_without_its_answers_and_keeps_them(
    worksheet: Learner, tmp_path: Path
) -> None:
    path = worksheet.step["exercise"]["open"][0]
    stored = (worksheet.root / path).read_text()
    shown = worksheet.get("/session/file", path=path).json()
    filled = tmp_path / "filled.md"
    filled.write_text(stored)
    fill_in(filled)
    text = filled.read_text().partition("<!-- ANSWER_KEY")[0]

    written = put(worksheet, path, text, shown["version"])

    assert "ANSWER_KEY" in stored
    assert "ANSWER_KEY" not in shown["text"]
    assert shown["editable"] is True
    assert written.status_code == 200
    assert "ANSWER_KEY" not in written.json()["text"]
    assert (worksheet.root / path).read_text().rstrip() == filled.read_text().rstrip()
    assert worksheet.act(done=True)["result"]["score"]["percentage"] == 1


def test_a_key_that_somebody_sends_does_not_become_the_key(worksheet: Learner) -> None:
    path = worksheet.step["exercise"]["open"][0]
    stored = (worksheet.root / path).read_text()
    shown = worksheet.get("/session/file", path=path).json()
    forged = f"{shown['text']}\n<!-- ANSWER_KEY (do not edit below this line) -->\n1.1: mine\n-->"

    put(worksheet, path, forged, shown["version"])

    assert (worksheet.root / path).read_text() == stored


def test_what_somebody_else_wrote_meanwhile_is_not_written_over(code: Learner) -> None:
    path = code.step["exercise"]["open"][0]
    shown = code.get("/session/file", path=path).json()
    (code.root / path).write_text("def double(n):\n    return n\n")

    refused = put(code, path, "mine", shown["version"])
    handed_in = code.try_to(fileText="mine", fileVersion=shown["version"])

    for each in (refused, handed_in):
        assert each.status_code == 409
        both = each.json()
        assert both["current"]["text"] == "def double(n):\n    return n\n"
        assert both["yours"] == "mine"
        assert both["error"]["hint"]
    assert (code.root / path).read_text() == "def double(n):\n    return n\n"
    assert put(code, path, "mine", both["current"]["version"]).status_code == 200


def test_code_is_run_without_being_handed_in(code: Learner, client: TestClient) -> None:
    path = code.step["exercise"]["open"][0]
    shown = code.get("/session/file", path=path).json()

    before = client.post("/api/study/session/run", json=code.who).json()
    put(code, path, "def double(n):\n    return 2 * n\n", shown["version"])
    after = client.post("/api/study/session/run", json=code.who).json()

    assert (before["passed"], before["total"]) == (0, 3)
    assert before["output"]
    assert (after["passed"], after["total"]) == (3, 3)
    assert {each["status"] for each in after["tests"]} == {"passed"}
    assert code.look()["exercise"]["attempts"] == 0
    assert code.act(done=True)["result"]["score"]["percentage"] == 1


def test_somebody_stops_their_run_from_the_page_and_no_attempt_is_used(
    code: Learner, client: TestClient
) -> None:
    path = code.step["exercise"]["open"][0]
    (code.root / path).write_text("def double(n):\n    while True: pass\n")

    with ThreadPoolExecutor(1) as pool:
        for act in (
            lambda: client.post("/api/study/session/run", json=code.who),
            lambda: code.try_to(done=True),
        ):
            running = pool.submit(act)
            while client.post("/api/study/session/run/stop").json() == {"stopped": 0}:
                assert not running.done()
            answer = running.result(10)
            assert answer.status_code == 409
            assert "You stopped this run" in answer.json()["error"]["message"]

    assert code.look()["exercise"]["attempts"] == 0


def test_tests_are_read_and_not_written_and_the_solution_is_neither(code: Learner) -> None:
    folder = code.step["exercise"]["file"]

    tests = code.get("/session/file", path=f"{folder}/test_exercise.py")
    solution = code.get("/session/file", path=f"{folder}/solution.py")

    assert tests.json()["editable"] is False
    assert (
        put(code, f"{folder}/test_exercise.py", "pass", tests.json()["version"]).status_code == 403
    )
    assert (code.root / folder / "solution.py").exists()
    assert solution.status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "learner/profile.json",
        "../outside.txt",
        "/etc/passwd",
        "courses/lima/items/doubling.jsonl",
        "learner/lima/exercises/doubling/../../../../outside.txt",
        "learner/lima/exercises/doubling/.solution",
        "learner\\lima",
        "\ud7ff\u0000",
    ],
)
def test_no_other_file_can_be_reached(code: Learner, path: str) -> None:
    (code.root.parent / "outside.txt").write_text("private")

    read = code.get("/session/file", path=path)
    handed_in = code.try_to(path=path)

    assert read.status_code == 403
    assert put(code, path, "x", "y").status_code == 403
    assert handed_in.status_code == 403
    assert "private" not in read.text + handed_in.text
    assert code.look()["exercise"]["attempts"] == 0


def test_a_link_out_of_the_folder_is_not_followed(code: Learner) -> None:
    path = code.step["exercise"]["open"][0]
    outside = code.root.parent / "outside.txt"
    outside.write_text("private")
    (code.root / path).unlink()
    (code.root / path).symlink_to(outside)

    assert code.get("/session/file", path=path).status_code == 403
    assert put(code, path, "x", "y").status_code == 403
    assert outside.read_text() == "private"


def test_a_photo_is_kept_shown_and_handed_in(photo: Learner) -> None:
    first = photo.upload("My tree.PNG", picture())
    photo.step = photo.upload("My tree.PNG", picture()).json()
    uploads = photo.step["exercise"]["uploads"]

    shown = photo.get("/session/upload", path=uploads[0]["path"])
    seen = photo.act(path=uploads[0]["path"])
    done = photo.act(rating=3)

    assert first.status_code == 200, first.text
    assert [each["name"] for each in uploads] == ["my-tree.png", "my-tree-1.png"]
    assert (shown.headers["content-type"], shown.content) == ("image/png", picture())
    assert seen["exercise"]["criteria"]
    assert any("right, partly or wrong" in each for each in seen["says"])
    assert done["result"]["source"] == "self"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("tree.png", b"not a picture"),
        ("tree.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("tree", picture()),
        ("../../../tree.exe", picture()),
        ("tree.png", b""),
    ],
)
def test_what_is_no_photo_is_not_kept(photo: Learner, name: str, data: bytes) -> None:
    answer = photo.upload(name, data)

    assert answer.status_code == 400
    assert answer.json()["error"]["hint"]
    assert photo.look()["exercise"]["uploads"] == []
    assert not list(photo.root.rglob("tree*"))


def test_a_name_cannot_lead_an_upload_elsewhere(photo: Learner) -> None:
    photo.step = photo.upload("../../../../escaped.png", picture()).json()

    (kept,) = photo.step["exercise"]["uploads"]
    assert kept["path"].startswith("learner/lima/uploads/")
    assert [each.name for each in photo.root.parent.rglob("escaped*")] == ["escaped.png"]


def test_too_large_an_upload_is_refused(photo: Learner) -> None:
    answer = photo.upload("tree.png", b"\0" * (31 * 2**20))

    assert answer.status_code == 413
    assert "MiB" in answer.json()["error"]["message"]


def test_uploads_belong_to_their_step_and_to_exercises_that_take_them(
    photo: Learner, client: TestClient, root: Path
) -> None:
    stale = photo.upload("tree.png", picture(), step=photo.step["step"] + 1)
    other = Learner(client, root, "malay")
    other.to_exercise("flashcard", "greetings")

    assert stale.status_code == 409
    assert other.upload("tree.png", picture()).status_code == 400
    assert photo.get("/session/upload", path="learner/profile.json").status_code == 404


def test_there_are_no_files_where_no_exercise_is_done(client: TestClient, root: Path) -> None:
    learner = Learner(client, root, small_course.FIVE)

    nothing_open = learner.get("/session/file", path="learner/x")
    learner.start()
    a_lesson = learner.get("/session/file", path="learner/x")
    run = client.post("/api/study/session/run", json=learner.who)

    assert (nothing_open.status_code, a_lesson.status_code, run.status_code) == (404, 404, 404)


def test_words_are_not_run_as_code(worksheet: Learner, client: TestClient) -> None:
    assert client.post("/api/study/session/run", json=worksheet.who).status_code == 400
