"""`paige study courses`, `new`, `import` and `export`: courses begun, taken in, given out."""

import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click

from paige.base.errors import Conflict
from paige.base.files import write_export
from paige.doors.frame.cli import calling, run, show
from paige.doors.frame.console import process_console
from paige.doors.study.cli import JSON

if TYPE_CHECKING:
    from paige.doors.frame.values import Download
    from paige.doors.study.values import CourseList
    from paige.study.courses.catalogue import Overview
    from paige.study.courses.intake import IntakeResult
    from paige.study.courses.values import Course

OPERATIONS = "paige.doors.study.operations"
MOST_SAID = 20
FORMS = ("anki", "csv", "exercism")
DOMAINS = ("language", "technical", "conceptual", "interview")


class ImportFlags(TypedDict):
    """The options of `import` as click hands them over."""

    name: str
    both_ways: bool
    reviews: bool


@click.command()
@click.argument("name", required=False)
@JSON
def courses(name: str | None, *, as_json: bool) -> None:
    """List the courses there are, or show what the course NAME holds, and what is wrong."""
    found: CourseList = run(f"{OPERATIONS}:courses", {"name": name})
    show(found, _course_lines, as_json=as_json, remarks=_problems, record=_overviews)


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
    with calling() as call:
        made = call(f"{OPERATIONS}:begin", {"name": name, "template": template})
        found = call(f"{OPERATIONS}:courses", {"name": name})
    show(
        found,
        lambda _: [made.folder],
        as_json=as_json,
        record=lambda listed: _overviews(listed)[0],
    )
    process_console().say(
        f"Edit the files there; `paige study courses {name}` says what is wrong in them."
    )


@click.command(name="import")
@click.argument("form", type=click.Choice(FORMS))
@click.argument("path", type=click.Path(path_type=Path))
@click.option("--as", "name", default="", metavar="NAME", help="What the course is called.")
@click.option("--both-ways", is_flag=True, help="Ask every card from its back too, as a word.")
@click.option("--reviews/--no-reviews", default=True, help="Take over when cards were reviewed.")
@JSON
def import_(form: str, path: Path, *, as_json: bool, **given: Unpack[ImportFlags]) -> None:
    """Take PATH in as a course: an Anki package, a table of cards, or an Exercism track.

    What is in the course already stays as it is, so a deck that has grown can be taken in again.
    """
    asked = {"kind": form, "path": str(path), **given}
    made: IntakeResult = run(f"{OPERATIONS}:import_path", asked)
    show(made, lambda taken: [taken.course.name], as_json=as_json, record=_taken)
    for line in _import_lines(made):
        process_console().say(line)


def _taken(taken: "IntakeResult") -> dict[str, object]:
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
        "problems": [asdict(each) for each in taken.course.problems],
    }


def _import_lines(taken: "IntakeResult") -> Iterator[str]:
    course = taken.course
    yield (
        f"{taken.added} added, {taken.there} there already; "
        f"`{course.name}` has {len(course.concepts)} concepts and {course.item_count} items."
    )
    if taken.reviewed:
        yield f"Reviews of {taken.reviewed} cards count as what you know."
    words = [f"`{each}` reads otherwise in the file; yours stayed." for each in taken.differing]
    words += [f"Left out: {each}." for each in taken.left_out]
    words += [*taken.remarks, *(str(each) for each in course.problems)]
    yield from words[:MOST_SAID]
    if len(words) > MOST_SAID:
        yield f"And {len(words) - MOST_SAID} more; `--json` lists them."


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
def export(form: str, course: str, *, out: Path | None, home: str) -> None:
    """Give out COURSE: cards with their reviews for Anki or as a table, or results as statements.

    Without a file, csv and xapi are printed, and anki writes COURSE.apkg into this folder.
    """
    table = out is not None and out.suffix.lower() in (".tsv", ".txt")
    to = "tsv" if form == "csv" and table else form
    made: Download = run(f"{OPERATIONS}:export_course", {"course": course, "to": to, "home": home})
    _give(form, made.content, course, out)


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


def _course_lines(found: "CourseList") -> Iterator[str]:
    return _listed(list(found.courses)) if found.one is None else _shown(found.one)


def _problems(found: "CourseList") -> Iterator[str]:
    for each in found.courses:
        yield from map(str, each.problems)


def _overviews(found: "CourseList") -> list[dict[str, Any]]:
    return [asdict(each) for each in found.courses]


def _listed(courses: "list[Overview]") -> Iterator[str]:
    width = max((len(each.name) for each in courses), default=0)
    for each in courses:
        said = [f"{each.concepts} concepts", f"{each.items} items"]
        wrong = len(each.problems)
        said += [f"{wrong} problem{'s' if wrong > 1 else ''}"] if wrong else []
        said += ["begun"] if each.begun else []
        yield f"{each.name.ljust(width)}  {each.title} ({each.domain}): {', '.join(said)}"


def _shown(course: "Course") -> Iterator[str]:
    yield f"{course.title} ({course.domain})"
    if course.config.description:
        yield course.config.description
    width = max((len(each) for each in course.concepts), default=0)
    for concept in course.concepts.values():
        items = len(course.items.get(concept.id, ())) + len(course.words_of(concept.id))
        after = ", ".join(concept.prerequisites)
        said = f"{items} items" + (f", after {after}" if after else "")
        yield f"  {concept.id.ljust(width)}  {concept.title}: {said}"
