"""The language of a file by its name, as editors call it."""

import tomllib
from functools import lru_cache
from pathlib import PurePosixPath

from paige.base.paths import shipped

FILE = "coach/languages.toml"
PLAIN = "plaintext"


@lru_cache(maxsize=3)
def listed(part: str) -> dict[str, str]:
    """What stands in a part of the list, by each ending or name in it."""
    table = tomllib.loads(shipped(FILE).read_text(encoding="utf-8"))[part]
    return {each: named for named, words in table.items() for each in words.split()}


def has_binary_name(name: str) -> bool:
    """Whether a file's name, or its path, says that it is no text."""
    path = PurePosixPath(name)
    return path.suffix[1:].lower() in listed("binary") or path.name == ".DS_Store"


def language_of(name: str) -> str:
    """The language of a file by its name; `plaintext` when it says nothing."""
    lower, names = name.lower(), listed("names")
    if lower in names:
        return names[lower]
    start = lower.split(".")[0]
    if start in ("dockerfile", "makefile") or lower.startswith(".env."):  # `Dockerfile.dev`
        return names.get(start, "dotenv")
    return listed("endings").get(PurePosixPath(lower).suffix[1:], PLAIN)
