"""How far somebody is, in numbers and in plots of plain text."""

from datetime import date, timedelta
from pathlib import Path

import pytest

from paige.doors.study.cli_progress import (
    calendar_plot,
    dump_report,
    forecast_plot,
    mastery_plot,
    modality_plot,
    retention_plot,
)
from paige.learner.files import LearnerFiles
from paige.learner.review_plan import ForecastDay
from paige.store.documents import DirectoryDocuments
from paige.study.report import StudyReport, course_report
from tests.conftest import NOON
from tests.learner.making import done
from tests.study.small_course import MALAY, write_malay


@pytest.fixture
def made(tmp_path: Path) -> StudyReport:
    """Greetings known on three days and forgotten once, food begun."""
    write_malay(tmp_path)
    documents = DirectoryDocuments(tmp_path)
    files = LearnerFiles(documents)
    for number, (concept, day, rating) in enumerate(
        [
            ("greetings", 0, 3),
            ("greetings", 3, 3),
            ("greetings", 3.1, 3),
            ("greetings", 14, 1),
            ("greetings", 14.1, 3),
            ("greetings", 20, 3),
            ("food", 20, 1),
        ]
    ):
        result = done(
            rating,  # type: ignore[arg-type]
            day=day,
            concept=concept,
            correct=10 if rating > 1 else 2,
            time_spent_seconds=120.0,
        )
        files.record(MALAY, result, session=f"s{number}", change_id=f"c{number}", now=NOON)
    now = NOON + timedelta(days=21)
    return course_report(documents, now, name=MALAY, learner=None)


def test_retention_is_measured_where_something_known_was_asked_after_a_day(
    made: StudyReport,
) -> None:
    # Day 3 and 14 and 20; what was asked twice on one day says nothing about memory.
    assert made.retention.reviews == 3
    assert made.retention.measured == pytest.approx(2 / 3, abs=1e-3)
    assert made.retention.planned == 0.9


def test_every_concept_is_there_with_its_place(made: StudyReport) -> None:
    by_name = {each.id: each for each in made.concepts}
    assert list(by_name) == ["greetings", "numbers", "food", "prefix-ber", "prefix-me", "letters"]
    assert by_name["greetings"].status == "review"
    assert by_name["greetings"].attempts == 6
    assert by_name["food"].status == "learning"
    assert by_name["numbers"].ready
    assert not by_name["letters"].ready
    assert made.due == ("food",)
    assert (made.counts["new"], made.counts["learning"], made.counts["review"]) == (4, 1, 1)


def test_memory_fades_when_nothing_is_reviewed(made: StudyReport) -> None:
    shares = [each.share for each in made.recall]
    assert len(shares) == 31
    assert shares == sorted(shares, reverse=True)
    assert made.recall[0].day == made.today == date(2026, 3, 23)


def test_days_and_minutes_are_counted(made: StudyReport) -> None:
    done = {each.day: each for each in made.calendar}
    assert done[date(2026, 3, 2)].exercises == 1
    assert done[date(2026, 3, 5)].exercises == 2
    assert done[date(2026, 3, 22)].minutes == 4.0


def test_a_report_is_json(made: StudyReport) -> None:
    dumped = dump_report(made)
    assert dumped["counts"] == {
        "new": 4, "learning": 1, "review": 1, "mastered": 0, "relearning": 0
    }  # fmt: skip
    assert dumped["today"] == "2026-03-23"


def test_plots_are_plain_text_that_fits(made: StudyReport) -> None:
    plots = [
        *retention_plot(made.recall, 0.9),
        *forecast_plot(made.forecast),
        *calendar_plot(made.calendar, made.today),
        *mastery_plot(made.concepts, made.today),
        *modality_plot(made),
    ]
    assert all(line.isascii() and len(line) <= 80 for line in plots)
    assert all(line == line.rstrip() for line in plots)


def test_the_retention_plot_has_a_point_for_every_day(made: StudyReport) -> None:
    lines = retention_plot(made.recall, 0.9)
    columns = range(7, 7 + len(made.recall))
    for column in columns:
        assert any(line[column : column + 1] == "*" for line in lines[:-3])
    assert lines[0].startswith(" 100%")
    assert retention_plot((), 0.9) == ["Nothing was learned yet, so nothing can be forgotten."]


def test_the_calendar_has_a_row_for_every_weekday(made: StudyReport) -> None:
    lines = calendar_plot(made.calendar, made.today)
    assert [line[:3] for line in lines[1:8]] == ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    monday, thursday = lines[1][5:], lines[4][5:]
    assert monday[-1] == "."  # today, nothing yet
    assert thursday[::2][-2] == "."  # of last week
    assert thursday[::2][8] == "#"  # the busiest day is darkest
    assert monday[::2][8] == "+"
    assert lines[0].strip().startswith("Jan")


def test_the_forecast_says_how_many_and_draws_them() -> None:
    days = [ForecastDay(date(2026, 3, 2) + timedelta(days=at), at, at) for at in range(4)]
    lines = forecast_plot(days)
    assert lines[0] == "Mon 02 Mar    0"
    assert lines[3].endswith("  3  " + "#" * 20)
    assert forecast_plot(days[:1]) == ["Nothing is due on the days to come."]
