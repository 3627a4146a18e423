"""A worksheet as the markdown file people fill in."""

from collections.abc import Iterator

from paige.exercise.worksheet.key import dump_key, key_digest, pack_sections
from paige.exercise.worksheet.values import BLANK, Section, Worksheet

KEY_MARKER = "<!-- ANSWER_KEY (do not edit below this line) -->"
KEY_NOTE = "<!-- This section is hidden from the learner and used by the evaluator -->"


def render_worksheet(worksheet: Worksheet) -> str:
    """The file: header, sections, and the key in a comment at the end."""
    return "\n".join(
        [
            *_header(worksheet),
            "",
            f"# Worksheet: {worksheet.title}",
            "",
            *_about(worksheet),
            "",
            "---",
            "",
            *(line for section in worksheet.sections for line in _section(section)),
            "---",
            "",
            *_key_block(worksheet),
            "",
        ]
    )


def _header(worksheet: Worksheet) -> Iterator[str]:
    yield "<!-- WORKSHEET -->"
    yield f"<!-- course: {worksheet.course} -->"
    yield f"<!-- concept: {worksheet.concept} -->"
    yield f"<!-- bloom_level: {worksheet.bloom_level} -->"
    yield f"<!-- generated: {worksheet.generated} -->"
    for name, value in worksheet.metadata:
        yield f"<!-- {name}: {value} -->"
    if worksheet.guarded and worksheet.key is not None:
        yield f"<!-- key: {key_digest(worksheet.key)} -->"
    yield f"<!-- status: {worksheet.status} -->"


def _about(worksheet: Worksheet) -> Iterator[str]:
    if worksheet.concept_name:
        yield f"**Concept**: {worksheet.concept_name}"
    yield f"**Instructions**: {worksheet.instructions}"
    if worksheet.time_estimate:
        yield f"**Time estimate**: {worksheet.time_estimate}"


def _section(section: Section) -> Iterator[str]:
    yield f"## Section {section.number}: {section.title}"
    yield ""
    if section.intro:
        yield section.intro
        yield ""
    if section.matching:
        yield from _table(section)
    else:
        for question in section.questions:
            yield f"{question.number}. {question.prompt}"
    yield ""


def _table(section: Section) -> Iterator[str]:
    left, middle, right = section.header
    yield f"| {_cell(left)} |{f' {_cell(middle)} ' if middle else ' '}| {_cell(right)} |"
    widths = (len(left) + 2, max(3, len(middle) + 2), len(right) + 2)
    yield "|" + "|".join("-" * width for width in widths) + "|"
    for row in range(max(len(section.questions), len(section.choices))):
        question = section.questions[row] if row < len(section.questions) else None
        choice = section.choices[row] if row < len(section.choices) else None
        asked = f"{question.number}. {_cell(question.prompt)}" if question else ""
        offered = f"{choice.letter}. {_cell(choice.text)}" if choice else ""
        yield f"| {asked} | {BLANK if question else ''} | {offered} |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _key_block(worksheet: Worksheet) -> Iterator[str]:
    yield KEY_MARKER
    yield KEY_NOTE
    if worksheet.key is not None:
        yield "<!-- answers:"
        yield from dump_key(worksheet.key)
        yield "-->"
    if worksheet.guarded:
        yield f"<!-- prompts: {pack_sections(worksheet.sections)} -->"
