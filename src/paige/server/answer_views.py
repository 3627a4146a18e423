"""Inside values of handouts as the wire shows them; the key of a worksheet never passes here."""

import re
from typing import TYPE_CHECKING

from paige.server import answer_wire as wire
from paige.server import plan_views

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paige.app.class_answers import SeenHandout
    from paige.app.class_answers_public import OpenSheet
    from paige.app.plan_proposals import Pending
    from paige.exercise.worksheet.values import Section
    from paige.plan.handouts import Handout

BLANK = "___"


def sheet_of(opened: "OpenSheet") -> wire.AnswerSheet:
    """A worksheet for whoever holds its token."""
    held, worksheet = opened.held, opened.worksheet
    return wire.AnswerSheet(
        title=held.handout.title,
        instructions=_without_blanks(worksheet.instructions),
        sections=[_section(each) for each in worksheet.sections],
        answers={name: list(parts) for name, parts in held.row.answers.items()},
        version=held.row.version,
        open=opened.open,
        closes_at=held.handout.closes_at,
        handed_in_at=held.row.handed_in_at,
    )


def item_of(handout: "Handout", *, open: bool, tokens: int, handed_in: int) -> wire.HandoutItem:
    """A handout in a list."""
    return wire.HandoutItem(
        id=handout.id,
        class_id=handout.class_id,
        title=handout.title,
        source=handout.source,
        created_at=handout.created_at,
        closes_at=handout.closes_at,
        open=open,
        kept=handout.kept_at is not None,
        tokens=tokens,
        handed_in=handed_in,
    )


def seen_of(seen: "SeenHandout") -> wire.HandoutSeen:
    """A handout with what came back."""
    from paige.plan.handout_counts import FEWEST  # noqa: PLC0415 - loaded by whoever asks

    counts = seen.counts
    return wire.HandoutSeen(
        item=_item(seen),
        codes=list(seen.tokens),
        share=round(counts.share, 4),
        fewest=FEWEST,
        questions=[wire.HandoutQuestion.model_validate(each) for each in counts.questions],
        errors=[
            wire.HandoutError(
                question=each.question,
                asked=each.asked,
                right=each.right,
                count=each.count,
                answer=each.answer or None,
                same=each.same,
            )
            for each in counts.errors
        ],
    )


def kept_of(seen: "SeenHandout", pending: "Sequence[Pending]") -> wire.HandoutKept:
    """What is proposed for memory."""
    proposals = [plan_views.proposal_of(each) for each in pending]
    return wire.HandoutKept(item=_item(seen), proposals=proposals)


def _item(seen: "SeenHandout") -> wire.HandoutItem:
    counts = seen.counts
    return item_of(seen.handout, open=seen.open, tokens=counts.tokens, handed_in=counts.handed_in)


def _section(section: "Section") -> wire.AnswerSection:
    from paige.plan.handout_counts import asked_of  # noqa: PLC0415 - loaded by whoever asks

    questions: list[wire.AnswerQuestion] = []
    for question in section.questions:
        asked = asked_of(section, question)
        options = [wire.AnswerOption(letter=key, text=text) for key, text in asked.options.items()]
        one = options and question.blanks == 1
        questions.append(
            wire.AnswerQuestion(
                id=question.id,
                prompt=asked.stem if one else _shown(question.prompt),
                blanks=question.blanks,
                options=options if one else [],
            )
        )
    return wire.AnswerSection(
        number=section.number, title=section.title, intro=section.intro, questions=questions
    )


def _without_blanks(instructions: str) -> str:
    """What to do, without where to write in a file."""
    sentences = re.split(r"(?<=[.!?])\s+", instructions.strip())
    return " ".join(each for each in sentences if BLANK not in each)


def _shown(prompt: str) -> str:
    """The prompt; a blank at its end is the field below it."""
    plain = prompt.strip()
    alone = plain.count(BLANK) == 1 and plain.endswith(BLANK)
    return plain.removesuffix(BLANK).strip() if alone else plain
