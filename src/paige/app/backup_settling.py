"""Memory logs and documents change their form between the engines: files here, tables there.

An embedded installation reads files, so what a backup of PostgreSQL holds in tables is written out
as files too. The other way round the movers of `moving_movers` take files into tables.
"""

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from paige.app.backup_archive import Reading, storable
from paige.app.backup_places import LOG
from paige.app.backup_rows import rows_of
from paige.app.backup_staging import Staging
from paige.app.backup_tables import DOCUMENTS, LOG_TABLES
from paige.app.person_apps import settings_for, settings_of_tenant
from paige.base.actor import LOCAL_TENANT, Actor
from paige.base.errors import BadInput
from paige.base.settings import Settings
from paige.memory.log.table_log import MAIN
from paige.store.dumping import Row

AREA = "workspace"
"""The documents that are a folder here and a table there; courses are always a folder."""


def stage_tables(staging: Staging, settings: Settings, archive: Reading) -> None:
    """Write the logs and documents of tables as the files an embedded installation reads."""
    _stage_logs(staging, settings, archive)
    _stage_documents(staging, settings, archive)


def workspace_of(settings: Settings, actor: Actor) -> Path:
    """The workspace of somebody where it is a folder."""
    return settings_for(settings, actor).workspace


def _stage_logs(staging: Staging, settings: Settings, archive: Reading) -> None:
    rows = _table(archive, LOG_TABLES[0])
    for (tenant, log), lines in groupby(rows, lambda row: (row["tenant"], row["log"])):
        if log == MAIN and not _has_file_log(archive, tenant):
            target = settings_of_tenant(settings, tenant).memory_path
            staging.write(target, (row["line"].encode() + b"\n" for row in lines), 0o600)


def _has_file_log(archive: Reading, tenant: str) -> bool:
    folder = "memory" if tenant == LOCAL_TENANT else f"data/tenants/{tenant}/memory"
    return f"files/{folder}/{LOG}" in archive.manifest.members


def _stage_documents(staging: Staging, settings: Settings, archive: Reading) -> None:
    rows = _table(archive, DOCUMENTS)
    for _, versions in groupby(rows, lambda row: (row["tenant"], row["area"], row["path"])):
        newest = max(versions, key=lambda row: row["number"])
        person, _, area = newest["area"].rpartition("/")
        if newest["deleted"] or area != AREA or person != newest["person"]:
            continue  # shared areas have no folder; their rows stay in the table
        if not storable(newest["path"]):
            raise BadInput(f"`{newest['path']}` is not a path of a document")
        folder = workspace_of(settings, Actor(newest["tenant"], person))
        target = folder / newest["path"]
        if not staging.place(target).exists():  # what was a file stays what it was
            staging.write(target, [newest["text"].encode()], 0o644)


def _table(archive: Reading, name: str) -> Iterator[Row]:
    facts = archive.manifest.tables.get(name)
    return iter(()) if facts is None else rows_of(archive, facts.shape(name))
