"""What one server commits wakes the others, in order and once, also across a restart."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from anyio.streams.memory import MemoryObjectReceiveStream
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import Connection, text

from paige.base.actor import Actor
from paige.base.settings import Settings
from paige.store.bus import Bus
from paige.store.engine import Database, open_database
from paige.store.ephemeral import Assembly, EphemeralMessage, parts_of
from paige.store.queries import StoredEvent, append_event, count_servers
from tests.conftest import NOON, TEMPLATE
from tests.many_servers.cluster import Cluster, cluster
from tests.postgres import temp_database

ME = Actor()
NEVER = 3600.0  # the bus then hears only what it is told


@pytest.fixture
def pair(postgres_server: str, tmp_path: Path) -> Iterator[tuple[Database, Database]]:
    """Two servers' handles of one PostgreSQL."""
    with temp_database(postgres_server, template=TEMPLATE) as url:
        settings = Settings(cwd=tmp_path, given_data_dir=tmp_path, database_url=url)
        with closing(open_database(settings)) as one, closing(open_database(settings)) as other:
            yield one, other


@pytest.fixture
def own_cluster() -> Iterator[Cluster]:
    """A PostgreSQL that may be restarted."""
    with cluster() as found:
        yield found


def add(connection: Connection) -> int:
    return append_event(connection, ME, "test", {}, now=NOON)


async def numbers(stream: MemoryObjectReceiveStream[StoredEvent], count: int) -> list[int]:
    with anyio.fail_after(30):
        return [(await stream.receive()).seq for _ in range(count)]


async def connected(bus: Bus) -> None:
    """Wait until PostgreSQL tells the bus of everything."""
    with anyio.fail_after(30):
        while not bus.is_told:  # noqa: ASYNC110 - nothing else waits for it
            await anyio.sleep(0.01)


@pytest.mark.anyio
async def test_every_server_hears_what_any_of_them_commits_without_looking(
    pair: tuple[Database, Database],
) -> None:
    one, other = pair
    async with (
        Bus(one, look_seconds=NEVER).running() as here,
        Bus(other, look_seconds=NEVER).running() as there,
    ):
        await connected(here)
        await connected(there)
        with here.subscribe(100) as mine, there.subscribe(100) as theirs:
            async with anyio.create_task_group() as tasks:
                for _ in range(10):
                    tasks.start_soon(one.write, add)
                    tasks.start_soon(other.write, add)
            assert await numbers(mine, 20) == list(range(1, 21))
            assert await numbers(theirs, 20) == list(range(1, 21))


@pytest.mark.anyio
async def test_nothing_is_lost_or_told_twice_when_postgresql_restarts(
    own_cluster: Cluster, tmp_path: Path
) -> None:
    with own_cluster.opened(tmp_path) as one, own_cluster.opened(tmp_path) as other:
        async with Bus(one).running() as bus:
            await connected(bus)
            with bus.subscribe(100) as stream:
                await other.write(add)
                assert await numbers(stream, 1) == [1]
                for mode in ("fast", "immediate"):
                    await anyio.to_thread.run_sync(own_cluster.restart, mode)
                    await other.write(add)
                assert await numbers(stream, 2) == [2, 3]
                await connected(bus)
                await other.write(add)
                assert await numbers(stream, 1) == [4]
                assert stream.statistics().current_buffer_used == 0


@pytest.mark.anyio
async def test_servers_see_each_other_come_and_go(pair: tuple[Database, Database]) -> None:
    one, other = pair
    async with Bus(one).running() as here:
        await connected(here)
        assert await one.system.read(count_servers) == 1
        assert not here.passing.wanted
        async with Bus(other).running() as there:
            await connected(there)
            assert await one.system.read(count_servers) == 2
    with anyio.fail_after(30):  # PostgreSQL lets go of a closed connection in its own time
        while await one.system.read(count_servers):  # noqa: ASYNC110 - nobody tells of it
            await anyio.sleep(0.01)


@pytest.mark.anyio
async def test_what_passes_by_at_one_server_is_heard_at_the_other_and_not_at_its_own(
    pair: tuple[Database, Database],
) -> None:
    one, other = pair
    long = {"text": "ü" * 20_000}  # far more than one notification holds
    heard: list[EphemeralMessage] = []
    own: list[EphemeralMessage] = []
    arrived = anyio.Event()

    def take(passed: EphemeralMessage) -> None:
        heard.append(passed)
        if len(heard) == 2:
            arrived.set()

    async with Bus(one).running() as here, Bus(other).running() as there:
        await connected(here)
        await connected(there)
        here.passing.wanted = True
        here.passing.heard = own.append
        there.passing.heard = take
        here.passing.send(EphemeralMessage("a", long, ME))
        here.passing.send(EphemeralMessage("b", {"n": 1}, Actor("school", "ana")))
        with anyio.fail_after(30):
            await arrived.wait()
    assert heard == [
        EphemeralMessage("a", long, ME),
        EphemeralMessage("b", {"n": 1}, Actor("school", "ana")),
    ]
    assert own == []


def test_postgresql_does_not_wait_for_hours_for_a_server_that_is_cut_off(
    pair: tuple[Database, Database],
) -> None:
    """Its transaction would keep the lock that orders events."""
    with pair[0].transaction(write=True) as connection:
        waits = connection.execute(text("SHOW idle_in_transaction_session_timeout")).scalar()
    assert waits == "30s"


MESSAGES = st.builds(
    EphemeralMessage,
    st.sampled_from(["plan:delta", "plan:step"]),
    st.dictionaries(st.text(max_size=5), st.text(max_size=9000), max_size=3),
    st.builds(Actor, st.sampled_from(["local", "school"]), st.sampled_from(["me", "ana"])),
)


@given(messages=st.lists(MESSAGES, max_size=4), order=st.randoms(use_true_random=False))
def test_parts_in_any_order_make_the_messages_again(
    messages: list[EphemeralMessage], order
) -> None:
    said = [part for n, each in enumerate(messages) for part in parts_of("other", n, each)]
    assert all(len(part.encode()) < 8000 for part in said)
    order.shuffle(said)
    assembly = Assembly()
    heard = [passed for part in said if (passed := assembly.take(part, own="me"))]
    key = str
    assert sorted(heard, key=key) == sorted(messages, key=key)


@given(said=st.text(max_size=100) | st.from_regex(r"a \d+ \d+ \d+ [A-Za-z0-9+/=]*", fullmatch=True))
def test_whatever_is_said_on_the_channel_breaks_nothing(said: str) -> None:
    assembly = Assembly()
    for _ in range(3):
        assembly.take(said, own="me")
