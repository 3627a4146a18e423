"""Memories and questions to measure with: a public data set where there is one, else made up.

The data set is `locomo/` in PAIGE_BENCH_DATA, or in `../shared/data` beside the project. Made-up
turns use the words of the shipped vocabulary as often as words are used in a language: the second
word half as often as the first, and so on.
"""

import json
import os
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

from paige.memory.embedding import SHIPPED, read_vocabulary
from paige.memory.event import Event

_BESIDE = Path(__file__).parents[2] / "shared" / "data"
START = datetime(2025, 1, 6, 9, 0, tzinfo=UTC)
PEOPLE = ("Anna", "Ben", "Chloe", "David", "Elif", "Farid", "Grace", "Hugo", "Ines", "Jonas")
TURNS_OF_A_SESSION = 20


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, and in which project."""

    text: str
    project: str
    evidence: frozenset[str] = frozenset()  # `meta.id` of the memories that answer it


def real_memories(count: int, projects: int) -> tuple[list[Event], list[Question]] | None:
    """Turns of the data set, repeated until there are enough; None when it is not there."""
    folder = Path(os.environ.get("PAIGE_BENCH_DATA", _BESIDE)) / "locomo"
    if not (folder / "memories.jsonl").exists():
        return None
    lines = _lines(folder / "memories.jsonl")
    asked = _lines(folder / "questions.jsonl")
    names = list(dict.fromkeys(line["project"] for line in lines))
    copies = max(-(-projects // len(names)), -(-count // len(lines)))
    events: list[Event] = []
    for copy in range(copies):
        for line in lines:
            project = f"{line['project']}-{copy}"
            events.append(_turn(len(events) + 1, line, project, f"{line['session']}-{copy}"))
    del events[count:]
    kept = {(event.project, event.payload["meta"]["id"]) for event in events}
    questions = [
        Question(line["query"], f"{line['project']}-{copy}", frozenset(line["evidence"]))
        for line in asked
        for copy in range(copies)
        if all((f"{line['project']}-{copy}", mark) in kept for mark in line["evidence"])
    ]
    return events, questions


def made_up_memories(count: int, projects: int, after: int = 0) -> Iterator[Event]:
    """Turns of conversations, the projects taking turns by session; `after` skips some."""
    words = _vocabulary()
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(words))))
    first = after // TURNS_OF_A_SESSION
    for session in range(first, -(-count // TURNS_OF_A_SESSION)):
        chance = random.Random(session)
        for number in range(session * TURNS_OF_A_SESSION, (session + 1) * TURNS_OF_A_SESSION):
            said = chance.choices(words, cum_weights=weights, k=chance.randint(6, 40))
            line = {
                "text": " ".join(said).capitalize() + ".",
                "speaker": PEOPLE[(session + number % 2) % len(PEOPLE)],
                "at": (START + timedelta(minutes=number)).isoformat(),
                "meta": {"n": number},
            }
            if after <= number < count:
                yield _turn(number + 1, line, f"project-{session % projects}", f"s-{session}")


def made_up_questions(events: Sequence[Event], count: int, seed: int = 2) -> list[Question]:
    """Questions with some words of a memory each, the rarer ones more often."""
    chance = random.Random(seed)
    rank = {word: place for place, word in enumerate(_vocabulary())}
    questions: list[Question] = []
    for event in chance.sample(list(events), count):
        words = sorted(set(event.text[:-1].lower().split()), key=lambda w: rank.get(w, 0))[-8:]
        chosen = chance.sample(words, min(len(words), chance.randint(2, 5)))
        who = event.payload["speaker"]
        text = f"What did {who} say about {' '.join(chosen)}?"
        questions.append(Question(text, event.project or ""))
    return questions


def _vocabulary() -> list[str]:
    words, _ = read_vocabulary(SHIPPED)
    return [word for word in words if word.isalpha() and word.isascii() and len(word) > 1]


def _turn(seq: int, line: dict, project: str, session: str) -> Event:
    return Event(
        id=f"01990000-0000-7000-8000-{seq:012d}",
        seq=seq,
        at=datetime.fromisoformat(line["at"]),
        type="turn",
        scope="project",
        owner="me",
        project=project,
        session=session,
        text=line["text"],
        payload={"speaker": line["speaker"], "meta": line["meta"], "source": "import"},
    )


def _lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
