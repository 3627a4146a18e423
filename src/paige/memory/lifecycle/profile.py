"""What is known about a person's preferences, as a short text that fits into a prompt.

The profile is derived: from the current facts and preferences of one person, newest per key, most
important first. It is never edited; a new fact changes it, a retracted one leaves it. It is cut to
a token budget by leaving out whole lines, the least important first.

What is said of a project, a class or a learner is not said of its owner, and the same key means
something else in each, so it stays out.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from paige.base.tokens import count_tokens_bound
from paige.memory.event import Event
from paige.memory.lifecycle.queries import HeldMemories

_TYPES = ("preference", "fact")
_SCOPES = ("global", "teacher")
MOST = 2000  # facts that are looked through, the newest
_TITLE = "## Profile"
_OTHER = "general"


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileThresholds:
    """How much of a prompt it may take, unless somebody names another budget."""

    most_tokens: int


class Trait(NamedTuple):
    """One line of a profile."""

    key: str
    text: str
    importance: float
    at: datetime
    id: str
    preference: bool

    @property
    def topic(self) -> str:
        """The first part of the key: `editor` of `editor.theme`."""
        topic, dot, _ = self.key.partition(".")
        return topic if dot else _OTHER


class Profile(NamedTuple):
    """Everything known about one person that has a key, most important first."""

    person: str
    traits: tuple[Trait, ...]


def derive_profile(current: Iterable[Event], person: str) -> Profile:
    """The profile from the events that are current now; the newest of a key wins."""
    newest: dict[str, Event] = {}
    for event in sorted(current, key=lambda each: (each.at, each.seq)):
        if _tells(event, person):
            newest[event.key or ""] = event
    traits = [
        Trait(key, _line(event), event.importance, event.at, event.id, event.type == "preference")
        for key, event in newest.items()
    ]
    return Profile(person, tuple(sorted(traits, key=_rank)))


def profile_of(reading: HeldMemories, person: str) -> Profile:
    """The profile of a person from everything that is current."""
    known = reading.newest(_TYPES, MOST)
    # Use has changed what matters since it was said.
    return derive_profile(
        (replace(each.event, importance=each.importance) for each in known), person
    )


def render_profile(profile: Profile, budget_tokens: int) -> str:
    """Markdown of at most so many tokens; empty when nothing is known or nothing fits."""
    chosen: list[Trait] = []
    text = ""
    for trait in profile.traits:
        longer = _markdown([*chosen, trait])
        if count_tokens_bound(longer) <= budget_tokens:
            chosen.append(trait)
            text = longer
    return text


def _tells(event: Event, person: str) -> bool:
    return (
        event.owner == person
        and event.type in _TYPES
        and event.scope in _SCOPES
        and not event.forgotten
        and bool(event.key)
        and bool(event.text.strip())
    )


def _line(event: Event) -> str:
    return " ".join(event.text.split())


def _rank(trait: Trait) -> tuple[bool, float, float, str]:
    # Preferences before facts, then importance, then the newer one.
    return not trait.preference, -trait.importance, -trait.at.timestamp(), trait.key


def _markdown(traits: list[Trait]) -> str:
    topics: dict[str, list[Trait]] = {}
    for trait in traits:
        topics.setdefault(trait.topic, []).append(trait)
    lines = [_TITLE]
    for topic, members in topics.items():
        lines += ["", f"**{topic}**", *(f"- {trait.text}" for trait in members)]
    return "\n".join(lines) + "\n"
