"""What no linter knows about the sources: who imports whom, how long they are, where SQL stands."""

import ast
import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "paige"
MOST_LINES_OF_A_FILE, MOST_LINES_OF_A_FUNCTION = 600, 80
LINT_IMPORTS = "from importlinter.cli import lint_imports_command as lint; lint()"
IMPORT_ALL = """
import builtins, importlib, json, pkgutil
import paige

MISSING = {"fcntl", "pty", "termios", "resource"}
# These do their work when imported, or are copied elsewhere and find their like beside them.
SCRIPTS = {"paige.__main__", "paige.hooks.entry", "paige.exercise.harness.sources"}
real = builtins.__import__

def like_windows(name, globals=None, locals=None, fromlist=(), level=0):
    # Only for our own modules: asyncio itself needs some of these on Linux.
    if name in MISSING and level == 0 and (globals or {}).get("__name__", "").startswith("paige"):
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return real(name, globals, locals, fromlist, level)

builtins.__import__ = like_windows
names, failures = [], {}
for module in pkgutil.walk_packages(paige.__path__, "paige."):
    if module.name in SCRIPTS:
        continue
    names.append(module.name)
    try:
        importlib.import_module(module.name)
    except Exception as error:
        failures[module.name] = repr(error)
print(json.dumps([names, failures]))
"""


def test_rooms_import_only_what_their_contracts_allow() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LINT_IMPORTS, "--no-cache", "--no-logo"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert f"Contracts: {len(contracts['contracts'])} kept, 0 broken." in done.stdout, done.stdout
    assert done.returncode == 0


def test_every_module_can_be_imported_without_the_modules_windows_lacks() -> None:
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    names, failures = json.loads(done.stdout.splitlines()[-1])
    assert failures == {}
    assert {"paige.base.platform", "paige.store.engine"} <= set(names)


def test_no_source_file_and_no_function_is_too_long() -> None:
    sizes = {name: len(text.splitlines()) for name, text in sources().items()}
    assert {name: size for name, size in sizes.items() if size > MOST_LINES_OF_A_FILE} == {}
    functions = {name: long_functions(text) for name, text in sources().items()}
    assert {name: each for name, each in functions.items() if each} == {}


def test_sql_stands_only_in_queries_migrations_and_the_store() -> None:
    wrong = {
        name: names
        for name, text in sources().items()
        if not name.startswith("store/") and not name.endswith("queries.py")
        if (names := sql_imports(text))
    }
    assert wrong == {}


def test_a_long_function_would_be_seen() -> None:
    body = "    x = 1\n" * MOST_LINES_OF_A_FUNCTION
    assert long_functions(f"def short():\n{body[:-10]}\n\nasync def long():\n{body}") == ["long"]


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("from sqlalchemy import Connection, Engine, select\n", ["select"]),
        ("from sqlalchemy.sql import text as t\n", ["text"]),
        ("import sqlalchemy as sa\n", ["sqlalchemy"]),
        ("import sqlite3, psycopg\n", ["sqlite3", "psycopg"]),
        ("def late():\n    from sqlalchemy import insert\n", ["insert"]),
        ("from sqlalchemy import Column, Text\ntext = 'select'\n", []),
    ],
)
def test_sql_in_the_wrong_place_would_be_seen(source: str, names: list[str]) -> None:
    assert sql_imports(source) == names


def sources() -> dict[str, str]:
    """Every source file by its path inside the package."""
    files = sorted(SOURCE.rglob("*.py"))
    assert len(files) > 20
    return {path.relative_to(SOURCE).as_posix(): path.read_text("utf-8") for path in files}


def long_functions(source: str) -> list[str]:
    """Names of the functions with more lines than allowed, decorators not counted."""
    return [
        node.name
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or node.lineno) - node.lineno + 1 > MOST_LINES_OF_A_FUNCTION
    ]


def sql_imports(source: str) -> list[str]:
    """Imported names that are only good for writing SQL."""
    words = {"text", "select", "insert", "update", "delete", "union", "literal_column"}
    found: list[str] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "sqlalchemy":
            found += [alias.name for alias in node.names if alias.name in words]
        if isinstance(node, ast.Import):
            drivers = ("sqlalchemy", "sqlite3", "psycopg")
            found += [each.name for each in node.names if each.name.split(".")[0] in drivers]
    return found
