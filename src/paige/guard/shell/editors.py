"""Programs with a small language of their own: sed, awk, editors, database shells and patches.

What is looked for is what leaves the language: commands run, files written. A script that is not
understood to its end is opaque. Built-in modules only.
"""

from paige.guard.shell.matcher import parsed
from paige.guard.shell.resolver import Act, Resolver, base_name
from paige.guard.shell.script import UNKNOWN, Simple

_SED_PLAIN = frozenset("=dDgGhHnNpPxzFqQl{}")


def sed(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """Add what a script of sed runs and writes."""
    call = parsed(simple.words, self.readers["sed"])
    scripts = [value or "" for name, value in call.options if _is(name, "-e", "--expression")]
    if any(_is(name, "-f", "--file") for name, _ in call.options):
        self.opaque(simple, via, "its script is in a file nobody has read here", mild=True)
    elif not scripts:
        scripts = list(call.operands[:1])
    self.acts.append(Act(simple, via))
    script = "\n".join(scripts)
    if UNKNOWN in script:
        # What is put in from outside may end the command and begin another.
        self.opaque(simple, via, "a part of its script is not known", mild=True)
    reads: list[str] = []
    runs, writes, understood = sed_effects(script, reads)
    for path in reads:
        self.resolve(simple.bare(("cat", path)), (*via, "sed"))
    for text in runs:
        self.text(text or UNKNOWN, (*via, "sed"), simple.bare(simple.words))
        self.opaque(simple, via, "its script runs commands")
    for path in writes:
        self.writes(path, via, simple)
    if not understood:
        self.opaque(simple, via, "its script is not one that Paige can read", mild=True)
    return True


def sed_effects(script: str, reads: list[str]) -> tuple[list[str], list[str], bool]:
    """What a script of sed runs and writes, and whether all of it was understood.

    The files that it puts in are added to `reads`.
    """
    runs: list[str] = []
    writes: list[str] = []
    at = 0
    while at < len(script):
        at = _sed_address(script, at)
        if at < 0:
            return runs, writes, False
        if at >= len(script):
            break
        sign = script[at]
        at += 1
        if sign in _SED_PLAIN:
            while sign in "qQlL" and at < len(script) and script[at] in " 0123456789":
                at += 1
        elif sign in "eWwrR":
            at = _sed_line(script, at, sign, runs, writes, reads)
        elif sign in "aic:btT#vM":
            at = _line_end(script, at) if sign in "aic#v" else _label_end(script, at)
        elif sign in "sy":
            at = _sed_substitution(script, at, sign, runs, writes)
            if at < 0:
                return runs, writes, False
        else:
            return runs, writes, False
    return runs, writes, True


def awk(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """Add what a program of awk runs and writes."""
    call = parsed(simple.words, self.readers["awk"])
    programs = [value or "" for name, value in call.options if _is(name, "-e", "--source")]
    if any(name in ("-f", "-i", "-l", "-E") or _is(name, "", "--file") for name, _ in call.options):
        self.opaque(simple, via, "its program is in a file nobody has read here", mild=True)
    elif not programs:
        programs = list(call.operands[:1])
    self.acts.append(Act(simple, via))
    program = "\n".join(programs)
    if UNKNOWN in program:
        self.opaque(simple, via, "a part of its program is not known", mild=True)
    runs, writes, hides = awk_effects(program)
    for text in runs:
        self.text(text or UNKNOWN, (*via, "awk"), simple.bare(simple.words))
        self.opaque(simple, via, "its program runs commands")
    for path in writes:
        self.writes(path, via, simple)
    if hides:
        self.opaque(simple, via, f"its program uses `{hides}`", mild=True)
    return True


def awk_effects(program: str) -> tuple[list[str], list[str], str]:
    """What a program of awk runs and writes, and what in it hides more."""
    tokens = awk_tokens(program)
    runs: list[str] = []
    writes: list[str] = []
    hides = ""
    printing, depth = False, 0
    for at, token in enumerate(tokens):
        if token in (";", "\n", "}", "{"):
            printing = False
        elif token in ("print", "printf"):
            printing, depth = True, 0
        elif token in ("(", ")"):
            depth += 1 if token == "(" else -1
        elif token == "system":
            runs.append(_text_after(tokens, at + 1))
        elif token in ("|", "|&"):
            before = tokens[at - 1] if at else ""
            runs.append(_text_after(tokens, at) or (before[1:] if before[:1] == '"' else ""))
        elif token in (">", ">>") and printing and depth <= 0:
            writes.append(_text_after(tokens, at) or UNKNOWN)
        elif token in ("getline", "@load", "@include", "@") and not hides:
            hides = token
    return runs, [each for each in writes if each not in _STREAMS], hides


def banged(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """Editors and shells of databases and debuggers, where a mark starts a command."""
    self.acts.append(Act(simple, via))
    name = base_name(simple.words[0])
    marks = self.readers.get(name, {}).get("marks", ("!",))
    for text in (*simple.words[1:], *simple.stdin.splitlines()[:200]):
        low = text.lower()
        for mark in marks:
            start = low.find(mark)
            if start < 0 or (name == "gdb" and mark == "!" and start > 0):
                continue
            inner = text[start + len(mark) :].strip().rstrip("'\"")
            self.text(inner or UNKNOWN, (*via, name), simple.bare(simple.words))
            self.opaque(simple, via, f"`{mark.strip()}` of {name} runs a command")
    if name in ("less", "more") and any(word[:1] == "+" for word in simple.words[1:]):
        self.opaque(simple, via, f"a `+` word of {name} may run a command")
    return True


def awk_tokens(program: str) -> list[str]:
    """The tokens of a program of awk; texts begin with a quote, patterns are one sign."""
    tokens: list[str] = []
    at, end = 0, len(program)
    while at < end:
        sign = program[at]
        if sign in " \t\r":
            at += 1
        elif sign == "#":
            at = _line_end(program, at)
        elif sign == '"':
            close = _closing(program, at + 1, '"')
            tokens.append(program[at:close])
            at = close + 1
        elif sign == "/" and _pattern_may_start(tokens):
            at = _closing(program, at + 1, "/") + 1
            tokens.append("/")
        elif sign.isalpha() or sign in "_@":
            start = at
            at += 1
            while at < end and (program[at].isalnum() or program[at] == "_"):
                at += 1
            tokens.append(program[start:at])
        else:
            width = 2 if program[at : at + 2] in ("||", "&&", ">>", "|&", ">=", "<=", "==") else 1
            tokens.append(program[at : at + width])
            at += width
    return tokens


_STREAMS = ("/dev/stderr", "/dev/stdout", "/dev/null", "-", "/dev/tty")


def _pattern_may_start(tokens: list[str]) -> bool:
    if not tokens:
        return True
    last = tokens[-1]
    if last in ("print", "printf", "return", "in", "case"):
        return True
    return not (last[0].isalnum() or last[0] in '_")]$"/')


def _text_after(tokens: list[str], at: int) -> str:
    """The text that follows, when nothing but a text does."""
    for token in tokens[at + 1 : at + 3]:
        if token[0] == '"':
            return token[1:].replace('\\"', '"')
        if token != "(":
            break
    return ""


def _closing(text: str, at: int, mark: str) -> int:
    """Where a text or a pattern ends; the end of all when it does not."""
    bracket = False
    while at < len(text):
        sign = text[at]
        if sign == "\\":
            at += 2
            continue
        if mark == "/" and sign in "[]":
            bracket = sign == "["
        elif sign == mark and not bracket:
            return at
        at += 1
    return len(text)


def _sed_address(script: str, at: int) -> int:
    """Where the command behind addresses begins; -1 when they are not understood."""
    while at < len(script):
        sign = script[at]
        if sign in " \t\n;,!0123456789$+~":
            at += 1
        elif sign == "/" or (sign == "\\" and at + 1 < len(script)):
            mark = "/" if sign == "/" else script[at + 1]
            at = _delimited(script, at + (1 if sign == "/" else 2), mark)
            if at < 0:
                return -1
            at += 1
            while at < len(script) and script[at] in "IM":
                at += 1
        else:
            break
    return at


def _delimited(script: str, at: int, mark: str) -> int:
    """Where a part of a command of sed ends; -1 when it does not."""
    end = len(script) if mark == "\\" else _end(script, at, mark)
    return end if end < len(script) else -1


def _sed_substitution(script: str, at: int, sign: str, runs: list[str], writes: list[str]) -> int:
    """Take in `s/a/b/flags` or `y/a/b/`; where to go on, -1 when it is not understood."""
    if at >= len(script):
        return -1
    mark = script[at]
    middle = _delimited(script, at + 1, mark)
    end = _delimited(script, middle + 1, mark) if middle >= 0 else -1
    if end < 0 or mark in "\\\n":
        return -1
    at = end + 1
    if sign == "y":
        return at
    while at < len(script) and script[at] not in "\n;} \t#":
        flag = script[at]
        at += 1
        if flag == "e":
            runs.append("")
        elif flag == "w":
            stop = _line_end(script, at)
            writes.append(script[at:stop].strip())
            return stop
        elif flag not in "gpiImM0123456789":
            return -1
    return at


def _sed_line(
    script: str, at: int, sign: str, runs: list[str], writes: list[str], reads: list[str]
) -> int:
    """Take in a command whose text goes to the end of the line."""
    end = _line_end(script, at)
    text = script[at:end].strip()
    if sign == "e":
        runs.append(text)
    elif sign in "wW":
        writes.append(text)
    else:
        reads.append(text)
    return end


def _line_end(text: str, at: int) -> int:
    return _end(text, at, "\n")


def _end(text: str, at: int, mark: str) -> int:
    """Where a sign comes that has no backslash before it; the end of all when none does."""
    while at < len(text) and text[at] != mark:
        at += 2 if text[at] == "\\" else 1
    return min(at, len(text))


def _label_end(text: str, at: int) -> int:
    while at < len(text) and text[at] not in "\n;}":
        at += 1
    return at


def _is(name: str, short: str, long: str) -> bool:
    return name == short or (len(name) > 3 and long.startswith(name))


_WRITES = ("*** Add File: ", "*** Update File: ", "*** Move to: ")
_DELETES = "*** Delete File: "
_MOST_FILES = 200


def apply_patch(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """Add what a patch does to each of its files."""
    patch = "\n".join((*simple.words[1:], simple.stdin))
    named = 0
    for line in patch.splitlines():
        text = line.strip()
        for mark in _WRITES:
            if text.startswith(mark):
                named += 1
                self.writes(text[len(mark) :].strip(), via, simple)
        if text.startswith(_DELETES):
            named += 1
            path = text[len(_DELETES) :].strip()
            self.resolve(simple.bare(("rm", "-f", "--", path)), (*via, "apply_patch"))
        if named > _MOST_FILES:
            break
    if UNKNOWN in patch or named > _MOST_FILES or not named:
        self.opaque(simple.bare(simple.words[:1]), via, "a patch that nobody has read to its end")
    else:
        self.acts.append(Act(simple.bare(simple.words[:1]), via))
    return True
