"""`memory-capture`: proposes what to remember of a session; the teacher decides about each item.

Suggestions are made without a model: from what the teacher changed while judging, from what they
said before the lesson was written, and from notes that an agent was asked to make. Nobody is named
in them. Nothing is written without a decision of a person. An answer that nobody gave (`--yes`)
leaves the proposals as they are: proposed, and pending.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from anyio import to_thread

from paige.agent import queries
from paige.agent.hooks import Hook, HookView, Proposal
from paige.agent.interactions import Option, PickedOption, Reply, Section, Sections
from paige.base.clock import to_iso
from paige.base.errors import PaigeError
from paige.base.events import Event, PostLoop
from paige.language.names.gate import NameGate
from paige.language.words import sentences
from paige.memory.documents import captures
from paige.memory.documents.records import ENTRY, Use, entry_of
from paige.memory.event import Provenance
from paige.plan.hooks.names import ADJUDICATION, MEMORY_CAPTURE, SAVED
from paige.plan.judgements import Change
from paige.plan.known import LESSON_LOG
from paige.plan.lessons.sections import split_minutes
from paige.plan.lessons.text import shortened
from paige.plan.services import PlanServices, answer_time, briefing_of, class_of, product_in

MOST_PROPOSALS = 8
SOMEBODY = "one learner"
_LONGEST = 300
# Wishes about how a plan is written, rather than about these pupils.
_STYLE = re.compile(
    r"\b(?:informal|formal|register|tone|style|bullet|bullets|table|tables|wording|phras\w+|"
    r"spelling|british|american|concise|wordy|jargon|layout|format|heading\w*|bold|emoji\w*|"
    r"shorter sentences|plain english|plan(?:s)? (?:shorter|on one page)|always|never|in general|"
    r"i prefer|i like|i don't like|i want)\b",
    re.I,
)
# What holds for one day is not worth remembering.
_PASSING = re.compile(
    r"\b(?:today|tonight|tomorrow|yesterday|"
    r"this (?:time|once|lesson|week|period|morning|afternoon)|"
    r"(?:on|next) (?:mon|tues|wednes|thurs|fri)day|just once|for now)\b",
    re.I,
)
_NOTE = re.compile(
    r"^\s*[-*+]\s*\[(?P<scope>teacher|class\s++(?P<name>[^\]]+?))\]\s*(?P<text>.*\S)", re.I
)
_REPLACES = re.compile(r"(?:(?<!\s)\s++)?\(replaces .{0,500}\)\s*+$", re.I)
_CYCLE = re.compile(r"^learning cycle \d+\b.*", re.I)
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


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Something that might be remembered: where, in which words, and what led to it."""

    id: str
    path: str
    text: str
    why: str
    class_id: str | None = None

    @property
    def scope(self) -> str:
        """Whom it is about: `class` or `teacher`."""
        return "class" if self.class_id else "teacher"


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReview:
    """What a session is reviewed for."""

    class_id: str | None = None
    changes: Sequence[Change] = ()
    said: str = ""
    logged: str = ""  # the line about this lesson for the log of the class


def suggest(review: SessionReview, names: NameGate) -> tuple[Suggestion, ...]:
    """Proposals, each once, none naming anybody; the most telling ones first."""
    found: list[tuple[str, str, str | None]] = [
        *_from_minutes(review),
        *_from_wishes(review),
        *_from_said(review),
    ]
    proposals = _numbered(found[: MOST_PROPOSALS - 1], names)
    if review.logged and review.class_id:
        path = f"classes/{review.class_id}/{LESSON_LOG}"
        line = anonymous(review.logged, names)
        log = Suggestion("log", path, line, "The lesson was accepted", review.class_id)
        return (*proposals, log)
    return proposals


def from_notes(answer: str, names: NameGate) -> tuple[Suggestion, ...]:
    """The notes of an agent that was asked to make some: `- [class 3B] text`."""
    found: list[tuple[str, str, str | None]] = []
    for line in answer.split("\n"):
        if match := _NOTE.match(line):
            name = (match["name"] or "").strip() or None
            found.append((_REPLACES.sub("", match["text"]), "You asked to remember it", name))
    return _numbered(found[:MOST_PROPOSALS], names)


def anonymous(text: str, names: NameGate) -> str:
    """A text in which whoever is named has become one learner."""
    for span in reversed(names.find(text)):
        text = f"{text[: span.start]}{SOMEBODY}{text[span.end :]}"
    return text


def _numbered(
    found: Iterable[tuple[str, str, str | None]], names: NameGate
) -> tuple[Suggestion, ...]:
    proposals: list[Suggestion] = []
    seen: set[tuple[str | None, str]] = set()
    for text, why, class_id in found:
        line = shortened(anonymous(text, names), _LONGEST)
        if line and (class_id, line.casefold()) not in seen:
            seen.add((class_id, line.casefold()))
            path = entry_of(class_id) if class_id else ENTRY
            proposals.append(Suggestion(f"p{len(proposals) + 1}", path, line, why, class_id))
    return tuple(proposals)


def _from_minutes(review: SessionReview) -> Iterator[tuple[str, str, str | None]]:
    """A part that was made shorter or longer."""
    for change in review.changes:
        name, after = split_minutes(change.title)
        _, before = split_minutes(change.title_before)
        if before is None or after is None or before == after or not change.wishes:
            continue
        part = (
            "Learning cycles" if _CYCLE.match(name) else f"{name}s" if name == "Starter" else name
        )
        better = "shorter" if after < before else "longer"
        text = f"{part}: {better} works better ({after} minutes rather than {before})."
        why = f"You changed “{name}” from {before} to {after} minutes"
        yield text, why, review.class_id


def _from_wishes(review: SessionReview) -> Iterator[tuple[str, str, str | None]]:
    """What the teacher asked to be written differently; the same wish twice is a habit."""
    timed = {why for _, why, _ in _from_minutes(review)}
    wishes: dict[str, list[str]] = {}
    for change in review.changes:
        name, _ = split_minutes(change.title)
        if any(f"“{name}”" in why for why in timed) and len(change.wishes) == 1:
            continue  # said already by its minutes
        part = "Learning cycles" if _CYCLE.match(name) else name
        for wish in change.wishes:
            if not _PASSING.search(wish):
                wishes.setdefault(_tidy(wish), []).append(part)
    for wish, parts in wishes.items():
        several = len(set(parts)) > 1
        where = "" if several else f"{parts[0]}: "
        general = several or bool(_STYLE.search(wish))
        text = f"Prefers: {wish}" if several else f"{where}{wish}"
        named = ", ".join(f"“{part}”" for part in dict.fromkeys(parts))
        yield text, f"You asked for it in {named}", None if general else review.class_id


def _from_said(review: SessionReview) -> Iterator[tuple[str, str, str | None]]:
    """What the teacher added before the lesson was written."""
    for sentence in sentences(review.said):
        if len(sentence.split()) > 2 and not _PASSING.search(sentence):
            about = None if _STYLE.search(sentence) else review.class_id
            yield _tidy(sentence), "You said so before the lesson was written", about


def _tidy(text: str) -> str:
    line = " ".join(text.split())
    line = line[:1].upper() + line[1:]
    return line if line.endswith((".", "!", "?")) else f"{line}."


def memory_capture(services: PlanServices) -> Hook:
    """The hook; a fault of it is recorded and takes nothing from the lesson."""

    async def propose(view: HookView, event: Event) -> Proposal:
        assert isinstance(event, PostLoop)
        if view.nested or services.memory is None:
            view.notes["memory"] = "off" if services.memory is None else "nested"
            return None
        review = partial(_review, services, view, event.output)
        rows = await view.step("proposed", review)
        view.memo.update(
            {"items": [Suggestion(**row) for row in rows], "asked": 1, "decisions": []}
        )
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

    return Hook(MEMORY_CAPTURE, ("post_loop",), propose, resolve, questions=MOST_QUESTIONS)


def _question(items: Sequence[Suggestion], refused: Mapping[str, str]) -> Sections:
    shown = tuple(
        Section(item.id, _title(item), _text(item, refused.get(item.id))) for item in items
    )
    text = "Nothing is kept without your yes."
    if refused:
        text = "This could not be kept as it was written. Say it differently, or leave it."
    return Sections(title="Should I remember this?", sections=shown, options=OPTIONS, text=text)


def _title(item: Suggestion) -> str:
    return f"About {item.class_id}" if item.class_id else "About you"


def _text(item: Suggestion, refused: str | None) -> str:
    return f"{item.text}\n({item.why})" + (f"\n[Not kept: {refused}]" if refused else "")


async def _review(services: PlanServices, view: HookView, output: str) -> list[dict[str, Any]]:
    """What might be remembered of this session; that it was proposed is noted at once."""
    names = NameGate()
    if product_in(services, view, output) == "talk":
        items = await to_thread.run_sync(from_notes, output, names)
    else:
        reviewed = await _review_of(services, view, output)
        items = await to_thread.run_sync(suggest, reviewed, names)
    for item in items:
        record = partial(captures.record_proposed, now=services.now())
        await services.db.write(record, services.actor, _proposal(view, item))
    return [asdict(item) for item in items]


async def _review_of(services: PlanServices, view: HookView, output: str) -> SessionReview:
    step = f"{view.path.rpartition('/')[0]}/{ADJUDICATION}/step/{SAVED}"
    saved = await services.db.read(queries.journal_result, services.actor, view.run, step) or {}
    briefing = briefing_of(view)
    changes = [
        Change(**{**row, "wishes": tuple(row["wishes"])}) for row in saved.get("changes", [])
    ]
    return SessionReview(
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
    services: PlanServices, view: HookView, reply: Reply, item: Suggestion
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


def _final(item: Suggestion, picked: PickedOption) -> str | None:
    match picked.option:
        case "dismiss":
            return None
        case "edit":
            return " ".join(picked.text.split())
        case _:
            return item.text


def _write(services: PlanServices, view: HookView, item: Suggestion, final: str) -> None:
    assert services.memory is not None
    use = Use(
        by=MEMORY_CAPTURE,
        key=f"{view.run}:{view.path}:{item.id}:{final}",
        provenance=Provenance(view.session, view.run),
    )
    services.memory.documents.append(services.actor, item.path, f"- {final}", use=use)


def _proposal(view: HookView, item: Suggestion) -> captures.Proposal:
    return captures.Proposal(
        key=f"{view.run}:{item.id}",
        path=item.path,
        text=item.text,
        provenance=Provenance(view.session, view.run),
    )
