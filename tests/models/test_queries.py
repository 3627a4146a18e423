from dataclasses import replace
from datetime import timedelta

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import CheckConstraint

import paige.coach.tables  # noqa: F401 - its dashboard has an index of its own on the table
from paige.base.actor import Actor
from paige.models.log import ApiCall
from paige.models.queries import insert_api_call
from paige.models.tables import API_CALL_LOG
from paige.store.engine import Database
from paige.store.tables import METADATA
from tests.conftest import NOON
from tests.models.logged_calls import api_calls

pytestmark = [pytest.mark.anyio, pytest.mark.db]
ME = Actor()
OTHER = Actor(tenant="other")
ROW = ApiCall(
    id="1",
    session_id="s1",
    call_type="coach_agent",
    model="a",
    input_hash="0" * 16,
    created_at=NOON,
    provider="anthropic",
    latency_ms=100,
    input_tokens=10,
    output_tokens=5,
    cost_estimate=0.25,
)


async def test_the_log_keeps_every_field_and_every_tenant_has_its_own(db: Database) -> None:
    later = replace(ROW, id="2", created_at=NOON + timedelta(seconds=1), session_id=None)
    for row in (ROW, later):
        await db.write(insert_api_call, ME, row)

    assert await db.read(api_calls, ME) == [later, ROW]
    assert await db.read(api_calls, OTHER) == []


def test_the_migration_builds_the_declared_table(db: Database) -> None:
    with db.transaction(write=False) as connection:
        context = MigrationContext.configure(
            connection,
            opts={"compare_type": True, "compare_server_default": True},
        )
        found = compare_metadata(context, METADATA)

    assert [step for step in found if API_CALL_LOG.name in repr(step)] == []
    assert not [item for item in API_CALL_LOG.constraints if isinstance(item, CheckConstraint)]
