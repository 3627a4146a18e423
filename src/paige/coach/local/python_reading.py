"""Reads a piece of Python by its syntax tree: which constructs it has, and what it does in words.

A selection is often only a part of something: a body without its head, an `else` without its `if`.
So several ways to make it whole are tried before it is given up.
"""

import ast
import textwrap
from collections.abc import Callable, Iterator
from typing import cast

MOST_WORDS = 60
Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_CHANGES = {"append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "update"}
LARGEST = 100_000  # signs; a larger text is not taken apart
_RESIZES = {"append", "insert", "remove", "pop", "clear"}
_PLAIN: dict[type[ast.AST], str] = {
    ast.AsyncFunctionDef: "async_function",
    ast.Lambda: "lambda",
    ast.ClassDef: "class",
    ast.For: "for_loop",
    ast.AsyncFor: "for_loop",
    ast.While: "while_loop",
    ast.Break: "break_continue",
    ast.Continue: "break_continue",
    ast.ListComp: "comprehension",
    ast.SetComp: "comprehension",
    ast.DictComp: "comprehension",
    ast.GeneratorExp: "comprehension",
    ast.Yield: "generator",
    ast.YieldFrom: "generator",
    ast.If: "condition",
    ast.IfExp: "ternary",
    ast.Match: "switch",
    ast.BoolOp: "boolean_logic",
    ast.Try: "exception_handling",
    ast.Raise: "raise",
    ast.Assert: "assertion",
    ast.With: "context_manager",
    ast.AsyncWith: "context_manager",
    ast.Import: "import",
    ast.ImportFrom: "import",
    ast.Await: "await",
    ast.Slice: "slicing",
    ast.Dict: "dictionary",
    ast.Set: "set",
    ast.JoinedStr: "string_template",
    ast.AnnAssign: "type_annotation",
    ast.AugAssign: "augmented_assignment",
    ast.Global: "global_state",
    ast.Nonlocal: "global_state",
    ast.NamedExpr: "walrus",
    ast.Starred: "star_arguments",
}


def parse_piece(code: str) -> ast.Module | None:
    """The tree of a piece of code, made whole if need be; `None` when it is no Python."""
    if len(code) > LARGEST:
        return None
    text = textwrap.dedent(code).strip("\n")
    body = textwrap.indent(text, "    ")
    ways = (
        text,
        f"{text}\n    pass",
        f"async def _():\n{body}",
        f"async def _():\n    while True:\n{textwrap.indent(text, '        ')}",
        f"if _:\n    pass\n{text}",
        f"try:\n    pass\n{text}",
    )
    for number, way in enumerate(ways):
        try:
            tree = ast.parse(way)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
        return _unwrapped(tree, number)
    return None


def _unwrapped(tree: ast.Module, way: int) -> ast.Module:
    """The tree without what was put around it."""
    if way == 2:
        return ast.Module(cast("Function", tree.body[0]).body, [])
    if way == 3:
        loop = cast("ast.While", cast("Function", tree.body[0]).body[0])
        return ast.Module(loop.body, [])
    if way == 4:
        return ast.Module(cast("ast.If", tree.body[0]).orelse, [])
    return tree


def constructs_in(tree: ast.Module) -> list[str]:
    """The constructs of a piece, in the order they appear."""
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        line = getattr(node, "lineno", 0)
        for name in _named(node):
            found[name] = min(line, found.get(name, line))
    return sorted(found, key=lambda name: found[name])


def constructs_of(text: str) -> list[str]:
    """The constructs of a text; none when it is no Python."""
    tree = parse_piece(text)
    return constructs_in(tree) if tree else []


def _named(node: ast.AST) -> Iterator[str]:
    plain = _PLAIN.get(type(node))
    if plain:
        yield plain
    if isinstance(node, _FUNCTIONS):
        yield from _function_kinds(node)
    elif isinstance(node, ast.ClassDef):
        yield from _class_kinds(node)
    for name, is_one in _SPECIAL.items():
        if is_one(node):
            yield name


def _is_unpacking(node: ast.AST) -> bool:
    many = (ast.Tuple, ast.List)
    return isinstance(node, ast.Assign) and any(isinstance(each, many) for each in node.targets)


def _is_bare_except(node: ast.AST) -> bool:
    return isinstance(node, ast.ExceptHandler) and node.type is None


def _is_indexing(node: ast.AST) -> bool:
    if not isinstance(node, ast.Subscript) or not isinstance(node.ctx, ast.Load):
        return False
    return not isinstance(node.slice, ast.Slice)


def _is_none_check(node: ast.AST) -> bool:
    if not isinstance(node, ast.Compare):
        return False
    return any(isinstance(each, ast.Constant) and each.value is None for each in node.comparators)


def _is_mutation(node: ast.AST) -> bool:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    return node.func.attr in _CHANGES


def _is_changed_while_iterated(node: ast.AST) -> bool:
    """A loop over a named list that adds to it or takes from it."""
    if not isinstance(node, ast.For) or not isinstance(node.iter, ast.Name):
        return False

    def is_it(each: ast.AST) -> bool:
        return isinstance(each, ast.Name) and each.id == cast("ast.Name", node.iter).id

    for each in (inner for statement in node.body for inner in ast.walk(statement)):
        match each:
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) if attr in _RESIZES:
                changed = is_it(value)
            case ast.Delete(targets=targets):
                changed = any(
                    isinstance(one, ast.Subscript) and is_it(one.value) for one in targets
                )
            case _:
                continue
        if changed:
            return True
    return False


_SPECIAL: dict[str, Callable[[ast.AST], bool]] = {
    "unpacking": _is_unpacking,
    "bare_except": _is_bare_except,
    "indexing": _is_indexing,
    "none_check": _is_none_check,
    "mutation": _is_mutation,
    "changed_while_iterated": _is_changed_while_iterated,
}


def _function_kinds(node: Function) -> Iterator[str]:
    given = node.args
    first = next(iter((*given.posonlyargs, *given.args)), None)
    if node.name == "__init__":
        yield "constructor"
    elif first is not None and first.arg in ("self", "cls"):
        yield "method"
    else:
        yield "function"
    decorators = {_tail(each) for each in node.decorator_list}
    yield from ("property",) if "property" in decorators else ("decorator",) if decorators else ()
    defaults = [each for each in (*given.defaults, *given.kw_defaults) if each is not None]
    if any(isinstance(each, ast.List | ast.Dict | ast.Set) for each in defaults):
        yield "mutable_default"
    elif defaults:
        yield "default_argument"
    if given.vararg or given.kwarg:
        yield "star_arguments"
    if node.returns or any(each.annotation for each in given.args):
        yield "type_annotation"
    yield from _body_kinds(node)


def _body_kinds(node: Function) -> Iterator[str]:
    inside = [each for each in ast.walk(node) if each is not node]
    calls = (each.func for each in inside if isinstance(each, ast.Call))
    if any(isinstance(each, ast.Name) and each.id == node.name for each in calls):
        yield "recursion"
    if any(isinstance(each, _FUNCTIONS) for each in inside):
        yield "closure"
    guards = [each for each in node.body if isinstance(each, ast.If) and not each.orelse]
    if any(isinstance(each.body[-1], ast.Return | ast.Raise) for each in guards):
        yield "guard_clause"


def _class_kinds(node: ast.ClassDef) -> Iterator[str]:
    if node.bases:
        yield "inheritance"
    decorators = {_tail(each) for each in node.decorator_list}
    if "dataclass" in decorators:
        yield "dataclass"
    elif decorators:
        yield "decorator"


def _tail(node: ast.expr) -> str:
    target = node.func if isinstance(node, ast.Call) else node
    return target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")


def steps_of(tree: ast.Module, most: int = 12) -> list[tuple[int, str]]:
    """What the piece does, a sentence a statement, with how deep inside others it is."""
    told = ((depth, tell(statement)) for depth, statement in _statements(tree.body, 0))
    return [(depth, words) for depth, words in told if words][:most]


def _statements(body: list[ast.stmt], depth: int) -> Iterator[tuple[int, ast.stmt]]:
    for statement in body:
        yield depth, statement
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(statement, name, None)
            if isinstance(inner, list):
                yield from _statements(inner, depth + 1)
        for handler in getattr(statement, "handlers", ()):
            yield from _statements(handler.body, depth + 1)


def tell(statement: ast.stmt) -> str:
    """A statement in words; nothing for one that goes without saying."""
    how = _TELLING.get(type(statement))
    return how(statement) if how else ""


def code(node: ast.AST | None) -> str:
    """An expression as it is written, shortened."""
    if node is None:
        return ""
    text = " ".join(ast.unparse(node).split())
    return f"`{text}`" if len(text) <= MOST_WORDS else f"`{text[: MOST_WORDS - 1]}…`"


def _tell_function(node: ast.stmt) -> str:
    function = cast("Function", node)
    names = [each.arg for each in function.args.args if each.arg not in ("self", "cls")]
    takes = f" that takes {_listed(names)}" if names else ""
    return f"it defines the function `{function.name}`{takes}"


def _tell_class(node: ast.stmt) -> str:
    made = cast("ast.ClassDef", node)
    bases = f", a kind of {_listed([ast.unparse(base) for base in made.bases])}"
    return f"it defines the class `{made.name}`{bases if made.bases else ''}"


def _tell_assign(node: ast.stmt) -> str:
    made = cast("ast.Assign", node)
    names = _listed([code(each).strip("`") for each in made.targets])
    return f"it puts {code(made.value)} into {names}"


def _tell_annotated(node: ast.stmt) -> str:
    made = cast("ast.AnnAssign", node)
    value = f", beginning with {code(made.value)}" if made.value else ""
    return f"it says that {code(made.target)} is of the type {code(made.annotation)}{value}"


def _tell_changed(node: ast.stmt) -> str:
    made = cast("ast.AugAssign", node)
    sign = {ast.Add: "adds", ast.Sub: "subtracts", ast.Mult: "multiplies by"}.get(type(made.op))
    if sign == "adds":
        return f"it adds {code(made.value)} to {code(made.target)}"
    if sign == "subtracts":
        return f"it subtracts {code(made.value)} from {code(made.target)}"
    return f"it changes {code(made.target)} with {code(made)}"


def _tell_for(node: ast.stmt) -> str:
    loop = cast("ast.For", node)
    return f"for each {code(loop.target)} of {code(loop.iter)} it repeats what is indented"


def _tell_if(node: ast.stmt) -> str:
    branch = cast("ast.If", node)
    return f"it asks whether {code(branch.test)} holds" + (
        ", and has something else to do if not" if branch.orelse else ""
    )


def _tell_return(node: ast.stmt) -> str:
    value = cast("ast.Return", node).value
    return f"it hands back {code(value)}" if value else "it stops here and goes back to the caller"


def _tell_expression(node: ast.stmt) -> str:
    value = cast("ast.Expr", node).value
    if isinstance(value, ast.Constant):
        return ""
    if isinstance(value, ast.Await):
        return f"it waits for {code(value.value)}"
    if isinstance(value, ast.Yield):
        return f"it hands out {code(value.value)} and pauses"
    return f"it calls {code(value)}"


def _tell_try(node: ast.stmt) -> str:
    caught = [code(each.type) or "any error" for each in cast("ast.Try", node).handlers]
    return f"it tries something and is ready for {_listed(caught)}" if caught else "it tries"


def _tell_with(node: ast.stmt) -> str:
    items = [code(each.context_expr) for each in cast("ast.With", node).items]
    return f"it opens {_listed(items)} and makes sure that it is closed again"


def _tell_import(node: ast.stmt) -> str:
    if isinstance(node, ast.ImportFrom):
        names = _listed([f"`{each.name}`" for each in node.names])
        return f"it fetches {names} from `{'.' * node.level}{node.module or ''}`"
    return f"it fetches {_listed([f'`{each.name}`' for each in cast('ast.Import', node).names])}"


_TELLING: dict[type[ast.stmt], Callable[[ast.stmt], str]] = {
    ast.FunctionDef: _tell_function,
    ast.AsyncFunctionDef: _tell_function,
    ast.ClassDef: _tell_class,
    ast.Assign: _tell_assign,
    ast.AnnAssign: _tell_annotated,
    ast.AugAssign: _tell_changed,
    ast.For: _tell_for,
    ast.AsyncFor: _tell_for,
    ast.While: lambda node: f"it repeats as long as {code(cast('ast.While', node).test)} holds",
    ast.If: _tell_if,
    ast.Return: _tell_return,
    ast.Expr: _tell_expression,
    ast.Try: _tell_try,
    ast.With: _tell_with,
    ast.AsyncWith: _tell_with,
    ast.Import: _tell_import,
    ast.ImportFrom: _tell_import,
    ast.Raise: lambda node: f"it reports the error {code(cast('ast.Raise', node).exc)}".rstrip(),
    ast.Assert: lambda node: f"it insists that {code(cast('ast.Assert', node).test)} holds",
    ast.Break: lambda node: "it leaves the loop",
    ast.Continue: lambda node: "it goes on with the next round",
}


def defined_names(tree: ast.Module) -> list[str]:
    """The functions and classes a piece defines."""
    kinds = (*_FUNCTIONS, ast.ClassDef)
    return [node.name for node in ast.walk(tree) if isinstance(node, kinds)]


def called_names(tree: ast.Module) -> list[str]:
    """What a piece calls, in order, each once."""
    calls = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    names = (ast.unparse(node.func) for node in calls)
    return list(dict.fromkeys(name for name in names if len(name) <= MOST_WORDS))


def loop_depth(node: ast.AST) -> int:
    """How deep loops are nested: what the cost grows with."""
    inner = max((loop_depth(child) for child in ast.iter_child_nodes(node)), default=0)
    nested = isinstance(node, (*_LOOPS, ast.comprehension))
    return inner + nested


def imported_modules(text: str) -> list[tuple[int, str]]:
    """What Python imports, as the number of leading dots and the dotted name."""
    tree = parse_piece(text)
    found: list[tuple[int, str]] = []
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Import):
            found += [(0, each.name) for each in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            found.append((node.level, base))
            found += [(node.level, f"{base}.{each.name}".strip(".")) for each in node.names]
    return list(dict.fromkeys(each for each in found if each[1]))


def _listed(names: list[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"
