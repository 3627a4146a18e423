"""Keeps the key, signs what is true, and watches that nobody changes the tools of the tests.

This text is run in a namespace of its own that no module and no function of others leads to, with
its own copy of the built-in functions: code under test can change `isinstance` for everybody but
not here. The key is a local name of a generator that is at rest while other code runs, so no chain
of frames leads to it; looking into a resting generator, or at all objects there are, is refused by
an audit hook, which cannot be taken off again.

A test has passed only if the generator is told so by the hook of the test runner, called by the
runner's own functions in their own order, and if none of these was changed. That a test failed may
be said by anybody.
"""

# Names are bound one by one: what somebody puts into a module later does not count here.
from _hashlib import hmac_digest
from contextlib import suppress
from gc import disable, enable
from marshal import dumps
from os import close, getpid, read, write
from os.path import basename, islink, realpath
from struct import pack
from sys import _getframe, addaudithook, meta_path, modules
from types import BuiltinFunctionType, FunctionType, ModuleType

TOOLS = ("builtins", "unittest", "_pytest", "pluggy", "pytest", "contextlib", "inspect",
         "traceback", "math", "re")  # fmt: skip
# Tests may put their own in place of these, to feed a program or to see what it prints.
OFTEN_REPLACED = {"input", "print", "open", "help", "exit", "quit", "_", "breakpoint"}
# The test runner itself sets these anew for each test.
RUNNERS_OWN = {"_reprcompare", "_assertion_pass", "_config"}
CALLABLE = (FunctionType, BuiltinFunctionType, type, staticmethod, classmethod, property)
NEVER = {
    "gc.get_objects", "gc.get_referrers", "gc.get_referents", "sys._current_frames",
    "sys._current_exceptions", "sys.settrace", "sys.setprofile", "sys.addaudithook",
    "sys.monitoring.register_callback", "code.__new__", "cpython.run_interactivehook",
    "cpython.PyInterpreterState_New",
}  # fmt: skip
NO_IMPORTS = {"_cffi_backend", "cffi", "_testcapi", "_testinternalcapi", "_xxsubinterpreters",
              "_interpreters", "greenlet", "_testbuffer"}  # fmt: skip
BODIES = {"__defaults__", "__kwdefaults__"}
FRAMES = {"gi_frame", "cr_frame", "ag_frame"}
MOST_TEXT = 4_000
OVERRIDES = (
    "runtest",
    "setup",
    "teardown",
    "repr_failure",
    "ihook",
    "_getobj",
    "_traceback_filter",
)


def guard(key_fd, say_fd, callers, chain):  # noqa: C901, PLR0915 - one frame, on purpose
    """The generator. It is sent (kind, value) and answers whether the run still counts.

    `callers` are the only functions that may send; `chain` are those that lead from the test runner
    to the one that reports, nearest first. No code of others may run on top of this frame: signals
    are handled in another thread, and garbage is not collected meanwhile.
    """
    key = read(key_fd, 32)
    close(key_fd)
    me, number, void, answer = getpid(), 0, False, True
    tools = manager = None
    items, nodes, collected = [], set(), False
    callers = tuple(function.__code__ for function in callers)
    chain = tuple(function.__code__ for function in chain)

    def say(kind, value):
        nonlocal number
        body = dumps((number, kind, value))
        number += 1
        data = pack(">I", len(body)) + hmac_digest(key, body, "sha256") + body
        while data:
            data = data[write(say_fd, data) :]

    try:
        while True:
            request = yield answer
            disable()
            if getpid() != me:  # a copy of the process has no say
                answer = False
                continue
            kind, value = request
            caller = _getframe(1)
            changed = None if any(caller.f_code is each for each in callers) else "caller"
            if changed is not None:
                pass
            elif kind == "watch":
                tools, manager = seen_tools(), seen_hooks(value)
            elif kind == "collected":
                changed = "collected twice" if collected else None
                collected = True
                items = [seen_item(item) for item in value[0]]
                nodes = {row[0] for row in value[1]}
                say("collected", plain(value[1]))
            elif kind == "report":
                row = outcome_of(*value)
                if row[2] == "passed" and row[1] == "call":
                    changed = wrong_caller(caller, chain) if row[0] in nodes else "passed twice"
                    nodes.discard(row[0])
                if changed is None and (row[2] != "passed" or row[1] == "call"):
                    say("report", row)
            elif kind != "check":
                say(plain(kind), plain(value))
            # Whenever other code had its turn; at its end the runner takes its own changes back.
            if tools is not None and changed is None and kind in ("check", "collected"):
                changed = changed_in(tools) or changed_hooks(manager) or changed_items(items)
            if changed is not None and not void:
                void, answer = True, False
                say("void", changed)
            request = value = caller = None
            enable()
    except BaseException:  # noqa: BLE001 - also what somebody throws in: nothing counts any more
        with suppress(OSError):
            say("void", "guard")
        key = b""
        return


def plain(value):
    """Only plain values: nothing that others wrote runs here."""
    kind = type(value)
    if kind is str:
        return value[:MOST_TEXT]
    if kind in (int, float, bool, type(None)):
        return value
    if kind in (list, tuple):
        return [plain(each) for each in value]
    return "?"


def outcome_of(report, text, output):
    """What a report says, from its own fields."""
    fields = vars(report)
    kind = type(report).__name__
    outcome = fields.get("outcome")
    if kind != "TestReport" and outcome == "passed":
        outcome = "part"  # of a test: never a pass by itself
    row = (report.nodeid, fields.get("when"), outcome, hasattr(report, "wasxfail"))
    return [plain(each) for each in (*row, text, output)]


def wrong_caller(frame, chain):
    """Nothing when the runner itself called; else what is wrong."""
    codes = []
    while frame is not None:
        codes.append(frame.f_code)
        frame = frame.f_back
    if len(codes) <= len(chain):
        return "caller"
    for have, want in zip(codes[1:], chain, strict=False):
        if have is not want:
            return "caller"
    runner = chain[-1]
    return "caller" if sum(code is runner for code in codes) != 1 else None


def seen_tools():
    """Every function and class of the tools, by the dictionary it is in."""
    seen, classes = [], {}
    for name, module in list(modules.items()):
        if type(module) is ModuleType and name.split(".")[0] in TOOLS:
            seen.append(seen_in(name, vars(module)))
            for value in list(vars(module).values()):
                if isinstance(value, type) and value.__module__.split(".")[0] in TOOLS:
                    classes[id(value)] = value
    for value in classes.values():
        seen.append(seen_in(value.__name__, type.__dict__["__dict__"].__get__(value)))
    seen.append(("import", {}, [], 0, list(meta_path)))
    return seen


def seen_in(name, holder):
    """What is callable there."""
    known = [(key, value) for key, value in holder.items() if watched(key, value)]
    return (name, holder, known, len(holder), set(holder))


def watched(key, value):
    """Whether a change of this would change what tests say."""
    if key in OFTEN_REPLACED or key in RUNNERS_OWN:
        return False
    return isinstance(value, CALLABLE) or (callable(value) and type(key) is str)


def changed_in(seen):
    """The name of a tool that is not what it was."""
    for name, holder, known, length, names in seen:
        for key, value in known:
            if holder.get(key) is not value:
                return f"{name}.{key}"
        if name != "import" and len(holder) > length:
            for key, value in list(holder.items()):
                if key not in names and type(value) is not ModuleType and watched(key, value):
                    return f"{name}.{key}"
    finders = seen[-1][4]
    same = len(finders) == len(meta_path)
    if not same or any(a is not b for a, b in zip(finders, meta_path, strict=True)):
        return "sys.meta_path"
    return None


def seen_hooks(manager):
    """Who is called by the test runner, for each of its hooks."""
    callers = [each for each in vars(manager.hook).values() if hasattr(each, "_hookimpls")]
    return [(each, list(each._hookimpls), functions_of(each)) for each in callers]


def functions_of(caller):
    """The functions behind a hook."""
    return [each.function for each in caller._hookimpls]


def changed_hooks(seen):
    """The name of a hook that somebody else answers now."""
    for caller, implementations, functions in seen or ():
        now = caller._hookimpls
        if len(now) != len(implementations):
            return f"hook {caller.name}"
        for index, each in enumerate(now):
            if each is not implementations[index] or each.function != functions[index]:
                return f"hook {caller.name}"
    return None


def seen_item(item):
    """A collected test: its kind, its function, where the function is kept."""
    holder = item.parent.obj
    name = getattr(item, "originalname", None) or item.name
    return (item, type(item), holder, name, found_in(holder, name), item.nodeid)


def found_in(holder, name):
    """The function behind a name of a module or class, without asking the object itself."""
    if type(holder) is ModuleType:
        return vars(holder).get(name)
    kind = holder if isinstance(holder, type) else type(holder)
    for each in type.__dict__["__mro__"].__get__(kind):
        namespace = type.__dict__["__dict__"].__get__(each)
        if name in namespace:
            return namespace[name]
    return None


def changed_items(seen):
    """The name of a test that is not the one that was collected."""
    for item, kind, holder, name, function, node in seen:
        own = vars(item)
        if type(item) is not kind or own.get("_nodeid", node) != node:
            return f"test {name}"
        if any(each in own for each in OVERRIDES):
            return f"test {name}"
        if found_in(holder, name) is not function:
            return f"test {name}"
        direct = own.get("_obj")
        bound = isinstance(function, staticmethod | classmethod)
        if direct is not None and not bound and getattr(direct, "__func__", direct) != function:
            return f"test {name}"
    return None


def arm(trusted_folders, *, mocks):
    """From now on: no looking behind the scenes. It cannot be undone.

    Where the tests use no `mocks`, neither may the code: a mock is whatever one wants it to be.
    """
    without = NO_IMPORTS if mocks else NO_IMPORTS | {"unittest.mock"}
    tools = set()
    for name, module in list(modules.items()):
        if type(module) is ModuleType and name.split(".")[0] in TOOLS:
            tools.update(id(each) for each in vars(module).values() if type(each) is FunctionType)

    def hook(event, args):
        if event in NEVER or event.startswith("ctypes."):
            raise ImportError(f"{event} is not available while code is tested")
        if event in ("object.__getattr__", "object.__setattr__"):
            refuse_attribute(args, tools)
        elif event == "open":
            refuse_file(args[0], trusted_folders)
        elif event == "import" and args[0] in without:
            raise ImportError(f"{args[0]} is not available while code is tested")
        elif event == "marshal.loads" and not from_importing(_getframe(1)):
            raise ValueError("marshal is not available while code is tested")

    addaudithook(hook)


def refuse_attribute(args, tools):
    """No look into what rests, and no new body for a tool."""
    if args[1] in FRAMES:
        raise AttributeError(f"{args[1]} is not available while code is tested")
    if len(args) > 2 and (args[1] == "__code__" or (args[1] in BODIES and id(args[0]) in tools)):
        raise AttributeError(f"{args[1]} cannot be changed while code is tested")


def from_importing(frame):
    """Whether this is the import system reading compiled code."""
    return frame.f_code.co_filename.startswith("<frozen importlib")


def refuse_file(path, trusted_folders):
    """No memory as a file, and no compiled code but the system's own."""
    if type(path) is bytes:
        path = path.decode("utf-8", "replace")
    if type(path) is not str:
        return
    if basename(path) in ("mem", "pagemap") or islink(path) or "/proc" in path:
        place = realpath(path)
        if basename(place) in ("mem", "pagemap") and (
            place.startswith("/proc/") or not path.startswith("/")
        ):
            raise PermissionError(13, "Permission denied", path)
    if path.endswith(".pyc") and not path.startswith(trusted_folders):
        raise FileNotFoundError(2, "No such file or directory", path)
