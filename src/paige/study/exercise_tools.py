"""What exercises are made and marked with: files, a sandbox, and a model where there is one."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from paige.base.actor import Actor
from paige.base.errors import BadInput, NotFound, Refused
from paige.exercise.values import Marker
from paige.sandbox.terms import RunTerms
from paige.sandbox.values import Isolation
from paige.store.documents import Documents
from paige.study.values import LOCAL

if TYPE_CHECKING:
    from paige.models.calls import Models


@dataclass(frozen=True, slots=True, kw_only=True)
class Speech:
    """How things are said and heard. An empty value means: not here.

    `speaker` is the program that reads out, `endpoint` the address of a service that writes down
    what it hears, as OpenAI's does, up to and without `/audio/transcriptions`.
    """

    speaker: str = ""
    endpoint: str = ""
    model: str = "whisper-1"
    key: str = field(default="", repr=False)
    seconds: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ExerciseTools:
    """Everything that making, giving and marking exercises needs.

    `root` is the folder the documents are in: programs and photos are no documents. Without
    `models`, or when they are local, everything goes by rules.
    """

    documents: Documents
    root: Path
    actor: Actor = field(default_factory=Actor)
    models: "Models | None" = None
    marker: Marker | None = None
    isolation: Isolation | None = None
    terms: RunTerms = field(default_factory=RunTerms)
    speech: Speech = field(default_factory=Speech)
    learner: str = "learner"
    """The folder of learners' files."""
    anywhere: bool = True
    """Whether files outside `root` may be handed in: yes for somebody who sits at this machine."""

    @property
    def asks_a_model(self) -> bool:
        """Whether there is a model to ask."""
        return self.models is not None and self.models.provider.name != LOCAL

    @property
    def mark(self) -> Marker:
        """Who marks short answers."""
        if self.marker is not None:
            return self.marker
        from paige.exercise.marking.marker import mark  # noqa: PLC0415 - loads word vectors

        return mark

    def place(self, path: str) -> Path:
        """Where a file is that somebody names: below the teaching folder, or anywhere.

        Raises: NotFound, BadInput, Refused.
        """
        if not path.strip() or "\0" in path:
            raise BadInput("No file was named", hint="Give the path of your file.")
        given = Path(path).expanduser()
        found = given if given.is_absolute() else self.root / given
        if not self.anywhere and not found.resolve().is_relative_to(self.root.resolve()):
            raise Refused(f"`{path}` is outside the teaching folder", hint="Upload the file.")
        if not found.exists():
            raise NotFound(f"There is no file `{path}`", hint="Check the path and try again.")
        return found
