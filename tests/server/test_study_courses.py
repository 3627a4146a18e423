"""Courses, progress and settings of Study over HTTP, with everything that can be wrong."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tests.server.conftest import Open
from tests.server.study_window import Learner
from tests.study import small_courses

CSV = b"front,back\ndog,anjing\ncat,kucing\nbird,burung\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A teaching folder with a small course."""
    folder = tmp_path / "teaching"
    small_courses.malay(folder)
    return folder


@pytest.fixture
def client(open_site: Open, root: Path) -> TestClient:
    """A site over that folder."""
    return open_site(given_teaching_dir=root, environ={"HOME": str(root.parent)})


def send(client: TestClient, kind: str, data: bytes, **query: str) -> Any:
    return client.post("/api/study/import", params={"kind": kind, **query}, content=data)


def zipped(files: dict[str, str]) -> bytes:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return data.getvalue()


def track() -> dict[str, str]:
    """A small Exercism track in a folder of its own."""
    config = {
        "slug": "python",
        "language": "Python",
        "exercises": {
            "practice": [
                {"slug": "leap", "name": "Leap", "uuid": "1", "practices": [], "prerequisites": []}
            ]
        },
    }
    meta = {
        "files": {
            "solution": ["leap.py"],
            "test": ["leap_test.py"],
            "example": [".meta/example.py"],
        }
    }
    leap = "track/exercises/practice/leap"
    return {
        "track/config.json": json.dumps(config),
        f"{leap}/.meta/config.json": json.dumps(meta),
        f"{leap}/.meta/example.py": "def leap(year):\n    return year % 4 == 0\n",
        f"{leap}/.docs/instructions.md": "# Instructions\n\nSay whether a year is a leap year.\n",
        f"{leap}/leap.py": "def leap(year):\n    pass\n",
        f"{leap}/leap_test.py": (
            "import unittest\nfrom leap import leap\n\n\nclass LeapTest(unittest.TestCase):\n"
            "    def test_four(self):\n        self.assertTrue(leap(2024))\n"
        ),
    }


def test_today_counts_courses_and_what_can_be_begun(client: TestClient) -> None:
    today = client.get("/api/study").json()

    by_name = {each["name"]: each for each in today["courses"]}
    assert {"malay", "bahasa-melayu", "how-memory-works", "python-algorithms"} <= set(by_name)
    assert (by_name["malay"]["begun"], by_name["malay"]["ready"]) == (False, 1)
    assert by_name["bahasa-melayu"]["shipped"] is True
    assert len(today["days"]) == 14
    assert (today["due"], today["streak"], today["local"]) == (0, 0, True)
    assert {each["name"] for each in today["templates"]} >= {"language", "conceptual"}
    assert all(each["description"] for each in today["templates"])


def test_a_course_is_shown_with_layers_and_without_what_it_asks(client: TestClient) -> None:
    course = client.get("/api/study/courses/python-algorithms").json()

    layers = {each["id"]: each["layer"] for each in course["concepts"]}
    for each in course["concepts"]:
        assert all(layers[before] < layers[each["id"]] for before in each["prerequisites"])
    assert {each["status"] for each in course["concepts"]} == {"new"}
    assert course["folder"] == ""
    assert sum(each["items"] for each in course["concepts"]) == course["items"]


def test_a_course_begins_from_a_template_with_a_title(client: TestClient, root: Path) -> None:
    body = {"name": "spanish", "template": "language", "title": "Spanish for me"}
    made = client.post("/api/study/courses", json=body)
    again = client.post("/api/study/courses", json=body)

    assert made.status_code == 200, made.text
    assert (made.json()["title"], made.json()["domain"]) == ("Spanish for me", "language")
    assert made.json()["folder"] == str(root / "courses" / "spanish")
    assert again.status_code == 409
    assert client.get("/api/study/courses/spanish").json()["problems"] == []


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"name": "../up", "template": "language"}, 400),
        ({"name": "x", "template": "nothing"}, 404),
        ({"name": "x", "template": "../../etc"}, 400),
        ({"name": "python-algorithms", "template": "language"}, 409),
        ({"name": "x", "colour": "red"}, 400),
    ],
)
def test_a_course_that_cannot_be_made_says_why(
    client: TestClient, body: dict[str, str], status: int
) -> None:
    answer = client.post("/api/study/courses", json=body)

    assert answer.status_code == status
    assert answer.json()["error"]["message"]


def test_cards_come_in_and_go_out_again(client: TestClient) -> None:
    taken = send(client, "csv", CSV, name="animals", file="animals.csv")
    again = send(client, "csv", CSV, name="animals", file="animals.csv")
    out = client.get("/api/study/export", params={"course": "animals", "to": "anki"})
    back = send(client, "anki", out.content, name="animals-back", file="animals.apkg")
    table = client.get("/api/study/export", params={"course": "animals", "to": "csv"})

    assert taken.status_code == 200, taken.text
    assert (taken.json()["added"], taken.json()["course"]["name"]) == (3, "animals")
    assert (again.json()["added"], again.json()["there"]) == (0, 3)
    assert out.headers["content-disposition"].startswith('attachment; filename="animals.apkg"')
    assert back.json()["added"] == 3
    assert b"kucing" in table.content


def test_a_zipped_track_becomes_a_course(client: TestClient) -> None:
    taken = send(client, "exercism", zipped(track()), name="exercism-python", file="track.zip")

    assert taken.status_code == 200, taken.text
    assert (taken.json()["added"], taken.json()["course"]["items"]) == (1, 1)


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        ("anki", b"no package"),
        ("csv", b"\xff\xfe\x00\x00"),
        ("csv", b""),
        ("exercism", b"no zip"),
        ("exercism", zipped({"readme.md": "nothing"})),
        ("exercism", zipped({"../../escaped/config.json": "{}"})),
        ("exercism", zipped({"/tmp/escaped/config.json": "{}"})),
        ("exercism", zipped(track())[:-40]),
    ],
)
def test_what_is_no_course_is_not_taken_in(
    client: TestClient, root: Path, kind: str, data: bytes
) -> None:
    answer = send(client, kind, data, name="broken")

    assert answer.status_code == 400, answer.text
    assert answer.json()["error"]["message"]
    assert not (root / "courses" / "broken").exists()
    assert not list(root.parent.rglob("escaped*"))


@pytest.mark.parametrize("address", ["/session", "/progress", "/courses/nowhere", "/export"])
def test_a_course_nobody_has_is_not_found(client: TestClient, address: str) -> None:
    answer = client.get(f"/api/study{address}", params={"course": "nowhere", "to": "csv"})

    assert answer.status_code == 404
    assert "`nowhere`" in answer.json()["error"]["message"]


@pytest.mark.parametrize("learner", ["../other", "a/b", ".hidden", "x" * 101])
def test_a_learner_has_a_name_that_can_be_a_folder(client: TestClient, learner: str) -> None:
    for address in ("", "/profile"):
        answer = client.get(f"/api/study{address}", params={"learner": learner})
        assert answer.status_code == 400


def test_settings_are_changed_one_by_one_and_kept(client: TestClient, root: Path) -> None:
    first = client.put(
        "/api/study/profile", json={"sessionMinutes": 40, "preferred": ["flashcard"]}
    ).json()
    second = client.put(
        "/api/study/profile",
        json={
            "retention": 0.85,
            "easyDays": [1, 1, 1, 1, 1, 0.2, 0.2],
            "zone": "Asia/Kuching",
            "exams": {"malay": "2026-06-01"},
        },
    ).json()
    third = client.put("/api/study/profile", json={"exams": {"malay": None}}).json()

    assert (first["sessionMinutes"], first["retention"]) == (40, 0.9)
    assert (second["sessionMinutes"], second["retention"], second["zone"]) == (
        40,
        0.85,
        "Asia/Kuching",
    )
    exams = {each["name"]: each["exam"] for each in second["courses"]}
    assert exams["malay"] == "2026-06-01"
    assert all(each["exam"] is None for each in third["courses"])
    assert third["preferred"] == ["flashcard"]
    assert json.loads((root / "learner" / "profile.json").read_text())


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"retention": 0.2}, 400),
        ({"sessionMinutes": 1}, 400),
        ({"zone": "Moon/Base"}, 400),
        ({"easyDays": [1, 1]}, 400),
        ({"easyDays": [1, 1, 1, 1, 1, 1, 7]}, 400),
        ({"preferred": ["code"], "avoided": ["code"]}, 400),
        ({"exams": {"nowhere": "2026-06-01"}}, 404),
        ({"exams": {"malay": "soon"}}, 400),
    ],
)
def test_settings_that_make_no_sense_change_nothing(
    client: TestClient, root: Path, change: dict[str, Any], status: int
) -> None:
    answer = client.put("/api/study/profile", json=change)

    assert answer.status_code == status, answer.text
    assert not (root / "learner" / "profile.json").exists()


def test_a_damaged_profile_is_told_with_its_line_and_left_alone(
    client: TestClient, root: Path
) -> None:
    path = root / "learner" / "profile.json"
    path.parent.mkdir()
    path.write_text('{\n  "learning_preferences": {\n    "session_duration_minutes": oops\n}}\n')

    seen = client.get("/api/study/profile").json()
    today = client.get("/api/study").json()
    refused = client.put("/api/study/profile", json={"sessionMinutes": 30})
    learner = Learner(client, root, "malay")

    (problem,) = seen["problems"]
    assert (problem["file"], problem["line"]) == ("learner/profile.json", 3)
    assert problem["fix"]
    assert today["problems"] == seen["problems"]
    assert refused.status_code == 400
    assert "oops" in path.read_text()
    assert learner.start()["problems"][0] == problem  # and the session goes on all the same


def test_damaged_course_and_progress_files_are_problems_and_not_the_end(
    client: TestClient, root: Path
) -> None:
    learner = Learner(client, root, "malay")
    learner.to_exercise("flashcard", "greetings")
    learner.finish_exercise()
    items = root / "courses" / "malay" / "items" / "greetings.jsonl"
    items.write_text(items.read_text() + '{"id": "broken", \n')
    (root / "learner" / "malay" / "progress.json").write_text("{")

    course = client.get("/api/study/courses/malay").json()
    report = learner.get("/progress").json()

    files = {each["file"]: each for each in course["problems"]}
    assert any(name.endswith("items/greetings.jsonl") for name in files)
    assert all(each["line"] and each["fix"] for each in course["problems"])
    assert any(each["file"].endswith("progress.json") for each in report["problems"])
    assert [each["attempts"] for each in report["concepts"]] == [1]


@pytest.mark.parametrize(
    "body",
    [
        {"course": "malay", "step": -1, "act": "answer"},
        {"course": "malay", "step": 0, "act": "dance"},
        {"course": "malay", "step": 0, "act": "answer", "rating": 5},
        {"course": "malay", "step": 0, "act": "answer", "answer": "x"},
        {"step": 0, "act": "answer"},
        {"course": "malay", "step": 0, "act": "answer", "text": "x" * 1_000_001},
    ],
)
def test_what_makes_no_sense_is_refused_with_its_field(
    client: TestClient, root: Path, body: dict[str, Any]
) -> None:
    Learner(client, root, "malay").start()

    answer = client.post("/api/study/session/act", json=body)

    assert answer.status_code == 400
    assert "cannot be used" in answer.json()["error"]["message"]


def test_without_a_session_there_is_nothing_to_do(client: TestClient, root: Path) -> None:
    learner = Learner(client, root, "malay")

    answer = learner.try_to(step=0, text="x")

    assert answer.status_code == 404
    assert learner.look()["stage"] == "nothing"
    assert learner.step["says"][0] == "No session is open."
    assert learner.get("/courses/malay").json()["begun"] is False
