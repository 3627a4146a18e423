"""The programming languages of code exercises: how files are called and comments written."""

from dataclasses import dataclass
from pathlib import PurePosixPath


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
