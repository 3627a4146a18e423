"""Reads the files of an exercise before any of them runs: can they be read, how are they written?

Only what can be told from the text without doubt is remarked; whether the idea is good is for a
person to say.
"""

import ast
import importlib.util
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

LONG_FUNCTION = 40
DEEP = 5
_CODE = re.compile(
    r"^(?:(?:if|for|while|elif)\b.*:|(?:return|import|raise|del|assert)\b.*|from \w+ import .*|"
    r"def \w+\(.*|[\w.\[\]]+ ?[-+*/|&]?= ?\S.*|print\(.*\)|[\w.]+\(.*\))$"
)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef)
_BLOCKS = (ast.If, ast.For, ast.While, ast.With, ast.Try, ast.AsyncFor, ast.AsyncWith)


def read_sources(plan: dict) -> tuple[list, list, int]:
    """Errors of syntax, remarks about how it is written, and how many tests the files hold."""
    wrong, remarks, number = [], [], 0
    for name in [*plan["solution"], *plan["tests"]]:
        try:
            source = Path(name).read_bytes()
            tree = ast.parse(source, name)
            compile(tree, name, "exec", dont_inherit=True)
            text = importlib.util.decode_source(source)
        except OSError:
            continue
        except SyntaxError as error:
            line = (error.text or "").rstrip()
            wrong.append([name, error.lineno or 0, error.offset or 0, line, error.msg])
            continue
        except (ValueError, RecursionError, MemoryError, UnicodeDecodeError) as error:
            wrong.append([name, 0, 0, "", str(error) or type(error).__name__])
            continue
        if name in plan["tests"]:
            number += count_tests(tree)
        else:
            remarks += [[name, line, kind, said] for kind, line, said in style_remarks(text)]
    return wrong, remarks, number


def count_tests(tree: ast.Module) -> int:
    """How many tests a file holds, by its text alone."""
    bodies = [tree.body]
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            bases = " ".join(ast.unparse(base) for base in node.bases)
            if node.name.startswith("Test") or "TestCase" in bases:
                bodies.append(node.body)
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return sum(
        isinstance(node, functions) and node.name.startswith("test")
        for body in bodies
        for node in body
    )


def style_remarks(source: str) -> list[tuple[str, int, str]]:
    """What could be better: a name for it, the line, a sentence. The source must be Python."""
    tree = ast.parse(source)
    found = [
        *_long_functions(tree),
        *_bare_excepts(tree),
        *_unused_names(tree),
        *_deep_blocks(tree),
        *_shadowed(tree),
        *_mutable_defaults(tree),
        *_commented_code(source),
    ]
    return sorted(found, key=lambda each: each[1])


def _functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, _SCOPES))


def _long_functions(tree: ast.AST) -> Iterator[tuple[str, int, str]]:
    for node in _functions(tree):
        lines = (node.end_lineno or node.lineno) - node.lineno + 1
        if lines > LONG_FUNCTION:
            text = f"`{node.name}` has {lines} lines: smaller functions are easier to read."
            yield "long_function", node.lineno, text


def _bare_excepts(tree: ast.AST) -> Iterator[tuple[str, int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            if node.type is None:
                yield "bare_except", node.lineno, "`except:` hides every error: name the one meant."
            elif all(isinstance(each, ast.Pass) for each in node.body) and _is_broad(node.type):
                yield "swallowed_error", node.lineno, "Every error is caught here and forgotten."


def _is_broad(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in ("Exception", "BaseException")


def _unused_names(tree: ast.Module) -> Iterator[tuple[str, int, str]]:
    used = {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)
    }
    # What is listed for others in `__all__`, or named in an annotation in quotes, is used too.
    texts = {
        word
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for word in re.findall(r"\w+", node.value)
    }
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from _unused_imports(node, used | texts)
    for function in _functions(tree):
        yield from _unused_locals(function)


def _unused_imports(
    node: ast.Import | ast.ImportFrom, used: set[str]
) -> Iterator[tuple[str, int, str]]:
    if isinstance(node, ast.ImportFrom) and node.module == "__future__":
        return
    for alias in node.names:
        name = (alias.asname or alias.name).split(".")[0]
        if name not in used and name != "*":
            yield "unused_import", node.lineno, f"`{name}` is imported but not used."


def _unused_locals(
    function: ast.FunctionDef | ast.AsyncFunctionDef,
) -> Iterator[tuple[str, int, str]]:
    nodes = list(ast.walk(function))
    shared = {
        n for node in nodes if isinstance(node, ast.Global | ast.Nonlocal) for n in node.names
    }
    read = {n.id for n in nodes if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Store)}
    if "locals" in read:
        return
    for node in nodes:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target = node.targets[0]
        if not isinstance(target, ast.Name) or target.id.startswith("_"):
            continue
        if target.id not in read | shared:
            text = f"`{target.id}` is given a value that is never used."
            yield "unused_name", node.lineno, text


def _deep_blocks(tree: ast.AST) -> Iterator[tuple[str, int, str]]:
    for function in _functions(tree):
        line = _deeper(function.body, 0)
        if line is not None:
            text = f"`{function.name}` is nested more than {DEEP} levels deep here."
            yield "deep_nesting", line, text


def _deeper(body: list[ast.stmt], depth: int) -> int | None:
    for node in body:
        if not isinstance(node, _BLOCKS):
            continue
        if depth >= DEEP:
            return node.lineno
        parts = [getattr(node, name, []) for name in ("body", "orelse", "finalbody")]
        # `elif` is an `if` in the `else`, but reads as the same level.
        chained = (
            isinstance(node, ast.If) and len(parts[1]) == 1 and isinstance(parts[1][0], ast.If)
        )
        for index, part in enumerate(parts):
            found = _deeper(part, depth if chained and index == 1 else depth + 1)
            if found is not None:
                return found
    return None


def _shadowed(tree: ast.AST) -> Iterator[tuple[str, int, str]]:
    common = {"list", "dict", "set", "str", "int", "sum", "max", "min", "len", "input", "tuple"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in common:
            text = f"`{node.id}` covers Python's own `{node.id}`: choose another name."
            yield "shadowed_builtin", node.lineno, text


def _mutable_defaults(tree: ast.AST) -> Iterator[tuple[str, int, str]]:
    for function in _functions(tree):
        defaults = [*function.args.defaults, *(d for d in function.args.kw_defaults if d)]
        if any(isinstance(each, ast.List | ast.Dict | ast.Set) for each in defaults):
            text = f"`{function.name}` has a default that all calls share: use `None` instead."
            yield "mutable_default", function.lineno, text


def _commented_code(source: str) -> Iterator[tuple[str, int, str]]:
    try:
        tokens = list(tokenize.generate_tokens(io.StringIO(source).readline))
    except (tokenize.TokenError, SyntaxError):
        return
    for token in tokens:
        text = token.string.lstrip("#").strip()
        if token.type == tokenize.COMMENT and _CODE.match(text) and _is_code(text):
            yield "commented_code", token.start[0], "Code in a comment: remove it or use it."


def _is_code(text: str) -> bool:
    try:
        tree = ast.parse(text if not text.endswith(":") else f"{text} pass")
    except (SyntaxError, ValueError):
        return False
    return bool(tree.body) and not isinstance(tree.body[0], ast.AnnAssign)
