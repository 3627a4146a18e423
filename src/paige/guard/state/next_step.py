"""What comes next in a project: the table of states, read from its two files.

Nobody has to ask a person what to do next. The list of features and the state of the work say it:

| state | condition | action |
|---|---|---|
| session start | no list of features | spawn the initializer |
| session start | a feature is pending | spawn the coder |
| coding complete | the feature is completed | spawn the tester |
| test passed | the feature is tested | select the next feature |
| test failed | fewer than two retries | resume the coder |
| test failed | two retries are used up | mark it blocked, then the next |
| all complete | no feature is open | end the session |

A list that cannot be read, a pause and a stop are the person's: nothing is started then.
"""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from paige.guard.state.features import Feature, SessionState
from paige.guard.state.files import Damaged

INITIALIZER = "initializer-agent"
LEADER = "section-leader"
CODER = "coding-agent"
TESTER = "tester-agent"
MOST_RETRIES = 2

StepState = Literal[
    "session_start",
    "coding_complete",
    "test_passed",
    "test_failed",
    "all_complete",
    "paused",
    "stopped",
    "damaged",
]
StepAction = Literal[
    "spawn", "resume", "select_next", "mark_blocked", "end_session", "wait", "ask_person"
]
_SENTENCES: dict[StepAction, str] = {
    "spawn": "Start `{agent}`{about}.",
    "resume": "Start `{agent}` again{about}: the last attempt did not pass.",
    "select_next": "The feature is tested. Go on with `{agent}`{about}.",
    "mark_blocked": "Mark{about} as blocked: two retries are used up. Then take the next one.",
    "end_session": "Nothing is left to do: report what was built and end the session.",
    "wait": "The work is paused. Wait until the person lets it go on.",
    "ask_person": "The list of features cannot be used. Ask the person to repair it.",
}


@dataclass(frozen=True, slots=True)
class Next:
    """The next action: in which state of the work, what, by which agent, about which feature."""

    state: StepState
    action: StepAction
    agent: str | None = None
    feature: str | None = None

    def dump(self) -> dict[str, Any]:
        """The step as `paige orchestra next --json` shows it."""
        return asdict(self)

    def sentence(self) -> str:
        """The step in words, for an agent or a person."""
        about = f" for feature `{self.feature}`" if self.feature else ""
        if self.action == "mark_blocked":
            about = f" feature `{self.feature}`"
        return _SENTENCES[self.action].format(agent=self.agent, about=about)


def next_step(features: Sequence[Feature] | Damaged | None, session: SessionState | None) -> Next:
    """What to do next, by the list of features and the state of the work."""
    if isinstance(features, Damaged):
        return Next("damaged", "ask_person")
    if session is not None and session.state == "paused":
        return Next("paused", "wait", feature=session.feature)
    if session is not None and session.state == "stopped":
        return Next("stopped", "end_session")
    if not features:  # a list without a feature is as good as none
        return Next("session_start", "spawn", INITIALIZER)
    current = _current(features, session)
    if current is not None and session is not None:
        found = _about(current, session, features)
        if found is not None:
            return found
    return _chosen(features)


def is_open(feature: Feature) -> bool:
    """Whether there is something left to do for a feature."""
    return feature.status != "blocked" and not feature.tested


def _about(current: Feature, session: SessionState, features: Sequence[Feature]) -> Next | None:
    """What the feature in hand asks for, where the session says more than the list."""
    if session.state == "test_passed" and not is_open(current):
        following = _chosen(features)
        if following.action == "end_session":
            return following
        return Next("test_passed", "select_next", following.agent, following.feature)
    if session.state == "test_failed" and is_open(current):
        return _failed(current)
    return _begun(current) if is_open(current) else None


def _current(features: Sequence[Feature], session: SessionState | None) -> Feature | None:
    wanted = session.feature if session is not None else None
    return next((each for each in features if each.id == wanted), None)


def _chosen(features: Sequence[Feature]) -> Next:
    """The first thing to do: what was begun comes before what was not."""
    order = {"completed": 0, "in_progress": 1, "pending": 2}
    left = [each for each in features if is_open(each)]
    if not left:
        return Next("all_complete", "end_session")
    return _begun(min(left, key=lambda each: order[each.status]))


def _begun(feature: Feature) -> Next:
    if feature.retries > MOST_RETRIES:
        return Next("test_failed", "mark_blocked", feature=feature.id)
    if feature.status == "completed":
        return Next("coding_complete", "spawn", TESTER, feature.id)
    if feature.status == "in_progress" and feature.retries > 0:
        return Next("test_failed", "resume", CODER, feature.id)
    return Next("session_start", "spawn", CODER, feature.id)


def _failed(feature: Feature) -> Next:
    if feature.retries >= MOST_RETRIES:
        return Next("test_failed", "mark_blocked", feature=feature.id)
    return Next("test_failed", "resume", CODER, feature.id)
