"""Takes in lines that others appended to a log by hand or with a simpler program.

Such a line has no number and no place in the chain, so it is not an event yet. Each becomes a draft
and goes through the broker like everything else; the new event carries the mark of the line, by
which the log knows that it was taken in. What cannot be used is reported and stays where it is.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from paige.base.errors import BadInput
from paige.memory.event import AgentRef, Draft, Provenance, as_scope
from paige.memory.intake.broker import Remembered
from paige.memory.intake.drafts import read_import_line, read_moment
from paige.memory.log.foreign import ADOPTED, ForeignLine
from paige.memory.log.kept import KeptLog
from paige.memory.types import shown

BY_HAND = "by hand"
Remember = Callable[[Sequence[Draft]], Sequence[Remembered]]


@dataclass(slots=True)
class Adopted:
    """What became of the lines others wrote."""

    taken: int = 0
    known: int = 0  # said before, or already in the log
    problems: list[str] = field(default_factory=list)


def adopt(log: KeptLog, remember: Remember, *, most: int = 500) -> Adopted:
    """Take in the next foreign lines of a log. `remember` must write to that same log."""
    done = Adopted()
    lines: list[ForeignLine] = []
    drafts: list[Draft] = []
    for line in log.foreign()[:most]:
        try:
            draft = draft_of(line)
        except BadInput as error:
            done.problems.append(f"{line.segment}, line {line.line}: {error.message}")
            continue
        lines.append(line)
        drafts.append(draft)
    for line, result in zip(lines, remember(drafts) if drafts else (), strict=True):
        if result.status == "stored":
            done.taken += 1
        elif result.status != "refused":
            done.known += 1
        else:
            done.problems.append(f"{line.segment}, line {line.line}: {result.reason}")
    return done


def draft_of(line: ForeignLine) -> Draft:
    """The memory a foreign line states. Raises: BadInput.

    A line in the shape of an event keeps its scope, its type and what else it says; owner and place
    in the chain are the broker's to give. Its id is the mark, so that it comes in once.
    """
    if line.fields is None:
        raise BadInput(line.problem or "it is not a JSON object")
    plain = read_import_line({**line.fields, "type": line.fields.get("type") or "note"})
    payload = {**_payload(line.fields), **plain.payload, "source": BY_HAND, ADOPTED: line.mark}
    return Draft(
        id=_identity(line),
        text=plain.text,
        type=plain.type,
        scope=as_scope(plain.scope),
        project=plain.project,
        session=plain.session,
        acl=_texts(line.fields, "acl"),
        agent=_agent(line.fields),
        payload=payload,
        importance=plain.importance,
        evidence=_texts(line.fields, "evidence"),
        provenance=Provenance(plain.session),
        at=plain.at or _older_moment(line.fields),
    )


def _identity(line: ForeignLine) -> str:
    given = (line.fields or {}).get("id")
    return given if isinstance(given, str) and 0 < len(given) <= 200 else f"adopted-{line.mark}"


def _payload(fields: Mapping[str, Any]) -> dict[str, Any]:
    found = fields.get("payload")
    return dict(found) if isinstance(found, Mapping) else {}


def _texts(fields: Mapping[str, Any], name: str) -> tuple[str, ...]:
    found = fields.get(name)
    if found is None:
        return ()
    if not isinstance(found, list) or not all(isinstance(each, str) and each for each in found):
        raise BadInput(f"`{name}` is `{shown(found)}`, which is not a list of texts")
    return tuple(found)


def _agent(fields: Mapping[str, Any]) -> AgentRef:
    found = fields.get("agent")
    if not isinstance(found, Mapping):
        return AgentRef()
    given = [found.get(name) for name in ("id", "role", "tool")]
    return AgentRef(*(each if isinstance(each, str) else None for each in given))


def _older_moment(fields: Mapping[str, Any]) -> datetime | None:
    """Other programs call it `timestamp` or `ts`."""
    for name in ("timestamp", "ts", "created_at"):
        if isinstance(fields.get(name), str):
            try:
                return read_moment(fields[name])
            except ValueError:
                continue
    return None
