"""From a command line to the commands in it, by a real parser of the shell's grammar.

The tree is read twice, and the two readings are never mixed: one collects every command it finds
anywhere, also in parts that are broken, and may only add to what is forbidden; the other proves
that nothing but well-known grammar is there, and only what it proves may be allowed. The parser
silently loses commands in a few places (backticks, `time`, `coproc`, odd assignments, escaped
spaces): those are looked for in the text itself.
"""

import sys

from paige.guard.fast.jsonic import lists_of
from paige.guard.fast.system import add_packages, system
from paige.guard.shell.expansion import STAND_IN
from paige.guard.shell.reader import Reader
from paige.guard.shell.script import UNKNOWN, Script

_parsers: list = []

# Grammar that says all it does; what is not here is never allowed without a question.
_CLEAN = frozenset(lists_of("parser")["clean"])
# Text that no shell expands: nothing in it is a command.
_RAW = ("raw_string", "comment", "ansi_c_string")
_BEFORE_WORD = frozenset(" \t\n;&|(`{")


_UNNAMED = "PAIGE_UNNAMED"


def load_parser() -> None:
    """Make the parser ready, also in a process that started without any packages."""
    if _parsers:
        return
    if "site" not in sys.modules:
        add_packages()
    binding, grammar = _bindings()
    _parsers.append(binding.Parser(binding.Language(grammar.language())))


def parse(
    command: str,
    known: dict[str, str],
    cwds: tuple[str, ...] = (),
    positional: list[str] | None = None,
    first_file: int = 1000,
) -> tuple[Script, dict[str, tuple[str, tuple]]]:
    """What a command line would run, and what the files hold that it writes.

    `known` are variables and their values, `cwds` the folders it may start in.
    """
    load_parser()
    command = unnamed_heredoc(continued(command)).replace(UNKNOWN, STAND_IN)
    root = _tree(command)
    reader = Reader(known, cwds)
    reader.positional = positional
    reader.first_file = first_file
    reader.read(root)
    if "$IFS" in command or "${IFS}" in command:
        # The parser loses words joined by it; a shell sees spaces.
        reader.read(_tree(command.replace("${IFS}", " ").replace("$IFS", " ")))
    broken = root.has_error and _read_roughly(command, reader)
    why = unclean(root) or reader.why
    lost = ""
    if "`" in command:
        lost = _lost_backticks(command, root, reader)
    why = why or lost or _odd_text(command)
    if not why and reader.outside:
        why = f"the value of `{reader.outside}` comes from outside"
    script = Script(
        tuple(reader.simples), not why, why, tuple(reader.set.items()), reader.refused,
        broken,
    )  # fmt: skip
    return script, reader.files


def _read_roughly(command: str, reader: Reader) -> bool:
    """Read the pieces of a text that is broken, each by itself; whether a quote never closes."""
    from paige.guard.shell.fallback_split import is_closed, pieces  # noqa: PLC0415 - few are broken

    for piece in pieces(command):
        reader.read(_tree(piece))
    return not is_closed(command)


def continued(command: str) -> str:
    """A command with its continued lines joined, as a shell reads them."""
    if "\\\n" not in command:
        return command
    made: list[str] = []
    at, single, double = 0, False, False
    while at < len(command):
        sign = command[at]
        if sign == "\\" and not single:
            if command[at + 1 : at + 2] != "\n":
                made.append(command[at : at + 2])
            at += 2
            continue
        if sign == "'" and not double:
            single = not single
        elif sign == '"' and not single:
            double = not double
        made.append(sign)
        at += 1
    return "".join(made)


def unnamed_heredoc(command: str) -> str:
    """A heredoc that ends at an empty line, given a name that the parser knows."""
    for mark in ('<<""', "<<''", '<< ""', "<< ''"):
        before, found, rest = command.partition(mark)
        line, newline, body = rest.partition("\n")
        if found and newline:
            text, ended, after = f"\n{body}".partition("\n\n")
            tail = f"\n{after}" if ended else ""
            return f"{before}<<'{_UNNAMED}'{line}{text}\n{_UNNAMED}{tail}"
    return command


def unclean(node) -> str:
    """The first thing below a node that is not well-known grammar; empty when there is none."""
    if node.has_error:
        return "an error"
    stack = [node]
    while stack:
        each = stack.pop()
        kind = each.type
        if kind not in _CLEAN and not (kind == "subscript" and _whole(each)):
            return kind
        stack += each.named_children
    return ""


def backticked(command: str) -> list[str]:
    """The commands between backticks, which the parser loses where two stand side by side."""
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


def _lost_backticks(command: str, root, reader: Reader) -> str:
    """Read what is between backticks outside raw text; why something may be lost there."""
    raw, seen = _raw_ranges(root)
    data = bytearray(command.encode("utf-8", "replace"))
    for start, end in raw:
        data[start:end] = b" " * (end - start)
    blanked = data.decode("utf-8", "replace")
    inners = backticked(blanked)
    if len(inners) == seen and not any("`" in each for each in inners):
        return ""
    for inner in inners:
        reader.read(_tree(inner))
    if len(blanked) == len(command):
        reader.read(_tree(_modern(command, blanked)))
    return "backticks"


def _modern(command: str, blanked: str) -> str:
    """A command with `$(…)` in the place of backticks; `blanked` is without raw text."""
    made: list[str] = []
    within = False
    at = 0
    while at < len(command):
        sign = command[at]
        if blanked[at] == "\\" and at + 1 < len(command):
            made.append(
                command[at + 1] if within and command[at + 1] == "`" else command[at : at + 2]
            )
            at += 2
            continue
        if sign == "`" and blanked[at] == "`":
            made.append(")" if within else "$(")
            within = not within
        else:
            made.append(sign)
        at += 1
    return "".join(made)


def _raw_ranges(root) -> tuple[list[tuple[int, int]], int]:
    """Where text is that no shell expands, and how many backticked commands the parser saw."""
    raw: list[tuple[int, int]] = []
    seen = 0
    stack = [root]
    while stack:
        each = stack.pop()
        kind = each.type
        if kind in _RAW:
            raw.append((each.start_byte, each.end_byte))
            continue
        if kind == "heredoc_redirect":
            raw += _quoted_body(each)
        elif kind == "command_substitution" and each.children[0].type == "`":
            seen += 1
        stack += each.named_children
    return raw, seen


def _quoted_body(node) -> list[tuple[int, int]]:
    quoted = False
    found = []
    for child in node.named_children:
        if child.type == "heredoc_start":
            quoted = any(sign in child.text for sign in (b"'", b'"', b"\\"))
        elif child.type == "heredoc_body" and quoted:
            found.append((child.start_byte, child.end_byte))
    return found


def _whole(node) -> bool:
    """Whether a subscript takes all items or one with a number."""
    index = node.text.rpartition(b"[")[2][:-1]
    return index in (b"@", b"*") or index.isdigit()


def _bindings() -> tuple:
    """The compiled parts of the parser and of the grammar.

    Their packages import much more than they need, which takes longer than parsing: the compiled
    parts are loaded as they are, and the packages only where those cannot be found.
    """
    made = []
    for package in ("tree_sitter", "tree_sitter_bash"):
        path = _compiled(package)
        if not path:
            break
        spec = type(sys.__spec__)(f"{package}._binding", None, origin=path)
        _imp = __import__("_imp")
        module = _imp.create_dynamic(spec)
        _imp.exec_dynamic(module)
        made.append(module)
    if len(made) == 2:
        return tuple(made)
    import tree_sitter  # noqa: PLC0415 - most commands do without it
    import tree_sitter_bash  # noqa: PLC0415

    return tree_sitter, tree_sitter_bash


def _compiled(package: str) -> str:
    for folder in sys.path:
        for suffix in __import__("_imp").extension_suffixes():
            path = f"{folder}/{package}/_binding{suffix}"
            try:
                system.stat(path)
            except (OSError, ValueError):
                continue
            return path
    return ""


def _tree(command: str):
    return _parsers[0].parse(command.encode("utf-8", "replace")).root_node


def _odd_text(command: str) -> str:
    """What the parser is known to lose without a word."""
    for mark in ("\\ ", "\\\t"):
        at = command.find(mark)
        while at >= 0:
            if at == 0 or command[at - 1] in _BEFORE_WORD:
                return "an escaped space before a word"
            at = command.find(mark, at + 1)
    return ""
