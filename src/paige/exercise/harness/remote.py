"""The code under test as the tests see it: names that stand for what is in another process.

Plain values arrive as themselves, so a comparison in a test is Python's own. An object of the
learner can be used in every way, but it is never equal to a plain value, nor larger or smaller:
only classes that the tests name may say that of themselves.
"""

# ruff: noqa: ANN401 - what stands for anything is of any type
import builtins
import importlib.machinery
import importlib.util
import json
import operator
import os
import socket
import struct
import sys
from random import SystemRandom
from secrets import randbits, token_hex
from types import ModuleType
from typing import Any, NoReturn

sample = SystemRandom().sample  # what is asked first must not be known to the code
HEAD = struct.Struct(">I")
ONE_PROCESS = 87
"""The exit code that says: these tests hand over what cannot travel, so they need one process."""
MOST_ANSWER = 32 * 2**20
MOST_DEPTH = 1_000  # more than any answer has: code must not be able to ask for one process
_BINARY = ("add", "sub", "mul", "matmul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor",
           "lshift", "rshift", "divmod")  # fmt: skip
_COMPARING = ("eq", "ne", "lt", "le", "gt", "ge", "contains")
_PLAIN = ("len", "str", "repr", "bool", "int", "float", "abs", "neg", "pos", "invert", "index",
          "round", "reversed", "iter", "next", "getitem", "setitem", "delitem", "format", "enter",
          "call")  # fmt: skip
_IN_PLACE = ("iadd", "isub", "imul")
_OF_FUNCTIONS = ("__name__", "__qualname__", "__wrapped__")


class Line:
    """The way to the other process."""

    def __init__(self, plan: dict, plain: ModuleType) -> None:
        self.plan = plan
        self.plain = plain  # it is beside this file, wherever that is
        self.named: set[int] = set()  # the classes that may say what they are equal to
        self.classes: dict[int, type] = {}
        self.objects: dict[int, object] = {}
        self.values: dict[int, object] = {}
        self.shared: dict[int, list] = {}  # what both sides hold, and how it last looked
        self.ours, theirs = socket.socketpair()
        self.stream = self.ours.makefile("rb")
        self.child = os.fork()
        if self.child == 0:
            _become(plan, theirs.fileno())
        theirs.close()

    def do(self, what: str, *args: object, **named: object) -> Any:
        """Have something done there; its value, or its exception."""
        try:
            packed = [self.plain.pack(each, _number, MOST_DEPTH) for each in args]
            others = {
                key: self.plain.pack(each, _number, MOST_DEPTH) for key, each in named.items()
            }
        except (ValueError, RecursionError):
            os._exit(ONE_PROCESS)
        asked = {"do": what, "args": packed, "named": others, "state": self.state()}
        answer = self.ask({**asked, "dropped": self.dropped()})
        for at, data in answer["changed"].items():
            self.plain.put_back(args[int(at)], self.plain.unpack(data, self.stand_in))
        for number, data in answer["state"].items():
            row = self.shared.get(int(number))
            if row is not None:
                row[1] = data
                self.plain.put_back(row[0], self.plain.unpack(data, self.stand_in))
        if "error" in answer:
            self.throw(answer["error"])
        if "same" in answer:
            return args[answer["same"]]
        if what == "load":
            return answer["value"]
        number = answer["shared"]
        if number in self.shared:
            return self.shared[number][0]
        value = self.plain.unpack(answer["value"], self.stand_in)
        if number is not None:
            self.shared[number] = [value, answer["value"]]
        return value

    def state(self) -> dict:
        """What both sides hold and the tests have changed."""
        new = {}
        for number, row in self.shared.items():
            now = self.plain.pack(row[0], _number, MOST_DEPTH)
            if now != row[1]:
                new[number] = row[1] = now
        return new

    def dropped(self) -> list[int]:
        """What both sides held and no test does any more: only the table here refers to it."""
        dropped = [number for number, row in self.shared.items() if sys.getrefcount(row[0]) <= 2]
        for number in dropped:
            del self.shared[number]
        return dropped

    def ask(self, asked: dict) -> dict:
        """Send a question and wait for its answer."""
        data = json.dumps(asked).encode()
        try:
            self.ours.sendall(HEAD.pack(len(data)) + data)
            head = self.stream.read(HEAD.size)
            length = HEAD.unpack(head)[0] if len(head) == HEAD.size else MOST_ANSWER + 1
            read = self.stream.read(length) if length <= MOST_ANSWER else b""
        except OSError:
            read = b""
        if not read:
            self.leave()
        answer = json.loads(read)
        if answer["printed"]:
            sys.stdout.write(answer["printed"])
        if answer["complained"]:
            sys.stderr.write(answer["complained"])
        return answer

    def leave(self) -> NoReturn:
        """End as the other process ended: without it nothing can be tested."""
        self.ours.close()
        status = os.waitstatus_to_exitcode(os.waitpid(self.child, 0)[1])
        code = 128 - status if status < 0 else status
        os._exit(code if code != ONE_PROCESS else 1)

    def throw(self, error: dict) -> NoReturn:
        """Raise what was raised there, from the line it came from."""
        raised = self.error(error)
        if not error["line"]:
            raise raised
        place = os.path.join(os.getcwd(), os.path.basename(str(error["file"])))
        source = "\n" * (int(error["line"]) - 1) + "raise raised"
        exec(compile(source, place, "exec"), {"raised": raised})
        raise raised

    def error(self, error: dict) -> BaseException:
        """The exception that stands here for one there."""
        kind = self.exception(error["class"])
        args = [self.plain.unpack(each, self.stand_in) for each in error["args"]]
        try:
            made = kind(*args)
        except (TypeError, ValueError):
            made = RuntimeError(f"{kind.__name__}: {error['text']}")
        if isinstance(made, Own):
            made.number, made.text, made.line = error["number"], error["text"], self
        return made

    def exception(self, about: list) -> type[BaseException]:
        """The class of an exception; nothing that ends or steers the tests themselves."""
        name, number, kin = about
        if kin is None:
            found = vars(builtins).get(str(name))
            if isinstance(found, type) and issubclass(found, (Exception, SystemExit)):
                return found
            return RuntimeError
        if number not in self.classes:
            base = self.exception(kin)
            bases = (base,) if issubclass(base, Own) else (Own, base)
            space = {"__module__": self.plan["apart"], "_number": number}
            self.classes[number] = type(str(name), bases, space)
        return self.classes[number]

    def stand_in(self, data: list) -> object:
        """What stands here for something that is there."""
        match data:
            case ["class", int(), [name, number, kin]]:
                if number is None or kin is not None:
                    return self.exception([name, number, kin])
                return self.class_of(name, number)
            case ["error", dict(error)]:
                return self.error(error)
            case ["object", int(number), [name, kind, kin], bool(has_value)]:
                if number not in self.objects:
                    made = object.__new__(self.class_of(name, kind if kin is None else None))
                    object.__setattr__(made, "_far", (self, number, has_value))
                    self.objects[number] = made
                return self.objects[number]
        raise ValueError("this is no value")

    def class_of(self, name: str, number: int | None) -> type:
        """The class here that stands for one there."""
        if number is None:
            return Remote
        if number not in self.classes:
            space = {"__module__": self.plan["apart"], "_line": self, "_number": number}
            self.classes[number] = FarClass(str(name), (Remote,), space)
        return self.classes[number]


def _become(plan: dict, line: int) -> NoReturn:
    """In the new process: only its own end of the line comes along."""
    try:
        os.dup2(line, 3, inheritable=True)
        os.closerange(4, 256)
        told = {"line": 3, "module": plan["apart"], "packages": plan["packages"]}
        command = [*plan["worker"], json.dumps(told)]
        environ = {key: os.environ[key] for key in os.environ if not key.endswith("_FD")}
        os.execve(command[0], command, environ)
    finally:
        os._exit(127)


def _number(value: object) -> list:
    """What stands for an object of the other side; for anything else one process is needed."""
    if issubclass(type(value), Remote):
        return ["object", value._far[1]]  # type: ignore[attr-defined]
    if isinstance(value, type) and (number := getattr(value, "_number", None)) is not None:
        return ["object", number]
    if isinstance(value, type) and issubclass(value, BaseException):
        return ["builtin", value.__name__]
    if isinstance(value, Own):
        return ["object", value.number]
    os._exit(ONE_PROCESS)


class Own:
    """An exception of the learner's own."""

    number = 0
    text = ""
    line: Any = None

    def __str__(self) -> str:
        return self.text

    def __getattr__(self, name: str) -> object:
        if name.startswith("__") or self.line is None:
            raise AttributeError(name)
        return self.line.do("getattr", self, name)


class FarClass(type):
    """A class of the learner: calling it makes an object there."""

    _line: Any
    _number: int

    def __new__(mcs, name: str, bases: tuple, space: dict) -> "FarClass":
        if name != "Remote" and "_number" not in space:  # tests that build on a learner's class
            os._exit(ONE_PROCESS)
        return super().__new__(mcs, name, bases, space)

    def __call__(cls, *args: object, **named: object) -> object:
        return cls._line.do("call", cls, *args, **named)

    def __getattr__(cls, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return cls._line.do("getattr", cls, name)

    def __setattr__(cls, name: str, value: object) -> None:
        cls._line.do("setattr", cls, name, value)

    def __delattr__(cls, name: str) -> None:
        cls._line.do("delattr", cls, name)

    def __subclasscheck__(cls, kind: type) -> bool:
        ours = isinstance(kind, FarClass) and {"_number"} <= vars(cls).keys() & vars(kind).keys()
        return super().__subclasscheck__(kind) or (ours and cls._line.do("issubclass", kind, cls))

    def __instancecheck__(cls, it: object) -> bool:
        return issubclass(type(it), cls)

    def __iter__(cls) -> object:
        return cls._line.do("iter", cls)

    def __len__(cls) -> int:
        return cls._line.do("len", cls)

    def __getitem__(cls, key: object) -> object:
        return cls._line.do("getitem", cls, key)


class Remote(metaclass=FarClass):
    """An object of the learner."""

    _far: Any  # the line, its number, and whether it has a plain value

    @property
    def __class__(self) -> type:  # type: ignore[reportIncompatibleMethodOverride]
        """A list of the learner's own kind is a list, too; of their class it is in any case."""
        return type(_plain(self)) if self._far[2] else type(self)

    def __getattr__(self, name: str) -> object:
        if name == "_far" or (name.startswith("__") and name not in _OF_FUNCTIONS):
            raise AttributeError(name)
        return self._far[0].do("getattr", self, name)

    def __setattr__(self, name: str, value: object) -> None:
        self._far[0].do("setattr", self, name, value)

    def __delattr__(self, name: str) -> None:
        self._far[0].do("delattr", self, name)

    def __hash__(self) -> int:
        return self._far[0].do("hash", self)

    def __exit__(self, kind: object, error: Any, trace: object) -> object:
        return self._far[0].do("exit", self, kind, list(error.args) if error else [])

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        os._exit(ONE_PROCESS)  # a copy would have to be made there


def _plain(it: Any) -> Any:
    """The plain value of an object that has one; what cannot change is asked for only once."""
    far: Any = getattr(it, "_far", None)
    if far is None or not far[2]:
        return it
    line, number, _ = far
    value = line.values[number] if number in line.values else line.do("plain", it)
    if type(value) not in line.plain.MUTABLE:
        line.values[number] = value
    return value


def _may_say(it: Any) -> bool:
    """Whether the tests name the class of an object."""
    return getattr(type(it), "_number", None) in it._far[0].named


def _comparing(name: str) -> Any:
    def compare(self: Any, other: object) -> object:
        line, _, is_plain = self._far
        if is_plain:
            return getattr(operator, name)(_plain(self), _plain(other))
        if getattr(other, "_far", None) is not None:
            return line.do(name, self, other)
        if _may_say(self):
            return _believed(line, name, self, other)
        if name == "contains":
            return any(each is other or each == other for each in self)
        return {"eq": False, "ne": True}.get(name, NotImplemented)

    return compare


def _computing(name: str, *, back: bool = False) -> Any:
    """Computes with a plain value as Python does: an own class may not know what it is tried on."""

    def compute(self: Any, other: object, *more: object) -> object:
        theirs = getattr(other, "_far", None)
        if theirs is not None or _may_say(self):
            pair = (other, self) if back else (self, other)
            return self._far[0].do(name, *pair, *more)
        if not self._far[2] or name in _IN_PLACE:
            return NotImplemented
        pair = (other, _plain(self)) if back else (_plain(self), other)
        doing: Any = getattr(operator, name, divmod)
        return doing(*pair, *more)

    return compute


def _believed(line: Line, name: str, own: Any, other: object) -> object:
    """What a class says of itself and a plain value, unless it says that of any such value."""
    strange = {int: randbits(48), str: token_hex(), float: randbits(48) / 7, bool: not other}
    asked = [other, strange.get(type(other), [randbits(48)])]
    if name not in ("eq", "ne") or asked[0] == asked[1]:
        return line.do(name, own, other)
    said = {at: line.do(name, own, asked[at]) for at in sample((0, 1), 2)}
    return said[0] if said[0] is not said[1] else name == "ne"


def _asking(name: str) -> Any:
    return lambda self, *args, **named: self._far[0].do(name, self, *args, **named)


for _name in _COMPARING:
    type.__setattr__(Remote, f"__{_name}__", _comparing(_name))
for _name in _PLAIN:
    type.__setattr__(Remote, f"__{_name}__", _asking(_name))
for _name in (*_BINARY, *_IN_PLACE):
    type.__setattr__(Remote, f"__{_name.rstrip('_')}__", _computing(_name))
for _name in _BINARY:
    type.__setattr__(Remote, f"__r{_name.rstrip('_')}__", _computing(_name, back=True))


class Finder:
    """The first place where tests look for modules: the far one, and Python's own; no others.

    The code under test can write files beside the tests, and must not be imported by them.
    """

    def __init__(self, line: Line, trusted: list[str]) -> None:
        self.line = line
        self.trusted = trusted

    def find_spec(self, name: str, path: object = None, target: object = None) -> Any:
        """Say where a module comes from."""
        if name == self.line.plan["apart"]:
            return importlib.util.spec_from_loader(name, self)  # type: ignore[arg-type]
        if path is not None:
            return None
        if name in sys.builtin_module_names or importlib.machinery.FrozenImporter.find_spec(name):
            return None
        found = importlib.machinery.PathFinder.find_spec(name, self.trusted)
        if found is None:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return found

    def create_module(self, spec: object) -> None:
        """As usual."""

    def exec_module(self, module: ModuleType) -> None:
        """Have the code loaded there, and give its names to the module here."""
        loaded = self.line.do("load")
        names = {str(name) for name in loaded["names"]}

        def find(name: str) -> object:
            if name not in names:
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            return self.line.do("global", name)

        # Asked for anew each time: code can give its names other values.
        module.__dict__["__getattr__"] = find
        module.__dict__["__all__"] = [str(name) for name in loaded["all"]]
        for name in names & set(self.line.plan["named"]):
            number = getattr(find(name), "_number", None)
            if number is not None:
                self.line.named.add(number)
