"""Takes the modules of the fast path from one file, as looking for each costs more than running it.

The starter runs this page out of that file, `FILE`, with `PARTS`: this page, what is known of every
module, and the code of those that every call needs. The code of the others is read when it is
wanted. A module whose source has changed is imported as always. Built-in modules only.
"""

import gc
import marshal
import sys

_system = __import__("posix" if "posix" in sys.builtin_module_names else "nt")
_outside = sys.modules["_frozen_importlib_external"]
_Spec = type(sys.__spec__)  # type: ignore[attr-defined]
EXTENSION = -1


class Lean:
    """A finder and loader of modules that lie in one file.

    `table` has the source of a module, whether it is a package, its time and size, and where its
    code begins and ends; `codes` are those at hand.
    """

    def __init__(self, path: str, table: dict[str, tuple], codes: dict[str, object]) -> None:
        self.path = path
        self.table = table
        self.codes = codes

    def find_spec(self, name: str, path: object = None, target: object = None) -> object:
        """Where a module comes from; nothing for one that is not here or has changed."""
        known = self.table.get(name)
        if known is None:
            return None
        file, package, time, size, begin, _ = known
        try:
            about = _system.stat(file)
        except OSError:
            return None
        if about.st_mtime_ns != time or about.st_size != size:
            return None
        if begin == EXTENSION:
            return _Spec(name, _outside.ExtensionFileLoader(name, file), origin=file)
        spec = _Spec(name, self, origin=file, is_package=package)
        if package:
            spec.submodule_search_locations = [file.rpartition("/")[0]]
        return spec

    def create_module(self, spec: object) -> None:
        """Let Python make the module."""

    def exec_module(self, module) -> None:
        """Run a module."""
        name = module.__spec__.name
        module.__file__ = self.table[name][0]
        code = self.codes.pop(name, None) or self._read(name)
        exec(code, module.__dict__)  # type: ignore[arg-type]  # the type costs an import

    def _read(self, name: str) -> object:
        begin, end = self.table[name][4:]
        with open(self.path, "rb", 0) as file:
            file.seek(begin)
            return marshal.loads(file.read(end - begin))


if "PARTS" in globals():
    gc.disable()  # the process ends before collecting would pay
    sys.meta_path.insert(0, Lean(globals()["FILE"], *globals()["PARTS"][1:]))  # type: ignore[arg-type]
