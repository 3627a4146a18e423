"""`teacher-adjudication`: the teacher judges every section; what was accepted is saved, once.

The hook goes round as long as a section is open. Its state is made again from the journal whenever
the run goes on, so the question may wait for days and be answered in another process.
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from anyio import to_thread

from paige.agent.hooks import Hook, HookView, Proposal
from paige.agent.interactions import Reply
from paige.base.clock import to_iso
from paige.base.events import Abort, Event, Modify, PostLoop
from paige.plan.adjudicating import (
    Judging,
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
    written,
)
from paige.plan.evidence import check_with
from paige.plan.fitting import Fit, care_lines, judge_fit
from paige.plan.hooks.about_run import answered_at, class_of, product_in
from paige.plan.hooks.curriculum_evidence import dump_evidence
from paige.plan.hooks.names import ADJUDICATION, SAVED
from paige.plan.hooks.section_writing import Subject, write_section
from paige.plan.open_sections import open_titles
from paige.plan.products import Product, folder_of, title_of
from paige.plan.saving import file_stem, free_path, save_once
from paige.plan.services import PlanServices
from paige.plan.workspace import find_class, profile_text

MOST_QUESTIONS = 400
SECONDS = 1800.0


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
            f"{each.pointer.code} is unverified (grade {each.grade}): check it against the source."
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

    def save(self, judging: Judging, place: str, decided: list[dict[str, Any]]) -> dict[str, Any]:
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


def _ask(view: HookView, judging: Judging) -> Proposal:
    put = question(judging)
    view.memo["judging"] = asked(judging)
    return put


async def _written(case: Case, view: HookView, judging: Judging, wish: Wish) -> Judging:
    profile = await _in_step(view, "profile", case.profile)
    about = Subject(case.class_id, profile)
    made = await write_section(view, judging, wish, about, case.faults)
    if made.problem:
        return failed(judging, wish, made.problem)
    return written(judging, wish, made.texts)


async def _end(case: Case, view: HookView, judging: Judging) -> Modify:
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
