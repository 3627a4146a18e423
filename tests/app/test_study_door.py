"""The Study door inside a process: its models, its speech, and who is told of what."""

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from paige.app.application import App, open_app
from paige.app.study_asked import ActAsked, SessionAsked, Where
from paige.app.study_door import StudyDoor
from paige.app.study_files import ExerciseFiles
from paige.app.study_lazy import LazyStudy
from paige.app.study_room import speech_of
from paige.base.errors import Conflict, Unavailable
from paige.base.settings import Settings, read_settings
from paige.store.documents import DirectoryDocuments
from paige.store.queries import latest_event
from tests.conftest import NOON
from tests.fakes.served_model import KEY, ServedModel, served_model, spoken
from tests.study import small_course, small_courses

pytestmark = pytest.mark.anyio
MEMORY = Where("memory")


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
async def door(app: App) -> AsyncIterator[StudyDoor]:
    """Its Study door, which always draws the same exercises."""
    opened = StudyDoor(app, seed=lambda: 1)
    yield opened
    await opened.aclose()


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


async def test_two_who_answer_one_step_at_once_are_not_both_heard(door: StudyDoor) -> None:
    seen = await door.start(MEMORY, SessionAsked())
    outcomes: list[str] = []

    async def answer() -> None:
        try:
            await door.act(MEMORY, ActAsked(step=seen.view.step))
            outcomes.append("done")
        except Conflict:
            outcomes.append("late")

    async with anyio.create_task_group() as tasks:
        for _ in range(4):
            tasks.start_soon(answer)

    assert sorted(outcomes) == ["done", "late", "late", "late"]
    assert (await door.look(MEMORY)).view.step > seen.view.step


async def test_a_database_that_is_gone_costs_no_answer(door: StudyDoor, app: App) -> None:
    seen = await door.start(MEMORY, SessionAsked())
    app.database.close()

    moved = await door.act(MEMORY, ActAsked(step=seen.view.step))

    assert moved.view.step > seen.view.step


async def test_only_what_changed_is_told(door: StudyDoor, app: App) -> None:
    before = await app.database.read(latest_event)
    await door.look(MEMORY)
    looked = await app.database.read(latest_event)
    await door.start(MEMORY, SessionAsked())
    begun = await app.database.read(latest_event)
    await door.start(MEMORY, SessionAsked())

    assert looked == before
    assert begun > looked
    assert await app.database.read(latest_event) == begun


async def test_a_door_that_was_closed_opens_no_more(app: App) -> None:
    lazy = LazyStudy(app)
    async with lazy.running():
        assert await lazy.open() is await lazy.open()

    with pytest.raises(Unavailable):
        await lazy.open()


async def test_a_file_that_is_written_as_it_stands_keeps_its_version(
    door: StudyDoor, root: Path
) -> None:
    where = Where(small_course.FIVE)
    wish = SessionAsked(kind="quiz", concepts=("words",), prefer="worksheet")
    seen = await door.start(where, wish)
    assert seen.state is not None
    assert seen.state.sitting is not None
    exercise = seen.state.sitting.exercise
    files = ExerciseFiles(DirectoryDocuments(root), exercise, "learner")
    (path,) = files.editable
    opened = files.read(path)

    again = files.write(path, opened.text, opened.version)
    shorter = files.write(path, opened.text.rstrip(), opened.version)

    assert exercise.modality == "worksheet"
    assert again == shorter == opened


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
            lazy = LazyStudy(app)
            async with lazy.running():
                seen = await _essay(await lazy.open(), model)

    assert seen["result"]["source"] == "anthropic"
    assert any("It names all three." in each for each in seen["says"])
    assert model.requests


async def _essay(door: StudyDoor, model: ServedModel) -> dict[str, Any]:
    where = Where(small_course.FIVE)
    wish = SessionAsked(kind="quiz", concepts=("shape",), prefer="long_form")
    seen = await door.start(where, wish)
    assert seen.state is not None
    assert seen.state.sitting is not None
    rubric = seen.state.sitting.exercise.rubric
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
    done = await door.act(where, ActAsked(step=seen.view.step, text=text))
    return done.dump()
