"""Somebody who has studied for two months, and what the pages of Study show of it.

The results are written as sessions write them, on days that end with yesterday, because pages show
how things stand now.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import httpx2
from playwright.sync_api import Page, expect

from paige.exercise.result import Result
from paige.exercise.values import AGAIN, EASY, GOOD, HARD, ExerciseError, Modality, Rating, score_of
from paige.learner.files import LearnerFiles
from paige.learner.profile import Profile
from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import load_course
from paige.study.courses.writer import new_course
from paige.study.preferences import Preferences, easy_days, with_preferences
from paige.study.session_plan import ready_concepts
from tests.live import Live
from tests.web.scenes import Scene

COURSE, LESSON, EXERCISE, OWN = (
    "bahasa-melayu",
    "how-memory-works",
    "python-algorithms",
    "first-aid",
)
TITLE = "Bahasa Melayu: the basics"
DAYS, PAUSE = 60, (25, 31)
"""Days of studying, and days in between without any."""
EXAM_IN = 19
_KINDS: tuple[Modality, ...] = ("conversation", "worksheet", "flashcard", "audio", "image_review")
_ERRORS = ("spelling", "vocabulary_confusion", "affix_error", "word_order", "register_mismatch")
_MOST_A_DAY = 4
_STEPS = 12


def teaching_of(home: Path) -> Path:
    """Where a server in this home keeps courses and learners."""
    return home / ".claude" / "teaching"


def prepare(home: Path, now: datetime) -> None:
    """Two months in one course, an exam ahead, and a course of one's own with a mistake in it."""
    documents = DirectoryDocuments(teaching_of(home))
    files = LearnerFiles(documents)
    files.update_profile(lambda profile: _liked(profile, now))
    chance = Random(11)
    course = load_course(documents, COURSE)
    for ago in range(DAYS, 0, -1):
        if ago in range(*PAUSE) or chance.random() < 0.3:
            continue
        at = now - timedelta(days=ago, hours=2)
        known = files.read(COURSE).progress
        due = [name for name, each in known.items() if each.card and each.card.due <= at]
        more = chance.sample(sorted(known), min(len(known), chance.randrange(4)))
        fresh = ready_concepts(course, known)[:1] if ago % 3 == 0 and len(known) < 12 else []
        for number, name in enumerate(dict.fromkeys([*due[:_MOST_A_DAY], *more, *fresh])):
            _study(files, name, at + timedelta(minutes=6 * number), chance)
    _record(files, "greetings", now - timedelta(hours=3), AGAIN, chance)
    _record(files, "jawi", now - timedelta(hours=3), HARD, chance)
    _own_course(documents)


def begin(live: Live) -> None:
    """Leave one session at a lesson and another at an exercise."""
    with httpx2.Client(base_url=f"{live.url}/api/study", timeout=60) as http:
        _start(http, LESSON)
        step = _start(http, EXERCISE)
        for _ in range(_STEPS):
            if step["stage"] == "exercise":
                return
            step = _go_on(http, step)
    raise AssertionError(f"no exercise came: {step['stage']}")


def damage(home: Path) -> None:
    """Break the profile as an editor can, at line 3."""
    place = teaching_of(home) / "learner" / "profile.json"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(
        '{\n  "learning_preferences": {\n    "session_duration_minutes" 25\n  }\n}\n',
        encoding="utf-8",
    )


# --- what was done --------------------------------------------------------------------------------


def _liked(profile: Profile, now: datetime) -> Profile:
    exam = (now + timedelta(days=EXAM_IN)).date()
    wanted = Preferences(easy_days=easy_days(("sat", "sun")), exams={COURSE: exam})
    return with_preferences(replace(profile, preferred=("flashcard",)), wanted)


def _study(files: LearnerFiles, concept: str, at: datetime, chance: Random) -> None:
    ratings: tuple[Rating, ...] = (AGAIN, HARD, GOOD, EASY)
    (rating,) = chance.choices(ratings, (12, 15, 60, 13))
    _record(files, concept, at, rating, chance)


def _record(
    files: LearnerFiles, concept: str, at: datetime, rating: Rating, chance: Random
) -> None:
    right = {AGAIN: 4, HARD: 7, GOOD: 9, EASY: 10}[rating]
    result = Result(
        exercise_id=f"{concept}-{at:%m%d%H%M}",
        concept_id=concept,
        modality=chance.choices(_KINDS, (10, 6, 5, 2, 1))[0],
        score=score_of(right, 10),
        fsrs_rating=rating,
        completed=at,
        timestamp=at,
        errors=tuple(_mistakes(10 - right, chance)),
        time_spent_seconds=chance.uniform(60, 400),
    )
    session = f"{at:%Y-%m-%d}"
    files.record(COURSE, result, session=session, change_id=result.exercise_id, now=at)


def _mistakes(count: int, chance: Random) -> Iterator[ExerciseError]:
    for number in range(count):
        kind = chance.choices(_ERRORS, (9, 6, 4, 3, 1))[0]
        yield ExerciseError(f"1.{number + 1}", kind, "terima kasih", "terimah kasih", "A slip.")


def _own_course(documents: DirectoryDocuments) -> None:
    new_course(documents, OWN, "conceptual")
    path = documents.root / "courses" / OWN / "concepts.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"prerequisites": [', '"prerequisites": ["gone", ', 1), "utf-8")


def _start(http: httpx2.Client, course: str) -> Any:
    answer = http.post("/sessions", json={"course": course})
    assert answer.status_code == 200, answer.text
    return answer.json()


def _go_on(http: httpx2.Client, step: Any) -> Any:
    answers = {"teach": {"done": True}, "check": {"text": "I do not remember"}}
    given = answers.get(step["stage"], {})
    body = {"course": step["course"], "step": step["step"], "act": "answer", **given}
    answer = http.post("/session/act", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


# --- the scenes -----------------------------------------------------------------------------------


def _heading(text: str) -> Callable[[Page], None]:
    def arrive(page: Page) -> None:
        expect(page.get_by_role("heading", level=1, name=text)).to_be_visible()
        expect(page.get_by_role("banner")).to_contain_text("Connected")
        expect(page.locator("[data-skeleton]")).to_have_count(0)

    return arrive


def _progress(page: Page) -> None:
    _heading(f"Progress in {TITLE}")(page)
    expect(page.get_by_role("heading", name="What goes wrong")).to_be_visible()


def _tables(page: Page) -> None:
    """Every table behind a plot, opened; and a point of the first plot chosen."""
    _progress(page)
    for summary in page.get_by_text("As a table").all():
        summary.click()
    page.get_by_role("slider").first.focus()
    page.keyboard.press("ArrowRight")


def _map(page: Page) -> None:
    _heading(TITLE)(page)
    page.get_by_role("button", name="Family").first.click()


def _course_problems(page: Page) -> None:
    expect(page.get_by_role("region", name="problems in files")).to_contain_text("line")
    expect(page.get_by_role("banner")).to_contain_text("Connected")


def _changed(page: Page) -> None:
    _heading("Study settings")(page)
    page.get_by_label("Share to remember when asked").fill("95")
    expect(page.get_by_text("Not saved yet.")).to_be_visible()


def _refused(page: Page) -> None:
    _heading("Courses")(page)
    page.get_by_label("Choose a file").last.set_input_files(
        {"name": "notes.pdf", "mimeType": "application/pdf", "buffer": b"%PDF"}
    )
    expect(page.get_by_role("alert")).to_contain_text("notes.pdf")


def _session(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    expect(page.get_by_role("banner")).to_contain_text("Connected")
    expect(page.locator("[data-skeleton]")).to_have_count(0)


STUDY_SCENES = (
    Scene("study-today", "/study", _heading("Study")),
    Scene("study-courses", "/study/courses", _heading("Courses"), kind="deep"),
    Scene("study-import-refused", "/study/courses", _refused),
    Scene("study-course", f"/study/{COURSE}", _heading(TITLE), kind="deep"),
    Scene("study-map", f"/study/{COURSE}", _map),
    Scene("study-course-new", f"/study/{EXERCISE}", _heading("Python algorithms"), kind="deep"),
    Scene("study-course-problems", f"/study/{OWN}", _course_problems),
    Scene("study-progress", f"/study/{COURSE}/progress", _progress, kind="deep"),
    Scene("study-progress-tables", f"/study/{COURSE}/progress", _tables),
    Scene("study-progress-none", f"/study/{OWN}/progress", _heading("Progress in"), kind="deep"),
    Scene("study-settings", "/study/settings", _heading("Study settings"), kind="deep"),
    Scene("study-settings-changed", "/study/settings", _changed),
    Scene("study-lesson", f"/study/{LESSON}/session", _session, kind="deep"),
    Scene("study-exercise", f"/study/{EXERCISE}/session", _session, kind="deep"),
)
