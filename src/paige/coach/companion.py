"""What a coding agent is told about the coaching: who it is, where the person stands, what changed.

Texts of people and files are fenced, so that none of them is taken for an instruction.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from paige.base.paths import shipped
from paige.models.prompts import untrusted

PERSONA = "integrations/coach/persona.md"
MOST_DIFF = 12_000
ASLEEP = (
    "Paige can coach here, but no coaching session is active. When the person wants to be "
    "coached on an issue, ask them to start a session in Paige, or with `paige coach start`."
)


@dataclass(frozen=True, slots=True)
class Step:
    """A phase of the plan, as an agent is told of it."""

    number: int
    title: str
    status: str
    description: str = ""
    hint_level: str = "none"
    expected_files: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a person stands: what the session is about, and the phases of its plan."""

    session_id: str
    issue: str
    steps: tuple[Step, ...] = ()

    @property
    def current(self) -> Step | None:
        """The phase somebody works on: the active one, else the first that is not done."""
        active = next((step for step in self.steps if step.status == "active"), None)
        return active or next((step for step in self.steps if step.status != "complete"), None)

    @property
    def is_done(self) -> bool:
        """Whether there is a plan and all of it is done."""
        return bool(self.steps) and all(step.status == "complete" for step in self.steps)


def welcome(standing: Standing | None) -> str:
    """What an agent is told when it starts."""
    if standing is None:
        return ASLEEP
    persona = shipped(PERSONA).read_text(encoding="utf-8").strip()
    return f"{persona}\n\n{whereabouts(standing)}"


def whereabouts(standing: Standing) -> str:
    """Where the person stands, in a few lines."""
    lines = [f"Coaching session `{standing.session_id}`."]
    lines.append(untrusted("issue", standing.issue))
    if not standing.steps:
        lines.append(
            "There is no plan yet. Make one with the person, then hand it over with "
            "`paige_run_coaching_pipeline`."
        )
    elif standing.is_done:
        lines.append(f"All {len(standing.steps)} phases are complete.")
    elif (step := standing.current) is not None:
        lines.append(_phase(step, len(standing.steps)))
    return "\n".join(lines)


def with_prompt(standing: Standing, diffs: Sequence[tuple[str, str]]) -> str:
    """What an agent is told with every prompt: the phase, and what is not saved yet."""
    text = whereabouts(standing)
    if not diffs:
        return f"{text}\nNothing is unsaved in the editor."
    shown = "\n".join(diff for _, diff in diffs)
    if len(shown) > MOST_DIFF:
        shown = f"{shown[:MOST_DIFF]}\n… (cut; `paige_get_diff` shows one file at a time)"
    return f"{text}\nUnsaved changes in the person's editor:\n{untrusted('diff', shown)}"


def _phase(step: Step, count: int) -> str:
    files = ", ".join(f"`{path}`" for path in step.expected_files) or "not named"
    about = untrusted("phase", f"{step.title}\n{step.description}".strip())
    return (
        f"Phase {step.number} of {count} is {step.status}; hints: {step.hint_level}; "
        f"expected files: {files}.\n{about}"
    )
