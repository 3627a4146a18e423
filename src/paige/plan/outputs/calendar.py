"""A lesson as an entry for a calendar."""

from datetime import datetime, timedelta

from paige.base.errors import BadInput
from paige.plan.lesson import Lesson


def calendar_of(lesson: Lesson, *, slug: str, now: datetime) -> bytes:
    """An `.ics` file with the lesson on its day. Raises: BadInput when it has no date."""
    if lesson.date is None:
        raise BadInput(
            f"The lesson `{lesson.title}` has no date, so it cannot go into a calendar",
            hint="Say `--date 2026-11-20`, or add a line `- Date: 2026-11-20` below the title.",
        )
    from icalendar import Calendar, Event  # noqa: PLC0415 - only this export needs it

    entry = Event()
    entry.add("uid", f"{slug}@paige")
    entry.add("dtstamp", now)
    entry.add("summary", ": ".join(filter(None, (lesson.class_id, lesson.title))))
    entry.add("description", f"{lesson.outcome}\n{lesson.minutes} minutes, {lesson.subject}")
    # Timetables know the hour, a lesson plan does not: the whole day.
    entry.add("dtstart", lesson.date)
    entry.add("dtend", lesson.date + timedelta(days=1))
    calendar = Calendar()
    calendar.add("prodid", "-//Paige//Lessons//EN")
    calendar.add("version", "2.0")
    calendar.add_component(entry)
    return calendar.to_ical()
