"""`paige plan curriculum`: what the curriculum folder holds, and documents that go in."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click

from paige.app.places import workspace
from paige.base.errors import BadInput, NotFound
from paige.doors.frame.cli import command_settings
from paige.doors.frame.console import process_console
from paige.plan.curriculum.document_text import MOST_BYTES
from paige.plan.curriculum.imports import (
    KINDS,
    Import,
    ImportOptions,
    import_file,
    keep_in,
)
from paige.plan.curriculum.library import broken_links, load_all
from paige.plan.curriculum.search import find
from paige.plan.curriculum.values import Library, Outcome

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
MOST_SAID = 20
OUTCOME = (
    *("code", "about", "subject", "level", "organiser", "grade", "verified", "edition", "lines"),
    *("progression_from", "progression_to", "misconceptions", "assessment", "citation"),
)
"""What of an outcome programs are told."""


@click.group(short_help="List and import curriculum files.")
def curriculum() -> None:
    """Look at the curriculum files of the workspace, and take documents in."""


@curriculum.command(name="list")
@click.option("--subject", help="A subject, or the name of a file.")
@click.option("--level", help="Such as Third, or National 5.")
@click.option("--find", "words", metavar="WORDS", help="Outcomes about something.")
@click.option("--code", help="One outcome, with the papers that are tagged with it.")
@JSON
def list_(
    *, subject: str | None, level: str | None, words: str | None, code: str | None, as_json: bool
) -> None:
    """List the files, or the outcomes of a subject, a level or about some words."""
    console = process_console()
    library = load_all(workspace(command_settings()))
    problems = [each.sentence for each in (*library.problems, *broken_links(library))]
    if code is not None:
        outcomes = list(library.named(code))
        if not outcomes:
            raise NotFound(f"No curriculum file has the code `{code}`")
    elif subject or level or words:
        outcomes = find(library, words or "", level, subject, limit=1000)
    else:
        outcomes = []
    if as_json:
        console.give(json.dumps(_listed(library, outcomes, problems), ensure_ascii=False))
        return
    asked = bool(subject or level or words or code)
    for line in _outcome_lines(library, outcomes) if asked else _file_lines(library):
        console.give(line)
    for problem in problems:
        console.say(problem)
    if asked and not outcomes:
        console.say("No outcome fits.")


@curriculum.command(name="import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--subject", default="", help="The subject, where the document does not say it.")
@click.option("--edition", default="", help="Such as 2017-03.")
@click.option("--framework", default="", help="Such as Curriculum for Excellence.")
@click.option("--as", "name", default="", metavar="NAME", help="What the new file is called.")
@click.option("--kind", type=click.Choice(KINDS), help="What it is; found out otherwise.")
@click.option("--replace", is_flag=True, help="Put it in the place of a file of that name.")
@JSON
def import_(file: Path, *, as_json: bool, **given: Any) -> None:  # noqa: ANN401 - click's
    """Take FILE into the curriculum folder: PDF, Word, CSV, markdown, or CASE JSON.

    Outcomes become a file of rows; papers, marking instructions and specifications become material
    whose parts are tagged with codes. The original is kept beside it.
    """
    settings = command_settings()
    documents = workspace(settings)
    made = import_file(
        file.name,
        _bytes(file),
        ImportOptions(**given),
        documents=documents,
        keep=keep_in(settings.workspace, replace=given["replace"]),
    )
    console = process_console()
    if as_json:
        console.give(json.dumps(_imported(made), ensure_ascii=False))
    else:
        console.give(made.path)
    for line in _words(made):
        console.say(line)


def _bytes(file: Path) -> bytes:
    try:
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise NotFound(f"There is no file `{file}`") from error
    except (OSError, ValueError) as error:
        raise BadInput(f"`{file}` cannot be read: {error}") from error


def _file_lines(library: Library) -> Iterator[str]:
    width = max((len(each.name) for each in library.curricula), default=0)
    for each in library.curricula:
        unverified = sum(not outcome.verified for outcome in each.outcomes)
        number = f"{len(each.outcomes)} outcomes, {unverified} unverified"
        yield f"{each.name.ljust(width)}  {each.subject}, edition {each.edition or '?'}: {number}"
    for each in library.materials:
        tagged = sum(bool(part.codes) for part in each.parts)
        yield f"{each.path}  {each.kind}: {each.title}, {tagged} of {len(each.parts)} parts tagged"


def _outcome_lines(library: Library, outcomes: list[Outcome]) -> Iterator[str]:
    for each in outcomes:
        mark = "" if each.verified else ", unverified"
        yield f"{each.code}  {each.about} (grade {each.grade}{mark}) {each.path}:{each.start}"
        for material, part in library.material(each.code):
            said = " (suggested)" if part.suggested else ""
            yield f"    {material.path}:{part.start}  {part.title}{said}"


def _listed(library: Library, outcomes: list[Outcome], problems: list[str]) -> dict[str, object]:
    return {
        "files": [
            {
                **_told(each, ("name", "path", "framework", "subject", "edition")),
                "outcomes": len(each.outcomes),
                "unverified": sum(not outcome.verified for outcome in each.outcomes),
            }
            for each in library.curricula
        ],
        "materials": [
            {
                **_told(each, ("path", "title", "kind", "original")),
                "parts": [
                    {**_told(part, ("title", "codes", "suggested")), "line": part.start}
                    for part in each.parts
                ],
            }
            for each in library.materials
        ],
        "outcomes": [{**_told(each, OUTCOME), "file": each.path} for each in outcomes],
        "problems": problems,
    }


def _imported(made: Import) -> dict[str, object]:
    return {
        **_told(made, ("path", "original", "kind", "subject", "edition", "parts", "tagged")),
        "outcomes": len(made.outcomes),
        "problems": [each.sentence for each in made.problems],
    }


def _told(value: object, names: Sequence[str]) -> dict[str, object]:
    return {name: getattr(value, name) for name in names}


def _words(made: Import) -> Iterator[str]:
    """What a person should know about an import."""
    if made.kind == "outcomes":
        yield f"{len(made.outcomes)} outcomes, edition {made.edition}. Original: {made.original}"
        if not all(each.verified for each in made.outcomes):
            yield "Rows below grade B are shown as unverified until you raise their grade."
    else:
        yield (
            f"Taken in as {made.kind}: {made.parts} parts, {made.tagged} tagged. "
            f"Original: {made.original}"
        )
    if made.edition == "undated":
        yield "No edition was found; say `--edition` and `--replace`, or write it into the file."
    for problem in made.problems[:MOST_SAID]:
        yield problem.sentence
    if len(made.problems) > MOST_SAID:
        yield f"… and {len(made.problems) - MOST_SAID} more."
