"""`memory-capture`: proposes what to remember of a session; the teacher decides about each item.

Nothing is written without a decision of a person. An answer that nobody gave (`--yes`) leaves the
proposals as they are: proposed, and pending.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from anyio import to_thread

from paige.agent import queries
from paige.agent.hooks import Hook, HookView, Proposal
from paige.agent.interactions import Option, Picked, Reply, Section, Sections
from paige.base.clock import to_iso
from paige.base.errors import PaigeError
from paige.base.events import Event, PostLoop
from paige.memory.documents import captures
from paige.memory.documents.records import Use
from paige.memory.event import Provenance
from paige.memory.names.gate import NameGate
from paige.plan.adjudicating import Change
from paige.plan.capturing import Happened, Proposed, from_notes, propose
from paige.plan.hooks.about_run import answer_time, briefing_of, class_of, product_in
from paige.plan.hooks.names import ADJUDICATION, MEMORY_CAPTURE, SAVED
from paige.plan.services import PlanServices

OPTIONS = (
    Option("confirm", "Remember it"),
    Option("edit", "Remember it in other words", wants_text=True),
    Option("dismiss", "Do not remember it"),
)
DECISIONS: Mapping[str, captures.Decision] = {
    "confirm": "confirmed",
    "edit": "edited",
    "dismiss": "dismissed",
}
MOST_QUESTIONS = 100


def memory_capture(services: PlanServices) -> Hook:
    """The hook; a fault of it is recorded and takes nothing from the lesson."""

    async def propose_(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PostLoop)
        if view.nested or services.memory is None:
            view.notes["memory"] = "off" if services.memory is None else "nested"
            return None
        review = partial(_review, services, view, event.output)
        rows = await view.step("proposed", review)
        view.memo.update({"items": [Proposed(**row) for row in rows], "asked": 1, "decisions": []})
        return _question(view.memo["items"], {}) if rows else None

    async def resolve(view: HookView, event: Event, reply: Reply) -> Proposal:
        number = view.memo["asked"]
        at = await answer_time(services, view, number)
        decide = partial(_decide, services, view, reply)
        told = [
            await view.step(f"decided/{number}/{item.id}", partial(decide, item))
            for item in view.memo["items"]
        ]
        view.memo["decisions"] += [{**each, "at": at} for each in told]
        view.notes.update({"decisions": view.memo["decisions"], "auto": reply.auto})
        refused = {each["id"]: each["refused"] for each in told if each.get("refused")}
        again = [item for item in view.memo["items"] if item.id in refused]
        view.memo.update({"items": again, "asked": number + 1})
        return _question(again, refused) if again else None

    return Hook(MEMORY_CAPTURE, ("post_loop",), propose_, resolve, questions=MOST_QUESTIONS)


def _question(items: Sequence[Proposed], refused: Mapping[str, str]) -> Sections:
    shown = tuple(
        Section(item.id, _title(item), _text(item, refused.get(item.id))) for item in items
    )
    text = "Nothing is kept without your yes."
    if refused:
        text = "This could not be kept as it was written. Say it differently, or leave it."
    return Sections(title="Should I remember this?", sections=shown, options=OPTIONS, text=text)


def _title(item: Proposed) -> str:
    return f"About {item.class_id}" if item.class_id else "About you"


def _text(item: Proposed, refused: str | None) -> str:
    return f"{item.text}\n({item.why})" + (f"\n[Not kept: {refused}]" if refused else "")


async def _review(services: PlanServices, view: HookView, output: str) -> list[dict[str, Any]]:
    """What might be remembered of this session; that it was proposed is noted at once."""
    names = NameGate()
    if product_in(services, view, output) == "talk":
        items = await to_thread.run_sync(from_notes, output, names)
    else:
        happened = await _happened(services, view, output)
        items = await to_thread.run_sync(propose, happened, names)
    for item in items:
        record = partial(captures.record_proposed, now=services.now())
        await services.db.write(record, services.actor, _proposal(view, item))
    return [asdict(item) for item in items]


async def _happened(services: PlanServices, view: HookView, output: str) -> Happened:
    step = f"{view.path.rpartition('/')[0]}/{ADJUDICATION}/step/{SAVED}"
    saved = await services.db.read(queries.journal_result, services.actor, view.run, step) or {}
    briefing = briefing_of(view)
    changes = [
        Change(**{**row, "wishes": tuple(row["wishes"])}) for row in saved.get("changes", [])
    ]
    return Happened(
        class_id=class_of(view, output),
        changes=changes,
        said=briefing.said if briefing else "",
        logged=_logged(services, saved),
    )


def _logged(services: PlanServices, saved: Mapping[str, Any]) -> str:
    if saved.get("product") != "lesson":
        return ""
    codes = dict.fromkeys(each["code"] for each in saved["evidence"] if each["valid"])
    cited = f" ({', '.join(codes)})" if codes else ""
    return f"{services.now().date().isoformat()}: {saved['title']}{cited}, `{saved['path']}`"


async def _decide(
    services: PlanServices, view: HookView, reply: Reply, item: Proposed
) -> dict[str, Any]:
    """Carry out one decision, once; what may not be kept comes back with the reason."""
    told: dict[str, Any] = {
        "id": item.id,
        "scope": item.scope,
        "class": item.class_id,
        "path": item.path,
        "proposed": item.text,
    }
    if reply.auto:
        return {**told, "decision": "pending", "final": None}
    picked = reply.picked[item.id]
    decision = DECISIONS[picked.option]
    final = _final(item, picked)
    if final is not None:
        try:
            await to_thread.run_sync(partial(_write, services, view, item, final))
        except PaigeError as error:
            return {**told, "decision": "refused", "final": final, "refused": error.message}
    record = partial(captures.record_decided, final=final, now=services.now())
    await services.db.write(record, services.actor, _proposal(view, item), decision)
    return {**told, "decision": decision, "final": final, "decided_at": to_iso(services.now())}


def _final(item: Proposed, picked: Picked) -> str | None:
    match picked.option:
        case "dismiss":
            return None
        case "edit":
            return " ".join(picked.text.split())
        case _:
            return item.text


def _write(services: PlanServices, view: HookView, item: Proposed, final: str) -> None:
    assert services.memory is not None
    use = Use(
        by=MEMORY_CAPTURE,
        key=f"{view.run}:{view.path}:{item.id}:{final}",
        provenance=Provenance(view.session, view.run),
    )
    services.memory.documents.append(services.actor, item.path, f"- {final}", use=use)


def _proposal(view: HookView, item: Proposed) -> captures.Proposal:
    return captures.Proposal(
        key=f"{view.run}:{item.id}",
        path=item.path,
        text=item.text,
        provenance=Provenance(view.session, view.run),
    )
