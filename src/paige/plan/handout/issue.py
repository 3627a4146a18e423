"""Making a handout out of a lesson or a worksheet, what is printed of it, and what a token opens.

Whoever holds a token sees the worksheet; its key never passes to them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from html import escape

from paige.base.wire import wire
from paige.exercise.worksheet.parse import looks_like_worksheet, parse_worksheet
from paige.exercise.worksheet.render import render_worksheet
from paige.exercise.worksheet.values import Question, Section, Worksheet
from paige.plan.handout.counts import asked_of
from paige.plan.handout.notes import spoken_day
from paige.plan.handout.queries import Held
from paige.plan.handout.values import (
    DEFAULT_DAYS,
    Handout,
    check_class,
    check_count,
    check_worksheet,
    closing_time,
    handout_id,
    new_token,
)
from paige.plan.lessons.text import shortened
from paige.plan.outputs.worksheet import worksheet_in
from paige.plan.products import slug_of

Random = Callable[[int], bytes]
LONGEST_TITLE = 120
_PAGE = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>{title}</title>
<style>
body {{ font: 12pt sans-serif; margin: 12mm }}
main {{ display: grid; grid-template-columns: 1fr 1fr; gap: 0 }}
section {{ border: 1px dashed #555; padding: 5mm; break-inside: avoid }}
h1 {{ font-size: 14pt }} p {{ margin: 1mm 0 }} b {{ font: bold 18pt monospace }}
a {{ color: inherit; word-break: break-all }}
</style>
<h1>{title}</h1>
<p>{about}</p>
<main>
{strips}
</main></html>
"""
_STRIP = """<section><p>{title}</p><p><b>{token}</b></p><p><a href="{link}">{link}</a></p>
<p>Open until {until}. Write no name.</p></section>"""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewHandout:
    """A handout to make: of which text, for which class, how many tokens, for how long."""

    markdown: str
    source: str
    class_id: str
    tokens: int
    days: int = DEFAULT_DAYS


def make_handout(
    asked: NewHandout, *, now: datetime, random: Random
) -> tuple[Handout, tuple[str, ...]]:
    """A handout and its tokens. Raises: BadInput."""
    worksheet = worksheet_in(asked.markdown, now)
    own = looks_like_worksheet(asked.markdown) and not worksheet.guarded
    text = asked.markdown if own else render_worksheet(replace(worksheet, status="pending"))
    check_worksheet(worksheet, text)
    count = check_count(asked.tokens)
    tokens: set[str] = set()
    while len(tokens) < count:
        tokens.add(new_token(random(9)))
    title = shortened(worksheet.title or worksheet.concept_name or "Worksheet", LONGEST_TITLE)
    handout = Handout(
        id=handout_id(slug_of(title), random(4)),
        class_id=check_class(asked.class_id),
        title=title,
        source=asked.source,
        worksheet=text,
        salt=random(16).hex(),
        created_at=now,
        closes_at=closing_time(now, asked.days),
    )
    return handout, tuple(sorted(tokens))


def worksheet_of_handout(handout: Handout) -> Worksheet:
    """The worksheet that was handed out, with its key."""
    return _read(handout.worksheet)


@lru_cache(maxsize=64)
def _read(text: str) -> Worksheet:
    return parse_worksheet(text).worksheet


def sheet_without_key(handout: Handout, token: str) -> str:
    """The worksheet as a file to fill in for one token; the key is not in it."""
    sheet = worksheet_of_handout(handout)
    kept = tuple(each for each in sheet.metadata if each[0] != "token")
    bare = replace(sheet, key=None, guarded=True, metadata=(*kept, ("token", token)))
    return render_worksheet(bare)


def link_of(address: str, token: str) -> str:
    """Where a token is answered."""
    return f"{address.rstrip('/')}/answer/{token}"


def codes_page(handout: Handout, tokens: Sequence[str], address: str) -> str:
    """A page to print and cut: a strip for each token."""
    until = spoken_day(handout.closes_at.date())
    title = escape(handout.title)
    strips = [
        _STRIP.format(
            title=title, token=token, link=escape(link_of(address, token), quote=True), until=until
        )
        for token in tokens
    ]
    about = escape(
        f"Handout {handout.id} for {handout.class_id}, {len(tokens)} codes, open until {until}. "
        "Cut the strips and give out one each; do not note who got which."
    )
    return _PAGE.format(title=title, about=about, strips="\n".join(strips))


BLANK = "___"


@wire
class AnswerOption:
    """One thing to choose."""

    letter: str
    text: str


@wire
class AnswerQuestion:
    """A question of a worksheet; with options, the answer is a letter."""

    id: str
    prompt: str
    blanks: int
    options: tuple[AnswerOption, ...]


@wire
class AnswerSection:
    """Questions that belong together."""

    number: int
    title: str
    intro: str
    questions: tuple[AnswerQuestion, ...]


@wire(kw_only=True)
class AnswerSheet:
    """A worksheet as its token opens it, with what was written under the token so far."""

    title: str
    instructions: str
    sections: tuple[AnswerSection, ...]
    answers: Mapping[str, tuple[str, ...]]
    version: int
    open: bool
    closes_at: datetime
    handed_in_at: datetime | None


def sheet_of(held: Held, now: datetime) -> AnswerSheet:
    """What a token opens."""
    handout, row = held.handout, held.row
    worksheet = worksheet_of_handout(handout)
    return AnswerSheet(
        title=handout.title,
        instructions=_without_blanks(worksheet.instructions),
        sections=tuple(
            AnswerSection(
                each.number,
                each.title,
                each.intro,
                tuple(_question(each, question) for question in each.questions),
            )
            for each in worksheet.sections
        ),
        answers=row.answers,
        version=row.version,
        open=handout.is_open(now),
        closes_at=handout.closes_at,
        handed_in_at=row.handed_in_at,
    )


def _question(section: Section, question: Question) -> AnswerQuestion:
    asked = asked_of(section, question)
    if not asked.options or question.blanks != 1:
        return AnswerQuestion(question.id, _shown(question.prompt), question.blanks, ())
    options = tuple(AnswerOption(key, text) for key, text in asked.options.items())
    return AnswerQuestion(question.id, asked.stem, question.blanks, options)


def _without_blanks(instructions: str) -> str:
    """What to do, without where to write in a file."""
    sentences = re.split(r"(?<=[.!?])\s+", instructions.strip())
    return " ".join(each for each in sentences if BLANK not in each)


def _shown(prompt: str) -> str:
    """The prompt; a blank at its end is the field below it."""
    plain = prompt.strip()
    alone = plain.count(BLANK) == 1 and plain.endswith(BLANK)
    return plain.removesuffix(BLANK).strip() if alone else plain
