"""Reads guards and their records out of JSON; a mistake names the field it is in.

A file may hold a record with all its versions, or only a guard as a person writes it; then it is a
proposal. What a reader does not know is a mistake and not silently lost: a misspelt `paths` would
make a guard wider than anybody meant.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Any, TypeVar

from paige.base.clock import to_iso
from paige.base.errors import BadInput
from paige.guard.guards.values import (
    DECISIONS,
    EVENTS,
    FACTS,
    SCOPES,
    Example,
    Guard,
    GuardRecord,
    Matcher,
    Override,
)
from paige.memory.lifecycle.staged import STAGES, Lineage, Staged, Step

FORMAT = 1
MOST_EXAMPLES = 50
MOST_MESSAGE = 2000
MOST_LIST = 50
_TOOLS = ("pre_tool", "permission_request")
_SAFE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789-")
T = TypeVar("T")


def parse_guard(value: object, where: str = "guard") -> Guard:
    """A guard out of plain values. Raises: BadInput naming the field."""
    given = _table(value, where, _GUARD)
    guard = Guard(
        id=_id(given.get("id"), f"{where}.id"),
        event=_one_of(given.get("event", "pre_tool"), EVENTS, f"{where}.event"),
        matcher=_matcher(given.get("matcher"), f"{where}.matcher"),
        message=_text(given.get("message"), f"{where}.message", most=MOST_MESSAGE),
        decision=_one_of(given.get("decision", "deny"), DECISIONS, f"{where}.decision"),
        must=_examples(given.get("must", []), f"{where}.must"),
        must_not=_examples(given.get("must_not", []), f"{where}.must_not"),
        scope=_one_of(given.get("scope", "project"), SCOPES, f"{where}.scope"),
        pattern=_text(given.get("pattern", ""), f"{where}.pattern", least=0),
        evidence=_texts(given.get("evidence", []), f"{where}.evidence", most=1000),
    )
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


def is_untouched(staged: Staged[Guard | None]) -> bool:
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
    given = _table(value, where, ("format", "id", "versions", "line", "overrides"))
    if given.get("format") != FORMAT:
        raise _fault(f"{where}.format", "is not one this Paige reads", f"It must be {FORMAT}.")
    name = _id(given.get("id"), f"{where}.id")
    versions = _each(given.get("versions"), f"{where}.versions", _staged)
    line = tuple(
        _whole(each, f"{where}.line") for each in _list(given.get("line"), f"{where}.line")
    )
    _check_lineage(name, versions, line, where)
    overrides = _each(given.get("overrides", []), f"{where}.overrides", _override)
    return GuardRecord(id=name, lineage=Lineage(versions, line), overrides=overrides)


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
    nothing: Staged[Guard | None] = Staged(
        version=0,
        value=None,
        stage="production",
        history=(Step("production", at, "There was no guard."),),
    )
    written: Staged[Guard | None] = Staged(
        version=1,
        value=guard,
        stage="experiment",
        history=(Step("experiment", at, "Written by hand.", {"by": "person"}),),
        previous=0,
    )
    return GuardRecord(id=guard.id, lineage=Lineage((nothing, written)))


def _check_lineage(
    name: str, versions: Sequence[Staged[Guard | None]], line: tuple[int, ...], where: str
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


def _staged(value: object, where: str) -> Staged[Guard | None]:
    given = _table(value, where, ("version", "value", "stage", "history", "previous"))
    guard = given.get("value")
    previous = given.get("previous")
    return Staged(
        version=_whole(given.get("version"), f"{where}.version"),
        value=None if guard is None else parse_guard(guard, f"{where}.value"),
        stage=_one_of(given.get("stage"), STAGES, f"{where}.stage"),
        history=_each(given.get("history"), f"{where}.history", _step),
        previous=None if previous is None else _whole(previous, f"{where}.previous"),
    )


def _step(value: object, where: str) -> Step:
    given = _table(value, where, ("stage", "at", "by", "why", "forced", "numbers"))
    metrics: dict[str, Any] = dict(_table(given.get("numbers", {}), f"{where}.numbers", None))
    if given.get("by"):
        metrics["by"] = _text(given["by"], f"{where}.by")
    if given.get("forced"):
        metrics["forced"] = True
    return Step(
        _one_of(given.get("stage"), STAGES, f"{where}.stage"),
        _moment(given.get("at"), f"{where}.at"),
        _text(given.get("why", ""), f"{where}.why", least=0, most=MOST_MESSAGE),
        metrics,
    )


def _dump_staged(staged: Staged[Guard | None]) -> dict[str, Any]:
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


def _override(value: object, where: str) -> Override:
    given = _table(value, where, ("decision", "at", "by", "why"))
    return Override(
        decision=_text(given.get("decision"), f"{where}.decision"),
        at=_moment(given.get("at"), f"{where}.at"),
        by=_text(given.get("by", ""), f"{where}.by", least=0),
        why=_text(given.get("why", ""), f"{where}.why", least=0, most=MOST_MESSAGE),
    )


def _matcher(value: object, where: str) -> Matcher:
    given = _table(value, where, _MATCHER)
    texts = {
        name: _texts(given.get(name, []), f"{where}.{name}")
        for name in _MATCHER
        if name != "fields"
    }
    unknown = [each for each in texts["unless"] if each not in FACTS]
    if unknown:
        raise _fault(f"{where}.unless", f"knows no fact `{unknown[0]}`", f"Use {', '.join(FACTS)}.")
    if set(texts["command"][:1]) & {"*", "**"}:
        raise _fault(f"{where}.command", "begins with any program", "Name the program.")
    if any(not each.strip("*?/.") for each in texts["paths"]):
        raise _fault(f"{where}.paths", "fit every file", "Name a folder, a name or an ending.")
    if any(not each.strip() for each in texts["contains"]):
        raise _fault(f"{where}.contains", "holds an empty text", "Write what has to stand there.")
    fields = _table(given.get("fields", {}), f"{where}.fields", None)
    return Matcher(fields=dict(fields), **texts)


def _examples(value: object, where: str) -> tuple[Example, ...]:
    return _each(value, where, _example, most=MOST_EXAMPLES)


def _example(value: object, where: str) -> Example:
    given = _table(value, where, ("tool", "input", "agent", "role", "facts"))
    return Example(
        tool=_text(given.get("tool", ""), f"{where}.tool", least=0),
        input=dict(_table(given.get("input", {}), f"{where}.input", None)),
        agent=_text(given.get("agent", ""), f"{where}.agent", least=0),
        role=_text(given.get("role", ""), f"{where}.role", least=0),
        facts=_texts(given.get("facts", []), f"{where}.facts"),
    )


def _table(value: object, where: str, known: Sequence[str] | None) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _fault(where, "is no object", "Write `{…}`.")
    unknown = sorted(set(value) - set(known)) if known is not None else []
    if unknown:
        raise _fault(f"{where}.{unknown[0]}", "is not known", f"Use {', '.join(known or ())}.")
    return value


def _list(value: object, where: str, most: int | None = None) -> Sequence[Any]:
    if not isinstance(value, list | tuple):
        raise _fault(where, "is no list", "Write `[…]`.")
    if most is not None and len(value) > most:
        raise _fault(where, f"has {len(value)} entries", f"At most {most} are taken.")
    return value


def _each(
    value: object, where: str, read: Callable[[object, str], T], most: int | None = None
) -> tuple[T, ...]:
    listed = _list(value, where, most)
    return tuple(read(each, f"{where}[{at}]") for at, each in enumerate(listed))


def _texts(value: object, where: str, most: int = MOST_LIST) -> tuple[str, ...]:
    return _each(value, where, lambda each, at: _text(each, at, most=MOST_MESSAGE), most)


def _text(value: object, where: str, *, least: int = 1, most: int = 500) -> str:
    if not isinstance(value, str):
        raise _fault(where, "is no text", 'Write "…".')
    if not least <= len(value.strip()) or len(value) > most:
        raise _fault(where, f"has {len(value)} characters", f"Write {least} to {most}.")
    return value


def _one_of(value: object, known: Sequence[T], where: str) -> T:
    if value not in known:
        raise _fault(where, f"is `{value}`", f"Use one of {', '.join(map(str, known))}.")
    return known[known.index(value)]  # type: ignore[arg-type]  # it is one of them


def _id(value: object, where: str) -> str:
    text = _text(value, where, most=80)
    if not set(text) <= _SAFE or text.startswith("-"):
        raise _fault(where, f"is `{text}`", "Use small letters, digits and `-`.")
    return text


def _whole(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise _fault(where, "is no whole number", "Write 0, 1, 2 …")
    return value


def _moment(value: object, where: str) -> datetime:
    try:
        found = datetime.fromisoformat(_text(value, where))
    except ValueError:
        raise _fault(where, f"is `{value}`", "Write a moment: 2026-01-01T00:00:00Z.") from None
    return found if found.tzinfo is not None else found.replace(tzinfo=UTC)


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


_GUARD = (
    "id", "event", "matcher", "message", "decision", "must", "must_not", "scope", "pattern",
    "evidence",
)  # fmt: skip
_MATCHER = ("tools", "agents", "roles", "command", "paths", "fields", "contains", "unless")
# What says where a guard comes from, not what it does.
_ABOUT = ("must", "must_not", "pattern", "evidence")
