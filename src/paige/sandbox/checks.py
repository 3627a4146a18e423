"""Doctor's question about the sandbox."""

from paige.base.checks import Check
from paige.base.settings import Settings
from paige.sandbox.isolation import strongest
from paige.sandbox.terms import least_isolation
from paige.sandbox.values import STRENGTH, explain_isolation


def checks(settings: Settings) -> list[Check]:
    """How well code is shut in here, and whether that is enough."""
    isolation, least = strongest(), least_isolation(settings)
    if isolation == "bubblewrap":
        return [Check("sandbox", "ok", explain_isolation(isolation))]
    fix = "Install bubblewrap: `apt install bubblewrap`, or your system's way."
    if STRENGTH.index(isolation) >= STRENGTH.index(least):
        return [Check("sandbox", "warn", explain_isolation(isolation), fix)]
    said = f"learners' code is refused: it needs {least}, which does not work here"
    return [Check("sandbox", "fail", said, f"{fix} Or set `PAIGE_SANDBOX` to `{isolation}`.")]
