"""The words of the orchestra: where the work stands, what may happen, what is to be done.

A state is a value that can be written down whole; what is to be done follows from it alone. So work
that was cut off goes on from the state that was written last. A feature is closed by a `Proof` and
by nothing else: there is no other way to make a `Closed`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from paige.base.errors import BadInput
from paige.guard.state.next_step import CODER, INITIALIZER, LEADER, MOST_RETRIES, TESTER

__all__ = ["CODER", "INITIALIZER", "LEADER", "MOST_RETRIES", "TESTER"]

MOST_MOVES = 2  # how often the base may move under a tested feature before it counts as a failure
MOST_FEATURES = 200
AgentName = Literal["initializer-agent", "section-leader", "coding-agent", "tester-agent"]
Tiers = Literal[2, 3]
# Where the work stands; the same words stand in `session-state.json`.
Phase = Literal[
    "session_start",
    "initializing",
    "checking_plan",
    "leading",
    "checking_lead",
    "coding",
    "verifying",
    "judging",
    "testing",
    "checking_tests",
    "merging",
    "stopped",
    "all_complete",
]
# What an agent is told that is missing: a kind of thing, never how it is checked.
Missing = Literal[
    "features",
    "changes",
    "checks",
    "tests",
    "evidence",
    "report",
    "state_files",
    "scope",
    "agreement",
    "merge",
    "answer",
]
HandoffEvent = Literal["sent", "received", "refused", "returned", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """A sealed run of tests by the tester, for one feature and one state of the files."""

    feature: str
    tree: str
    tests: int
    argv: tuple[str, ...]
    at: str
    seal: str
    path: str = ""

    def __post_init__(self) -> None:
        if not (self.feature and self.tree and self.seal and self.argv and self.tests > 0):
            raise BadInput(
                f"A run without tests, files or a seal proves nothing for `{self.feature}`",
                hint="Run the tests with Paige watching, and see them pass.",
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """A feature somebody still works on or will; `coded` when its code waits for the tester."""

    id: str
    title: str = ""
    description: str = ""
    group: str = ""
    acceptance: tuple[str, ...] = ()
    retries: int = 0
    moves: int = 0
    begun: bool = False
    coded: bool = False

    def __post_init__(self) -> None:
        if (
            not self.id
            or not 0 <= self.retries <= MOST_RETRIES
            or not 0 <= self.moves <= MOST_MOVES
        ):
            raise BadInput(f"Feature `{self.id}` cannot have {self.retries} retries")


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """A feature that is done: its code is merged and the proof holds for it."""

    id: str
    proof: Proof
    title: str = ""
    description: str = ""
    group: str = ""
    acceptance: tuple[str, ...] = ()
    retries: int = 0

    def __post_init__(self) -> None:
        if self.proof.feature != self.id:
            raise BadInput(f"The proof is for `{self.proof.feature}`, not for `{self.id}`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blocked:
    """A feature that was given up for now, and what was missing last."""

    id: str
    why: tuple[Missing, ...] = ()
    title: str = ""
    description: str = ""
    group: str = ""
    acceptance: tuple[str, ...] = ()
    retries: int = 0


Item = Open | Closed | Blocked


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """All that the orchestra knows of its work.

    `run` is the id of this run, `turn` counts the actions it has asked for: together they name an
    action for good. `feature` and `group` are what the phase is about, `tries` counts what went
    wrong with the initializer or a section leader.
    """

    run: str
    goal: str = ""
    phase: Phase = "session_start"
    tiers: Tiers = 2
    turn: int = 0
    items: tuple[Item, ...] = ()
    feature: str | None = None
    group: str | None = None
    tries: int = 0
    led: tuple[str, ...] = ()
    missing: tuple[Missing, ...] = ()
    proof: Proof | None = None
    why: str = ""  # why the work ended, for the person

    def item(self, id: str | None) -> Item | None:
        """The feature of an id."""
        return next((each for each in self.items if each.id == id), None)

    @property
    def open(self) -> tuple[Open, ...]:
        """The features that are not done, in their order."""
        return tuple(each for each in self.items if isinstance(each, Open))

    @property
    def ended(self) -> bool:
        """Whether nothing happens any more by itself."""
        return self.phase in ("stopped", "all_complete")

    @property
    def attempt(self) -> int:
        """Which attempt at the feature in hand this is, from one; nought without a feature."""
        item = self.item(self.feature)
        return item.retries + 1 if item is not None else 0


# --- what may happen ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionStarted:
    """The work begins or goes on. `items` is nothing where the project has no list yet."""

    items: tuple[Item, ...] | None
    goal: str = ""
    tiers: Tiers | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Return:
    """What an agent gave back, compacted: what it says of itself is no proof of anything."""

    agent: str
    feature: str = ""
    summary: str = ""
    decisions: tuple[str, ...] = ()
    bugs: tuple[str, ...] = ()
    details: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()
    features: tuple[Mapping[str, Any], ...] = ()
    claims: str = ""  # `complete`, `passed`, `failed` or nothing
    left_out: int = 0  # how much was dropped


@dataclass(frozen=True, slots=True)
class AgentReturned:
    """An agent ended by itself."""

    key: str
    returned: Return


@dataclass(frozen=True, slots=True)
class AgentFailed:
    """An agent ended with an error."""

    key: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class AgentTimedOut:
    """An agent did not answer in its time and was ended."""

    key: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Verified:
    """The checks of a transition passed; after the initializer, with the features it found."""

    key: str
    items: tuple[Open, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A check of a transition did not pass."""

    key: str
    missing: tuple[Missing, ...]


@dataclass(frozen=True, slots=True)
class NotVetoed:
    """The judge has nothing against it, or there is none."""

    key: str


@dataclass(frozen=True, slots=True)
class Vetoed:
    """The judge is against it."""

    key: str
    missing: tuple[Missing, ...] = ("agreement",)


@dataclass(frozen=True, slots=True)
class TestsPassed:
    """The tester's evidence holds for the files."""

    __test__ = False  # no test of pytest

    key: str
    proof: Proof


@dataclass(frozen=True, slots=True)
class TestsFailed:
    """The tester ran the tests and they do not pass."""

    __test__ = False

    key: str
    missing: tuple[Missing, ...] = ("tests",)


@dataclass(frozen=True, slots=True)
class Merged:
    """The feature is in the base branch; `tree` is the fingerprint of its files there."""

    key: str
    tree: str


@dataclass(frozen=True, slots=True)
class MergeConflict:
    """The feature does not go together with the base branch."""

    key: str
    files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BaseMoved:
    """Merging would give other files than those that were tested; nothing was merged."""

    key: str


Event = (
    SessionStarted
    | AgentReturned
    | AgentFailed
    | AgentTimedOut
    | Verified
    | Refused
    | NotVetoed
    | Vetoed
    | TestsPassed
    | TestsFailed
    | Merged
    | MergeConflict
    | BaseMoved
)

# --- what is to be done ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class RunAgent:
    """Hand work to an agent and wait for it. `missing` is what the last attempt lacked."""

    key: str
    agent: AgentName
    feature: str | None = None
    group: str | None = None
    attempt: int = 1
    missing: tuple[Missing, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verify:
    """Run the checks of a transition: `phase` says which."""

    key: str
    phase: Phase
    feature: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Judge:
    """Let the judge look at the difference and the prompt."""

    key: str
    feature: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Merge a feature, provided that this gives the very files of the proof."""

    key: str
    feature: str
    proof: Proof


@dataclass(frozen=True, slots=True)
class Reflect:
    """Think about a failed attempt before the next one, and keep what came of it."""

    feature: str
    attempt: int
    missing: tuple[Missing, ...]


@dataclass(frozen=True, slots=True)
class WriteFeatures:
    """Write the list of features as the state has it now."""


@dataclass(frozen=True, slots=True)
class TellPerson:
    """Say something to the person."""

    text: str


@dataclass(frozen=True, slots=True)
class EndSession:
    """Report what was built, what is blocked, and end."""

    closed: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()
    open: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Ignore:
    """An event that means nothing here, and why; the state is as it was."""

    event: str
    why: str


Action = (
    RunAgent | Verify | Judge | Merge | Reflect | WriteFeatures | TellPerson | EndSession | Ignore
)

# --- handoffs and verdicts ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """What is so in the project at a handoff, as both ends look at it."""

    tree: str = ""
    files: frozenset[str] = frozenset()  # of the artifacts and changed files: those that exist
    states: Mapping[str, str] = field(default_factory=dict[str, str])  # feature → status
    tested: frozenset[str] = frozenset()
    phase: str = ""
    agents: frozenset[str] = frozenset((INITIALIZER, LEADER, CODER, TESTER, "main"))
    evidence: frozenset[str] = frozenset()  # features with evidence that holds


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the judge said: `none` when there was no judge or no usable answer.

    `reasons` are for the person and the log; an agent only learns `missing`.
    """

    outcome: Literal["pass", "veto", "none"]
    missing: tuple[Missing, ...] = ()
    reasons: tuple[str, ...] = ()
    model: str = ""
