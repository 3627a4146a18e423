"""What is looked at before work moves on: a table of checks for each transition.

The checks are deterministic and look at facts, never at what an agent says of itself. An agent
learns which kind of thing is missing and not how it is looked for, so there is nothing to aim at
but the work itself.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from paige.base.errors import BadInput
from paige.guard.completion.records import Result
from paige.guard.state.evidence_files import Evidence, fresh
from paige.orchestra.values import (
    MOST_FEATURES,
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

MOST_TEXT = 4000
MOST_CRITERIA = 30
# An id names a folder and a branch too.
_ID = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,62}[A-Za-z0-9])?")


def read_plan(features: Sequence[Mapping[str, Any]]) -> tuple[Open, ...]:
    """The features of a plan. Raises: BadInput naming the first that cannot be used."""
    if not features:
        raise BadInput("The plan has no features", hint="Hand over at least one feature.")
    if len(features) > MOST_FEATURES:
        raise BadInput(
            f"The plan has {len(features)} features", hint=f"Make at most {MOST_FEATURES} of them."
        )
    found: dict[str, Open] = {}
    for number, each in enumerate(features, 1):
        item = _feature(each, number)
        if item.id.casefold() in found:
            raise BadInput(
                f"The plan has the id `{item.id}` twice", hint="Give every feature its own id."
            )
        found[item.id.casefold()] = item
    return tuple(found.values())


def _feature(given: Mapping[str, Any], number: int) -> Open:
    id = given.get("id")
    if not isinstance(id, str) or _ID.fullmatch(id) is None:
        raise BadInput(
            f"Feature {number} of the plan has the id `{id}`",
            hint="Use letters, digits, `-` and `_`, at most 64 of them.",
        )
    title = _text(given, "title", id)
    if not title:
        raise BadInput(f"Feature `{id}` has no title", hint="Say in a few words what it is.")
    return Open(
        id=id,
        title=" ".join(title.split())[:200],
        description=_text(given, "description", id),
        group=" ".join(_text(given, "group", id).split())[:60],
        acceptance=_criteria(given.get("acceptance", []), id),
    )


def _text(given: Mapping[str, Any], name: str, id: str) -> str:
    value = given.get(name, "")
    if not isinstance(value, str):
        raise BadInput(f"`{name}` of feature `{id}` is {value!r}", hint="Write a text.")
    return value.strip()[:MOST_TEXT]


def _criteria(given: object, id: str) -> tuple[str, ...]:
    if not isinstance(given, list):
        raise BadInput(f"`acceptance` of feature `{id}` is no list", hint="Write a list of texts.")
    texts = [str(each).strip()[:MOST_TEXT] for each in given[:MOST_CRITERIA]]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return tuple(each for each in texts if each)


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
class EvidenceQuery:
    """Which evidence counts: for the feature and the files, by the tester and since it began.

    `sessions` are those of the tester; none given means that anybody's since then counts.
    """

    feature: str
    tree: str
    sessions: frozenset[str] = frozenset()
    since: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
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
    wanted: EvidenceQuery | None = None
    records: Sequence[Evidence] = field(default_factory=tuple[Evidence, ...])


Check = Callable[[Observation], bool]


def prove(records: Iterable[Evidence], wanted: EvidenceQuery) -> Proof | None:
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


def check(phase: Phase, observed: Observation) -> tuple[Missing, ...]:
    """The kinds of things that are missing at a transition; none when the work may move on."""
    return tuple(kind for kind, holds in CHECKS[phase] if not holds(observed))


def event_after(phase: Phase, key: str, observed: Observation) -> Event:
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


def planned(observed: Observation) -> tuple[Open, ...]:
    """The features of a plan; none when it cannot be used."""
    try:
        return read_plan(observed.returned.features)
    except BadInput:
        return ()


def _tested(key: str, observed: Observation, missing: tuple[Missing, ...]) -> Event:
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


def _own(records: Iterable[Evidence], wanted: EvidenceQuery) -> list[Evidence]:
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


def _answered(observed: Observation) -> bool:
    given = observed.returned
    return bool(
        given.summary or given.decisions or given.details or given.claims or given.features
        or given.bugs or given.files or given.evidence
    )  # fmt: skip


def _has_evidence(observed: Observation) -> bool:
    wanted = observed.wanted
    return wanted is not None and prove(observed.records, wanted) is not None


_ALWAYS: tuple[tuple[Missing, Check], ...] = (
    ("report", _answered),
    ("state_files", lambda seen: seen.state_before == seen.state_after),
)
CHECKS: Mapping[Phase, tuple[tuple[Missing, Check], ...]] = {
    "checking_plan": (*_ALWAYS, ("features", lambda seen: bool(planned(seen)))),
    "checking_lead": (*_ALWAYS, ("scope", lambda seen: not seen.changed)),
    "verifying": (
        *_ALWAYS,
        ("changes", lambda seen: bool(seen.changed)),
        ("checks", lambda seen: seen.result is None or seen.result.status != "failed"),
    ),
    "checking_tests": (
        *_ALWAYS,
        ("scope", lambda seen: all(map(is_test, seen.changed))),
        ("evidence", _has_evidence),
    ),
}
"""Which checks run at which transition, and what is missing when one does not hold."""
