"""What a project asks for when an agent stops; nothing unless it says so."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput
from paige.guard.completion.claims import Words, read_words
from paige.guard.completion.layered import FOLDER, parse_table, read_layered
from paige.guard.completion.records import PROFILES
from paige.guard.fast.place import Place
from paige.guard.trust import ONLY_ADDS

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
class CompletionWishes:
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


def read_wishes(place: Place) -> CompletionWishes:
    """What the project of a place asks for. Raises: BadInput naming the file and the value."""
    tables = read_layered(
        FILE, place, open_tables=("checks", "judges"), personal=PERSONAL, adding=_adding
    )
    ask = tables["ask"]
    _known(ask["verify"], EVENTS, "ask.verify")
    _known(ask["strict"], GATES, "ask.strict")
    _known([ask["when"]], ("claim", "always"), "ask.when")
    _known([ask["profile"]], ("auto", *PROFILES), "ask.profile")
    return CompletionWishes(
        verify=tuple(ask["verify"]),
        strict=tuple(ask["strict"]),
        always=ask["when"] == "always",
        profile=ask["profile"],
        refusals=min(int(ask["refusals"]), MOST_REFUSALS),
        acceptance=tuple(ask["acceptance"]),
        tasks=tuple(ask["tasks"]),
        tables=tables,
    )


def unheeded(place: Place) -> list[str]:
    """What the project's table says that has no effect; for people to read."""
    path = Path(place.root) / ".ai" / FOLDER / FILE
    try:
        own, whole = parse_table(path), read_wishes(place).tables
    except BadInput as error:
        return [error.message]
    lost = list(_lost(own, whole))
    return [f"`{path}` {ONLY_ADDS.format(', '.join(lost), path)}"] if lost else []


def _lost(own: Mapping[str, Any], whole: Mapping[str, Any], at: str = "") -> Iterator[str]:
    for name, value in own.items():
        there = whole.get(name)
        if isinstance(value, dict):
            yield from _lost(value, there or {}, f"{at}{name}.")
        elif there != value and not (isinstance(value, list) and set(value) <= set(there or ())):
            yield f"{at}{name}"


def _adding(below: Mapping[str, Any], own: Mapping[str, Any]) -> Mapping[str, Any]:
    """What of a project's table counts: all of it, or what only adds where the person asks."""
    ask = below["ask"]
    if not ask["verify"] and not ask["strict"]:
        return own
    wanted = own.get("ask", {})
    kept: dict[str, Any] = {
        name: list(dict.fromkeys((*ask[name], *wanted[name])))
        for name in ("verify", "strict", "acceptance", "tasks")
        if name in wanted
    }
    if wanted.get("when") == "always":
        kept["when"] = "always"
    checks = own.get("checks", {}).items()
    missing = {name: words for name, words in checks if not below["checks"].get(name)}
    return {"ask": kept, "checks": missing}


def _known(given: list[str], known: tuple[str, ...], where: str) -> None:
    for each in given:
        if each not in known:
            raise BadInput(
                f"`{where}` in {FILE} is `{each}`", hint=f"Known are: {', '.join(known)}."
            )
