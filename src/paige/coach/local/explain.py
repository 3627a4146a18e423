"""Explains code without a model: what it is made of, and what it does, at the person's stage.

Python is read by its syntax tree, other languages by patterns; what the constructs mean is in
`constructs.toml`. A beginner gets every step in words, someone competent the reasons, an expert a
summary. That is less than a good teacher says, but it is right, free and there at once.
"""

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from paige.base.paths import shipped
from paige.coach.answers import ExplainAnswer
from paige.coach.local import python_reading as python
from paige.language.patterns import LinearPattern
from paige.learner.stages import Stage

FILE = "coach/constructs.toml"
BEGINNERS: tuple[Stage, ...] = ("novice", "advanced_beginner")
EXPERTS: tuple[Stage, ...] = ("proficient", "expert")
MOST_STEPS = 10
_FAMILIES = {
    "shell": ("shellscript", "bash", "shell", "sh", "zsh", "dockerfile", "makefile"),
    "ruby": ("ruby", "elixir", "crystal"),
    "sql": ("sql",),
    "html": ("html", "xml", "vue", "svelte", "handlebars"),
    "css": ("css", "scss", "less"),
    "config": ("json", "jsonc", "yaml", "toml", "ini", "dotenv"),
    "python": ("python",),
}
_COMMENT = re.compile(r"^[^\S\n]*+(?:#(?!include)|//|--|/\*|\*|<!--).*$", re.MULTILINE)
_NAMES = re.compile(
    r"\b(?:function|func|fn|def|class|interface|struct|type|enum|trait)\s+([A-Za-z_]\w*)"
    r"|\b(?:const|let|var)\s+([A-Za-z_]\w*)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>"
)
# What matters most to someone who asks, when there is more than fits.
_FIRST = (
    *("mutable_default", "bare_except", "recursion", "generator", "comprehension", "await"),
    *("closure", "decorator", "context_manager", "exception_handling", "promise", "hook"),
    *("sql_join", "sql_group", "global_state", "guard_clause", "none_check", "mutation"),
    *("for_loop", "while_loop", "map_filter_reduce", "slicing", "unpacking", "condition"),
)
_SPELLED = {
    **{name: name.upper() for name in ("html", "css", "sql", "json", "yaml", "toml", "xml", "php")},
    "javascript": "JavaScript",
    "javascriptreact": "JavaScript",
    "typescript": "TypeScript",
    "typescriptreact": "TypeScript",
    "csharp": "C#",
    "cpp": "C++",
    "shellscript": "shell script",
}
_MOST_CONSTRUCTS = {"novice": 5, "advanced_beginner": 5, "competent": 4, "proficient": 4}


@dataclass(frozen=True, slots=True)
class PhaseContext:
    """The phase somebody is in."""

    number: int
    title: str
    description: str
    expected_files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageGiven:
    """What is to be explained, where it stands, and to whom."""

    text: str
    path: str
    language: str = "plaintext"
    context: str = ""
    lines: tuple[int, int] = (1, 1)
    stage: Stage = "novice"
    phase: PhaseContext | None = None
    related_files: tuple[str, ...] = ()  # files of the project that the text points to


@dataclass(frozen=True, slots=True)
class Construct:
    """A construct and what it means, in three depths."""

    id: str
    name: str
    plain: str
    why: str
    brief: str
    analogy: str
    languages: tuple[str, ...]
    patterns: Mapping[str, LinearPattern] = field(hash=False)


def explain_code(given: PassageGiven) -> ExplainAnswer:
    """What a passage is made of and does."""
    text = given.text if given.text.strip() else _around(given)
    if not text.strip():
        return _nothing(given)
    tree = python.parse_piece(text) if given.language == "python" else None
    names = python.constructs_in(tree) if tree else _by_pattern(text, given.language)
    found = _most_telling(names, given.stage)
    parts = [_opening(given, text, tree), *_middle(given, tree), *_meanings(found, given.stage)]
    analogy = next((each.analogy for each in found if each.analogy), None)
    return ExplainAnswer(
        explanation="\n\n".join(part for part in parts if part),
        key_concepts=[each.name for each in found],
        analogy=analogy if given.stage in BEGINNERS else None,
        related_files=list(given.related_files) or None,
        phase_connection=_connection(given),
    )


def _around(given: PassageGiven) -> str:
    """The selected lines of the surrounding text, when nothing itself was selected."""
    lines = given.context.splitlines()
    first, last = given.lines
    chosen = lines[max(0, first - 1) : last] if 0 < first <= len(lines) else []
    return "\n".join(chosen) if any(line.strip() for line in chosen) else given.context


def _nothing(given: PassageGiven) -> ExplainAnswer:
    return ExplainAnswer(
        explanation=f"Nothing is selected in `{given.path}`, so there is nothing to explain. "
        "Select the lines you wonder about and ask again.",
        key_concepts=[],
        analogy=None,
        related_files=None,
        phase_connection=None,
    )


def _opening(given: PassageGiven, text: str, tree: ast.Module | None) -> str:
    count = len([line for line in text.splitlines() if line.strip()])
    size = "This line" if count == 1 else f"These {count} lines"
    language = _SPELLED.get(given.language, given.language.capitalize())
    where = f" of {language}" if given.language != "plaintext" else ""
    names = _defined(text, tree)
    does = "defines" if count == 1 else "define"
    if names:
        listed = ", ".join(f"`{name}`" for name in names[:4])
        return f"{size}{where} in `{given.path}` {does} {listed}."
    is_are = "is" if count == 1 else "are"
    return f"{size}{where} {is_are} from `{given.path}`."


def _defined(text: str, tree: ast.Module | None) -> list[str]:
    if tree is not None:
        return python.defined_names(tree)
    return [one or other for one, other in _NAMES.findall(text)]


def _middle(given: PassageGiven, tree: ast.Module | None) -> Iterator[str]:
    """What happens, as finely as the stage wants it."""
    if tree is None:
        return
    if given.stage in BEGINNERS:
        steps = python.steps_of(tree, MOST_STEPS)
        if len(steps) == 1:
            yield f"What it does: {steps[0][1]}."
        elif steps:
            said = "\n".join(f"{'  ' * depth}- {_capital(words)}." for depth, words in steps)
            yield f"Step by step:\n{said}"
        return
    calls = python.called_names(tree)
    depth = python.loop_depth(tree)
    facts = []
    if calls:
        facts.append(f"It rests on {', '.join(f'`{name}`' for name in calls[:6])}.")
    if depth > 1:
        facts.append(f"Loops are nested {depth} deep, so the work grows with that power.")
    if facts:
        yield " ".join(facts)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _meanings(found: list[Construct], stage: Stage) -> Iterator[str]:
    if not found:
        yield (
            "It uses nothing but plain values and names. Read it from the inside of the brackets "
            "outwards, and ask for each name where it gets its value."
        )
    elif stage in EXPERTS:
        yield "\n".join(f"- {each.brief}" for each in found)
    elif stage in BEGINNERS:
        yield "What the parts mean:\n" + "\n".join(
            f"- **{_capital(each.name)}**: {each.plain}" for each in found
        )
    else:
        yield "Why it is written so:\n" + "\n".join(
            f"- **{_capital(each.name)}**: {each.why}" for each in found
        )


def _most_telling(names: list[str], stage: Stage) -> list[Construct]:
    known = read_constructs()
    found = [known[name] for name in names if name in known]
    ranked = sorted(found, key=lambda each: _rank(each.id))
    chosen = set(map(id, ranked[: _MOST_CONSTRUCTS.get(stage, 4)]))
    return [each for each in found if id(each) in chosen]


def _rank(name: str) -> int:
    return _FIRST.index(name) if name in _FIRST else len(_FIRST)


def _by_pattern(text: str, language: str) -> list[str]:
    family = family_of(language)
    # A word in a comment is no construct.
    code = _COMMENT.sub("", text)
    found: list[tuple[int, str]] = []
    for construct in read_constructs().values():
        if construct.languages and language not in construct.languages:
            continue
        pattern = construct.patterns.get(family)
        place = pattern.find(code) if pattern else -1
        if place >= 0:
            found.append((place, construct.id))
    return [name for _, name in sorted(found)]


def family_of(language: str) -> str:
    """The kind of syntax a language has; with braces unless it is known to be another."""
    for family, members in _FAMILIES.items():
        if language in members:
            return family
    return "c"


def _connection(given: PassageGiven) -> str | None:
    phase = given.phase
    if phase is None:
        return None
    where = f"phase {phase.number}, “{phase.title}”"
    if given.path in phase.expected_files:
        return f"You are in {where}, and this is one of the files it expects you to work in."
    words = set(re.findall(r"\w{4,}", phase.description.casefold()))
    if words & set(re.findall(r"\w{4,}", given.text.casefold())):
        return f"You are in {where}, and what it describes is named here."
    return None


@lru_cache(maxsize=1)
def read_constructs() -> dict[str, Construct]:
    """Every construct by its id."""
    data = tomllib.loads(shipped(FILE).read_text(encoding="utf-8"))
    return {each["id"]: _construct(each) for each in data["construct"]}


def _construct(entry: Mapping[str, object]) -> Construct:
    patterns = entry.get("patterns") or {}
    assert isinstance(patterns, Mapping)
    return Construct(
        id=str(entry["id"]),
        name=str(entry["name"]),
        plain=str(entry["plain"]),
        why=str(entry["why"]),
        brief=str(entry["brief"]),
        analogy=str(entry.get("analogy", "")),
        languages=tuple(entry.get("languages") or ()),  # type: ignore[arg-type]
        patterns={
            family: LinearPattern(pattern, ignore_case=family == "sql")
            for family, pattern in patterns.items()
        },
    )
