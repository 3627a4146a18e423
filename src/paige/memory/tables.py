"""The tables of this room: memory documents as they are now, who read and wrote them, cursors.

The log is the truth. Documents, the rows of their writes and the cursors are made from it and can
be made again; what was read and what was decided about proposals is kept only here.
"""

from sqlalchemy import CheckConstraint, Column, Index, Text, UniqueConstraint

from paige.store.tables import BigNumber, tenant_table
from paige.store.types import UtcTime

MEMORY_FILES = tenant_table(
    "memory_files",
    Column("id", Text, primary_key=True),  # of the event that made it
    Column("teacher_id", Text, nullable=False),
    Column("scope", Text, nullable=False),
    Column("class_id", Text, nullable=False),  # empty for the teacher's own
    Column("path", Text, nullable=False),
    Column("content", Text, nullable=False),
    Column("version", Text, nullable=False),  # hash of the content
    Column("seq", BigNumber, nullable=False),  # of the last event applied
    Column("written_by", Text, nullable=False),
    Column("created_at", UtcTime, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    CheckConstraint("scope IN ('teacher', 'class')", name="scope"),
    UniqueConstraint("tenant", "teacher_id", "scope", "class_id", "path"),
    Index("ix_memory_files_tenant_teacher_id_class_id", "tenant", "teacher_id", "class_id"),
)

MEMORY_EVENTS = tenant_table(
    "memory_events",
    Column("id", Text, primary_key=True),  # of the event in the log, for a write
    Column("trace_id", Text),
    Column("session_id", Text),
    Column("teacher_id", Text, nullable=False),
    Column("memory_file_id", Text),
    Column("event_type", Text, nullable=False),
    Column("proposed_text", Text),
    Column("final_text", Text),
    Column("scope", Text, nullable=False),
    Column("class_id", Text, nullable=False),
    Column("path", Text, nullable=False),
    Column("version", Text),  # what was read or written; empty for a deletion
    Column("seq", BigNumber),  # where a written text stands in the log
    Column("created_at", UtcTime, nullable=False),
    CheckConstraint(
        "event_type IN ('read', 'write', 'capture_proposed', 'capture_confirmed', "
        "'capture_edited', 'capture_dismissed')",
        name="event_type",
    ),
    Index("ix_memory_events_tenant_trace_id", "tenant", "trace_id"),
    Index("ix_memory_events_tenant_session_id", "tenant", "session_id"),
    Index("ix_memory_events_tenant_teacher_id_path_seq", "tenant", "teacher_id", "path", "seq"),
)

MEMORY_CURSORS = tenant_table(
    "memory_cursors",
    Column("projection", Text, primary_key=True),
    Column("log", Text, nullable=False),  # which log it was made from
    Column("seq", BigNumber, nullable=False),  # everything up to here is in it
    Column("event_id", Text, nullable=False),  # of that event: a power loss may put another there
    tenant_key=True,
)

# Kept beside the file log: one chain of lines for each log of a tenant. On PostgreSQL the table has
# a partition for each month, and triggers let nothing be changed but what is forgotten.
MEMORY_LOG = tenant_table(
    "memory_log",
    Column("log", Text, primary_key=True),
    Column("seq", BigNumber, primary_key=True, autoincrement=False),
    Column("written_at", UtcTime, primary_key=True),  # when it came into the table
    Column("id", Text, nullable=False),
    Column("line", Text, nullable=False),  # exactly as a file would hold it
    Index("ix_memory_log_tenant_log_id", "tenant", "log", "id"),
    tenant_key=True,
)

MEMORY_LOG_HEADS = tenant_table(
    "memory_log_heads",
    Column("log", Text, primary_key=True),
    Column("seq", BigNumber, nullable=False),  # of the last line
    Column("hash", Text, nullable=False),
    tenant_key=True,
)
