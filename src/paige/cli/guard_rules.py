"""`paige guard list`: the rules of every layer, and whether their examples hold."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from paige.base.errors import NotFound
from paige.doors.frame.console import process_console
from paige.guard.compiling import book_for
from paige.guard.fast.place import place_of
from paige.guard.rules.compiling import reason_of
from paige.guard.rules.loading import Book


@click.command(name="list")
@click.argument("family", required=False)
@click.option("--check", is_flag=True, help="Execute the examples of every rule.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line.")
def list_(family: str | None, *, check: bool, as_json: bool) -> int:
    """List the rules, or those of FAMILY (or of a program), strictest first."""
    book = book_for(place_of(""), check=check)
    found = list(rows(book, family))
    if family and not found:
        raise NotFound(
            f"There is no family or program `{family}`", hint="`paige guard list` has them all."
        )
    console = process_console()
    for row in found:
        console.give(json.dumps(row, ensure_ascii=False) if as_json else _line(row))
    for problem in book.problems:
        console.say(str(problem))
    if check and not book.problems:
        console.say(f"{len(found)} rules; every example holds.")
    return 1 if book.problems else 0


def rows(book: Book, family: str | None) -> Iterator[dict[str, Any]]:
    """The rules of a book, each as JSON."""
    for path, data in book.families:
        if family and family != data["family"] and family not in data["commands"]:
            continue
        for rule in sorted(data.get("rule", ()), key=_strictness):
            yield {
                "rule": f"{data['family']}.{rule['id']}",
                "decision": rule["decision"],
                "reason": reason_of(rule),
                "programs": data["commands"],
                "file": str(path),
                "examples": list(rule.get("must", ())),
            }


def _strictness(rule: dict[str, Any]) -> int:
    return ("deny", "ask", "allow").index(rule["decision"])


def _line(row: dict[str, Any]) -> str:
    said = f"  {row['reason']}" if row["reason"] else ""
    return f"{row['decision']:5}  {row['rule']:32}  {Path(row['file']).name}{said}"
