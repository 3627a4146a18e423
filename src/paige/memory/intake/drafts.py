"""Reads memories that come from outside, as JSON objects, into drafts.

The batch form of an import has a text and a few optional keys; what it does not know it ignores,
and `meta` comes back exactly as it went in. Whatever cannot be used is an error that names the key
and the value, so that a person finds the line.

A line that others appended to a log, by hand or with a simpler program, has no number and no place
in the chain, so it is not an event yet. It goes through the broker like everything else; the new
event carries the mark of the line, by which the log knows that it was taken in.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import orjson

from paige.base.errors import BadInput
from paige.base.wire import storable
from paige.memory.event import SCOPES, AgentRef, Draft, Provenance, Scope, as_scope
from paige.memory.intake.admission import MOST_TEXT, clean
from paige.memory.intake.broker import RememberResult
from paige.memory.log.log_access import KeptLog
from paige.memory.log.verification import ADOPTED, ForeignLine
from paige.memory.types import is_number, shown

IMPORT = "import"
BY_HAND = "by hand"
Remember = Callable[[Sequence[Draft]], Sequence[RememberResult]]
MOST_NAME = 1000
_LONG_NUMBER = re.compile(rb"\d{19}")


def read_import_json(line: bytes | str, *, usual: Scope | None = "global") -> Draft:
    """Read one line of the batch form; `usual` as for one object. Raises: BadInput."""
    raw = line.encode(errors="surrogatepass") if isinstance(line, str) else line
    try:
        found = orjson.loads(raw)
        if _LONG_NUMBER.search(raw):
            found = json.loads(raw)  # exact; the faster reader rounds what needs over 64 bits
    except (ValueError, RecursionError) as error:
        raise BadInput(f"the line is not JSON: {error}", hint='Write {"text": "…"}.') from error
    return read_import_line(found, usual=usual)


def read_import_line(found: object, *, usual: Scope | None = "global") -> Draft:
    """Read one object of the batch form; without scope and project it has the `usual` scope.

    Raises: BadInput naming the key and the value.
    """
    if not isinstance(found, Mapping):
        raise BadInput(
            f"the line holds `{shown(found)}`, not an object", hint='Write {"text": "…"}.'
        )
    project = _name(found, "project")
    payload: dict[str, Any] = {"source": IMPORT}
    speaker = _name(found, "speaker")
    if speaker is not None:
        payload["speaker"] = speaker
    if "meta" in found:
        payload["meta"] = _meta(found["meta"])
    return Draft(
        text=_text(found),
        type=_name(found, "type") or "note",
        scope=_scope(found, "project" if project else usual),
        project=project,
        session=_name(found, "session"),
        payload=payload,
        importance=_importance(found),
        at=_moment(found),
    )


def read_moment(value: str) -> datetime:
    """A moment as people write it: ISO 8601 with an offset, `Z`, or without one (UTC); or a date.

    Raises: ValueError.
    """
    moment = datetime.fromisoformat(value.strip())
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return aware.astimezone(UTC)


def _text(found: Mapping[str, Any]) -> str:
    if "text" not in found:
        raise BadInput("`text` is missing", hint='Write {"text": "…"}.')
    text = found["text"]
    if not isinstance(text, str):
        raise BadInput(f"`text` is `{shown(text)}`, which is not a text")
    if not text.strip():
        raise BadInput("`text` is empty, so there is nothing to remember")
    if len(text) > MOST_TEXT:
        raise BadInput(
            f"`text` has {len(text)} characters, more than {MOST_TEXT}",
            hint="Split it into several lines.",
        )
    return storable(text)


def _name(found: Mapping[str, Any], key: str) -> str | None:
    value = found.get(key)
    if value is None or value == "":
        return None
    if not isinstance(value, str):
        raise BadInput(f"`{key}` is `{shown(value)}`, which is not a text")
    if len(value) > MOST_NAME:
        raise BadInput(f"`{key}` has {len(value)} characters, more than {MOST_NAME}")
    return storable(value)


def _scope(found: Mapping[str, Any], usual: Scope | None) -> Scope | None:
    value = found.get("scope")
    if value is None:
        return usual
    try:
        return as_scope(value)
    except (BadInput, TypeError):
        raise BadInput(
            f"`scope` is `{shown(value)}`, which is not a scope",
            hint=f"Scopes are: {', '.join(SCOPES)}.",
        ) from None


def _moment(found: Mapping[str, Any]) -> datetime | None:
    value = found.get("at")
    if value is None:
        return None
    wrong = f"`at` is `{shown(value)}`, which is not a moment"
    hint = "Write 2026-03-01T09:30:00Z or 2026-03-01."
    if not isinstance(value, str):
        raise BadInput(wrong, hint=hint)
    try:
        return read_moment(value)
    except (ValueError, OverflowError):
        raise BadInput(wrong, hint=hint) from None


def _importance(found: Mapping[str, Any]) -> float | None:
    value = found.get("importance")
    if value is None:
        return None
    if not is_number(value) or not 0 <= value <= 1:
        raise BadInput(f"`importance` is `{shown(value)}`, which is not a number from 0 to 1")
    return float(value)


def _meta(value: object) -> object:
    clean(value, "meta")  # only checked: it is kept as it is
    return value


def adopt(log: KeptLog, remember: Remember, *, most: int = 500) -> int:
    """Take in the next foreign lines of a log; how many that were.

    `remember` must write to that same log. What cannot be used stays where it is.
    """
    drafts: list[Draft] = []
    for line in log.foreign()[:most]:
        with suppress(BadInput):  # `verify` names every line that is not taken in
            drafts.append(foreign_draft(line))
    return sum(each.status == "stored" for each in (remember(drafts) if drafts else ()))


def foreign_draft(line: ForeignLine) -> Draft:
    """The memory a foreign line states. Raises: BadInput.

    A line in the shape of an event keeps its scope, its type and what else it says; owner and place
    in the chain are the broker's to give. Its id is the mark, so that it comes in once.
    """
    if line.fields is None:
        raise BadInput(line.problem or "it is not a JSON object")
    plain = read_import_line({**line.fields, "type": line.fields.get("type") or "note"})
    said = line.fields.get("payload")
    before = said if isinstance(said, Mapping) else {}
    payload = {**before, **plain.payload, "source": BY_HAND, ADOPTED: line.mark}
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
