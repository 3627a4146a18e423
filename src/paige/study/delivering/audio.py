"""Recordings for questions that are heard; where nobody can speak, the words are shown."""

from dataclasses import replace
from pathlib import PurePosixPath

from paige.exercise.ids import stamp
from paige.study.delivering.speech import say
from paige.study.exercise_tools import ExerciseTools
from paige.study.values import Exercise, Question


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
