"""What the Study door tells everyone who watches."""

from typing import ClassVar

from paige.store.messages import Message


class StudyChanged(Message):
    """Something changed for a learner: a session moved on, a result was undone, a file was written.

    `learner` is nothing for the usual one, `course` and `session` when none is concerned.
    """

    topic: ClassVar[str] = "study:changed"
    course: str | None = None
    session: str | None = None
    learner: str | None = None
    step: int | None = None
