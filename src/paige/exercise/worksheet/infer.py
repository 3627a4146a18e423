"""What a worksheet asked, worked out from a filled-in copy that does not say where its blanks were.

Most questions end in a colon and their blank, so what follows the colon is the answer. Where that
leaves a choice, the key decides: of the ways to cut a line, the one whose answer is most like an
accepted answer. Where nothing decides, the whole line counts as the answer and a problem says so:
an answer is never lost.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from paige.exercise.worksheet.align import GLUED, clean
from paige.exercise.worksheet.key import alternatives
from paige.exercise.worksheet.lines import Block, cells, plain_heading, section_heading
from paige.exercise.worksheet.values import BLANK, Choice, Question, Section, SheetProblem

_BLANK_RUN = re.compile(r"_{3,}|(?<!\w)__(?!\w)")
_BESIDE = re.compile(r"(.*:\s*)_{3,}\s+([^\s\"'_][^_]*)$")
_CUTS = (re.compile(r":(?=\s|[\"'*`_]|$)"), re.compile(r"\?(?=\s)"), re.compile(r"(?<=\s)=(?=\s)"))
_DASHES = re.compile(r"(?<=\s)(?:->|=>|\u2192|-|\u2013|\u2014)(?=\s)")
_QUOTE = re.compile(r"^\s*+\"(.*)\"\s*+(?:[.!?]\s*+)?$")
_NUMBERED = re.compile(r"^\(?(\d{1,3})\\?[.)]\s*(.*)$")
_LETTERED = re.compile(r"^\(?([A-Za-z])\\?[.)]\s+(.*)$")
_LIKE = 0.5


@dataclass(frozen=True, slots=True)
class InferredSheet:
    """The sections found, and what could not be told."""

    sections: tuple[Section, ...]
    problems: tuple[SheetProblem, ...]


def infer_sections(found: list[Block], key: Mapping[str, str]) -> InferredSheet:
    """The sections and questions of a filled-in worksheet."""
    sections: list[Section] = []
    problems: list[SheetProblem] = []
    for number, title, heading_line, members in _groups(found):
        made, wrong = _section(number, title, heading_line, members, key)
        problems.extend(wrong)
        if made.questions:
            sections.append(made)
    _add_missing_sections(sections, problems, found, key)
    return InferredSheet(tuple(sorted(sections, key=lambda each: each.number)), tuple(problems))


def _groups(found: list[Block]) -> Iterator[tuple[int, str, int, list[Block]]]:
    """Section number, title, line and blocks; without headings everything is section 1."""
    headings = [block for block in found if block.kind == "heading"]
    if not headings:
        yield 1, "", 1, [block for block in found if block.kind != "heading"]
        return
    taken: set[int] = set()
    for position, heading in enumerate(headings, 1):
        written, title = section_heading(heading.lines[0].text)
        number = written if written is not None and written not in taken else position
        while number in taken:
            number += 1
        taken.add(number)
        members = [b for b in found if b.section == heading.section and b.kind != "heading"]
        yield number, title, heading.line, members


def _section(
    number: int, title: str, line: int, members: list[Block], key: Mapping[str, str]
) -> tuple[Section, list[SheetProblem]]:
    if any(block.kind == "row" for block in members):
        return _matching(number, title, members), []
    members = _split_at_blanks(_with_bullets(members))
    items = _without_copies([block for block in members if block.kind == "item"])
    wanted = sorted(int(name.split(".")[1]) for name in key if name.startswith(f"{number}."))
    numbers, problems = _numbers(number, items, wanted, line)
    questions: list[Question] = []
    for each, block in zip(numbers, items, strict=True):
        reference = key.get(f"{number}.{each}", "")
        prompt, sure = infer_prompt(block, reference)
        questions.append(Question(number, each, prompt))
        if not sure:
            problems.append(
                SheetProblem(
                    block.line,
                    f"the answer to question {number}.{each} cannot be told from the question",
                    "Write the answer at the end of the line, after a colon.",
                )
            )
    for missing in (each for each in wanted if each not in numbers):
        questions.append(Question(number, missing, BLANK))
    first = next((block for block in members if block.kind == "item"), None)
    intro = [b for b in members if b.kind == "text" and (first is None or b.line < first.line)]
    ordered = tuple(sorted(questions, key=lambda question: question.number))
    return Section(number, title, ordered, "\n\n".join(_paragraph(b) for b in intro)), problems


def _paragraph(block: Block) -> str:
    return "\n".join(line.text for line in block.lines)


def _with_bullets(members: list[Block]) -> list[Block]:
    """Bullets among numbered questions are answers to the question before."""
    numbered = sum(block.number is not None for block in members)
    made: list[Block] = []
    for block in members:
        bullet = block.kind == "item" and block.number is None and numbered
        if bullet and made and made[-1].kind == "item" and not _BLANK_RUN.search(block.text):
            made[-1].lines.extend(block.lines)
        else:
            made.append(
                Block(block.kind, block.section, list(block.lines), block.number, block.named)
            )
    return made


def _split_at_blanks(members: list[Block]) -> list[Block]:
    """A line with a blank of its own is a question, even if its number is gone."""
    made: list[Block] = []
    for block in members:
        head = Block(block.kind, block.section, [block.lines[0]], block.number, block.named)
        made.append(head)
        for line in block.lines[1:]:
            text, before = line.text.strip(), made[-1].text
            asks = _BLANK_RUN.search(text) and len(text.strip("_ ")) > 3
            whole = _BLANK_RUN.search(before) or any(_cuts(before))
            if block.kind == "item" and asks and whole:
                made.append(Block("item", block.section, [line]))
            else:
                made[-1].lines.append(line)
    return made


def _without_copies(items: list[Block]) -> list[Block]:
    """Items without those that repeat an earlier one word for word, or only lack its answer."""
    kept: list[Block] = []
    for block in items:
        twin = next((each for each in kept if _is_copy(each, block)), None)
        if twin is None:
            kept.append(block)
        elif _BLANK_RUN.search(twin.text) and not _BLANK_RUN.search(block.text):
            kept[kept.index(twin)] = block
    return kept


def _is_copy(one: Block, other: Block) -> bool:
    if one.text.casefold() == other.text.casefold():
        return True
    if one.number != other.number or one.number is None:
        return False
    empty = next((b for b in (one, other) if _BLANK_RUN.search(b.text)), None)
    if empty is None:
        return False
    filled = other if empty is one else one
    stem = _BLANK_RUN.split(empty.text)[0].strip().casefold()
    return bool(stem) and filled.text.casefold().startswith(stem)


def _numbers(
    section: int, items: list[Block], wanted: list[int], line: int
) -> tuple[list[int], list[SheetProblem]]:
    """The number of each item: as written if that can be, else by order."""
    written = [block.number for block in items]
    distinct = None not in written and len(set(written)) == len(written)
    as_written = [number for number in written if number is not None]
    by_order = list(range(1, len(items) + 1))
    if not wanted:
        return (as_written if distinct else by_order), []
    if len(items) == len(wanted):
        if distinct and set(as_written) == set(wanted):
            return as_written, []
        return wanted, [
            SheetProblem(
                items[0].line,
                f"the questions of section {section} lost their numbers and are taken in order",
                f"If you moved lines, number them again as they were, from {wanted[0]}.",
            )
        ]
    problem = SheetProblem(
        line,
        f"section {section} has {len(items)} of its {len(wanted)} questions",
        "Put the missing lines back where they were, or leave them out: those count as unanswered.",
    )
    if len(items) > len(wanted):
        at = items[len(wanted)].line
        problem = SheetProblem(
            at,
            f"section {section} has {len(items)} questions, and its key has {len(wanted)}",
            "Take away the lines that are not questions, or that are there twice.",
        )
    if distinct and set(as_written) <= set(wanted):
        return as_written, [problem]
    extra = range(max(wanted) + 1, max(wanted) + 1 + len(items))
    return [*wanted, *extra][: len(items)], [problem]


def infer_prompt(block: Block, reference: str = "") -> tuple[str, bool]:
    """The prompt with its blanks, and whether that is sure."""
    text = block.lines[0].text.strip()
    whole = block.text
    if _BLANK_RUN.search(whole) or GLUED.search(whole):
        source = text if _BLANK_RUN.search(text) or GLUED.search(text) else whole
        return _with_blanks(source, reference), True
    # An editor may have wrapped the line before its answer, or in it.
    cuts = [*_cuts(text), *(_cuts(whole) if len(block.lines) > 1 else ())]
    accepted = alternatives(reference) if reference else ()
    if cuts:
        best = max(cuts, key=lambda cut: _likeness(cut.answer, accepted))
        return (best if _likeness(best.answer, accepted) >= _LIKE else cuts[0]).prompt, True
    if inside := _around_accepted(whole, accepted):
        return inside, True
    if len(block.lines) > 1:
        return f"{text} {BLANK}", True
    if accepted and _likeness(whole, accepted) >= _LIKE:
        return BLANK, True
    return BLANK, False


def _with_blanks(text: str, reference: str) -> str:
    """The prompt of a line that still has its blank, perhaps with the answer next to it."""
    if glued := GLUED.search(text):
        accepted = alternatives(reference)
        cuts = list(_cuts(GLUED.sub(r"\1", text)))
        cuts = [cut for cut in cuts if _likeness(cut.answer, accepted) > _LIKE]
        if cuts:
            return max(cuts, key=lambda cut: _likeness(cut.answer, accepted)).prompt
        return f"{text[: glued.start()]}{BLANK}{text[glued.end() :]}".strip()
    if beside := _BESIDE.match(text):
        return f"{beside[1]}{BLANK}"
    return _BLANK_RUN.sub(BLANK, text)


@dataclass(frozen=True, slots=True)
class _Cut:
    prompt: str
    answer: str


def _cuts(text: str) -> Iterator[_Cut]:
    """Ways to cut a line into question and answer, the likeliest first."""
    for pattern in _CUTS:
        found = list(pattern.finditer(text))
        for mark in found:
            stem, answer = text[: mark.end()], text[mark.end() :]
            yield _Cut(f"{stem} {BLANK}", clean(answer))
            yield from _inside_quotes(stem, answer)
        if found:
            return
    for mark in list(_DASHES.finditer(text))[-1:]:
        yield _Cut(f"{text[: mark.end()]} {BLANK}", clean(text[mark.end() :]))


def _inside_quotes(stem: str, answer: str) -> Iterator[_Cut]:
    """A quoted sentence may hold words of the question: `"Good morning, teacher!"`."""
    quoted = _QUOTE.match(answer)
    if not quoted:
        return
    before, comma, after = quoted[1].partition(",")
    if comma and len(after.split()) <= 3:
        yield _Cut(f'{stem} "{BLANK},{after}"', clean(before))
    if comma and len(before.split()) <= 3:
        yield _Cut(f'{stem} "{before}, {BLANK}"', clean(after))
    bare = quoted[1].rstrip(".!? ")
    if bare != quoted[1]:
        yield _Cut(f'{stem} "{BLANK}{quoted[1][len(bare) :]}"', clean(bare))


def _around_accepted(text: str, accepted: tuple[str, ...]) -> str | None:
    """The line with an accepted answer taken out, if it holds one."""
    for answer in accepted:
        pieces = [re.escape(piece) for piece in re.split(r"\s*;\s*", answer) if piece]
        if not pieces:
            continue
        pattern = "(.*?)".join(rf"(?<![^\W_]){piece}(?![^\W_])" for piece in pieces)
        found = re.search(pattern, text, re.IGNORECASE)
        if found:
            middle = BLANK.join(["", *found.groups(), ""]) if found.groups() else BLANK
            return f"{text[: found.start()]}{middle}{text[found.end() :]}"
    return None


def _likeness(answer: str, accepted: tuple[str, ...]) -> float:
    plain = answer.casefold().strip()
    ratios = (
        SequenceMatcher(None, plain, each.casefold().strip(), autojunk=False).ratio()
        for each in accepted
    )
    return max(ratios, default=0.0)


def _matching(number: int, title: str, members: list[Block]) -> Section:
    rows = [cells(block.text) for block in members if block.kind == "row"]
    questions: list[Question] = []
    choices: dict[str, str] = {}
    header = ("Item", "", "Match")
    for row in rows:
        asked = next((_NUMBERED.match(cell) for cell in row if _NUMBERED.match(cell)), None)
        lettered = [found for cell in row if (found := _LETTERED.match(cell))]
        if lettered:
            choices.setdefault(lettered[-1][1].upper(), lettered[-1][2])
        if asked:
            questions.append(_row_question(number, int(asked[1]), asked[2], questions))
        elif not lettered and not questions and len(row) >= 2:
            header = (row[0], row[1] if len(row) > 2 else "", row[-1])
    first = min(block.line for block in members if block.kind == "row")
    intro = [b for b in members if b.kind == "text" and b.line < first]
    return Section(
        number,
        title,
        tuple(sorted(questions, key=lambda question: question.number)),
        "\n\n".join(_paragraph(block) for block in intro),
        tuple(Choice(letter, choices[letter]) for letter in sorted(choices)),
        header,
    )


def _row_question(section: int, number: int, prompt: str, others: list[Question]) -> Question:
    taken = {question.number for question in others}
    if number in taken:
        number = max(taken) + 1
    return Question(section, number, prompt or "?")


def _add_missing_sections(
    sections: list[Section],
    problems: list[SheetProblem],
    found: list[Block],
    key: Mapping[str, str],
) -> None:
    """Questions of the key whose section, or whose row of a table, is gone."""
    have = {question.id for section in sections for question in section.questions}
    gone: dict[int, list[int]] = {}
    for name in key:
        if name not in have:
            section, _, number = name.partition(".")
            gone.setdefault(int(section), []).append(int(number))
    last = max((block.line for block in found), default=1)
    for number, missing in gone.items():
        questions = tuple(Question(number, each, BLANK) for each in sorted(missing))
        there = next((each for each in sections if each.number == number), None)
        if there is None:
            sections.append(Section(number, "", questions))
        else:
            merged = tuple(sorted((*there.questions, *questions), key=lambda each: each.number))
            sections[sections.index(there)] = Section(
                number, there.title, merged, there.intro, there.choices, there.header
            )
        named = ", ".join(question.id for question in questions)
        problems.append(
            SheetProblem(
                last,
                f"the file has no question {named}, but its key has",
                "Put the line back, or leave it out: it counts as unanswered.",
            )
        )


def about(found: list[Block]) -> tuple[str, dict[str, str]]:
    """Title, and the fields in bold below it."""
    title, fields = "", {}
    last = ""
    for block in found:
        if block.section or block.kind != "text":
            continue
        for line in block.lines:
            text = line.text.strip()
            field = re.match(r"^[*_]{0,2}([A-Z][\w ]{2,30}?)[*_]{0,2}\s*:[*_]{0,2}\s*(.*)$", text)
            if text.startswith("#"):
                title = re.sub(r"^Worksheet\s*:\s*", "", plain_heading(text), flags=re.IGNORECASE)
                last = ""
            elif field:
                last = field[1].strip().lower()
                fields.setdefault(last, field[2].strip())
            elif last:
                fields[last] = f"{fields[last]} {text}".strip()
    return title, fields
