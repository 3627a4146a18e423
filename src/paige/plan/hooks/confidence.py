"""`confidence`: how sure a teacher is of a draft before judging it, where an agent lists it."""

from paige.agent.hooks import Hook, HookView, Proposal
from paige.agent.interactions import Choices, Option, Reply
from paige.base.events import Event, PostLoop
from paige.plan.hooks.about_run import answer_time, product_in
from paige.plan.hooks.names import CONFIDENCE
from paige.plan.services import PlanServices

SKIP = "skip"
LABELS = (
    "1: not at all",
    "2: a little",
    "3: half and half",
    "4: fairly",
    "5: completely",
)
OPTIONS = (
    *(Option(label[0], label) for label in LABELS),
    Option(SKIP, "I would rather not say"),
)


def rating_of(reply: Reply) -> int | None:
    """The rating a person gave; none was given by someone who skipped it or was not there."""
    return None if reply.auto or reply.option == SKIP else int(reply.option)


def confidence(services: PlanServices) -> Hook:
    """The hook."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PostLoop)
        if view.nested or product_in(services, view, event.output) == "talk":
            return None
        return Choices(
            title="How sure are you that this draft will work in your class?", options=OPTIONS
        )

    async def resolve(view: HookView, event: Event, reply: Reply) -> Proposal:
        view.notes.update(
            {
                "rating": rating_of(reply),
                "auto": reply.auto,
                "at": await answer_time(services, view, 1),
            }
        )
        return None

    return Hook(CONFIDENCE, ("post_loop",), propose, resolve)
