"""The checks of a finished lesson: whether it fits the class, and whether its claims hold.

A fault goes back to the model, at most twice in a run, then the run ends with the reasons. Local
rules would write the same again, so their first fault ends it. A flaw alone goes back once, because
a whole new lesson is dear, and never ends a run: the teacher is told.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from anyio import to_thread

from paige.agent.context import RunContext
from paige.agent.hooks import Hook, HookView, Proposal
from paige.base.events import Abort, Decision, Event, KeepWorking, PostLoop
from paige.models.local import LOCAL
from paige.plan.class_fit import judge_fit
from paige.plan.evidence import Report, check_with
from paige.plan.hooks.names import AGE_APPROPRIATE, CURRICULUM_EVIDENCE, REPORT
from paige.plan.services import PlanServices, class_of, product_in
from paige.plan.workspace import find_class

MOST_RETURNS = 2
MOST_FOR_FLAWS = 1
MOST_SHOWN = 12
EVIDENCE = ("file", "lines", "code", "quote", "grade", "valid", "reason")
"""What of a claim is kept in the journal."""
RETURNED = "[sent back by Paige]"
NOTHING_CITED = "No curriculum outcome is cited; a lesson points at the row it teaches"


@dataclass(frozen=True, slots=True)
class Findings:
    """What a check found: `faults` a lesson may not have, `flaws` it had better not have."""

    faults: tuple[str, ...] = ()
    flaws: tuple[str, ...] = ()


def times_returned(context: RunContext) -> int:
    """How often a lesson of this run went back to the model."""
    return sum(
        message.role == "user" and message.text.count(RETURNED) > 0 for message in context.own
    )


def decide(view: HookView, rule: str, found: Findings) -> Decision | None:
    """Let a lesson pass, send it back, or end the run."""
    view.notes.update({"faults": list(found.faults), "flaws": list(found.flaws)})
    most = MOST_RETURNS if found.faults else MOST_FOR_FLAWS if found.flaws else 0
    if view.source != LOCAL and times_returned(view.context) < most:
        return KeepWorking(reason=_returned(rule, (*found.faults, *found.flaws)))
    if found.faults:
        return Abort(rule=rule, reason=" ".join(_sentence(each) for each in found.faults))
    return None


def _returned(rule: str, reasons: Sequence[str]) -> str:
    shown = [f"- {_sentence(reason)}" for reason in reasons[:MOST_SHOWN]]
    more = [f"- And {len(reasons) - MOST_SHOWN} more."] if len(reasons) > MOST_SHOWN else []
    head = f"{RETURNED} `{rule}`: mend this and answer with the whole text again."
    return "\n".join([head, *shown, *more])


def _sentence(text: str) -> str:
    text = " ".join(text.split())
    return text if text.endswith((".", "!", "?")) else f"{text}."


def age_appropriate(services: PlanServices) -> Hook:
    """The hook; it is required: what could not be judged has failed."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PostLoop)
        product = product_in(services, view, event.output)
        if product == "talk":
            return None
        class_id = class_of(view, event.output)
        profile = await to_thread.run_sync(find_class, services.documents, class_id)
        fit = await to_thread.run_sync(judge_fit, event.output, product, profile)
        view.notes.update(
            {
                "class": class_id,
                "product": product,
                "reading_age": fit.reading_age,
                "topics": [each.topic.id for each in fit.topics],
            }
        )
        return decide(view, AGE_APPROPRIATE, Findings(fit.faults, fit.flaws))

    return Hook(AGE_APPROPRIATE, ("post_loop",), propose, required=True)


def curriculum_evidence(services: PlanServices) -> Hook:
    """The hook; it is required: a claim that could not be checked is not believed."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PostLoop)
        product = product_in(services, view, event.output)
        if product == "talk":
            return None
        report = await to_thread.run_sync(check_with, event.output, services.documents)
        dumped = dump_evidence(report)

        async def found() -> list[dict[str, Any]]:
            return dumped

        await view.step(REPORT, found)
        view.notes["evidence"] = dumped
        cites = bool(report.pointers) or product != "lesson"
        flaws = () if cites else (NOTHING_CITED,)
        return decide(view, CURRICULUM_EVIDENCE, Findings(report.faults, flaws))

    return Hook(CURRICULUM_EVIDENCE, ("post_loop",), propose, required=True)


def dump_evidence(report: Report) -> list[dict[str, Any]]:
    """A report as JSON: one row for each pointer, then for each claim that has none."""
    pointed = [
        (each.file, each.lines, each.code, each.quote, each.grade, each.valid, each.reason or "")
        for each in report.pointers
    ]
    unpointed = [
        ("", "", each.code, each.text, None, False, each.reason)
        for each in report.claims_without_pointer
    ]
    return [dict(zip(EVIDENCE, row, strict=True)) for row in (*pointed, *unpointed)]
