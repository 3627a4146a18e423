"""What is looked at before work moves on: a table of checks for each transition.

The checks are deterministic and look at facts, never at what an agent says of itself. An agent
learns which kind of thing is missing and not how it is looked for, so there is nothing to aim at
but the work itself.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from paige.base.errors import BadInput
from paige.guard.completion.values import Result
from paige.guard.state.evidence_files import Evidence, fresh
from paige.orchestra.plans import read_plan
from paige.orchestra.values import (
    Event,
    Missing,
    Open,
    Phase,
    Proof,
    Refused,
    Return,
    TestsFailed,
    TestsPassed,
    Verified,
)

_TESTS = re.compile(
    r"(?:^|/)(?:tests?|spec|specs|__tests__|e2e|cypress|testdata|fixtures|__snapshots__"
    r"|test-results|playwright-report|screenshots)/"
    r"|(?:^|/)(?:test_[^/]*|conftest\.py|[^/]*(?:_test|_tests|_spec|\.test|\.spec)\.[^/.]+"
    r"|[^/]*Tests?\.(?:java|kt|cs|swift|php))$"
)
_TOLD: Mapping[Missing, str] = {
    "features": "Your answer holds no list of features that can be worked on.",
    "changes": "Nothing in the project has changed.",
    "checks": "The project does not pass its own checks.",
    "tests": "Tests of the project do not pass.",
    "evidence": "It is not shown that the feature works with the files as they are.",
    "report": "Your answer does not say what was done.",
    "state_files": "Files that say where the work stands were changed; they are not yours.",
    "scope": "Files were changed that are not part of your task.",
    "agreement": "The change is not what the task asks for.",
    "merge": "The change does not go together with what is in the project now.",
    "answer": "You gave no answer in your time.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """Which evidence counts: for the feature and the files, by the tester and since it began.

    `sessions` are those of the tester; none given means that anybody's since then counts.
    """

    feature: str
    tree: str
    sessions: frozenset[str] = frozenset()
    since: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What is so after an agent has worked.

    `changed` are the files it changed, `state_before` and `state_after` the files of the state
    (texts or fingerprints), `result` what the project's checks said, `records` the evidence that
    holds, the oldest first.
    """

    returned: Return
    changed: Sequence[str] = ()
    state_before: str = ""
    state_after: str = ""
    result: Result | None = None
    wanted: Wanted | None = None
    records: Sequence[Evidence] = field(default_factory=tuple[Evidence, ...])


Check = Callable[[Observed], bool]


def prove(records: Iterable[Evidence], wanted: Wanted) -> Proof | None:
    """The proof that a feature was tested with the files as they are; nothing without one."""
    own = _own(records, wanted)
    found = fresh(own, wanted.feature, wanted.tree)
    if found is None or not found.seal or not found.argv or _still_fails(own, wanted.tree):
        return None
    return Proof(
        feature=wanted.feature,
        tree=found.tree_hash,
        tests=found.tests,
        argv=found.argv,
        at=found.at,
        seal=found.seal,
        path=_path_of(found),
    )


def check(phase: Phase, observed: Observed) -> tuple[Missing, ...]:
    """The kinds of things that are missing at a transition; none when the work may move on."""
    return tuple(kind for kind, holds in CHECKS[phase] if not holds(observed))


def event_after(phase: Phase, key: str, observed: Observed) -> Event:
    """What the checks of a transition tell the machine."""
    missing = check(phase, observed)
    if phase == "checking_tests":
        return _tested(key, observed, missing)
    if missing:
        return Refused(key, missing)
    return Verified(key, read_plan(observed.returned.features) if phase == "checking_plan" else ())


def told(missing: Iterable[Missing]) -> str:
    """What an agent is told of a refusal: the kind of thing, not how it was looked for."""
    return "\n".join(f"- {_TOLD[each]}" for each in dict.fromkeys(missing))


def is_test(path: str) -> bool:
    """Whether a file is part of the tests and not of what they test."""
    return _TESTS.search(path.replace("\\", "/")) is not None


def planned(observed: Observed) -> tuple[Open, ...]:
    """The features of a plan; none when it cannot be used."""
    try:
        return read_plan(observed.returned.features)
    except BadInput:
        return ()


def _tested(key: str, observed: Observed, missing: tuple[Missing, ...]) -> Event:
    if set(missing) - {"evidence"}:
        return Refused(key, missing)
    wanted = observed.wanted
    proof = prove(observed.records, wanted) if wanted is not None else None
    if proof is not None and observed.returned.claims != "failed":
        return TestsPassed(key, proof)
    # "It failed" is believed like anything else: when a run of tests or a good one stands behind.
    ran = wanted is not None and any(
        each.tree_hash == wanted.tree for each in _own(observed.records, wanted)
    )
    return TestsFailed(key) if ran else Refused(key, ("evidence",))


def _own(records: Iterable[Evidence], wanted: Wanted) -> list[Evidence]:
    return [
        each
        for each in records
        if (not wanted.sessions or each.session in wanted.sessions)
        and each.at >= wanted.since
        and each.feature in (None, wanted.feature)
    ]


def _still_fails(own: Sequence[Evidence], tree: str) -> bool:
    """Whether a run failed with these files and no later one that was as wide passed.

    So nobody gets past a failure by running fewer tests.
    """
    runs = [each for each in own if each.tree_hash == tree]
    return any(
        not run.good and not any(later.good and later.tests >= run.tests for later in runs[at:])
        for at, run in enumerate(runs)
    )


def _path_of(record: Evidence) -> str:
    stamp = record.at.replace(":", "").replace(".", "-")
    return f".claude/progress/evidence/{stamp}-{record.seal[:8]}.json"


def _answered(observed: Observed) -> bool:
    given = observed.returned
    return bool(
        given.summary or given.decisions or given.details or given.claims or given.features
        or given.bugs or given.files or given.evidence
    )  # fmt: skip


def _state_kept(observed: Observed) -> bool:
    return observed.state_before == observed.state_after


def _has_plan(observed: Observed) -> bool:
    return bool(planned(observed))


def _has_changes(observed: Observed) -> bool:
    return bool(observed.changed)


def _has_no_changes(observed: Observed) -> bool:
    return not observed.changed


def _only_tests(observed: Observed) -> bool:
    return all(map(is_test, observed.changed))


def _checks_pass(observed: Observed) -> bool:
    return observed.result is None or observed.result.status != "failed"


def _has_evidence(observed: Observed) -> bool:
    wanted = observed.wanted
    return wanted is not None and prove(observed.records, wanted) is not None


CHECKS: Mapping[Phase, tuple[tuple[Missing, Check], ...]] = {
    "checking_plan": (
        ("report", _answered),
        ("state_files", _state_kept),
        ("features", _has_plan),
    ),
    "checking_lead": (
        ("report", _answered),
        ("state_files", _state_kept),
        ("scope", _has_no_changes),
    ),
    "verifying": (
        ("report", _answered),
        ("state_files", _state_kept),
        ("changes", _has_changes),
        ("checks", _checks_pass),
    ),
    "checking_tests": (
        ("report", _answered),
        ("state_files", _state_kept),
        ("scope", _only_tests),
        ("evidence", _has_evidence),
    ),
}
"""Which checks run at which transition, and what is missing when one does not hold."""
