"""Course files with anything in them: named with file and line; the rest of the course stays."""

import json
import re
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paige.study.courses.values import Course
from tests.depth import examples
from tests.study.course_folders import TIDES, lines, put_course, read, tides

PATHS = sorted(tides())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
KEYS = st.sampled_from(
    [
        *("id", "concept", "kind", "title", "prompt", "answer", "bloom", "explanation", "hints"),
        *("context", "discrimination", "distractors", "direction", "needs", "minutes", "tags"),
        *("params", "starter", "tests", "solution", "imports", "language", "files", "cases"),
        *("points", "reference", "rubric", "min_words", "image", "script", "prerequisites"),
        *("taught", "concept_type", "unit", "modalities", "confused_with", "domain_type"),
        *("exercise_config", "modality_weights", "modality_overrides", "rubrics", "session"),
        *("languages", "name", "description"),
    ]
)
KINDS = st.sampled_from(
    ["translate", "cloze", "choice", "match", "order", "categorise", "true_false", "code", "repl"]
)
VALUES = (
    JSON | KINDS | st.sampled_from(["moon", "___", "tides", "{n}", {"n": [1]}, ["a", "b", "c"]])
)
OBJECTS = st.dictionaries(KEYS, VALUES, max_size=8)
AWKWARD = [
    b"\xff\xfe[\x00",
    b'{"id": "a", "id": "b"}',
    b'[{"id": "\\ud800"}]',
    b'{"kind": "short", "prompt": "\\ud83d", "answer": "x"}',
    b'{"kind": "short", "prompt": "\\u0000", "answer": "x"}',
    b'{"prompt": ' + b"9" * 5000 + b"}",
    b'{"minutes": 1e999}',
    b"[" * 3000,
    b'{"a":' * 3000,
    b'{"rubric": ' + b"[" * 60 + b"]" * 60 + b"}",
    b"<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n",
    b"\xef\xbb\xbf[]",
    b"\x00\x01\x02",
    b"term\tmeaning\n\t\t\t\t\t\t\t\t\n\x00\tb\tmoon\n",
    b"## Check\n\n## Check\nAnswer:\n## Worked example\n",
    b"```\n## Check\n",
    b"{n|} {a|b} {}",
]


def damaged(path: str, content: bytes) -> Course:
    """The course with one file replaced."""
    with TemporaryDirectory() as folder:
        root = Path(folder)
        put_course(root, TIDES, tides())
        put_course(root, TIDES, {path: content})
        return read(root)


def others(course: Course, path: str) -> dict[str, object]:
    """What was read from every file but one."""
    place = f"courses/{TIDES}/{path}"
    return {
        "items": {
            item.id for items in course.items.values() for item in items if item.path != place
        },
        "words": {word.id for word in course.vocabulary if word.path != place},
        "teaching": {name for name, each in course.teaching.items() if each.path != place},
        "title": course.title if path != "config.json" else None,
    }


@cache
def whole() -> Course:
    """The course with nothing wrong in it."""
    return damaged("prompts/worksheet.md", b"{n}")


def check(path: str, content: bytes) -> Course:
    course = damaged(path, content)

    for problem in course.problems:
        assert re.match(rf"courses/{TIDES}/[\w./]+\Z", problem.file)
        lines_there = content.count(b"\n") + 1
        assert 1 <= problem.line <= max(lines_there, 30)
        assert problem.message
        assert problem.fix
        assert "\n" not in str(problem)
        str(problem).encode()
    if path != "concepts.json":
        kept, wanted = others(course, path), others(whole(), path)
        # An id in the file may be that of another item; then one of the two is left out, and named.
        twice = any("is there already" in each.message for each in course.problems)
        assert twice or kept == wanted
    json.dumps([each.message for each in course.problems]).encode()
    for item in course.all_items():
        assert item.concept_id in course.concepts
        assert item.prompt
        item.key.encode()
    return course


@pytest.mark.parametrize("path", PATHS)
@given(content=st.binary(max_size=200))
@settings(max_examples=examples(25))
def test_any_bytes_in_any_file_cost_only_that_file(path: str, content: bytes) -> None:
    check(path, content)


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("content", AWKWARD, ids=range(len(AWKWARD)))
def test_awkward_bytes_in_any_file_cost_only_that_file(path: str, content: bytes) -> None:
    check(path, content)


@given(objects=st.lists(OBJECTS, max_size=4))
@example(objects=[{"kind": "short", "prompt": "a", "answer": "b", "params": {"n": [[]]}}])
@example(
    objects=[{"kind": "cloze", "prompt": "___ {n}", "answer": ["a"], "params": {"n": ["___"]}}]
)
def test_any_objects_for_items_cost_only_themselves(objects: list[dict]) -> None:
    good = {"id": "good", "kind": "short", "prompt": "x?", "answer": "y"}
    content = lines(*objects, good).encode("utf-8", "surrogatepass")
    course = check("items/moon.jsonl", content)

    if not any(each.get("id") == "good" for each in objects):
        assert course.item("good").line == len(objects) + 1


@given(objects=st.lists(OBJECTS, max_size=4))
def test_any_objects_for_concepts_leave_the_items(objects: list[dict]) -> None:
    content = json.dumps([*objects, {"id": "moon"}, {"id": "tides"}], indent=2)
    course = check("concepts.json", content.encode())

    assert {"moon", "tides"} <= set(course.concepts)
    assert course.item("t-choice").concept_id == "moon"


@given(config=OBJECTS)
def test_any_object_as_config_leaves_the_course(config: dict) -> None:
    content = json.dumps(config, indent=2).encode()

    assert check("config.json", content).item_count == whole().item_count


@given(at=st.integers(0, 400), length=st.integers(0, 5), instead=st.binary(max_size=3))
def test_a_slip_in_the_concepts_keeps_those_of_other_lines(
    at: int, length: int, instead: bytes
) -> None:
    text = tides()["concepts.json"].encode()
    content = text[:at] + instead + text[at + length :]

    assert check("concepts.json", content).items
