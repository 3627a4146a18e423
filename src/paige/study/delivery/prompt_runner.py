"""Runs what somebody typed at a prompt, in the sandbox: this file is started there, not imported.

It reads `case.json` with what ran before and what was typed. What the typed lines print, and the
value of a last expression, go to standard output; what ran before prints nothing.
"""

import ast
import contextlib
import io
import json
import sys
from pathlib import Path
from typing import Any


def main() -> int:
    """Run the case; 1 when what was typed failed."""
    case = json.loads(Path("case.json").read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__"}
    with contextlib.redirect_stdout(io.StringIO()):
        exec(compile(case["starter"], "<before>", "exec"), names)
    try:
        tree = ast.parse(case["entry"])
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, "<entry>", "exec"), names)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), "<entry>", "eval"), names)
            if value is not None:
                sys.stdout.write(f"{value!r}\n")
    except BaseException as error:  # noqa: BLE001 - whatever it was, the learner reads its name
        sys.stdout.flush()
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
