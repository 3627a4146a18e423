"""`paige memory search`, `show`, `profile` and `names`: what is there, and about whom."""

import json
import sys
from typing import Any, TypedDict, Unpack

import click

from paige.base.clock import to_iso
from paige.base.errors import BadInput
from paige.doors.frame.batch import Answer, answer_lines
from paige.doors.frame.console import plain_text, process_console
from paige.doors.memory.cli_options import AS, JSON, PROJECT, SCOPE, named_reader, opened_memory
from paige.language.names.gate import NameGate
from paige.memory.access import Reader
from paige.memory.event import Event, Scope, as_scope, dump_event
from paige.memory.lifecycle.profile import render_profile
from paige.memory.memory import Memory
from paige.memory.search_values import Ask, Result, SearchAnswer


class SearchFlags(TypedDict):
    """The options of `search` as click hands them over."""

    jsonl: bool
    k: int | None
    budget: int | None
    scope: Scope | None
    project: str | None
    history: bool
    why: bool
    reader: str | None
    as_json: bool


@click.command()
@click.argument("query", required=False)
@click.option("--jsonl", is_flag=True, help="Answer questions on stdin, one JSON object a line.")
@click.option("-k", type=click.IntRange(min=1), help="How many; 10 unless there is a budget.")
@click.option("--budget", type=click.IntRange(min=1), metavar="TOKENS", help="As many as fit.")
@SCOPE
@PROJECT
@click.option("--history", is_flag=True, help="Also what was superseded since.")
@click.option("--why", is_flag=True, help="Say what each score is made of.")
@AS
@JSON
def search(query: str | None, **given: Unpack[SearchFlags]) -> int:
    """Find memories about QUERY, best first."""
    if query is None and not given["jsonl"]:
        raise BadInput("Nothing is asked", hint="Give a question, or `--jsonl` for stdin.")
    who = named_reader(given["reader"])
    with opened_memory() as (_, opened):
        if query is None:
            wrong = answer_lines(sys.stdin.buffer, sys.stdout, _search_answer(opened, who))
            return 1 if wrong else 0
        ask = Ask(
            query=plain_text(query),
            k=given["k"],
            budget_tokens=given["budget"],
            scope=given["scope"],
            project=given["project"],
            history=given["history"],
        )
        found = opened.search(ask, who)
    console = process_console()
    if given["as_json"]:
        console.give(json.dumps(_dump_found(found, why=given["why"]), ensure_ascii=False))
        return 0
    for result in found.results:
        console.give(_result_line(result, why=given["why"]))
    if not found.results:
        console.say("No memory was found. `paige find` also looks into documents and lessons.")
    return 0


@click.command()
@click.argument("identity", metavar="ID")
@AS
@JSON
def show(identity: str, *, reader: str | None, as_json: bool) -> None:
    """Show the memory ID: what it says, where it is from, what it replaced, where it was used."""
    with opened_memory() as (_, opened):
        shown = opened.show(identity, named_reader(reader))
    console = process_console()
    if as_json:
        said = {
            "event": dict(shown.line) or dump_event(shown.event),
            "earlier": [dump_event(each) for each in shown.earlier],
            "later": [dump_event(each) for each in shown.later],
            "recalls": [dump_event(each) for each in shown.recalls],
        }
        console.give(json.dumps(said, ensure_ascii=False))
        return
    console.give(shown.event.text)
    for name, value in _facts(shown.event):
        console.give(f"  {name:11} {value}")
    for each in shown.earlier:
        console.give(f"  replaced    {each.id}  {_one_line(each)}")
    for each in shown.later:
        console.give(f"  replaced by {each.id}  {_one_line(each)}")
    for each in shown.recalls:
        asked = each.payload.get("query", "")
        console.give(f"  recalled    {each.at:%Y-%m-%d %H:%M} for “{asked}”")


@click.command()
@click.option("--budget", type=click.IntRange(min=1), metavar="TOKENS", help="As much as fits.")
@AS
@JSON
def profile(*, budget: int | None, reader: str | None, as_json: bool) -> None:
    """Show what is known about you, short enough for a prompt.

    It is made of preferences and facts that have a key, the most important first.
    """
    person = named_reader(reader).person
    if person is None:
        raise BadInput("A profile is of a person", hint="Write `--as NAME`.")
    with opened_memory() as (_, opened):
        found = opened.profile(person)
        most = opened.lifecycle.profile.most_tokens
    text = render_profile(found, budget or most)
    console = process_console()
    if as_json:
        traits = [{**each._asdict(), "at": to_iso(each.at)} for each in found.traits]
        said = {"person": found.person, "text": text, "traits": traits}
        console.give(json.dumps(said, ensure_ascii=False))
        return
    if text:
        console.give(text)
    elif found.traits:
        console.say("Nothing of it is that short. `--budget` allows more.")
    else:
        console.say("Nothing is known yet. `paige memory add` states facts with `--key`.")


@click.command()
@click.argument("text", required=False)
@click.option("--jsonl", is_flag=True, help="Judge texts on stdin, one JSON object a line.")
def names(text: str | None, *, jsonl: bool) -> int:
    """Say whether TEXT names somebody, as the gate of teacher and class memory sees it."""
    gate = NameGate()
    if text is None:
        if not jsonl:
            raise BadInput("No text is given", hint="Give one, or `--jsonl` for stdin.")
        return 1 if answer_lines(sys.stdin.buffer, sys.stdout, _names_answer(gate)) else 0
    judged = gate.judge(plain_text(text))
    console = process_console()
    for span in judged.named:
        console.give(f"{span.text}  ({span.reason})")
    console.say("This may be kept." if judged.allowed else "This names somebody.")
    return 0 if judged.allowed else 3


def _result_line(result: Result, *, why: bool) -> str:
    event = result.event
    speaker = f"{event.speaker}: " if event.speaker else ""
    line = f"{result.score:.2f}  {event.at:%Y-%m-%d}  {result.scope:8}  {speaker}{_one_line(event)}"
    if not why:
        return f"{line}\n      {result.id}"
    parts = ", ".join(f"{name} {value:g}" for name, value in result.why.items() if value)
    return f"{line}\n      {result.id}  {parts}"


def _facts(event: Event) -> list[tuple[str, str]]:
    found = [
        ("id", event.id),
        ("number", str(event.seq)),
        ("at", to_iso(event.at)),
        ("type", event.type),
        ("scope", event.scope),
        ("owner", event.owner),
        ("project", event.project or ""),
        ("session", event.session or ""),
        ("importance", f"{event.importance:g}"),
        ("evidence", ", ".join(event.evidence)),
    ]
    return [(name, value) for name, value in found if value]


def _one_line(event: Event) -> str:
    text = " ".join(event.text.split())
    return text if len(text) <= 100 else f"{text[:99]}…"


# --- batches: a JSON object a line ---


def _search_answer(memory: Memory, reader: Reader) -> Answer:
    """Answers `{"query", "k"?, "scope"?, "project"?, "budget_tokens"?}`."""

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        return _dump_found(memory.search(_read_ask(asked), reader))

    return answer


def _names_answer(gate: NameGate) -> Answer:
    """Answers `{"text"}` with who is named in it."""

    def answer(asked: dict[str, Any]) -> dict[str, Any]:
        judged = gate.judge(_text(asked, "text"))
        return {"named": [each.text for each in judged.named], "allowed": judged.allowed}

    return answer


def _read_ask(asked: dict[str, Any]) -> Ask:
    """The question in a line. Raises: BadInput."""
    return Ask(
        query=_text(asked, "query"),
        k=_number(asked, "k"),
        budget_tokens=_number(asked, "budget_tokens"),
        scope=None if asked.get("scope") is None else as_scope(asked["scope"]),
        project=_optional(asked, "project"),
        session=_optional(asked, "session"),
        history=bool(asked.get("history")),
    )


def _dump_found(found: SearchAnswer, *, why: bool = False) -> dict[str, Any]:
    """An answer as JSON."""
    results = [
        {
            "id": each.id,
            "text": each.text,
            "score": each.score,
            "scope": each.scope,
            "meta": each.meta,
            **({"why": dict(each.why), "tokens": each.tokens} if why else {}),
        }
        for each in found.results
    ]
    return {"results": results, "took_ms": round(found.took_ms, 3)}


def _text(asked: dict[str, Any], name: str) -> str:
    value = asked.get(name)
    if not isinstance(value, str):
        raise BadInput(f"`{name}` is missing or is not a text")
    return value


def _optional(asked: dict[str, Any], name: str) -> str | None:
    return None if asked.get(name) is None else _text(asked, name)


def _number(asked: dict[str, Any], name: str) -> int | None:
    value = asked.get(name)
    if value is None:
        return None
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadInput(f"`{name}` is `{value}`, which is not a number from 1")
    return value
