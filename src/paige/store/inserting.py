"""Adding rows where it happens all the time: with every turn of a loop, with every model call."""

from sqlalchemy import Connection, TextClause


def insert_rows(
    connection: Connection, statement: TextClause, rows: list[dict[str, object]]
) -> None:
    """Run an `INSERT` with named parameters for every row; values are what the driver takes."""
    if not rows:
        return
    if connection.dialect.name == "sqlite":
        # Its driver reads `:name` itself: translating every row would cost as much as storing it.
        connection.exec_driver_sql(statement.text, rows)
    else:
        connection.execute(statement, rows)
