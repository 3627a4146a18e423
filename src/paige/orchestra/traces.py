"""What the orchestra leaves in the context graph besides reflections: attempts, and their end."""

from dataclasses import dataclass

from paige.guard.graph.values import NewTrace
from paige.orchestra.values import CODER, TESTER, Missing, Proof


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    """An attempt that has ended: what the agent claimed, and what was found."""

    feature: str
    attempt: int
    agent: str = CODER
    session: str = ""
    claimed: bool = False
    verified: bool = False
    missing: tuple[Missing, ...] = ()
    files: tuple[str, ...] = ()
    turns: int = 0
    idle_turns: int = 0
    prompts: int = 0


def attempt_trace(finished: Finished, project: str = "") -> NewTrace:
    """An attempt as a decision: what was claimed beside what was verified."""
    claimed = "said it was done" if finished.claimed else "did not say it was done"
    found = "it was" if finished.verified else "it was not"
    return NewTrace(
        type="decision",
        project=project,
        agent=finished.agent,
        feature=finished.feature,
        what_happened=f"Attempt {finished.attempt}: the agent {claimed}, and {found}.",
        why=", ".join(finished.missing),
        session=finished.session,
        action="attempt",
        reason=finished.missing[0] if finished.missing else "",
        files=finished.files[-5:],
        meta={
            "attempt": finished.attempt,
            "approach": ", ".join(sorted({_shape(each) for each in finished.files})[:8]),
            "claimed": finished.claimed,
            "verified": finished.verified,
            "turns": finished.turns,
            "idle_turns": finished.idle_turns,
            "prompts": finished.prompts,
        },
    )


def closing_trace(proof: Proof, project: str = "", session: str = "") -> NewTrace:
    """A closed feature as a decision, with the run of tests it rests on."""
    return NewTrace(
        type="decision",
        project=project,
        agent=TESTER,
        feature=proof.feature,
        what_happened=f"{proof.tests} tests passed and the feature was merged.",
        session=session,
        action="close-feature",
        meta={"tree": proof.tree, "tests": proof.tests, "at": proof.at, "evidence": proof.path},
    )


def _shape(path: str) -> str:
    """A path without its name: where, and which kind of file."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    ending = name.rpartition(".")[2] if "." in name else ""
    return f"{folder or '.'}/*{'.' + ending if ending else ''}"
