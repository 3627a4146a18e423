"""Handouts as values: tokens, marks, limits, counting with its privacy rule, notes and files."""

import contextlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paige.base.errors import BadInput, Conflict, Refused
from paige.language.names.gate import NameGate
from paige.plan.handout.counts import FEWEST, Counts, HandoutError, count, errors_of
from paige.plan.handout.files import read_answers, read_files
from paige.plan.handout.issue import codes_page, sheet_without_key, worksheet_of_handout
from paige.plan.handout.notes import (
    is_about_worksheet,
    newest_first,
    notes_of,
    read_note,
    to_take_up,
)
from paige.plan.handout.values import (
    LONGEST_PART,
    check_answers,
    check_open,
    check_reopening,
    file_mark,
    new_token,
    read_token,
    token_in,
)
from tests.conftest import NOON
from tests.loops.answering import RIGHT, SECRETS, SHEET, WRONG, fill_in
from tests.plan.handed_out import row, small_handout

NAMES = NameGate()


@given(st.binary(min_size=9, max_size=9))
def test_a_token_is_read_however_it_is_typed(randomness: bytes) -> None:
    token = new_token(randomness)

    assert read_token(token) == token
    assert read_token(f" {token.upper().replace('-', ' ')} ") == token
    assert read_token(token.replace("-", "")) == token
    assert token_in(f"<!-- token: {token} -->", [token]) == token
    assert token_in(f"x{token}", [token]) is None


@given(st.text(max_size=60))
def test_whatever_is_typed_is_a_token_or_nothing(text: str) -> None:
    found = read_token(text)

    assert found is None or (len(found) == 11 and read_token(found) == found)


def test_a_file_is_known_again_and_its_name_is_not_in_its_mark() -> None:
    mark = file_mark("salt", "Ali-Khan.md")

    assert mark == file_mark("salt", "ali-khan.MD")
    assert mark != file_mark("other", "Ali-Khan.md")
    assert "ali" not in mark
    assert read_token(mark) is None


def test_what_is_printed_has_every_code_and_no_key() -> None:
    handout, tokens = small_handout()
    page = codes_page(replace(handout, title="<b>Loops</b>"), tokens, "http://10.0.0.5:3000/")
    sheets = [sheet_without_key(handout, token) for token in tokens]

    assert all(f"http://10.0.0.5:3000/answer/{token}" in page for token in tokens)
    assert "&lt;b&gt;Loops" in page
    assert not any(secret in sheet for sheet in sheets for secret in SECRETS[1:])
    assert handout.id.startswith("fixed-loops-")


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"9.9": ["x"]}, "no question `9.9`"),
        ({"1.2": ["a", "b"]}, "wants 1 answers, not 2"),
        ({"1.2": ["x" * (LONGEST_PART + 1)]}, f"{LONGEST_PART} are the most"),
        ({"1.2": ["a\x00b"]}, "no text"),
        ({"1.2": ["\ud800"]}, "no text"),
    ],
)
def test_answers_that_cannot_be_kept_are_named(given: dict[str, list[str]], says: str) -> None:
    worksheet = worksheet_of_handout(small_handout()[0])

    with pytest.raises(BadInput, match=says):
        check_answers(worksheet, given)


def test_empty_answers_are_left_out_and_spaces_put_in_order() -> None:
    worksheet = worksheet_of_handout(small_handout()[0])

    assert check_answers(worksheet, {"1.1": [" "], "1.2": ["  a \n b "]}) == {"1.2": ("a b",)}


def test_a_handout_is_open_until_its_time_and_never_again_once_it_was_kept() -> None:
    handout, _ = small_handout()

    check_open(handout, NOON)
    with pytest.raises(Refused):
        check_open(handout, handout.closes_at)
    with pytest.raises(Refused):
        check_open(replace(handout, closed_at=NOON), NOON)
    with pytest.raises(Conflict):
        check_reopening(replace(handout, kept_at=NOON))


def test_a_class_is_counted_by_question_and_by_what_many_wrote() -> None:
    handout, tokens = small_handout(12)
    rows = [row(token, WRONG if at < 6 else RIGHT) for at, token in enumerate(tokens[:9])]
    rows += [row(token, {}, handed_in=False) for token in tokens[9:]]

    found = count(worksheet_of_handout(handout), rows)

    assert (found.tokens, found.handed_in) == (12, 9)
    assert [(each.id, each.right, each.wrong) for each in found.questions] == [
        ("1.1", 3, 6),
        ("1.2", 9, 0),
        ("1.3", 9, 0),
    ]
    [error] = found.errors
    assert (error.count, error.same, error.answer, error.right) == (6, 6, "6 times", "5 times")


@pytest.mark.parametrize("number", range(FEWEST))
def test_fewer_than_five_worksheets_tell_overall_figures_only(number: int) -> None:
    handout, tokens = small_handout()
    found = count(worksheet_of_handout(handout), [row(token, WRONG) for token in tokens[:number]])
    notes = notes_of(handout, worksheet_of_handout(handout), found, NAMES)

    assert (found.questions, found.errors) == ((), ())
    assert len(notes) == min(1, number)
    assert not any("wrong" in note or "could do" in note for note in notes)


@given(st.lists(st.sampled_from(["A", "B", "C", "", "7", "zzz"]), min_size=5, max_size=14))
def test_no_error_is_told_that_fewer_than_five_made(written: list[str]) -> None:
    handout, tokens = small_handout(20)
    worksheet = worksheet_of_handout(handout)
    rows = [row(token, {"1.1": text}) for token, text in zip(tokens, written, strict=False)]

    found = count(worksheet, rows)
    notes = " ".join(notes_of(handout, worksheet, found, NAMES))

    assert all(each.count >= FEWEST for each in found.errors)
    assert all(each.same == 0 or each.same >= FEWEST for each in found.errors)
    assert not any(token in notes for token in tokens)


def test_wrong_answers_come_with_their_token_and_what_was_written() -> None:
    handout, tokens = small_handout()
    found = errors_of(
        handout, worksheet_of_handout(handout), [row(tokens[0], WRONG), row(tokens[1], RIGHT)]
    )

    [error] = found
    assert (error.token, error.concept, error.handout) == (tokens[0], "fixed-loops", handout.id)
    assert error.what.endswith("answered “6 times”, right is “5 times”")


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"]), max_size=80)


@given(WORDS, WORDS, WORDS, st.integers(5, 99), st.integers(0, 99))
def test_every_note_that_is_written_is_read_back(
    asked: str, right: str, answer: str, wrong: int, same: int
) -> None:
    handout, _ = small_handout()
    error = HandoutError("1.1", asked, right, wrong, answer, same)
    counts = Counts(100, 99, 0.5, (), (error,))

    notes = notes_of(handout, worksheet_of_handout(handout), counts, NAMES)

    assert all(is_about_worksheet(note) and "\n" not in note for note in notes)
    for note in notes[1:]:
        read = read_note(note)
        assert read is not None
        assert (read.count, read.total, read.handout) == (wrong, 99, handout.id)
        assert read.day == NOON.date()
        assert read.same in (0, same)


@given(st.text(max_size=200))
def test_reading_a_note_never_fails(text: str) -> None:
    assert read_note(text) is None
    assert newest_first([text]) == [] or is_about_worksheet(text)


def test_a_question_that_names_somebody_is_not_kept() -> None:
    handout, _ = small_handout()
    worksheet = worksheet_of_handout(handout)
    error = HandoutError("1.1", "Why did Oksana Kovalenko leave?", "a reason", 7)

    notes = notes_of(handout, worksheet, Counts(9, 8, 0.5, (), (error,)), NAMES)

    assert len(notes) == 1
    assert "Oksana" not in notes[0]


def test_the_newest_worksheet_of_the_subject_is_taken_up() -> None:
    line = (
        "In the {} worksheet of {} (handout {}) 7 of 9 got “What is a loop?” wrong. "
        "Right: “a thing that repeats”."
    )
    lines = [
        line.format("computing science", "2 Mar 2026", "a-1"),
        line.format("computing science", "3 Mar 2026", "b-2"),
        line.format("history", "4 Mar 2026", "c-3"),
    ]

    assert [each.handout for each in to_take_up(lines, "Computing Science")] == ["b-2"]
    assert [each.handout for each in to_take_up(lines, "")] == ["c-3"]
    assert newest_first(lines)[0].startswith("In the history")


def test_files_are_read_and_what_is_broken_is_named_with_its_line(tmp_path: Path) -> None:
    handout, tokens = small_handout()
    worksheet = worksheet_of_handout(handout)
    filled = fill_in(sheet_without_key(handout, tokens[0]), ["B", "0", "for"])
    (tmp_path / "one.md").write_text(filled)
    (tmp_path / f"{tokens[1]}.txt").write_text(fill_in(SHEET, ["C", "0", "for"]))
    (tmp_path / "response.md").write_text(
        "<!-- RESPONSE -->\n# Question: loops\n\n**Your response** (write below this line):\n\n"
        "---\n\n1.1: C\nno idea\n1.2: 0\n"
    )
    (tmp_path / "twice.md").write_text(filled)
    (tmp_path / "broken.md").write_bytes(b"\x00\x01\x02")
    (tmp_path / "empty.md").write_text("")
    (tmp_path / "big.md").write_text("x" * 300_000)

    read, problems = read_files(handout, worksheet, tmp_path, tokens)

    assert {each.mark for each in read if each.has_token} == {tokens[0], tokens[1]}
    assert [each.file for each in read if not each.has_token] == ["response.md"]
    named = {each.file: each for each in problems if not each.taken}
    assert set(named) == {"twice.md", "broken.md", "empty.md", "big.md"}
    assert all(str(each).startswith(f"{each.file}:{each.line}: ") for each in problems)
    [odd] = [each for each in problems if each.taken]
    assert (odd.file, odd.line) == ("response.md", 9)


@given(st.text(max_size=300))
def test_any_text_is_taken_or_named(text: str) -> None:
    handout, tokens = small_handout()
    with contextlib.suppress(BadInput):  # which names the question and the file's first line
        found, problems = read_answers(handout, worksheet_of_handout(handout), "a.md", text, tokens)
        assert found is not None or problems
        assert all(each.line >= 1 for each in problems)
