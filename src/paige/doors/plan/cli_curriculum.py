"""`paige plan curriculum`: what the curriculum folder holds, and documents that go in and out."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

import click

from paige.base.clock import system_clock
from paige.base.errors import BadInput, NotFound
from paige.base.files import write_export
from paige.doors.frame.command_settings import command_settings
from paige.doors.frame.console import process_console

if TYPE_CHECKING:
    from paige.plan.curriculum.importing import Imported, Kind
    from paige.plan.curriculum.values import Curriculum, Library, Material, Outcome

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
KINDS = ("outcomes", "specification", "paper", "marking", "guidance")
MOST_SAID = 20


class ImportFlags(TypedDict):
    """The options of `import` as click hands them over."""

    subject: str
    edition: str
    framework: str
    name: str
    kind: "Kind | None"
    replace: bool
    as_json: bool


@click.group(short_help="List, import and export curriculum files.")
def curriculum() -> None:
    """Look at the curriculum files of the workspace, take documents in, give them out."""


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
    # The parts of a run are not needed for `--help`.
    from paige.app.running import workspace  # noqa: PLC0415
    from paige.plan.curriculum.finding import find  # noqa: PLC0415
    from paige.plan.curriculum.loading import broken_links, load_all  # noqa: PLC0415

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
def import_(file: Path, **given: Unpack[ImportFlags]) -> None:
    """Take FILE into the curriculum folder: PDF, Word, CSV, markdown, or CASE JSON.

    Outcomes become a file of rows; papers, marking instructions and specifications become material
    whose parts are tagged with codes. The original is kept beside it.
    """
    # As above.
    from paige.app.running import workspace  # noqa: PLC0415
    from paige.plan.curriculum.importing import ImportOptions, import_file  # noqa: PLC0415
    from paige.plan.curriculum.originals import keep_in  # noqa: PLC0415

    settings = command_settings()
    documents = workspace(settings)
    options = ImportOptions(
        name=given["name"],
        subject=given["subject"],
        edition=given["edition"],
        framework=given["framework"],
        kind=given["kind"],
        replace=given["replace"],
    )
    made = import_file(
        file.name,
        _bytes(file),
        options,
        documents=documents,
        keep=keep_in(settings.workspace, replace=given["replace"]),
    )
    console = process_console()
    if given["as_json"]:
        console.give(json.dumps(_imported(made), ensure_ascii=False))
    else:
        console.give(made.path)
    for line in _words(made):
        console.say(line)


@curriculum.command()
@click.argument("name")
@click.option("--to", "form", type=click.Choice(["case"]), default="case", show_default=True)
@click.option("--out", type=click.Path(path_type=Path), help="A file instead of stdout.")
def export(name: str, *, form: Literal["case"], out: Path | None) -> None:
    """Give out the outcomes of the curriculum file NAME, as CASE 1.1 JSON."""
    # As above.
    from paige.app.running import workspace  # noqa: PLC0415
    from paige.plan.curriculum.case_out import write_case  # noqa: PLC0415
    from paige.plan.curriculum.loading import load_all  # noqa: PLC0415

    console = process_console()
    library = load_all(workspace(command_settings()))
    found = library.file(name.removesuffix(".md"))
    if found is None or not found.outcomes:
        names = ", ".join(f"`{each.name}`" for each in library.curricula if each.outcomes)
        raise NotFound(f"There are no outcomes called `{name}`", hint=f"There are: {names}.")
    text = write_case(found, now=system_clock())
    if out is None:
        console.give(text)
        return
    write_export(out, text + "\n")
    console.say(f"Wrote {len(found.outcomes)} outcomes to `{out}`.")


def _bytes(file: Path) -> bytes:
    from paige.plan.curriculum.extracting import MOST_BYTES  # noqa: PLC0415 - as above

    try:
        with file.open("rb") as opened:
            return opened.read(MOST_BYTES + 1)
    except FileNotFoundError as error:
        raise NotFound(f"There is no file `{file}`") from error
    except (OSError, ValueError) as error:
        raise BadInput(f"`{file}` cannot be read: {error}") from error


def _file_lines(library: "Library") -> Iterator[str]:
    width = max((len(each.name) for each in library.curricula), default=0)
    for each in library.curricula:
        unverified = sum(not outcome.verified for outcome in each.outcomes)
        number = f"{len(each.outcomes)} outcomes, {unverified} unverified"
        yield f"{each.name.ljust(width)}  {each.subject}, edition {each.edition or '?'}: {number}"
    for each in library.materials:
        tagged = sum(bool(part.codes) for part in each.parts)
        yield f"{each.path}  {each.kind}: {each.title}, {tagged} of {len(each.parts)} parts tagged"


def _outcome_lines(library: "Library", outcomes: list["Outcome"]) -> Iterator[str]:
    for each in outcomes:
        mark = "" if each.verified else ", unverified"
        yield f"{each.code}  {each.about} (grade {each.grade}{mark}) {each.path}:{each.start}"
        for material, part in library.material(each.code):
            said = " (suggested)" if part.suggested else ""
            yield f"    {material.path}:{part.start}  {part.title}{said}"


def _listed(
    library: "Library", outcomes: list["Outcome"], problems: list[str]
) -> dict[str, object]:
    return {
        "files": [_file(each) for each in library.curricula],
        "materials": [_material(each) for each in library.materials],
        "outcomes": [_outcome(each) for each in outcomes],
        "problems": problems,
    }


def _file(each: "Curriculum") -> dict[str, object]:
    return {
        "name": each.name,
        "path": each.path,
        "framework": each.framework,
        "subject": each.subject,
        "edition": each.edition,
        "outcomes": len(each.outcomes),
        "unverified": sum(not outcome.verified for outcome in each.outcomes),
    }


def _material(each: "Material") -> dict[str, object]:
    return {
        "path": each.path,
        "title": each.title,
        "kind": each.kind,
        "original": each.original,
        "parts": [
            {
                "title": part.title,
                "line": part.start,
                "codes": part.codes,
                "suggested": part.suggested,
            }
            for part in each.parts
        ],
    }


def _outcome(each: "Outcome") -> dict[str, object]:
    return {
        "code": each.code,
        "about": each.about,
        "subject": each.subject,
        "level": each.level,
        "organiser": each.organiser,
        "grade": each.grade,
        "verified": each.verified,
        "edition": each.edition,
        "file": each.path,
        "lines": each.lines,
        "progression_from": each.progression_from,
        "progression_to": each.progression_to,
        "misconceptions": each.misconceptions,
        "assessment": each.assessment,
        "citation": each.citation,
    }


def _imported(made: "Imported") -> dict[str, object]:
    return {
        "path": made.path,
        "original": made.original,
        "kind": made.kind,
        "subject": made.subject,
        "edition": made.edition,
        "outcomes": len(made.outcomes),
        "parts": made.parts,
        "tagged": made.tagged,
        "problems": [each.sentence for each in made.problems],
    }


def _words(made: "Imported") -> Iterator[str]:
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
