"""What happens when Paige itself is wrong: the details go to a file, the person gets a sentence."""

import os
import tempfile
import traceback
from pathlib import Path

from paige.base.secrets import redact


def report_fault(error: Exception) -> tuple[str, str]:
    """Write the traceback to a file; return message and hint."""
    details = redact("".join(traceback.format_exception(error)))
    handle, name = tempfile.mkstemp(prefix="paige-fault-", suffix=".txt")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(details)
    message = f"Paige failed: {type(error).__name__}"
    return (
        message,
        f"This is a fault in Paige. The details are in `{Path(name)}`; please report them.",
    )
