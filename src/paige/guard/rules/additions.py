"""What a project's rule file would loosen if it counted in full: that part has no effect."""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from paige.guard.rules.examples import RuleProblem

_RANK = {"allow": 0, "ask": 1, "deny": 2}
_MOST_NAMED = 3
ONLY_ADDS = (
    "would loosen what Paige or the person says ({}), and that part has no effect: what comes with "
    "a project only adds denials and questions. If you answer for it: `paige guard trust {}`"
)


def loosened(path: Path, below: Path | None) -> RuleProblem | None:
    """What of a file has no effect; `below` is the file that it would replace."""
    over, under = _read(path), _read(below) if below else {}
    gone = list(dict.fromkeys((*_allowing(over, path.stem), *_missing(over, under, path.stem))))
    if not gone:
        return None
    named = ", ".join(gone[:_MOST_NAMED]) + (", …" if len(gone) > _MOST_NAMED else "")
    return RuleProblem(str(path), "", ONLY_ADDS.format(named, path))


def _allowing(data: dict[str, Any], stem: str) -> Iterator[str]:
    """What allows something: a rule, a group of places or variables, a line of what is harmless."""
    if stem == "harmless":
        yield from (str(name) for group in data.values() for name in group)
    for name, decision in _decisions(data, stem):
        if decision == "allow":
            yield name


def _missing(over: dict[str, Any], under: dict[str, Any], stem: str) -> Iterator[str]:
    """What the file below says and this one leaves out, or says less strictly."""
    said = dict(_decisions(over, stem))
    for name, decision in _decisions(under, stem):
        if _RANK.get(said.get(name, ""), 0) < _RANK.get(decision, 0):
            yield name
    if "rule" not in under and "family" not in under:
        yield from (name for name, each in under.items() if over.get(name) != each)


def _decisions(data: dict[str, Any], stem: str) -> Iterator[tuple[str, str]]:
    listed = data.get("family")
    for family in listed if isinstance(listed, list) else [data]:
        name = family.get("name", family.get("family", stem))
        for rule in family.get("rule", ()):
            yield f"{name}.{rule.get('id')}", str(rule.get("decision"))
        if "default" in family:
            yield f"{name}.default", str(family["default"])
    for group in data.get("group", ()):
        for word in (*group.get("places", ()), *group.get("names", ())):
            yield str(word), str(group.get("decision"))


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return {}  # whoever reads the rules says so
