"""Collects the commands of a syntax tree, with every word as far as it is known beforehand.

It finds commands anywhere: in substitutions, bodies of functions and loops, broken parts. What it
finds may only add to what is forbidden. Where a line may go two ways, what both ways leave alike is
known afterwards, and nothing else. Built-in modules only; nodes come from the parser.
"""

from paige.guard.shell.expansion import LONGEST_VALUE, ShellState, text_of
from paige.guard.shell.fallback_split import cut
from paige.guard.shell.outputs import output_of
from paige.guard.shell.quotes import SPLIT, fields_of, unquoted
from paige.guard.shell.script import UNKNOWN, Simple

MOST_DEPTH = 40
MOST_SIMPLES = 1000
MOST_READS = 8000
_MOST_ROUNDS = 40
_SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "ash", "fish")
_FETCHING = ("curl", "wget", "http", "xh", "nc", "ssh")
_MOST_FEEDS = 40
_MOST_SAID = 20_000
_REDIRECTS = ("file_redirect", "heredoc_redirect", "herestring_redirect")
_GOING_ON = ("pipeline", "list", "command", "redirected_statement", "subshell", "negated_command")
_SILENT = ("comment", "variable_name", "heredoc_start", "heredoc_end", "file_descriptor")


class _Ends:
    """What is redirected at one statement, and words that stand between redirections."""

    __slots__ = ("on", "redirects", "words")

    def __init__(self) -> None:
        self.redirects: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.on: list = []


class Reader(ShellState):
    """Reads one tree. `why` says what makes its findings incomplete."""

    __slots__ = ("calling", "depth", "functions", "origins", "reads", "refused")

    def __init__(self, known: dict[str, str], cwds: tuple[str, ...] = ()) -> None:
        super().__init__(known, cwds)
        self.functions: dict[str, object] = {}
        self.calling: list[str] = []
        self.origins: dict[str, tuple] = {}  # the commands whose output a variable holds
        self.refused = ""
        self.depth = 0
        self.reads = 0

    def read(self, node, stdin: str = "", feeds: tuple = ()) -> str:
        """Read everything below a node; what it prints, as far as that is known."""
        self.reads += 1
        if self.depth > MOST_DEPTH or len(self.simples) > MOST_SIMPLES or self.reads > MOST_READS:
            self.why = "it is nested too deeply or too long"
            return UNKNOWN
        self.depth += 1
        try:
            reading = _READINGS.get(node.type)
            if reading is not None:
                return reading(self, node, stdin, feeds)
            for child in node.named_children:
                self.read(child, stdin, feeds)
            return UNKNOWN
        finally:
            self.depth -= 1

    def block(self, node, stdin: str, feeds: tuple) -> str:
        """Read statements after each other."""
        said = ""
        children = node.children
        for at, child in enumerate(children):
            if not child.is_named or child.type in _SILENT:
                continue
            behind = at + 1 < len(children) and children[at + 1].type == "&"
            if behind and at + 2 < len(children):
                self.why = self.why or "something that goes on beside the rest"
            before, cwds = dict(self.known) if behind else None, self.cwds
            said += self.read(child, stdin, feeds)
            if before is not None:  # it runs beside the others and changes nothing for them
                self.known, self.cwds = before, cwds
            elif self.cwds != cwds:  # a `cd` may fail, and what follows runs all the same
                self.cwds = self._either(cwds, self.cwds)
        return _bounded(said)

    def subshell(self, node, stdin: str, feeds: tuple) -> str:
        """Read statements that change nothing outside."""
        before, cwds = dict(self.known), self.cwds
        said = self.block(node, stdin, feeds)
        self.known, self.cwds = before, cwds
        return said

    def chain(self, node, stdin: str, feeds: tuple) -> str:
        """Read commands joined by `&&` and `||`: after the first, each may be left out."""
        items: list = []
        ways: list[str] = []
        self._flatten(node, items, ways)
        said = self.read(items[0], stdin, feeds)
        before, cwds = dict(self.known), self.cwds
        for way, item in zip(ways, items[1:], strict=False):
            if way == "||":
                self._merge(before, cwds)
            said += self.read(item, stdin, feeds)
        self._merge_known(before)
        if "||" in ways:
            self.cwds = self._either(cwds, self.cwds)
        return said

    def branches(self, node, stdin: str, feeds: tuple) -> str:
        """Read `if` or `case`: one of the ways is taken, or none."""
        ends = ("elif_clause", "else_clause", "case_item")
        for child in node.children:
            if child.type in ends or child.type in ("then", "in"):
                break
            if child.is_named:
                self.read(child, stdin, feeds)
        before, cwds = dict(self.known), self.cwds
        said = ""
        seen = node.type == "case_statement"
        for child in node.children:
            if child.type in ("then", "in"):
                seen = True
            elif child.is_named and seen and child.type in ends:
                after, after_cwds = self.known, self.cwds
                self.known, self.cwds = dict(before), cwds
                said += self.read(child, stdin, feeds)
                self._merge(after, after_cwds)
            elif child.is_named and seen:
                said += self.read(child, stdin, feeds)
        self._merge(before, cwds)
        return said

    def rounds(self, node, stdin: str, feeds: tuple) -> str:
        """Read a loop with a condition: what one round sets, the next one uses."""
        start, cwds = dict(self.known), self.cwds
        if _is_endless(text_of(node)):
            self.refused = "A loop without an end starts processes that stay."
        for turn in range(3):
            before, before_cwds = dict(self.known), self.cwds
            for child in node.named_children:
                self.read(child, stdin, feeds)
            if self.known == before and self.cwds == before_cwds:
                break
            if turn:
                self._merge(before, before_cwds)
        self._merge(start, cwds)
        return UNKNOWN

    def loop(self, node, stdin: str, feeds: tuple) -> str:
        """Read a loop over words once for each of them."""
        variable = node.child_by_field_name("variable")
        body = node.child_by_field_name("body")
        count = len(self.simples)
        values = [
            field
            for child in node.named_children
            if child not in (variable, body)
            for field in self.fields(child)
        ]
        name = text_of(variable) if variable is not None else ""
        fetched = any(each.words and each.words[0] in _FETCHING for each in self.simples[count:])
        if fetched and any(UNKNOWN in each for each in values):
            self.why = self.why or "a loop over words from another machine"
        if len(values) > _MOST_ROUNDS:
            self.why = "a loop over more words than can be looked at"
        start, cwds = dict(self.known), self.cwds
        said = ""
        for value in values[:_MOST_ROUNDS] or [UNKNOWN]:
            self.known[name] = value
            if body is not None:
                said += self.read(body, stdin, feeds)
        self._merge(start, cwds)
        self.known[name] = UNKNOWN
        return _bounded(said)

    def function(self, node, stdin: str, feeds: tuple) -> str:
        """Read the body of a function, and keep it for when it is called."""
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        called = text_of(name) if name is not None else ""
        self.why = self.why or "a function"
        if body is None:
            return ""
        self.functions[called] = body
        if _is_bomb(called, text_of(body)):
            self.refused = "A function that starts itself twice takes the whole machine down."
        before, cwds, given = dict(self.known), self.cwds, self.positional
        self.positional = None  # nobody knows yet what it is called with
        self.calling.append(called)
        self.read(body, stdin, feeds)
        self.calling.pop()
        self.known, self.cwds, self.positional = before, cwds, given
        return ""

    def command(self, node, stdin: str, feeds: tuple, ends: _Ends | None = None) -> str:
        """Read one command with what is redirected."""
        words: list[str] = []
        assigns: list[tuple[str, str]] = []
        ends = ends or _Ends()
        before = len(self.simples)
        for child in node.children:
            kind = child.type
            if kind == "variable_assignment":
                assigns.append(self.assignment(child))
            elif kind in _REDIRECTS:
                stdin = self.redirect(child, ends, stdin)
            elif child.text[:1] == b"\n":
                # The parser takes a line that begins with a backslash for more words.
                self.why = self.why or "a line that begins with a backslash"
                self._ran(words, assigns, _Ends(), stdin, feeds)
                words, assigns, stdin = [], [], ""
                words += [each.lstrip("\n") for each in self.fields(child)]
            else:
                words += self._words_of(child)
        if any(UNKNOWN in word for word in words):
            feeds += self._sources(node, before)
            if assigns:
                self._expected(node, dict(assigns), words, stdin, feeds)
            if self.maybe:
                self._possible(node, words, stdin, feeds)
        elif UNKNOWN in stdin and len(self.simples) > before:
            feeds += self._sources(node, before)  # what goes in comes from these
        return self._ran([*words, *ends.words], assigns, ends, stdin, feeds)

    def _words_of(self, node) -> list[str]:
        """The words of one part of a command."""
        kind = node.type
        if kind == "command_name":
            return self._name(node)
        if node.is_named:
            return self.fields(node) if kind != "comment" else []
        if kind == "$":
            self.why = self.why or "a dollar sign in an odd place"
        return [] if kind in ("(", ")") else fields_of(unquoted(text_of(node)))

    def redirected(self, node, stdin: str, feeds: tuple) -> str:
        """Read a statement with redirections, which may be any statement."""
        ends = _Ends()
        body = None
        before = len(self.simples)
        for child in node.children:
            if child.type in _REDIRECTS:
                stdin = self.redirect(child, ends, stdin)
            elif child.is_named and body is None:
                body = child
        if UNKNOWN in stdin and (self.origins or len(self.simples) > before):
            feeds += self._sources(node, before)
        if body is not None and body.type in ("command", "variable_assignment"):
            reading = self.command if body.type == "command" else self._assigned_to
            said = reading(body, stdin, feeds, ends)
        else:
            said = self.read(body, stdin, feeds) if body is not None else ""
            redirects = tuple(ends.redirects)
            self.simples.append(Simple(tuple(ends.words), (), redirects, stdin, feeds, self.cwds))
            if any(">" in operator for operator, _ in redirects):
                self._keep(redirects, said, feeds)
                said = ""
        feed = feeds + (self._last_words() or ((),))
        for each in ends.on:  # a heredoc's line may go on with a pipe
            said = self.read(each, said, feed)
        return said

    def pipeline(self, node, stdin: str, feeds: tuple) -> str:
        """Read commands that feed each other; each runs beside the others."""
        said = stdin
        start, cwds = dict(self.known), self.cwds
        for child in node.named_children:
            if child.type == "comment":
                continue
            before = len(self.simples)
            said = self.read(child, said, feeds)
            fed = dict.fromkeys((*feeds, *(each.words for each in self.simples[before:])))
            feeds = tuple(fed)[:_MOST_FEEDS]
            self._merge(start, cwds)
        if len(feeds) == _MOST_FEEDS:
            self.why = self.why or "a very long pipe"
        return said

    def declaration(self, node, stdin: str, feeds: tuple) -> str:
        """Read `export`, `declare` and their like."""
        words: list[str] = []
        for child in node.children:
            if child.type == "variable_assignment":
                name, value = self.assignment(child)
                value = _declared(value, words)
                self._set(name, value)
                words.append(f"{name}={value}")
            elif child.is_named:
                words += self.fields(child)
            else:
                words.append(text_of(child))
        return self._ran(words, [], _Ends(), stdin, feeds)

    def statement_assignment(self, node, stdin: str, feeds: tuple) -> str:
        """Read an assignment that stands alone."""
        before = len(self.simples)
        name, value = self.assignment(node)
        self._set(name, value)
        if UNKNOWN in value:
            self.origins[name] = tuple(each.words for each in self.simples[before:])
        return ""

    def broken(self, node, stdin: str, feeds: tuple) -> str:
        """Read a part the parser could not: what is in it, and its words as they stand."""
        for child in node.named_children:
            self.read(child, stdin, feeds)
        for line in cut(text_of(node))[:50]:
            fields = [
                self._tilde(one) for each in line.split() for one in fields_of(unquoted(each))
            ]
            words = [each for each in fields if each[:1] not in ("<", ">")]
            if words:
                self.simples.append(Simple(tuple(words), (), (), stdin, feeds, self.cwds))
        self.why = self.why or "an error"
        return UNKNOWN

    def assignment(self, node) -> tuple[str, str]:
        """The name and the value of an assignment."""
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        key = text_of(name) if name is not None else ""
        appended = any(child.type == "+=" for child in node.children)
        if value is None:
            text = ""
        elif value.type == "array":
            items = [field for each in value.named_children for field in self.fields(each)]
            text = SPLIT.join(items)
            key = f"{key}[@]"
            text = SPLIT + text if appended and self.known.get(key) else text
        else:
            text = self.text(value, quoted=True)
        if name is not None and name.type == "subscript":
            self.words_below(name)
        text = self.known.get(key, "") + text if appended else text
        return key, text if len(text) <= LONGEST_VALUE else UNKNOWN

    def redirect(self, node, ends: _Ends, stdin: str) -> str:
        """Take in one redirection; what goes in afterwards."""
        if node.type == "herestring_redirect":
            return "".join(self.text(each, quoted=True) for each in node.named_children) + "\n"
        if node.type == "heredoc_redirect":
            return self._heredoc(node, ends)
        if any(each.type == "ERROR" and text_of(each)[:2] == "<<" for each in node.children):
            # `3<<< text`, which the parser does not know
            return "".join(self.text(each, quoted=True) for each in node.named_children[2:]) + "\n"
        operator = "".join(text_of(each) for each in node.children if not each.is_named)
        named = [each for each in node.named_children if each.type != "file_descriptor"]
        target = named[0] if named else None
        for extra in named[1:]:  # the parser takes words behind a target for more targets
            ends.words += [] if _starts_next(extra) else self.fields(extra)
        fields = self.fields(target) if target is not None else [""]
        for field in fields or [""]:
            ends.redirects.append((operator, field))
        if operator != "<":
            return stdin
        held = self.files.get(fields[0]) if fields else None
        return held[0] if held is not None else UNKNOWN

    def said_by(self, node, stdin: str = "") -> str:
        """Read a substitution; what it prints. It cannot set variables outside."""
        before, cwds, count = dict(self.known), self.cwds, len(self.simples)
        said = ""
        for child in node.named_children:
            if child.type == "file_redirect":  # `$(<file)` prints the file
                ends = _Ends()
                said += self.redirect(child, ends, stdin)
                words = ("cat", *(target for _, target in ends.redirects))
                self.simples.append(Simple(words, (), (), "", (), self.cwds))
                continue
            said += self.read(child, stdin)
        self.known, self.cwds = before, cwds
        if stdin == UNKNOWN and any(_bare_shell(each.words) for each in self.simples[count:]):
            self.refused = "A shell would run whatever is written to it, which nobody has read."
        return said

    def fed_by(self, node) -> tuple[str, tuple]:
        """What a substitution prints, and the commands in it."""
        before = len(self.simples)
        said = self.said_by(node)
        return said, tuple(each.words for each in self.simples[before:])

    def _name(self, node) -> list[str]:
        """The words of a command's name; a name from a default may be another one."""
        child = node.children[0] if node.children else None
        if child is None:
            return []
        if child.type not in ("word", "raw_string") and ":-" in text_of(child):
            self.why = self.why or "a name nobody knows"
        return self.fields(child)

    def _assigned_to(self, node, stdin: str, feeds: tuple, ends: _Ends) -> str:
        return self._ran(list(ends.words), [self.assignment(node)], ends, stdin, feeds)

    def _ran(self, words: list[str], assigns: list, ends: _Ends, stdin: str, feeds: tuple) -> str:
        """Take in a command as it is; what it prints."""
        if not words:
            for name, value in assigns:
                self._set(name, value)
            if not ends.redirects:
                return ""
        redirects = tuple(ends.redirects)
        simple = Simple(tuple(words), tuple(assigns), redirects, stdin, feeds, self.cwds)
        self.simples.append(simple)
        self._remember(simple)
        body = self.functions.get(words[0]) if words and self.functions else None
        called = body is not None
        said = self._call(words, body, stdin, feeds) if called else self._printed(simple)
        if not redirects or not any(">" in operator for operator, _ in redirects):
            return said
        self._keep(redirects, said, feeds)
        return ""

    def _sources(self, node, before: int) -> tuple:
        """The commands whose output is in the words of a command."""
        found = tuple(each.words for each in self.simples[before:])
        if self.origins:
            text = text_of(node)
            for name, words in self.origins.items():
                found += words if name in text else ()
        return found

    def _possible(self, node, words: list[str], stdin: str, feeds: tuple) -> None:
        """A variable that has one of several values: the command with each of them."""
        text = text_of(node)
        names = [name for name in self.maybe if name.partition("[")[0] in text]
        most = max((len(self.maybe[name]) for name in names), default=0)
        for turn in range(most):
            values = {
                name: self.maybe[name][min(turn, len(self.maybe[name]) - 1)]
                for name in names
                if self.known.get(name) == UNKNOWN
            }
            self._expected(node, values, words, stdin, feeds)

    def _expected(
        self, node, values: dict[str, str], words: list[str], stdin: str, feeds: tuple
    ) -> None:
        """Take in a command as it would be with other values (`A=1 echo $A` looks like one)."""
        before = dict(self.known)
        self.known.update(values)
        meant = [
            field
            for child in node.named_children
            if child.type not in ("variable_assignment", "comment", *_REDIRECTS)
            for field in (self._name(child) if child.type == "command_name" else self.fields(child))
        ]
        self.known = before
        if meant != words:
            self.simples.append(Simple(tuple(meant), (), (), stdin, feeds, self.cwds))

    def _printed(self, simple: Simple) -> str:
        """What a command prints; a file this line wrote is known."""
        words = simple.words
        if self.files and words and words[0] in ("cat", "tac", "head", "tail") and len(words) == 2:
            held = self.files.get(words[1])
            if held is not None:
                return held[0]
        return output_of(simple)

    def _call(self, words: list[str], body, stdin: str, feeds: tuple) -> str:
        """Read the body of a function with the words it is called with."""
        if words[0] in self.calling:
            return UNKNOWN
        before = self.positional
        self.positional = list(words[1:])
        self.calling.append(words[0])
        said = self.read(body, stdin, feeds)
        self.calling.pop()
        self.positional = before
        return said

    def _heredoc(self, node, ends: _Ends) -> str:
        for child in node.named_children:
            if child.type in _REDIRECTS:
                self.redirect(child, ends, "")
            elif child.type in _GOING_ON:
                ends.on.append(child)
            elif child.type not in ("heredoc_start", "heredoc_body", "heredoc_end"):
                ends.words += self.fields(child)
        start = next((each for each in node.named_children if each.type == "heredoc_start"), None)
        body = next((each for each in node.named_children if each.type == "heredoc_body"), None)
        if body is None:
            return ""
        raw = start is not None and any(sign in text_of(start) for sign in "'\"\\")
        return text_of(body) if raw or not body.named_children else self._body(body)

    def _body(self, node) -> str:
        made = []
        at = node.start_byte
        for child in node.named_children:
            made.append(node.text[at - node.start_byte : child.start_byte - node.start_byte])
            made.append(self.text(child, quoted=True).encode("utf-8", "replace"))
            at = child.end_byte
        made.append(node.text[at - node.start_byte :])
        return b"".join(made).decode("utf-8", "replace")

    def _flatten(self, node, items: list, ways: list[str]) -> None:
        """The commands of a chain from left to right, and what joins them."""
        stack = [node]
        while stack and stack[-1].type == "list":
            each = stack.pop()
            named = each.named_children
            joint = next((one.type for one in each.children if one.type in ("&&", "||")), "&&")
            items[:0] = named[1:]
            ways[:0] = [joint] * max(0, len(named) - 1)
            if named:
                stack.append(named[0])
        items[:0] = stack


def _declared(value: str, words: list[str]) -> str:
    """A value as `declare -l` and `declare -u` keep it."""
    options = "".join(word[1:] for word in words if word[:1] == "-")
    if "l" in options:
        return value.lower()
    return value.upper() if "u" in options else value


def _is_endless(text: str) -> bool:
    """Whether a loop never ends and leaves processes behind in every round."""
    words = text.split(None, 2)[1:2]
    if not words or words[0].rstrip(";") not in ("true", ":"):
        return False
    if any(f" {word}" in text for word in ("break", "exit", "return")):
        return False
    beside = text.replace("&&", "").replace(">&", "").replace("&>", "")
    always = beside  # a `wait` that may be left out does not count
    while " if " in always and " fi" in always.partition(" if ")[2]:
        before, _, behind = always.partition(" if ")
        always = before + behind.partition(" fi")[2]
    return "&" in beside and ("disown" in beside or "wait" not in always)


def _bounded(said: str) -> str:
    """A text of bearable length; what was cut off is unknown."""
    return said if len(said) <= _MOST_SAID else f"{said[:_MOST_SAID]}\n{UNKNOWN}"


def _is_bomb(name: str, body: str) -> bool:
    """Whether a function does nothing but start itself again and again (`:(){ :|:& };:`)."""
    if not name:
        return False
    tight = body.replace(" ", "").replace("\n", "")
    return f"{name}|{name}" in tight or f"{name}&{name}" in tight


def _bare_shell(words: tuple[str, ...]) -> bool:
    """Whether a command is a shell that runs what it reads."""
    return len(words) == 1 and words[0].rpartition("/")[2] in _SHELLS


def _starts_next(node) -> bool:
    """Whether a number belongs to the redirection behind it (`2>&1`)."""
    follower = node.parent.next_sibling if node.parent is not None else None
    return (
        node.type in ("number", "file_descriptor")
        and follower is not None
        and follower.start_byte == node.end_byte
    )


_READINGS = {
    "program": Reader.block,
    "compound_statement": Reader.block,
    "do_group": Reader.block,
    "else_clause": Reader.block,
    "subshell": Reader.subshell,
    "list": Reader.chain,
    "if_statement": Reader.branches,
    "elif_clause": Reader.branches,
    "case_statement": Reader.branches,
    "while_statement": Reader.rounds,
    "c_style_for_statement": Reader.rounds,
    "for_statement": Reader.loop,
    "select_statement": Reader.loop,
    "function_definition": Reader.function,
    "command": Reader.command,
    "redirected_statement": Reader.redirected,
    "pipeline": Reader.pipeline,
    "declaration_command": Reader.declaration,
    "unset_command": Reader.declaration,
    "variable_assignment": Reader.statement_assignment,
    "ERROR": Reader.broken,
}
