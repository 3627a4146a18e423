"""Whole study sessions over HTTP: every kind of exercise, two windows, nothing given away."""

import json
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from paige.app.application import App, open_app
from paige.base.settings import Settings
from paige.doors.site.factory import Site
from tests.conftest import NOON
from tests.server.plan_window import teacher_in
from tests.server.study_window import MOST_STEPS, Learner, secrets_of
from tests.study import small_course, small_courses

BASE = "http://127.0.0.1:3000"
SPEAKER = '#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" = -w ] && out="$2"; shift; done\ncat > "$out"\n'
"""A program that speaks as espeak-ng is asked to, and writes the words instead of a sound."""
WHERE = {
    "worksheet": ("malay", "greetings"),
    "conversation": ("memory", "spacing"),
    "code": ("algorithms", "search"),
    "long_form": ("lima", "shape"),
    "image_review": ("lima", "drawing"),
    "flashcard": ("malay", "greetings"),
    "repl": ("algorithms", "search"),
    "audio": ("malay", "greetings"),
    "collaborative": ("algorithms", "search"),
}


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A teaching folder with four small courses."""
    folder = tmp_path / "teaching"
    small_courses.malay(folder)
    small_courses.algorithms(folder)
    small_courses.memory(folder)
    small_course.write_five(folder)
    small_course.write_malay(folder)
    return folder


@pytest.fixture
def app(tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """An application on a machine that can speak."""
    speaker = tmp_path / "bin" / "espeak-ng"
    speaker.parent.mkdir()
    speaker.write_text(SPEAKER)
    speaker.chmod(speaker.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{speaker.parent}:/usr/bin:/bin")
    settings = Settings(
        cwd=tmp_path,
        given_data_dir=tmp_path / "data",
        given_teaching_dir=root,
        environ={"HOME": str(tmp_path)},
    )
    with open_app(settings, strict=False, now=lambda: NOON) as opened:
        yield opened


@pytest.fixture
def client(app: App) -> Iterator[TestClient]:
    """A site over that application."""
    with TestClient(Site(app).asgi, base_url=BASE, raise_server_exceptions=False) as opened:
        yield opened


@pytest.mark.parametrize("modality", WHERE)
def test_every_kind_of_exercise_can_be_done(modality: str, client: TestClient, root: Path) -> None:
    course, concept = WHERE[modality]
    learner = Learner(client, root, course)
    learner.to_exercise(modality, concept)

    result = learner.finish_exercise()

    assert (result["modality"], result["conceptId"], result["gradable"]) == (
        modality,
        concept,
        True,
    )
    assert result["score"]["percentage"] >= 0.5
    report = learner.get("/progress").json()
    done = {each["id"]: each["attempts"] for each in report["concepts"]}
    assert done[concept] == 1
    assert [each["exercises"] for each in report["calendar"]] == [1]


@pytest.mark.parametrize("modality", WHERE)
def test_nothing_is_given_away_before_it_was_tried(
    modality: str, client: TestClient, root: Path
) -> None:
    course, concept = WHERE[modality]
    learner = Learner(client, root, course)
    step = learner.to_exercise(modality, concept)
    known = learner.known()["exercise"]
    shown = set(known["points"])  # what a text has to address is told
    secrets = [each for one in known["items"] for each in secrets_of(one) if each not in shown]

    texts = [json.dumps(step, ensure_ascii=False), learner.get(f"/courses/{course}").text]
    for path in step["exercise"]["open"]:
        texts.append(learner.get("/session/file", path=path).json()["text"])

    assert secrets
    said = "\n".join(texts)
    # A code exercise has its first hint in the file, which is how the course gives it out.
    told = {secret for secret in secrets if secret in said}
    first = {hint for one in known["items"] for hint in one["hints"][:1]}
    assert told <= (first if modality in ("code", "collaborative") else set())


def test_a_session_teaches_checks_and_asks_and_ends_with_a_summary(
    client: TestClient, root: Path
) -> None:
    learner = Learner(client, root, small_course.FIVE)
    stages = [learner.start(minutes=30)["stage"]]
    assert learner.step["lesson"]

    for _ in range(80):
        if learner.step["stage"] == "over":
            break
        if learner.step["stage"] == "check":
            learner.act(text="satu")
        else:
            learner.answer_rightly()
        stages.append(learner.step["stage"])

    assert learner.step["stage"] == "over"
    assert stages[:3] == ["teach", "check", "exercise"]
    summary = learner.step["summary"]
    assert summary["exercises"]
    assert summary["says"]
    assert learner.step["next"]["nextNew"] is not None
    assert learner.look()["stage"] == "nothing"
    today = client.get("/api/study").json()
    assert (today["streak"], today["days"][-1]["exercises"]) == (1, len(summary["exercises"]))


def test_hints_come_one_by_one_and_the_answer_last(client: TestClient, root: Path) -> None:
    learner = Learner(client, root, "memory")
    learner.to_exercise("conversation", "spacing")
    for _ in range(MOST_STEPS):
        if learner.question()["kind"] == "short":
            break
        learner.answer_rightly()  # nobody may give up before a try
    question = learner.question()

    before = learner.act("hint")
    wrong = learner.act(text="no idea at all")
    hinted = learner.act("hint")
    given_up = learner.act("give_up")

    assert all(question["answers"][0] not in json.dumps(each) for each in (before, wrong, hinted))
    assert hinted["exercise"]["hintsUsed"] >= 1
    assert hinted["exercise"]["attempts"] == 1
    assert any(question["answers"][0].casefold() in each.casefold() for each in given_up["says"])


def test_every_window_hears_of_every_step_and_only_one_answers_it(
    client: TestClient, root: Path
) -> None:
    first, second = Learner(client, root, "memory"), Learner(client, root, "memory")
    with teacher_in(client) as watching:
        begun = first.start()
        told = watching.window.expect("study:changed")
        assert (told["course"], told["session"], told["step"]) == (
            "memory",
            begun["session"],
            begun["step"],
        )
        assert second.look()["step"] == begun["step"]
        moved = first.act()
        assert watching.window.expect("study:changed")["step"] == moved["step"]

        late = second.try_to(text="too late")

    assert late.status_code == 409
    assert "by now" in late.json()["error"]["message"]
    assert second.look()["step"] == moved["step"]


def test_an_open_session_is_gone_on_with_and_shown_at_first(client: TestClient, root: Path) -> None:
    learner = Learner(client, root, "memory")
    begun = learner.start()
    again = Learner(client, root, "memory").start()
    other = Learner(client, root, "memory", "aida")

    assert (again["session"], again["resumed"]) == (begun["session"], True)
    assert other.look()["stage"] == "nothing"
    courses = {each["name"]: each for each in client.get("/api/study").json()["courses"]}
    shown = courses["memory"]["openSession"]
    assert (shown["session"], shown["step"], shown["stale"]) == (
        begun["session"],
        begun["step"],
        False,
    )
    assert courses["malay"]["openSession"] is None
    theirs = client.get("/api/study", params={"learner": "aida"}).json()["courses"]
    assert all(each["openSession"] is None for each in theirs)


def test_the_last_result_can_be_taken_back_once(client: TestClient, root: Path) -> None:
    learner = Learner(client, root, "malay")
    learner.to_exercise("flashcard", "greetings")
    learner.finish_exercise()

    undone = client.post("/api/study/undo", json=learner.who)
    again = client.post("/api/study/undo", json=learner.who)

    assert undone.status_code == 200, undone.text
    assert (undone.json()["concept"], undone.json()["title"]) == ("greetings", "Greetings")
    assert again.status_code == 404
    assert learner.get("/progress").json()["calendar"] == []
    other = client.post("/api/study/undo", json={**learner.who, "change": "another"})
    assert other.status_code in (404, 409)


def test_a_card_is_rated_from_one_to_four(client: TestClient, root: Path) -> None:
    ratings: dict[int, int] = {}
    for rating in (1, 2, 3, 4):
        learner = Learner(client, root, "malay", f"learner{rating}")
        learner.to_exercise("flashcard", "greetings")
        exercise = learner.step["exercise"]["id"]
        for _ in range(40):
            turned = learner.act(text="")
            assert turned["expects"] == "self_check"
            learner.act(rating=rating)
            if learner.step["result"] and learner.step["result"]["exerciseId"] == exercise:
                break
        ratings[rating] = learner.step["result"]["fsrsRating"]

    # What was only just met counts as Good at most, however easy it seemed.
    assert ratings == {1: 1, 2: 2, 3: 3, 4: 3}


def test_what_is_marked_by_paige_cannot_be_rated(client: TestClient, root: Path) -> None:
    learner = Learner(client, root, "memory")
    learner.to_exercise("conversation", "spacing")

    answer = learner.try_to(rating=4)

    assert answer.status_code == 400
    assert learner.look()["exercise"]["attempts"] == 0


def test_a_spoken_question_can_be_heard(client: TestClient, root: Path) -> None:
    learner = Learner(client, root, "malay")
    learner.to_exercise("audio", "greetings")
    spoken = [one for one in learner.known()["exercise"]["items"] if one["spoken"]]

    heard = learner.get("/session/audio", question=spoken[0]["id"])

    assert heard.status_code == 200
    assert heard.headers["content-type"] == "audio/wav"
    assert heard.content.decode() == spoken[0]["spoken"]
    assert learner.get("/session/audio", question="99").status_code == 404


def test_a_recording_nobody_can_hear_is_judged_by_whoever_spoke(
    client: TestClient, root: Path
) -> None:
    learner = Learner(client, root, "malay")
    learner.to_exercise("audio", "greetings")
    sent = learner.upload("me.webm", b"a sound")
    learner.step = sent.json()

    turned = learner.act(path=learner.step["exercise"]["uploads"][0]["path"])

    assert turned["expects"] == "self_check"
    assert learner.act(rating=3)["says"]
