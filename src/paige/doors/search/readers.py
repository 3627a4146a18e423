"""The one search as somebody else would have it, for the person who looks after the installation.

`anna` is a person: with accounts their own desk is searched, by the rights of their roles. An agent
or a role (`agent:coder-1`, `role:researcher`) reads memories and nothing else.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from anyio.to_thread import run_sync

from paige.app.application import App
from paige.app.people import checked_tenant, get_person
from paige.app.person_apps import PersonApps, is_owner
from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.errors import Refused
from paige.doors.search.finder import Finder
from paige.doors.search.sources import open_finder, open_finder_of_person, open_finder_of_reader
from paige.memory.access import read_reader


@asynccontextmanager
async def reading_as(
    app: App, named: str | None, *, tenant: str = LOCAL_TENANT
) -> AsyncIterator[Finder]:
    """The search as a reader has it; nobody named is whoever runs this. Raises: NotFound, BadInput.

    Raises Refused for another tenant where there are no accounts.
    """
    if tenant != LOCAL_TENANT and not app.settings.many:
        raise Refused(
            f"There is no tenant `{tenant}` here",
            hint="Tenants need accounts: `PAIGE_ACCOUNTS=on`.",
        )
    desks = PersonApps(app)
    try:
        yield await _finder(app, desks, named, tenant)
    finally:
        await run_sync(desks.close)


async def _finder(app: App, desks: PersonApps, named: str | None, tenant: str) -> Finder:
    if named is None:
        return open_finder(app, at_machine=True)
    reader = read_reader(named)
    if reader.person is None:
        return open_finder_of_reader(app, reader)
    if app.settings.many:
        keeper = Actor(checked_tenant(tenant), app.actor.person, frozenset({"admin"}))
        person = await get_person(app, keeper, reader.person)
        return open_finder(desks.of(person.actor))
    other = replace(app, actor=Actor(person=reader.person))
    return open_finder(app) if is_owner(other.actor) else open_finder_of_person(other)
