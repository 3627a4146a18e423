"""A person for each task, and a browser for each file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tasks.people import House, Person
from tests.web.conftest import browser, context, page, problems

__all__ = ["browser", "context", "me", "newcomer", "page", "problems"]


@pytest.fixture
def newcomer(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Person]:
    """Somebody whose home is empty."""
    home = tmp_path / "home"
    home.mkdir()
    person = Person(home, home)
    yield person
    request.node.user_properties.append(("steps", person.steps))


@pytest.fixture
def me(house: House, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Person]:
    """Somebody at home in the house of this file; their files lie in a folder of their own."""
    person = Person(house.home, tmp_path)
    yield person
    request.node.user_properties.append(("steps", person.steps))
