"""What a verification is: checks, each with its end, and what they say together."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, cast, get_args

CheckStatus = Literal["passed", "failed", "skipped"]
Status = Literal["passed", "failed", "unknown"]
Profile = Literal["quick", "standard", "deep"]
Risk = Literal["low", "medium", "high"]
PROFILES: tuple[Profile, ...] = get_args(Profile)
MOST_DETAIL = 1500
TIME_UP = "the time of the profile was up"
STOPPED = "it was stopped by its limit"


@dataclass(frozen=True, slots=True)
class Check:
    """One check: `skipped` says why in `detail`, `failed` shows what was printed last."""

    name: str
    status: CheckStatus
    detail: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What came of a verification, and for which state of the files."""

    status: Status
    checks: tuple[Check, ...]
    issues: tuple[str, ...] = ()
    next_steps: tuple[str, ...] = ()
    profile: Profile = "quick"
    risk: Risk = "low"
    verifier: str = "checks"
    tree: str = ""
    run: str = ""
    at: str = ""
    regressions: tuple[str, ...] = field(default=())


def result_of(checks: Sequence[Check], passed_before: Sequence[str], **about: Any) -> Result:  # noqa: ANN401
    """What checks say together; where nothing ran or one had no time, nothing is known."""
    failed = [each for each in checks if each.status == "failed"]
    ran = [each for each in checks if each.status != "skipped"]
    worse = tuple(each.name for each in failed if each.name in passed_before)
    cut_short = any(each.detail.startswith((TIME_UP, STOPPED)) for each in checks)
    status: Status = "failed" if failed else "passed" if ran and not cut_short else "unknown"
    return Result(
        status=status,
        checks=tuple(checks),
        issues=tuple(_issue(each, again=each.name in worse) for each in failed),
        next_steps=tuple(_step(each) for each in checks if each.status != "passed"),
        regressions=worse,
        **about,
    )


def told(result: Result) -> str:
    """A result in a few lines, for a model or a person."""
    how = {"passed": "passed", "failed": "did not pass", "unknown": "could not run"}[result.status]
    lines = [f"The checks ({result.profile}) {how}:"]
    for each in result.checks:
        detail = f": {_last(each.detail)}" if each.detail and each.status != "passed" else ""
        lines.append(f"- {each.name} {each.status}{detail}")
    lines += [f"Next: {each}" for each in result.next_steps[:3]]
    return "\n".join(lines)


def as_json(result: Result) -> dict[str, Any]:
    """A result as it is kept."""
    return asdict(result)


def from_json(found: Mapping[str, Any]) -> Result | None:
    """A result that was kept; nothing when it cannot be read."""
    try:
        checks = tuple(
            Check(
                str(each["name"]),
                cast(CheckStatus, each["status"]),
                str(each["detail"]),
                float(each["seconds"]),
            )
            for each in found["checks"]
        )
        return Result(
            status=found["status"],
            checks=checks,
            issues=tuple(found["issues"]),
            next_steps=tuple(found["next_steps"]),
            profile=found["profile"],
            risk=found["risk"],
            verifier=found["verifier"],
            tree=found["tree"],
            run=found["run"],
            at=found["at"],
            regressions=tuple(found["regressions"]),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _issue(check: Check, *, again: bool) -> str:
    worse = " It passed before." if again else ""
    return f"`{check.name}` failed: {_last(check.detail)}.{worse}"


def _step(check: Check) -> str:
    if check.status == "failed":
        return f"Make `{check.name}` pass: read its last lines, mend the cause, run it again."
    return f"`{check.name}` did not run: {_last(check.detail)}."


def _last(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:300].rstrip(".") if lines else "no output"
