"""Whether some Python keeps to a constraint of a kata, as far as its syntax tells.

A constraint is a sentence such as "Without loops" or "Use a generator"; the words say what to look
for. What cannot be told from the syntax is left to whoever reviews.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

from paige.base import python_source

Check = Callable[[ast.Module, str], bool]
_NOT = r"(?:\bno\b|\bnot\b|n't\b|\bwithout\b|\bavoid(?:ing)?\b|\bnever\b|\bforbid\w*)"
_NAMED = re.compile(r"`([\w.]+)(?:\(\))?`")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the syntax says about one constraint: kept, broken, or nothing."""

    title: str
    kept: bool | None


class _Rule(NamedTuple):
    words: re.Pattern[str]
    check: Check


def check_constraint(code: str, title: str, description: str) -> Verdict:
    """Whether code keeps to a constraint."""
    try:
        tree = python_source.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Verdict(title, None)
    said = f"{title}. {description}".casefold()
    found = [rule.check(tree, said) for rule in _RULES if rule.words.search(said)]
    found += list(_named(tree, f"{title}. {description}"))
    return Verdict(title, all(found) if found else None)


def _named(tree: ast.Module, said: str) -> Iterator[bool]:
    """Names in backticks: forbidden after a "not", asked for after "use"."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    used |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    used |= _imported(tree)
    for sentence in re.split(r"(?<=[.;:])\s+", said):
        names = [name.rpartition(".")[2] for name in _NAMED.findall(sentence)]
        plain = [name for name in names if name not in _KEYWORDS]
        if not plain:
            continue
        before = sentence[: sentence.index("`")].casefold()
        if re.search(_NOT, before):
            yield not used.intersection(plain)
        elif re.search(r"\buse\b|\busing\b|\bwith\b", before):
            yield bool(used.intersection(plain))


_KEYWORDS = {"for", "while", "if", "yield", "return", "def", "class", "lambda", "None", "import"}


def _imported(tree: ast.Module) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(alias.name for alias in node.names)}
    return names


def _has(tree: ast.Module, *kinds: type[ast.AST]) -> bool:
    return any(isinstance(node, kinds) for node in ast.walk(tree))


def _functions(tree: ast.Module) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
    return [node for node in ast.walk(tree) if isinstance(node, _FUNCTIONS)]


def _no_loops(tree: ast.Module, said: str) -> bool:
    if _has(tree, ast.For, ast.While, ast.AsyncFor):
        return False
    return "comprehension" not in said or not _has(tree, *_COMPREHENSIONS)


def _one_loop(tree: ast.Module, _: str) -> bool:
    loops = (ast.For, ast.While, ast.AsyncFor, ast.comprehension)
    return sum(isinstance(node, loops) for node in ast.walk(tree)) <= 1


def _recurses(tree: ast.Module) -> bool:
    for function in _functions(tree):
        for node in ast.walk(function):
            is_call = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if is_call and node.func.id == function.name:  # type: ignore[attr-defined]
                return True
    return False


def _annotated(tree: ast.Module, _: str) -> bool:
    for function in _functions(tree):
        given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        bare = [each for each in given if each.annotation is None and each.arg not in _OWN]
        if bare or function.returns is None:
            return False
    return bool(_functions(tree))


_OWN = {"self", "cls"}


def _no_default_objects(tree: ast.Module, _: str) -> bool:
    mutable = (ast.List, ast.Dict, ast.Set)
    return not any(
        isinstance(default, mutable)
        for function in _functions(tree)
        for default in (*function.args.defaults, *function.args.kw_defaults)
    )


def _caught_by_name(tree: ast.Module, _: str) -> bool:
    handlers = [node for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)]
    return all(each.type is not None for each in handlers)


def _rule(words: str, check: Check) -> _Rule:
    return _Rule(re.compile(words), check)


def _uses(words: str, *kinds: type[ast.AST]) -> tuple[_Rule, _Rule]:
    """Two rules: the thing is forbidden, or it is asked for."""
    no = rf"{_NOT}[^.;]{{0,40}}(?<!\w)(?:{words})"
    wants = r"\b(?:use|using|with|as|write|by|make|return)\b"
    yes = rf"^(?!.*{no}).*{wants}[^.;]{{0,40}}(?<!\w)(?:{words})"
    return (
        _rule(no, lambda tree, _: not _has(tree, *kinds)),
        _rule(yes, lambda tree, _: _has(tree, *kinds)),
    )


_RULES: tuple[_Rule, ...] = (
    _rule(rf"{_NOT}[^.;]{{0,40}}(?<!\w)(?:loops?|`for`|`while`|iteration statements)", _no_loops),
    _rule(r"\b(?:one|a single|only one) (?:loop|pass)\b", _one_loop),
    _rule(rf"{_NOT}[^.;]{{0,40}}\brecurs", lambda tree, _: not _recurses(tree)),
    _rule(
        rf"^(?!.*{_NOT}[^.;]{{0,40}}\brecurs).*\brecurs(?:ion|ive|ively)\b",
        lambda tree, _: _recurses(tree),
    ),
    _rule(rf"^(?!.*{_NOT}).*\b(?:type (?:hints?|annotations?)|annotate)\b", _annotated),
    _rule(rf"{_NOT}[^.;]{{0,40}}\bimport|\bstandard names only\b", lambda t, _: not _imported(t)),
    _rule(rf"{_NOT}[^.;]{{0,40}}\bmutable default", _no_default_objects),
    _rule(rf"{_NOT}[^.;]{{0,40}}\bbare `?except", _caught_by_name),
    *_uses("comprehensions?", *_COMPREHENSIONS),
    *_uses("generators?|`yield`|yield", ast.Yield, ast.YieldFrom, ast.GeneratorExp),
    *_uses("lambdas?", ast.Lambda),
    *_uses("classes|class", ast.ClassDef),
    *_uses("`if`|if statements?|conditionals?", ast.If, ast.IfExp),
    *_uses("`try`|exceptions handlers?", ast.Try),
    *_uses("context managers?|`with`", ast.With, ast.AsyncWith),
    *_uses("global(?:s| variables?)?|`global`", ast.Global, ast.Nonlocal),
    *_uses("`match`|pattern matching", ast.Match),
)
