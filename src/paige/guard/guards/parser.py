"""Reads guards and their records out of JSON; a mistake names the field it is in.

A file may hold a record with all its versions, or only a guard as a person writes it; then it is a
proposal. What a reader does not know is a mistake and not silently lost: a misspelt `paths` would
make a guard wider than anybody meant.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal, TypeVar

from pydantic import TypeAdapter, ValidationError

from paige.base.clock import to_iso
from paige.base.errors import BadInput
from paige.base.wire import SNAKE
from paige.guard.guards.values import (
    FACTS,
    Guard,
    GuardId,
    GuardRecord,
    LearnedMatcher,
    Override,
    Said,
    Short,
)
from paige.memory.lifecycle.staged import Lineage, Stage, StagedVersion, Step

FORMAT = 1
_TOOLS = ("pre_tool", "permission_request")
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class _StoredStep:
    """A step as a file has it: who took it and whether it was forced stand beside the numbers."""

    __pydantic_config__ = SNAKE

    stage: Stage
    at: datetime
    by: Short = ""
    why: Said = ""
    forced: bool = False
    numbers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class _StoredVersion:
    __pydantic_config__ = SNAKE

    version: int
    value: Guard | None
    stage: Stage
    history: tuple[_StoredStep, ...]
    previous: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _StoredRecord:
    __pydantic_config__ = SNAKE

    format: Literal[1]
    id: GuardId
    versions: tuple[_StoredVersion, ...]
    line: tuple[int, ...]
    overrides: tuple[Override, ...] = ()


_GUARD = TypeAdapter(Guard)
_RECORD = TypeAdapter(_StoredRecord)


def parse_guard(value: object, where: str = "guard") -> Guard:
    """A guard out of plain values. Raises: BadInput naming the field."""
    guard = _read(_GUARD, value, where)
    _check_words(guard.matcher, f"{where}.matcher")
    check_breadth(guard, where)
    return guard


def check_breadth(guard: Guard, where: str = "guard") -> None:
    """Refuse a guard that is about everything. Raises: BadInput."""
    matcher = guard.matcher
    if guard.event in _TOOLS:
        narrow = (matcher.command, matcher.paths, matcher.fields, matcher.contains)
        if not any(narrow) and not (matcher.tools and (matcher.agents or matcher.roles)):
            raise _fault(
                f"{where}.matcher",
                "is about every call",
                "Name a command, paths, fields or a text; or tools together with an agent or role.",
            )
        return
    if guard.decision != "deny":
        raise _fault(f"{where}.decision", "is `ask`", "A stop is refused or not: write `deny`.")
    if not (matcher.agents or matcher.roles or matcher.unless):
        raise _fault(f"{where}.matcher", "is about every stop", "Name agents, roles or `unless`.")
    about = (matcher.tools, matcher.command, matcher.paths, matcher.fields, matcher.contains)
    if any(about):
        raise _fault(f"{where}.matcher", "is about a tool", "A stop has none: take it out.")


def dump_guard(guard: Guard) -> dict[str, Any]:
    """A guard as plain values; what is empty is left out."""
    made = asdict(guard)
    made["matcher"] = _filled(made["matcher"])
    made["must"] = [_filled(each) for each in made["must"]]
    made["must_not"] = [_filled(each) for each in made["must_not"]]
    return _listed({"id": made.pop("id"), **made})


def digest_of(guard: Guard) -> str:
    """A name of what a guard does; a guard that was changed has another one."""
    kept = {key: value for key, value in dump_guard(guard).items() if key not in _ABOUT}
    text = json.dumps(kept, sort_keys=True, ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def is_untouched(staged: StagedVersion[Guard | None]) -> bool:
    """Whether a guard that blocks is the one that was promoted: nobody changed it afterwards."""
    guard = staged.value
    if guard is None:
        return True
    # A version that a rollback restored has a step without numbers: its own promotion counts.
    promoted = [
        each.metrics["digest"]
        for each in staged.history
        if each.stage == "production" and "digest" in each.metrics
    ]
    return bool(promoted) and promoted[-1] == digest_of(guard)


def parse_record(value: object, where: str = "guard", *, at: datetime | None = None) -> GuardRecord:
    """A record out of plain values; a bare guard is a proposal made `at`. Raises: BadInput."""
    if isinstance(value, dict) and "versions" not in value:
        guard = parse_guard(value, where)
        return _by_hand(guard, at or datetime.fromtimestamp(0, UTC))
    given = _read(_RECORD, value, where)
    versions = tuple(map(_version, given.versions))
    for number, each in enumerate(versions):
        if each.value is not None:
            place = f"{where}.versions[{number}].value"
            _check_words(each.value.matcher, f"{place}.matcher")
            check_breadth(each.value, place)
    _check_lineage(given.id, versions, given.line, where)
    overrides = tuple(replace(each, at=_in_utc(each.at)) for each in given.overrides)
    return GuardRecord(id=given.id, lineage=Lineage(versions, given.line), overrides=overrides)


def dump_record(record: GuardRecord) -> dict[str, Any]:
    """A record as plain values, as its file holds it."""
    return {
        "format": FORMAT,
        "id": record.id,
        "versions": [_dump_staged(each) for each in record.lineage.versions],
        "line": list(record.lineage.line),
        "overrides": [
            {"decision": each.decision, "at": to_iso(each.at), "by": each.by, "why": each.why}
            for each in record.overrides
        ],
    }


def _by_hand(guard: Guard, at: datetime) -> GuardRecord:
    nothing: StagedVersion[Guard | None] = StagedVersion(
        version=0,
        value=None,
        stage="production",
        history=(Step("production", at, "There was no guard."),),
    )
    written: StagedVersion[Guard | None] = StagedVersion(
        version=1,
        value=guard,
        stage="experiment",
        history=(Step("experiment", at, "Written by hand.", {"by": "person"}),),
        previous=0,
    )
    return GuardRecord(id=guard.id, lineage=Lineage((nothing, written)))


def _check_lineage(
    name: str, versions: Sequence[StagedVersion[Guard | None]], line: tuple[int, ...], where: str
) -> None:
    """What a state machine would never have made is no record."""
    fix = "Take back the last change to the file, or propose the guard anew."
    if not versions or [each.version for each in versions] != list(range(len(versions))):
        raise _fault(f"{where}.versions", "are not numbered from 0", fix)
    if versions[0].value is not None or any(each.value is None for each in versions[1:]):
        raise _fault(f"{where}.versions", "must begin with one that is no guard", fix)
    if any(each.value is not None and each.value.id != name for each in versions):
        raise _fault(f"{where}.versions", f"have another id than `{name}`", fix)
    if not line or line[0] != 0 or any(not 0 <= each < len(versions) for each in line):
        raise _fault(f"{where}.line", "names versions that are not there", fix)
    live = [each.version for each in versions if each.stage == "production"]
    tried = [each for each in versions if each.stage in ("experiment", "validate")]
    if live != [line[-1]] or len(tried) > 1 or any(not each.history for each in versions):
        raise _fault(f"{where}.versions", "have stages that do not fit together", fix)
    if any(each.history[-1].stage != each.stage for each in versions):
        raise _fault(f"{where}.versions", "have a stage no step led to", fix)


def _version(given: _StoredVersion) -> StagedVersion[Guard | None]:
    return StagedVersion(
        version=given.version,
        value=given.value,
        stage=given.stage,
        history=tuple(map(_step, given.history)),
        previous=given.previous,
    )


def _step(given: _StoredStep) -> Step:
    metrics = dict(given.numbers)
    metrics |= {"by": given.by} if given.by else {}
    metrics |= {"forced": True} if given.forced else {}
    return Step(given.stage, _in_utc(given.at), given.why, metrics)


def _dump_staged(staged: StagedVersion[Guard | None]) -> dict[str, Any]:
    return {
        "version": staged.version,
        "value": None if staged.value is None else dump_guard(staged.value),
        "stage": staged.stage,
        "previous": staged.previous,
        "history": [dump_step(each) for each in staged.history],
    }


def dump_step(step: Step) -> dict[str, Any]:
    """A step as plain values: when, by whom, why, whether it was forced, and the numbers."""
    numbers = {key: each for key, each in step.metrics.items() if key not in ("by", "forced")}
    return {
        "stage": step.stage,
        "at": to_iso(step.at),
        "by": str(step.metrics.get("by", "")),
        "why": step.reason,
        "forced": step.metrics.get("forced") is True,
        "numbers": _listed(numbers),
    }


def _check_words(matcher: LearnedMatcher, where: str) -> None:
    """Refuse words that fit everything, or that nobody knows. Raises: BadInput."""
    unknown = [each for each in matcher.unless if each not in FACTS]
    if unknown:
        raise _fault(f"{where}.unless", f"knows no fact `{unknown[0]}`", f"Use {', '.join(FACTS)}.")
    if set(matcher.command[:1]) & {"*", "**"}:
        raise _fault(f"{where}.command", "begins with any program", "Name the program.")
    if any(not each.strip("*?/.") for each in matcher.paths):
        raise _fault(f"{where}.paths", "fit every file", "Name a folder, a name or an ending.")


def _read(adapter: TypeAdapter[T], value: object, where: str) -> T:
    """A value of plain ones; the first mistake is named by its field. Raises: BadInput."""
    try:
        return adapter.validate_python(value)
    except ValidationError as error:
        fault = error.errors(include_url=False)[0]
    parts = (f"[{each}]" if isinstance(each, int) else f".{each}" for each in fault["loc"])
    if fault["type"] == "unexpected_keyword_argument":
        raise _fault(where + "".join(parts), "is not known", "Take it out, or correct its name.")
    raise _fault(where + "".join(parts), "cannot be used", f"{fault['msg']}.")


def _in_utc(moment: datetime) -> datetime:
    """A moment without a time zone is one in UTC."""
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _fault(where: str, problem: str, fix: str) -> BadInput:
    return BadInput(f"`{where}` {problem}", hint=fix)


def _filled(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if value}


def _listed(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Plain values as JSON has them: tuples are lists there."""
    if isinstance(value, dict):
        return {key: _listed(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_listed(each) for each in value]
    return value


# What says where a guard comes from, not what it does.
_ABOUT = ("must", "must_not", "pattern", "evidence")
