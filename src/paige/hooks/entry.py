"""What a coding CLI starts: `python -I -S entry.py <cli> [event]`; short, as it is never cached."""

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - hosts may start another Python
    sys.stderr.write("Paige needs Python 3.11 or newer; run `paige install` again.\n")
    sys.exit(2)
sys.path.insert(0, __file__.replace("\\", "/").rsplit("/paige/", 1)[0])
from paige.hooks.fast import main

main()
