"""`scope-check`: a request that is no lesson planning ends the run before anything is asked."""

from anyio import to_thread

from paige.agent.hooks import Hook, HookView, Proposal
from paige.base.events import Abort, Event, PreLoop
from paige.plan.hooks.names import SCOPE_CHECK
from paige.plan.recognising import recognise
from paige.plan.scope import WHAT_IT_DOES, out_of_scope
from paige.plan.services import PlanServices
from paige.plan.workspace import read_classes


def scope_check(services: PlanServices) -> Hook:
    """The hook; it is required: a request that could not be judged is not let through."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PreLoop)
        if view.nested:  # an agent gave the task; the teacher's own request was judged before
            return None
        classes = await to_thread.run_sync(read_classes, services.documents)
        named = recognise(event.prompt, classes.profiles)
        going_on = bool(view.context.history)  # "shorter, please" is fine in a conversation
        reason = out_of_scope(event.prompt, names_class=bool(named.known) or going_on)
        view.notes["in_scope"] = reason is None
        if reason is None:
            return None
        return Abort(rule=SCOPE_CHECK, reason=f"{reason}. {WHAT_IT_DOES}.")

    return Hook(SCOPE_CHECK, ("pre_loop",), propose, required=True)
