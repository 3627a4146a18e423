"""Reads the files of an exercise before any of them runs: can they be read, how are they?"""

import ast
import importlib.util
from pathlib import Path

import quality  # type: ignore[reportMissingImports] - beside this file, wherever that is


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
            remarks += [[name, line, kind, said] for kind, line, said in quality.remarks(text)]
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
