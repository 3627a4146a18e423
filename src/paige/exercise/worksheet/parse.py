"""Reading a worksheet that came back.

Whatever an editor or a person did to the file, the outcome is answers, problems that name a line
and what to change there, and stray text. It never fails and never loses an answer.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from paige.exercise.values import find_bloom
from paige.exercise.worksheet.infer import about, infer_sections
from paige.exercise.worksheet.key import KeyLines, key_digest, parse_key, unpack_sections
from paige.exercise.worksheet.lines import Block, Comment, blocks, split_comments, straighten
from paige.exercise.worksheet.place import place
from paige.exercise.worksheet.values import (
    BLANK,
    STATUSES,
    Answer,
    ReturnedSheet,
    Section,
    SheetProblem,
    Status,
    Worksheet,
)

MOST_SIGNS, MOST_LINES, MOST_BLOCKS = 300_000, 3_000, 200
_TOO_LONG = SheetProblem(
    MOST_LINES,
    f"the rest is not read: a worksheet has at most {MOST_BLOCKS} questions and other parts",
    "Split it.",
)
_NO_KEY = SheetProblem(
    1,
    "the answer key is missing, so the answers cannot be marked",
    "Put the comment block `<!-- answers: … -->` back at the end of the file.",
)
_OWN_FIELDS = {"course", "concept", "bloom_level", "generated", "status", "key", "prompts"}


@dataclass(frozen=True, slots=True)
class _Head:
    """What the comments of a file say."""

    fields: Mapping[str, str]
    key: KeyLines | None
    sections: tuple[Section, ...] | None
    problems: tuple[SheetProblem, ...]
    marked: bool


def parse_worksheet(text: str, *, template: Worksheet | None = None) -> ReturnedSheet:
    """The answers in a worksheet.

    `template` is the worksheet as it was given out, for a file that lost its comments; its key
    counts more than the one in the file.
    """
    lines, comments = split_comments(straighten(text[:MOST_SIGNS]))
    cut = () if len(text) <= MOST_SIGNS and len(lines) <= MOST_LINES else (_TOO_LONG,)
    lines = lines[:MOST_LINES]
    head = _head(comments)
    found = blocks(lines)
    cut = cut or (() if len(found) <= MOST_BLOCKS else (_TOO_LONG,))
    found = found[:MOST_BLOCKS]
    given = template.key if template else None
    used = head.key.answers if given is None and head.key else given
    sections, inferred = _sections(head, template, found, used or {})
    placed = place(sections, found, used or {})
    answers = {q.id: Answer(q.id, ("",) * q.blanks, 0) for s in sections for q in s.questions}
    worksheet = _worksheet(head, found, sections, used, template)
    return ReturnedSheet(
        worksheet=worksheet,
        answers={**answers, **placed.answers},
        key_changed=head.key is not None and _key_changed(head.key, head.fields.get("key"), given),
        problems=_ordered(
            head.problems,
            cut,
            () if used is not None else (_NO_KEY,),
            inferred or _gone(sections, placed.answers),
            placed.problems,
            _shape(head, worksheet),
        ),
        stray=tuple(placed.stray),
    )


def looks_like_worksheet(text: str) -> bool:
    """Whether a file is a worksheet, by its marker or by its title."""
    start = straighten(text)[:4000]
    return "<!-- WORKSHEET -->" in start or "# Worksheet:" in start or "ANSWER_KEY" in text


def _head(comments: list[Comment]) -> _Head:
    fields: dict[str, str] = {}
    key: KeyLines | None = None
    sections: tuple[Section, ...] | None = None
    problems: list[SheetProblem] = []
    marked = False
    for comment in comments:
        name, value = comment.field or ("", "")
        if name == "answers" and key is None:
            key = parse_key(enumerate(comment.text.split("\n"), comment.line))
            key = KeyLines(key.answers, tuple(o for o in key.odd if o[1] != "answers:"))
            problems.extend(_odd_key_lines(key, comment))
        elif name == "prompts":
            sections = unpack_sections(value)
        elif comment.open:
            problems.append(
                SheetProblem(comment.line, "this comment is never closed", "End it with `-->`.")
            )
        elif comment.text.strip() == "WORKSHEET":
            marked = True
        elif name:
            fields.setdefault(name, value)
    return _Head(fields, key, sections, tuple(problems), marked)


def _odd_key_lines(key: KeyLines, comment: Comment) -> list[SheetProblem]:
    problems = [
        SheetProblem(
            line,
            f"the answer key has a line that is not a key line: `{text}`",
            "Take it out of the key; answers go where `___` stands in the questions.",
        )
        for line, text in key.odd
    ]
    if comment.open:
        problems.append(
            SheetProblem(comment.line, "the answer key is not closed", "End the file with `-->`.")
        )
    return problems


def _key_changed(key: KeyLines, digest: str | None, given: Mapping[str, str] | None) -> bool:
    edited = digest is not None and digest.strip() != key_digest(key.answers)
    return edited or (given is not None and dict(given) != dict(key.answers))


def _sections(
    head: _Head, template: Worksheet | None, found: list[Block], key: Mapping[str, str]
) -> tuple[tuple[Section, ...], tuple[SheetProblem, ...]]:
    if template is not None:
        return template.sections, ()
    if head.sections:
        return head.sections, ()
    inferred = infer_sections(found, key)
    return inferred.sections, inferred.problems


def _gone(sections: tuple[Section, ...], answers: Mapping[str, Answer]) -> tuple[SheetProblem, ...]:
    """Questions whose lines are gone: what stands there now may have gone to their neighbours."""
    problems: list[SheetProblem] = []
    line = 1
    for question in (each for section in sections for each in section.questions):
        if question.id in answers:
            line = max(1, answers[question.id].line)
            continue
        problems.append(
            SheetProblem(
                line,
                f"question {question.id} of section {question.section} is gone after this line",
                "Put its line back to answer it; otherwise it counts as unanswered.",
            )
        )
    return tuple(problems)


def _worksheet(
    head: _Head,
    found: list[Block],
    sections: tuple[Section, ...],
    key: Mapping[str, str] | None,
    template: Worksheet | None,
) -> Worksheet:
    if template is not None:
        return replace(template, key=key, status=_status(head.fields, template.status))
    title, fields = about(found)
    others = tuple((n, v) for n, v in head.fields.items() if n not in _OWN_FIELDS)
    return Worksheet(
        course=head.fields.get("course", ""),
        concept=head.fields.get("concept", ""),
        bloom_level=find_bloom(head.fields.get("bloom_level", "")) or "remember",
        generated=head.fields.get("generated", ""),
        status=_status(head.fields, "pending"),
        title=title,
        concept_name=fields.get("concept", ""),
        instructions=fields.get("instructions", ""),
        time_estimate=fields.get("time estimate", ""),
        sections=sections,
        key=key,
        guarded=head.sections is not None,
        metadata=others,
    )


def _status(fields: Mapping[str, str], otherwise: Status) -> Status:
    written = fields.get("status", "").strip().lower()
    for status in STATUSES:
        if status == written:
            return status
    return otherwise


def _shape(head: _Head, worksheet: Worksheet) -> list[SheetProblem]:
    """What is wrong with the file as a whole."""
    if not worksheet.questions:
        return [
            SheetProblem(
                1,
                "no questions were found in this file",
                f"A question is a numbered line such as `1. Good morning: {BLANK}`.",
            )
        ]
    level = head.fields.get("bloom_level")
    if level is not None and find_bloom(level) is None:
        return [
            SheetProblem(1, f"`{level}` is not a Bloom level", "Use a level such as `remember`.")
        ]
    return []


def _ordered(*groups: Iterable[SheetProblem]) -> tuple[SheetProblem, ...]:
    every = [problem for group in groups for problem in group]
    return tuple(sorted(every, key=lambda problem: problem.line))
