"""Makes plain values of the rules of a family: what the judge reads and the hook can load quickly.

A family is the rules of one tool or of tools that are alike. In a list, `@name` stands for a list
of words that several files share.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from paige.base.errors import BadInput
from paige.guard.shell.judge import ALLOW, ASK, DENY, PASS

DECISIONS = (ALLOW, ASK, DENY)  # of a rule; to have no opinion takes none
_LISTS = (
    "names", "option", "any", "unless", "none", "operand", "targets", "target_options", "text",
    "notext", "within",
)  # fmt: skip
_SIGNS = ("unknown", "last", "dashes", "known", "free", "sources", "anywhere")
_KNOWN = frozenset(
    {
        *_LISTS, *_SIGNS, "all", "id", "decision", "sub", "verb", "noverb", "with", "without",
        "sql", "sql_at", "operands", "only", "skip", "loses", "reason", "instead", "must",
        "must_not",
    }
)  # fmt: skip
_FAMILY = frozenset(
    {
        "family", "about", "commands", "values", "flags", "sub_values", "clusters", "default",
        "rule",
    }
)  # fmt: skip
Words = Mapping[str, Any]


def compile_family(data: Mapping[str, Any], name: str, words: Words | None = None) -> dict:
    """A family as plain values. Raises: BadInput."""
    words = words or {}
    name = str(data.get("family", name))
    unknown = ", ".join(sorted(set(data) - _FAMILY))
    if unknown:
        raise BadInput(f"Family `{name}` has unknown keys: {unknown}")
    if not isinstance(data.get("commands"), list) or not data["commands"]:
        raise BadInput(f"Family `{name}` names no program", hint='Write `commands = ["git"]`.')
    rules = [compile_rule(each, name, words) for each in data.get("rule", ())]
    made: dict[str, Any] = {
        "name": name,
        # The strictest first, so that the judge may stop early.
        "rules": tuple(sorted(rules, key=lambda rule: -DECISIONS.index(rule["decision"]))),
    }
    if data.get("values"):
        made["values"] = frozenset(listed(data["values"], words))
    if data.get("sub_values"):
        pairs = data["sub_values"].items()
        made["sub_values"] = {key: frozenset(listed(each, words)) for key, each in pairs}
    if not data.get("clusters", True):
        made["clusters"] = False
    default = str(data.get("default", PASS))
    if default not in (PASS, ASK, DENY):
        raise BadInput(f"Family `{name}` has the default `{default}`: write pass, ask or deny")
    if default != PASS:
        made["default"] = default
    if "flags" in data:
        made["flags"] = frozenset(listed(data["flags"], words))
    return made


def compile_rule(data: Mapping[str, Any], family: str, words: Words) -> dict[str, Any]:
    """A rule as plain values. Raises: BadInput."""
    _check_rule(data, family)
    decision = data["decision"]
    made: dict[str, Any] = {
        "id": str(data["id"]),
        "decision": decision,
        "reason": reason_of(data),
    }
    for key in _LISTS:
        if data.get(key):
            made[key] = tuple(listed(data[key], words))
    _words_of(made, data, words)
    _options_of(made, data, words)
    if "sql" in data:
        made["sql"] = (tuple(listed(data["sql"], words)), int(data.get("sql_at", 0)))
    if "operands" in data:
        least, most = data["operands"]
        made["operands"] = (int(least), int(most))
    if data.get("skip"):
        made["skip"] = int(data["skip"])
    made.update((key, True) for key in _SIGNS if data.get(key))
    return made


def _words_of(made: dict[str, Any], data: Mapping[str, Any], words: Words) -> None:
    """What a rule says of the words before and among the operands."""
    if data.get("sub"):
        _subs(made, listed(data["sub"], words))
    for key in ("verb", "noverb"):
        if data.get(key):
            made[key] = _told_apart(listed(data[key], words))


def _options_of(made: dict[str, Any], data: Mapping[str, Any], words: Words) -> None:
    """What a rule says of options together and of their values."""
    if data.get("all"):
        # Each is one option, or several of which one will do: `-r|-R|--recursive`.
        made["all"] = tuple(tuple(each.split("|")) for each in listed(data["all"], words))
    for key in ("with", "without"):
        if data.get(key):
            pairs = (each.partition(" ") for each in listed(data[key], words))
            made[key] = tuple((name, value.lower()) for name, _, value in pairs)
    if "only" in data:
        made["only"] = "*" if data["only"] == "*" else frozenset(listed(data["only"], words))
    elif data["decision"] == ALLOW:
        made["only"] = ()


def reason_of(data: Mapping[str, Any]) -> str:
    """What a rule says to whoever wanted to run the command."""
    said = str(data.get("reason") or data.get("loses") or "")
    instead = data.get("instead")
    return f"{said} Instead: {instead}" if instead else said


def listed(value: object, words: Words) -> Iterable[str]:
    """The texts of a list, with shared lists put in. Raises: BadInput."""
    for each in value if isinstance(value, list | tuple) else [value]:
        text = str(each)
        if text.startswith("@") and text[1:] in words:
            yield from listed(words[text[1:]], words)
        else:
            yield text


def _subs(made: dict[str, Any], subs: Iterable[str]) -> None:
    parts = [tuple(each.split()) for each in subs]
    plain = frozenset(each[0] for each in parts if len(each) == 1 and "*" not in each[0])
    rest = tuple(each for each in parts if len(each) != 1 or "*" in each[0])
    if plain:
        made["sub_words"] = plain
    if rest:
        made["sub"] = rest


def _told_apart(words: Iterable[str]) -> tuple[frozenset[str], tuple[str, ...]]:
    found = [each.lower() for each in words]
    plain = frozenset(each for each in found if "*" not in each)
    return plain, tuple(each for each in found if "*" in each)


def _check_rule(data: Mapping[str, Any], family: str) -> None:
    name = data.get("id")
    if not name:
        raise BadInput(f"A rule of `{family}` has no `id`")
    unknown = ", ".join(sorted(set(data) - _KNOWN))
    if unknown:
        raise BadInput(f"Rule `{family}.{name}` has unknown keys: {unknown}")
    if data.get("decision") not in DECISIONS:
        said = data.get("decision")
        raise BadInput(f"Rule `{family}.{name}` decides `{said}`: write allow, ask or deny")
