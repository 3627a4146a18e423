"""`teacher-adjudication`: the teacher judges every section; what was accepted is saved, once.

The hook goes round as long as a section is open. Its state is made again from the journal whenever
the run goes on, so the question may wait for days and be answered in another process.

A section is written anew by whoever answers the run. An answer that cannot be read, or that breaks
a rule, is asked for once more with the reasons; then the section stays as it was. A provider that
does not answer is a reason too, not the end of a run.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import anyio
from anyio import to_thread

from paige.agent.hooks import Hook, HookView, Proposal
from paige.agent.interactions import Reply
from paige.base.clock import to_iso
from paige.base.errors import PaigeError
from paige.base.events import Abort, Event, Modify, PostLoop
from paige.models.local import LOCAL
from paige.models.messages import user_message
from paige.models.prompts import render, untrusted
from paige.models.requests import Request
from paige.plan.class_fit import Fit, care_lines, judge_fit
from paige.plan.evidence import check_with
from paige.plan.hooks.checks import dump_evidence
from paige.plan.hooks.names import ADJUDICATION, SAVED
from paige.plan.judgements import (
    Review,
    Wish,
    answered,
    asked,
    begin,
    changes,
    failed,
    question,
    remarked,
    reopened,
    section_titles,
    tried,
    written,
)
from paige.plan.lessons.sections import open_titles
from paige.plan.products import (
    Product,
    file_stem,
    folder_of,
    free_path,
    parts_of,
    save_once,
    title_of,
)
from paige.plan.services import (
    SECTION,
    PlanServices,
    SectionWish,
    answered_at,
    class_of,
    product_in,
)
from paige.plan.workspace import find_class, profile_text

MOST_QUESTIONS = 400
SECONDS = 1800.0
ANSWER_SECONDS = 240.0
MAX_TOKENS = 6_000
TRIES = 2
_ALTERNATIVE = re.compile(r"<alternative>((?:(?!</?alternative>).)*+)</alternative>", re.S | re.I)
_FENCE = re.compile(r"^```(?:markdown|md)?\n(?P<text>.*)\n```$", re.S)
Check = Callable[[str], Sequence[str]]
"""What is wrong with a whole draft; nothing when it may be shown."""


def teacher_adjudication(services: PlanServices) -> Hook:
    """The hook; it is required: nothing is saved that was not judged."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PostLoop)
        product = product_in(services, view, event.output)
        if view.nested or product == "talk":
            return None
        case = view.memo["case"] = Case(services, class_of(view, event.output), product)
        remarks = await _in_step(view, "remarks", partial(case.remarks, event.output))
        return _ask(view, begin(event.output, remarks))

    async def resolve(view: HookView, event: Event, reply: Reply) -> Proposal:
        case: Case = view.memo["case"]
        judging, wishes = answered(view.memo["judging"], reply)
        for wish in wishes:
            judging = await _written(case, view, judging, wish)
        if not judging.done:
            look = partial(case.remarks, judging.markdown)
            remarks = await _in_step(view, f"remarks/{judging.asked}", look)
            return _ask(view, remarked(judging, remarks))
        # A draft may wait for days: the curriculum it points at may have changed since.
        last = partial(case.faults, judging.markdown)
        faults = await _in_step(view, f"final/{judging.asked}", last)
        if not faults:
            return await _end(case, view, judging)
        if reply.auto:
            return Abort(rule=ADJUDICATION, reason=" ".join(faults))
        return _ask(view, reopened(judging, faults))

    return Hook(
        ADJUDICATION,
        ("post_loop",),
        propose,
        resolve,
        required=True,
        seconds=SECONDS,
        asks_models=True,
        questions=MOST_QUESTIONS,
    )


@dataclass(frozen=True, slots=True)
class Case:
    """What is judged, for whom, and what it is judged with; its methods read files."""

    services: PlanServices
    class_id: str | None
    product: Product

    def fit(self, markdown: str) -> Fit:
        """How a draft fits the class."""
        profile = find_class(self.services.documents, self.class_id)
        return judge_fit(markdown, self.product, profile)

    def faults(self, markdown: str) -> list[str]:
        """What a draft may not have, whoever wrote the section."""
        report = check_with(markdown, self.services.documents)
        return [*self.fit(markdown).faults, *report.faults]

    def remarks(self, markdown: str) -> list[str]:
        """What the teacher should know: flaws, topics, rows that nobody has verified."""
        fit = self.fit(markdown)
        unsure = [
            f"{each.code} is unverified (grade {each.grade}): check it against the source."
            for each in check_with(markdown, self.services.documents).unverified
        ]
        return [*fit.flaws, *care_lines(fit.topics), *unsure]

    def profile(self) -> str:
        """The text of the class's profile."""
        documents = self.services.documents
        return profile_text(documents, find_class(documents, self.class_id))

    def place(self, markdown: str) -> str:
        """Where the draft will be saved."""
        services = self.services
        stem = file_stem(services.now().date(), self.class_id, title_of(markdown))
        return free_path(services.documents, folder_of(self.product, services.writes), stem)

    def save(self, judging: Review, place: str, decided: list[dict[str, Any]]) -> dict[str, Any]:
        """Save the draft; what is kept of it in the journal."""
        documents, markdown = self.services.documents, judging.markdown
        return {
            "path": save_once(documents, place, markdown),
            "product": self.product,
            "title": title_of(markdown),
            "sections": section_titles(markdown),
            "open": list(open_titles(markdown)),
            "evidence": dump_evidence(check_with(markdown, documents)),
            "decisions": decided,
            "changes": [asdict(each) for each in changes(judging)],
        }


async def _in_step(view: HookView, name: str, work: Callable[[], Any]) -> Any:  # noqa: ANN401 - JSON
    """Read or write files once, in a thread."""
    return await view.step(name, partial(to_thread.run_sync, work))


def _ask(view: HookView, judging: Review) -> Proposal:
    put = question(judging)
    view.memo["judging"] = asked(judging)
    return put


async def _written(case: Case, view: HookView, judging: Review, wish: Wish) -> Review:
    profile = await _in_step(view, "profile", case.profile)
    about = Subject(case.class_id, profile)
    made = await write_section(view, judging, wish, about, case.faults)
    if made.problem:
        return failed(judging, wish, made.problem)
    return written(judging, wish, made.texts)


async def _end(case: Case, view: HookView, judging: Review) -> Modify:
    """Save the lesson and make it what the run answers."""
    times = await answered_at(case.services, view)
    decided = [
        {**asdict(each), "at": to_iso(times.get(each.question) or case.services.now())}
        for each in judging.decided
    ]
    place = await _in_step(view, "place", partial(case.place, judging.markdown))
    saved = await _in_step(view, SAVED, partial(case.save, judging, place, decided))
    view.notes.update({name: saved[name] for name in ("path", "decisions", "evidence")})
    view.notes["auto"] = all(each.auto for each in judging.decided)
    return Modify(input={"output": judging.markdown})


@dataclass(frozen=True, slots=True)
class NewTexts:
    """New texts for a section, or why there are none."""

    texts: tuple[str, ...] = ()
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """The class a section is written for, and the text of its profile."""

    class_id: str | None
    profile: str


async def write_section(
    view: HookView, judging: Review, wish: Wish, about: Subject, check: Check
) -> NewTexts:
    """Texts that pass the checks, or the reason why not; journaled, so never paid for twice."""
    name = f"write/{judging.asked}/{wish.section}"
    faults: tuple[str, ...] = ()
    tries = 1 if view.source == LOCAL else TRIES
    for attempt in range(1, tries + 1):
        request = _request(judging, wish, about, faults)

        async def ask(request: Request = request, attempt: int = attempt) -> dict[str, str]:
            return await _answer_of(view, f"{name}/{attempt}", request)

        said = await view.step(f"{name}/{attempt}", ask)
        if "failed" in said:
            return NewTexts(problem=said["failed"])
        try:
            texts = read_texts(said["text"], wish.alternatives)
        except ValueError as error:
            faults = (str(error),)
            continue
        faults = await anyio.to_thread.run_sync(_faults, judging, wish, texts, check)
        if not faults:
            return NewTexts(texts)
    return NewTexts(problem=" ".join(faults))


def read_texts(answer: str, alternatives: int) -> tuple[str, ...]:
    """The texts in an answer. Raises: ValueError when there are not as many as were asked for."""
    texts = _from_json(answer) or tuple(each.strip() for each in _ALTERNATIVE.findall(answer))
    if not texts and not alternatives:
        texts = (answer,)
    texts = tuple(_unfenced(text) for text in texts if text.strip())
    wanted = alternatives or 1
    if len(texts) < wanted:
        raise ValueError(f"The answer holds {len(texts)} texts, {wanted} were asked for.")
    return texts[:wanted]


def _from_json(answer: str) -> tuple[str, ...]:
    """The texts of the local engine, which answers with a value."""
    try:
        value = json.loads(answer)
        return tuple(str(text) for text in value["texts"])
    except (ValueError, TypeError, KeyError):
        return ()


def _unfenced(text: str) -> str:
    found = _FENCE.match(text.strip())
    return found["text"] if found else text.strip("\n")


def _faults(judging: Review, wish: Wish, texts: Sequence[str], check: Check) -> tuple[str, ...]:
    found: list[str] = []
    for text in texts:
        try:
            found += check(tried(judging, wish, text))
        except PaigeError as error:
            found.append(f"{error.message}.")
    return tuple(dict.fromkeys(found))


async def _answer_of(view: HookView, name: str, request: Request) -> dict[str, str]:
    try:
        with anyio.fail_after(ANSWER_SECONDS):
            answer = await view.ask(name, request)
    except PaigeError as error:  # nobody answers, or local rules have nothing to say
        return {"failed": " ".join(filter(None, (f"{error.message}.", error.hint)))}
    except TimeoutError:
        return {"failed": f"Nobody answered within {ANSWER_SECONDS:g} seconds."}
    if answer.stop_reason == "refusal":
        return {
            "failed": f"The model refused: {answer.refusal or answer.text or 'no reason given'}."
        }
    return {"text": answer.text}


def _request(judging: Review, wish: Wish, about: Subject, faults: tuple[str, ...]) -> Request:
    part = next(each for each in parts_of(judging.markdown) if each.id == wish.section)
    inputs = SectionWish(
        markdown=judging.markdown,
        section=wish.section,
        title=part.title,
        text=part.text,
        wish=wish.text,
        alternatives=wish.alternatives,
        class_id=about.class_id,
        faults=faults,
    )
    if wish.alternatives:
        number, said = str(wish.alternatives), wish.text and f"The teacher says: {wish.text}"
        task = render("plan/section-alternatives", number=number, wish=said)
    else:
        task = render("plan/section-wish", wish=wish.text)
    material = [
        untrusted("the lesson", judging.markdown),
        untrusted("the section", f"## {part.title}\n\n{part.text}"),
    ]
    if about.profile:
        material.insert(0, untrusted("the class profile", about.profile))
    if faults:
        again = "\n".join(f"- {fault}" for fault in faults)
        material.append(f"Your last text was not used:\n{again}\nWrite it so that this is right.")
    return Request(
        purpose=SECTION,
        messages=(user_message("\n\n".join(material)),),
        system=render("plan/section", task=task, title=part.title),
        max_tokens=MAX_TOKENS,
        inputs=inputs,
    )
