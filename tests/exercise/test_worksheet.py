"""Worksheets as files: their exact shape, their key, their status, and what is odd in them."""

import random
import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, NotFound
from paige.exercise.worksheet.key import (
    dump_key,
    key_digest,
    pack_sections,
    parse_key,
    unpack_sections,
)
from paige.exercise.worksheet.lines import decode, read_worksheet_text, set_status, write_status
from paige.exercise.worksheet.parse import looks_like_worksheet, parse_worksheet
from paige.exercise.worksheet.render import render_worksheet
from paige.exercise.worksheet.values import (
    STATUSES,
    Choice,
    Question,
    Section,
    Worksheet,
    make_worksheet,
)

EXAMPLE = """\
<!-- WORKSHEET -->
<!-- course: bahasa-melayu -->
<!-- concept: greetings -->
<!-- bloom_level: remember -->
<!-- generated: 2026-02-22T14:30:00Z -->
<!-- status: pending -->

# Worksheet: Greetings in Malay

**Concept**: Basic Greetings
**Instructions**: Fill in the blanks below. Replace each `___` with your answer.
**Time estimate**: 10 minutes

---

## Section 1: Translation (English to Malay)

1. Good morning: ___
2. Good afternoon: ___
3. Good evening: ___
4. How are you? (formal): ___
5. Thank you: ___

## Section 2: Fill in the Blank

Complete each sentence with the correct greeting.

1. When you meet your teacher at 9 AM, you say: "___, cikgu!"
2. You are leaving a friend's house at night, you say: "___"
3. Someone gives you a gift, you respond: "___"

## Section 3: Matching

Draw a line (or write the letter) matching each Malay greeting to its context.

| Malay | | Context |
|-------|---|---------|
| 1. Selamat pagi | ___ | A. Leaving at night |
| 2. Apa khabar | ___ | B. Morning greeting |
| 3. Selamat tinggal | ___ | C. Asking how someone is |

---

<!-- ANSWER_KEY (do not edit below this line) -->
<!-- This section is hidden from the learner and used by the evaluator -->
<!-- answers:
1.1: selamat pagi
1.2: selamat tengah hari / selamat petang
1.3: selamat malam / selamat petang
1.4: apa khabar
1.5: terima kasih
2.1: selamat pagi
2.2: selamat malam / selamat tinggal
2.3: terima kasih
3.1: B
3.2: C
3.3: A
-->
"""

nouns = st.text("abcdefghijklmnopqrstuvwxyz\u00e9\u00fc", min_size=3, max_size=9)
phrases = st.lists(nouns, min_size=1, max_size=4).map(" ".join)
prompts = st.one_of(
    phrases.map(lambda words: f"{words}: ___"),
    st.tuples(phrases, phrases).map(lambda two: f"{two[0]} ___ {two[1]}."),
    st.tuples(phrases, phrases).map(lambda two: f"{two[0]} ___ {two[1]} ___"),
    st.tuples(phrases, phrases).map(lambda two: f'{two[0]}: "___, {two[1]}!"'),
)


@st.composite
def worksheets(draw: st.DrawFn) -> Worksheet:
    sections = []
    key = {}
    for number in range(1, draw(st.integers(1, 3)) + 1):
        matching = draw(st.booleans())
        count = draw(st.integers(1, 4))
        texts = draw(st.lists(phrases if matching else prompts, min_size=count, max_size=count))
        questions = tuple(Question(number, at, text) for at, text in enumerate(texts, 1))
        choices = tuple(Choice("ABCDE"[at], draw(phrases)) for at in range(count))
        key |= {question.id: draw(phrases) for question in questions}
        intro = draw(st.just("") | phrases)
        title = draw(phrases)
        sections.append(Section(number, title, questions, intro, choices if matching else ()))
    return Worksheet(
        course=draw(nouns),
        concept=draw(nouns),
        title=draw(phrases),
        generated="2026-02-22T14:30:00Z",
        bloom_level=draw(st.sampled_from(["remember", "apply"])),
        status=draw(st.sampled_from(STATUSES)),
        concept_name=draw(st.just("") | phrases),
        time_estimate=draw(st.just("") | st.just("10 minutes")),
        sections=tuple(sections),
        key=draw(st.just(key) | st.none()),
        guarded=True,
        metadata=draw(st.just(()) | st.just((("domain", "language"),))),
    )


def test_the_documented_worksheet_is_reproduced_to_the_byte() -> None:
    found = parse_worksheet(EXAMPLE)
    assert found.problems == ()
    assert found.stray == ()
    assert sum(not each.answered for each in found.answers.values()) == 11
    assert not found.key_changed
    assert found.worksheet.guarded is False
    assert render_worksheet(found.worksheet) == EXAMPLE


@given(worksheets())
def test_reading_and_writing_again_changes_nothing(worksheet: Worksheet) -> None:
    text = render_worksheet(worksheet)
    found = parse_worksheet(text)
    assert render_worksheet(found.worksheet) == text
    assert found.worksheet == worksheet
    assert set(found.answers) == {each.id for each in worksheet.questions}
    assert not any(each.answered for each in found.answers.values())


@given(worksheets(), st.integers(0, 2**32))
def test_every_answer_written_into_a_blank_comes_back(worksheet: Worksheet, seed: int) -> None:
    text = render_worksheet(worksheet)
    answers = {
        q.id: tuple(f"zq{q.id[0]}x{q.number}{n}" for n in range(q.blanks))
        for q in worksheet.questions
    }
    waiting = [part for question in worksheet.questions for part in answers[question.id]]
    body, marker, rest = text.partition("<!-- ANSWER_KEY")
    head, rule, body = body.partition("\n---\n")
    for part in waiting:
        body = body.replace("___", part, 1)
    found = parse_worksheet(head + rule + body + marker + rest)
    assert {name: answer.parts for name, answer in found.answers.items()} == answers
    assert found.stray == ()


@given(st.text(max_size=400))
def test_no_text_makes_it_fail(text: str) -> None:
    parse_worksheet(text)
    parse_worksheet("<!-- WORKSHEET -->\n## Section 1: x\n" + text)


def test_random_cuts_and_pastes_never_make_it_fail_or_lose_a_word() -> None:
    filled = EXAMPLE.replace("morning: ___", "morning: zebra").replace("you: ___", "you: giraffe")
    for seed in range(150):
        chance = random.Random(seed)
        lines = filled.split("\n")
        for _ in range(chance.randint(1, 8)):
            at = chance.randrange(len(lines))
            other = chance.randrange(len(lines))
            lines[at], lines[other] = lines[other], lines[at]
        text = "\n".join(lines)
        found = parse_worksheet(text)
        kept = " ".join(
            [a.text for a in found.answers.values()]
            + [s.text for s in found.stray]
            + [str(p) for p in found.problems]
            + [q.prompt for q in found.worksheet.questions]
            + list((found.worksheet.key or {}).values())
            + [s.intro + s.title for s in found.worksheet.sections]
            + [found.worksheet.instructions, found.worksheet.title, found.worksheet.concept_name]
        )
        outside = re.sub(r"<!--.*?(?:-->|\Z)", "", text, flags=re.DOTALL)
        for word in ("zebra", "giraffe"):
            assert word not in outside or word in kept, (seed, word, text)


@pytest.mark.parametrize(
    "junk",
    [
        "<!--" * 50_000,
        "<!-- a\n" * 20_000 + "-->",
        "1. a: " + "b " * 30_000,
        "| a " * 20_000,
        "\n".join(f"{n}. word {n}: ___" for n in range(400)),
        "_" * 100_000,
        "## Section 1: x\n" * 2_000,
        "a ___ " * 3_000,
    ],
    ids=["opened", "nested", "long", "cells", "questions", "blanks", "sections", "many"],
)
def test_huge_and_odd_files_are_read_to_their_end(junk: str) -> None:
    parse_worksheet(junk)
    parse_worksheet(EXAMPLE.replace("1. Good morning: ___", junk))


def test_an_edited_key_is_noticed() -> None:
    sheet = replace(parse_worksheet(EXAMPLE).worksheet, guarded=True)
    text = render_worksheet(sheet)
    assert not parse_worksheet(text).key_changed
    cheated = text.replace("1.1: selamat pagi", "1.1: hello")
    assert parse_worksheet(cheated).key_changed
    kept = parse_worksheet(cheated, template=sheet)
    assert kept.key_changed
    assert kept.worksheet.key == sheet.key


def test_text_typed_into_the_key_block_is_a_problem_with_its_line() -> None:
    text = EXAMPLE.replace("1.2: selamat tengah", "my answer is hello\n1.2: selamat tengah")
    found = parse_worksheet(text)
    line = text.split("\n").index("my answer is hello") + 1
    assert [problem.line for problem in found.problems] == [line]
    assert "my answer is hello" in found.problems[0].message


def test_a_sealed_key_is_passed_in() -> None:
    sheet = parse_worksheet(EXAMPLE).worksheet
    text = render_worksheet(replace(sheet, key=None, guarded=True))
    assert "selamat petang" not in text
    assert "the answer key is missing" in str(parse_worksheet(text).problems[0])
    found = parse_worksheet(text.replace("morning: ___", "morning: pagi"), template=sheet)
    assert found.problems == ()
    assert found.answers["1.1"].text == "pagi"
    assert found.problems == ()


def test_answers_that_could_end_the_comment_are_kept() -> None:
    sheet = Worksheet(
        course="c",
        concept="arrows",
        title="Arrows",
        generated="",
        sections=(Section(1, "S", (Question(1, 1, "Ends a comment: ___"),)),),
        key={"1.1": "--> / &gt;"},
    )
    assert parse_worksheet(render_worksheet(sheet)).worksheet.key == sheet.key


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("1. Good morning: selamat: pagi", "selamat: pagi"),
        ("1. Good morning selamat pagi: ___", "selamat pagi"),
        ("1. Good morning: ~~hello~~ selamat pagi", "selamat pagi"),
        ("1. Good morning: <u>selamat pagi</u>", "selamat pagi"),
        ("1. Good morning: -> selamat pagi", "selamat pagi"),
        ("Q1. Good morning: selamat pagi", "selamat pagi"),
        ("(1) Good morning: selamat pagi", "selamat pagi"),
        ("1.1 Good morning: selamat pagi", "selamat pagi"),
        ("1. selamat pagi", "selamat pagi"),
        ("1. Good morning: ?", ""),
        ("1. Good morning: ", ""),
        ("1. Good morning: ____", ""),
        ("1. Good morning: ___ ___", ""),
        ("1. Good morning:selamat pagi", "selamat pagi"),
        ("1. Good Morning = selamat pagi", "selamat pagi"),
    ],
)
def test_ways_to_write_one_answer(line: str, answer: str) -> None:
    sheet = replace(parse_worksheet(EXAMPLE).worksheet, guarded=True)
    text = render_worksheet(sheet).replace("1. Good morning: ___", line)
    assert parse_worksheet(text).answers["1.1"].text == answer


@pytest.mark.parametrize(
    ("reference", "written", "answer"),
    [
        ("__init__", "__init__", "__init__"),
        ("__init__", "`__init__`", "__init__"),
        ("snake_case", "snake_case", "snake_case"),
        ('"hello"', '"hello"', '"hello"'),
        ("-", "-", "-"),
        ("10:30", "10:30", "10:30"),
        ("a | b", "a | b", "a | b"),
        ("x[1:]", "x[1:]", "x[1:]"),
        ("*args", "*args", "*args"),
    ],
)
def test_answers_of_code_keep_their_marks(reference: str, written: str, answer: str) -> None:
    for guarded in (True, False):
        sheet = Worksheet(
            course="c",
            concept="p",
            title="T",
            generated="",
            sections=(Section(1, "S", (Question(1, 1, "Write it here: ___"),)),),
            key={"1.1": reference},
            guarded=guarded,
        )
        text = render_worksheet(sheet).replace("here: ___", f"here: {written}")
        assert parse_worksheet(text).answers["1.1"].text == answer


def test_letters_listed_below_the_table_are_found() -> None:
    below = "is |\n\n1-B, 2-C, 3-A\n\n---"
    found = parse_worksheet(EXAMPLE.replace("is |\n\n---", below))
    assert [found.answers[f"3.{n}"].text for n in (1, 2, 3)] == ["B", "C", "A"]


def test_two_answers_to_one_question_are_a_problem_and_neither_is_lost() -> None:
    text = EXAMPLE.replace(
        "1. Good morning: ___", "1. Good morning: selamat pagi\n1. Good morning: selamat malam"
    )
    sheet = parse_worksheet(EXAMPLE).worksheet
    found = parse_worksheet(text, template=sheet)
    assert found.answers["1.1"].text == "selamat pagi"
    assert [stray.text for stray in found.stray] == ["selamat malam"]
    assert "keep the answer" in found.problems[0].fix.lower()


def test_a_file_without_questions_says_so() -> None:
    found = parse_worksheet("# Shopping\n\nmilk\n")
    assert any("no questions" in problem.message for problem in found.problems)
    assert not looks_like_worksheet("# Shopping")
    assert looks_like_worksheet(EXAMPLE)


def test_an_unclosed_comment_does_not_swallow_the_questions() -> None:
    text = EXAMPLE.replace("2. Good afternoon", "<!-- not sure\n2. Good afternoon")
    found = parse_worksheet(text.replace("afternoon: ___", "afternoon: petang"))
    assert found.answers["1.2"].text == "petang"
    assert "never closed" in found.problems[0].message


@given(
    st.dictionaries(
        st.from_regex(r"[1-9]\.[1-9]", fullmatch=True), st.text(":=.)-> &a", max_size=6)
    )
)
def test_every_key_comes_back_whatever_signs_its_answers_begin_with(key: dict[str, str]) -> None:
    read = parse_key(enumerate(dump_key(key), start=1))

    assert not read.odd
    assert dump_key(read.answers) == dump_key(key)


def test_packed_prompts_survive_and_broken_ones_are_nothing() -> None:
    sections = parse_worksheet(EXAMPLE).worksheet.sections
    assert unpack_sections(pack_sections(sections)) == sections
    for broken in ("", "abc", "!!!!", pack_sections(sections)[:-9]):
        assert unpack_sections(broken) is None


def test_the_digest_does_not_depend_on_order_or_spaces() -> None:
    assert key_digest({"1.2": "b ", "1.1": "a"}) == key_digest({"1.1": "a", "1.2": "b"})
    assert key_digest({"1.1": "a"}) != key_digest({"1.1": "b"})


@given(st.sampled_from(STATUSES), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_only_the_line_of_the_status_changes(status, newline: str, mark: bool) -> None:
    text = ("\ufeff" if mark else "") + EXAMPLE.replace("\n", newline)
    before, after = text.split(newline), set_status(text, status).split(newline)
    assert len(before) == len(after)
    differ = [i for i, pair in enumerate(zip(before, after, strict=True)) if pair[0] != pair[1]]
    assert differ == ([] if status == "pending" else [5])
    assert after[5] == f"<!-- status: {status} -->"
    assert parse_worksheet(set_status(text, status)).worksheet.status == status


@given(worksheets(), st.sampled_from(STATUSES))
def test_the_status_of_any_worksheet_can_be_set_and_set_back(sheet: Worksheet, status) -> None:
    text = render_worksheet(sheet)
    assert set_status(set_status(text, status), sheet.status) == text


def test_a_lost_status_line_is_put_back_into_the_header() -> None:
    text = EXAMPLE.replace("<!-- status: pending -->\n", "")
    assert set_status(text, "pending") == EXAMPLE


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be"])
def test_a_file_keeps_its_encoding_and_line_ends(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "w.md"
    text = EXAMPLE.replace("\n", "\r\n").replace("Greetings in", "Gr\u00fc\u00dfe in")
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    path.write_bytes(mark + text.encode(encoding))
    before = path.read_bytes()
    write_status(path, "evaluated")
    assert parse_worksheet(read_worksheet_text(path)).worksheet.status == "evaluated"
    write_status(path, "pending")
    assert path.read_bytes() == before


def test_old_encodings_are_read_and_their_bytes_kept(tmp_path: Path) -> None:
    path = tmp_path / "w.md"
    path.write_bytes(EXAMPLE.replace("morning: ___", "morning: caf\u00e9").encode("cp1252"))
    write_status(path, "submitted")
    assert b"caf\xe9" in path.read_bytes()
    assert parse_worksheet(decode(path.read_bytes())).answers["1.1"].text == "caf\u00e9"


def test_a_missing_worksheet_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        read_worksheet_text(tmp_path / "none.md")
    with pytest.raises(NotFound):
        write_status(tmp_path / "none.md", "submitted")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"key": {"1.1": "a"}}, "do not agree"),
        ({"sections": ()}, "no questions"),
        ({"sections": (Section(1, "S", (Question(1, 1, "No blank"),)),)}, "no blank"),
        ({"sections": (Section(1, "S", (Question(2, 1, "a ___"),)),)}, "stands in section 1"),
        ({"sections": (Section(1, "S", (Question(1, 1, "a\n___"),)),)}, "one line"),
    ],
)
def test_a_worksheet_that_cannot_be_a_file_is_refused(change: dict, said: str) -> None:
    sheet = parse_worksheet(EXAMPLE).worksheet
    with pytest.raises(BadInput, match=said):
        make_worksheet(replace(sheet, **change))
    assert make_worksheet(sheet) == sheet
