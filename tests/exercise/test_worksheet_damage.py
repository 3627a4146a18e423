"""Worksheets after editors, formatters and people had them: no answer is lost."""

import random
from dataclasses import replace

import pytest

from paige.exercise.worksheet.parse import parse_worksheet
from paige.exercise.worksheet.render import render_worksheet
from paige.exercise.worksheet.tables import choice_letter
from paige.exercise.worksheet.values import (
    BLANK,
    Choice,
    Question,
    ReturnedSheet,
    Section,
    Worksheet,
)
from tests.exercise import damage

SHEET = Worksheet(
    course="bahasa-melayu",
    concept="greetings",
    title="Greetings in Malay",
    generated="2026-02-22T14:30:00Z",
    concept_name="Basic Greetings",
    time_estimate="10 minutes",
    sections=(
        Section(
            1,
            "Translation (English to Malay)",
            (
                Question(1, 1, "Good morning: ___"),
                Question(1, 2, "Good afternoon: ___"),
                Question(1, 3, "Good evening: ___"),
                Question(1, 4, "How are you? (formal): ___"),
                Question(1, 5, "Thank you: ___"),
            ),
        ),
        Section(
            2,
            "Fill in the Blank",
            (
                Question(2, 1, 'When you meet your teacher at 9 AM, you say: "___, cikgu!"'),
                Question(2, 2, 'You are leaving a friend\'s house at night, you say: "___"'),
                Question(2, 3, "The word for water in the language of the islands: ___"),
            ),
            intro="Complete each sentence with the correct greeting.",
        ),
        Section(
            3,
            "Matching",
            (
                Question(3, 1, "Selamat pagi"),
                Question(3, 2, "Apa khabar"),
                Question(3, 3, "Selamat tinggal"),
            ),
            intro="Draw a line (or write the letter) matching each greeting to its context.",
            choices=(
                Choice("A", "Leaving at night"),
                Choice("B", "Morning greeting"),
                Choice("C", "Asking how someone is"),
            ),
            header=("Malay", "", "Context"),
        ),
    ),
    key={
        "1.1": "selamat pagi",
        "1.2": "selamat tengah hari / selamat petang",
        "1.3": "selamat malam / selamat petang",
        "1.4": "apa khabar",
        "1.5": "terima kasih",
        "2.1": "selamat pagi",
        "2.2": "selamat malam / selamat tinggal",
        "2.3": "air",
        "3.1": "B",
        "3.2": "C",
        "3.3": "A",
    },
)
ANSWERS = {
    "1.1": "selamat pagi",
    "1.2": "selamat petang",
    "1.3": "selamat pagi",  # wrong on purpose
    "1.4": "apa kabar",
    "1.5": "terima kasih",
    "2.1": "Selamat pagi",
    "2.2": "selamat tinggal",
    "2.3": "",  # left open on purpose
    "3.1": "B",
    "3.2": "A",
    "3.3": "C",
}
FOREIGN = replace(SHEET, guarded=False)


def filled(sheet: Worksheet) -> str:
    """The worksheet with the answers written where the blanks were."""
    lines = render_worksheet(sheet).split("\n")
    for question in sheet.questions:
        answer = ANSWERS[question.id] or BLANK
        section = sheet.section(question.section)
        assert section is not None
        start = f"## Section {question.section}:"
        at = next(i for i, line in enumerate(lines) if line.startswith(start))
        mark = f"| {question.number}. " if section.matching else f"{question.number}. "
        row = next(i for i in range(at, len(lines)) if lines[i].startswith(mark))
        lines[row] = lines[row].replace(BLANK, answer, 1)
    return "\n".join(lines)


def wrong(found: ReturnedSheet, wanted: dict[str, str]) -> dict[str, tuple[str, str]]:
    """The answers that are not what was written."""
    choices = SHEET.sections[2].choices
    differ = {}
    for name, answer in wanted.items():
        written = found.answers[name].text if name in found.answers else "(no question)"
        if name.startswith("3."):
            written = choice_letter(written, choices) or written
        if written.casefold() != answer.casefold():
            differ[name] = (answer, written)
    return differ


def says_so(found: ReturnedSheet, names: set[str]) -> bool:
    """Whether each of these is unanswered, or a message with a fix is about it or its section."""
    told = [problem for problem in found.problems if problem.line >= 1 and problem.fix]
    return all(
        not (name in found.answers and found.answers[name].answered)
        or any(
            f"question {name}" in problem.message or f"section {name[0]}" in problem.message
            for problem in told
        )
        for name in names
    )


@pytest.mark.parametrize("sheet", [SHEET, FOREIGN], ids=["guarded", "foreign"])
def test_an_undamaged_worksheet_gives_its_answers(sheet: Worksheet) -> None:
    found = parse_worksheet(filled(sheet))
    assert wrong(found, ANSWERS) == {}
    assert found.problems == ()
    assert found.stray == ()
    assert [name for name, each in found.answers.items() if not each.answered] == ["2.3"]


@pytest.mark.parametrize("change", damage.SAFE, ids=lambda change: change.__name__)
def test_each_damage_alone_leaves_every_answer_readable(change: damage.Damage) -> None:
    for seed in range(6):
        chance = random.Random(seed)
        lines = change(filled(SHEET).split("\n"), chance)
        found = parse_worksheet(damage.line_ends("\n".join(lines), chance))
        assert wrong(found, ANSWERS) == {}, (seed, "\n".join(lines))


@pytest.mark.parametrize("change", damage.SAFE, ids=lambda change: change.__name__)
def test_a_worksheet_from_elsewhere_keeps_its_answers_or_says_what_to_change(
    change: damage.Damage,
) -> None:
    for seed in range(6):
        chance = random.Random(seed)
        lines = change(filled(FOREIGN).split("\n"), chance)
        found = parse_worksheet(damage.line_ends("\n".join(lines), chance))
        lost = wrong(found, ANSWERS)
        assert not lost or found.problems, (seed, lost, "\n".join(lines))


@pytest.mark.parametrize("seed", range(200))
def test_damages_together_leave_the_answers_or_a_message_with_line_and_fix(seed: int) -> None:
    chance = random.Random(seed)
    sheet = chance.choice([SHEET, SHEET, FOREIGN])
    changes = chance.sample(damage.SAFE, chance.randint(1, 5))
    if chance.random() < 0.2:
        changes += damage.LOSSY
    lines = filled(sheet).split("\n")
    for change in changes:
        lines = change(lines, chance)
    text = damage.line_ends("\n".join(lines), chance)
    found = parse_worksheet(text)
    lost = wrong(found, ANSWERS)
    assert not lost or says_so(found, set(lost)), (changes, lost, text)


@pytest.mark.parametrize("seed", range(40))
def test_a_worksheet_that_lost_its_comments_is_read_with_the_key_kept_elsewhere(seed: int) -> None:
    chance = random.Random(seed)
    lines = filled(SHEET).split("\n")
    for change in (*chance.sample(damage.SAFE, 2), chance.choice(damage.KEY_LOST)):
        lines = change(lines, chance)
    found = parse_worksheet("\n".join(lines), template=SHEET)
    assert found.worksheet.key == SHEET.key
    assert wrong(found, ANSWERS) == {} or says_so(found, set(wrong(found, ANSWERS)))
