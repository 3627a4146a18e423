"""Row-level security of PostgreSQL as statements: what a migration runs for a table of tenants.

`FORCE` binds the owner of the table too; only superusers and roles with `BYPASSRLS` are not bound,
which `paige doctor` tells. Settings are read in a subquery, so once for a statement and not once
for a row.
"""

TENANT = "(SELECT current_setting('paige.tenant', true))"
PERSON = "(SELECT current_setting('paige.person', true))"
SEES = "(SELECT current_setting('paige.sees', true))"
POLICY = "of_whoever_acts"
LATEST_EVENT = "paige_latest_event"


def secured(table: str, person: str | None = None) -> tuple[str, ...]:
    """The statements for a table; `person` is the column that says whose a row is, if one does.

    A row without a person belongs to everyone of its tenant.
    """
    own = f"tenant = {TENANT}"
    if person is not None:
        own += f" AND ({person} IS NULL OR {person} = {PERSON} OR {SEES} = 'tenant')"
    return (
        f"ALTER TABLE {table} ENABLE ROW LEVEL SECURITY",
        f"ALTER TABLE {table} FORCE ROW LEVEL SECURITY",
        f"CREATE POLICY {POLICY} ON {table} USING ({SEES} = 'all' OR ({own}))",
    )


def latest_event_function() -> str:
    """A function for the number of the newest event of all tenants, which says nothing else.

    Numbers of events are common to all tenants, and whoever adds one sees only their own.
    """
    # Not with `SET` in its head: to name a setting there, its owner would have to be a superuser.
    return """
CREATE OR REPLACE FUNCTION paige_latest_event() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    saw text := current_setting('paige.sees', true);
    latest bigint;
BEGIN
    PERFORM set_config('paige.sees', 'all', true);
    SELECT coalesce(max(seq), 0) INTO latest FROM events;
    PERFORM set_config('paige.sees', coalesce(saw, ''), true);
    RETURN latest;
END $$
"""
