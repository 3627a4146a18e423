"""`paige coach explain`, `review`, `gaps`, `practice`, `issues`, `materials`.

They ask the same model as the browser does, with or without a server beside them.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import anyio
import click

from paige.app.application import App
from paige.app.coach_model import open_services
from paige.app.coach_study import CoachGap
from paige.base.clock import to_iso
from paige.base.errors import BadInput, NotFound
from paige.coach.answers import Explanation
from paige.coach.dashboard import kata_summaries, load_kata
from paige.coach.files.languages import language_of
from paige.coach.message_parts import KataSummary, Passage, RankedIssue, Recommendation, TextRange
from paige.coach.messages import PracticeKataLoad
from paige.coach.model import CoachModel, Review, Work
from paige.coach.project_context import open_project
from paige.coach.sessions import active
from paige.doors.coach.cli_session import JSON, give, opened, read
from paige.doors.coach.values import CoachGaps
from paige.doors.frame.cli import dump, run, show
from paige.doors.frame.console import process_console


@click.command()
@JSON
def gaps(*, as_json: bool) -> None:
    """List what sessions showed to be missing, with stages and dates of review."""
    found = run("paige.doors.coach.operations:gaps")
    show(found, gap_lines, as_json=as_json, remarks=_remarks, record=_record)


def gap_lines(found: CoachGaps) -> Iterator[str]:
    """Each gap in two lines: what it is and where it came from, how far it is and what is next."""
    for each in found.gaps:
        yield f"{'closed' if each.closed else 'open':6}  {each.topic}"
        parts = [each.stage.replace("_", " "), _review(each)]
        if each.session_at is not None:
            issue = f" on “{each.session_title}”" if each.session_title else ""
            parts.append(f"from the session of {each.session_at:%Y-%m-%d}{issue}")
        yield f"        {', '.join(parts)}"


def _review(gap: CoachGap) -> str:
    if gap.next_review is None:
        return "not in Study yet"
    return "due in Study now" if gap.due else f"next review on {gap.next_review:%Y-%m-%d}"


def _remarks(found: CoachGaps) -> Iterator[str]:
    if not found.gaps:
        yield "No gap is known yet; sessions show them when they end."
    elif any(each.due for each in found.gaps):
        yield "`paige study review --course coach` asks what is due."


def _record(found: CoachGaps) -> list[dict[str, Any]]:
    """Gaps as programs know them."""
    return [
        {
            "topic": each.topic,
            "severity": each.severity,
            "frequency": each.frequency,
            "closed": each.closed,
            "stage": each.stage,
            "kata": each.kata_id,
            "session": each.session_id,
            "issue": each.session_title,
            "course": each.course if each.concept else None,
            "concept": each.concept or None,
            "next_review": to_iso(each.next_review) if each.next_review else None,
            "due": each.due,
            "reviews": each.reviews,
        }
        for each in found.gaps
    ]


_FITS = {
    "good_fit": "good fit",
    "stretch": "stretch",
    "too_advanced": "not yet",
    "unknown": "not judged",
}


def explanation_lines(found: Explanation) -> Iterator[str]:
    """An explanation, then what it is about."""
    yield found.explanation
    if found.analogy:
        yield f"\n{found.analogy}"
    if found.key_concepts:
        yield f"\nconcepts  {', '.join(found.key_concepts)}"
    if found.related_files:
        yield f"files     {', '.join(found.related_files)}"
    if found.phase_connection:
        yield f"phase     {found.phase_connection}"


def review_lines(found: Review) -> Iterator[str]:
    """A review: the verdict first."""
    yield f"{'passed' if found.passed else 'not yet'}, level {found.level} of 10"
    yield found.feedback
    if found.follow_up is not None:
        words = found.follow_up.constraint or found.follow_up.reason or ""
        yield f"next      {words}".rstrip()
    for each in found.unlocked_constraints:
        yield f"unlocked  {each.title}: {each.description}"


def katas_lines(found: Sequence[KataSummary]) -> Iterator[str]:
    """Katas, one a line."""
    for each in found:
        best = f", best level {each.best_level}" if each.best_level is not None else ""
        yield f"{each.id}  {each.title} ({each.topic}): {each.attempts_count} attempts{best}"


def kata_lines(loaded: PracticeKataLoad) -> Iterator[str]:
    """A kata as a learner may see it."""
    kata = loaded.kata
    yield f"{kata.title} ({kata.topic})"
    yield ""
    yield kata.description
    if kata.scaffolding_code:
        yield ""
        yield kata.scaffolding_code.rstrip("\n")
    if loaded.constraints:
        yield ""
    for each in loaded.constraints:
        yield f"constraint  {each.title}: {each.description}"


def issue_lines(found: Sequence[RankedIssue]) -> Iterator[str]:
    """Issues, each with why it stands where it does."""
    for each in found:
        yield f"#{each.number}  {_FITS[each.suitability]:10}  {each.title}"
        yield f"    {each.summary}"
        yield f"    {each.suitability_reason}"


def material_lines(found: Sequence[Recommendation]) -> Iterator[str]:
    """What to read, by gap."""
    for each in found:
        yield each.knowledge_gap
        for resource in each.resources:
            yield f"  {resource.title} ({resource.estimated_time})  {resource.url}"
        if each.study_order:
            yield f"  {each.study_order}"
        if each.practice_connection:
            yield f"  {each.practice_connection}"


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
        give({"path": passage.path, **found.model_dump()})
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
        give({"kata": chosen, **dump(found)})
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
            found = read(app, kata_summaries)
            if as_json:
                give([each.model_dump() for each in found])
                return
            _lines(katas_lines(found))
            if not found:
                process_console().say("There are no katas yet; they come from what sessions show.")
            return
        loaded = read(app, load_kata, _find_kata(app, kata).id)
    if out is not None:
        _write_new(Path(out), loaded.kata.scaffolding_code)
        process_console().say(f"The starting code is in `{out}`.")
    if as_json:
        shown = loaded.kata.model_dump()
        give({**shown, "constraints": [each.model_dump() for each in loaded.constraints]})
        return
    _lines(kata_lines(loaded))


@click.command()
@JSON
def issues(*, as_json: bool) -> None:
    """List open issues of the project, those that suit you best first (by a model)."""
    with opened() as (app, project):
        found = think(app, project, lambda model: model.rank_issues(app.actor))
    if as_json:
        give([each.model_dump() for each in found])
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
        give([each.model_dump() for each in found or ()])
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
    found = read(app, kata_summaries)
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
