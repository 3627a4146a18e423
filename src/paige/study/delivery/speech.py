"""Saying things aloud and writing down what is heard, where the machine can.

A small program reads out; a service at an address of OpenAI's form listens. Both may be missing:
then the learner reads, speaks and judges alone.
"""

import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path, PurePosixPath

from anyio import to_thread

from paige.base.environment import passed_on
from paige.base.errors import BadInput, Unavailable
from paige.exercise.ids import stamp
from paige.study.exercise_tools import ExerciseTools, Speech
from paige.study.values import Exercise, Question

PROGRAM = "espeak-ng"
SLOWLY = "140"
"""Words a minute; the usual speed is too quick for learners."""
MOST_BYTES = 25 * 2**20
_SECONDS = 30


def find_speaker(path: str | None = None) -> str:
    """The program that reads out, or nothing; `path` is where to look, as in PATH."""
    return shutil.which(PROGRAM, path=path) or ""


def say(speech: Speech, text: str, language: str, into: Path) -> bool:
    """Write a recording of a text; False where nobody can speak or not this language."""
    if not speech.speaker:
        return False
    into.parent.mkdir(parents=True, exist_ok=True)
    command = [speech.speaker, "-v", language, "-s", SLOWLY, "-w", str(into), "--stdin"]
    try:
        done = subprocess.run(
            command,
            input=text.encode(),
            capture_output=True,
            env=passed_on(os.environ),
            timeout=_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0 and into.is_file() and into.stat().st_size > 0


async def write_down(speech: Speech, recording: Path, language: str) -> str | None:
    """The words of a recording; nothing where nobody listens. Raises: BadInput, Unavailable."""
    if not speech.endpoint:
        return None
    sound = await to_thread.run_sync(_sound, recording)
    import openai  # noqa: PLC0415 - takes a second to import

    client = openai.AsyncOpenAI(
        api_key=speech.key or "none",
        base_url=speech.endpoint,
        max_retries=1,
        timeout=speech.seconds,
    )
    try:
        async with client:
            heard = await client.audio.transcriptions.create(
                file=(recording.name, sound),
                model=speech.model,
                language=language,
            )
    except openai.APIError as error:
        raise Unavailable(
            f"The recording was not understood: {error.message}",
            hint="Try again, or say yourself whether it was right.",
        ) from error
    return heard.text.strip()


def _sound(recording: Path) -> bytes:
    if not recording.is_file() or recording.stat().st_size > MOST_BYTES:
        raise BadInput(
            f"`{recording.name}` is no recording Paige can send",
            hint=f"Give an audio file of at most {MOST_BYTES // 2**20} MB.",
        )
    return recording.read_bytes()


def place_audio(tools: ExerciseTools, exercise: Exercise) -> Exercise:
    """Record what is to be heard; questions without a recording are read instead."""
    if exercise.file_path is not None:
        return exercise
    name = f"{stamp(exercise.generated)}-{exercise.concept_id}"
    folder = f"{tools.learner}/{exercise.course}/{exercise.folder}/{name}"
    items: list[Question] = []
    recorded = False
    for question in exercise.items:
        place = tools.root / PurePosixPath(folder) / f"{question.id}.wav"
        if question.spoken and say(tools.speech, question.spoken, exercise.language, place):
            recorded = True
            items.append(question)
        else:
            items.append(_read_instead(question))
    return replace(exercise, items=tuple(items), file_path=folder if recorded else None)


def _read_instead(question: Question) -> Question:
    if not question.spoken:
        return question
    asked = f"Read this aloud: \u201c{question.spoken}\u201d. What does it mean?"
    return replace(question, prompt=asked, spoken="")
