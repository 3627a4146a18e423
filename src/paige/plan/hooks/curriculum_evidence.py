"""`curriculum-evidence`: every claim about the curriculum is looked up before anybody reads it."""

from typing import Any

from anyio import to_thread

from paige.agent.hooks import Hook, HookView, Proposal
from paige.base.events import Event, PostLoop
from paige.plan.evidence import Report, check_with
from paige.plan.hooks.about_run import product_in
from paige.plan.hooks.checking import Judged, decide
from paige.plan.hooks.names import CURRICULUM_EVIDENCE, REPORT
from paige.plan.services import PlanServices

NOTHING_CITED = "No curriculum outcome is cited; a lesson points at the row it teaches"


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
        return decide(view, CURRICULUM_EVIDENCE, Judged(report.faults, flaws))

    return Hook(CURRICULUM_EVIDENCE, ("post_loop",), propose, required=True)


def dump_evidence(report: Report) -> list[dict[str, Any]]:
    """A report as JSON: one row for each pointer, then for each claim that has none."""
    pointed = [
        {
            "file": each.pointer.path,
            "lines": each.pointer.lines,
            "code": each.pointer.code,
            "quote": each.pointer.quote,
            "grade": each.grade,
            "valid": each.valid,
            "reason": each.reason,
        }
        for each in report.pointers
    ]
    unpointed = [
        {
            "file": "",
            "lines": "",
            "code": each.code,
            "quote": each.text,
            "grade": None,
            "valid": False,
            "reason": each.reason,
        }
        for each in report.claims_without_pointer
    ]
    return [*pointed, *unpointed]
