"""Shapes of what a class gets wrong; there is no place in them for a learner."""

from datetime import datetime

from paige.server.wire import Wire


class ClassMisconception(Wire):
    """What at least five learners of a class get wrong, in general words, and what helps."""

    concept: str
    title: str
    course: str
    kind: str
    idea: str
    example: str
    helps: list[str]
    learners: int
    since: datetime | None


class ClassMisconceptions(Wire):
    """Everything that enough learners of a class get wrong, the most frequent first."""

    class_id: str
    fewest: int
    misconceptions: list[ClassMisconception]


OUT = (ClassMisconceptions,)
