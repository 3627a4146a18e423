"""Writes what Guard brings with it, from its data: shipped rules, and the hooks of each CLI."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from docs.schemas import cell
from paige.base.events import EVENTS
from paige.base.paths import shipped
from paige.guard.install.manifests import CLIS, manifest
from paige.guard.rules.loader import load_book

Family = Mapping[str, Any]
MOST_NAMES = 2  # some families name a hundred


def rule_lines() -> list[str]:
    """The families with their counts, then every rule that refuses or asks."""
    book = load_book(sorted(shipped("guard/rules").glob("*.toml")))
    families = [family for _, family in book.families]
    lines = ["| family | programs | refuses | asks | allows |", "|---|---|---:|---:|---:|"]
    for family in families:
        decisions = [rule["decision"] for rule in family["rule"]]
        counts = " | ".join(str(decisions.count(each)) for each in ("deny", "ask", "allow"))
        lines.append(f"| `{family['family']}` | {_programs(family)} | {counts} |")
    lines += ["", "## What is refused", "", "| rule | why | instead |", "|---|---|---|"]
    for family, rule in _rules(families, "deny"):
        why, instead = cell(rule.get("loses", "")), cell(rule.get("instead", ""))
        lines.append(f"| `{family}.{rule['id']}` | {why} | {instead} |")
    lines += ["", "## What is asked", "", "| rule | why |", "|---|---|"]
    for family, rule in _rules(families, "ask"):
        lines.append(f"| `{family}.{rule['id']}` | {cell(rule.get('reason', ''))} |")
    return lines


def hook_lines() -> list[str]:
    """Which event of a CLI means what, and what each of them can be told."""
    known = [manifest(cli) for cli in CLIS]
    lines = ["## Which event is which", ""]
    titles = " | ".join(each.title for each in known)
    lines += [f"| event | {titles} |", "|---|" + "---|" * len(known)]
    for name in EVENTS:
        cells = [
            ", ".join(f"`{host}`" for host, event in each.events.items() if event.means == name)
            for each in known
        ]
        if any(cells):
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
    for each in known:
        lines += ["", f"## Events of {each.title}", ""]
        versions = " and ".join(f"`{profile.range}`" for profile in each.profiles)
        tested = f"tested with {each.tested}" if each.tested else "tested by fixtures"
        lines += [f"Versions {versions}; {tested}.", ""]
        lines += ["| event | means | gate | seconds | can be told |", "|---|---|---|---:|---|"]
        for host, event in each.events.items():
            told = ", ".join(f"`{word}`" for word in event.say) or "nothing"
            gate = "yes" if event.gate else ""
            lines.append(f"| `{host}` | `{event.means}` | {gate} | {event.timeout} | {told} |")
    return lines


def _rules(families: Sequence[Family], decision: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for family in families:
        for rule in family["rule"]:
            if rule["decision"] == decision:
                yield family["family"], rule


def _programs(family: Family) -> str:
    names = [f"`{name}`" for name in family["commands"]]
    more = len(names) - MOST_NAMES
    return ", ".join(names[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")
