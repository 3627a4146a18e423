"""Says how a judgement came about: what was read, which rules spoke, which was the strictest."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from paige.guard.fast.place import Place
from paige.guard.shell.judging import Judge, Judgement
from paige.guard.shell.matching import fits, parsed
from paige.guard.shell.resolving import base_name


@dataclass(frozen=True, slots=True)
class Spoke:
    """A rule that speaks of a command."""

    rule: str
    decision: str
    reason: str


@dataclass(frozen=True, slots=True)
class Step:
    """One command that would run: its words, what it was taken out of, the rules that spoke."""

    words: tuple[str, ...]
    via: tuple[str, ...]
    decision: str
    rule: str
    reason: str
    spoke: tuple[Spoke, ...]


@dataclass(frozen=True, slots=True)
class Explained:
    """A judgement with the texts that were read and the commands in them."""

    judgement: Judgement
    texts: tuple[tuple[str, bool, str], ...]
    steps: tuple[Step, ...]


def explain(command: str, place: Place, book: dict[str, Any]) -> Explained:
    """How the judgement on a command comes about."""
    judge = Judge(place, book)
    judgement = judge.judge(command)
    steps = tuple(
        Step(words, act.via, decision, rule, reason, tuple(_spoke(act.simple, place, book)))
        for act, (words, decision, rule, reason) in zip(judge.acts, judge.steps, strict=False)
    )
    return Explained(judgement, tuple(judge.scripts), steps)


def _spoke(simple: Any, place: Place, book: dict[str, Any]) -> Iterator[Spoke]:  # noqa: ANN401
    if not simple.words:
        return
    name = base_name(simple.words[0])
    families = list(book["families"].get(name, ()))
    if "added" in book:
        families += [
            each for each in book["added"]["families"].get(name, ()) if each not in families
        ]
    for family in families:
        call = parsed(simple.words, family)
        for rule in family["rules"]:
            if fits(rule, call, place, simple.stdin, book.get("protected", ())):
                yield Spoke(f"{family['name']}.{rule['id']}", rule["decision"], rule["reason"])
