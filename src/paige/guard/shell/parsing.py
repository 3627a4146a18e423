"""From a command line to the commands in it, by a real parser of the shell's grammar.

The tree is read twice, and the two readings are never mixed: one collects every command it finds
anywhere, also in parts that are broken, and may only add to what is forbidden; the other proves
that nothing but well-known grammar is there, and only what it proves may be allowed. The parser
silently loses commands in a few places (backticks, `time`, `coproc`, odd assignments, escaped
spaces): those are looked for in the text itself.
"""

import sys

from paige.guard.fast.system import add_packages
from paige.guard.shell.reading import Reader
from paige.guard.shell.script import Script

MOST_SIGNS = 10_000
MOST_DEPTH = 32
_parsers: list = []

# Grammar that says all it does; what is not here is never allowed without a question.
_CLEAN = frozenset((
    "program", "command", "command_name", "word", "string", "string_content", "raw_string",
    "number", "concatenation", "simple_expansion", "expansion", "variable_name",
    "special_variable_name", "command_substitution", "process_substitution", "pipeline", "list",
    "subshell", "compound_statement", "redirected_statement", "file_redirect", "file_descriptor",
    "heredoc_redirect", "heredoc_start", "heredoc_body", "heredoc_content", "heredoc_end",
    "herestring_redirect", "variable_assignment", "comment", "negated_command", "test_command",
    "unary_expression", "binary_expression", "test_operator", "parenthesized_expression",
    "if_statement", "elif_clause", "else_clause", "for_statement", "while_statement", "do_group",
    "case_statement", "case_item", "extglob_pattern", "ansi_c_string", "arithmetic_expansion",
    "regex", "brace_expression", "declaration_command",
))  # fmt: skip


def load_parser() -> None:
    """Make the parser ready, also in a process that started without any packages."""
    if _parsers:
        return
    if "site" not in sys.modules:
        add_packages()
    import tree_sitter_bash  # noqa: PLC0415 - most commands do without it
    from tree_sitter import Language, Parser  # noqa: PLC0415

    _parsers.append(Parser(Language(tree_sitter_bash.language())))


def parse(command: str, known: dict[str, str]) -> Script:
    """What a command line would run. `known` are variables and their values."""
    load_parser()
    command = continued(command)
    root = _tree(command)
    reader = Reader(known)
    reader.read(root)
    for inner in backticked(command):
        reader.read(_tree(inner))
    why = unclean(root) or _odd_text(command) or reader.why
    return Script(tuple(reader.simples), not why, why, tuple(reader.set.items()))


def continued(command: str) -> str:
    """A command with its continued lines joined, as a shell reads them."""
    if "\\\n" not in command:
        return command
    made: list[str] = []
    at, single = 0, False
    while at < len(command):
        sign = command[at]
        if sign == "\\" and not single:
            if command[at + 1 : at + 2] != "\n":
                made.append(command[at : at + 2])
            at += 2
            continue
        if sign == "'":
            single = not single
        made.append(sign)
        at += 1
    return "".join(made)


def unclean(node) -> str:
    """The first thing below a node that is not well-known grammar; empty when there is none."""
    stack = [node]
    while stack:
        each = stack.pop()
        if each.is_named and each.type not in _CLEAN:
            return each.type
        if each.is_missing:
            return f"a missing {each.type}"
        stack.extend(each.children)
    return "an error" if node.has_error else ""


def backticked(command: str) -> list[str]:
    """The commands between backticks, which the parser loses where two stand side by side."""
    if "`" not in command:
        return []
    found: list[str] = []
    begun = -1
    at, single = 0, False
    while at < len(command):
        sign = command[at]
        if sign == "\\" and not single:
            at += 2
            continue
        if sign == "'" and begun < 0:
            single = not single
        elif sign == "`" and not single:
            if begun >= 0:
                found.append(command[begun:at].replace("\\`", "`"))
            begun = at + 1 if begun < 0 else -1
        at += 1
    if begun >= 0:
        found.append(command[begun:])
    return found


def _tree(command: str):
    return _parsers[0].parse(command.encode("utf-8", "replace")).root_node


def _odd_text(command: str) -> str:
    """What the parser is known to lose without a word."""
    if "`" in command:
        return "backticks"
    if "\\ " in command or "\\\t" in command:
        return "an escaped space"
    return ""
