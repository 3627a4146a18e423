"""What is opened for people: once for each, closed when idle, and never after the end."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace

import anyio
import pytest

from paige.app.application import App, open_app
from paige.app.openings import IDLE_SECONDS, Openings
from paige.base.actor import Actor
from paige.base.errors import NotFound, Unavailable
from paige.base.settings import Settings

pytestmark = pytest.mark.anyio
ANNA, BEN = Actor(person="anna"), Actor(person="ben")


@dataclass(eq=False)
class Opened:
    """Something that was opened, and whether work goes on in it."""

    person: str
    busy: bool = False
    closed: bool = False


@asynccontextmanager
async def opens(app: App) -> AsyncIterator[Opened]:
    made = Opened(app.actor.person)
    await anyio.lowlevel.checkpoint()
    try:
        yield made
    finally:
        made.closed = True


@pytest.fixture
def app(db_settings: Settings) -> Iterator[App]:
    with open_app(db_settings, strict=False) as opened:
        yield opened


@pytest.fixture
def anna(app: App) -> App:
    return replace(app, actor=ANNA)


async def test_a_person_has_one_of_each_kind(app: App, anna: App) -> None:
    async with Openings().running() as openings:
        first = await openings.open(anna, "study", opens)

        assert await openings.open(anna, "study", opens) is first
        assert await openings.open(app, "study", opens) is not first
        assert await openings.open(anna, "plan", opens) is not first
        roles = replace(anna, actor=replace(ANNA, roles=frozenset({"teacher"})))
        assert await openings.open(roles, "study", opens) is first


async def test_who_comes_while_it_opens_waits_for_the_same(anna: App) -> None:
    found: list[Opened] = []
    async with Openings().running() as openings:

        async def come() -> None:
            found.append(await openings.open(anna, "study", opens))

        async with anyio.create_task_group() as tasks:
            for _ in range(5):
                tasks.start_soon(come)

    assert len(found) == 5
    assert len(set(map(id, found))) == 1


async def test_what_nobody_used_for_long_is_closed_unless_work_goes_on(app: App, anna: App) -> None:
    now = [0.0]
    async with Openings(monotonic=lambda: now[0]).running() as openings:
        idle = await openings.open(anna, "study", opens)
        busy = await openings.open(app, "study", opens)
        busy.busy = True
        now[0] = IDLE_SECONDS

        openings.close_idle()
        await anyio.wait_all_tasks_blocked()

        assert (idle.closed, busy.closed) == (True, False)
        assert await openings.open(anna, "study", opens) is not idle
    assert busy.closed


async def test_when_too_many_are_open_somebody_new_is_told_so(
    app: App, anna: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paige.app.openings.MAX_OPEN", 2)
    now = [0.0]
    async with Openings(monotonic=lambda: now[0]).running() as openings:
        await openings.open(anna, "study", opens)
        await openings.open(app, "study", opens)
        other = replace(app, actor=BEN)
        with pytest.raises(Unavailable, match="already"):
            await openings.open(other, "study", opens)
        now[0] = IDLE_SECONDS
        assert (await openings.open(other, "study", opens)).person == "ben"


async def test_what_cannot_be_opened_says_why_and_may_be_tried_again(anna: App) -> None:
    tries: list[int] = []

    @asynccontextmanager
    async def fails_once(app: App) -> AsyncIterator[str]:
        tries.append(1)
        if len(tries) == 1:
            raise NotFound("There is no workspace")
        yield "open"

    async with Openings().running() as openings:
        with pytest.raises(NotFound, match="no workspace"):
            await openings.open(anna, "plan", fails_once)
        assert await openings.open(anna, "plan", fails_once) == "open"


async def test_nothing_is_opened_after_the_end(anna: App) -> None:
    async with Openings().running() as openings:
        opened = await openings.open(anna, "study", opens)

    assert opened.closed
    with pytest.raises(Unavailable, match="stopping"):
        await openings.open(anna, "study", opens)
