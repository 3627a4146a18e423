"""What the broker needs to know, folded from its logs at every question: slow, small, right."""

from collections.abc import Iterator

from paige.memory.access import Reader, may_read
from paige.memory.event import Event
from paige.memory.intake.fingerprints import fact_slot, fingerprint, is_import, text_hash
from paige.memory.log.log import Log


class FoldedLogs:
    """Answers like the index; `asked` counts the questions."""

    def __init__(self, *logs: Log) -> None:
        self.logs = list(logs)
        self.asked = 0
        self.new = 1.0

    def follow(self, log: Log) -> None:
        """Look into this one too."""
        if log not in self.logs:
            self.logs.append(log)

    def events(self) -> Iterator[Event]:
        """Everything in all logs."""
        for log in self.logs:
            yield from log.read()

    def has_id(self, id: str) -> bool:
        """Whether it was ever logged."""
        self.asked += 1
        return any(event.id == id for event in self.events())

    def find_duplicate(self, fingerprint_: str) -> str | None:
        """The first with this fingerprint."""
        self.asked += 1
        own = (event for event in self.events() if not is_import(event.payload))
        return next((event.id for event in own if fingerprint(event) == fingerprint_), None)

    def current_fact(self, slot: str) -> str | None:
        """The latest value of a slot."""
        self.asked += 1
        own = [event for event in self.events() if not is_import(event.payload)]
        return max(
            ((event.at, event.seq, event.id) for event in own if fact_slot(event) == slot),
            default=(None, None, None),
        )[2]

    def current(self) -> dict[str, Event]:
        """Every event that nothing superseded, by id."""
        found = {event.id: event for event in self.events()}
        for event in list(found.values()):
            if event.supersedes:
                found.pop(event.supersedes, None)
        return found

    def event(self, id: str, reader: Reader) -> Event | None:
        """By its id, when the reader may see it."""
        self.asked += 1
        found = next((event for event in self.events() if event.id == id), None)
        return found if found is not None and may_read(reader, found) else None

    def recently_recalled(self, session: str, said: str) -> bool:
        """Whether it was put into a prompt of the session."""
        self.asked += 1
        texts = {event.id: text_hash(event.text) for event in self.events()}
        return any(
            texts.get(id) == said
            for event in self.events()
            if event.type == "recalled" and event.session == session
            for id in event.payload["ids"]
        )

    def novelty(self, text: str, reader: Reader, *, project: str | None = None) -> float:
        """As a test sets it."""
        self.asked += 1
        return self.new
