"""`reflection-prompt`: before judging a draft the teacher is asked what they make of it."""

from functools import partial

from anyio import to_thread

from paige.agent.hooks import Hook, HookView, Proposal
from paige.agent.interactions import Questions, Reply
from paige.base.events import Event, PostLoop
from paige.plan.briefing import EARLIER
from paige.plan.fitting import care_lines
from paige.plan.hooks.about_run import answer_time, briefing_of, class_of, product_in
from paige.plan.hooks.names import REFLECTION
from paige.plan.reflecting import Draft, reflection_questions
from paige.plan.sensitive import find_topics
from paige.plan.services import PlanServices
from paige.plan.workspace import find_class

TITLE = "Before you judge it"
TEXT = "In your own words; an empty answer is fine. The draft follows:"


def reflection_prompt(services: PlanServices) -> Hook:
    """The hook; a fault of it is recorded and does not keep the teacher from the draft."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PostLoop)
        if view.nested or product_in(services, view, event.output) == "talk":
            return None
        ask = partial(_questions, services, view, event.output)
        view.memo["questions"] = await view.step("questions", partial(to_thread.run_sync, ask))
        text = f"{TEXT}\n\n{event.output.strip()}"
        return Questions(title=TITLE, questions=tuple(view.memo["questions"]), text=text)

    async def resolve(view: HookView, event: Event, reply: Reply) -> Proposal:
        asked = view.memo["questions"]
        answers = zip(asked, reply.texts, strict=True)
        view.notes.update(
            {
                "answers": [{"question": each, "answer": answer} for each, answer in answers],
                "auto": reply.auto,
                "at": await answer_time(services, view, 1),
            }
        )
        return None

    return Hook(REFLECTION, ("post_loop",), propose, resolve)


def _questions(services: PlanServices, view: HookView, markdown: str) -> list[str]:
    briefing = briefing_of(view)
    draft = Draft(
        command=services.command,
        markdown=markdown,
        profile=find_class(services.documents, class_of(view, markdown)),
        remembered=[
            item.removeprefix(EARLIER)
            for item in (briefing.known if briefing else ())
            if item.startswith(EARLIER)
        ],
        care=care_lines(find_topics(markdown)),
    )
    return list(reflection_questions(draft))
