"""The tables of this room: worksheets that were handed out, and what came back under each token."""

from sqlalchemy import Column, Index, Integer, Text

from paige.store.tables import tenant_table
from paige.store.types import Json, UtcTime

HANDOUTS = tenant_table(
    "class_handouts",
    Column("id", Text, primary_key=True),
    Column("person", Text, nullable=False),  # the teacher whose class it is
    Column("class_id", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("source", Text, nullable=False),  # the lesson or worksheet it was made from
    Column("worksheet", Text, nullable=False),  # markdown, with its key
    Column("salt", Text, nullable=False),  # for marks that are made from names of files
    Column("created_at", UtcTime, nullable=False),
    Column("closes_at", UtcTime, nullable=False),
    Column("closed_at", UtcTime),
    Column("kept_at", UtcTime),  # when its figures were proposed for the memory of the class
    Index("ix_class_handouts_tenant_person_class_id", "tenant", "person", "class_id"),
    tenant_key=True,
)

# A token stands for nobody: whom a teacher gave it to is written down nowhere.
ANSWERS = tenant_table(
    "class_answers",
    Column("token", Text, primary_key=True),
    Column("handout_id", Text, nullable=False),
    Column("person", Text, nullable=False),  # the teacher, never a pupil
    Column("origin", Text, nullable=False),  # web, file
    Column("answers", Json, nullable=False),  # by question: one text for each blank
    Column("version", Integer, nullable=False),  # 0: nothing was written yet
    Column("updated_at", UtcTime),
    Column("handed_in_at", UtcTime),
    Index("ix_class_answers_tenant_handout_id", "tenant", "handout_id"),
    tenant_key=True,
)
