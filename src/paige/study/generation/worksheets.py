"""Worksheets of every form: vocabulary, grammar, terms, output, timelines, groups, outlines.

A worksheet is only given out when its own key, written into it and read back, is found again in
every blank; a row for which that fails is left out. So is a row whose answer another row shows.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from random import Random

from paige.base.errors import BadInput, NotFound
from paige.exercise.ids import file_name
from paige.exercise.worksheet.key import alternatives, key_parts
from paige.exercise.worksheet.lines import straighten
from paige.exercise.worksheet.mark import default_marker
from paige.exercise.worksheet.parse import parse_worksheet
from paige.exercise.worksheet.render import render_worksheet
from paige.exercise.worksheet.values import BLANK, Choice, Section, Worksheet, make_worksheet
from paige.exercise.worksheet.values import Question as SheetQuestion
from paige.language.words import plain as plain_words
from paige.study.courses.values import Course, Item, ItemKind
from paige.study.generation.item_choice import Pool, choose, how_many, pool_of
from paige.study.generation.questions import about, minutes_of
from paige.study.generation.sheet_rows import Block, Maker, Row, blocks_of
from paige.study.generation.words import lettered, one_line, plain
from paige.study.values import Exercise, ExerciseRequest, Question

_HEADING = re.compile(r"^## Section (\d+):")
_ROW = re.compile(r"^\| (\d+)\. ")


def fill_in(text: str, sheet: Worksheet, answers: Mapping[str, Sequence[str]]) -> str:
    """The text with answers in its blanks, one for each blank of a question."""
    lines = text.split("\n")
    section: Section | None = None
    for at, line in enumerate(lines):
        heading = _HEADING.match(line)
        if heading:
            section = sheet.section(int(heading[1]))
        elif section is not None:
            lines[at] = _filled(line, section, answers)
    return "\n".join(lines)


def _filled(line: str, section: Section, answers: Mapping[str, Sequence[str]]) -> str:
    row = _ROW.match(line) if section.matching else None
    for question in section.questions:
        given = list(answers.get(question.id, ()))
        if row is not None and int(row[1]) == question.number and given:
            return line.replace(f"| {BLANK} |", f"| {given[0]} |", 1)
        if not section.matching and line == f"{question.number}. {question.prompt}":
            pieces = line.split(BLANK)
            told = [*given, *([BLANK] * len(pieces))]
            return (
                "".join(f"{piece}{told[at]}" for at, piece in enumerate(pieces[:-1])) + pieces[-1]
            )
    return line


def right_answers(sheet: Worksheet) -> dict[str, tuple[str, ...]]:
    """The first accepted answer for each blank of every question."""
    key = sheet.key or {}
    made: dict[str, tuple[str, ...]] = {}
    for question in sheet.questions:
        section = sheet.section(question.section)
        blanks = 1 if section is not None and section.matching else question.blanks
        parts = key_parts(key.get(question.id, ""), blanks)
        made[question.id] = tuple(alternatives(part)[0] for part in parts)
    return made


ROWS, VOCABULARY_ROWS, MOST_ROWS = 8, 10, 16
_TRIES = 6
_SECTION = re.compile(r"^## Section (\d+):", re.MULTILINE)


def make_sheet(course: Course, wanted: ExerciseRequest, rng: Random, now: datetime) -> Exercise:
    """A worksheet on a concept. Raises: NotFound when nothing can be asked."""
    pool = _pool(course, wanted)
    count = how_many(pool, wanted, _usual_count(pool, wanted))
    chosen = choose(pool, wanted, count, rng)
    maker = Maker(course, wanted, pool.items, rng)
    blocks = without_giveaways(_short_enough(_each_once(blocks_of(maker, chosen))))
    return sheet_exercise(course, wanted, blocks, chosen, now)


def sheet_exercise(
    course: Course,
    wanted: ExerciseRequest,
    blocks: Sequence[Block],
    items: Sequence[Item],
    now: datetime,
) -> Exercise:
    """The exercise of a worksheet with these blocks. Raises: NotFound when none is readable."""
    sheet, questions = _readable(course, wanted, list(blocks), now)
    concept = course.concept(wanted.concept_id)
    name = file_name(now, concept.id)
    asked = [each for each in items if any(each.id == one.item_id for one in questions)]
    kinds: Counter[ItemKind] = Counter(one.kind for one in questions)
    kind = kinds.most_common(1)[0][0]
    minutes = max(2.0, round(minutes_of(asked)))
    sheet = replace(sheet, time_estimate=f"{minutes:g} minutes")
    return Exercise(
        **about(course, wanted, now),
        kind=kind,
        title=sheet.title,
        prompt=sheet.instructions,
        items=questions,
        minutes=minutes,
        item_ids=tuple(each.id for each in asked),
        files={name: render_worksheet(sheet)},
        folder=course.config.worksheet_dir,
    )


def _pool(course: Course, wanted: ExerciseRequest) -> Pool:
    pool = pool_of(course, wanted)
    if course.domain == "interview":
        outlines = pool_of(course, replace(wanted, modality="long_form")).items
        pool = pool.with_items((*pool.items, *(each for each in outlines if each.points)))
    return pool


def _usual_count(pool: Pool, wanted: ExerciseRequest) -> int:
    words = sum(each.kind == "translate" for each in pool.items)
    return VOCABULARY_ROWS if words >= VOCABULARY_ROWS and wanted.bloom == "remember" else ROWS


def _short_enough(blocks: Sequence[Block]) -> list[Block]:
    kept: list[Block] = []
    rows = 0
    for block in blocks:
        if rows and rows + len(block.rows) > MOST_ROWS:
            continue
        rows += len(block.rows)
        kept.append(block)
    return kept


def _each_once(blocks: Sequence[Block]) -> list[Block]:
    """The blocks without a line that stands there already."""
    asked: set[str] = set()
    kept: list[Block] = []
    for block in blocks:
        rows: list[Row] = []
        for row in block.rows:
            name = plain(f"{row.prompt} {row.question.context}")
            if block.choices or name not in asked:
                rows.append(row)
            asked.add(name)
        if rows:
            kept.append(replace(block, rows=tuple(rows)))
    return kept


def without_giveaways(blocks: Sequence[Block]) -> list[Block]:
    """The blocks without rows whose answer stands elsewhere on the sheet."""
    shown = [
        (row, plain_words(" ".join((row.prompt.replace(BLANK, " "), block.intro, *block.choices))))
        for block in blocks
        for row in block.rows
    ]

    def told(block: Block, row: Row) -> bool:
        if block.choices or row.question.kind not in ("translate", "cloze", "define"):
            return False
        answers = [plain_words(each) for each in row.question.answers]
        return any(
            f" {answer} " in f" {text} "
            for other, text in shown
            if other is not row
            for answer in answers
            if len(answer) > 3
        )

    kept = [
        replace(block, rows=tuple(row for row in block.rows if not told(block, row)))
        for block in blocks
    ]
    left = [block for block in kept if block.rows]
    return left or list(blocks)


def _readable(
    course: Course, wanted: ExerciseRequest, blocks: list[Block], now: datetime
) -> tuple[Worksheet, tuple[Question, ...]]:
    """The sheet of the rows that can be read back once they are filled in."""
    for _ in range(_TRIES):
        sheet, questions = _sheet(course, wanted, blocks, now)
        wrong = unreadable(sheet)
        if not wrong:
            return sheet, questions
        blocks = _without(blocks, wrong)
    raise _nothing(wanted)


def unreadable(sheet: Worksheet) -> frozenset[str]:
    """The questions of a sheet whose right answer is not found again in a filled-in copy."""
    answers = right_answers(sheet)
    text = render_worksheet(sheet)
    completed = parse_worksheet(fill_in(text, sheet, answers), template=sheet)
    empty = parse_worksheet(text, template=sheet)
    odd = {_section_at(text, each.line) for each in (*empty.problems, *empty.stray)}
    return frozenset(
        name
        for name, parts in answers.items()
        if empty.answers[name].answered
        or int(name.partition(".")[0]) in odd
        or not _found_again(sheet, name, completed.answers[name].parts, parts)
    )


def _section_at(text: str, line: int) -> int:
    """The section a line stands in."""
    above = "\n".join(text.split("\n")[:line])
    return int((_SECTION.findall(above) or ["0"])[-1])


def _found_again(sheet: Worksheet, name: str, found: Sequence[str], wanted: Sequence[str]) -> bool:
    """Whether answers that were read are those that were written, or at least count as such."""
    if list(found) == list(wanted):
        return True
    section = sheet.section(int(name.partition(".")[0]))
    if len(found) != len(wanted) or section is None or section.matching:
        return False
    mark = default_marker()
    prompt = next(each.prompt for each in section.questions if each.id == name)
    references = key_parts((sheet.key or {})[name], len(wanted))
    pairs = zip(references, found, strict=True)
    return all(mark(prompt, reference, part).verdict == "correct" for reference, part in pairs)


def _without(blocks: Sequence[Block], wrong: frozenset[str]) -> list[Block]:
    """The blocks without some questions; a table goes as a whole."""
    kept: list[Block] = []
    for number, block in enumerate(blocks, 1):
        rows = tuple(row for at, row in enumerate(block.rows, 1) if f"{number}.{at}" not in wrong)
        if rows and (len(rows) == len(block.rows) or not block.choices):
            kept.append(replace(block, rows=rows))
    return kept


def _sheet(
    course: Course, wanted: ExerciseRequest, blocks: Sequence[Block], now: datetime
) -> tuple[Worksheet, tuple[Question, ...]]:
    if not blocks:
        raise _nothing(wanted)
    concept = course.concept(wanted.concept_id)
    key: dict[str, str] = {}
    questions: list[Question] = []
    sections: list[Section] = []
    for number, block in enumerate(blocks, 1):
        asked: list[SheetQuestion] = []
        for at, row in enumerate(block.rows, 1):
            asked.append(SheetQuestion(number, at, row.prompt))
            key[f"{number}.{at}"] = row.reference
            questions.append(replace(row.question, id=f"{number}.{at}"))
        choices = tuple(Choice(letter, text) for letter, text in lettered(block.choices))
        sections.append(
            Section(number, block.title, tuple(asked), block.intro, choices, block.header)
        )
    try:
        sheet = make_worksheet(
            Worksheet(
                course=course.name,
                concept=concept.id,
                title=one_line(straighten(concept.title)),
                sections=tuple(sections),
                generated=now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
                bloom_level=wanted.bloom,
                concept_name=one_line(straighten(concept.title)),
                key=key,
                metadata=(("domain", course.domain),),
            )
        )
    except BadInput as error:
        raise _nothing(wanted) from error
    return sheet, tuple(questions)


def _nothing(wanted: ExerciseRequest) -> NotFound:
    return NotFound(
        f"There is nothing to put on a worksheet about `{wanted.concept_id}`",
        hint="Choose another kind of exercise, or add items to the course.",
    )
