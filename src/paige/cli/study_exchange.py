"""`paige study new`, `import` and `export`: courses begun, taken in, and given out."""

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

import click

from paige.base.clock import system_clock
from paige.base.errors import Conflict
from paige.base.files import write_export
from paige.cli.console import Console, process_console
from paige.cli.study_courses import JSON, teaching

if TYPE_CHECKING:
    from paige.exercise.exchange.csv_files import Form
    from paige.study.courses.importing import ImportForm, Taken

MOST_SAID = 20
FORMS = ("anki", "csv", "exercism")
DOMAINS = ("language", "technical", "conceptual", "interview")


class ImportFlags(TypedDict):
    """The options of `import` as click hands them over."""

    name: str
    both_ways: bool
    reviews: bool
    as_json: bool


@click.command()
@click.argument("name")
@click.option(
    "--from",
    "template",
    default="conceptual",
    show_default=True,
    metavar="TEMPLATE",
    help=f"One of {', '.join(DOMAINS)}, or the name of a course to copy.",
)
@JSON
def new(name: str, *, template: str, as_json: bool) -> None:
    """Begin the course NAME: a folder with small examples of everything, to be written over."""
    # The parts of the room are not needed for `--help`.
    from paige.study.courses.overview import dump_overview, overview  # noqa: PLC0415
    from paige.study.courses.writing import new_course  # noqa: PLC0415

    documents = teaching()
    course = new_course(documents, name, template)
    console = process_console()
    folder = documents.root / "courses" / name
    if as_json:
        console.give(json.dumps(dump_overview(overview(course, ())), ensure_ascii=False))
    else:
        console.give(str(folder))
    console.say(f"Edit the files there; `paige study courses {name}` says what is wrong in them.")


@click.command(name="import")
@click.argument("form", type=click.Choice(FORMS))
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--as", "name", default="", metavar="NAME", help="What the course is called.")
@click.option("--both-ways", is_flag=True, help="Ask every card from its back too, as a word.")
@click.option("--reviews/--no-reviews", default=True, help="Take over when cards were reviewed.")
@JSON
def import_(form: "ImportForm", path: Path, **given: Unpack[ImportFlags]) -> None:
    """Take PATH in as a course: an Anki package, a table of cards, or an Exercism track.

    What is in the course already stays as it is, so a deck that has grown can be taken in again.
    """
    from paige.study.courses.importing import ImportOptions, import_course  # noqa: PLC0415 - as above

    options = ImportOptions(
        name=given["name"], both_ways=given["both_ways"], reviews=given["reviews"]
    )
    taken = import_course(teaching(), form, path, options, now=system_clock())
    console = process_console()
    if given["as_json"]:
        console.give(json.dumps(_taken(taken), ensure_ascii=False))
    else:
        console.give(taken.course.name)
    _tell(console, taken)


def _taken(taken: "Taken") -> dict[str, object]:
    from paige.study.courses.overview import dump_problem  # noqa: PLC0415 - as above

    return {
        "name": taken.course.name,
        "title": taken.course.title,
        "concepts": len(taken.course.concepts),
        "items": taken.course.item_count,
        "added": taken.added,
        "there": taken.there,
        "reviewed": taken.reviewed,
        "differing": list(taken.differing),
        "left_out": list(taken.left_out),
        "remarks": list(taken.remarks),
        "problems": [dump_problem(each) for each in taken.course.problems],
    }


def _tell(console: Console, taken: "Taken") -> None:
    course = taken.course
    console.say(
        f"{taken.added} added, {taken.there} there already; "
        f"`{course.name}` has {len(course.concepts)} concepts and {course.item_count} items."
    )
    if taken.reviewed:
        console.say(f"Reviews of {taken.reviewed} cards count as what you know.")
    words = [f"`{each}` reads otherwise in the file; yours stayed." for each in taken.differing]
    words += [f"Left out: {each}." for each in taken.left_out]
    words += [*taken.remarks, *(str(each) for each in course.problems)]
    for word in words[:MOST_SAID]:
        console.say(word)
    if len(words) > MOST_SAID:
        console.say(f"And {len(words) - MOST_SAID} more; `--json` lists them.")


@click.command()
@click.argument("form", type=click.Choice(["anki", "csv", "xapi"]))
@click.argument("course")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="A file; `-` is stdout.")
@click.option(
    "--home",
    default="http://localhost",
    show_default=True,
    help="The address that statements of xapi are made for.",
)
def export(
    form: Literal["anki", "csv", "xapi"], course: str, *, out: Path | None, home: str
) -> None:
    """Give out COURSE: cards with their reviews for Anki or as a table, or results as statements.

    Without a file, csv and xapi are printed, and anki writes COURSE.apkg into this folder.
    """
    from paige.exercise.exchange.xapi import Who  # noqa: PLC0415 - as above
    from paige.learner.files import LearnerFiles  # noqa: PLC0415
    from paige.study.courses.exporting import export_cards, export_results  # noqa: PLC0415
    from paige.study.courses.loading import load_course  # noqa: PLC0415
    from paige.study.courses.statements import learner_token  # noqa: PLC0415

    documents = teaching()
    learner = LearnerFiles(documents)
    found = load_course(documents, course)
    if form == "xapi":
        token = learner_token(learner, os.urandom(16))
        data = export_results(found.name, learner, Who(token, home)).encode()
    else:
        chosen: Literal["anki"] | Form = "anki" if form == "anki" else _table_form(out)
        data = export_cards(found, learner, form=chosen, now=system_clock())
    _give(form, data, found.name, out)


def _table_form(out: Path | None) -> "Form":
    return "tsv" if out is not None and out.suffix.lower() in (".tsv", ".txt") else "csv"


def _give(form: str, data: bytes, course: str, out: Path | None) -> None:
    console = process_console()
    if out is None and form == "anki":
        out = Path(f"{course}.apkg")
        if out.exists():
            raise Conflict(f"There is `{out}` already", hint="Name the file with `-o`.")
    if out is None or str(out) == "-":
        if console.out.isatty() and form != "anki":
            console.give(data.decode().replace("\r\n", "\n"))
        else:  # every byte as it is
            sys.stdout.buffer.write(data)
            sys.stdout.buffer.flush()
        return
    write_export(out, data)
    console.say(f"Wrote `{out}`.")
