"""`paige study courses`, `new`, `import` and `export`."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from paige.cli.console import process_console
from paige.cli.settings import command_settings

if TYPE_CHECKING:
    from paige.store.documents import DirectoryDocuments
    from paige.study.courses.overview import Overview
    from paige.study.courses.values import Course

JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.command()
@click.argument("name", required=False)
@JSON
def courses(name: str | None, *, as_json: bool) -> None:
    """List the courses there are, or show what the course NAME holds, and what is wrong."""
    # The parts of the room are not needed for `--help`.
    from paige.study.courses.loading import load_course  # noqa: PLC0415
    from paige.study.courses.overview import (  # noqa: PLC0415
        dump_overview,
        list_courses,
        overview,
    )

    console = process_console()
    documents = teaching()
    if name is None:
        listed = list_courses(documents)
        lines = list(_listed(listed))
    else:
        from paige.learner.files import LearnerFiles  # noqa: PLC0415 - as above

        course = load_course(documents, name)
        listed = [overview(course, LearnerFiles(documents).courses())]
        lines = list(_shown(course))
    if as_json:
        console.give(json.dumps([dump_overview(each) for each in listed], ensure_ascii=False))
        return
    for line in lines:
        console.give(line)
    for each in listed:
        for problem in each.problems:
            console.say(str(problem))


def teaching() -> "DirectoryDocuments":
    """The folder of courses and learners' files."""
    from paige.store.documents import DirectoryDocuments  # noqa: PLC0415 - as above

    return DirectoryDocuments(command_settings().teaching_dir)


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
