"""Beliefs about Python that do not hold, seen in code without running it.

Each rule looks for one shape in the syntax tree and says which line has it. The rules are narrow:
a shape that is right as often as it is wrong is not looked for. What is said about each is in
`shipped/exercise/misconceptions.toml`.
"""

import ast
import builtins
import tomllib
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from paige.base import python_source
from paige.base.paths import shipped

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_SHADOWED = {
    *("list", "dict", "set", "tuple", "str", "int", "float", "bool", "sum", "max", "min", "len"),
    *("sorted", "map", "filter", "range", "input", "type", "next", "iter", "all", "any", "zip"),
}
_TEXT_METHODS = {
    *("replace", "upper", "lower", "strip", "lstrip", "rstrip", "title", "capitalize"),
    *("swapcase", "removeprefix", "removesuffix", "zfill", "casefold"),
}
_CHANGES = {"append", "remove", "pop", "insert", "extend", "clear"}
_BRANCHES = (
    *(ast.If, ast.IfExp, ast.While, ast.For, ast.Match, ast.Try, ast.Assert),
    *(ast.BoolOp, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp),
)
_GIVES_NONE = {"sort", "reverse", "append", "extend", "insert", "remove", "clear", "shuffle"}


_METHODS = _CHANGES | _TEXT_METHODS | _GIVES_NONE | {"close", "split"}


class Misconception(NamedTuple):
    """One shape that was found: its name here, the kind of error, where, and what holds instead."""

    name: str
    error_type: str
    line: int
    note: str


def find_misconceptions(code: str) -> tuple[Misconception, ...]:
    """Every shape found, in order of lines; nothing for text that is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = python_source.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    said = _notes()
    found = {
        (name, line): Misconception(name, said[name]["kind"], line, said[name]["note"])
        for name, rule in _RULES.items()
        for line in rule(tree)
    }
    return tuple(sorted(found.values(), key=lambda each: (each.line, each.name)))


def find_note(text: str) -> str | None:
    """The misconception whose sentence stands in a text, such as what a learner was told."""
    return next((name for name, said in _notes().items() if said["note"] in text), None)


def note_of(name: str) -> str:
    """What holds instead of a misconception; nothing for a name that there is not."""
    return _notes().get(name, {}).get("note", "")


@cache
def _notes() -> dict[str, dict[str, str]]:
    return tomllib.loads(shipped("exercise/misconceptions.toml").read_text(encoding="utf-8"))


def _functions(tree: ast.AST) -> Iterator[_Function]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def _own(function: _Function) -> Iterator[ast.AST]:
    """The nodes of a function in order, without those of functions inside it."""
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(reversed(list(ast.iter_child_nodes(node))))


def _is_literal(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return (
            node.value is not None
            and not isinstance(node.value, bool)
            and (node.value is not Ellipsis)
        )
    return isinstance(node, ast.List | ast.Dict | ast.Set | ast.Tuple)


def _compared_with_is(tree: ast.AST) -> Iterator[int]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for at, operator in enumerate(node.ops):
                if isinstance(operator, ast.Is | ast.IsNot) and (
                    _is_literal(sides[at]) or _is_literal(sides[at + 1])
                ):
                    yield node.lineno


def _mutable_default(tree: ast.AST) -> Iterator[int]:
    for function in _functions(tree):
        for default in (*function.args.defaults, *function.args.kw_defaults):
            made = isinstance(default, ast.Call) and _name(default.func) in {"list", "dict", "set"}
            if isinstance(default, ast.List | ast.Dict | ast.Set) or made:
                yield function.lineno


def _name(node: ast.AST | None) -> str:
    return node.id if isinstance(node, ast.Name) else ""


def _returns_in_first_round(tree: ast.AST) -> Iterator[int]:
    """A loop that leaves the function in its first round, whichever way it goes."""
    for function in _functions(tree):
        for node in _own(function):
            if isinstance(node, ast.For | ast.While) and _always_returns(node.body):
                if isinstance(node, ast.While) and not any(
                    isinstance(each, ast.If) for each in node.body
                ):
                    continue
                yield node.lineno


def _always_returns(body: list[ast.stmt]) -> bool:
    for statement in body:
        if isinstance(statement, ast.Return):
            return True
        if isinstance(statement, ast.If) and statement.orelse:
            if _always_returns(statement.body) and _always_returns(statement.orelse):
                return True
        elif any(isinstance(node, ast.Continue | ast.Yield) for node in ast.walk(statement)):
            return False
    return False


def _range_misses_an_end(tree: ast.AST) -> Iterator[int]:
    """A loop over `range(len(x) - 1)` that only looks at `x[i]`, or one past the end."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.For) or not isinstance(node.iter, ast.Call):
            continue
        call = node.iter
        if _name(call.func) != "range" or not call.args or not isinstance(node.target, ast.Name):
            continue
        stop = call.args[0] if len(call.args) == 1 else call.args[1]
        shift = _shift_of_len(stop)
        plain = _looks_only_at_index(node, node.target.id)
        if (shift == -1 and len(call.args) == 1 and plain) or (shift == 1 and plain):
            yield node.lineno


def _shift_of_len(node: ast.expr) -> int:
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.op, ast.Add | ast.Sub)
        and isinstance(node.left, ast.Call)
        and _name(node.left.func) == "len"
        and isinstance(node.right, ast.Constant)
        and node.right.value == 1
    ):
        return 1 if isinstance(node.op, ast.Add) else -1
    return 0


def _looks_only_at_index(loop: ast.For, index: str) -> bool:
    used = [
        node.slice
        for node in ast.walk(loop)
        if isinstance(node, ast.Subscript) and index in _names_in(node.slice)
    ]
    # Anything but `x[i]` alone, such as `x[i + 1]` or an inner loop from `i`, may well be right.
    elsewhere = sum(
        isinstance(node, ast.Name) and node.id == index for node in ast.walk(loop)
    ) - len(used)
    return bool(used) and all(isinstance(each, ast.Name) for each in used) and elsewhere <= 1


def _names_in(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _prints_instead(tree: ast.AST) -> Iterator[int]:
    """A function that prints what it worked out, and gives nothing back."""
    for function in _functions(tree):
        nodes = list(_own(function))
        if any(isinstance(n, ast.Return | ast.Yield | ast.YieldFrom) for n in nodes):
            continue
        wants = function.returns is not None and not (
            isinstance(function.returns, ast.Constant) and function.returns.value is None
        )
        speaks = function.name.startswith(("print", "show", "display", "main", "test", "log"))
        prints = [
            n
            for n in nodes
            if isinstance(n, ast.Call) and _name(n.func) == "print" and not n.keywords
        ]
        if prints and (wants or (function.args.args and not speaks)):
            yield prints[-1].lineno


def _assigns_instead(tree: ast.AST) -> Iterator[int]:
    """A function that ends by setting a local name nobody reads, or its own name."""
    for function in _functions(tree):
        nodes = list(_own(function))
        if any(isinstance(n, ast.Return | ast.Yield | ast.YieldFrom | ast.Raise) for n in nodes):
            continue
        last = function.body[-1]
        if not isinstance(last, ast.Assign) or len(last.targets) != 1:
            continue
        name = _name(last.targets[0])
        shared = {
            each for n in nodes if isinstance(n, ast.Global | ast.Nonlocal) for each in n.names
        }
        if name and name not in shared:
            yield last.lineno


def _shadows_builtin(tree: ast.AST) -> Iterator[int]:
    """A builtin's name given to a value, and called in the same function as well."""
    for function in _functions(tree):
        nodes = list(_own(function))
        stored = {each.arg: each.lineno for each in function.args.args}
        stored |= {
            node.id: node.lineno
            for node in reversed(nodes)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        for node in nodes:
            name = _name(node.func) if isinstance(node, ast.Call) else ""
            if name in stored and name in _SHADOWED and hasattr(builtins, name):
                yield stored[name]


def _changes_while_iterating(tree: ast.AST) -> Iterator[int]:
    for loop in ast.walk(tree):
        if not isinstance(loop, ast.For) or not isinstance(loop.iter, ast.Name):
            continue
        for node in (each for part in loop.body for each in ast.walk(part)):
            if _changes(node, loop.iter.id) and not _left_after(loop, node):
                yield loop.lineno


def _changes(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return _name(node.func.value) == name and node.func.attr in _CHANGES
    if isinstance(node, ast.Delete):
        return any(isinstance(t, ast.Subscript) and _name(t.value) == name for t in node.targets)
    return False


def _left_after(loop: ast.For, node: ast.AST) -> bool:
    """Whether the loop ends right after the change, which is safe."""
    for parent in ast.walk(loop):
        for body in (getattr(parent, "body", None), getattr(parent, "orelse", None)):
            if not isinstance(body, list):
                continue
            for at, statement in enumerate(body[:-1]):
                if any(each is node for each in ast.walk(statement)):
                    return isinstance(body[at + 1], ast.Break | ast.Return)
    return False


def _division_for_whole_numbers(tree: ast.AST) -> Iterator[int]:
    """`/` gives a float, which is no index and no count of rounds."""
    for scope in (tree, *_functions(tree)):
        floats = {
            _name(node.targets[0])
            for node in ast.walk(scope)
            if isinstance(node, ast.Assign) and _is_division(node.value)
        } - {""}
        for node in ast.walk(scope):
            if isinstance(node, ast.Subscript):
                parts = _index_parts(node.slice)
            elif isinstance(node, ast.Call) and _name(node.func) == "range":
                parts = node.args
            else:
                continue
            if any(_is_division(part) or _name(part) in floats for part in parts):
                yield node.lineno


def _index_parts(index: ast.expr) -> list[ast.expr]:
    if isinstance(index, ast.Slice):
        return [part for part in (index.lower, index.upper, index.step) if part is not None]
    return [index]


def _is_division(node: ast.AST) -> bool:
    """A division of numbers; paths are joined with the same sign."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Div):
        return False
    whole = isinstance(node.right, ast.Constant) and isinstance(node.right.value, int)
    return whole or any(isinstance(n, ast.Call) and _name(n.func) == "len" for n in ast.walk(node))


def _text_changed_in_place(tree: ast.AST) -> Iterator[int]:
    """A changed copy of a text thrown away, or a letter of a text set."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and _gives_new_text(node.value):
            yield node.lineno
    for function in _functions(tree):
        nodes = list(_own(function))
        texts = {each.arg for each in function.args.args if _name(each.annotation) == "str"}
        others: set[str] = set()
        for node in nodes:
            if isinstance(node, ast.Assign) and (name := _name(node.targets[0])):
                value = node.value
                is_text = isinstance(value, ast.Constant) and isinstance(value.value, str)
                (texts if is_text else others).add(name)
        for node in nodes:
            for target in node.targets if isinstance(node, ast.Assign) else ():
                if isinstance(target, ast.Subscript) and _name(target.value) in texts - others:
                    yield target.lineno


def _gives_new_text(call: ast.expr) -> bool:
    called = call.func if isinstance(call, ast.Call) else None
    if not isinstance(call, ast.Call) or not isinstance(called, ast.Attribute):
        return False
    if called.attr not in _TEXT_METHODS:
        return False
    # Paths and the module `os` have a `replace` of their own, which does change something.
    return called.attr != "replace" or (len(call.args) >= 2 and _name(called.value) != "os")


def _recursion_without_end(tree: ast.AST) -> Iterator[int]:
    """A function that calls itself and has no way round that call."""
    for function in _functions(tree):
        if function.args.args and function.args.args[0].arg in ("self", "cls"):
            continue  # a method reaches itself by another name
        nodes = list(_own(function))
        calls = [n for n in nodes if isinstance(n, ast.Call) and _name(n.func) == function.name]
        branches = any(isinstance(n, _BRANCHES) for n in nodes)
        if calls and not branches:
            yield calls[0].lineno


def _list_searched_in_loop(tree: ast.AST) -> Iterator[int]:
    """`x in seen` for a list that grows inside the same loop."""
    for scope in (tree, *_functions(tree)):
        lists = {
            _name(node.targets[0])
            for node in ast.walk(scope)
            if isinstance(node, ast.Assign)
            and (
                isinstance(node.value, ast.List)
                or (isinstance(node.value, ast.Call) and _name(node.value.func) == "list")
            )
        } - {""}
        for loop in ast.walk(scope):
            if isinstance(loop, ast.For | ast.While):
                yield from _searches(loop, lists)


def _searches(loop: ast.For | ast.While, lists: set[str]) -> Iterator[int]:
    grown = {
        _name(node.func.value)
        for node in ast.walk(loop)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "append"
    }
    for node in ast.walk(loop):
        if isinstance(node, ast.Compare):
            for operator, right in zip(node.ops, node.comparators, strict=True):
                if isinstance(operator, ast.In | ast.NotIn) and _name(right) in lists & grown:
                    yield node.lineno


def _used_before_set(tree: ast.AST) -> Iterator[int]:
    """A local name that is read on a line before the first line that sets it."""
    for function in _functions(tree):
        nodes = list(_own(function))
        declared = {
            each for n in nodes if isinstance(n, ast.Global | ast.Nonlocal) for each in n.names
        }
        spec = function.args
        every = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs, spec.vararg, spec.kwarg]
        known = {each.arg for each in every if each is not None} | declared | _set_aside(nodes)
        stored: dict[str, int] = {}
        for node in nodes:
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                stored[node.id] = min(stored.get(node.id, node.lineno), node.lineno)
        loops = [n for n in nodes if isinstance(n, ast.For | ast.While | ast.comprehension)]
        for node in nodes:
            name = node.id if isinstance(node, ast.Name) else ""
            if not name or name in known or name not in stored or _in_comprehension(nodes, name):
                continue
            assert isinstance(node, ast.Name)
            grows = isinstance(node.ctx, ast.Load) and node.lineno < stored[name]
            if (grows and not _in_loop(loops, stored[name])) or _adds_first(nodes, name, stored):
                yield node.lineno
                break


def _set_aside(nodes: list[ast.AST]) -> set[str]:
    """Names set in ways whose order is not the order of lines."""
    walrus = {_name(n.target) for n in nodes if isinstance(n, ast.NamedExpr)}
    return walrus | {n.name for n in nodes if isinstance(n, ast.ExceptHandler) and n.name}


def _adds_first(nodes: list[ast.AST], name: str, stored: dict[str, int]) -> bool:
    """Whether the first thing done to a name is `name += …`."""
    return any(
        isinstance(node, ast.AugAssign)
        and _name(node.target) == name
        and node.lineno == stored[name]
        for node in nodes
    )


def _in_loop(loops: list, line: int) -> bool:
    return any(
        isinstance(loop, ast.For | ast.While) and loop.lineno <= line <= (loop.end_lineno or line)
        for loop in loops
    )


def _in_comprehension(nodes: list[ast.AST], name: str) -> bool:
    return any(isinstance(n, ast.comprehension) and name in _names_in(n.target) for n in nodes)


def _or_with_a_value(tree: ast.AST) -> Iterator[int]:
    """`x == 1 or 2` is always true."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.Or):
            first, *others = node.values
            if isinstance(first, ast.Compare) and any(
                isinstance(each, ast.Constant) and not isinstance(each.value, bool)
                for each in others
            ):
                yield node.lineno


def _keeps_none(tree: ast.AST) -> Iterator[int]:
    """`x = x.sort()` sets x to None."""
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Assign | ast.Return) else None
        if (
            isinstance(value, ast.Call)
            and isinstance(value.func, ast.Attribute)
            and value.func.attr in _GIVES_NONE
            and isinstance(value.func.value, ast.Name)
            and (isinstance(node, ast.Return) or _same_target(node, value.func.value.id))
        ):
            yield value.lineno


def _same_target(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Assign) and any(_name(target) == name for target in node.targets)


def _result_of_method_not_called(tree: ast.AST) -> Iterator[int]:
    """A statement that names a method and does not call it."""
    for node in ast.walk(tree):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Attribute) and value.attr in _METHODS:
            yield value.lineno


_RULES: dict[str, Callable[[ast.AST], Iterator[int]]] = {
    "compares_with_is": _compared_with_is,
    "mutable_default": _mutable_default,
    "returns_in_first_round": _returns_in_first_round,
    "range_misses_an_end": _range_misses_an_end,
    "prints_instead_of_returning": _prints_instead,
    "assigns_instead_of_returning": _assigns_instead,
    "shadows_builtin": _shadows_builtin,
    "changes_while_iterating": _changes_while_iterating,
    "division_for_whole_numbers": _division_for_whole_numbers,
    "text_changed_in_place": _text_changed_in_place,
    "recursion_without_end": _recursion_without_end,
    "list_searched_in_loop": _list_searched_in_loop,
    "used_before_set": _used_before_set,
    "or_with_a_value": _or_with_a_value,
    "keeps_none": _keeps_none,
    "method_not_called": _result_of_method_not_called,
}
