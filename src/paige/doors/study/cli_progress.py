"""`paige study due`, `progress`, `profile` and `fit`: what waits, how far, how you like it."""

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, TypedDict, Unpack

import click

from paige.base.errors import BadInput
from paige.doors.frame.cli import calling, dump, run, show
from paige.doors.frame.console import process_console
from paige.doors.study.cli import AT, COURSE, JSON, LEARNER, moment

if TYPE_CHECKING:
    from paige.doors.study.values import CourseReports
    from paige.learner.profile import Profile
    from paige.learner.review_plan import ForecastDay
    from paige.study.report import ConceptReport, StudyDay, StudyRecall, StudyReport
    from paige.study.session.context import LearnerView
    from paige.study.settings import FitResult, StudyProfile

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_SHADES = " .:+*#"
_BAR = 20
_LONGEST_TITLE = 28
OPERATIONS = "paige.doors.study.operations"


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
    found = _reports(course, learner, at)
    show(found, _due_lines, as_json=as_json, remarks=_none_begun, record=_due)


@click.command()
@COURSE
@LEARNER
@AT
@JSON
def progress(course: str | None, learner: str | None, at: str | None, *, as_json: bool) -> None:
    """Show how far you are: mastery, memory now and later, days, errors."""
    found = _reports(course, learner, at)
    show(found, _all_lines, as_json=as_json, remarks=_none_begun, record=_dumped)


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
    who = {"learner": learner}
    with calling() as call:
        seen: StudyProfile = call(f"{OPERATIONS}:profile", who)
        if any(value not in (None, ()) for value in given.values()):
            change = _change(seen.view.profile, given)
            seen = call(f"{OPERATIONS}:change_profile", {**who, **change})
    for problem in seen.view.problems:
        raise problem.error()
    show(seen, lambda each: _profile_lines(each.view), as_json=as_json, record=_file)


@click.command()
@LEARNER
@click.option("--reset", is_flag=True, help="Go back to the usual curve.")
@JSON
def fit(learner: str | None, *, reset: bool, as_json: bool) -> None:
    """Fit the forgetting curve to what you remembered, if that predicts better."""
    done: FitResult | None = run(f"{OPERATIONS}:fit", {"learner": learner, "reset": reset})
    if done is None:
        process_console().say("Reviews follow the usual curve again.")
        return
    show(done, _fit_lines, as_json=as_json, record=_fit_record)


def _reports(course: str | None, learner: str | None, at: str | None) -> "CourseReports":
    """The reports of a course, or of all that were begun; problems are told on the way."""
    asked = {"course": course, "learner": learner}
    found: CourseReports = run(f"{OPERATIONS}:reports", asked, now=lambda: moment(at))
    for problem in found.problems:
        process_console().say(str(problem))
    return found


def _due(found: "CourseReports") -> list[dict[str, object]]:
    return [
        {
            "course": each.course,
            "title": each.title,
            "due": list(each.due),
            "next_new": list(each.next_new),
            "forecast": [
                {"day": day.day.isoformat(), "due": day.due, "expected": day.expected}
                for day in each.forecast[:14]
            ],
        }
        for each in found.reports
    ]


def _dumped(found: "CourseReports") -> list[dict[str, object]]:
    return [dump_report(each) for each in found.reports]


def dump_report(made: "StudyReport") -> dict[str, object]:
    """A report as programs at the terminal have it."""
    plain = dump(made)
    same = ("course", "title", "concepts", "counts", "due", "next_new", "retention", "recall")
    days = plain["calendar"]
    return {
        **{name: plain[name] for name in (*same, "forecast")},
        "calendar": {each["day"]: each["exercises"] for each in days},
        "minutes": {each["day"]: each["minutes"] for each in days if each["minutes"]},
        "modalities": plain["modalities"],
        "errors": [{"type": each["type"], "count": each["count"]} for each in plain["errors"]],
        "today": plain["today"],
    }


def _due_lines(found: "CourseReports") -> Iterator[str]:
    for each in found.reports:
        titles = {concept.id: concept.title for concept in each.concepts}
        yield f"{each.title}: {len(each.due)} due"
        for name in each.due:
            yield f"  {titles[name]}"
        if not each.due and each.next_new:
            yield f"  can be begun: {titles[each.next_new[0]]}"


def _all_lines(found: "CourseReports") -> Iterator[str]:
    for each in found.reports:
        yield from _lines(each)


def _none_begun(found: "CourseReports") -> Iterator[str]:
    if not found.reports:
        yield "No course was begun yet. `paige study courses` lists them."


def _lines(each: "StudyReport") -> list[str]:
    kept = each.retention
    measured = "" if kept.measured is None else f", measured {kept.measured:.0%} of {kept.reviews}"
    lines = [each.title, "=" * len(each.title), ""]
    lines += [
        f"{each.counts['mastered']} mastered, {each.counts['review']} known, "
        f"{each.counts['learning'] + each.counts['relearning']} being learned, "
        f"{each.counts['new']} to come; {len(each.due)} due now",
        "",
        *mastery_plot(each.concepts, each.today),
        "",
        f"What you would remember (planned {kept.planned:.0%}{measured})",
        *retention_plot(each.recall, kept.planned),
        "",
        "Due on the days to come",
        *forecast_plot(each.forecast),
        "",
        "Exercises by day",
        *calendar_plot(each.calendar, each.today),
    ]
    if each.modalities:
        lines += ["", "By kind of exercise", *modality_plot(each)]
    if each.errors:
        lines += ["", "Errors that came up"]
        lines += [f"  {one.type.replace('_', ' ')}: {one.count}" for one in each.errors[:8]]
    return [*lines, ""]


def _change(known: "Profile", given: ProfileFlags) -> dict[str, Any]:
    """What the options change, as the operation takes it. Raises: BadInput."""
    from paige.exercise.values import modality  # noqa: PLC0415 - not needed for `--help`
    from paige.study.preferences import easy_days  # noqa: PLC0415 - as above

    more = [modality(each) for each in given["prefer"]]
    none = [modality(each) for each in given["avoid"]]
    gone = {*more, *none, *(modality(each) for each in given["neutral"])}
    easy = given["easy"]
    names = tuple(each for each in (easy or "").split(",") if each.strip())
    return {
        "session_minutes": given["minutes"],
        "explanation_style": given["style"],
        "preferred": (*(each for each in known.preferred if each not in gone), *more),
        "avoided": (*(each for each in known.avoided if each not in gone), *none),
        "retention": given["retention"],
        "easy_days": None if easy is None else easy_days(() if easy == "none" else names),
        "balance": given["balance"],
        "zone": given["zone"],
        "class_id": given["class_id"],
        "exams": None if given["exam"] is None else _exam(given["exam"]),
    }


def _exam(given: str) -> dict[str, Any]:
    from paige.study.preferences import parse_day  # noqa: PLC0415 - as above

    course, equals, day = given.partition("=")
    if not equals or not course.strip():
        raise BadInput(f"`{given}` names no course", hint="Write it like python-algorithms=DAY.")
    gone = day.strip().lower() in ("", "none")
    return {course.strip(): None if gone else parse_day(day)}


def _file(seen: "StudyProfile") -> dict[str, object]:
    from paige.learner.profile import dump_profile  # noqa: PLC0415 - as above

    return dump_profile(seen.view.profile)


def _profile_lines(seen: "LearnerView") -> list[str]:
    from paige.study.preferences import WEEKDAYS, class_of  # noqa: PLC0415 - as above

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


def _fit_record(done: "FitResult") -> dict[str, Any]:
    fit = done.fit
    return {
        "adopted": fit.adopted,
        "reason": fit.reason,
        "reviews": fit.reviews,
        "log_loss_before": fit.log_loss_before,
        "log_loss_after": fit.log_loss_after,
        "parameters": list(fit.parameters),
    }


def _fit_lines(done: "FitResult") -> list[str]:
    fit = done.fit
    if fit.adopted:
        return [
            f"Your reviews follow a curve of your own now. {fit.reason}, in {fit.reviews} reviews."
        ]
    kept = "your own curve stays" if done.own_before else "the usual curve stays"
    return [f"{fit.reason}: {kept}."]


def retention_plot(recall: Sequence["StudyRecall"], planned: float) -> list[str]:
    """What would be remembered on the days to come; the planned share is a dotted line."""
    if not recall:
        return ["Nothing was learned yet, so nothing can be forgotten."]
    low = min(0.5, *(each.share for each in recall))
    rows = [round(1.0 - step * 0.1, 1) for step in range(round((1.0 - low) * 10 + 0.49) + 1)]
    lines: list[str] = []
    for row in rows:
        signs = (_point(each.share, row, planned) for each in recall)
        lines.append(f"{row:>5.0%} |{''.join(signs)}".rstrip())
    lines.append(f"      +{'-' * len(recall)}")
    first, last = recall[0].day, recall[-1].day
    gap = max(len(recall) - 12, 1)
    lines.append(f"       {first:%d %b}{' ' * gap}{last:%d %b}")
    lines.append(f"       * remembered if nothing is reviewed, . planned ({planned:.0%})")
    return lines


def _point(share: float, row: float, planned: float) -> str:
    if abs(share - row) <= 0.05:
        return "*"
    return "." if abs(planned - row) < 0.05 else " "


def forecast_plot(forecast: Sequence["ForecastDay"], days: int = 14) -> list[str]:
    """How much is due on the days to come, a bar each."""
    shown = forecast[:days]
    most = max((each.expected for each in shown), default=0)
    if not most:
        return ["Nothing is due on the days to come."]
    lines: list[str] = []
    for each in shown:
        length = round(each.expected / most * _BAR) if each.expected else 0
        bar = "#" * max(length, 1 if each.expected else 0)
        lines.append(f"{each.day:%a %d %b}  {each.expected:>3}  {bar}".rstrip())
    return lines


def calendar_plot(days_done: Sequence["StudyDay"], today: date, weeks: int = 12) -> list[str]:
    """The exercises of the last weeks: a column a week, a row a weekday."""
    calendar = {each.day: each.exercises for each in days_done}
    monday = today - timedelta(days=today.weekday() + 7 * (weeks - 1))
    most = max((count for day, count in calendar.items() if monday <= day <= today), default=0)
    lines = [f"     {_months(monday, weeks)}".rstrip()]
    for weekday, name in enumerate(_WEEKDAYS):
        days = (monday + timedelta(days=7 * week + weekday) for week in range(weeks))
        cells = "".join(_shade(calendar.get(day, 0), most, day <= today) for day in days)
        lines.append(f"{name}  {cells}".rstrip())
    lines.append(f"     none . , then {_SHADES[2:]} up to {most} a day")
    return lines


def _months(monday: date, weeks: int) -> str:
    """The name of a month above the week in which it begins, where there is room."""
    signs = [" "] * (2 * weeks + 4)
    for week in range(weeks):
        first = monday + timedelta(days=7 * week)
        if week == 0 or first.day <= 7:
            place = 2 * week
            if all(sign == " " for sign in signs[max(place - 1, 0) : place + 3]):
                signs[place : place + 3] = f"{first:%b}"
    return "".join(signs)


def _shade(count: int, most: int, past: bool) -> str:
    if not past:
        return "  "
    if not count:
        return ". "
    steps = len(_SHADES) - 2
    level = -(-count * steps // max(most, 1))  # rounded up, so that the busiest day is darkest
    return f"{_SHADES[1 + min(level, steps)]} "


def mastery_plot(concepts: Sequence["ConceptReport"], today: date) -> list[str]:
    """Every concept with a bar for its mastery, by unit."""
    width = max((min(len(each.title), _LONGEST_TITLE) for each in concepts), default=0)
    lines: list[str] = []
    unit = None
    for each in concepts:
        if each.unit and each.unit != unit:
            lines.append(each.unit)
        unit = each.unit
        filled = round(each.mastery * _BAR)
        bar = "#" * filled + "." * (_BAR - filled)
        title = each.title if len(each.title) <= width else f"{each.title[: width - 3]}..."
        lines.append(
            f"  {title:<{width}}  [{bar}]  {each.status:<10} {_when(each, today)}".rstrip()
        )
    return lines


def _when(each: "ConceptReport", today: date) -> str:
    if each.due is None:
        return "can be begun" if each.ready else ""
    days = (each.due.date() - today).days
    if days <= 0:
        return "due"
    return f"due in {days} day{'s' if days > 1 else ''}"


def modality_plot(made: "StudyReport") -> list[str]:
    """How it went by kind of exercise."""
    lines: list[str] = []
    for each in made.modalities:
        filled = round(each.average * _BAR)
        bar = "#" * filled + "." * (_BAR - filled)
        name = each.modality.replace("_", " ")
        lines.append(f"  {name:<13}  [{bar}]  {each.average:>4.0%} of {each.attempts}")
    return lines
