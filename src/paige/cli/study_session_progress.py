"""`paige study due`, `progress` and `profile`: what waits, how far you are, how you like it."""

import json
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click

from paige.base.errors import BadInput, NotFound
from paige.cli.console import process_console
from paige.cli.settings import command_settings
from paige.cli.study_session_options import AT, COURSE, JSON, LEARNER, moment

if TYPE_CHECKING:
    from paige.learner.profile import Profile
    from paige.store.documents import DirectoryDocuments
    from paige.study.report import Report
    from paige.study.session.room import LearnerView


class ProfileFlags(TypedDict):
    """What can be changed in a profile."""

    minutes: int | None
    style: str | None
    prefer: tuple[str, ...]
    avoid: tuple[str, ...]
    neutral: tuple[str, ...]
    retention: float | None
    easy: str | None
    zone: str | None
    exam: str | None
    balance: bool | None
    class_id: str | None


@click.command()
@COURSE
@LEARNER
@AT
@JSON
def due(course: str | None, learner: str | None, at: str | None, *, as_json: bool) -> None:
    """List what should be recalled now, in every course or in one."""
    now = moment(at)
    console = process_console()
    reports = _reports(course, learner, now)
    if as_json:
        console.give(json.dumps([_due(each) for each in reports], ensure_ascii=False))
        return
    for each in reports:
        titles = {concept.id: concept.title for concept in each.concepts}
        console.give(f"{each.title}: {len(each.due)} due")
        for name in each.due:
            console.give(f"  {titles[name]}")
        if not each.due and each.next_new:
            console.give(f"  can be begun: {titles[each.next_new[0]]}")
    if not reports:
        console.say("No course was begun yet. `paige study courses` lists them.")


@click.command()
@COURSE
@LEARNER
@AT
@JSON
def progress(course: str | None, learner: str | None, at: str | None, *, as_json: bool) -> None:
    """Show how far you are: mastery, memory now and later, days, errors."""
    # Plots need what reports need, and `--help` does not.
    from paige.study.report import dump_report  # noqa: PLC0415

    now = moment(at)
    console = process_console()
    reports = _reports(course, learner, now)
    if as_json:
        dumped = [dump_report(each) for each in reports]
        console.give(json.dumps(dumped, ensure_ascii=False))
        return
    for each in reports:
        for line in _lines(each):
            console.give(line)
    if not reports:
        console.say("No course was begun yet. `paige study courses` lists them.")


@click.command()
@LEARNER
@click.option("--minutes", type=int, help="How long a session is.")
@click.option("--style", type=click.Choice(["examples_first", "explanation_first"]))
@click.option("--prefer", multiple=True, metavar="KIND", help="Have more of this kind.")
@click.option("--avoid", multiple=True, metavar="KIND", help="Have none of this kind.")
@click.option("--neutral", multiple=True, metavar="KIND", help="Neither prefer nor avoid it.")
@click.option("--retention", type=float, help="How much to remember, such as 0.9.")
@click.option("--easy", metavar="DAYS", help="Days with fewer reviews: sat,sun, or none.")
@click.option("--balance/--no-balance", default=None, help="Spread reviews evenly.")
@click.option("--zone", metavar="NAME", help="Where you live, such as Asia/Kuching.")
@click.option("--exam", metavar="COURSE=DAY", help="The day of an exam, or COURSE=none.")
@click.option("--class", "class_id", metavar="CLASS", help="The class you are in, or none.")
@JSON
def profile(learner: str | None, *, as_json: bool, **given: Unpack[ProfileFlags]) -> None:
    """Show or change how you like to study."""
    # As above.
    from paige.learner.files import LearnerFiles  # noqa: PLC0415
    from paige.learner.profile import dump_profile  # noqa: PLC0415
    from paige.study.session.room import learner_root, read_learner  # noqa: PLC0415

    documents, root = _teaching(), learner_root(learner)
    if given["exam"] is not None:
        _check_course(documents, given["exam"])
    if any(value not in (None, ()) for value in given.values()):
        LearnerFiles(documents, root=root).update_profile(lambda known: _changed(known, given))
    seen = read_learner(documents, root)
    for problem in seen.problems:
        raise problem.error()
    console = process_console()
    if as_json:
        console.give(json.dumps(dump_profile(seen.profile), ensure_ascii=False))
        return
    for line in _profile_lines(seen):
        console.give(line)


def _teaching() -> "DirectoryDocuments":
    from paige.store.documents import DirectoryDocuments  # noqa: PLC0415 - see above

    return DirectoryDocuments(command_settings().teaching_dir)


def _reports(course: str | None, learner: str | None, now: datetime) -> "list[Report]":
    """The reports of a course, or of all that were begun; problems are told on the way."""
    from paige.study.courses.loading import course_names  # noqa: PLC0415 - see above
    from paige.study.reporting import course_report  # noqa: PLC0415 - see above
    from paige.study.session.room import learner_root, read_learner  # noqa: PLC0415 - see above

    documents, root = _teaching(), learner_root(learner)
    seen = read_learner(documents, root)
    console = process_console()
    for problem in seen.problems:
        console.say(str(problem))
    from paige.learner.files import LearnerFiles  # noqa: PLC0415 - see above

    known = course_names(documents)
    begun = [name for name in LearnerFiles(documents, root=root).courses() if name in known]
    made: list[Report] = []
    for name in [course] if course else begun:
        found = course_report(documents, name, seen.preferences, root=root, now=now)
        for problem in found.problems:
            console.say(str(problem))
        made.append(found.report)
    return made


def _due(each: "Report") -> dict[str, object]:
    return {
        "course": each.course,
        "title": each.title,
        "due": list(each.due),
        "next_new": list(each.next_new),
        "forecast": [
            {"day": day.day.isoformat(), "due": day.due, "expected": day.expected}
            for day in each.forecast[:14]
        ],
    }


def _lines(each: "Report") -> list[str]:
    from paige.cli import study_session_plots as plots  # noqa: PLC0415 - see above

    kept = each.retention
    measured = "" if kept.measured is None else f", measured {kept.measured:.0%} of {kept.reviews}"
    lines = [each.title, "=" * len(each.title), ""]
    lines += [
        f"{each.count('mastered')} mastered, {each.count('review')} known, "
        f"{each.count('learning') + each.count('relearning')} being learned, "
        f"{each.count('new')} to come; {len(each.due)} due now",
        "",
        *plots.mastery_plot(each.concepts, each.today),
        "",
        f"What you would remember (planned {kept.planned:.0%}{measured})",
        *plots.retention_plot(each.recall, kept.planned),
        "",
        "Due on the days to come",
        *plots.forecast_plot(each.forecast),
        "",
        "Exercises by day",
        *plots.calendar_plot(each.calendar, each.today),
    ]
    if each.modalities:
        lines += ["", "By kind of exercise", *plots.modality_plot(each)]
    if each.errors:
        lines += ["", "Errors that came up"]
        lines += [f"  {kind.replace('_', ' ')}: {count}" for kind, count in each.errors[:8]]
    return [*lines, ""]


def _changed(known: "Profile", given: ProfileFlags) -> "Profile":
    from paige.exercise.values import modality  # noqa: PLC0415 - see above
    from paige.study.belonging import with_class  # noqa: PLC0415
    from paige.study.preferences import preferences_of, with_preferences  # noqa: PLC0415

    more = [modality(each) for each in given["prefer"]]
    none = [modality(each) for each in given["avoid"]]
    gone = {*more, *none, *(modality(each) for each in given["neutral"])}
    changed = replace(
        known,
        session_duration_minutes=(
            known.session_duration_minutes if given["minutes"] is None else given["minutes"]
        ),
        explanation_style=given["style"] or known.explanation_style,
        preferred=(*(each for each in known.preferred if each not in gone), *more),
        avoided=(*(each for each in known.avoided if each not in gone), *none),
    )
    if given["class_id"] is not None:
        changed = with_class(changed, given["class_id"])
    wanted = _preferences(given)
    if not wanted and given["exam"] is None:
        return changed
    preferences = replace(preferences_of(known), **wanted)
    if given["exam"] is not None:
        preferences = replace(preferences, exams=_exams(dict(preferences.exams), given["exam"]))
    return with_preferences(changed, preferences)


def _preferences(given: ProfileFlags) -> dict[str, Any]:
    from paige.study.preferences import easy_days  # noqa: PLC0415 - see above

    found: dict[str, Any] = {}
    if given["retention"] is not None:
        found["retention"] = given["retention"]
    if given["zone"] is not None:
        found["zone"] = given["zone"]
    if given["balance"] is not None:
        found["balance"] = given["balance"]
    if given["easy"] is not None:
        names = tuple(each for each in given["easy"].split(",") if each.strip())
        found["easy_days"] = easy_days(() if given["easy"] == "none" else names)
    return found


def _check_course(documents: "DirectoryDocuments", given: str) -> None:
    """An exam is in a course there is; one that is gone may still be taken out."""
    from paige.study.courses.loading import course_names  # noqa: PLC0415 - see above

    course, _, day = given.partition("=")
    known = course_names(documents)
    if day.strip().lower() not in ("", "none") and course.strip() not in known:
        listed = ", ".join(f"`{name}`" for name in known)
        raise NotFound(f"There is no course `{course.strip()}`", hint=f"There are: {listed}.")


def _exams(exams: dict[str, Any], given: str) -> dict[str, Any]:
    from paige.study.preferences import parse_day  # noqa: PLC0415 - see above

    course, equals, day = given.partition("=")
    if not equals or not course.strip():
        raise BadInput(f"`{given}` names no course", hint="Write it like python-algorithms=DAY.")
    if day.strip().lower() in ("", "none"):
        exams.pop(course.strip(), None)
        return exams
    return {**exams, course.strip(): parse_day(day)}


def _profile_lines(seen: "LearnerView") -> list[str]:
    from paige.study.belonging import class_of  # noqa: PLC0415 - see above
    from paige.study.preferences import WEEKDAYS  # noqa: PLC0415 - see above

    known, wanted = seen.profile, seen.preferences
    found = known.auto_detected
    easy = [day for day, share in zip(WEEKDAYS, wanted.easy_days, strict=True) if share < 1]
    rows = [
        ("session", f"{known.session_duration_minutes} minutes"),
        ("explanations", known.explanation_style.replace("_", " ")),
        ("prefer", ", ".join(known.preferred) or "nothing in particular"),
        ("avoid", ", ".join(known.avoided) or "nothing"),
        ("goes best", found.highest_performance or "not known yet"),
        ("goes worst", found.lowest_performance or "not known yet"),
        ("used most", found.most_engaged or "not known yet"),
        ("retention", f"{wanted.retention:.0%}"),
        ("easy days", ", ".join(easy) or "none"),
        ("time zone", wanted.zone),
        ("class", class_of(known) or "none"),
        *((f"exam {name}", day.isoformat()) for name, day in wanted.exams.items()),
    ]
    return [f"{name:<13} {value}" for name, value in rows]
