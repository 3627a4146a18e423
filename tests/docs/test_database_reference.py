"""The tables of the database against the page that lists them."""

import re

from sqlalchemy import Table

from paige.store.migrate import head_revision
from paige.store.tables import METADATA
from tests.docs.pages import page
from tests.store.dump_schema import declare_all_tables

DATABASE = "docs/reference/database.md"
HEADING = re.compile(r"^## (?P<title>\S+)$", re.MULTILINE)
ROW = re.compile(r"^\| (?P<names>`[^|]+`) \|", re.MULTILINE)


def test_every_table_is_listed_with_all_its_columns_and_no_others() -> None:
    declare_all_tables()
    prose = page(DATABASE).prose

    assert {name: _columns(prose, name) for name in METADATA.tables} == {
        name: _declared(table) for name, table in METADATA.tables.items()
    }


def test_no_table_is_listed_that_does_not_exist() -> None:
    declare_all_tables()
    titles = [match["title"] for match in HEADING.finditer(page(DATABASE).prose)]

    assert titles
    assert [title for title in titles if title not in METADATA.tables] == []


def test_the_schema_that_is_described_is_the_newest() -> None:
    assert f"Schema {head_revision()}." in page(DATABASE).prose


def _declared(table: Table) -> list[str]:
    return sorted(column.name for column in table.columns)


def _columns(prose: str, table: str) -> list[str]:
    _, found, rest = prose.partition(f"\n## {table}\n")
    assert found, f"`{table}` has no heading"
    rows = ROW.findall(rest.partition("\n## ")[0])
    return sorted(name for names in rows for name in re.findall(r"`(\w+)`", names))
