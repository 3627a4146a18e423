"""Executes the examples of rules: what a rule must and must not say, and its own suggestion."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from paige.guard.fast.place import Place
from paige.guard.shell.judging import DENY, Judge

EXAMPLE_PLACE = Place("/home/u/project", "/home/u/project", "/home/u", "/home/u/.paige", own=False)


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """Something in a rule file that needs a hand."""

    path: str
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.rule}: {self.message}"


def failing(path: str, family: Mapping[str, Any], compiled: dict) -> Iterable[RuleProblem]:
    """What the examples of a family's rules say against them."""
    for rule in family.get("rule", ()):
        name = f"{family['family']}.{rule['id']}"
        for each in _texts(rule, "must"):
            said = _other(each, name, rule["decision"], compiled)
            if said:
                yield RuleProblem(path, name, f"must match `{each}`, but it was {said}")
        for each in _texts(rule, "must_not"):
            if _matched(each, name, compiled):
                yield RuleProblem(path, name, f"must not match `{each}`")
        yield from _suggestion(path, name, rule, compiled)


def _suggestion(
    path: str, name: str, rule: Mapping[str, Any], compiled: dict
) -> Iterable[RuleProblem]:
    """A rule may not deny what it says to do instead; a suggestion may be words, too."""
    for each in suggested(str(rule.get("instead", ""))):
        judged = Judge(EXAMPLE_PLACE, compiled).judge(each)
        if judged.decision == DENY:
            yield RuleProblem(path, name, f"suggests `{each}`, which {judged.rule} denies")


def suggested(instead: str) -> list[str]:
    """The commands in a suggestion: what stands in backticks, or all of it without a full stop."""
    if "`" in instead:
        return instead.split("`")[1::2]
    return [] if not instead or instead.endswith((".", "?")) else [instead]


def _texts(rule: Mapping[str, Any], key: str) -> list[str]:
    value = rule.get(key, [])
    return [str(each) for each in value] if isinstance(value, list) else [str(value)]


def _other(command: str, rule: str, decision: str, compiled: dict) -> str:
    """What else was said of an example; empty when the rule matched and its decision held."""
    judge = Judge(EXAMPLE_PLACE, compiled)
    judged = judge.judge(command)
    matched = any(step[2] == rule for step in judge.steps)
    if matched and judged.decision == decision:
        return ""
    return f"{judged.decision} by {judged.rule}"


def _matched(command: str, rule: str, compiled: dict) -> bool:
    judge = Judge(EXAMPLE_PLACE, compiled)
    judge.judge(command)
    return any(step[2] == rule for step in judge.steps)
