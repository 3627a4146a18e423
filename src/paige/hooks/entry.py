"""What a coding CLI starts: `python -I -S entry.py <cli>`; short, as it is never byte-cached."""

import sys

sys.path.insert(0, __file__.replace("\\", "/").rsplit("/paige/", 1)[0])
from paige.hooks.fast import main

main()
