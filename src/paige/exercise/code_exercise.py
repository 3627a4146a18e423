"""Code exercises as files: a task with starter code, its tests, and a solution kept hidden.

The task stands in the comment at the top of `exercise.<ext>`: title, concept, level, instructions,
hints. Tests run by themselves, without any test library. Reading a folder back is in
`code_folder.py`; running it is someone else's work.
"""

import re
import textwrap
from dataclasses import dataclass
from pathlib import PurePosixPath

from paige.base.errors import BadInput
from paige.exercise.values import Bloom, find_bloom


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its name, the endings of its files, and what opens and closes a long comment."""

    name: str
    extensions: tuple[str, ...]
    opens: str = "/*"
    closes: str = "*/"
    prefix: str = ""  # before each line of a long comment


LANGUAGES: tuple[Language, ...] = (
    Language("python", ("py",), '"""', '"""'),
    Language("javascript", ("js", "mjs", "cjs")),
    Language("typescript", ("ts",)),
    Language("java", ("java",)),
    Language("go", ("go",)),
    Language("rust", ("rs",)),
    Language("c", ("c", "h")),
    Language("cpp", ("cpp", "cc", "hpp")),
    Language("csharp", ("cs",)),
    Language("kotlin", ("kt",)),
    Language("swift", ("swift",)),
    Language("php", ("php",), "<?php\n/*", "*/"),
    Language("ruby", ("rb",), "=begin", "=end"),
    Language("haskell", ("hs",), "{-", "-}"),
    Language("sql", ("sql",)),
    Language("bash", ("sh", "bash"), "", "", "# "),
    Language("r", ("R", "r"), "", "", "# "),
    Language("elixir", ("ex", "exs"), "", "", "# "),
)


def find_language(name: str) -> Language | None:
    """The language of that name or ending."""
    wanted = name.strip().lower().lstrip(".")
    for language in LANGUAGES:
        if wanted == language.name or wanted in (each.lower() for each in language.extensions):
            return language
    return None


def language_of(path: str) -> Language | None:
    """The language of a file by its name."""
    return find_language(PurePosixPath(path).suffix) if PurePosixPath(path).suffix else None


_FIELD = re.compile(r"^(Exercise|Concept|Bloom Level)\s*:\s*(.*)$", re.IGNORECASE)
_INSTRUCTIONS = re.compile(r"^Instructions?\s*:\s*(.*)$", re.IGNORECASE)
_HINTS = re.compile(r"^Hints?\b[^:]*:\s*(.*)$", re.IGNORECASE)
_NUMBERED = re.compile(r"^(?:\d{1,2}[.)]|[-*+])\s+(.*)$")
_TEST_NAME = re.compile(r"^[a-z_]\w*$")


@dataclass(frozen=True, slots=True)
class CodeTest:
    """One test: its name after `test_`, and the lines that check something."""

    name: str
    body: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeExercise:
    """A code exercise. `tests` are for Python; other languages bring `test_source` ready-made."""

    title: str
    concept_id: str
    instructions: str
    starter: str
    solution: str
    tests: tuple[CodeTest, ...] = ()
    imports: tuple[str, ...] = ()
    bloom_level: Bloom = "apply"
    hints: tuple[str, ...] = ()
    language: str = "python"
    test_source: str = ""


@dataclass(frozen=True, slots=True)
class CodeHeader:
    """What the comment at the top of an exercise says."""

    title: str = ""
    concept_id: str = ""
    bloom_level: Bloom | None = None
    instructions: str = ""
    hints: tuple[str, ...] = ()


def render_code_exercise(exercise: CodeExercise) -> dict[str, str]:
    """The files by name: exercise, tests, solution. Raises: BadInput."""
    language = find_language(exercise.language)
    if language is None:
        raise BadInput(f"Paige does not know the programming language `{exercise.language}`")
    ending = language.extensions[0]
    tests = exercise.test_source or _python_tests(exercise, language)
    return {
        f"exercise.{ending}": _task(exercise, language),
        f"test_exercise.{ending}": tests.rstrip("\n") + "\n",
        f"solution.{ending}": exercise.solution.rstrip("\n") + "\n",
    }


def _task(exercise: CodeExercise, language: Language) -> str:
    lines = [
        f"Exercise: {exercise.title}",
        f"Concept: {exercise.concept_id}",
        f"Bloom Level: {exercise.bloom_level}",
        "",
        "Instructions:",
        *_indented(exercise.instructions),
    ]
    if exercise.hints:
        lines += ["", "Hints (read only if stuck):"]
        lines += [f"    {number}. {hint}" for number, hint in enumerate(exercise.hints, 1)]
    if language.closes and language.closes in "\n".join(lines):
        raise BadInput(f"The text of `{exercise.title}` must not hold `{language.closes}`")
    commented = [f"{language.prefix}{line}".rstrip() for line in lines]
    around = [*([language.opens] if language.opens else []), *commented]
    around += [language.closes] if language.closes else []
    first = ["#!/usr/bin/env python3"] if language.name == "python" else []
    return "\n".join([*first, *around, "", "", exercise.starter.strip("\n"), ""])


def _indented(text: str) -> list[str]:
    return [f"    {line}".rstrip() for line in textwrap.dedent(text).strip("\n").split("\n")]


def _python_tests(exercise: CodeExercise, language: Language) -> str:
    if language.name != "python":
        raise BadInput(f"A {language.name} exercise needs `test_source`, its tests as one text")
    if not exercise.tests:
        raise BadInput(f"The exercise `{exercise.title}` has no tests")
    names = [f"test_{test.name.removeprefix('test_')}" for test in exercise.tests]
    if len(set(names)) < len(names) or not all(_TEST_NAME.match(name) for name in names):
        raise BadInput(f"The tests of `{exercise.title}` need different names of plain letters")
    bodies = [
        f"def {name}():\n{textwrap.indent(textwrap.dedent(test.body).strip(), '    ')}\n"
        for name, test in zip(names, exercise.tests, strict=True)
    ]
    imports = ", ".join(exercise.imports) or "*"
    listed = textwrap.fill(", ".join(names) + ",", 72, break_on_hyphens=False)
    return _TEST_FILE.format(
        about=exercise.title.lower().replace('"""', ""),
        imports=imports,
        bodies="\n".join(bodies),
        names=textwrap.indent(listed, " " * 8),
    )


_TEST_FILE = '''#!/usr/bin/env python3
"""Tests for {about} exercise."""

import sys
import os

# Add exercise directory to path
sys.path.insert(0, os.path.dirname(__file__))

from exercise import {imports}


{bodies}

if __name__ == "__main__":
    tests = [
{names}
    ]
    passed = 0
    for test in tests:
        try:
            test()
            passed += 1
            print(f"  PASS: {{test.__name__}}")
        except Exception as e:
            print(f"  FAIL: {{test.__name__}}: {{type(e).__name__}}: {{e}}")
    print(f"\\n{{passed}}/{{len(tests)}} tests passed")
    sys.exit(0 if passed == len(tests) else 1)
'''


def parse_header(source: str) -> CodeHeader:
    """What the comment at the top of an exercise says; what is missing stays empty."""
    fields: dict[str, str] = {}
    instructions: list[str] = []
    hints: list[str] = []
    into: list[str] | None = None
    for line in _comment_lines(source):
        plain = line.strip()
        if field := _FIELD.match(plain):
            fields.setdefault(field[1].lower(), field[2].strip())
            into = None
        elif into is not hints and (begin := _INSTRUCTIONS.match(plain)):
            into = instructions
            into.extend([begin[1]] if begin[1] else [])
        elif begin := _HINTS.match(plain):
            into = hints
            into.extend([begin[1]] if begin[1] else [])
        elif into is not None:
            into.append(line)
    return CodeHeader(
        title=fields.get("exercise", ""),
        concept_id=fields.get("concept", ""),
        bloom_level=find_bloom(fields.get("bloom level", "")),
        instructions=textwrap.dedent("\n".join(instructions)).strip(),
        hints=split_hints("\n".join(hints)),
    )


def split_hints(text: str) -> tuple[str, ...]:
    """The hints in a list; a line without a number goes on with the hint before."""
    found: list[str] = []
    for line in text.split("\n"):
        plain = line.strip()
        numbered = _NUMBERED.match(plain)
        if numbered:
            found.append(numbered[1])
        elif plain and found:
            found[-1] = f"{found[-1]} {plain}"
        elif plain:
            found.append(plain)
    return tuple(found)


def _comment_lines(source: str) -> list[str]:
    """The lines of the first comment of a file, in whichever language."""
    text = source.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    text = re.sub(r"\A#![^\n]*\n", "", text).lstrip()
    for opens, closes in (('"""', '"""'), ("'''", "'''"), ("/*", "*/"), ("{-", "-}")):
        start = text.find(opens)
        if 0 <= start <= 10 and (end := text.find(closes, start + len(opens))) > 0:
            lines = text[start + len(opens) : end].split("\n")
            starred = all(line.lstrip().startswith("*") for line in lines[1:] if line.strip())
            return [re.sub(r"^\s*\* ?", "", line) for line in lines] if starred else lines
    if text.startswith("=begin"):
        return text[len("=begin") : text.find("=end")].split("\n")
    lines = []
    for line in text.split("\n"):
        if not re.match(r"^\s*(?:#|//|--)", line):
            break
        lines.append(re.sub(r"^\s*(?:#|//|--) ?", "", line))
    return lines
