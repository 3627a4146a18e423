"""The names of errors by domain, read from `shipped/exercise/taxonomy.toml`.

A result carries these names and no others, so that what is counted later is counted together.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from paige.base.paths import shipped
from paige.exercise.values import Domain


@cache
def signs(group: str) -> Mapping[str, frozenset[str]]:
    """The lists of one group by name."""
    data = tomllib.loads(shipped("exercise/signs.toml").read_text(encoding="utf-8"))
    return {name: frozenset(words.split()) for name, words in data[group].items()}


@dataclass(frozen=True, slots=True)
class ErrorKind:
    """One kind of error: its name, how a person is told, what helps against it."""

    name: str
    domain: str
    says: str
    practise: str


@dataclass(frozen=True, slots=True)
class Taxonomy:
    """Every kind by name, the names by domain, and older names for some of them."""

    kinds: Mapping[str, ErrorKind]
    domains: Mapping[str, tuple[str, ...]]
    aliases: Mapping[str, str]


@cache
def taxonomy() -> Taxonomy:
    """Reads the names once."""
    data = tomllib.loads(shipped("exercise/taxonomy.toml").read_text(encoding="utf-8"))
    aliases, borrows = data.pop("aliases"), data.pop("borrows")
    kinds = {
        name: ErrorKind(name, domain, words["says"], words["practise"])
        for domain, names in data.items()
        for name, words in names.items()
    }
    domains = {domain: tuple(names) for domain, names in data.items()}
    for domain, lenders in borrows.items():
        domains[domain] = tuple(name for lender in lenders for name in domains[lender])
    return Taxonomy(kinds, domains, aliases)


def names_of(domain: Domain) -> tuple[str, ...]:
    """The names that errors of a domain may have."""
    return taxonomy().domains[domain]


def known_name(name: str | None) -> str | None:
    """The taxonomy's name for this name, or nothing: a name is never made up."""
    if not name:
        return None
    plain = name.strip().lower().replace("-", "_").replace(" ", "_")
    plain = taxonomy().aliases.get(plain, plain)
    return plain if plain in taxonomy().kinds else None


def find_kind(name: str | None) -> ErrorKind | None:
    """What is known about a kind of error."""
    known = known_name(name)
    return taxonomy().kinds[known] if known else None
