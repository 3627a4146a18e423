"""What can be said of code without a model: what it defines and calls, as the lines themselves say.

What they mean is not explained: that takes somebody who understands them.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from paige.coach.answers import ExplainAnswer
from paige.coach.local import python_reading as python

CANNOT = "Explaining code needs a model, and none answered."
WITH_FACTS = "Set one up, or start from what the lines themselves say:"
WITHOUT_FACTS = "Set one up, or search the project for the names you do not know."
NOTHING = "Nothing is selected, so select the lines you wonder about and ask again."
MOST_NAMES = 6
_NAMES = re.compile(
    r"\b(?:function|func|fn|def|class|interface|struct|type|enum|trait)\s+([A-Za-z_]\w*)"
    r"|\b(?:const|let|var)\s+([A-Za-z_]\w*)\s*=\s*(?:async\s*)?(?:\([^)]*\)|\w+)\s*=>"
)


@dataclass(frozen=True, slots=True)
class PhaseContext:
    """The phase somebody is in."""

    number: int
    title: str
    description: str
    expected_files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageGiven:
    """What is to be explained, and where it stands."""

    text: str
    path: str
    language: str = "plaintext"
    context: str = ""
    lines: tuple[int, int] = (1, 1)
    phase: PhaseContext | None = None
    related_files: tuple[str, ...] = ()  # files of the project that the text points to


def explain_code(given: PassageGiven) -> ExplainAnswer:
    """What a passage says of itself, and that nobody explained it."""
    text = given.text if given.text.strip() else _around(given)
    facts = list(_facts(text, given.language))
    if not text.strip():
        said = NOTHING
    elif facts:
        said = f"{CANNOT} {WITH_FACTS}\n\n" + "\n".join(f"- {fact}" for fact in facts)
    else:
        said = f"{CANNOT} {WITHOUT_FACTS}"
    return ExplainAnswer(
        explanation=said,
        key_concepts=[],
        analogy=None,
        related_files=list(given.related_files) or None,
        phase_connection=_connection(given),
    )


def _around(given: PassageGiven) -> str:
    """The selected lines of the surrounding text, when nothing itself was selected."""
    lines = given.context.splitlines()
    first, last = given.lines
    chosen = lines[max(0, first - 1) : last] if 0 < first <= len(lines) else []
    return "\n".join(chosen) if any(line.strip() for line in chosen) else given.context


def _facts(text: str, language: str) -> Iterator[str]:
    tree = python.parse_piece(text) if language == "python" else None
    if tree is None:
        names = [one or other for one, other in _NAMES.findall(text)]
        if names:
            yield f"It defines {_listed(names)}."
        return
    yield from (_defined(node) for node in python.definitions(tree)[:MOST_NAMES])
    if calls := python.called_names(tree):
        yield f"It calls {_listed(calls)}."


def _defined(node: python.Definition) -> str:
    says = (ast.get_docstring(node) or "").partition("\n")[0]
    return f"It defines `{python.signature(node)}`" + (f": “{says}”" if says else ".")


def _listed(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in dict.fromkeys(names[:MOST_NAMES]))


def _connection(given: PassageGiven) -> str | None:
    phase = given.phase
    if phase is None or given.path not in phase.expected_files:
        return None
    return f"This is one of the files that phase {phase.number}, “{phase.title}”, expects."
