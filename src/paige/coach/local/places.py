"""Where in the project a text points: files by their paths, lines by the names they define."""

import ast
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

from paige.base import python_source

MOST_READ = 200
LARGEST = 200_000
MOST_FILES = 6
_PATH = re.compile(r"(?<![\w@.-])(?<![\w@.-]/)[\w@.-]+(?:/[\w@.-]+)*\.[A-Za-z]\w{0,9}\b")
_QUOTED = re.compile(r"`([^`\n]{1,200})`")
_NAME = re.compile(r"[A-Za-z_$][\w$]{2,}")
_CALLED = re.compile(r"\b([A-Za-z_][\w]{2,})\s*\(\)")
_SOURCE = (".py", ".js", ".jsx", ".ts", ".tsx", ".go", ".rs", ".java", ".kt", ".rb", ".cs", ".php")
_DEFINES = (
    r"^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:public\s+|private\s+|static\s+|pub\s+)*"
    r"(?:def|class|function|func|fn|interface|type|struct|const|let|var)\s+(?:\([^)]*\)\s*)?{name}\b"
)


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines that define something a text names."""

    path: str
    start: int
    end: int
    name: str
    says: str


@dataclass(frozen=True, slots=True)
class Found:
    """The files and lines that a text points at."""

    files: tuple[str, ...]
    lines: tuple[Lines, ...]


class Places:
    """Looks texts up in a project; files are read once."""

    def __init__(self, files: tuple[str, ...], read: Callable[[str], str | None]) -> None:
        self.files = files
        self._read = read
        self._texts: dict[str, str | None] = {}

    def find(self, text: str) -> Found:
        """Where a text points; a file that is not there yet counts when it looks like a path."""
        named = [path for word in _PATH.findall(text) for path in self._matching(word)]
        names = self._names(text, named)
        files = list(dict.fromkeys(named))
        lines: list[Lines] = []
        for name in names:
            for path in files or self._sources:
                found = self._defined(path, name)
                if found is not None:
                    lines.append(found)
                    break
        files += [line.path for line in lines if line.path not in files]
        return Found(tuple(files[:MOST_FILES]), tuple(dict.fromkeys(lines)))

    @cached_property
    def _sources(self) -> tuple[str, ...]:
        kept = [path for path in self.files if path.endswith(_SOURCE)]
        return tuple(sorted(kept, key=lambda path: ("test" in path, path))[:MOST_READ])

    def _matching(self, word: str) -> list[str]:
        word = word.removeprefix("./")
        if word in self.files:
            return [word]
        ending = [path for path in self.files if path.endswith(f"/{word}")]
        if len(ending) == 1:
            return ending
        # Not there yet: a plan may make new files. A version or an abbreviation is no file.
        return [word] if "/" in word and word.endswith(_SOURCE) else []

    def _names(self, text: str, named: list[str]) -> list[str]:
        quoted = " ".join(_QUOTED.findall(text))
        for path in named:
            quoted = quoted.replace(path, " ")
        found = [*_NAME.findall(_PATH.sub(" ", quoted)), *_CALLED.findall(text)]
        return list(dict.fromkeys(found))[:20]

    def _text(self, path: str) -> str | None:
        if path not in self._texts:
            text = self._read(path) if path in self.files else None
            self._texts[path] = text if text is not None and len(text) <= LARGEST else None
        return self._texts[path]

    def _defined(self, path: str, name: str) -> Lines | None:
        text = self._text(path)
        if text is None or name not in text:
            return None
        if path.endswith(".py"):
            return _python(path, text, name)
        pattern = re.compile(_DEFINES.replace("{name}", re.escape(name)), re.MULTILINE)
        match = pattern.search(text)
        if match is None:
            return None
        start = text.count("\n", 0, match.end()) + 1
        return Lines(path, start, _block_end(text, start), name, "it is defined here.")


def _python(path: str, text: str, name: str) -> Lines | None:
    try:
        tree = python_source.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return None
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if node.name == name:
            said = (ast.get_docstring(node) or "").partition("\n")[0]
            says = said or "it is defined here."
            return Lines(path, node.lineno, node.end_lineno or node.lineno, name, says)
    return None


def _block_end(text: str, start: int) -> int:
    """The line where the braces that a definition opens are closed; a line without is one line."""
    depth, opened = 0, False
    for number, line in enumerate(text.split("\n")[start - 1 : start + 199], start):
        depth += line.count("{") - line.count("}")
        opened = opened or "{" in line
        if opened and depth <= 0:
            return number
        if not opened and number > start + 1:
            break
    return start
