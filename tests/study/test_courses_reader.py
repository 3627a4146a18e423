"""Courses as people write them: what is read, and what is said about mistakes."""

import json
from dataclasses import asdict
from pathlib import Path

import pytest

from paige.base.errors import BadInput, NotFound
from paige.exercise.code_exercise import CodeTest
from paige.store.documents import DirectoryDocuments
from paige.study.courses.catalogue import (
    course_names,
    list_courses,
    load_course,
    load_courses,
)
from paige.study.courses.export import course_decks
from paige.study.courses.values import ITEM_KINDS, Check, Item, ReplCase, Turn
from tests.study.course_folders import TIDES, lines, loaded, put_course, read, said, tides


def with_items(root: Path, *items: object) -> tuple[list[Item], list[str]]:
    """The items of a file about the moon, and what is said about them."""
    course = loaded(root, {**tides(), "items/moon.jsonl": lines(*items)})
    found = [each for each in course.items.get("moon", ()) if each.path.endswith("moon.jsonl")]
    return found, [each for each in said(course) if each.startswith("items/moon.jsonl")]


def test_every_kind_of_item_is_read_without_a_problem(tmp_path: Path) -> None:
    course = loaded(tmp_path, tides())

    assert said(course) == []
    written = [item for items in course.items.values() for item in items]
    assert sorted(item.kind for item in written) == sorted(ITEM_KINDS)
    assert course.item_count == len(ITEM_KINDS) + 2
    assert [len(course.items_of(each)) for each in course.concepts] == [3 + 2, 14 + 2]


def test_answers_are_where_their_kind_has_them(tmp_path: Path) -> None:
    course = loaded(tmp_path, tides())
    found = {item.kind: item for item in course.all_items() if item.id.startswith("t-")}

    assert found["cloze"].blanks == (("the moon",), ("water", "the sea"))
    assert found["cloze"].key == "the moon; water / the sea"
    assert found["choice"].answers == ("moon",)
    assert found["match"].pairs == (("a", "1"), ("b", "2"), ("c", "3"))
    assert found["order"].sequence == ("low", "rising", "high")
    assert found["categorise"].pairs == (("sea", "in"), ("sand", "out"), ("rock", "out"))
    assert found["true_false"].answers == ("false",)
    assert found["short"].answers == ("the moon pulls", "because of the moon")
    assert found["predict"].answers == ("3.0",)
    assert found["long_form"].reference == ("The moon pulls.", "So does the sun.")
    assert found["role_play"].script[0] == Turn(
        "When is high water?", ("at six", "six o'clock"), "An hour."
    )
    code = found["code"].code
    assert code is not None
    assert code.tests[0] == CodeTest("one", "assert mean([2]) == 2")
    assert code.starter.endswith("...\n")
    repl = found["repl"].code
    assert repl is not None
    assert repl.cases == (ReplCase("xs = [1, 2]", "2"), ReplCase("xs = [5]", "5"))


def test_levels_that_nobody_wrote_come_from_the_kind(tmp_path: Path) -> None:
    course = loaded(tmp_path, tides())

    levels = {item.kind: item.bloom for item in course.all_items()}
    assert (levels["translate"], levels["code"], levels["long_form"]) == (
        "remember",
        "apply",
        "analyze",
    )


def test_a_word_is_asked_both_ways(tmp_path: Path) -> None:
    course = loaded(tmp_path, tides())

    into, out_of = course.item("w-bulan.to"), course.item("w-bulan.from")
    assert (into.prompt, into.answers, into.direction) == ("moon", ("bulan",), "to")
    assert (out_of.prompt, out_of.answers) == ("bulan", ("moon", "month"))
    assert out_of.explanation == "Bulan penuh. \u2013 A full moon."


def test_the_same_term_twice_has_two_ids(tmp_path: Path) -> None:
    rows = "jam\thour\tmoon\njam\tclock\tmoon\njam\tjam on bread\tmoon\n"
    course = loaded(tmp_path, {**tides(), "vocabulary.tsv": rows})

    assert [word.id for word in course.vocabulary] == ["w-jam", "w-jam-2", "w-jam-3"]


def test_columns_of_the_vocabulary_may_be_named_in_any_order(tmp_path: Path) -> None:
    rows = "# our words\nconcept\tMeaning\tterm\tnote\tid\ttags\nmoon\tstar\tbintang\tn.\tb1\ta b\n"
    course = loaded(tmp_path, {**tides(), "vocabulary.tsv": rows})

    word = course.vocabulary[0]
    assert (word.term, word.meaning, word.id, word.note) == ("bintang", "star", "b1", "n.")
    assert word.tags == ("a", "b")


def test_teaching_has_an_explanation_examples_and_a_check(tmp_path: Path) -> None:
    teaching = loaded(tmp_path, tides()).teaching["moon"]

    assert teaching.explanation == "It pulls.\n\n## How far\n\n```markdown\n## Worked example\n```"
    assert teaching.examples == ("Full moon: in line.", "Half moon: across.")
    assert teaching.checks == (Check("What pulls?", ("the moon", "moon"), "it is near."),)


def test_parameters_list_variants_and_nothing_is_computed(tmp_path: Path) -> None:
    item = {
        "id": "p",
        "kind": "predict",
        "prompt": "Printed?",
        "context": "print({n} + {{n}} {other})",
        "answer": "{sum}",
        "params": {"n": [1, "{sum}"], "sum": ["2 / two", 4]},
    }
    (found,), problems = with_items(tmp_path, item)

    assert problems == []
    first, second = found.variants
    assert (first.id, second.id) == ("p.1", "p.2")
    assert first.context == "print(1 + {1} {other})"
    assert first.answers == ("2", "two")
    assert second.context == "print({sum} + {{sum}} {other})"
    assert (found.id, found.context) == ("p", first.context)
    assert read(tmp_path).item("p.2") == second


def test_answers_in_a_list_keep_their_slashes(tmp_path: Path) -> None:
    items, problems = with_items(
        tmp_path, {"kind": "error", "prompt": "a \\ b", "answer": ["a / b", "b / a"]}
    )

    assert problems == []
    assert items[0].answers == ("a / b", "b / a")


@pytest.mark.parametrize(
    ("item", "says"),
    [
        ({"kind": "riddle", "prompt": "x"}, "`kind` is `riddle`. Use one of: translate,"),
        ({"prompt": "x", "answer": "y"}, "`kind` is missing"),
        ({"kind": "short", "answer": "y"}, "`prompt` is missing"),
        ({"kind": "short", "prompt": "x"}, "`answer` is missing"),
        ({"kind": "short", "prompt": "x", "answer": "  "}, "`answer` is empty"),
        ({"kind": "short", "prompt": 7, "answer": {"a": 1}}, "`answer` should be a text"),
        ({"kind": "short", "prompt": "x", "answer": "y", "bloom": "know"}, "not a Bloom level"),
        ({"kind": "short", "prompt": "x", "answer": "y", "id": "a b"}, "`a b` cannot be an id"),
        ({"kind": "short", "prompt": "x", "answer": "y", "hints": ["1"] * 4}, "at most 3"),
        ({"kind": "short", "prompt": "x", "answer": "y", "concept": "a/b"}, "id of a concept"),
        ({"kind": "short", "prompt": "x", "answer": "y", "discrimination": 1}, "true or false"),
        ({"kind": "short", "prompt": "x", "answer": "y", "minutes": 0}, "a number from"),
        ({"kind": "translate", "prompt": "x", "answer": "y", "direction": "up"}, "`direction`"),
        ({"kind": "cloze", "prompt": "no gap", "answer": "y"}, "has no gap"),
        ({"kind": "cloze", "prompt": "___ ___", "answer": "y"}, "has 2 gaps and `answer` has 1"),
        ({"kind": "choice", "prompt": "x", "answer": "y", "distractors": ["z"]}, "at least 2"),
        (
            {"kind": "choice", "prompt": "x", "answer": "y", "distractors": ["z", " y"]},
            "Two choices are the same: `y`",
        ),
        ({"kind": "match", "prompt": "x", "answer": {"a": "1", "b": "2"}}, "at least 3 pairs"),
        ({"kind": "match", "prompt": "x", "answer": {"a": "1", "b": "1", "c": "2"}}, "right sides"),
        ({"kind": "match", "prompt": "x", "answer": [["a"], ["b"], ["c"]]}, "not a pair"),
        ({"kind": "order", "prompt": "x", "answer": ["a", "b"]}, "list of 3 or more"),
        ({"kind": "order", "prompt": "x", "answer": "a b c"}, "list of 3 or more"),
        ({"kind": "categorise", "prompt": "x", "answer": {"a": ["b"]}}, "two categories"),
        ({"kind": "categorise", "prompt": "x", "answer": {"a": ["b"], "c": []}}, "nothing in it"),
        ({"kind": "true_false", "prompt": "x", "answer": "maybe"}, "true or false, not `maybe`"),
        ({"kind": "true_false", "prompt": "x", "answer": True}, "`explanation` is missing"),
        ({"kind": "code", "prompt": "x", "starter": "a", "solution": "b"}, "`tests` is missing"),
        (
            {"kind": "code", "prompt": "x", "starter": "a", "solution": "b", "tests": {"A b": "c"}},
            "`A b` cannot be the name of a test",
        ),
        ({"kind": "code", "prompt": "x", "files": {"../a.py": ""}}, "leads out"),
        ({"kind": "code", "prompt": "x", "files": {"a.py": ""}}, "`files` has no exercise"),
        ({"kind": "code", "prompt": "x", "language": "klingon"}, "`klingon`"),
        ({"kind": "repl", "prompt": "x", "answer": "1"}, "`solution` is missing"),
        ({"kind": "long_form", "prompt": "x", "points": ["one"]}, "lists 2 or more"),
        (
            {"kind": "long_form", "prompt": "x", "points": ["a", "b"], "rubric": {"a": 1}},
            "`dimensions`",
        ),
        ({"kind": "image", "prompt": "x"}, "`reference` is missing"),
        ({"kind": "image", "prompt": "x", "reference": "y", "image": "film"}, "`image` is `film`"),
        ({"kind": "role_play", "prompt": "x", "script": [{"say": "hi"}]}, "`expect` is missing"),
        ({"kind": "socratic", "prompt": "x", "script": []}, "2 turns or more"),
        ({"kind": "short", "prompt": "{n}", "answer": "y", "params": {"n": []}}, "list of values"),
        (
            {"kind": "short", "prompt": "{n}", "answer": "{m}", "params": {"n": [1], "m": [1, 2]}},
            "not equally long",
        ),
        (
            {"kind": "short", "prompt": "x", "answer": "y", "params": {"n": [1]}},
            "`n`, which stands nowhere",
        ),
        (["a", "list"], "should hold an object"),
    ],
)
def test_a_wrong_item_is_named_with_its_line_and_the_others_stay(
    tmp_path: Path, item: object, says: str
) -> None:
    right = {"kind": "short", "prompt": "x?", "answer": "y"}
    items, problems = with_items(tmp_path, right, item, {**right, "prompt": "z?"})

    assert [each.prompt for each in items] == ["x?", "z?"]
    assert len(problems) == 1, problems
    assert problems[0].startswith("items/moon.jsonl:2: ")
    assert says in problems[0]


def test_a_misspelt_key_is_named_and_the_item_stays(tmp_path: Path) -> None:
    item = {"kind": "short", "prompt": "x?", "answer": "y", "explantion": "z", "author": "me"}
    items, problems = with_items(tmp_path, item)

    assert len(items) == 1
    assert items[0].extra == {"explantion": "z", "author": "me"}
    assert problems == [
        "items/moon.jsonl:1: `explantion` means nothing here. Did you mean `explanation`?"
    ]


@pytest.mark.parametrize(
    "item",
    [
        {"kind": "short", "prompt": "x?", "answer": "y / the moon", "hints": ["Is it The Moon?"]},
        {"kind": "cloze", "prompt": "___ pulls", "answer": "moon", "hints": ["a", "b: moon."]},
        {
            "kind": "predict",
            "prompt": "{n}?",
            "answer": "{out}",
            "hints": ["Think: 16000"],
            "params": {"n": [1, 2], "out": [8000, 16000]},
        },
    ],
)
def test_a_hint_that_says_the_answer_is_named_and_the_item_stays(
    tmp_path: Path, item: dict
) -> None:
    items, problems = with_items(tmp_path, item)

    assert len(items) == 1
    assert len(problems) == 1
    assert problems[0].startswith("items/moon.jsonl:1: `hints` give the answer away: `")


def test_a_hint_may_hold_a_short_word_or_what_is_chosen_from(tmp_path: Path) -> None:
    _, problems = with_items(
        tmp_path,
        {"kind": "short", "prompt": "x?", "answer": "is", "hints": ["What is it?"]},
        {
            "kind": "choice",
            "prompt": "x?",
            "answer": "moon",
            "distractors": ["wind", "star"],
            "hints": ["Moon or star?"],
        },
    )

    assert problems == []


def test_an_item_without_an_id_keeps_the_one_made_for_it(tmp_path: Path) -> None:
    item = {"kind": "short", "prompt": "x?", "answer": "y"}
    before, _ = with_items(tmp_path, item)
    after, _ = with_items(tmp_path, {"kind": "define", "prompt": "a", "answer": "b"}, item)

    assert before[0].id == after[1].id


def test_an_id_that_is_there_twice_is_named_with_where_the_first_is(tmp_path: Path) -> None:
    files = tides()
    files["items/moon.jsonl"] += lines(
        {"id": "w-air.to", "kind": "short", "prompt": "x", "answer": "y"},
        {"id": "t-choice", "kind": "short", "prompt": "x", "answer": "y"},
    )
    course = loaded(tmp_path, files)

    assert said(course) == [
        "items/moon.jsonl:5: the id `t-choice` is there already, in "
        "courses/tides/items/moon.jsonl:3. Give it another id; the first one counts.",
        "vocabulary.tsv:2: the id `w-air.to` is there already, in "
        "courses/tides/items/moon.jsonl:4. Give it another id; the first one counts.",
    ]


def test_what_belongs_to_no_concept_is_named_once_for_each_file(tmp_path: Path) -> None:
    files = tides()
    files["items/sun.jsonl"] = lines(
        *({"kind": "short", "prompt": f"x{each}", "answer": "y"} for each in range(5))
    )
    files["teach/stars.md"] = "Stars.\n"
    files["items/moon.jsonl"] += lines(
        {"kind": "short", "prompt": "x", "answer": "y", "needs": ["sky"]}
    )
    course = loaded(tmp_path, files)

    assert [each.partition(".jsonl")[0].partition(": ")[0] for each in said(course)] == [
        "items/moon",
        "items/sun",
        "teach/stars.md:1",
    ]
    assert "sun" not in course.items
    assert "stars" not in course.teaching


def test_concepts_are_checked_as_a_whole_with_their_lines(tmp_path: Path) -> None:
    concepts = """[
  {"id": "moon", "prerequisites": ["tides"]},
  {"id": "tides", "prerequisites": ["moon"], "concept_type": "magic"},
  {"id": "moon"},
  {"id": "lonely", "confused_with": ["nobody"], "prerequisites": ["gone"]},
  "word",
  {"titel": "x", "id": "odd", "taught": "yes"}
]
"""
    course = loaded(tmp_path, {**tides(), "concepts.json": concepts})

    found = [each.removeprefix("concepts.json:") for each in said(course)]
    assert [each.partition(".")[0] for each in found if each[0] != "1"] == [
        "3: `concept_type` is `magic`, which a course of the domain conceptual does not know",
        "4: `moon` is there twice; the first one counts",
        '6: a concept is an object, not `"word"`',
        "7: `taught` is true or false, not `yes`",
    ]
    assert list(course.concepts) == ["moon", "tides", "lonely"]


def test_circles_and_gaps_between_concepts_are_problems(tmp_path: Path) -> None:
    concepts = """[
  {"id": "moon", "prerequisites": ["tides"]},
  {"id": "tides", "prerequisites": ["moon"]},
  {"id": "lonely", "confused_with": ["nobody"], "prerequisites": ["gone"]}
]
"""
    course = loaded(tmp_path, {**tides(), "concepts.json": concepts})

    text = "\n".join(said(course))
    assert "concepts.json:2: These need each other in a circle: `moon` -> `tides` -> `moon`" in text
    assert "concepts.json:4: `lonely` needs `gone`, which is not in the course" in text
    assert "concepts.json:4: `lonely` is confused with `nobody`" in text
    assert "concepts.json:4: nothing is asked about `lonely`" in text


def test_a_missing_comma_costs_no_concept(tmp_path: Path) -> None:
    broken = '[\n  {"id": "moon"}\n  {"id": "tides"}\n]\n'
    course = loaded(tmp_path, {**tides(), "concepts.json": broken})

    assert list(course.concepts) == ["moon", "tides"]
    assert said(course) == [
        "concepts.json:3: this is not JSON (Expecting ',' delimiter). "
        "A comma is missing before this place."
    ]


@pytest.mark.parametrize(
    "text", ["", "nothing of the kind", "[", "{}", "null", "12", '"a"', "[[]]"]
)
def test_without_concepts_the_names_of_files_stand_in(tmp_path: Path, text: str) -> None:
    course = loaded(tmp_path, {**tides(), "concepts.json": text})

    assert set(course.concepts) >= ({"moon", "tides"} if text != "{}" else set())
    assert any(each.startswith("concepts.json:1: ") for each in said(course))


@pytest.mark.parametrize(
    "shape",
    [
        lambda concepts: {"concepts": list(concepts)},
        lambda concepts: {each["id"]: each for each in concepts},
        lambda concepts: {"version": 2, "concepts": {each["id"]: each for each in concepts}},
    ],
)
def test_concepts_may_stand_in_an_object(tmp_path: Path, shape: object) -> None:
    assert callable(shape)
    concepts = json.loads(tides()["concepts.json"])
    course = loaded(tmp_path, {**tides(), "concepts.json": json.dumps(shape(concepts), indent=1)})

    assert said(course) == []
    assert course.concepts["tides"].prerequisites == ("moon",)


def test_a_config_says_what_cannot_be_used_and_keeps_the_rest(tmp_path: Path) -> None:
    config = """{
  "name": "other",
  "titel": "x",
  "domain_type": "cooking",
  "languages": {"from": "en"},
  "session": {"minutes": 1000},
  "modality_weights": {"worksheet": 0.5, "dance": 1, "code": -1},
  "exercise_config": {
    "code_language": "klingon",
    "worksheet_dir": "../out",
    "modality_overrides": {"Facts / Definitions": {"primary": "conversation",
      "bloom_override": {"apply": {"primary": "long_form"}}}, "odd": {"primary": "x"}}
  },
  "rubrics": {"long_form": {"dimensions": []}}
}
"""
    files = {**tides(), "config.json": config, "concepts.json": '[{"id":"moon"},{"id":"tides"}]'}
    course = loaded(tmp_path, files)

    numbers = [int(each.split(":")[1]) for each in said(course)]
    assert numbers == [2, 3, 4, 5, 6, 7, 7, 9, 10, 12, 14]
    assert course.config.weights == {"worksheet": 0.5}
    override = course.config.overrides["facts/definitions"]
    assert override.primary == "conversation"
    assert override.by_bloom["apply"].primary == "long_form"
    assert course.title == "Tides"
    assert course.domain == "language"  # it has a vocabulary
    assert (course.config.minutes, course.config.worksheet_dir) == (25, "worksheets")


def test_a_course_without_config_is_what_its_files_say(tmp_path: Path) -> None:
    files = tides()
    del files["config.json"]
    assert loaded(tmp_path, files, "with-words").domain == "language"
    del files["vocabulary.tsv"]
    assert loaded(tmp_path, files, "with-code").domain == "technical"
    del files["items/tides.more.jsonl"]
    plain = loaded(tmp_path, files, "plain_words")
    assert (plain.domain, plain.title) == ("conceptual", "Plain words")


def test_a_prompt_with_a_name_nobody_fills_in_is_a_problem(tmp_path: Path) -> None:
    files = {**tides(), "prompts/dance.md": 'One\n{concept} {"json": 1} {n}', "items/a.json": "[]"}
    course = loaded(tmp_path, files)

    assert [each.partition(". ")[0] for each in said(course)] == [
        "items/a.json:1: only files that end in .jsonl are read here",
        "prompts/dance.md:1: `dance` is neither a kind of item nor a modality",
        "prompts/dance.md:2: nothing fills in `{concept}`",
    ]


def test_the_persons_own_course_has_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own, theirs = DirectoryDocuments(tmp_path / "own"), DirectoryDocuments(tmp_path / "shipped")
    put_course(theirs.root, TIDES, {"items/a.jsonl": ""})
    put_course(theirs.root, "winds", tides())
    put_course(own.root, TIDES, tides())
    monkeypatch.setattr("paige.study.courses.catalogue.shipped_documents", lambda: theirs)

    assert course_names(own) == [TIDES, "winds"]
    assert not load_course(own, TIDES).is_shipped
    assert load_course(own, "winds").is_shipped
    assert [each.name for each in load_courses(own)] == [TIDES, "winds"]


def test_a_course_that_is_not_there_is_not_found_and_says_which_is(tmp_path: Path) -> None:
    own = DirectoryDocuments(tmp_path)
    put_course(tmp_path, TIDES, tides())

    with pytest.raises(NotFound, match="There is no course `tide`") as error:
        load_course(own, "tide")
    assert error.value.hint == "Did you mean `tides`?"
    with pytest.raises(BadInput):
        load_course(own, "../tides")


def test_an_overview_counts_words_as_items_and_lists_problems(tmp_path: Path) -> None:
    put_course(tmp_path, TIDES, {**tides(), "teach/x.md": "x"})
    own = DirectoryDocuments(tmp_path)
    found = next(each for each in list_courses(own) if each.name == TIDES)

    shown = asdict(found)
    assert (shown["concepts"], shown["items"], shown["vocabulary"]) == (2, len(ITEM_KINDS) + 2, 2)
    assert (shown["begun"], shown["shipped"]) == (False, False)
    assert list(shown["problems"]) == [
        {
            "file": "courses/tides/teach/x.md",
            "line": 1,
            "message": "`x` is no concept of the course",
            "fix": "Add it to concepts.json, or name another.",
        }
    ]


def test_flashcards_are_words_and_items_with_one_short_answer(tmp_path: Path) -> None:
    course = loaded(tmp_path, tides())

    decks = course_decks(course, {}, {})
    cards = {card.id.removeprefix("tides:"): card for deck in decks for card in deck.cards}
    assert sorted(cards) == [
        *("t-choice", "t-cloze", "t-define", "t-error", "t-predict", "t-repl", "t-short"),
        *("t-translate", "t-true_false", "w-air", "w-bulan"),
    ]
    assert cards["w-bulan"].kind == "reversed"
    assert cards["t-choice"].front == "Which?\n- moon\n- sun\n- wind"
    assert cards["t-repl"].back == "xs[-1]"
    assert cards["t-cloze"].kind == "cloze"
