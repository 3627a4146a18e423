"""What the life cycle has to know about the whole log, kept so that no job reads it twice.

A fold over events: outcomes of the window, policy records, sessions that are still open, memories
that were used since the last batch, counts by type. It is derived and disposable like the index: a
lost ledger is made again from the first event on. It is one small file, written at once, read by
whoever runs the jobs next.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from paige.base.clock import from_iso
from paige.base.errors import BadInput
from paige.base.files import write_atomic
from paige.memory.event import Event, dump_event, ids_in, load_event
from paige.memory.intake.fingerprints import is_import, text_hash
from paige.memory.lifecycle.held_memory import PREFIX
from paige.memory.lifecycle.outcomes import Outcome, PolicyRef, outcome_of, read_ref
from paige.memory.lifecycle.stats import EventCount

VERSION = 1
MOST_OUTCOMES = 4000
MOST_TOUCHED = 20_000
MOST_SAID = 10_000
MOST_REFS = 2000
_OPENS_SESSION = frozenset(
    {"note", "turn", "fact", "preference", "episode", "pattern", "anti_pattern", "qa"}
)
# What is worth counting when it is said again; turns of a talk are not.
_REPEATED = frozenset({"note", "fact", "preference", "qa"})


class Place(NamedTuple):
    """The last event that was taken in of a log; by its id a replaced log is noticed."""

    seq: int
    id: str


@dataclass(slots=True)
class Ledger:
    """The state of the life cycle. Sets are kept as dicts, because those have an order."""

    cursors: dict[str, Place] = field(default_factory=dict)  # by log
    counts: dict[str, EventCount] = field(default_factory=dict)
    outcomes: list[Outcome] = field(default_factory=list)
    policies: list[Event] = field(default_factory=list)
    sessions: dict[str, datetime] = field(default_factory=dict)  # open ones: the last event
    touched: dict[str, None] = field(default_factory=dict)  # to be scored again
    said: dict[str, int] = field(default_factory=dict)  # how often, by what was said, lately
    long_term: dict[str, None] = field(default_factory=dict)  # promoted without a project
    refs: dict[str, PolicyRef] = field(default_factory=dict)  # by session: the policy it used
    written: dict[str, None] = field(default_factory=dict)  # events with a derived id
    erase: dict[str, None] = field(default_factory=dict)  # forgotten, content maybe still there
    marks: dict[str, int] = field(default_factory=dict)  # where each sweep goes on
    episodes: int = 0  # since patterns were derived last

    def place(self, log: str) -> Place:
        """How far a log was taken in."""
        return self.cursors.get(log, Place(0, ""))

    def take_in(self, log: str, events: Iterable[Event]) -> int:
        """Apply the next events of a log; returns how many."""
        taken = 0
        for event in events:
            self.apply(event)
            self.cursors[log] = Place(event.seq, event.id)
            taken += 1
        return taken

    def apply(self, event: Event) -> None:
        """Apply one event."""
        before = self.counts.get(event.type)
        self.counts[event.type] = before.plus(event.at) if before else EventCount(1, event.at)
        if event.forgotten:
            return
        if event.id.startswith(PREFIX):
            self.written[event.id] = None
        if event.type in _OPENS_SESSION and _of_open_session(event):
            known = self.sessions.pop(event.session or "", event.at)
            self.sessions[event.session or ""] = max(known, event.at)
        if event.type in _REPEATED and not is_import(event.payload):
            self._hear(_said(event))
        self._note(event)

    def reinforced(self, event: Event) -> int:
        """How often the same was said again, as far as it is remembered."""
        return max(0, self.said.get(_said(event), 1) - 1)

    def _hear(self, what: str) -> None:
        self.said[what] = self.said.pop(what, 0) + 1
        while len(self.said) > MOST_SAID:
            self.said.pop(next(iter(self.said)))

    def _note(self, event: Event) -> None:
        match event.type:
            case "outcome":
                self._add_outcome(event)
            case "recalled":
                self._touch(ids_in(event.payload.get("ids")))
                self._remember_policy(event)
            case "policy":
                self.policies.append(event)
            case "promoted":
                if event.payload.get("to") == "session":
                    self.long_term |= dict.fromkeys(ids_in(event.payload.get("of")))
            case "forgotten":
                self._forget(ids_in(event.payload.get("ids")))
            case "episode":
                self.episodes += 1

    def _add_outcome(self, event: Event) -> None:
        outcome = outcome_of(event)
        if outcome is not None:
            if outcome.policy is None and outcome.session in self.refs:
                outcome = replace(outcome, policy=self.refs[outcome.session])
            self.outcomes.append(outcome)
            self._touch(outcome.recalled)
        if len(self.outcomes) > 2 * MOST_OUTCOMES:
            del self.outcomes[:-MOST_OUTCOMES]

    def _remember_policy(self, event: Event) -> None:
        ref = read_ref(event.payload.get("policy"))
        if ref is not None and event.session:
            self.refs.pop(event.session, None)
            self.refs[event.session] = ref
        while len(self.refs) > MOST_REFS:
            self.refs.pop(next(iter(self.refs)))

    def _touch(self, ids: Iterable[str]) -> None:
        self.touched |= dict.fromkeys(ids)
        while len(self.touched) > MOST_TOUCHED:
            self.touched.pop(next(iter(self.touched)))

    def _forget(self, ids: list[str]) -> None:
        gone = set(ids)
        self.erase |= dict.fromkeys(ids)
        self.outcomes = [each for each in self.outcomes if each.id not in gone]
        self.policies = [each for each in self.policies if each.id not in gone]
        for id in ids:
            self.touched.pop(id, None)
            self.long_term.pop(id, None)


def save_ledger(path: Path, ledger: Ledger) -> None:
    """Write it so that a reader sees the old one or the new one."""
    lists = ("touched", "long_term", "written", "erase")
    written = {
        **{each.name: getattr(ledger, each.name) for each in fields(ledger)},
        **{name: list(getattr(ledger, name)) for name in lists},
        "version": VERSION,
        "policies": [dump_event(each) for each in ledger.policies],
    }
    write_atomic(path, orjson.dumps(written, option=orjson.OPT_UTC_Z, default=list))


def load_ledger(path: Path) -> Ledger:
    """Read it; one that is missing, damaged or of another version starts from nothing."""
    try:
        found = orjson.loads(path.read_bytes())
        return _load(found) if found["version"] == VERSION else Ledger()
    except FileNotFoundError:
        return Ledger()
    except (OSError, BadInput, KeyError, TypeError, ValueError, AttributeError):
        return Ledger()  # it can be made again from the log, and is


def load_policies(path: Path) -> list[Event]:
    """Only the policy records: for those who want to know what holds, and nothing else."""
    try:
        found = orjson.loads(path.read_bytes())
        return (
            [load_event(each) for each in found["policies"]] if found["version"] == VERSION else []
        )
    except (OSError, BadInput, KeyError, TypeError, ValueError):
        return []


def _load(found: Mapping[str, Any]) -> Ledger:
    return Ledger(
        cursors={str(name): Place(int(seq), id) for name, (seq, id) in found["cursors"].items()},
        counts={
            name: EventCount(int(number), from_iso(last))
            for name, (number, last) in found["counts"].items()
        },
        outcomes=[_load_outcome(each) for each in found["outcomes"]],
        policies=[load_event(each) for each in found["policies"]],
        sessions={name: from_iso(at) for name, at in found["sessions"].items()},
        touched=dict.fromkeys(found["touched"]),
        said={str(what): int(times) for what, times in found["said"].items()},
        long_term=dict.fromkeys(found["long_term"]),
        refs={session: PolicyRef(*ref) for session, ref in found["refs"].items()},
        written=dict.fromkeys(found["written"]),
        erase=dict.fromkeys(found["erase"]),
        marks={str(name): int(mark) for name, mark in found["marks"].items()},
        episodes=int(found["episodes"]),
    )


def _load_outcome(found: Mapping[str, Any]) -> Outcome:
    policy = found["policy"]
    return Outcome(
        **{
            **found,
            "at": from_iso(found["at"]),
            "recalled": tuple(found["recalled"]),
            "policy": PolicyRef(*policy) if policy else None,
        }
    )


def _said(event: Event) -> str:
    return text_hash(f"{event.owner}\n{event.text}")[:16]


def _of_open_session(event: Event) -> bool:
    return event.scope == "session" and bool(event.session) and not is_import(event.payload)
