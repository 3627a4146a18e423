"""The term behind Plan: lessons, worksheets and a unit, asked for and judged by a teacher.

Every run is a real one: shipped lessons come, the hooks ask, and answers come from the file of
the demo. A question that the file says nothing about is answered as by somebody who agrees.

Pupils who hand worksheets in have no names here either. What they get wrong they get wrong alike:
a number is one off, a letter or a word is that of a neighbour. That is what makes it worth a
teacher's while to look.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from random import Random
from typing import Any

from paige.agent.interactions import Interaction, Reply, dump_interaction, load_reply
from paige.agent.library.plugins import FoundCommand, get_command
from paige.agent.runs import OpenGate, RunState, continue_run, create_run, reply_to
from paige.agent.segment import Runtime
from paige.app.class_answers import AnswerSave, hand_out, look, propose, save_answers
from paige.app.demo.term import Json, Term, TermEvent, content
from paige.app.places import workspace_documents
from paige.app.plan_proposals import Proposals
from paige.app.plugin_runs import RunOptions, find_plugins, open_runtime, prepare_start
from paige.exercise.worksheet.values import Question, Worksheet
from paige.plan.handout.issue import NewHandout, worksheet_of_handout

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


def answer_happenings(term: Term) -> list[TermEvent]:
    """What is handed out, what comes back, and what is kept, each at its moment."""
    happenings: list[TermEvent] = []
    for each in content("plan")["handout"]:
        sheet = Sheet(each["lesson"], each["class"], each["codes"], each["answered"], each["right"])
        ids: list[str] = []
        for name, do in (("given", _give), ("answered_at", _answer), ("kept", _keep)):
            if name in each:  # one that is not kept yet is there to be looked at
                at = term.moment(**each[name])
                happenings.append(TermEvent(at, "plan", partial(do, term, sheet, ids)))
    return happenings


async def _give(term: Term, sheet: Sheet, ids: list[str]) -> None:
    documents = workspace_documents(term.app)
    path = next(path for path in documents.paths("lessons") if sheet.lesson in path)
    asked = NewHandout(
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
        given = AnswerSave(token=token, address=ADDRESS, answers=answers, version=0, hand_in=True)
        await save_answers(term.app, given)
        term.clock.wait(seconds=chance.randrange(20, 90))


async def _keep(term: Term, _: Sheet, ids: list[str]) -> None:
    [id] = ids
    proposals = Proposals(term.app)
    for each in await propose(term.app, id):
        await proposals.decide(each.key, "confirmed")


def answers_of(
    worksheet: Worksheet, likely: Mapping[str, float], chance: Random
) -> dict[str, tuple[str, ...]]:
    """What one pupil writes, each question right as often as is likely."""
    key: Mapping[str, Any] = worksheet.key or {}
    written: dict[str, tuple[str, ...]] = {}
    for question in worksheet.questions:
        right = _parts(key.get(question.id, ""))
        if chance.random() < likely[question.id]:
            written[question.id] = tuple(right)
        elif chance.random() < MOSTLY:
            written[question.id] = tuple(_wrong(each, worksheet, question) for each in right)
        else:
            written[question.id] = ("",) * len(right)  # left out
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


MOST_QUESTIONS = 12


@dataclass(frozen=True, slots=True)
class Wish:
    """A run of a teacher, and what they answer: by hook, by section."""

    prompt: str
    command: str = "create-lesson"
    known: str = ""
    reflections: Sequence[str] = ()
    revise: Mapping[str, str] | None = None
    remember: str = ""
    stop_at: str = ""


def plan_happenings(term: Term) -> list[TermEvent]:
    """What the teacher asks for in these weeks."""
    runs = content("plan")["run"]
    return [term.happening("plan", each, partial(_carry_out, term)) for each in runs]


async def _carry_out(term: Term, told: Json) -> None:
    app, named = term.app, {each.name for each in fields(Wish)}
    wish = Wish(**{name: value for name, value in told.items() if name in named})
    found: FoundCommand = get_command(find_plugins(app.settings).plugins, wish.command)
    async with open_runtime(app, found, RunOptions()) as opened:
        started = await prepare_start(app, opened, found, wish.prompt, RunOptions())
        run = await create_run(started.runtime, app.actor, started.new)
        state = await continue_run(started.runtime, app.actor, run.id)
        await _answer_all(term, started.runtime, state, wish)


async def _answer_all(term: Term, runtime: Runtime, state: RunState, wish: Wish) -> None:
    actor = term.app.actor
    judged = 0
    for _ in range(MOST_QUESTIONS):
        if not state.waiting:
            return
        gate = state.gates[0]
        hook = hook_of(gate)
        if hook == wish.stop_at:
            return  # it waits for whoever opens the demo
        judged += hook == "teacher-adjudication"
        term.clock.wait(minutes=2)
        reply = answer(gate.interaction, hook, wish, again=judged > 1)
        await reply_to(runtime, actor, gate, reply)
        state = await continue_run(runtime, actor, state.run.id)


def hook_of(gate: OpenGate) -> str:
    """Which hook asks."""
    return gate.row.gate.split("/")[-2]


def answer(asked: Interaction, hook: str, wish: Wish, *, again: bool) -> Reply:
    """What the teacher says."""
    given: Json = dump_interaction(asked)
    match hook:
        case "feedforward" if wish.known:
            return load_reply({"picked": {"": {"option": "modify", "text": wish.known}}})
        case "reflection-prompt":
            return load_reply({"texts": _reflected(given, wish)})
        case "teacher-adjudication" if wish.revise and not again:
            return load_reply({"picked": _judged(given, wish.revise)})
        case "memory-capture" if wish.remember:
            return load_reply({"picked": _edited(given, wish.remember)})
        case _:
            return load_reply(_agreed(given))


def _reflected(asked: Json, wish: Wish) -> list[str]:
    said = [*wish.reflections, *("Yes." for _ in asked["questions"])]
    return said[: len(asked["questions"])]


def _judged(asked: Json, revise: Mapping[str, str]) -> Json:
    return {
        each["id"]: {"option": "revise", "text": revise[each["id"]]}
        if each["id"] in revise
        else {"option": "accept"}
        for each in asked["sections"]
    }


def _edited(asked: Json, words: str) -> Json:
    sections = asked["sections"]
    first = sections[0]
    more = {"option": "edit", "text": f"{first['text']} {words}"}
    rest = {each["id"]: {"option": "confirm"} for each in sections[1:]}
    return {first["id"]: more, **rest}


def _agreed(asked: Json) -> Json:
    """What somebody says who likes everything."""
    match asked["kind"]:
        case "questions":
            return {"texts": ["Yes."] * len(asked["questions"])}
        case "free_text":
            return {"texts": [asked["initial"]]}
        case "choices":
            return {"picked": {"": {"option": asked["options"][0]["id"]}}}
        case _:
            first = asked["options"][0]["id"]
            return {"picked": {each["id"]: {"option": first} for each in asked["sections"]}}
