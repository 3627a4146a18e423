"""`paige guard check`, `explain`, `list` and `trust`: rules, and what they say of commands.

They open no database: scripts judge thousands of commands with them.
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from paige.base.clock import system_clock
from paige.base.errors import BadInput, NotFound
from paige.doors.frame.batch import Answer, answer_lines
from paige.doors.frame.console import person, process_console
from paige.guard import trust as trusted
from paige.guard.compiler import book_for, rules_for
from paige.guard.fast.place import Place, place_of
from paige.guard.rules.compiler import reason_of
from paige.guard.rules.loader import Book
from paige.guard.rules.powershell import judge_powershell
from paige.guard.shell.judge import ALLOW, ASK, DENY, PASS, Judge, Judgement, judge
from paige.guard.shell.matcher import fits, parsed
from paige.guard.shell.resolver import base_name
from paige.guard.shell.script import Simple
from paige.guard.tools import is_powershell

EXITS = {ALLOW: 0, DENY: 3, ASK: 4, PASS: 5}
CWD = click.option("--cwd", metavar="DIR", help="The folder it would run in; this one by default.")


@click.command()
@click.argument("command", required=False)
@click.option("--command", "text", metavar="TEXT", help="The same, for scripts.")
@click.option("--jsonl", is_flag=True, help="Judge commands on stdin, one JSON object a line.")
@click.option("--tool", default="", help="The tool that would run it, such as PowerShell.")
@click.option("--json", "as_json", is_flag=True, help="Print the judgement as JSON.")
@CWD
def check(
    command: str | None,
    *,
    text: str | None,
    jsonl: bool,
    tool: str,
    as_json: bool,
    cwd: str | None,
) -> int:
    """Say whether COMMAND may run: allow exits with 0, deny with 3, ask with 4, pass with 5."""
    text = command if text is None else text
    if jsonl:
        return 2 if answer_lines(sys.stdin.buffer, sys.stdout, judging(cwd or "")) else 0
    if text is None:
        raise BadInput(
            "There is no command to judge", hint='Write `paige guard check "git push"`, or --jsonl.'
        )
    judged = _judged(text, tool, *_rules(cwd or ""))
    console = process_console()
    if as_json:
        console.give(json.dumps(dump(text, judged), ensure_ascii=False))
    else:
        console.give(f"{judged.decision}  {judged.rule}")
        if judged.reason and judged.decision != ALLOW:
            console.say(judged.reason)
    return EXITS[judged.decision]


@click.command()
@click.argument("text", metavar="COMMAND")
@click.option("--json", "as_json", is_flag=True, help="Print the explanation as JSON.")
@CWD
def explain(text: str, *, as_json: bool, cwd: str | None) -> int:
    """Show what is read in COMMAND, which rules speak of it, and the strictest of them."""
    explained = explanation(text, *_rules(cwd or ""))
    console = process_console()
    if as_json:
        console.give(json.dumps(explained, ensure_ascii=False))
        return 0
    for line in explained_lines(explained):
        console.give(line)
    return 0


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


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@click.option("--revoke", is_flag=True, help="Trust FILE no longer.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def trust(file: Path | None, *, revoke: bool, as_json: bool) -> None:
    """Let FILE of a project count in full, as it is now; without FILE, list what is trusted."""
    console = process_console()
    if file is None:
        if revoke:
            raise BadInput(
                "`--revoke` needs a file", hint="Name one that `paige guard trust` lists."
            )
        listed = trusted.read_trusted()
        if as_json:
            console.give(json.dumps(listed, ensure_ascii=False))
        for key, each in listed.items() if not as_json else ():
            changed = (
                "" if trusted.is_current(key, each) else "  (has changed since: not trusted now)"
            )
            console.give(f"{key[:12]}  {each.get('at', '')[:10]}  {each.get('file', '')}{changed}")
        if not listed:
            console.say("No file of a project is trusted.")
        return
    by = person()
    if revoke:
        trusted.revoke(file)
        console.say(f"`{file}` only adds denials and questions from now on.")
        return
    key = trusted.trust(file, by=by, now=system_clock())
    console.say(f"`{file}` counts in full until it is changed (sha256 {key[:12]}…).")


def judging(cwd: str) -> Answer:
    """Answers `{"command", "cwd"?, "tool"?}` with the judgement."""
    kept: dict[str, tuple[Place, dict[str, Any]]] = {}

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        command, folder = _text(asked, "command"), _text(asked, "cwd", cwd)
        if folder not in kept:
            kept[folder] = _rules(folder)
        return dump(command, _judged(command, _text(asked, "tool", ""), *kept[folder]))

    return answer


def dump(command: str, judged: Judgement) -> dict[str, Any]:
    """A judgement as JSON."""
    return {
        "command": command,
        "decision": judged.decision,
        "rule": judged.rule,
        "reason": judged.reason,
        "commands": [list(words) for words in judged.commands],
    }


def explanation(command: str, place: Place, book: dict[str, Any]) -> dict[str, Any]:
    """How a judgement comes about, as JSON: what was read, and which rules spoke of what runs."""
    judge = Judge(place, book)
    judged = judge.judge(command)
    return {
        **dump(command, judged),
        "texts": [{"text": text, "clear": clear, "why": why} for text, clear, why in judge.scripts],
        "steps": [
            {
                "words": list(words),
                "via": list(act.via),
                "decision": decision,
                "rule": rule,
                "reason": reason,
                "rules": list(_spoke(act.simple, place, book)),
            }
            for act, (words, decision, rule, reason) in zip(judge.acts, judge.steps, strict=False)
        ],
    }


def _spoke(simple: Simple, place: Place, book: dict[str, Any]) -> Iterator[dict[str, str]]:
    """The rules that speak of a command, those that a project adds too."""
    if not simple.words:
        return
    name = base_name(simple.words[0])
    families = list(book["families"].get(name, ()))
    if "added" in book:
        families += [
            each for each in book["added"]["families"].get(name, ()) if each not in families
        ]
    for family in families:
        call = parsed(simple.words, family)
        for rule in family["rules"]:
            if fits(rule, call, place, simple.stdin, book.get("protected", ())):
                yield {"rule": f"{family['name']}.{rule['id']}", "decision": rule["decision"]}


def explained_lines(explained: dict[str, Any]) -> list[str]:
    """An explanation as a person reads it."""
    lines = [f"{explained['decision']}  {explained['rule']}"]
    lines += [f"  {explained['reason']}"] if explained["reason"] else []
    for read in explained["texts"]:
        unclear = "" if read["clear"] else f"  (not clear: {read['why']})"
        lines.append(f"read   {read['text']!r}{unclear}")
    for step in explained["steps"]:
        via = f"  through {' > '.join(step['via'])}" if step["via"] else ""
        words = " ".join(repr(word) if " " in word else word for word in step["words"])
        lines.append(f"runs   {words or '(a redirection)'}{via}")
        lines.append(f"         {step['decision']}  {step['rule']}")
        lines += [f"         spoke: {each['decision']:5}  {each['rule']}" for each in step["rules"]]
    return [line.replace("\x00", "…") for line in lines]


def _judged(command: str, tool: str, place: Place, book: dict[str, Any]) -> Judgement:
    if is_powershell(tool) or tool.lower() == "cmd":
        return judge_powershell(command, book, place)
    return judge(command, place, book)


def _rules(cwd: str) -> tuple[Place, dict[str, Any]]:
    place = place_of(cwd)
    return place, rules_for(place)["shell"]


def _text(asked: dict[str, Any], name: str, default: str | None = None) -> str:
    value = asked.get(name, default)
    if value is None and default is not None:
        return default
    if not isinstance(value, str):
        raise BadInput(f"`{name}` is missing or is not a text")
    return value


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
