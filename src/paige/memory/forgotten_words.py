"""What was forgotten, to be taken out of every copy that Paige made of it by itself.

A copy is known by the id of what it was made from, or by its words. Texts that are short are known
by their id only: "yes" stands in many places and means another thing in each. A copy may have been
cut, or have its line breaks changed; JSON is looked into, also where it lies in JSON.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from paige.memory.event import Event

FORGOTTEN = "[forgotten]"
LEAST = 16  # signs of a text that is known by its words
BEGINNING = 100  # signs by which a copy is known that was cut
_SAID = ("question", "answer")
_BULLET = re.compile(r"^[\s>#*+-]+")
_PART = re.compile(r"-\d+$")
_PLAIN = re.compile(r"[A-Za-z0-9 .,:;!?()+=#@_-]+")


@dataclass(frozen=True, slots=True)
class ForgottenWords:
    """The ids and texts of memories that are forgotten."""

    ids: frozenset[str]
    texts: tuple[str, ...]

    @classmethod
    def of(cls, events: Iterable[Event]) -> "ForgottenWords":
        """What some memories say; to be called before they lose their words."""
        ids: set[str] = set()
        texts: dict[str, None] = {}
        for event in events:
            # Several memories of one line of a hook have its id with a number behind.
            ids |= {event.id, _PART.sub("", event.id)}
            said = [event.text, *(event.payload.get(name) for name in _SAID)]
            if event.type == "file_written":  # what was proposed for a document is a part of it
                said += [_BULLET.sub("", line) for line in event.text.splitlines()]
            for text in said:
                if isinstance(text, str):
                    plain = text.strip()
                    texts |= dict.fromkeys((plain, " ".join(plain.split())))
        return cls(frozenset(ids), tuple(text for text in texts if len(text) >= LEAST))

    @property
    def probes(self) -> tuple[str, ...]:
        """A part of each text that looks the same however often it was encoded as JSON."""
        found: dict[str, None] = {}
        for text in self.texts:
            plain = max(_PLAIN.findall(text[:BEGINNING]), key=len, default="").strip()
            if len(plain) >= LEAST // 2:
                found[plain] = None
            else:
                found |= dict.fromkeys((text[:BEGINNING], json.dumps(text[:BEGINNING])[1:-1]))
        return tuple(found)

    def holds(self, value: object) -> bool:
        """Whether a value repeats what was forgotten."""
        return self.without(value) != value

    def without(self, value: Any) -> Any:  # noqa: ANN401 - any JSON value
        """A value without the words."""
        match value:
            case str():
                return self._text(value)
            case list() | tuple():
                return [self.without(each) for each in value]
            case Mapping():
                return {self._text(key): self.without(each) for key, each in value.items()}
            case _:
                return value

    def _text(self, text: str) -> str:
        if len(text) < LEAST:
            return text
        if text[0] in "{[" and (inside := _json(text)) is not None:
            clean = self.without(inside)
            return text if clean == inside else json.dumps(clean, ensure_ascii=False)
        for each in self.texts:
            if each in text:
                text = text.replace(each, FORGOTTEN)
            elif len(each) > BEGINNING and each[:BEGINNING] in text:
                return FORGOTTEN
        return text


def _json(text: str) -> list[Any] | dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, list | dict) else None
