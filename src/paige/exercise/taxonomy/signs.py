"""The word lists that give kinds of errors away, from `shipped/exercise/signs.toml`."""

import tomllib
from collections.abc import Mapping
from functools import cache

from paige.base.paths import shipped


@cache
def signs(group: str) -> Mapping[str, frozenset[str]]:
    """The lists of one group by name."""
    data = tomllib.loads(shipped("exercise/signs.toml").read_text(encoding="utf-8"))
    return {name: frozenset(words.split()) for name, words in data[group].items()}
