"""Programs written on the command line: `python -c`, `perl -e`, `node -e` and their like.

Three questions are asked of the code: what it deletes, starts, writes and reads by name (judged
like the command that does the same), whether it runs what it decodes or fetches (refused), and
whether it is harmless as a whole (only then it may be allowed). Built-in modules only.
"""

from paige.guard.fast.jsonic import lists_of
from paige.guard.shell.resolver import Act, Resolver, base_name, hidden, plain_name
from paige.guard.shell.script import UNKNOWN, Simple

_LISTS = lists_of("snippets")

_CLUSTERED = ("perl", "ruby", "python", "python2", "python3", "pypy", "pypy3", "php", "lua")
_DELETES = tuple(_LISTS["deletes"])
_STARTS = tuple(_LISTS["starts"])
_WRITES = tuple(_LISTS["writes"])
_READS = ("open(", "read_text(", "readfile", "file_get_contents", "file.read", "io.read", "slurp")
_DECODES = tuple(_LISTS["decodes"])
_EVALUATES = tuple(_LISTS["evaluates"])
_TALKS = ("socket.", "socket(", "io::socket", "tcpsocket", "net.connect", "net.socket")
_MODULES = frozenset(_LISTS["modules"])
# Of these only the facts about themselves are looked at.
_TOLD = frozenset(_LISTS["told"])
# Names that would let code out of the safe part of the language.
_UNSAFE_NAMES = frozenset((
    "open", "exec", "eval", "compile", "__import__", "getattr", "setattr", "delattr", "globals",
    "locals", "vars", "input", "breakpoint", "memoryview", "__builtins__", "builtins", "os", "exit",
    "quit", "help", "__loader__", "__spec__",
)) | _TOLD  # fmt: skip
_FACTS = frozenset(("__version__", "version", "VERSION", "__file__", "__name__", "__doc__"))
_UNSAFE_ATTRIBUTES = frozenset(_LISTS["unsafe_attributes"])
_PERL_FILTERS = frozenset(_LISTS["perl_filters"])
_PLAIN_WORDS = {name: frozenset(each) for name, each in _LISTS["plain_words"].items()}


def interpreter(self: Resolver, simple: Simple, via: tuple[str, ...]) -> bool:
    """Add what an interpreter runs that is given its code in words or as input."""
    name = plain_name(base_name(simple.words[0]))
    codes, rest = code_of(simple.words, name, self.readers.get(name, {}).get("code", ()))
    if not codes and (not rest or rest[0] in ("-", "/dev/stdin")) and simple.stdin:
        if simple.stdin == UNKNOWN:
            why, stern = hidden(simple.feeds)
            self.opaque(simple, via, why.replace("a shell", f"`{name}`", 1), stern=stern)
            return True
        codes = [simple.stdin]
    if not codes:
        held = self.held(rest[0], simple) if rest else None
        if held is None:
            return _named_program(self, simple, via, rest, name)
        codes = [held[0]]
        stern = UNKNOWN in held[0] and hidden(held[1])[1]
        why = f"`{rest[0]}` is a program made in the same line"
        self.opaque(simple, via, why, stern=stern)
    elif any(UNKNOWN in each for each in codes) and hidden(simple.feeds)[1]:
        why = hidden(simple.feeds)[0].replace("a shell", f"`{name}`", 1)
        self.opaque(simple, via, why, stern=True)
    for word in rest if name == "perl" else ():
        if word.strip()[:1] == "|" or word.strip()[-1:] == "|":  # Perl runs such a name of a file
            self.text(word.strip().strip("|"), (*via, name), simple.bare(simple.words))
            self.opaque(simple, via, f"`{word}` is a command for Perl")
    _code(self, simple, via, name, "\n".join(codes))
    return True


def code_of(
    words: tuple[str, ...], name: str, options: tuple[str, ...]
) -> tuple[list[str], list[str]]:
    """The code behind some options in the words of a call, and the words that are no options."""
    shorts = tuple(each[1] for each in options if len(each) == 2)
    codes: list[str] = []
    at = 1
    while at < len(words):
        word = words[at]
        option, equals, value = word.partition("=")
        if word in options and at + 1 < len(words):
            codes.append(words[at + 1])
            at += 1
            if name.startswith(("python", "pypy")) or option == "eval":
                return codes, list(words[at + 1 :])
        elif equals and option in options and option.startswith("--"):
            codes.append(value)
        elif name in _CLUSTERED and word[:1] == "-" and word[:2] != "--":
            found = _clustered(words, at, shorts)
            if found is not None:
                codes.append(found[0])
                at = found[1]
            elif word == "-" or (name.startswith("python") and word == "-m"):
                return codes, list(words[at:])
        elif word[:1] != "-":
            return codes, list(words[at:])
        at += 1
    return codes, []


def deletions(code: str) -> list[str]:
    """The paths that code deletes, as far as they stand in it; unknown where they do not."""
    return _named_by(code, _DELETES)


def is_harmless(name: str, code: str) -> bool:
    """Whether code can be proven to do nothing but compute and print."""
    if UNKNOWN in code or len(code) > 2000:
        return False
    if name.startswith(("python", "pypy")):
        return _harmless_python(code)
    words = _PLAIN_WORDS.get("node" if name in ("nodejs", "bun") else name)
    if words is None or any(sign in code for sign in "`\\@&|<>[$%"):
        return False
    bare = _without_strings(code)
    return all(word in words or len(word) == 1 or word.isdecimal() for word in _words_in(bare))


def _code(self: Resolver, simple: Simple, via: tuple[str, ...], name: str, code: str) -> None:
    plainly = len(simple.words) < 2 or (len(simple.words) == 3 and code == simple.words[2])
    if not simple.feeds and plainly and is_harmless(name, code):
        self.acts.append(Act(simple, via, proven="the code only computes and prints"))
        return
    low = code.lower()
    if name == "perl" and _plain_perl(code) and not _does(low):
        self.acts.append(Act(simple, via))
        return
    _effects(self, simple, (*via, name), code)
    decoded = next((each for each in _DECODES if each in low), "")
    evaluates = any(each in low for each in _EVALUATES)
    if decoded and evaluates:
        self.opaque(simple, via, f"the code runs what `{decoded.strip('(.')}` makes", stern=True)
    elif any(each in low for each in _TALKS) and ("dup2" in low or "/bin/" in low):
        self.opaque(simple, via, "the code gives a shell to another machine", stern=True)
    else:
        why = f"code for `{name}` that Paige cannot prove harmless"
        self.opaque(simple, via, why, mild=True)


def _named_program(
    self: Resolver, simple: Simple, via: tuple[str, ...], rest: list[str], name: str
) -> bool:
    """`python -m pip …` and `php artisan …`: another program that has rules of its own."""
    words = rest[1:] if rest[:1] == ["-m"] else rest
    if name in ("bun", "deno") and words and words[0] in ("test", "fmt", "install", "link", "x"):
        return False  # words of its own
    if words and self.knows(base_name(words[0])):
        if simple.words[1:2] != ("-m",):
            self.doubt = f"what `{name}` is given before `{words[0]}`"
        self.resolve(simple.saying((base_name(words[0]), *words[1:])), (*via, name))
        return True
    return False


def _effects(self: Resolver, simple: Simple, via: tuple[str, ...], code: str) -> None:
    """Add what code deletes, starts, writes and reads, like the commands that do the same."""
    low = code.lower()
    around = simple.bare(simple.words)
    for path in deletions(code):
        self.resolve(simple.bare(("rm", "-rf", path)), via)
    for texts in _calls(code, low, _STARTS):
        self.text(" ".join(texts), via, around)
        for text in texts if len(texts) > 1 else ():
            self.text(text, via, around)
    for path in _named_by(code, _WRITES) if _writes_there(low) else ():
        if _is_path(path):
            self.writes(path, via, simple)
    for path in _named_by(code, _READS):
        if _is_path(path):
            self.resolve(simple.bare(("cat", path)), via)


def _plain_perl(code: str) -> bool:
    """Whether Perl code has only words of filters: substitutions, conditions, prints."""
    if any(sign in code for sign in ("`", "<", "|", "@{", "%{", "&", "->", "\\", "{e", "e}")):
        return False
    named = "".join(sign if sign.isalnum() or sign in "_$@" else " " for sign in code)
    words = {each for each in named.split() if each[0] not in "$@0123456789"}
    return words <= _PERL_FILTERS


def _does(low: str) -> bool:
    """Whether code names anything that starts, writes, deletes or evaluates."""
    marks = (*_STARTS, *_WRITES, *_DELETES, *_EVALUATES, *_DECODES)
    return any(each in low for each in marks)


def _clustered(words: tuple[str, ...], at: int, shorts: tuple[str, ...]) -> tuple[str, int] | None:
    """The code behind short options that stand in one word (`-ne code`, `-ecode`)."""
    word = words[at]
    for place, sign in enumerate(word[1:], start=1):
        if sign in shorts:
            rest = word[place + 1 :]
            if rest:
                return rest, at
            return (words[at + 1], at + 1) if at + 1 < len(words) else (UNKNOWN, at)
        if not sign.isalnum():
            return None
        if sign in "MIm":  # its rest is a name
            return None
    return None


def _named_by(code: str, marks: tuple[str, ...]) -> list[str]:
    """The texts that calls take; unknown where a call has none."""
    low = code.lower()
    found: list[str] = []
    for texts in _calls(code, low, marks, unknown=True):
        found += texts
    return list(dict.fromkeys(found))[:20]


def _calls(
    code: str, low: str, marks: tuple[str, ...], *, unknown: bool = False
) -> list[list[str]]:
    """The texts near each call: behind it to the end of the statement, and before a method."""
    found: list[list[str]] = []
    for mark in marks:
        at = low.find(mark)
        while at >= 0 and len(found) < 40:
            texts = _texts(_statement(code, at))
            if texts:
                found.append(texts)
            elif unknown:
                found.append([UNKNOWN])
            at = low.find(mark, at + len(mark))
    return found


def _statement(code: str, at: int) -> str:
    """The statement around a place in code: between line ends and semicolons outside texts."""
    start = max(code.rfind("\n", 0, at), code.rfind(";", 0, at)) + 1
    end = code.find("\n", at)
    end = len(code) if end < 0 else end
    quote = ""
    for place in range(start, end):
        sign = code[place]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"`":
            quote = sign
        elif sign == ";" and place > at:
            return code[start:place]
    return code[start:end]


def _texts(code: str) -> list[str]:
    """The texts between quotes."""
    found: list[str] = []
    at = 0
    while at < len(code):
        sign = code[at]
        if sign in "'\"`":
            end = at + 1
            while end < len(code) and code[end] != sign:
                end += 2 if code[end] == "\\" else 1
            found.append(code[at + 1 : end].replace(f"\\{sign}", sign))
            at = end
        at += 1
    return found[:20]


def _is_path(text: str) -> bool:
    if not text or len(text) >= 300 or text in ("w", "r", "a", "wb", "rb", "utf-8"):
        return False
    return "\n" not in text and UNKNOWN not in text


def _writes_there(low: str) -> bool:
    """Whether something in the code writes at all."""
    modes = ("'w", '"w', "'a", '"a', "'x", '"x', "write", "append", "put_contents", "copy", "> ")
    return any(each in low for each in modes)


def _without_strings(code: str) -> str:
    made = []
    at = 0
    while at < len(code):
        sign = code[at]
        if sign in "'\"":
            end = code.find(sign, at + 1)
            at = len(code) if end < 0 else end + 1
            made.append(" ")
            continue
        made.append(sign)
        at += 1
    return "".join(made)


def _words_in(code: str) -> list[str]:
    return "".join(sign if sign.isalnum() or sign == "_" else " " for sign in code).split()


def _harmless_python(code: str) -> bool:
    """Whether Python code imports, names and calls nothing that reaches outside."""
    import warnings  # noqa: PLC0415 - only code for Python comes here

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = compile(code, "code", "exec", 0x400)  # only the syntax tree; nothing is run
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    stack: list = [tree]
    seen = 0
    while stack:
        node = stack.pop()
        seen += 1
        if _is_fact(node):
            continue
        if seen > 2000 or not _harmless_node(node):
            return False
        for field in node._fields:
            value = getattr(node, field, None)
            if isinstance(value, list):
                stack += [each for each in value if hasattr(each, "_fields")]
            elif hasattr(value, "_fields"):
                stack.append(value)
    return True


def _harmless_node(node) -> bool:
    kind = type(node).__name__
    if kind == "Import":
        return all(
            each.name.partition(".")[0] in _MODULES or (each.name in _TOLD and not each.asname)
            for each in node.names
        )
    if kind == "ImportFrom":
        names = [each.name for each in node.names]
        return node.module in _MODULES and not any(_reaches_out(each) for each in names)
    if kind == "Name":
        return node.id not in _UNSAFE_NAMES and not node.id.startswith("__")
    if kind == "Attribute":
        return node.attr not in _UNSAFE_ATTRIBUTES and not node.attr.startswith("_")
    # A pattern of a class reads attributes by their names as well.
    return kind not in ("AsyncFunctionDef", "ClassDef", "Global", "Nonlocal", "Delete", "Match")


def _is_fact(node) -> bool:
    """Whether a node is a fact a module tells about itself (`numpy.__version__`)."""
    if type(node).__name__ != "Attribute" or node.attr not in _FACTS:
        return False
    return type(node.value).__name__ == "Name"


def _reaches_out(name: str) -> bool:
    return name in _UNSAFE_NAMES or name in _UNSAFE_ATTRIBUTES or name[:1] in ("_", "*")
