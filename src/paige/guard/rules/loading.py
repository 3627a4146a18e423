"""Reads rule files and compiles them into the book the judge reads.

A family is the rules of one tool. Every rule carries examples that it must and must not match; they
are executed when a book is made, so that a rule that does not do what it says never gets into use.
"""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paige.base.errors import BadInput
from paige.guard.fast.place import Place
from paige.guard.shell.judging import ALLOW, ASK, DENY, Judge

FOLDER = "rules"
TABLES = ("wrappers.toml", "variables.toml", "writes.toml")
_DECISIONS = (ALLOW, ASK, DENY)
_LISTS = ("any", "all", "none", "operand", "targets", "target_options", "text")
_KNOWN = frozenset(
    {
        *_LISTS, "id", "decision", "sub", "operands", "only", "unknown", "last", "loses", "reason",
        "instead", "must", "must_not",
    }
)  # fmt: skip
EXAMPLE_PLACE = Place("/home/u/project", "/home/u/project", "/home/u", "/home/u/.paige", own=False)
PROTECTED = (
    "*/.paige/guard/*", "*/.paige/spool/*", "*/.claude/settings.json",
    "*/.claude/settings.local.json", "*/.claude/hooks/*", "*/.claude/hooks",
    "*/.claude/.delegation-state/*", "*/.claude/progress/evidence/*", "*/.codex/hooks.json",
    "*/.codex/config.toml", "*/.gemini/settings.json", "*/.copilot/hooks/*", "*/.github/hooks/*",
    "*/.paige/evidence*", "*/.ai/guard/*", "*/ai/guard/*",
)  # fmt: skip
BINS = (
    "/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class RuleProblem:
    """Something in a rule file that needs a hand."""

    path: str
    rule: str
    message: str

    def __str__(self) -> str:
        return f"{self.path}: {self.rule}: {self.message}"


@dataclass(frozen=True, slots=True)
class Book:
    """The compiled rules, the files they came from, and what was wrong with some."""

    compiled: dict[str, Any]
    sources: tuple[Path, ...]
    problems: tuple[RuleProblem, ...]


def load_book(files: Sequence[Path], folders: Sequence[Path] = (), *, check: bool = False) -> Book:
    """The rules of some files; `folders` are watched for new ones.

    With `check` every example is executed; a rule whose examples fail is a problem.
    """
    families: dict[str, list[dict[str, Any]]] = {}
    tables: dict[str, dict[str, Any]] = {name: {} for name in TABLES}
    problems: list[RuleProblem] = []
    made: list[tuple[Path, dict[str, Any]]] = []
    for path in files:
        try:
            data = tomllib.loads(path.read_text("utf-8"))
            if path.name in tables:
                _merge(tables[path.name], data)
                continue
            family = compile_family(data, path)
        except (OSError, ValueError) as error:
            problems.append(RuleProblem(str(path), "", f"cannot be read: {error}"))
        except BadInput as error:
            problems.append(RuleProblem(str(path), "", error.message))
        else:
            made.append((path, family))
            for name in data["commands"]:
                families.setdefault(name, []).append(family)
    compiled = {
        "families": {name: tuple(each) for name, each in families.items()},
        "wrappers": _wrappers(tables["wrappers.toml"]),
        "variables": _variables(tables["variables.toml"]),
        "redirects": _redirects(tables["writes.toml"]),
        "protected": PROTECTED,
        "bins": BINS,
    }
    if check:
        for path, family in made:
            problems += _failing(path, family, compiled)
    return Book(compiled, (*folders, *files), tuple(problems))


def compile_family(data: Mapping[str, Any], path: Path) -> dict[str, Any]:
    """A family as plain values. Raises: BadInput."""
    if not isinstance(data.get("commands"), list) or not data["commands"]:
        raise BadInput("`commands` names no program", hint='Write `commands = ["git"]`.')
    name = str(data.get("family", path.stem))
    rules = tuple(_rule(each, name) for each in data.get("rule", ()))
    return {
        "name": name,
        "values": tuple(data.get("values", ())),
        "sub_values": {key: tuple(each) for key, each in data.get("sub_values", {}).items()},
        "clusters": bool(data.get("clusters", True)),
        "default": str(data.get("default", ASK)),
        # The strictest first, so that the judge may stop early.
        "rules": tuple(sorted(rules, key=lambda rule: -_DECISIONS.index(rule["decision"]))),
    }


def _rule(data: Mapping[str, Any], family: str) -> dict[str, Any]:
    _check_rule(data, family)
    name, decision = str(data["id"]), data["decision"]
    made: dict[str, Any] = {"id": name, "decision": decision, "reason": _reason(data)}
    for key in _LISTS:
        if data.get(key):
            made[key] = tuple(str(each) for each in _listed(data[key]))
    if data.get("sub"):
        made["sub"] = tuple(tuple(str(each).split()) for each in _listed(data["sub"]))
    if "operands" in data:
        least, most = data["operands"]
        made["operands"] = (int(least), int(most))
    if "only" in data:
        made["only"] = "*" if data["only"] == "*" else tuple(data["only"])
    elif decision == ALLOW:
        made["only"] = ()
    for key in ("unknown", "last"):
        if data.get(key):
            made[key] = True
    made["must"] = tuple(_listed(data.get("must", ())))
    made["must_not"] = tuple(_listed(data.get("must_not", ())))
    return made


def _check_rule(data: Mapping[str, Any], family: str) -> None:
    name = data.get("id")
    if not name:
        raise BadInput(f"A rule of `{family}` has no `id`")
    unknown = ", ".join(sorted(set(data) - _KNOWN))
    if unknown:
        raise BadInput(f"Rule `{family}.{name}` has unknown keys: {unknown}")
    if data.get("decision") not in _DECISIONS:
        said = data.get("decision")
        raise BadInput(f"Rule `{family}.{name}` decides `{said}`: write allow, ask or deny")


def _reason(data: Mapping[str, Any]) -> str:
    said = str(data.get("reason") or data.get("loses") or "")
    instead = data.get("instead")
    return f"{said} Instead: {instead}" if instead else said


def _listed(value: object) -> Iterable[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _merge(into: dict[str, Any], data: Mapping[str, Any]) -> None:
    for key, value in data.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        elif isinstance(value, list) and isinstance(into.get(key), list):
            into[key] = [*into[key], *value]
        else:
            into[key] = value


def _wrappers(data: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    made: dict[str, dict[str, Any]] = {}
    for name, each in data.items():
        kept: dict[str, Any] = {}
        for key, value in each.items():
            if key == "subs":
                kept[key] = tuple(tuple(str(sub).split()) for sub in value)
            elif isinstance(value, list):
                kept[key] = tuple(value)
            elif key not in ("also", "about"):
                kept[key] = value
        for called in (name, *each.get("also", ())):
            made[called] = kept
    return made


def _variables(data: Mapping[str, Any]) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (str(name), str(group["decision"]), str(group["reason"]))
        for group in data.get("group", ())
        for name in group["names"]
    )


def _redirects(data: Mapping[str, Any]) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (str(where), str(group["decision"]), str(group["reason"]))
        for group in data.get("group", ())
        for where in group["places"]
    )


def _failing(path: Path, family: Mapping[str, Any], compiled: dict[str, Any]) -> list[RuleProblem]:
    problems: list[RuleProblem] = []
    for rule in family["rules"]:
        name = f"{family['name']}.{rule['id']}"
        problems += [
            RuleProblem(str(path), name, f"must match `{each}`, but the judgement was {said}")
            for each in rule["must"]
            if (said := _other(each, name, rule["decision"], compiled))
        ]
        problems += [
            RuleProblem(str(path), name, f"must not match `{each}`")
            for each in rule["must_not"]
            if _matched(each, name, compiled)
        ]
    return problems


def _other(command: str, rule: str, decision: str, compiled: dict[str, Any]) -> str:
    """What else was said of an example; empty when the rule matched and its decision held."""
    judge = Judge(EXAMPLE_PLACE, compiled)
    judged = judge.judge(command)
    matched = any(step[2] == rule for step in judge.steps)
    if matched and (judged.decision == decision or decision != DENY):
        return ""
    return f"{judged.decision} by {judged.rule}"


def _matched(command: str, rule: str, compiled: dict[str, Any]) -> bool:
    judge = Judge(EXAMPLE_PLACE, compiled)
    judge.judge(command)
    return any(step[2] == rule for step in judge.steps)
