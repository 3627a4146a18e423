"""Collects the commands of a syntax tree, with every word as far as it is known beforehand.

It finds commands anywhere: in substitutions, bodies of functions and loops, broken parts. What it
finds may only add to what is forbidden. Built-in modules only; nodes come from the parser.
"""

from paige.guard.shell.expanding import (
    SPLIT,
    ansi_quoted,
    double_quoted,
    fields_of,
    splitting,
    unquoted,
)
from paige.guard.shell.outputs import output_of
from paige.guard.shell.script import UNKNOWN, Simple

MOST_DEPTH = 40
MOST_SIMPLES = 2000
_MOST_ROUNDS = 8
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_REDIRECTS = ("file_redirect", "heredoc_redirect", "herestring_redirect")
_SUBSTITUTIONS = ("command_substitution", "process_substitution")


class Reader:
    """Reads one tree. `why` says what makes its findings incomplete."""

    __slots__ = ("depth", "known", "positional", "set", "simples", "why")

    def __init__(self, known: dict[str, str]) -> None:
        self.known = dict(known)
        self.set: dict[str, str] = {}
        self.positional: list[str] | None = None
        self.simples: list[Simple] = []
        self.why = ""
        self.depth = 0

    def read(self, node, stdin: str = "", feeds: tuple = ()) -> str:
        """Read everything below a node; what it prints, as far as that is known."""
        if self.depth > MOST_DEPTH or len(self.simples) > MOST_SIMPLES:
            self.why = "it is nested too deeply or too long"
            return UNKNOWN
        self.depth += 1
        try:
            reading = _READINGS.get(node.type)
            if reading is not None:
                return reading(self, node, stdin, feeds)
            said = ""
            for child in node.named_children:
                said = self.read(child, stdin, feeds)
            return said if node.type in ("program", "subshell", "compound_statement") else UNKNOWN
        finally:
            self.depth -= 1

    def command(self, node, stdin: str, feeds: tuple, redirects: tuple = ()) -> str:
        """Read one command with what is redirected."""
        words: list[str] = []
        assigns: list[tuple[str, str]] = []
        more = list(redirects)
        for child in node.children:
            kind = child.type
            if kind == "variable_assignment":
                assigns.append(self.assignment(child))
            elif kind == "command_name":
                words += self.fields(child.children[0]) if child.children else []
            elif kind in _REDIRECTS:
                stdin = self.redirect(child, more, stdin)
            elif child.is_named and kind != "comment":
                words += self.fields(child)
            elif kind not in ("(", ")") and not child.is_named:
                words += fields_of(unquoted(_text(child)))
        if not words:
            self.set.update(assigns)
            self.known.update(assigns)
            if not more:
                return ""
        simple = Simple(tuple(words), tuple(assigns), tuple(more), stdin, feeds)
        self.simples.append(simple)
        self._remember(simple)
        return output_of(simple)

    def redirected(self, node, stdin: str, feeds: tuple) -> str:
        """Read a statement with redirections, which may be any statement."""
        redirects: list[tuple[str, str]] = []
        body = None
        rest = []
        for child in node.children:
            if child.type in _REDIRECTS:
                stdin = self.redirect(child, redirects, stdin)
                rest += [each for each in child.named_children if _continues(each)]
            elif child.is_named and body is None:
                body = child
        if body is not None and body.type == "command":
            said = self.command(body, stdin, feeds, tuple(redirects))
        else:
            said = self.read(body, stdin, feeds) if body is not None else ""
            self.simples.append(Simple((), (), tuple(redirects), stdin, feeds))
        feed = feeds + (self._last_words() or ((),))
        for each in rest:  # a heredoc's line may go on with a pipe
            said = self.read(each, said, feed)
        return said

    def pipeline(self, node, stdin: str, feeds: tuple) -> str:
        """Read commands that feed each other."""
        said = stdin
        for child in node.named_children:
            if child.type == "comment":
                continue
            before = len(self.simples)
            said = self.read(child, said, feeds)
            feeds = feeds + tuple(each.words for each in self.simples[before:])
        return said

    def loop(self, node, stdin: str, feeds: tuple) -> str:
        """Read a loop over words once for each of them."""
        variable = node.child_by_field_name("variable")
        body = node.child_by_field_name("body")
        values = [
            field
            for child in node.named_children
            if child not in (variable, body)
            for field in self.fields(child)
        ]
        name = _text(variable) if variable is not None else ""
        for value in values[:_MOST_ROUNDS] or [UNKNOWN]:
            self.known[name] = value
            if body is not None:
                self.read(body, stdin, feeds)
        self.known[name] = UNKNOWN
        return UNKNOWN

    def declaration(self, node, stdin: str, feeds: tuple) -> str:
        """Read `export`, `declare` and their like."""
        words: list[str] = []
        for child in node.children:
            if child.type == "variable_assignment":
                name, value = self.assignment(child)
                self.known[name] = self.set[name] = value
                words.append(f"{name}={value}")
            elif child.is_named:
                words += self.fields(child)
            else:
                words.append(_text(child))
        self.simples.append(Simple(tuple(words), (), (), stdin, feeds))
        return ""

    def statement_assignment(self, node, stdin: str, feeds: tuple) -> str:
        """Read an assignment that stands alone."""
        name, value = self.assignment(node)
        self.known[name] = self.set[name] = value
        return ""

    def assignment(self, node) -> tuple[str, str]:
        """The name and the value of an assignment."""
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        key = _text(name) if name is not None else ""
        appended = any(child.type == "+=" for child in node.children)
        if value is None:
            text = ""
        elif value.type == "array":
            items = [field for each in value.named_children for field in self.fields(each)]
            text = SPLIT.join(items)
            key = f"{key}[@]"
        else:
            text = self.text(value, quoted=True)
        if "[" in key and not key.endswith("[@]"):
            self.words_below(name)
        return key, self.known.get(key, "") + text if appended else text

    def redirect(self, node, redirects: list[tuple[str, str]], stdin: str) -> str:
        """Take in one redirection; what goes in afterwards."""
        if node.type == "herestring_redirect":
            return "".join(self.text(each, quoted=True) for each in node.named_children) + "\n"
        if node.type == "heredoc_redirect":
            for child in node.named_children:
                if child.type in _REDIRECTS:
                    stdin = self.redirect(child, redirects, stdin)
            return self._heredoc(node)
        operator = "".join(_text(each) for each in node.children if not each.is_named)
        target = node.child_by_field_name("destination")
        before = len(self.simples)
        fields = self.fields(target) if target is not None else [""]
        for field in fields or [""]:
            redirects.append((operator, field))
        if operator == "<":
            inner = target is not None and target.type == "process_substitution"
            return self._said_since(before) if inner else UNKNOWN
        return stdin

    def fields(self, node) -> list[str]:
        """The words a node becomes."""
        return fields_of(self.text(node))

    def words_below(self, node) -> None:
        """Read the substitutions below a node, whatever else it is."""
        for child in node.named_children:
            if child.type in _SUBSTITUTIONS:
                self.text(child)
            else:
                self.words_below(child)

    def text(self, node, *, quoted: bool = False) -> str:
        """The text of a node, with marks where it splits or is unknown."""
        kind = node.type
        plain = _PLAIN.get(kind)
        if plain is not None:
            return plain(_text(node))
        if kind == "word":
            return self._tilde(unquoted(_text(node)))
        if kind in ("string", "translated_string"):
            return self._string(node)
        if kind in ("concatenation", "command_name", "heredoc_body"):
            return self._parts(node, quoted=quoted)
        if kind == "simple_expansion":
            return self._value(_text(node)[1:], quoted=quoted)
        if kind == "expansion":
            return self._expansion(node, quoted=quoted)
        if kind == "command_substitution":
            said = self._inside(node).rstrip("\n")
            return said if quoted else splitting(said)
        if kind == "process_substitution":
            self._inside(node)
        else:
            self.words_below(node)
        return UNKNOWN

    def _parts(self, node, *, quoted: bool) -> str:
        """Nodes side by side; what stands between them counts too."""
        made = []
        for child in node.children:
            if child.is_named:
                made.append(self.text(child, quoted=quoted))
            else:
                made.append(unquoted(_text(child)))
        return self._tilde("".join(made))

    def _string(self, node) -> str:
        made = []
        at = node.start_byte + 1
        whole = node.text
        for child in node.named_children:
            gap = whole[at - node.start_byte : child.start_byte - node.start_byte]
            made.append(double_quoted(gap.decode("utf-8", "replace")))
            made.append(self.text(child, quoted=True))
            at = child.end_byte
        gap = whole[at - node.start_byte : len(whole) - 1]
        made.append(double_quoted(gap.decode("utf-8", "replace")))
        return "".join(made)

    def _value(self, name: str, *, quoted: bool) -> str:
        if name in ("@", "*") and self.positional is not None:
            return SPLIT.join(self.positional)
        value = self.known.get(name)
        if value is None:
            value = self.known.get(f"{name}[@]", UNKNOWN).partition(SPLIT)[0]
        return value if quoted else splitting(value)

    def _expansion(self, node, *, quoted: bool) -> str:
        self.words_below(node)
        inner = _text(node)[2:-1]
        end = 0
        while end < len(inner) and inner[end] in _NAME:
            end += 1
        name, rest = inner[:end], inner[end:]
        if not rest:
            return self._value(name, quoted=quoted)
        if rest in ("[@]", "[*]"):
            return self.known.get(f"{name}[@]", UNKNOWN)
        if rest.startswith("@"):
            self.why = "an expansion that runs code"
            return UNKNOWN
        known = self.known.get(name, "")
        for mark in (":-", ":=", "-", "="):
            if rest.startswith(mark):
                value = known or _bare(rest[len(mark) :])
                return value if quoted else splitting(value)
        for mark in (":+", "+"):
            if rest.startswith(mark):
                value = _bare(rest[len(mark) :])
                return value if quoted else splitting(value)
        return UNKNOWN

    def _inside(self, node) -> str:
        """Read a substitution; what it prints."""
        before = dict(self.known)
        said = ""
        for child in node.named_children:
            said = self.read(child)
        self.known = before  # a subshell cannot set variables outside
        return said

    def _said_since(self, before: int) -> str:
        found = self.simples[before:]
        return output_of(found[-1]) if found else UNKNOWN

    def _heredoc(self, node) -> str:
        start = next((each for each in node.named_children if each.type == "heredoc_start"), None)
        body = next((each for each in node.named_children if each.type == "heredoc_body"), None)
        if body is None:
            return ""
        raw = start is not None and any(sign in _text(start) for sign in "'\"\\")
        if raw:
            return _text(body)
        return self._body(body)

    def _body(self, node) -> str:
        if not node.named_children:
            return _text(node)
        made = []
        at = node.start_byte
        for child in node.named_children:
            made.append(node.text[at - node.start_byte : child.start_byte - node.start_byte])
            made.append(self.text(child, quoted=True).encode("utf-8", "replace"))
            at = child.end_byte
        made.append(node.text[at - node.start_byte :])
        return b"".join(made).decode("utf-8", "replace")

    def _tilde(self, text: str) -> str:
        if text == "~" or text.startswith("~/"):
            return self.known.get("HOME", "~") + text[1:]
        return text

    def _last_words(self) -> tuple:
        return (self.simples[-1].words,) if self.simples else ()

    def _remember(self, simple: Simple) -> None:
        """What later commands know by this one."""
        words = simple.words
        if words[:2] == ("set", "--"):
            self.positional = list(words[2:])
        elif words[:1] == ("read",) and len(words) > 1:
            self.known[words[-1]] = simple.stdin.strip() or UNKNOWN
        elif words[:2] == ("printf", "-v") and len(words) > 3:
            self.known[words[2]] = UNKNOWN
        elif words[:1] == ("unset",):
            for name in words[1:]:
                self.known.pop(name, None)


def _continues(node) -> bool:
    return node.type in ("pipeline", "list", "command", "redirected_statement")


def _text(node) -> str:
    return node.text.decode("utf-8", "replace")


def _bare(text: str) -> str:
    return text.replace('"', "").replace("'", "")


_PLAIN = {
    "number": str,
    "heredoc_content": str,
    "file_descriptor": str,
    "raw_string": lambda text: text[1:-1],
    "ansi_c_string": lambda text: ansi_quoted(text[2:-1]),
    "string_content": double_quoted,
}
_READINGS = {
    "command": Reader.command,
    "redirected_statement": Reader.redirected,
    "pipeline": Reader.pipeline,
    "for_statement": Reader.loop,
    "declaration_command": Reader.declaration,
    "unset_command": Reader.declaration,
    "variable_assignment": Reader.statement_assignment,
}
