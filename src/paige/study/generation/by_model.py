"""Making an exercise with a model: it writes items, and the same builders and checks do the rest.

The course's own items come first, for people wrote and checked them. The model is asked where the
course says how (its `prompts/`), and where the course has nothing new or nothing fitting left. What
it writes is read like a course's file, line by line; code has to pass its own tests in the sandbox.
Whatever is wrong is left out, and when nothing is left the course's items are used.
"""

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from anyio import to_thread
from pydantic import BaseModel, Field

from paige.base.errors import NotFound, PaigeError
from paige.exercise.code_exercise import CodeExercise, render_code_exercise
from paige.exercise.grading import grade
from paige.exercise.values import Modality
from paige.models.calls import Call
from paige.models.prompts import render, untrusted
from paige.study.courses.item_kinds import Course as Defaults
from paige.study.courses.items_file import read_items
from paige.study.courses.values import Course, Item
from paige.study.exercise_tools import ExerciseTools, ask_model
from paige.study.generation.generator import generate
from paige.study.generation.material import KINDS, suits
from paige.study.generation.words import one_line, plain
from paige.study.remediation import shipped_remedies
from paige.study.values import Exercise, ExerciseRequest

_HOLE = re.compile(r"\{([A-Za-z_][A-Za-z_|]*)\}")
_MOST_PAST, _MOST_WORDS, _LEAST_TESTS = 20, 60, 5
_LONGEST_TEACHING = 4000


def system_prompt(course: Course, wanted: ExerciseRequest, count: int) -> str:
    """The whole instruction for one exercise."""
    concept = course.concept(wanted.concept_id)
    teaching = course.teaching.get(concept.id)
    known = sorted(course.graph.before(concept.id) | wanted.known)
    past = [one_line(each) for one in reversed(wanted.history) for each in one.prompts]
    return render(
        "study/items",
        course=course.title,
        domain=course.domain,
        task=_task(course, wanted, count),
        concept=concept.title,
        teaching=untrusted("course", teaching.explanation[:_LONGEST_TEACHING])
        if teaching
        else "(nothing is written)",
        known=", ".join(_title(course, each) for each in known) or "nothing before this",
        kinds=", ".join(KINDS[wanted.modality]),
        bloom=wanted.bloom,
        past=untrusted("earlier exercises", "\n".join(f"- {each}" for each in past[:_MOST_PAST]))
        if past
        else "- (none yet)",
    )


def _task(course: Course, wanted: ExerciseRequest, count: int) -> str:
    for name in (wanted.modality, *KINDS[wanted.modality]):
        if name in course.prompts:
            filled = fill_holes(course.prompts[name], _values(course, wanted, count))
            return f"{filled}\n{_focus(wanted)}".strip()
    title = course.concept(wanted.concept_id).title
    match course.domain:
        case "language":
            return render("study/task-language", n=str(count), concept=title, focus=_focus(wanted))
        case "technical":
            return render(
                "study/task-technical",
                n=str(count),
                concept=title,
                language=course.config.code_language,
                tests=str(_LEAST_TESTS),
                focus=_focus(wanted),
            )
        case _:
            return render(
                "study/task-conceptual", n=str(count), concept=title, focus=_focus(wanted)
            )


def fill_holes(text: str, values: Mapping[str, str]) -> str:
    """A course's prompt with its holes filled; one that nothing fills stays as it is."""
    return _HOLE.sub(lambda hole: values.get(hole[1], hole[0]), text)


def _values(course: Course, wanted: ExerciseRequest, count: int) -> dict[str, str]:
    concept = course.concept(wanted.concept_id)
    words = [f"{word.term} ({word.meaning})" for word in course.words_of(concept.id)]
    return {
        "concept_name": concept.title,
        "description": concept.description or concept.title,
        "key_vocabulary": ", ".join(words[:_MOST_WORDS]) or concept.title,
        "grammar_points": concept.description or concept.title,
        "prerequisites": ", ".join(_title(course, each) for each in concept.prerequisites)
        or "none",
        "bloom_level": wanted.bloom,
        "programming_language": course.config.code_language,
        "n": str(count),
        "worksheet|conversation": wanted.modality,
    }


def _focus(wanted: ExerciseRequest) -> str:
    """What the learner got wrong before, as one more requirement."""
    table = shipped_remedies()
    known = [kind for kind in wanted.focus if kind in table]
    if not known:
        return ""
    named = ", ".join(kind.replace("_", " ") for kind in known)
    return f"- The learner often makes these errors: {named}. Aim at them."


def _title(course: Course, concept_id: str) -> str:
    concept = course.concepts.get(concept_id)
    return concept.title if concept else concept_id


NEVER: tuple[Modality, ...] = ("flashcard", "audio", "image_review")
"""These are made of the course's words and pictures only."""
COUNT: dict[Modality, int] = {"worksheet": 8, "conversation": 3, "repl": 3, "collaborative": 3}
_PURPOSE = "study_items"
_LONG_AGO = datetime(2000, 1, 1, tzinfo=UTC)
_OLD = ("asked in the last exercise", "only for recall", "at the level")


class MadePair(BaseModel):
    """Two things that belong together."""

    left: str
    right: str


class MadeTest(BaseModel):
    """A test of code."""

    name: str
    body: str


class MadeTurn(BaseModel):
    """A turn of a dialogue."""

    say: str
    expect: str
    hint: str


class MadeItem(BaseModel):
    """An item as a model writes it: the fields of a course's file; empty where none applies."""

    kind: str
    bloom: str
    prompt: str
    answers: list[str]
    pairs: list[MadePair]
    distractors: list[str]
    direction: str
    explanation: str
    hints: list[str]
    context: str
    discrimination: bool
    points: list[str]
    reference: list[str]
    starter: str
    solution: str
    tests: list[MadeTest]
    imports: list[str]
    script: list[MadeTurn]


class MadeItems(BaseModel):
    """What a model wrote."""

    items: list[MadeItem] = Field(max_length=30)


async def make_exercise(
    tools: ExerciseTools, course: Course, wanted: ExerciseRequest, *, seed: int, now: datetime
) -> Exercise:
    """An exercise by the course or by a model. Raises: NotFound, ProviderFailed."""
    own: Exercise | None = None
    missing: NotFound | None = None
    try:
        own = await to_thread.run_sync(lambda: generate(course, wanted, seed=seed, now=now))
    except NotFound as error:
        missing = error
    if not tools.asks_a_model or not wants_model(course, wanted, own):
        if own is None:
            raise missing or NotFound(f"There is nothing to ask about `{wanted.concept_id}`")
        return own
    items, by, remark = await _items(tools, course, wanted)
    if not items:
        if own is None:
            raise missing or NotFound(f"There is nothing to ask about `{wanted.concept_id}`")
        return replace(own, remarks=(*own.remarks, *((remark,) if remark else ())))
    made = _with_items(course, wanted, items)
    aim = replace(wanted, items=(*(each.id for each in items), *wanted.items))
    exercise = await to_thread.run_sync(lambda: generate(made, aim, seed=seed, now=now))
    new = {each.id for each in items} & set(exercise.item_ids)
    return replace(exercise, source=by) if new else exercise


def wants_model(course: Course, wanted: ExerciseRequest, own: Exercise | None) -> bool:
    """Whether a model should write items: the course asks for it, or has nothing fitting left."""
    if wanted.modality in NEVER:
        return False
    if own is None or wanted.modality in course.prompts:
        return True
    if any(kind in course.prompts for kind in KINDS[wanted.modality]):
        return True
    return any(sign in remark for remark in own.remarks for sign in _OLD)


async def _items(
    tools: ExerciseTools, course: Course, wanted: ExerciseRequest
) -> tuple[list[Item], str, str]:
    count = wanted.count or COUNT.get(wanted.modality, 1)
    call = Call(
        call_type=_PURPOSE,
        model="sonnet",
        system_prompt=system_prompt(course, wanted, count),
        user_message=f"Write {count} items now.",
        response_schema=MadeItems,
        max_tokens=8000,
    )
    asked = await ask_model(tools, call)
    if asked.value is None:
        return [], asked.by, asked.remark
    items = read_made(course, wanted, asked.value)
    sound = [each for each in items if await to_thread.run_sync(is_sound, tools, each)]
    return sound, asked.by, "" if sound else "What the model wrote did not pass the checks."


def read_made(course: Course, wanted: ExerciseRequest, made: MadeItems) -> list[Item]:
    """The items a model wrote that are right in form, suit the modality and were not asked."""
    text = "\n".join(json.dumps(_line(each), ensure_ascii=False) for each in made.items)
    defaults = Defaults(course.domain, course.config.code_language)
    found = read_items(f"items/{wanted.concept_id}.jsonl", text, defaults).items
    asked = {plain(each) for past in wanted.history for each in past.prompts}
    asked |= {plain(each.prompt) for each in course.items_of(wanted.concept_id)}
    kept: list[Item] = []
    for item in found:
        if suits(item, wanted.modality) and plain(item.prompt) not in asked:
            asked.add(plain(item.prompt))
            kept.append(replace(item, id=f"m{item.id}", concept_id=wanted.concept_id))
    return kept


def _line(item: MadeItem) -> dict[str, object]:
    """An item in the form of a course's file, without what is empty."""
    fields = item.model_dump(exclude={"answers", "pairs", "tests", "script"})
    line: dict[str, object] = {key: value for key, value in fields.items() if value not in ("", [])}
    answers = [each for each in item.answers if each.strip()]
    match item.kind:
        case "match":
            line["answer"] = {each.left: each.right for each in item.pairs}
        case "categorise":
            groups: dict[str, list[str]] = {}
            for each in item.pairs:
                groups.setdefault(each.right, []).append(each.left)
            line["answer"] = groups
        case "order":
            line["answer"] = answers
        case "cloze":
            several = item.prompt.count("___") > 1
            line["answer"] = answers if several else " / ".join(answers)
        case "true_false" | "repl":
            line["answer"] = answers[0] if answers else ""
        case _:
            if answers:
                line["answer"] = answers
    if item.tests:
        line["tests"] = [each.model_dump() for each in item.tests]
    if item.script:
        line["script"] = [each.model_dump() for each in item.script]
    return line


def is_sound(tools: ExerciseTools, item: Item) -> bool:
    """Whether code keeps what it promises: the solution passes the tests, the starter does not."""
    code = item.code
    if code is None or item.kind != "code":
        return True
    if code.language != "python" or not code.tests:
        return False
    try:
        solved = _share_passed(tools, item, code.solution)
        begun = _share_passed(tools, item, code.starter)
    except PaigeError:
        return False
    return solved >= 1.0 and begun < 1.0


def _share_passed(tools: ExerciseTools, item: Item, source: str) -> float:
    code = item.code
    assert code is not None
    files = render_code_exercise(
        CodeExercise(
            title=item.id,
            concept_id=item.concept_id,
            instructions=item.prompt,
            starter=source,
            solution=code.solution,
            tests=code.tests,
            imports=code.imports,
        )
    )
    with tempfile.TemporaryDirectory(prefix="paige-code-") as folder:
        for name, text in files.items():
            (Path(folder) / name).write_text(text, encoding="utf-8")
        result = grade(Path(folder), now=_LONG_AGO, isolation=tools.isolation, terms=tools.terms)
    return result.score.percentage if result.gradable else 0.0


def _with_items(course: Course, wanted: ExerciseRequest, items: Sequence[Item]) -> Course:
    own = course.items.get(wanted.concept_id, ())
    return replace(course, items={**course.items, wanted.concept_id: (*items, *own)})
