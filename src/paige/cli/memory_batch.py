"""The batch forms of `paige memory`: searches, names, and imports in batches."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any, TypeVar

from paige.base.errors import BadInput
from paige.doors.frame.batch import Answer
from paige.memory.access import Reader
from paige.memory.event import Draft, as_scope
from paige.memory.intake.admission import Writer
from paige.memory.memory import Memory
from paige.memory.names.gate import NameGate
from paige.memory.search_values import Ask, Found

T = TypeVar("T")
TAKEN_AT_ONCE = 500


def search_answer(memory: Memory, reader: Reader) -> Answer:
    """Answers `{"query", "k"?, "scope"?, "project"?, "budget_tokens"?}`."""

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        return dump_found(memory.search(read_ask(asked), reader))

    return answer


def names_answer(gate: NameGate) -> Answer:
    """Answers `{"text"}` with who is named in it."""

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        judged = gate.judge(_text(asked, "text"))
        return {"named": [each.text for each in judged.named], "allowed": judged.allowed}

    return answer


def read_ask(asked: dict[str, Any]) -> Ask:
    """The question in a line. Raises: BadInput."""
    return Ask(
        query=_text(asked, "query"),
        k=_number(asked, "k"),
        budget_tokens=_number(asked, "budget_tokens"),
        scope=None if asked.get("scope") is None else as_scope(asked["scope"]),
        project=_optional(asked, "project"),
        session=_optional(asked, "session"),
        history=bool(asked.get("history")),
    )


def dump_found(found: Found, *, why: bool = False) -> dict[str, Any]:
    """An answer as JSON."""
    results = [
        {
            "id": each.id,
            "text": each.text,
            "score": each.score,
            "scope": each.scope,
            "meta": each.meta,
            **({"why": dict(each.why), "tokens": each.tokens} if why else {}),
        }
        for each in found.results
    ]
    return {"results": results, "took_ms": round(found.took_ms, 3)}


def take_in(
    memory: Memory, drafts: Iterable[Draft], writer: Writer, refused: list[str]
) -> Iterator[int]:
    """Store what an import reads, in batches; yields how many there were so far."""
    done = 0
    for batch in _batches(drafts, TAKEN_AT_ONCE):
        for result in memory.remember(batch, writer):
            done += result.status == "stored"
            if result.status == "refused":
                refused.append(result.reason or "It may not be kept")
        yield done


def _batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch


def _text(asked: dict[str, Any], name: str) -> str:
    value = asked.get(name)
    if not isinstance(value, str):
        raise BadInput(f"`{name}` is missing or is not a text")
    return value


def _optional(asked: dict[str, Any], name: str) -> str | None:
    return None if asked.get(name) is None else _text(asked, name)


def _number(asked: dict[str, Any], name: str) -> int | None:
    value = asked.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadInput(f"`{name}` is `{value}`, which is not a number from 1")
    return value
