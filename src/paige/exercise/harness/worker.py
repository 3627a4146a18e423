"""The process of the code that is tested: it loads that code and does what the tests ask for.

What it answers are values, never verdicts: the tests run in another process, compare there, and
hold the only way out for results. So nothing has to be kept from the code in here.
"""

import builtins
import contextlib
import importlib
import io
import json
import operator
import os
import socket
import struct
import sys
import threading
import traceback
from collections import ChainMap, UserDict, UserList, UserString
from pathlib import Path
from types import ModuleType
from typing import Any

HERE = Path(__file__).parent
HEAD = struct.Struct(">I")
MOST_PRINTED = 50_000
MOST_DEPTH = 100
MOST_SHARED, MOST_SHARED_SIZE = 100, 2_000
_BASES = {
    bool: bool, int: int.__int__, float: float.__float__, str: str.__str__,
    tuple: lambda it: tuple(tuple.__iter__(it)), list: lambda it: list(list.__iter__(it)),
    dict: lambda it: {key: dict.__getitem__(it, key) for key in dict.__iter__(it)},
    set: lambda it: set(set.__iter__(it)), frozenset: lambda it: frozenset(frozenset.__iter__(it)),
    bytes: lambda it: bytes(bytes.__iter__(it)),
    ChainMap: dict, UserDict: dict, UserList: list, UserString: str,
    type({}.keys()): set, type({}.items()): set,
}  # fmt: skip


def plain_value(it: object) -> object:
    """What an object is without what its own class makes of it."""
    return next(made(it) for base, made in _BASES.items() if issubclass(type(it), base))


DOING: dict[str, Any] = {
    "call": lambda it, *args, **named: it(*args, **named),
    **{name: getattr(builtins, name) for name in (
        "getattr", "setattr", "delattr", "len", "iter", "next", "str", "repr", "bool", "int",
        "float", "abs", "round", "reversed", "format", "hash", "divmod", "issubclass")},
    **{name: getattr(operator, name) for name in (
        "eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "matmul", "truediv", "floordiv",
        "mod", "pow", "and_", "or_", "xor", "neg", "pos", "invert", "contains", "getitem",
        "setitem", "delitem", "index", "lshift", "rshift", "iadd", "isub", "imul")},
    "enter": lambda it: type(it).__enter__(it),
    "exit": lambda it, kind, args: type(it).__exit__(it, kind, kind and kind(*args), None),
    "plain": plain_value,
}  # fmt: skip


class PrintedOutput(io.StringIO):
    """What is printed during one call; very much of it goes out at once, where it is limited."""

    def write(self, text: str) -> int:
        """Keep it, or pass it on."""
        if self.tell() > MOST_PRINTED and sys.__stdout__ is not None:
            return sys.__stdout__.write(text)
        return super().write(text)


class Worker:
    """The objects that the other side knows by number, and the doing."""

    def __init__(self, plan: dict, plain: ModuleType) -> None:
        self.plan = plan
        self.plain = plain
        self.objects: list[object] = []
        self.numbers: dict[int, int] = {}
        self.shared: dict[int, object] = {}  # lists and the like that both sides hold
        self.module: object = None

    def number(self, it: object) -> int:
        """The number of an object, which stays alive with it."""
        if id(it) not in self.numbers:
            self.numbers[id(it)] = len(self.objects)
            self.objects.append(it)
        return self.numbers[id(it)]

    def pack(self, value: object) -> object:
        """A value for the other side."""
        return self.plain.pack(value, self.about, MOST_DEPTH)

    def about(self, it: object) -> list:
        """What the other side is told of an object: its number, its kind, its plain value."""
        if isinstance(it, type):
            return ["class", self.number(it), self.class_of(it)]
        if isinstance(it, BaseException):
            return ["error", self.error(it)]
        kind = type(it)
        has_value = any(issubclass(kind, each) for each in _BASES)
        return ["object", self.number(it), self.class_of(kind), has_value]

    def class_of(self, kind: type) -> list:
        """A class: its name, and for an exception its kin up to one of Python's own."""
        if not issubclass(kind, BaseException):
            return [kind.__name__, self.number(kind), None]
        if kind.__module__ == "builtins":
            return [kind.__name__, None, None]
        kin = next(each for each in kind.__mro__[1:] if issubclass(each, BaseException))
        return [kind.__name__, self.number(kind), self.class_of(kin)]

    def load(self) -> dict:
        """Load the code; its names, and which of them a star stands for."""
        self.module = importlib.import_module(self.plan["module"])
        names = [name for name in vars(self.module) if not name.startswith("__")]
        public = [name for name in names if not name.startswith("_")]
        return {"names": names, "all": getattr(self.module, "__all__", public)}

    def answer(self, asked: dict) -> dict:
        """Do what is asked; whatever goes wrong is an answer too."""
        printed, complained = PrintedOutput(), PrintedOutput()
        args: list = []
        try:
            with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(complained):
                for number, data in asked["state"].items():
                    self.shared[int(number)] = data
                    self.plain.put_back(
                        self.objects[int(number)], self.plain.unpack(data, self.find)
                    )
                for number in asked["dropped"]:
                    self.shared.pop(number, None)
                args = [self.plain.unpack(each, self.find) for each in asked["args"]]
                named = {
                    key: self.plain.unpack(each, self.find) for key, each in asked["named"].items()
                }
                found = self.found(asked["do"], args, named)
        except BaseException as error:  # noqa: BLE001 - the tests decide what it means
            found = {"error": self.error(error)}
        said = {"printed": printed.getvalue(), "complained": complained.getvalue()}
        return {**found, **said, "changed": self.changed(args), "state": self.state()}

    def found(self, what: str, args: list, named: dict) -> dict:
        """What doing something leads to."""
        if what == "load":
            return {"value": self.load()}
        value = getattr(self.module, *args) if what == "global" else DOING[what](*args, **named)
        same = next((at for at, each in enumerate(args[1:], 1) if each is value), None)
        mutable = type(value) in self.plain.MUTABLE
        if mutable and same is not None:
            return {"same": same}
        packed = self.pack(value)
        room = mutable and what in ("global", "getattr") and len(self.shared) < MOST_SHARED
        if room and len(json.dumps(packed)) < MOST_SHARED_SIZE:
            self.shared.setdefault(self.number(value), packed)
        number = self.numbers.get(id(value))
        return {"value": packed, "shared": number if mutable and number in self.shared else None}

    def state(self) -> dict:
        """What both sides hold and looks different now."""
        new = {}
        with contextlib.suppress(ValueError, RecursionError):
            for number, before in self.shared.items():
                now = self.pack(self.objects[number])
                if now != before:
                    new[number] = now
        self.shared |= new
        return new

    def changed(self, args: list) -> dict:
        """The arguments that may look different now; none when one has grown too deep."""
        kinds = self.plain.MUTABLE
        try:
            return {
                at: self.pack(each) for at, each in enumerate(args) if at and type(each) in kinds
            }
        except (ValueError, RecursionError):
            return {}

    def find(self, data: list) -> object:
        """The object that a number stands for, or an exception of Python's own."""
        if data[0] == "builtin":
            return getattr(builtins, data[1])
        return self.objects[data[1]]

    def error(self, error: BaseException) -> dict:
        """An exception: what it is, what it says, where in the learner's own file it came from."""
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame for frame in frames if frame.filename.startswith(os.getcwd())]
        where = own[-1] if own else None
        try:
            args = [self.pack(each) for each in error.args]
        except Exception:  # noqa: BLE001 - then its text has to do
            args = [str(error)]
        return {
            "class": self.class_of(type(error)),
            "number": self.number(error),
            "args": args,
            "text": str(error),
            "file": os.path.basename(where.filename) if where else "",
            "line": where.lineno if where else 0,
        }


def serve(plan: dict, plain: ModuleType, line: socket.socket) -> None:
    """Answer until nobody asks any more."""
    worker, me = Worker(plan, plain), os.getpid()
    stream = line.makefile("rb")
    while len(head := stream.read(HEAD.size)) == HEAD.size:
        asked = json.loads(stream.read(HEAD.unpack(head)[0]))
        data = json.dumps(worker.answer(asked)).encode()
        if os.getpid() != me:  # a copy of the process has no say
            os._exit(1)
        line.sendall(HEAD.pack(len(data)) + data)


def main() -> None:
    """Become ready, then serve in a second thread, as tests ran there as well."""
    plan = json.loads(sys.argv[1])
    sys.argv[:] = [""]
    line = socket.socket(fileno=plan["line"])
    sys.path[:] = [path for path in sys.path if path] + plan["packages"]
    sys.path.insert(0, str(HERE))
    plain = importlib.import_module("plain")
    sys.path[0] = os.getcwd()
    space: dict = {"__name__": "guard", "__builtins__": dict(vars(builtins))}
    exec(compile((HERE / "guard.py").read_text("utf-8"), "<guard>", "exec"), space)
    space["arm"]((sys.base_prefix, sys.prefix, *plan["packages"]), mocks=True)
    done = threading.Lock()
    done.acquire()

    def work() -> None:
        try:
            serve(plan, plain, line)
        finally:
            done.release()

    threading.stack_size(64 * 2**20)
    threading.Thread(target=work, daemon=True).start()
    threading.stack_size(2**19)
    done.acquire()
    os._exit(0)


if __name__ == "__main__":
    main()
