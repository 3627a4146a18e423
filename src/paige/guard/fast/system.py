"""The calls of the operating system without `os`, whose import costs more than a whole decision."""

import sys

POSIX = "posix" in sys.builtin_module_names
system = __import__("posix" if POSIX else "nt")
