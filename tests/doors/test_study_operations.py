"""Study inside a process: its models, its speech, and who is told of what."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from paige.app.application import App, open_app
from paige.app.study_deps import speech_of
from paige.base.errors import Conflict
from paige.base.settings import Settings, read_settings
from paige.doors.frame.cli import dump
from paige.doors.frame.dispatch import dispatch
from paige.doors.study import operations as study
from paige.store.documents import DirectoryDocuments
from paige.store.queries import latest_event
from paige.study.exercise_files import ExerciseFiles
from paige.study.session.view import StudyStep
from tests.conftest import NOON
from tests.fakes.served_model import KEY, ServedModel, served_model, spoken
from tests.study import small_course, small_courses

pytestmark = pytest.mark.anyio


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A teaching folder with two small courses."""
    folder = tmp_path / "teaching"
    small_courses.memory(folder)
    small_course.write_five(folder)
    return folder


@pytest.fixture
def app(tmp_path: Path, root: Path) -> Iterator[App]:
    """An application without a model."""
    settings = Settings(cwd=tmp_path, given_data_dir=tmp_path / "data", given_teaching_dir=root)
    with open_app(settings, strict=False, now=lambda: NOON) as opened:
        yield opened


@pytest.fixture
async def opened(app: App) -> AsyncIterator[App]:
    """The same while things can be opened in it."""
    async with app.openings.running():
        yield app


async def start(app: App, course: str = "memory", **wish: Any) -> StudyStep:
    """Begin a session, which always draws the same exercises."""
    given = {"course": course, "seed": 1, **wish}
    return await dispatch(app, study.start_here, given, way="http")


async def act(app: App, step: StudyStep, **done: Any) -> StudyStep:
    given = {"course": step.course, "step": step.step, "act": "answer", **done}
    return await dispatch(app, study.act_on, given, way="http")


async def look(app: App) -> StudyStep:
    return await dispatch(app, study.look_at, {"course": "memory"}, way="http")


def test_recordings_are_written_down_where_the_settings_say(tmp_path: Path) -> None:
    given = read_settings(
        {"PAIGE_TRANSCRIPTION_URL": "http://127.0.0.1:9/v1", "OPENAI_API_KEY": "sk-x"}, tmp_path
    )
    speech = speech_of(given)
    nobody = speech_of(Settings(cwd=tmp_path))

    assert (speech.endpoint, speech.model, speech.key) == (
        "http://127.0.0.1:9/v1",
        "whisper-1",
        "sk-x",
    )
    assert (nobody.endpoint, nobody.key) == ("", "")
    other = read_settings({"PAIGE_TRANSCRIPTION_MODEL": "large"}, tmp_path)
    assert speech_of(other).model == "large"


async def test_two_who_answer_one_step_at_once_are_not_both_heard(opened: App) -> None:
    seen = await start(opened)
    outcomes: list[str] = []

    async def answer() -> None:
        try:
            await act(opened, seen)
            outcomes.append("done")
        except Conflict:
            outcomes.append("late")

    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(answer)

    assert sorted(outcomes) == ["done", "late", "late", "late"]
    assert (await look(opened)).step > seen.step


async def test_a_database_that_is_gone_costs_no_answer(opened: App) -> None:
    seen = await start(opened)
    opened.database.close()

    assert (await act(opened, seen)).step > seen.step


async def test_only_what_changed_is_told(opened: App) -> None:
    before = await opened.database.read(latest_event)
    await look(opened)
    looked = await opened.database.read(latest_event)
    await start(opened)
    begun = await opened.database.read(latest_event)
    await start(opened)

    assert looked == before
    assert begun > looked
    assert await opened.database.read(latest_event) == begun


async def test_a_file_that_is_written_as_it_stands_keeps_its_version(
    opened: App, root: Path
) -> None:
    quiz = {"concepts": ["words"]}
    seen = await start(opened, small_course.FIVE, kind="quiz", quiz=quiz, prefer="worksheet")
    exercise = await _exercise(opened, seen)
    files = ExerciseFiles(DirectoryDocuments(root), exercise, "learner")
    (path,) = files.editable
    there = files.read(path)

    again = files.write(path, there.text, there.version)
    shorter = files.write(path, there.text.rstrip(), there.version)

    assert exercise.modality == "worksheet"
    assert again == shorter == there


async def test_a_model_judges_over_the_wire_when_one_is_set(tmp_path: Path, root: Path) -> None:
    with served_model() as model:
        settings = Settings(
            cwd=tmp_path,
            given_data_dir=tmp_path / "data",
            given_teaching_dir=root,
            anthropic_api_key=KEY,
            base_url=model.url,
        )
        with open_app(settings, strict=False, now=lambda: NOON) as app:
            async with app.openings.running():
                seen = await _essay(app, model)

    assert seen["result"]["source"] == "anthropic"
    assert any("It names all three." in each for each in seen["says"])
    assert model.requests


async def _exercise(app: App, seen: StudyStep) -> Any:
    opened = await app.openings.open(app, "study", study.open_study)
    room = await opened.session(seen.course, None)
    sitting = study.open_state(room).sitting
    assert sitting is not None
    return sitting.exercise


async def _essay(app: App, model: ServedModel) -> dict[str, Any]:
    quiz = {"concepts": ["shape"]}
    seen = await start(app, small_course.FIVE, kind="quiz", quiz=quiz, prefer="long_form")
    rubric = (await _exercise(app, seen)).rubric
    assert rubric is not None
    text = "They are read, changed and tested by themselves, part by part. " * 4
    judged = {
        "dimensions": [
            {
                "name": each.name,
                "score": 4,
                "quote": "read, changed and tested by themselves",
                "why": "It names all three.",
            }
            for each in rubric.dimensions
        ],
        "strengths": ["It names all three."],
        "improvements": [],
        "next_time": "Give an example.",
    }
    model.answers_with(lambda request: spoken(request, json.dumps(judged)))
    return dump(await act(app, seen, text=text))
