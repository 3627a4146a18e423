"""The words of a syntax tree, as far as they are known before anything runs.

What one command leaves for those behind it is known as well: variables, folders, files. Built-in
modules only; nodes come from the parser.
"""

from paige.guard.shell.outputs import output_of
from paige.guard.shell.quotes import (
    SPLIT,
    ansi_quoted,
    double_quoted,
    fields_of,
    splitting,
    unquoted,
)
from paige.guard.shell.script import UNKNOWN, Simple

LONGEST_VALUE = 4000
_MOST_CWDS = 4
_MOST_VALUES = 6
_TRIMS = ("##", "#", "%%", "%")


def expanded(value: str, rest: str) -> str:
    """A value after the operation behind its name (`${name%.txt}`, `${name:1:2}`)."""
    if UNKNOWN in value:
        return UNKNOWN
    for mark in _TRIMS:
        if rest.startswith(mark):
            return _trimmed(value, _bare(rest[len(mark) :]), mark)
    if rest.startswith("/"):
        return _replaced(value, rest[1:])
    if rest[:1] in ("^", ","):
        return _cased(value, rest)
    if rest.startswith(":"):
        return _sliced(value, rest[1:])
    return UNKNOWN


def _bare(text: str) -> str:
    return text.replace('"', "").replace("'", "")


def _simple_pattern(pattern: str) -> bool:
    return not any(sign in pattern for sign in "?[\\$`(")


def _trimmed(value: str, pattern: str, mark: str) -> str:
    """A value without what fits a pattern at its start (`#`) or its end (`%`)."""
    if not _simple_pattern(pattern):
        return UNKNOWN
    if "*" not in pattern:
        if mark[0] == "#":
            return value.removeprefix(pattern)
        return value.removesuffix(pattern)
    if pattern.count("*") > 1:
        return UNKNOWN
    before, _, after = pattern.partition("*")
    if mark[0] == "#" and not before and after:
        _, found, kept = value.rpartition(after) if mark == "##" else value.partition(after)
        return kept if found else value
    if mark[0] == "%" and not after and before:
        kept, found, _ = value.partition(before) if mark == "%%" else value.rpartition(before)
        return kept if found else value
    return UNKNOWN


def _replaced(value: str, rest: str) -> str:
    every = rest.startswith("/")
    old, _, new = rest[every:].partition("/")
    old, new = _bare(old), _bare(new)
    if not old or "*" in old or not _simple_pattern(old) or "$" in new or "`" in new:
        return UNKNOWN
    if old[0] in "#%" and not every:
        return UNKNOWN
    return value.replace(old, new) if every else value.replace(old, new, 1)


def _cased(value: str, rest: str) -> str:
    change = str.upper if rest[0] == "^" else str.lower
    if rest in ("^^", ",,"):
        return change(value)
    return change(value[:1]) + value[1:] if rest in ("^", ",") else UNKNOWN


def _sliced(value: str, rest: str) -> str:
    start, _, length = rest.partition(":")
    begin = _number(start)
    if begin is None:
        return UNKNOWN
    kept = value[begin:] if begin >= 0 else value[max(0, len(value) + begin) :]
    if not length:
        return kept
    count = _number(length)
    return UNKNOWN if count is None else kept[:count]


def _number(text: str) -> int | None:
    text = text.strip().strip("()").strip()
    digits = text.removeprefix("-")
    return int(text) if digits.isdecimal() and len(digits) < 6 else None


STAND_IN = "\ue000"  # what is unknown, in a text for the parser, which takes no NUL
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")
_MOST_PARTS = 200  # of one word
_VANISHING = ("simple_expansion", "expansion", "command_substitution")  # when nothing comes of it
# Variables from outside that tell nothing anybody would keep to himself.
_TOLD = frozenset((
    "?", "#", "!", "$", "-", "_", "0", "RANDOM", "SECONDS", "LINENO", "UID", "EUID", "PPID", "USER",
    "LOGNAME", "HOSTNAME", "OSTYPE", "MACHTYPE", "HOSTTYPE", "BASH_VERSION", "SHLVL",
    "EPOCHSECONDS", "TERM", "LANG", "PATH", "SHELL", "VIRTUAL_ENV", "OLDPWD", "COLUMNS", "LINES",
    "PIPESTATUS", "CI",
))  # fmt: skip
_SUBSTITUTIONS = ("command_substitution", "process_substitution")
# Signs that look like a space and are none: a word with one is not what it seems.
_SPACES = frozenset("\u00a0\u1680\u202f\u205f\u3000\u2800\u3164\uffa0") | frozenset(
    chr(code) for code in range(0x2000, 0x200B)
)


class ShellState:
    """The state of a shell that reads a script: what its words become, what commands leave behind.

    `known` are the variables and their values. Where a line may go two ways, what both ways leave
    alike is known afterwards; of the rest it is kept which values it may have.
    """

    __slots__ = ("cwds", "files", "first_file", "known", "maybe", "outside", "positional", "set",
                 "simples", "why")  # fmt: skip

    def __init__(self, known: dict[str, str], cwds: tuple[str, ...] = ()) -> None:
        self.known = known
        self.cwds = cwds
        self.set: dict[str, str] = {}
        self.positional: list[str] | None = None
        self.files: dict[str, tuple[str, tuple]] = {}  # what a name of a pipe or a file holds
        self.first_file = 0
        self.outside = ""  # a variable whose value comes from outside
        self.why = ""
        self.simples: list[Simple] = []
        self.maybe: dict[str, tuple[str, ...]] = {}  # the values a variable may have

    def read(self, node, stdin: str = "", feeds: tuple = ()) -> str:
        """Read the commands below a node; what they print."""
        return UNKNOWN

    def said_by(self, node, stdin: str = "") -> str:
        """What a substitution prints."""
        return UNKNOWN

    def fed_by(self, node) -> tuple[str, tuple]:
        """What a substitution prints, and the commands in it."""
        return UNKNOWN, ()

    def fields(self, node) -> list[str]:
        """The words a node becomes."""
        if node.type == "word":
            text = text_of(node)
            if "\\" not in text and "{" not in text and "}" not in text and text.isascii():
                return [self._tilde(text)]
        text = self.text(node)
        if not text and node.type in _VANISHING:
            return []
        return fields_of(text)

    def text(self, node, *, quoted: bool = False) -> str:
        """The text of a node, with marks where it splits or is unknown."""
        kind = node.type
        plain = _PLAIN.get(kind)
        if plain is not None:
            return plain(text_of(node))
        reading = _TEXTS.get(kind)
        if reading is not None:
            return reading(self, node, quoted)
        self.words_below(node)
        if any(sign.isalpha() for sign in text_of(node)):
            self._from_outside(text_of(node))  # arithmetic and its like name variables, too
        return UNKNOWN

    def words_below(self, node) -> None:
        """Read the substitutions below a node, whatever else it is."""
        for child in node.named_children:
            if child.type in _SUBSTITUTIONS:
                self.said_by(child)
            else:
                self.words_below(child)

    def value(self, name: str) -> str:
        """The value of a variable; `UNKNOWN` when nobody knows."""
        if not self.positional and (name in ("@", "*") or (name.isdecimal() and name != "0")):
            self._from_outside(name)
        if name in ("@", "*") and self.positional is not None:
            return SPLIT.join(self.positional)
        if name.isdecimal() and self.positional is not None:
            at = int(name[:4]) - 1
            if at < 0:
                return UNKNOWN
            return self.positional[at] if 0 <= at < len(self.positional) else ""
        if name == "PWD" and self.cwds:
            return self.cwds[0] if len(self.cwds) == 1 else UNKNOWN
        value = self.known.get(name)
        if value is None:
            value = self.known.get(f"{name}[@]")
            if value is None:
                self._from_outside(name)
                return UNKNOWN
            return value.partition(SPLIT)[0]
        return value

    def _from_outside(self, name: str) -> None:
        """Note that the value of a variable is used that this line does not set."""
        if name not in self.known and name not in _TOLD:
            self.outside = self.outside or name

    def _word(self, node, quoted: bool) -> str:
        text = text_of(node)
        if not text.isascii() and not _SPACES.isdisjoint(text):
            self.why = self.why or "a sign that looks like a space and is none"
        return self._tilde(unquoted(text))

    def _parts(self, node, quoted: bool) -> str:
        """Nodes side by side; what stands between them counts too."""
        made: list[str] = []
        dollar = False
        for child in node.children:
            if dollar and child.type == "word":
                made[-1] = self._loose(text_of(child))
            elif child.is_named:
                made.append(self.text(child, quoted=quoted))
            else:
                made.append(unquoted(text_of(child)))
            dollar = child.type == "$"
        if len(made) > _MOST_PARTS:
            return UNKNOWN
        if dollar:
            self.why = self.why or "a dollar sign in an odd place"
        return self._tilde("".join(made))

    def _loose(self, text: str) -> str:
        """A name that the parser parted from its dollar sign."""
        end = 0
        while end < len(text) and text[end] in _NAME:
            end += 1
        value = self._split(self.value(text[:end])) if end else "$"
        rest = unquoted(text[end:])
        return value + (self._tilde(rest) if value.endswith(SPLIT) else rest)

    def _string(self, node, quoted: bool) -> str:
        made = []
        start = node.start_byte
        whole = node.text
        at = start + (2 if node.type == "translated_string" else 1)
        if node.type == "translated_string":
            node = node.named_children[0] if node.named_children else node
        for child in node.named_children:
            gap = whole[at - start : child.start_byte - start]
            made.append(double_quoted(gap.decode("utf-8", "replace")))
            made.append(self.text(child, quoted=True))
            at = child.end_byte
            if len(made) > 2 * _MOST_PARTS:
                self.words_below(node)
                return UNKNOWN
        gap = whole[at - start : len(whole) - 1]
        made.append(double_quoted(gap.decode("utf-8", "replace")))
        return "".join(made)

    def _simple_expansion(self, node, quoted: bool) -> str:
        value = self.value(text_of(node)[1:])
        return value if quoted else self._split(value)

    def _expansion(self, node, quoted: bool) -> str:
        value = self._expanded(node)
        return value if quoted else self._split(value)

    def _expanded(self, node) -> str:
        inner = text_of(node)[2:-1]
        end = 0
        while end < len(inner) and inner[end] in _NAME:
            end += 1
        name, rest = inner[:end], inner[end:]
        if not rest:
            return self.value(name)
        if not name:
            self.words_below(node)
            return self._indirect(inner)
        if rest[0] == "[":
            self.words_below(node)
            return self._item(name, rest)
        if rest[0] == "@":
            self.why = "an expansion that runs code"
            return UNKNOWN
        self._from_outside(name)
        for mark in (":-", ":=", "-", "="):
            if rest.startswith(mark):
                word = self._word_of(node, rest[len(mark) :])
                known = self.known.get(name, "")
                return word if known in ("", UNKNOWN) else known
        for mark in (":+", "+"):
            if rest.startswith(mark):
                return self._word_of(node, rest[len(mark) :])
        self.words_below(node)
        return UNKNOWN if rest[:2] == ":?" or rest[0] == "?" else expanded(self.value(name), rest)

    def _indirect(self, inner: str) -> str:
        """`${!name}`: the value of the variable that another one names."""
        self._from_outside(inner)
        if inner.startswith("!") and inner[1:].replace("_", "a").isalnum():
            named = self.value(inner[1:])
            return self.value(named) if named and UNKNOWN not in named else UNKNOWN
        return UNKNOWN

    def _item(self, name: str, rest: str) -> str:
        whole = self.known.get(f"{name}[@]")
        if whole is None:
            self._from_outside(name)
            return UNKNOWN
        if rest in ("[@]", "[*]"):
            return whole
        index = rest[1:-1]
        items = whole.split(SPLIT)
        if rest.endswith("]") and index.isdecimal() and len(index) < 5:
            return items[int(index)] if int(index) < len(items) else ""
        return UNKNOWN

    def _word_of(self, node, raw: str) -> str:
        """The word behind `:-` and its like."""
        children = node.named_children[1:]
        if not children or ("$" not in raw and "`" not in raw):
            return raw.replace('"', "").replace("'", "")
        return "".join(self.text(child, quoted=True) for child in children)

    def _substituted(self, node, quoted: bool) -> str:
        said = self.said_by(node).rstrip("\n")
        if quoted:
            return said
        if said and node.parent.type != "concatenation":
            # What a command prints may show what is forbidden, never what is allowed.
            self.why = self.why or "words that a command makes"
        return self._split(said)

    def _split(self, value: str) -> str:
        """A value without quotes: it splits where the shell is told to."""
        signs = self.known.get("IFS", " \t\n")
        if signs == " \t\n" or UNKNOWN in signs:
            return splitting(value)
        for sign in signs:
            value = value.replace(sign, SPLIT)
        return value

    def _process(self, node, quoted: bool) -> str:
        if text_of(node)[:1] == ">":
            self.said_by(node, UNKNOWN)
            return "/dev/fd/63"
        self.first_file += 1
        name = f"/dev/fd/{self.first_file}"
        self.files[name] = self.fed_by(node)
        return name

    def _brace(self, node, quoted: bool) -> str:
        return unquoted(text_of(node))

    def _tilde(self, text: str) -> str:
        if text[:1] != "~":
            return text
        if text == "~" or text.startswith("~/"):
            return self.known.get("HOME", "~") + text[1:]
        if text == "~+" or text.startswith("~+/"):
            return self.value("PWD") + text[2:]
        return text

    def _set(self, name: str, value: str) -> None:
        if len(value) > LONGEST_VALUE:
            value = UNKNOWN
        if "[" in value and ("$(" in value or "`" in value):
            self.why = self.why or "a value that arithmetic would run"
        self.known[name] = self.set[name] = value
        if "[" not in name:
            self.known.pop(f"{name}[@]", None)

    def _keep(self, redirects: tuple, said: str, feeds: tuple) -> None:
        """Remember what was written into files."""
        for operator, target in redirects:
            if ">" not in operator or "&" in operator or not target or UNKNOWN in target:
                continue
            earlier = self.files.get(target, ("", ()))[0] if ">>" in operator else ""
            self.files[target] = (earlier + said, feeds + self._last_words())

    def _merge(self, other: dict[str, str], cwds: tuple[str, ...]) -> None:
        """Keep what this way and another one leave alike."""
        self._merge_known(other)
        self.cwds = self._either(cwds, self.cwds)

    def _merge_known(self, other: dict[str, str]) -> None:
        known = self.known
        if known == other:
            return
        for name in {**known, **other}:
            one, two = known.get(name), other.get(name)
            if one != two:
                values = dict.fromkeys((*self.maybe.get(name, ()), one, two))
                kept = [each for each in values if each is not None and each != UNKNOWN]
                if kept:
                    self.maybe[name] = tuple(kept[-_MOST_VALUES:])
                known[name] = UNKNOWN

    def _either(self, one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
        if one == other:
            return one
        here = (self.known.get("PWD", ""),)
        both = dict.fromkeys((one or here) + (other or here))
        return tuple(both) if len(both) <= _MOST_CWDS else (UNKNOWN,)

    def _last_words(self) -> tuple:
        return (self.simples[-1].words,) if self.simples else ()

    def _remember(self, simple: Simple) -> None:
        """What later commands know by this one."""
        words = simple.words
        remembering = _REMEMBERING.get(words[0]) if words else None
        if remembering is not None:
            remembering(self, simple)

    def _set_builtin(self, simple: Simple) -> None:
        if simple.words[1:2] == ("--",):
            self.positional = list(simple.words[2:])

    def _read_builtin(self, simple: Simple) -> None:
        names = [each for each in simple.words[1:] if each[:1] != "-" and each.isidentifier()]
        given = simple.stdin.strip()
        if len(names) == 1 and UNKNOWN not in given and "\n" not in given:
            self.known[names[0]] = given or UNKNOWN
            return
        for name in names:
            self.known[name] = UNKNOWN

    def _printf_builtin(self, simple: Simple) -> None:
        words = simple.words
        if words[1:2] == ("-v",) and len(words) > 3:
            self._set(words[2], output_of(Simple(("printf", *words[3:]))))

    def _unset_builtin(self, simple: Simple) -> None:
        for name in simple.words[1:]:
            self.known[name] = ""

    def _exec(self, simple: Simple) -> None:
        """`exec 3<<< text` keeps a text under a number."""
        for word in simple.words[1:]:
            if word[:1] == "{" and word[-1:] == "}":
                self.known[word[1:-1]] = "3"
        if simple.stdin and len(simple.words) < 3:
            for number in range(3, 10):
                self.files[f"/dev/fd/{number}"] = (simple.stdin, simple.feeds)

    def _cd(self, simple: Simple) -> None:
        words = [each for each in simple.words[1:] if each not in ("-P", "-L", "-e", "--", "-n")]
        to = words[0] if words else self.known.get("HOME", UNKNOWN)
        if to == "-" or to[:1] in ("+", "~", "-") or simple.words[0] == "popd" or UNKNOWN in to:
            self.cwds = (UNKNOWN,)
        elif to.startswith("/"):
            self.cwds = (to,)
        else:
            self.cwds = tuple(f"{each}/{to}" for each in self.cwds or (self.known.get("PWD", ""),))


def text_of(node) -> str:
    """The text a node stands for."""
    text = node.text.decode("utf-8", "replace")
    return text.replace(STAND_IN, UNKNOWN) if STAND_IN in text else text


_PLAIN = {
    "number": str,
    "heredoc_content": str,
    "file_descriptor": str,
    "raw_string": lambda text: text[1:-1],
    "ansi_c_string": lambda text: ansi_quoted(text[2:-1]),
    "string_content": double_quoted,
    "variable_name": str,
    "special_variable_name": str,
    "extglob_pattern": unquoted,
    "regex": str,
    "test_operator": str,
}
_TEXTS = {
    "word": ShellState._word,
    "string": ShellState._string,
    "translated_string": ShellState._string,
    "concatenation": ShellState._parts,
    "command_name": ShellState._parts,
    "heredoc_body": ShellState._parts,
    "simple_expansion": ShellState._simple_expansion,
    "expansion": ShellState._expansion,
    "command_substitution": ShellState._substituted,
    "process_substitution": ShellState._process,
    "brace_expression": ShellState._brace,
}
_REMEMBERING = {
    "set": ShellState._set_builtin,
    "read": ShellState._read_builtin,
    "printf": ShellState._printf_builtin,
    "unset": ShellState._unset_builtin,
    "exec": ShellState._exec,
    "cd": ShellState._cd,
    "chdir": ShellState._cd,
    "pushd": ShellState._cd,
    "popd": ShellState._cd,
}
