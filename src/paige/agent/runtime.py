"""What runs are made of: built once by a door and shared by its runs."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

import anyio

from paige.agent.definitions import AgentDefinition, SkillDefinition
from paige.agent.hooks import Hook
from paige.agent.memories import NO_REQUEST, MemoryAccess, Request
from paige.agent.tools import Tool
from paige.base.clock import Clock
from paige.models.prices import Prices, shipped_prices
from paige.models.provider import Provider
from paige.store.documents import Documents
from paige.store.engine import Database


@dataclass(frozen=True, slots=True)
class Prepared:
    """An agent ready to work: its definition, its file's text, and the prompt made for it.

    `files` are the texts the prompt was made from; a run keeps them beside its journal.
    """

    agent: AgentDefinition
    source: str
    system: str
    files: Mapping[str, str] = field(default_factory=dict)


class Library(Protocol):
    """Where agents come from; a door decides what their prompts are made of."""

    def prepare(self, agent: str, request: Request = NO_REQUEST) -> Prepared:
        """Make an agent ready for what it will be asked. Raises: NotFound."""
        ...

    def describe(self, agent: str) -> str:
        """What an agent is for, in a sentence; empty when nobody says."""
        ...

    def skills(self, agent: AgentDefinition) -> Mapping[str, SkillDefinition]:
        """The skills an agent may read."""
        ...


@dataclass(frozen=True, slots=True)
class Runtime:
    """Everything a run needs that is not its own."""

    db: Database
    provider: Provider
    library: Library
    documents: Documents
    tools: Mapping[str, Tool[Any]]
    hooks: Mapping[str, Hook] = field(default_factory=dict)
    now: Clock = field(kw_only=True)
    memory: MemoryAccess | None = None  # none: nothing of it in prompts, none of its tools
    local: Provider | None = None  # answers when the provider fails, if the settings say so
    randomness: Callable[[int], bytes] = os.urandom
    sleep: Callable[[float], Any] = anyio.sleep
    spend_limit_day: float | None = None  # of one person, in US dollars
    prices: Prices = field(default_factory=shipped_prices, repr=False)
