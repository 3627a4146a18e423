"""What a check of curriculum claims looks at and what it answers."""

from dataclasses import dataclass

from paige.plan.curriculum.values import Grade


@dataclass(frozen=True, slots=True)
class Pointer:
    """A claim as a lesson writes it: `[CODE](FILE#L12-L14) "quoted words" (edition 2017-03)`."""

    code: str
    path: str
    start: int | None  # missing when the lesson gives no lines
    end: int | None
    quote: str
    at_line: int
    edition: str | None = None  # what the lesson says about it, if it says so
    level: str | None = None
    grade: str | None = None

    @property
    def lines(self) -> str:
        """Such as `12-14`; empty when the lesson gives none."""
        return "" if self.start is None else f"{self.start}-{self.end}"


@dataclass(frozen=True, slots=True)
class Checked:
    """A pointer and whether it holds; `reason` is a sentence, empty when it does."""

    pointer: Pointer
    valid: bool
    reason: str = ""
    grade: Grade | None = None
    edition: str = ""

    @property
    def verified(self) -> bool:
        """Whether the row it points at has been checked against a source."""
        return self.grade in ("A", "A-", "B")


@dataclass(frozen=True, slots=True)
class Unpointed:
    """A claim about the curriculum that points at nothing."""

    line: int
    text: str
    reason: str
    code: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """Every claim of a text about the curriculum, checked."""

    pointers: tuple[Checked, ...] = ()
    claims_without_pointer: tuple[Unpointed, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether nothing is claimed that the curriculum files do not bear out."""
        return not self.claims_without_pointer and all(each.valid for each in self.pointers)

    @property
    def faults(self) -> tuple[str, ...]:
        """What is wrong, one sentence each with its line, in the order of the text."""
        wrong = [(each.pointer.at_line, each.reason) for each in self.pointers if not each.valid]
        wrong += [(each.line, each.reason) for each in self.claims_without_pointer]
        return tuple(f"Line {line}: {reason}" for line, reason in sorted(wrong))

    @property
    def unverified(self) -> tuple[Checked, ...]:
        """Pointers that hold, but at rows nobody has checked against a source."""
        return tuple(each for each in self.pointers if each.valid and not each.verified)
