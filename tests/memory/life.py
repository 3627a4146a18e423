"""A memory small enough to see through, for tests of the life cycle: events in a list.

It keeps the rules of the real one that matter here: ids are taken once, later events change what
became of earlier ones, and nothing is removed from the log.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

from paige.memory.event import DEFAULT_IMPORTANCE, AgentRef, Draft, Event, Provenance
from paige.memory.lifecycle.held_memory import HeldMemory, Page
from paige.memory.lifecycle.thresholds import read_lifecycle

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)
DAY = timedelta(days=1)
LIFE = read_lifecycle([])
UNSEARCHABLE = {
    "policy", "outcome", "promoted", "rescoped", "importance", "retracted", "forgotten",
    "recalled", "file_written",
}  # fmt: skip


def event(number: int = 1, text: str = "", **changes: Any) -> Event:
    """An event with an id made from its number."""
    fields: dict[str, Any] = {
        "id": f"e{number}",
        "seq": number,
        "at": NOON,
        "type": "note",
        "scope": "session",
        "owner": "me",
        "session": "s1",
        "text": text or f"memory {number}",
    }
    return Event(**{**fields, **changes})


def held(number: int = 1, text: str = "", **changes: Any) -> HeldMemory:
    """A memory as it stands now; `importance`, `recalls`, `tier` … belong to it."""
    own = {name: changes.pop(name) for name in HeldMemory.__dataclass_fields__ if name in changes}
    made = event(number, text, **changes)
    return HeldMemory(**{"event": made, "importance": made.importance, **own})


class Taken(NamedTuple):
    """What the broker says."""

    status: str
    reason: str | None = None


@dataclass
class SmallMemory:
    """Log, broker and index in one."""

    events: list[Event] = field(default_factory=list)
    now: datetime = NOON
    erased: set[str] = field(default_factory=set)
    refuse: set[str] = field(default_factory=set)  # types the broker does not take

    def read(self, after: int = 0, *, limit: int | None = None) -> Iterator[Event]:
        chosen = [each for each in self.events if each.seq > after]
        return iter(chosen if limit is None else chosen[:limit])

    def last_seq(self) -> int:
        return len(self.events)

    def write(self, drafts: Sequence[Draft]) -> list[Taken]:
        return [self._take(draft) for draft in drafts]

    def add(self, text: str = "", **fields: Any) -> str:
        """Remember something; returns its id."""
        draft = Draft(text=text, **{"scope": "session", "session": "s1", **fields})
        assert self._take(draft).status == "stored"
        return self.events[-1].id

    def of_type(self, *types: str) -> list[Event]:
        return [each for each in self.events if each.type in types]

    def logs(self) -> Mapping[str, "SmallMemory"]:
        return {"main": self}

    def erase(self, ids: Collection[str]) -> int:
        new = set(ids) - self.erased
        self.erased |= new
        self.events = [
            replace(each, text="", payload={}, forgotten=True) if each.id in new else each
            for each in self.events
        ]
        return len(new)

    # Reading

    def get(self, ids: Collection[str]) -> list[HeldMemory]:
        return [each for each in self.all() if each.id in ids]

    def of_session(self, session: str, limit: int) -> list[HeldMemory]:
        return [each for each in self.all() if each.event.session == session][:limit]

    def newest(self, types: Collection[str], limit: int) -> list[HeldMemory]:
        return [each for each in self.all() if each.event.type in types and each.current][-limit:]

    def aged(self, before: datetime, *, after: int, limit: int) -> Page:
        found = [h for h in self.all() if h.event.seq > after and h.event.at < before][:limit]
        return Page(found, found[-1].event.seq if len(found) == limit else None)

    def all(self) -> list[HeldMemory]:
        known: dict[str, HeldMemory] = {}
        for each in self.events:
            if each.type not in UNSEARCHABLE and not each.forgotten:
                known[each.id] = HeldMemory(event=each, importance=each.importance)
            self._apply(known, each)
        return sorted(known.values(), key=lambda each: each.event.seq)

    def _take(self, draft: Draft) -> Taken:
        if draft.type in self.refuse:
            return Taken("refused", "the test says no")
        if draft.id is not None and any(each.id == draft.id for each in self.events):
            return Taken("duplicate")
        seq = len(self.events) + 1
        self.events.append(
            Event(
                id=draft.id or f"e{seq}",
                seq=seq,
                at=draft.at or self.now,
                type=draft.type,
                scope=draft.scope or "session",
                owner=draft.owner or "me",
                project=draft.project,
                session=draft.session,
                acl=draft.acl,
                agent=draft.agent or AgentRef(),
                task=draft.task,
                text=draft.text,
                payload=draft.payload,
                outcome=draft.outcome,
                importance=DEFAULT_IMPORTANCE if draft.importance is None else draft.importance,
                evidence=draft.evidence,
                provenance=draft.provenance or Provenance(),
                supersedes=draft.supersedes,
            )
        )
        return Taken("stored")

    def _apply(self, known: dict[str, HeldMemory], each: Event) -> None:
        payload = each.payload
        named = [id for id in payload.get("of") or payload.get("ids") or () if id in known]
        if each.supersedes in known:
            known[each.supersedes] = replace(known[each.supersedes], current=False)
        if each.type == "importance":
            scores = payload["scores"].items()
            known |= {id: replace(known[id], importance=to) for id, to in scores if id in known}
        for id in named:
            changed = self._changed(known.pop(id), each)
            if changed is not None:
                known[id] = changed

    def _changed(self, held: HeldMemory, by: Event) -> HeldMemory | None:
        match by.type:
            case "promoted":
                moved = replace(held.event, scope=by.payload["to"], project=by.payload["project"])
                return replace(held, event=moved)
            case "summary":
                return replace(held, tier=by.payload["tier"])
            case "recalled":
                return replace(held, recalls=held.recalls + 1, last_recall=by.at)
            case "retracted" | "forgotten":
                return None
        return held
