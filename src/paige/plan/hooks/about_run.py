"""What a hook can tell about its run: the class, what was confirmed, when a gate was answered."""

import re
from datetime import datetime

from paige.agent import queries
from paige.agent.hooks import HookView
from paige.base.clock import to_iso
from paige.plan.briefing import Briefing, read_briefing
from paige.plan.lesson_facts import facts_of
from paige.plan.products import Product, product_of
from paige.plan.services import PlanServices

_NAME = re.compile(r"[\w.+-]{1,16}")


def briefing_of(view: HookView) -> Briefing | None:
    """What the teacher confirmed in this conversation, if anything yet."""
    return read_briefing(view.context.history)


def class_of(view: HookView, draft: str = "") -> str | None:
    """The class of a run: the one that was confirmed, or the one it was started with.

    Who asks to change a lesson may not name its class; then the draft says it.
    """
    briefing = briefing_of(view)
    if briefing is not None and briefing.class_id:
        return briefing.class_id
    said = facts_of(draft).get("Class", "")
    return view.inputs.get("class_id") or (said if _NAME.fullmatch(said) else None)


def product_in(services: PlanServices, view: HookView, markdown: str) -> Product:
    """What a text is; an agent that was handed the work makes what it is there for."""
    handed_over = bool(services.agent) and view.agent != services.agent
    return product_of("" if handed_over else services.command, markdown)


async def answered_at(services: PlanServices, view: HookView) -> dict[int, datetime]:
    """When each question of this hook was answered, by its number."""
    gates = await services.db.read(queries.gates_of, services.actor, view.run)
    own = f"{view.path}/"
    return {
        int(number): row.answered_at
        for row in gates
        if row.gate.startswith(own) and row.answered_at is not None
        if (number := row.gate.removeprefix(own)).isdecimal()
    }


async def answer_time(services: PlanServices, view: HookView, number: int) -> str:
    """When one question was answered, as text."""
    moment = (await answered_at(services, view)).get(number)
    return to_iso(moment or services.now())
