"""`paige guard check` and `paige guard explain`: judgements on commands, one or thousands."""

import json
import sys
from typing import Any

import click

from paige.base.errors import BadInput
from paige.doors.frame.batch import Answer, answer_lines
from paige.doors.frame.console import process_console
from paige.guard.compiling import rules_for
from paige.guard.fast.place import Place, place_of
from paige.guard.rules.explaining import Explained, explain
from paige.guard.rules.powershell import judge_powershell
from paige.guard.shell.judging import ALLOW, ASK, DENY, PASS, Judgement, judge
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


@click.command(name="explain")
@click.argument("text", metavar="COMMAND")
@click.option("--json", "as_json", is_flag=True, help="Print the explanation as JSON.")
@CWD
def explain_(text: str, *, as_json: bool, cwd: str | None) -> int:
    """Show what is read in COMMAND, which rules speak of it, and the strictest of them."""
    explained = explain(text, *_rules(cwd or ""))
    console = process_console()
    if as_json:
        console.give(json.dumps(dump_explained(text, explained), ensure_ascii=False))
        return 0
    for line in explained_lines(explained):
        console.give(line)
    return 0


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


def dump_explained(command: str, explained: Explained) -> dict[str, Any]:
    """An explanation as JSON."""
    return {
        **dump(command, explained.judgement),
        "texts": [
            {"text": text, "clear": clear, "why": why} for text, clear, why in explained.texts
        ],
        "steps": [
            {
                "words": list(step.words),
                "via": list(step.via),
                "decision": step.decision,
                "rule": step.rule,
                "reason": step.reason,
                "rules": [{"rule": each.rule, "decision": each.decision} for each in step.spoke],
            }
            for step in explained.steps
        ],
    }


def explained_lines(explained: Explained) -> list[str]:
    """An explanation as a person reads it."""
    judged = explained.judgement
    lines = [f"{judged.decision}  {judged.rule}", f"  {judged.reason}" if judged.reason else ""]
    for text, clear, why in explained.texts:
        lines.append(f"read   {text!r}" + ("" if clear else f"  (not clear: {why})"))
    for step in explained.steps:
        via = f"  through {' > '.join(step.via)}" if step.via else ""
        words = " ".join(repr(word) if " " in word else word for word in step.words)
        lines.append(f"runs   {words or '(a redirection)'}{via}")
        lines.append(f"         {step.decision}  {step.rule}")
        lines += [f"         spoke: {each.decision:5}  {each.rule}" for each in step.spoke]
    return [line.replace("\x00", "…") for line in lines if line]


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
