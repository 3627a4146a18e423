"""`paige coach explain`, `review`, `practice`, `issues`, `materials`: the coach in a terminal.

They ask the same model as the browser does, with or without a server beside them.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import anyio
import click

from paige.app.application import App
from paige.app.coach_model import open_services
from paige.base.errors import BadInput, NotFound
from paige.cli.coach_commands import JSON, opened
from paige.cli.coach_thinking_lines import (
    explanation_lines,
    issue_lines,
    kata_lines,
    katas_lines,
    material_lines,
    review_lines,
)
from paige.coach.dashboard import kata_summaries
from paige.coach.files.languages import language_of
from paige.coach.katas import load_kata
from paige.coach.message_parts import KataSummary, TextRange
from paige.coach.model import CoachModel, Passage, Work
from paige.coach.project_context import open_project
from paige.coach.sessions import active
from paige.doors.frame.console import process_console

T = TypeVar("T")
AROUND = 50  # lines before and after a passage that are read with it


@click.command()
@click.argument("place", metavar="PATH:START-END")
@JSON
def explain(place: str, *, as_json: bool) -> None:
    """Explain lines of a file, such as `src/cart.py:10-20`, at your level."""
    path, first, last = parse_place(place)
    with opened() as (app, project):
        passage = read_passage(project, path, first, last)

        async def ask(model: CoachModel) -> Any:  # noqa: ANN401 - shaped below
            session = await app.database.read(active, app.actor, str(project))
            return await model.explain(app.actor, session, passage)

        found = think(app, project, ask)
    if as_json:
        _give(
            {
                "path": passage.path,
                "explanation": found.explanation,
                "key_concepts": list(found.key_concepts),
                "analogy": found.analogy,
                "related_files": found.related_files,
                "phase_connection": found.phase_connection,
                "model": found.model,
            }
        )
        return
    _lines(explanation_lines(found))


@click.command()
@click.argument("kata", required=False)
@click.argument("file", type=click.Path(dir_okay=False), required=False)
@click.option("--with", "constraints", multiple=True, metavar="TITLE", help="A constraint.")
@JSON
def review(
    kata: str | None, file: str | None, *, constraints: tuple[str, ...], as_json: bool
) -> None:
    """Hand in FILE (`-` is standard input) as the solution of KATA.

    Without a kata the work in the active phase is reviewed: what you saved in this session.
    """
    if (kata is None) != (file is None):
        raise BadInput("A kata and the file with its solution go together")
    with opened() as (app, project):
        chosen = None if kata is None else _find_kata(app, kata).id
        code = "" if file is None else _read_file(file)

        async def ask(model: CoachModel) -> Any:  # noqa: ANN401 - shaped below
            session = await app.database.read(active, app.actor, str(project))
            return await model.review(app.actor, session, Work(code, chosen, constraints))

        found = think(app, project, ask)
    if as_json:
        _give(
            {
                "kata": chosen,
                "passed": found.passed,
                "correct": found.correct,
                "level": found.level,
                "feedback": found.feedback,
                "follow_up": found.follow_up.model_dump() if found.follow_up else None,
                "dreyfus_signal": found.dreyfus_signal,
                "unlocked_constraints": [each.model_dump() for each in found.unlocked_constraints],
                "model": found.model,
            }
        )
    else:
        _lines(review_lines(found))
    if not found.passed:
        raise click.exceptions.Exit(1)


@click.command()
@click.argument("kata", required=False)
@click.option("--out", type=click.Path(dir_okay=False), help="Write the starting code to a file.")
@JSON
def practice(kata: str | None, *, out: str | None, as_json: bool) -> None:
    """List your katas, or show KATA (its id, the start of it, or a part of its title)."""
    with opened() as (app, _):
        if kata is None:
            found = _read(app, kata_summaries)
            if as_json:
                _give([each.model_dump() for each in found])
                return
            _lines(katas_lines(found))
            if not found:
                process_console().say("There are no katas yet; they come from what sessions show.")
            return
        loaded = _read(app, load_kata, _find_kata(app, kata).id)
    if out is not None:
        _write_new(Path(out), loaded.kata.scaffolding_code)
        process_console().say(f"The starting code is in `{out}`.")
    if as_json:
        shown = loaded.kata.model_dump()
        _give({**shown, "constraints": [each.model_dump() for each in loaded.constraints]})
        return
    _lines(kata_lines(loaded))


@click.command()
@JSON
def issues(*, as_json: bool) -> None:
    """List open issues of the project, those that suit you best first (by a model)."""
    with opened() as (app, project):
        found = think(app, project, lambda model: model.rank_issues(app.actor))
    if as_json:
        _give([each.model_dump() for each in found])
        return
    _lines(issue_lines(found))
    if not found:
        process_console().say("There are no open issues.")


@click.command()
@JSON
def materials(*, as_json: bool) -> None:
    """List what to read for the gaps that sessions showed."""
    with opened() as (app, project):
        found = think(app, project, lambda model: model.find_materials(app.actor))
    if as_json:
        _give([each.model_dump() for each in found or ()])
        return
    _lines(material_lines(found or []))
    if found is None:
        process_console().say("No gap is open, so there is nothing to read up.")
    elif not found:
        process_console().say("Nobody has written about your gaps in the list that Paige has.")


def parse_place(place: str) -> tuple[str, int, int | None]:
    """A file and lines in it: `a.py`, `a.py:3`, `a.py:3-9`. Raises: BadInput."""
    path, colon, lines = place.rpartition(":")
    if not colon:
        return place, 1, None
    first, dash, last = lines.partition("-")
    numbers = [first, last] if dash else [first, first]
    if not path or not all(number.isdecimal() for number in numbers):
        raise BadInput(
            f"`{place}` names no lines of a file", hint="Write `src/cart.py:10-20` or `cart.py:7`."
        )
    start, end = int(numbers[0]), int(numbers[1])
    if start < 1 or end < start:
        raise BadInput(f"Lines {start} to {end} are none", hint="Count from 1, and upwards.")
    return path, start, end


def read_passage(project: Path, path: str, first: int, last: int | None) -> Passage:
    """The lines of a file with those around them. Raises: NotFound, BadInput, Refused."""
    content = open_project(project).read(path)
    if content.binary:
        raise BadInput("Cannot explain binary files", hint="Name a file of text.")
    lines = content.content.splitlines()
    end = len(lines) if last is None else min(last, len(lines))
    if first > max(1, len(lines)):
        raise BadInput(f"`{content.path}` has {len(lines)} lines; there is no line {first}")
    chosen = lines[first - 1 : end]
    around = lines[max(0, first - 1 - AROUND) : end + AROUND]
    return Passage(
        path=content.path,
        selection=TextRange(start_line=first, end_line=max(first, end)),
        selected_text="\n".join(chosen),
        language=language_of(content.path),
        surrounding_context="\n".join(around),
    )


def _find_kata(app: App, wanted: str) -> KataSummary:
    """The kata of that id, start of an id, or title. Raises: NotFound, BadInput."""
    found = _read(app, kata_summaries)
    exact = [each for each in found if each.id == wanted]
    plain = wanted.casefold()
    near = [each for each in found if each.id.startswith(wanted) or plain in each.title.casefold()]
    matching = exact or near
    if not matching:
        raise NotFound(
            "Kata not found", hint=f"None is called `{wanted}`; see `paige coach practice`."
        )
    if len(matching) > 1:
        titles = ", ".join(f"`{each.id}` ({each.title})" for each in matching[:5])
        raise BadInput(f"Several katas are called `{wanted}`: {titles}", hint="Give the id.")
    return matching[0]


def think(app: App, project: Path, ask: Callable[[CoachModel], Awaitable[T]]) -> T:
    """Ask the coach's model something about a project."""

    async def run() -> T:
        model = CoachModel(lambda: replace(open_services(app), project_dir=project))
        async with model.running():
            return await ask(model)

    return anyio.run(run)


def _read(app: App, query: Callable[..., T], *arguments: object) -> T:
    return anyio.run(lambda: app.database.read(query, app.actor, *arguments))


def _read_file(file: str) -> str:
    try:
        with click.open_file(file, encoding="utf-8") as opened_file:
            return opened_file.read()
    except OSError as error:
        raise NotFound(f"`{file}` cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"`{file}` is no text", hint="Save it as UTF-8.") from None


def _write_new(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(text if text.endswith("\n") or not text else f"{text}\n")
    except FileExistsError:
        raise BadInput(f"`{path}` is there already", hint="Name a file that is not.") from None
    except OSError as error:
        raise BadInput(f"`{path}` cannot be written: {error.strerror}") from None


def _lines(lines: Any) -> None:  # noqa: ANN401 - an iterable of lines
    console = process_console()
    for line in lines:
        console.give(line)


def _give(value: Any) -> None:  # noqa: ANN401 - JSON
    process_console().give(json.dumps(value, ensure_ascii=False))
