"""One round of an attempt: observe, orient, decide, act, written down so that it can be read later.

Within an attempt the next action rests on what the last one brought; across attempts reflections
take over. The record says what was seen, what was known, what was chosen and what was done.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from paige.base.secrets import redact
from paige.orchestra.values import CODER, TESTER, Action, Judge, Merge, Missing, RunAgent, Verify

MOST_LINES = 12
MOST_SIGNS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What is known before a round: what was missing, what failed, what was learnt earlier."""

    missing: tuple[Missing, ...] = ()
    failures: Sequence[str] = ()
    files: Sequence[str] = ()
    precedents: Sequence[str] = ()
    reflections: Sequence[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round about a feature."""

    key: str
    feature: str
    attempt: int
    observe: tuple[str, ...]
    orient: tuple[str, ...]
    decide: str
    act: str

    def dump(self) -> dict[str, Any]:
        """The round as JSON, for the log of a run."""
        return asdict(self)


def round_of(action: Action, seen: Seen, *, feature: str = "", attempt: int = 1) -> Round | None:
    """The round that ends in an action of the machine; nothing for one that starts no work."""
    if not isinstance(action, RunAgent | Verify | Judge | Merge):
        return None
    return Round(
        key=action.key,
        feature=action.feature or feature,
        attempt=action.attempt if isinstance(action, RunAgent) else attempt,
        observe=_observed(seen),
        orient=_lines((*seen.precedents, *seen.reflections)) or ("nothing like it is known",),
        decide=_decided(action, seen),
        act=_acted(action),
    )


def _observed(seen: Seen) -> tuple[str, ...]:
    lines = (
        *(f"missing: {each}" for each in seen.missing),
        *(f"failed: {each}" for each in seen.failures),
        *(f"changed: {each}" for each in seen.files),
    )
    return _lines(lines) or ("nothing has been tried yet",)


def _decided(action: RunAgent | Verify | Judge | Merge, seen: Seen) -> str:
    match action:
        case RunAgent(agent=agent, attempt=attempt) if agent == CODER:
            if attempt == 1:
                return "build it"
            return "mend the cause of the failure first" if seen.failures else "try another way"
        case RunAgent(agent=agent) if agent == TESTER:
            return "see whether it does what was asked"
        case RunAgent():
            return "plan before anybody builds"
        case Verify():
            return "believe nothing that can be checked"
        case Judge():
            return "ask whether the change is what was asked for"
        case Merge():
            return "bring in what was tested, and nothing else"


def _acted(action: RunAgent | Verify | Judge | Merge) -> str:
    match action:
        case RunAgent():
            return f"start {action.agent}, attempt {action.attempt}"
        case Verify():
            return f"run the checks of {action.phase}"
        case Judge():
            return "ask the judge"
        case Merge():
            return f"merge the files {action.proof.tree[:12]}"


def _lines(texts: Sequence[str]) -> tuple[str, ...]:
    # Cut before anything is looked for in it, a little longer than what is shown.
    plain = (" ".join(redact(each[: 2 * MOST_SIGNS]).split())[:MOST_SIGNS] for each in texts)
    return tuple(islice((each for each in plain if each), MOST_LINES))
