"""New courses from templates, and additions that never change what somebody wrote."""

import subprocess
import sys
from pathlib import Path

import pytest

from paige.base.errors import BadInput, Conflict, NotFound, Unavailable
from paige.exercise.code_exercise import CodeExercise, render_code_exercise
from paige.exercise.values import DOMAINS
from paige.store.documents import DirectoryDocuments, Document
from paige.study.courses.catalogue import load_course
from paige.study.courses.values import Course, Item, Word
from paige.study.courses.writer import Addition, add_to_course, new_course, template_names
from tests.study.course_folders import TIDES, Failing, put_course, said, tides

WORD = Word(id="star", terms=("bintang",), meanings=("star", "asterisk"), concept_id="sky")
ADDITION = Addition(
    config={"title": "Sky"},
    concepts=({"id": "sky", "title": "The sky"},),
    items={"sky": ({"id": "s-1", "kind": "short", "prompt": "What?", "answer": "stars"},)},
    words=(WORD,),
    teaching={"sky": "It is above.\n"},
)


def texts(root: Path, name: str) -> dict[str, str]:
    folder = root / "courses" / name
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in folder.rglob("*")
        if path.is_file()
    }


@pytest.mark.parametrize("template", DOMAINS)
def test_a_new_course_has_an_example_of_everything_and_no_problem(
    tmp_path: Path, template: str
) -> None:
    course = new_course(DirectoryDocuments(tmp_path), "mine", template)

    assert said(course) == []
    assert (course.title, course.domain) == ("Mine", template)
    assert set(course.teaching) == set(course.concepts)
    assert course.graph.order == tuple(course.concepts)
    assert course.prompts
    assert all(each.checks and each.examples for each in course.teaching.values())
    assert not course.is_shipped


def test_every_domain_has_its_template() -> None:
    assert template_names() == sorted(DOMAINS)


def solved(item: Item, folder: Path) -> subprocess.CompletedProcess[str]:
    assert item.code is not None
    exercise = CodeExercise(
        title=item.title,
        concept_id=item.concept_id,
        instructions=item.prompt,
        starter=item.code.solution,
        solution=item.code.solution,
        tests=item.code.tests,
        imports=item.code.imports,
    )
    for name, text in render_code_exercise(exercise).items():
        (folder / name).write_text(text)
    command = [sys.executable, str(folder / "test_exercise.py")]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def test_the_solutions_of_a_template_pass_their_tests(tmp_path: Path) -> None:
    course = new_course(DirectoryDocuments(tmp_path), "mine", "technical")
    coded = [item for item in course.all_items() if item.kind == "code"]

    assert coded
    for item in coded:
        done = solved(item, tmp_path)
        assert done.returncode == 0, done.stdout


def test_a_course_can_be_made_from_another(tmp_path: Path) -> None:
    config = '{"name": "tides", "domain_type": "conceptual"}'
    put_course(tmp_path, TIDES, {**tides(), "config.json": config})
    course = new_course(DirectoryDocuments(tmp_path), "copy", TIDES)

    assert said(course) == []
    assert texts(tmp_path, "copy").keys() == texts(tmp_path, TIDES).keys()
    first = load_course(DirectoryDocuments(tmp_path), TIDES)
    assert [(item.id, item.prompt, item.key) for item in course.all_items()] == [
        (item.id, item.prompt, item.key) for item in first.all_items()
    ]
    assert (course.graph, course.prompts) == (first.graph, first.prompts)


def test_a_course_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    documents = DirectoryDocuments(tmp_path)
    new_course(documents, "mine", "language")
    before = texts(tmp_path, "mine")

    with pytest.raises(Conflict, match="There is a course `mine` already"):
        new_course(documents, "mine", "technical")
    assert texts(tmp_path, "mine") == before


@pytest.mark.parametrize("writes", range(6))
def test_a_new_course_that_was_interrupted_is_completed(tmp_path: Path, writes: int) -> None:
    with pytest.raises(Unavailable):
        new_course(Failing(tmp_path, writes), "mine", "conceptual")
    course = new_course(DirectoryDocuments(tmp_path), "mine", "conceptual")

    assert said(course) == []
    assert course == new_course(DirectoryDocuments(tmp_path / "other"), "mine", "conceptual")


@pytest.mark.parametrize("writes", range(5))
def test_an_addition_that_was_interrupted_is_completed(tmp_path: Path, writes: int) -> None:
    with pytest.raises(Unavailable):
        add_to_course(Failing(tmp_path, writes), "sky", ADDITION)
    course = add_to_course(DirectoryDocuments(tmp_path), "sky", ADDITION)

    assert course == add_to_course(DirectoryDocuments(tmp_path / "other"), "sky", ADDITION)
    assert texts(tmp_path, "sky") == texts(tmp_path / "other", "sky")


@pytest.mark.parametrize(("name", "template"), [("../x", "language"), ("a b", "language")])
def test_a_name_that_is_no_folder_is_refused(tmp_path: Path, name: str, template: str) -> None:
    with pytest.raises(BadInput):
        new_course(DirectoryDocuments(tmp_path), name, template)
    assert not (tmp_path / "courses").exists()


def test_a_template_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(NotFound) as error:
        new_course(DirectoryDocuments(tmp_path), "mine", "dance")
    assert "`language`" in (error.value.hint or "")


def test_an_addition_makes_a_course_and_a_second_one_changes_nothing(tmp_path: Path) -> None:
    documents = DirectoryDocuments(tmp_path)
    course = add_to_course(documents, "sky", ADDITION)
    before = texts(tmp_path, "sky")

    assert said(course) == []
    assert (course.title, course.item_count) == ("Sky", 2)
    assert course.vocabulary[0].meanings == ("star", "asterisk")
    assert add_to_course(documents, "sky", ADDITION) == course
    assert texts(tmp_path, "sky") == before


def test_an_addition_keeps_what_somebody_wrote(tmp_path: Path) -> None:
    documents = DirectoryDocuments(tmp_path)
    mine = {**tides(), "teach/sky.md": "Mine.", "items/sky.jsonl": '{"kind": "broken'}
    put_course(tmp_path, TIDES, mine)
    course = add_to_course(documents, TIDES, ADDITION)

    after = texts(tmp_path, TIDES)
    for path, text in mine.items():
        if path != "concepts.json":
            assert after[path].startswith(text), path
    assert after["teach/sky.md"] == "Mine."
    assert after["concepts.json"].startswith(mine["concepts.json"].rstrip("] \n"))
    assert list(course.concepts) == ["moon", "tides", "sky"]
    assert course.title == "Tides"


def test_words_without_a_column_for_ids_become_items(tmp_path: Path) -> None:
    documents = DirectoryDocuments(tmp_path)
    put_course(tmp_path, TIDES, tides())
    for _ in range(2):
        course = add_to_course(documents, TIDES, ADDITION)

        assert said(course) == []
        assert {item.id for item in course.items_of("sky")} == {"s-1", "star.to", "star.from"}
        assert course.item("star.from").answers == ("star", "asterisk")


def test_nothing_is_added_to_concepts_that_are_no_list(tmp_path: Path) -> None:
    put_course(tmp_path, TIDES, {**tides(), "concepts.json": '{"moon": {}, "tides": {}}'})

    with pytest.raises(BadInput, match=r"concepts\.json is not a list"):
        add_to_course(DirectoryDocuments(tmp_path), TIDES, ADDITION)


def test_nothing_is_added_to_concepts_that_are_broken(tmp_path: Path) -> None:
    broken = '[{"id": "moon"}, {"id": "tides"'
    put_course(tmp_path, TIDES, {**tides(), "concepts.json": broken})

    with pytest.raises(BadInput, match=r"concepts\.json:1: this is not JSON"):
        add_to_course(DirectoryDocuments(tmp_path), TIDES, ADDITION)
    assert texts(tmp_path, TIDES)["concepts.json"] == broken


def test_two_programs_that_add_the_same_add_it_once(tmp_path: Path) -> None:
    raced: set[str] = set()

    class Racing(DirectoryDocuments):
        """Another program adds everything between our reading and our writing, each time once."""

        def write(self, path: str, text: str, *, base: str) -> Document:
            if path not in raced:
                raced.add(path)
                add_to_course(DirectoryDocuments(self.root), "sky", ADDITION)
            return super().write(path, text, base=base)

    course = add_to_course(Racing(tmp_path), "sky", ADDITION)

    assert said(course) == []
    assert (len(course.concepts), course.item_count) == (1, 2)


def test_a_shipped_course_is_read_where_it_is(tmp_path: Path) -> None:
    documents = DirectoryDocuments(tmp_path / "own")

    course: Course = load_course(documents, "how-memory-works")
    assert course.is_shipped
    assert documents.paths() == []
