"""Words that stand together and may be one name, with what speaks for and against them."""

from dataclasses import dataclass, field


@dataclass(slots=True)
class Run:
    """Words that stand together and may be one name: `tokens[first:last]`."""

    first: int
    last: int
    score: float
    reasons: list[tuple[float, str]] = field(default_factory=list)

    def add(self, worth: float, reason: str) -> None:
        """Count something for or against this name."""
        self.score += worth
        self.reasons.append((worth, reason))

    @property
    def reason(self) -> str:
        """The two strongest reasons."""
        told = sorted((each for each in self.reasons if each[0] > 0), key=lambda each: -each[0])
        return ", ".join(reason for _, reason in told[:2])
