"""The list of tasks in the documentation is the one of the tests, and all of them passed."""

from collections import Counter

from tests.tasks.listing import PAGE, all_tasks, rows_of
from tests.tasks.people import slug


def test_there_are_ten_tasks_for_each_door_and_every_way_is_gone() -> None:
    tasks = all_tasks()

    assert Counter(each.door for each in tasks) == dict.fromkeys(
        ("Plan", "Study", "Coach", "Guard"), 10
    )
    ways = Counter(each.task.way for each in tasks)
    assert set(ways) == {"terminal", "browser", "MCP client", "coding CLI"}
    assert min(ways.values()) >= 4


def test_a_test_is_called_as_what_somebody_wants() -> None:
    assert [each.test for each in all_tasks()] == [
        f"test_{slug(each.task.goal)}" for each in all_tasks()
    ]


def test_the_page_lists_the_tasks_of_the_tests() -> None:
    tasks = [(each.task.goal, each.task.way, each.task.proof) for each in all_tasks()]

    listed = [tuple(row[:3]) for row in rows_of(PAGE)]
    assert listed == tasks, "Run `python -m tests.tasks.report`."


def test_the_page_says_that_every_task_passed_and_took_steps() -> None:
    rows = rows_of(PAGE)

    assert {row[-1] for row in rows} == {"passed"}
    assert min(int(row[3]) for row in rows) >= 2
