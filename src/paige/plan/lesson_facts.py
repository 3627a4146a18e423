"""What a lesson says about itself above its first section: `- Class: 3B`, `- Date: 2026-11-20`."""

import re
from collections.abc import Mapping

_FACT = re.compile(r"^[-*+] \**(?P<name>[A-Z]\w*)\**:\**\s*(?P<value>.*\S)", re.M)


def facts_of(markdown: str) -> Mapping[str, str]:
    """The facts by name, the first of each."""
    head = f"\n{markdown}".partition("\n## ")[0]
    facts: dict[str, str] = {}
    for found in _FACT.finditer(head):
        facts.setdefault(found["name"], found["value"])
    return facts
