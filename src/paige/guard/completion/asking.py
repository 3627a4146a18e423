"""What a project asks for when an agent stops; nothing unless it says so."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from paige.base.errors import BadInput
from paige.guard.completion.claims import Words, read_words
from paige.guard.completion.layered import read_layered
from paige.guard.completion.values import PROFILES
from paige.guard.fast.place import Place

FILE = "completion.toml"
EVENTS = ("stop", "subagent_stop", "post_tool_failure")
GATES = ("acceptance", "tests", "regressions", "tasks", "review")
# What costs money, opens the machine or changes what counts as a claim is the person's choice.
PERSONAL = (
    "claims", "judges", "permission", "review.judge", "sandbox.unshut", "sandbox.memory_mb",
)  # fmt: skip
MOST_SECONDS = 1800
MOST_REFUSALS = 8  # hosts give up there themselves


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is asked of a stop."""

    verify: tuple[str, ...]
    strict: tuple[str, ...]
    always: bool
    profile: str
    refusals: int
    acceptance: tuple[str, ...]
    tasks: tuple[str, ...]
    tables: Mapping[str, Any]

    def wants(self, event: str) -> bool:
        """Whether checks run after an event."""
        return event in self.verify or (bool(self.strict) and event != "post_tool_failure")

    def words(self) -> Words:
        """The words of a claim."""
        return read_words(self.tables["claims"])

    def checks_of(self, profile: str) -> tuple[str, ...]:
        """The checks of a profile, and those a strict gate needs beside them."""
        named = list(self.tables["profiles"][profile]["checks"])
        named += [each for each in ("tests", "review") if each in self.strict]
        return tuple(dict.fromkeys(named))

    def seconds(self, profile: str) -> float:
        """How long a profile may take."""
        return min(float(self.tables["profiles"][profile]["seconds"]), MOST_SECONDS)


def read_asked(place: Place) -> Asked:
    """What the project of a place asks for. Raises: BadInput naming the file and the value."""
    tables = read_layered(FILE, place, open_tables=("checks", "judges"), personal=PERSONAL)
    ask = tables["ask"]
    _known(ask["verify"], EVENTS, "ask.verify")
    _known(ask["strict"], GATES, "ask.strict")
    _known([ask["when"]], ("claim", "always"), "ask.when")
    _known([ask["profile"]], ("auto", *PROFILES), "ask.profile")
    return Asked(
        verify=tuple(ask["verify"]),
        strict=tuple(ask["strict"]),
        always=ask["when"] == "always",
        profile=ask["profile"],
        refusals=min(int(ask["refusals"]), MOST_REFUSALS),
        acceptance=tuple(ask["acceptance"]),
        tasks=tuple(ask["tasks"]),
        tables=tables,
    )


def _known(given: list[str], known: tuple[str, ...], where: str) -> None:
    for each in given:
        if each not in known:
            raise BadInput(
                f"`{where}` in {FILE} is `{each}`", hint=f"Known are: {', '.join(known)}."
            )
