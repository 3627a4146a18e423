"""What the observer looks at: a phase, the actions of a person, and the moment it is asked.

A trace is a value. It comes from the action log and the editor's buffers while Paige runs, or from
a line of JSON; the rules see no difference.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Literal

from paige.coach.actions import BY_NAME
from paige.learner.stages import Stage

Signal = Literal["wrong_file", "scope_drift", "idle", "phase_complete", "edit_loop", "no_nudge"]

BUFFER_UPDATE = "buffer_update"  # typed in an editor: seen by the observer, never logged
EDITS = frozenset({BUFFER_UPDATE, "buffer_summary", "buffer_significant_change"})
OPENS = frozenset({"file_open", "tab_switch"})
# What nobody knows by name still tells that someone is there, when it is of this kind.
SOMEONE = ("file_", "buffer_", "editor_", "terminal_", "test_", "tab_", "explorer_", "user_")
PASSIVE = frozenset({"idle_start"})
BEGINNINGS = frozenset({"session_started", "session_resumed"})


@dataclass(frozen=True, slots=True)
class Act:
    """Something that happened: the path is the file it is about, if it is about one."""

    type: str
    at: datetime
    path: str | None = None
    data: Mapping[str, Any] = field(default_factory=dict)

    @property
    def is_edit(self) -> bool:
        """Whether text was typed."""
        return self.type in EDITS

    @property
    def is_activity(self) -> bool:
        """Whether a person did it: not the coach, not a timer."""
        if self.type in PASSIVE:
            return False
        kind = BY_NAME.get(self.type)
        if kind is not None:
            return kind.observed
        return self.type.startswith(SOMEONE)


@dataclass(frozen=True, slots=True)
class Aim:
    """The phase somebody works on, as far as the rules need it."""

    number: int | None = None
    title: str = ""
    description: str = ""
    expected_files: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What the phase is about."""
        return f"{self.title}\n{self.description}"


@dataclass(frozen=True, slots=True)
class Trace:
    """Everything the rules judge by; actions are in the order of time."""

    aim: Aim | None
    acts: tuple[Act, ...]
    now: datetime
    stage: Stage = "novice"

    def last(self, *types: str) -> Act | None:
        """The newest action of some types."""
        return next((act for act in reversed(self.acts) if act.type in types), None)

    def since(self, moment: datetime | None) -> tuple[Act, ...]:
        """The actions after a moment; all without one."""
        if moment is None:
            return self.acts
        return tuple(act for act in self.acts if act.at > moment)

    def within(self, length: timedelta) -> tuple[Act, ...]:
        """The actions of the last while."""
        return tuple(act for act in self.acts if act.at > self.now - length)

    @property
    def last_activity(self) -> datetime | None:
        """When the person last did something; a session that begins counts, too."""
        for act in reversed(self.acts):
            if act.is_activity or act.type in BEGINNINGS:
                return act.at
        return None

    @property
    def phase_began(self) -> datetime | None:
        """When the phase began, or the session: what came before is about something else."""
        begun = self.last("phase_started") or self.last("session_started")
        return begun.at if begun else None


def in_order(acts: Iterable[Act]) -> tuple[Act, ...]:
    """Actions by time; those of one moment stay as they were told."""
    return tuple(sorted(acts, key=lambda act: act.at))
