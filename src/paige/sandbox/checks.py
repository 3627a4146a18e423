"""Doctor's question about the sandbox."""

from paige.base.checks import Check
from paige.base.settings import Settings
from paige.sandbox.isolation import strongest
from paige.sandbox.messages import explain_isolation


def checks(settings: Settings) -> list[Check]:
    """How well code is shut in here."""
    isolation = strongest()
    if isolation == "bubblewrap":
        return [Check("sandbox", "ok", explain_isolation(isolation))]
    fix = "Install bubblewrap: `apt install bubblewrap`, or your system's way."
    return [Check("sandbox", "warn", explain_isolation(isolation), fix)]
