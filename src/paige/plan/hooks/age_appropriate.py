"""`age-appropriate`: what is written for a class must fit its year, or nobody gets to see it."""

from functools import partial

from anyio import to_thread

from paige.agent.hooks import Hook, HookView, Proposal
from paige.base.events import Event, PostLoop
from paige.plan.fitting import Fit, judge_fit
from paige.plan.hooks.about_run import class_of, product_in
from paige.plan.hooks.checking import Judged, decide
from paige.plan.hooks.names import AGE_APPROPRIATE
from paige.plan.products import Product
from paige.plan.services import PlanServices
from paige.plan.workspace import find_class


def age_appropriate(services: PlanServices) -> Hook:
    """The hook; it is required: what could not be judged has failed."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PostLoop)
        product = product_in(services, view, event.output)
        if product == "talk":
            return None
        class_id = class_of(view, event.output)
        judge = partial(_judge, services, class_id, product, event.output)
        fit = await to_thread.run_sync(judge)
        view.notes.update(
            {
                "class": class_id,
                "product": product,
                "reading_age": fit.reading_age,
                "topics": [each.topic.id for each in fit.topics],
            }
        )
        return decide(view, AGE_APPROPRIATE, Judged(fit.faults, fit.flaws))

    return Hook(AGE_APPROPRIATE, ("post_loop",), propose, required=True)


def _judge(services: PlanServices, class_id: str | None, product: Product, markdown: str) -> Fit:
    return judge_fit(markdown, product, find_class(services.documents, class_id))
