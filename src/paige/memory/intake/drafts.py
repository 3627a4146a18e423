"""Reads memories that come from outside, as JSON objects, into drafts.

The batch form of an import has a text and a few optional keys; what it does not know it ignores,
and `meta` comes back exactly as it went in. Whatever cannot be used is an error that names the key
and the value, so that a person finds the line.
"""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import orjson

from paige.base.errors import BadInput
from paige.base.text import storable
from paige.memory.event import SCOPES, Draft, Scope, as_scope
from paige.memory.intake.admission import MOST_TEXT, clean
from paige.memory.types import is_number, shown

IMPORT = "import"
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
