"""The calls of the operating system without `os`, whose import costs more than a whole decision."""

import sys

POSIX = "posix" in sys.builtin_module_names
system = __import__("posix" if POSIX else "nt")


def add_packages() -> None:
    """Let the packages beside this interpreter be imported, as a hook starts without them."""
    above = sys.executable.replace("\\", "/").rpartition("/")[0].rpartition("/")[0]
    name = f"lib/python{sys.version_info[0]}.{sys.version_info[1]}" if POSIX else "Lib"
    for folder in (f"{above}/{name}/site-packages", f"{sys.prefix}/{name}/site-packages"):
        if folder not in sys.path:
            sys.path.append(folder)
