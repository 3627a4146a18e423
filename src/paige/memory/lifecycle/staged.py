"""Changes that have to prove themselves: experiment, validation, production, and the way back.

A value exists in versions. A new version starts as an experiment on a share of the cases. When it
looks promising it is validated on fresh cases; when it wins it goes to production and the version
before it is retired; when things worsen afterwards it is rolled back and the version before it is
in production again. At every moment exactly one version is in production. Everything here is a pure
state machine: a step is made of values and gives values; who stores steps and counts cases is
somebody else's matter.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from typing import Generic, Literal, NamedTuple, TypeVar, get_args

from paige.base.errors import Conflict

V = TypeVar("V")
Stage = Literal["experiment", "validate", "production", "rolled_back", "retired"]
STAGES: tuple[Stage, ...] = get_args(Stage)
TRIED: tuple[Stage, ...] = ("experiment", "validate")
_ALLOWED: Mapping[Stage, frozenset[Stage]] = {
    "experiment": frozenset({"validate", "retired"}),
    "validate": frozenset({"production", "retired"}),
    "production": frozenset({"rolled_back"}),
    "rolled_back": frozenset(),
    "retired": frozenset(),
}
_WHOLE = 2**32


@dataclass(frozen=True, slots=True, kw_only=True)
class StageThresholds:
    """How many samples each stage needs, how sure it has to be, how many cases try it."""

    experiment_samples: int
    validate_samples: int
    most_samples: int
    alpha: float
    watch_samples: int
    watch_alpha: float
    experiment_share: float
    validate_share: float
    again_days: float


class Step(NamedTuple):
    """One move of a version: where to, when, why, and the numbers it was decided by."""

    stage: Stage
    at: datetime
    reason: str
    metrics: Mapping[str, object] = {}


@dataclass(frozen=True, slots=True, kw_only=True)
class StagedVersion(Generic[V]):
    """One version of a value and everything that happened to it."""

    version: int
    value: V
    stage: Stage
    history: tuple[Step, ...]
    previous: int | None = None  # the version it was made from

    @property
    def reason(self) -> str:
        """Why it is where it is."""
        return self.history[-1].reason

    @property
    def metrics(self) -> Mapping[str, object]:
        """The numbers of its last step."""
        return self.history[-1].metrics

    @property
    def since(self) -> datetime:
        """When it came to its stage."""
        return self.history[-1].at


@dataclass(frozen=True, slots=True)
class Lineage(Generic[V]):
    """All versions of one thing. The first is in production from the start."""

    versions: tuple[StagedVersion[V], ...]
    # Versions in the order they went to production; the last is there now.
    line: tuple[int, ...] = field(default=(0,))

    @property
    def production(self) -> StagedVersion[V]:
        """The version in production."""
        return self.versions[self.line[-1]]

    @property
    def tried(self) -> StagedVersion[V] | None:
        """The version that is proving itself, if any: there is never more than one."""
        return next((each for each in self.versions if each.stage in TRIED), None)

    @property
    def before(self) -> StagedVersion[V] | None:
        """The version that a rollback would restore."""
        return self.versions[self.line[-2]] if len(self.line) > 1 else None


def begin(value: V, *, at: datetime, reason: str) -> Lineage[V]:
    """A thing whose first version is in production."""
    step = Step("production", at, reason)
    return Lineage((StagedVersion(version=0, value=value, stage="production", history=(step,)),))


def propose(lineage: Lineage[V], value: V, *, at: datetime, reason: str) -> Lineage[V]:
    """A new version starts as an experiment. Raises: Conflict while another is being tried."""
    if lineage.tried is not None:
        raise Conflict(f"version {lineage.tried.version} is still being tried")
    staged = StagedVersion(
        version=len(lineage.versions),
        value=value,
        stage="experiment",
        history=(Step("experiment", at, reason),),
        previous=lineage.production.version,
    )
    return replace(lineage, versions=(*lineage.versions, staged))


def move(lineage: Lineage[V], version: int, step: Step) -> Lineage[V]:
    """A version moves to another stage; what follows for the others follows here.

    Raises: Conflict when that move is not possible.
    """
    if not 0 <= version < len(lineage.versions):
        raise Conflict(f"there is no version {version}")
    staged = lineage.versions[version]
    if step.stage not in _ALLOWED[staged.stage]:
        raise Conflict(f"version {version} cannot go from {staged.stage} to {step.stage}")
    match step.stage:
        case "production":
            return _to_production(_moved(lineage, version, step), version, step)
        case "rolled_back":
            return _back(lineage, version, step)
    return _moved(lineage, version, step)


def assigned(lineage: Lineage[V], case: str, thresholds: StageThresholds) -> StagedVersion[V]:
    """The version a case uses: the one being tried for a fixed share of cases."""
    tried = lineage.tried
    if tried is None:
        return lineage.production
    validating = tried.stage == "validate"
    share = thresholds.validate_share if validating else thresholds.experiment_share
    # The version is part of the hash, so that every trial has other cases.
    return tried if _point(f"{tried.version}:{case}") < share else lineage.production


def looks(least: int, most: int) -> tuple[int, ...]:
    """The sample sizes at which a trial is looked at: the least, doubled up to the most."""
    sizes = [least]
    while sizes[-1] * 2 <= most:
        sizes.append(sizes[-1] * 2)
    return tuple(sizes)


def look_at(samples: int, least: int, most: int) -> int | None:
    """Which look a number of samples has reached, counted from 0; `None` before the first."""
    reached = [place for place, size in enumerate(looks(least, most)) if samples >= size]
    return reached[-1] if reached else None


def _moved(lineage: Lineage[V], version: int, step: Step) -> Lineage[V]:
    staged = lineage.versions[version]
    moved = replace(staged, stage=step.stage, history=(*staged.history, step))
    versions = (*lineage.versions[:version], moved, *lineage.versions[version + 1 :])
    return replace(lineage, versions=versions)


def _to_production(lineage: Lineage[V], version: int, step: Step) -> Lineage[V]:
    replaced = Step("retired", step.at, f"version {version} replaced it")
    after = _moved(lineage, lineage.line[-1], replaced)
    return replace(after, line=(*lineage.line, version))


def _back(lineage: Lineage[V], version: int, step: Step) -> Lineage[V]:
    if lineage.before is None:
        raise Conflict("the first version cannot be rolled back")
    restored = Step("production", step.at, f"version {version} was rolled back")
    after = _moved(_moved(lineage, version, step), lineage.line[-2], restored)
    return replace(after, line=lineage.line[:-1])


def _point(text: str) -> float:
    """A fixed place in [0, 1) for a text."""
    return int.from_bytes(blake2b(text.encode(errors="surrogatepass"), digest_size=4).digest()) / (
        _WHOLE
    )
