"""Exercises of every modality from a course's own items: chosen, aimed, never the same twice."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paige.base.errors import NotFound
from paige.exercise.code_folder import read_code_folder
from paige.exercise.values import BLOOM_LEVELS, MODALITIES, Bloom, Modality
from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import load_course, shipped_documents
from paige.study.courses.values import Course, Item, Word
from paige.study.generation.checks import check_exercise
from paige.study.generation.generator import generate
from paige.study.generation.material import all_items, in_context, possible
from paige.study.generation.questions import hints_for
from paige.study.values import Exercise, ExerciseRequest, OpenExercise, PastExercise
from tests.conftest import NOON
from tests.depth import examples
from tests.study.kept_sittings import kept
from tests.study.made_courses import CONCEPT, course_of, items_of, lines, words
from tests.study.small_courses import algorithms, malay, memory, write_course
from tests.study.small_courses import read as read_small


def make(course: Course, concept: str, modality: Modality, seed: int = 1, **more: Any) -> Exercise:
    bloom: Bloom = more.pop("bloom", "apply")
    wanted = ExerciseRequest(concept_id=concept, modality=modality, bloom=bloom, **more)
    return generate(course, wanted, seed=seed, now=NOON)


def past_of(exercise: Exercise, *missed: str) -> PastExercise:
    return PastExercise(
        at=NOON,
        exercise_id=exercise.id,
        modality=exercise.modality,
        kind=exercise.kind,
        item_ids=exercise.item_ids,
        missed=missed,
    )


@settings(max_examples=examples(40))
@given(
    st.lists(lines(), min_size=1, max_size=10),
    st.lists(words, max_size=8, unique_by=lambda word: word.id),
    st.sampled_from(MODALITIES),
    st.sampled_from(BLOOM_LEVELS),
    st.integers(0, 99),
)
def test_whatever_is_possible_can_be_made_and_survives_being_written_down(
    listed: list[dict[str, Any]],
    vocabulary: list[Word],
    modality: Modality,
    bloom: Bloom,
    seed: int,
) -> None:
    course = course_of(items_of(listed), vocabulary)
    if modality not in possible(course, CONCEPT):
        return
    try:
        exercise = make(course, CONCEPT, modality, seed, bloom=bloom)
    except NotFound:
        assert modality == "worksheet"  # a text that no line of a file can hold
        return

    assert exercise.items
    assert exercise.minutes > 0
    assert exercise.item_ids
    sitting = OpenExercise(exercise=exercise, started=NOON)
    assert kept(sitting) == sitting


def test_every_modality_of_a_course_is_possible_where_there_is_material(tmp_path: Path) -> None:
    assert possible(malay(tmp_path), "greetings") == {
        *("worksheet", "conversation", "long_form", "image_review", "flashcard", "audio"),
        "collaborative",
    }
    assert possible(algorithms(tmp_path), "search") == {
        *("worksheet", "conversation", "long_form", "code", "repl", "flashcard"),
        "collaborative",
    }


def test_a_concept_may_say_which_modalities_suit_it(tmp_path: Path) -> None:
    concepts = [{"id": "one", "title": "One", "modalities": ["conversation", "code"]}]
    items = {"one": [{"kind": "short", "prompt": "Why?", "answer": "because it is so"}]}
    write_course(tmp_path, "chosen", {"domain_type": "conceptual"}, concepts, items)
    assert possible(read_small(tmp_path, "chosen"), "one") == {"conversation"}


def test_a_concept_with_only_a_teaching_text_is_asked_its_check(tmp_path: Path) -> None:
    folder = write_course(tmp_path, "bare", {"domain_type": "conceptual"}, [{"id": "one"}], {})
    (folder / "teach" / "one.md").write_text(
        "It is so.\n\n## Check\n\nIs it?\n\nAnswer: it is so\n"
    )
    course = load_course(DirectoryDocuments(tmp_path), "bare")
    exercise = make(course, "one", "conversation")
    assert exercise.items[0].prompt == "Is it?"


def test_a_word_in_its_sentence_is_a_gap_that_only_it_fills() -> None:
    word = Word(
        id="w-maaf",
        terms=("maaf",),
        meanings=("sorry",),
        concept_id=CONCEPT,
        example="Maaf, saya lambat.",
        example_meaning="Sorry, I am late.",
    )
    item = in_context(word)
    assert item is not None
    assert item.prompt == "___, saya lambat. (Sorry, I am late.)"
    assert item.answers == ("maaf",)


@pytest.mark.parametrize("example", ["maaf", "Maaf maaf!", "kemaafan besar", ""])
def test_a_sentence_that_does_not_hold_the_word_just_once_makes_no_gap(example: str) -> None:
    word = Word(id="w", terms=("maaf",), meanings=("sorry",), concept_id=CONCEPT, example=example)
    assert in_context(word) is None


def test_words_with_the_same_meaning_are_accepted_for_each_other() -> None:
    two = [
        Word(id="w-awak", terms=("awak",), meanings=("you",), concept_id=CONCEPT),
        Word(id="w-anda", terms=("anda",), meanings=("you",), concept_id=CONCEPT),
    ]
    course = course_of((), two)
    asked = next(each for each in all_items(course, CONCEPT) if each.id == "w-awak.to")
    assert set(asked.answers) == {"awak", "anda"}


def test_a_conversation_asks_three_things(tmp_path: Path) -> None:
    exercise = make(algorithms(tmp_path), "search", "conversation", bloom="understand")
    assert len(exercise.items) == 3
    assert all(len(each.hints) <= 3 for each in exercise.items)


ASKED: Any = {"id": "i", "concept_id": "c", "prompt": "What?"}


@pytest.mark.parametrize(
    ("item", "hints"),
    [
        (
            Item(kind="translate", answers=("selamat pagi",), **ASKED),
            ("", "It is 2 words and begins with “s”."),
        ),
        (Item(kind="short", answers=("42",), **ASKED), ("", "It is a number.")),
        (
            Item(kind="short", answers=("a b c d e f g",), **ASKED),
            ("", "An answer the course accepts has 7 words."),
        ),
        (Item(kind="true_false", answers=("true",), **ASKED), ()),
        (
            Item(kind="short", answers=("x",), hints=("Look up.",), **ASKED),
            ("Look up.", "It is one word and begins with “x”."),
        ),
        (Item(kind="short", answers=("x",), hints=("1", "2"), **ASKED), ("1", "2")),
    ],
)
def test_hints_are_the_courses_own_and_the_shape_of_the_answer(
    item: Item, hints: tuple[str, ...]
) -> None:
    assert hints_for(item) == hints


def test_hints_that_the_course_wrote_come_first(tmp_path: Path) -> None:
    exercise = make(memory(tmp_path), "spacing", "conversation", items=("m-short",))
    question = next(each for each in exercise.items if each.item_id == "m-short")
    assert question.hints[0] == "What happens between reviews?"


def test_somebody_who_struggles_is_led_by_questions(tmp_path: Path) -> None:
    exercise = make(algorithms(tmp_path), "search", "conversation", manner="socratic")
    assert exercise.conversation == "socratic"
    assert exercise.item_ids == ("b-socratic",)
    assert exercise.items[0].prompt.startswith("You look at the middle")


def test_a_scene_is_played_turn_by_turn(tmp_path: Path) -> None:
    exercise = make(malay(tmp_path), "greetings", "conversation", items=("g-scene",))
    assert exercise.conversation == "roleplay"
    assert exercise.scene == "A mamak restaurant in the evening"
    assert len(exercise.items) == 3
    assert exercise.items[1].answers == ("teh tarik", "air kosong")


@pytest.mark.parametrize(
    ("item", "kind"),
    [("b-predict", "prediction"), ("g-error", "error_identification"), ("m-short", "direct")],
)
def test_the_type_of_a_conversation_follows_what_it_asks(
    item: str, kind: str, tmp_path: Path
) -> None:
    courses = {"b": (algorithms, "search"), "g": (malay, "greetings"), "m": (memory, "spacing")}
    build, concept = courses[item[0]]
    exercise = make(build(tmp_path), concept, "conversation", items=(item,), count=1)
    assert exercise.conversation == kind


def test_a_code_exercise_is_a_folder_that_can_be_read_back(tmp_path: Path) -> None:
    exercise = make(algorithms(tmp_path), "search", "code", items=("b-code",))
    assert set(exercise.files) == {"exercise.py", "test_exercise.py", "solution.py"}
    folder = tmp_path / "folder"
    folder.mkdir()
    for name, text in exercise.files.items():
        (folder / name).write_text(text)
    read = read_code_folder(folder)
    assert read.solution == ("exercise.py",)
    assert read.hidden == ("solution.py",)
    assert read.hints == ("What are the borders?",)


def test_more_help_stands_in_the_file_for_somebody_who_struggles(tmp_path: Path) -> None:
    exercise = make(algorithms(tmp_path), "search", "code", items=("b-code",), manner="scaffolded")
    assert "Halve what is left." in exercise.files["exercise.py"]


def test_parameters_give_another_exercise_each_time(tmp_path: Path) -> None:
    course = algorithms(tmp_path)
    history: tuple[PastExercise, ...] = ()
    asked = []
    for seed in range(3):
        exercise = make(course, "search", "code", seed, items=("b-double",), history=history)
        asked.append(exercise.item_ids[0])
        history = (*history, past_of(exercise))
    assert set(asked) == {"b-double.1", "b-double.2", "b-double.3"}


def test_a_long_question_comes_with_a_file_points_and_a_rubric(tmp_path: Path) -> None:
    exercise = make(malay(tmp_path), "greetings", "long_form", bloom="evaluate")
    (text,) = exercise.files.values()
    assert "<!-- RESPONSE -->" in text
    assert exercise.points == ("who is spoken to", "the time of day", "an example of each")
    assert exercise.rubric is not None
    assert len(exercise.rubric.dimensions) == 4
    assert "Teachers and elders" not in text


def test_what_needs_an_unknown_concept_is_not_asked(tmp_path: Path) -> None:
    course = algorithms(tmp_path)
    for seed in range(5):
        exercise = make(course, "search", "conversation", seed, items=("b-far",))
        assert "b-far" not in exercise.item_ids
    known = frozenset({"trees"})
    exercise = make(course, "search", "conversation", items=("b-far",), known=known)
    assert "b-far" in exercise.item_ids


def test_what_was_asked_last_is_not_asked_again_while_there_is_something_else(
    tmp_path: Path,
) -> None:
    course = malay(tmp_path)
    history: tuple[PastExercise, ...] = ()
    for seed in range(6):
        exercise = make(course, "greetings", "flashcard", seed, bloom="remember", history=history)
        if history:
            assert not set(exercise.item_ids) & set(history[-1].item_ids)
        history = (*history, past_of(exercise))


def test_an_error_that_came_back_brings_items_that_work_against_it(tmp_path: Path) -> None:
    course = malay(tmp_path)
    exercise = make(course, "greetings", "conversation", focus=("word_order",), count=2)
    assert {"g-order", "g-error"} == set(exercise.item_ids)


def test_something_missed_twice_is_asked_once_more(tmp_path: Path) -> None:
    course = malay(tmp_path)
    asked = {"modality": "flashcard", "at": NOON, "exercise_id": "x"}
    history = (
        PastExercise(**asked, item_ids=("w-maaf.to", "w-ya.to"), missed=("w-maaf.to",)),
        PastExercise(**asked, item_ids=("w-maaf.to",), missed=("w-maaf.to",)),
        PastExercise(**asked, item_ids=("w-tolong.to",)),
    )
    exercise = make(course, "greetings", "flashcard", bloom="remember", history=history)
    assert any(each.startswith("w-maaf") for each in exercise.item_ids)


def test_a_newcomer_reads_a_worked_example_first(tmp_path: Path) -> None:
    course = malay(tmp_path)
    new = make(course, "greetings", "conversation", is_new=True)
    known = make(course, "greetings", "conversation", mastery=0.9)
    assert "selamat tengah hari" in new.worked_example
    assert known.worked_example == ""


def test_a_pupil_believes_what_the_distractors_say(tmp_path: Path) -> None:
    exercise = make(
        algorithms(tmp_path), "search", "collaborative", items=("b-choice",), bloom="remember"
    )
    assert exercise.partner == "pupil"
    asked = next(each for each in exercise.items if each.item_id == "b-choice")
    assert any(wrong in asked.prompt for wrong in ("the left half", "is sorted", "not found"))
    assert asked.answers[0] == "the right half is thrown away"


def test_a_programming_partner_asks_what_the_tests_expect(tmp_path: Path) -> None:
    exercise = make(algorithms(tmp_path), "search", "collaborative", items=("b-code",))
    assert exercise.partner == "pair"
    assert exercise.modality == "collaborative"
    assert (
        exercise.items[0].prompt
        == "Before we write anything: what should `search([1, 3, 5], 3)` give?"
    )
    assert exercise.items[0].answers == ("1",)
    assert exercise.items[-1].kind == "code"


def test_words_are_heard_and_said(tmp_path: Path) -> None:
    exercise = make(malay(tmp_path), "greetings", "audio", bloom="apply")
    heard = [each for each in exercise.items if each.spoken]
    said = [each for each in exercise.items if not each.spoken]
    assert heard
    assert said
    assert all(each.prompt.startswith("Say in Malay: ") for each in said)
    assert exercise.language == "ms"


def test_entries_at_a_prompt_keep_their_situations(tmp_path: Path) -> None:
    exercise = make(algorithms(tmp_path), "search", "repl", bloom="remember")
    (question,) = exercise.items
    assert question.starter == "items = [1, 3, 5, 7]"
    assert [each.prints for each in question.cases] == ["2", "1"]


def test_shipped_courses_pass_their_own_checks() -> None:
    documents = shipped_documents()
    for name in ("bahasa-melayu", "python-algorithms", "how-memory-works"):
        course = load_course(documents, name)
        for concept in course.concepts:
            for modality in sorted(possible(course, concept)):
                bloom = course.concept(concept).bloom
                wanted = ExerciseRequest(concept_id=concept, modality=modality, bloom=bloom)
                exercise = generate(course, wanted, seed=7, now=NOON)
                serious = [
                    fault
                    for fault in check_exercise(exercise, course, wanted)
                    if fault.check in ("solvable", "unambiguous", "scope", "novel")
                ]
                assert not serious, (name, concept, modality, serious)
