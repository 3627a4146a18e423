"""A worksheet of the demo that a class answered: handed out, filled in, kept for the class.

Pupils have no names here either. What they get wrong they get wrong alike: a number is one off, a
letter or a word is that of a neighbour. That is what makes it worth a teacher's while to look.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from random import Random
from typing import Any

from paige.app.class_answers import hand_out, look, propose
from paige.app.class_answers_public import AnswersGiven, save_answers
from paige.app.demo_term import Happening, Term, content
from paige.app.places import workspace_documents
from paige.app.plan_proposals import Proposals
from paige.exercise.worksheet.values import Question, Worksheet
from paige.plan.handout_making import HandoutAsked, worksheet_of_handout

ADDRESS = "127.0.0.1"
MOSTLY = 0.8
"""How many of those who are wrong are wrong in the same way."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A handout of the demo: of which lesson, to whom, how many codes, how many came back."""

    lesson: str
    class_id: str
    codes: int
    answered: int
    right: float


def answer_happenings(term: Term) -> list[Happening]:
    """What is handed out, what comes back, and what is kept, each at its moment."""
    happenings: list[Happening] = []
    for each in content("plan")["handout"]:
        sheet = Sheet(each["lesson"], each["class"], each["codes"], each["answered"], each["right"])
        ids: list[str] = []
        for name, do in (("given", _give), ("answered_at", _answer), ("kept", _keep)):
            if name in each:  # one that is not kept yet is there to be looked at
                at = term.moment(**each[name])
                happenings.append(Happening(at, "plan", partial(do, term, sheet, ids)))
    return happenings


async def _give(term: Term, sheet: Sheet, ids: list[str]) -> None:
    documents = workspace_documents(term.app)
    path = next(path for path in documents.paths("lessons") if sheet.lesson in path)
    asked = HandoutAsked(
        markdown=documents.read(path).text,
        source=path,
        class_id=sheet.class_id,
        tokens=sheet.codes,
    )
    seen = await hand_out(term.app, asked, random=term.random(sheet.lesson).randbytes)
    ids.append(seen.handout.id)


async def _answer(term: Term, sheet: Sheet, ids: list[str]) -> None:
    [id] = ids
    seen = await look(term.app, id)
    worksheet = worksheet_of_handout(seen.handout)
    chance = term.random(f"{sheet.lesson} answers")
    hard = {each.id: chance.uniform(-0.3, 0.2) for each in worksheet.questions}
    for token in seen.tokens[: sheet.answered]:
        likely = {name: sheet.right + more for name, more in hard.items()}
        answers = answers_of(worksheet, likely, chance)
        await save_answers(term.app, token, AnswersGiven(answers, 0, hand_in=True), ADDRESS)
        term.clock.wait(seconds=chance.randrange(20, 90))


async def _keep(term: Term, _: Sheet, ids: list[str]) -> None:
    [id] = ids
    proposals = Proposals(term.app)
    for each in await propose(term.app, id):
        await proposals.decide(each.key, "confirmed")


def answers_of(
    worksheet: Worksheet, likely: Mapping[str, float], chance: Random
) -> dict[str, list[str]]:
    """What one pupil writes, each question right as often as is likely."""
    key: Mapping[str, Any] = worksheet.key or {}
    written: dict[str, list[str]] = {}
    for question in worksheet.questions:
        right = _parts(key.get(question.id, ""))
        if chance.random() < likely[question.id]:
            written[question.id] = right
        elif chance.random() < MOSTLY:
            written[question.id] = [_wrong(each, worksheet, question) for each in right]
        else:
            written[question.id] = [""] * len(right)  # left out
    return written


def _parts(key: str) -> list[str]:
    return [each.split(" / ")[0].strip() for each in key.split("; ")]


def _wrong(right: str, worksheet: Worksheet, question: Question) -> str:
    """The wrong answer that most of the wrong ones give."""
    if right.isdigit():
        return str(int(right) + 1)
    key = worksheet.key or {}
    near = [_parts(key[each.id])[0] for each in worksheet.questions if each.id in key]
    others = [each for each in near if each != right]
    place = question.section + question.number
    return others[place % len(others)] if others else ""
