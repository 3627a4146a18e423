"""How an exercise looks: everything a learner needs, and no answer."""

from dataclasses import replace

from paige.exercise.hints import Ladder, how_to_continue
from paige.exercise.values import IMAGE_CRITERIA, Modality
from paige.exercise.worksheet.values import BLANK
from paige.study.delivery.results import answer_of
from paige.study.generation.words import lettered
from paige.study.values import (
    AnsweredBy,
    Exercise,
    OpenExercise,
    Question,
    StudyDimension,
    StudyExercise,
    StudyQuestion,
)

_ANSWERED: dict[Modality, AnsweredBy] = {
    "worksheet": "file",
    "conversation": "text",
    "code": "folder",
    "long_form": "file",
    "image_review": "image",
    "flashcard": "recall",
    "repl": "entry",
    "audio": "voice",
    "collaborative": "text",
}
_PAUSES: tuple[Modality, ...] = ("worksheet", "code", "long_form", "image_review")


def present(exercise: Exercise) -> StudyExercise:
    """The whole exercise, as it is given out."""
    return StudyExercise(
        id=exercise.id,
        modality=exercise.modality,
        title=exercise.title,
        body=_body(exercise),
        answered_by=_ANSWERED[exercise.modality],
        questions=tuple(show_question(exercise, each) for each in exercise.items),
        count=len(exercise.items),
        minutes=exercise.minutes,
        file=exercise.file_path or None,
        open=files_to_open(exercise),
        run=_run(exercise) or None,
        pauses=exercise.modality in _PAUSES,
        optional=exercise.modality == "image_review",
        how_to_continue=None if exercise.modality in _PAUSES else how_to_continue(Ladder()),
        language=exercise.language,
        min_words=exercise.min_words,
        points=exercise.points,
        rubric=_rubric(exercise),
        criteria=_criteria(exercise),
        partner=exercise.partner,
    )


def show(sitting: OpenExercise) -> StudyExercise:
    """What is asked now: one question of those that are asked one by one, else the whole."""
    question = sitting.question
    whole = replace(
        present(sitting.exercise),
        number=min(sitting.at + 1, max(len(sitting.exercise.items), 1)),
        attempts=sitting.ladder.attempts,
        hints_used=sitting.ladder.hints_used,
    )
    if sitting.over or question is None or sitting.exercise.modality in _PAUSES:
        return whole
    first = sitting.at == 0 and not sitting.ladder.attempts
    intro = [_intro(sitting.exercise)] if first else []
    back = [answer_of(question)] if sitting.turned else []
    paired = question.kind == "code"
    return replace(
        whole,
        body="\n\n".join(part for part in (*intro, question_text(question), *back) if part),
        answered_by=answered_by(sitting.exercise, question),
        asking=None if paired else question.id or None,
        questions=(show_question(sitting.exercise, question),),
        open=whole.open if paired else (),
        run=whole.run if paired else None,
        pauses=paired,
        how_to_continue=how_to_continue(sitting.ladder),
    )


def question_text(question: Question) -> str:
    """A question as markdown: what surrounds it, the question, what there is to choose."""
    parts = [question.context, _started(question), question.prompt]
    if question.choices:
        parts.append("\n".join(f"{letter}. {text}" for letter, text in lettered(question.choices)))
    elif question.parts:
        parts.append(" / ".join(question.parts))
    return "\n\n".join(part for part in parts if part)


def show_question(exercise: Exercise, question: Question) -> StudyQuestion:
    """A question without what a learner must not see."""
    return StudyQuestion(
        id=question.id,
        prompt=question.prompt,
        kind=question.kind,
        choices=question.choices,
        parts=question.parts,
        context=question.context or None,
        starter=question.starter or None,
        audio=audio_path(exercise, question) or None,
    )


def audio_path(exercise: Exercise, question: Question) -> str:
    """Where the recording of a question is, relative to the teaching folder, if there is one."""
    if exercise.modality != "audio" or not question.spoken or exercise.file_path is None:
        return ""
    return f"{exercise.file_path}/{question.id}.wav"


def answered_by(exercise: Exercise, question: Question) -> AnsweredBy:
    """How one question is answered."""
    if question.kind == "code":
        return "folder"
    if question.choices:
        return "choice"
    if exercise.modality == "audio":
        return "text" if question.spoken else "voice"
    return _ANSWERED[exercise.modality]


def _started(question: Question) -> str:
    return f"```\n{question.starter.strip()}\n```" if question.starter.strip() else ""


def _intro(exercise: Exercise) -> str:
    example = ""
    if exercise.worked_example:
        example = f"**An example first:**\n\n{exercise.worked_example.strip()}"
    scene = f"*{exercise.scene.strip()}*" if exercise.scene else ""
    return "\n\n".join(part for part in (example, scene, exercise.prompt.strip()) if part)


def _body(exercise: Exercise) -> str:
    parts = [_intro(exercise)]
    match exercise.modality:
        case "worksheet":
            count = len(exercise.items)
            parts = [parts[0], f"{count} questions. {_where(exercise)} {_done('worksheet')}"]
        case "code":
            tests = _run(exercise)
            parts += [
                _where(exercise),
                f"Try your tests: `{tests}`" if tests else "",
                _done("code"),
            ]
        case "long_form":
            points = [f"{number}. {each}" for number, each in enumerate(exercise.points, 1)]
            least = f"At least {exercise.min_words} words." if exercise.min_words else ""
            where = f"{_where(exercise)} Or write your answer here." if exercise.file_path else ""
            parts += ["\n".join(points), least, where]
        case "image_review":
            parts += [_looked_at(exercise), "Take a photo and name its file. This is an offer."]
        case _:
            parts += [question_text(each) for each in exercise.items[:1]]
    return "\n\n".join(part for part in parts if part)


def _rubric(exercise: Exercise) -> tuple[StudyDimension, ...]:
    if exercise.rubric is None or exercise.modality != "long_form":
        return ()
    return tuple(
        StudyDimension(each.name, each.levels[max(each.levels)], each.weight)
        for each in exercise.rubric.dimensions
    )


def _criteria(exercise: Exercise) -> tuple[str, ...]:
    if exercise.modality != "image_review":
        return ()
    return tuple(question for _, question in IMAGE_CRITERIA[exercise.image or "diagram"])


def _looked_at(exercise: Exercise) -> str:
    listed = [f"- {question}" for question in _criteria(exercise)]
    target = ""
    if exercise.image == "script" and exercise.reference:
        target = "Write: " + ", ".join(exercise.reference)
    return "\n".join(part for part in (target, *listed) if part)


def _where(exercise: Exercise) -> str:
    if exercise.file_path is None:
        return ""
    files = files_to_open(exercise)
    named = f"`{files[0]}`" if files else f"`{exercise.file_path}`"
    gaps = f", replace each `{BLANK}`" if exercise.modality == "worksheet" else ""
    return f"Open {named} in your editor{gaps} and save it."


def _done(what: str) -> str:
    return f"Take your time, and say when your {what} is done."


def files_to_open(exercise: Exercise) -> tuple[str, ...]:
    """The files to open; hidden ones and the solution are not among them."""
    path = exercise.file_path
    if path is None:
        return ()
    if exercise.kind != "code":
        return (path,) if exercise.files else ()
    return tuple(f"{path}/{name}" for name in files_to_write(exercise))


def files_to_write(exercise: Exercise) -> list[str]:
    """The files of a code exercise that a learner writes."""
    names = exercise.files
    own = [name for name in names if name.startswith("exercise.")]
    if own:
        return own
    plain = [name for name in names if not name.startswith(".") and "test" not in name.lower()]
    return [name for name in plain if not name.startswith(("solution.", "example."))]


def _run(exercise: Exercise) -> str:
    if exercise.file_path is None or exercise.kind != "code" or exercise.language != "python":
        return ""
    name = next((each for each in exercise.files if each == "test_exercise.py"), "")
    return f"python3 {exercise.file_path}/{name}" if name else ""
