"""What a command really runs: wrappers taken off, texts for shells read.

A wrapper is a program that starts the command in its own words (`sudo`, `timeout 5`, `xargs`).
Which words are its own is data. What a shell is given as text goes through the front door again.
What a line writes, copies or links is remembered, so that running it later is seen for what it is.
What cannot be known is opaque, and never allowed without a question. Built-in modules only; what
few programs need is imported when one of them comes.
"""

import sys

from paige.base.record import Record
from paige.guard.fast.place import Place, exists
from paige.guard.shell.script import UNKNOWN, Simple
from paige.guard.shell.targets import full_path

MOST_LAYERS = 12
_MOST_ACTS = 1500
SHELLS = ("sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "rbash", "mksh", "csh", "tcsh")
_FETCHING = (
    "curl", "wget", "nc", "ncat", "netcat", "socat", "http", "https", "aria2c", "fetch", "ftp",
    "lynx", "w3m", "ssh", "telnet", "xh", "scp", "dig", "openssl",
    "grpcurl", "gsutil",
)  # fmt: skip
_DECODING = (
    "base64", "base32", "xxd", "openssl", "gunzip", "zcat", "gzip", "bzip2", "bzcat", "xz", "xzcat",
    "uudecode", "tr", "rev", "rot13", "unhex", "od", "perl", "python", "python3", "basenc", "gpg",
    "zstd", "zstdcat", "tar", "unzip", "7z", "bsdtar",
)  # fmt: skip
_FETCHERS = ("npx", "bunx", "npm", "bun")  # they look into the project first
_ALWAYS_FETCHING = ("uvx", "pipx", "pnpx")
_MOST_INSIDE = 10
# What a program nobody knows may be started for, and the options that hold such a command.
_DANGEROUS = ("rm", "git", "dd", "shred", "chmod", "chown", "find", "kubectl", "terraform", "mkfs")
_TEXT_OPTIONS = ("-c", "--run", "--command", "--exec", "-x", "--cmd")
_LEAVING = ("cp", "mv", "ln", "install", "link", "hash", "curl", "wget", "tee", "dd", "gcp", "gln")
_DECLARING = ("export", "declare", "typeset", "readonly", "local")
_RUNNING = ("pnpm", "yarn", "bun", "bundle", "composer", "poetry")
_VERSIONED = ("python", "perl", "ruby", "php", "lua", "node", "pip", "nodejs", "gcc", "pypy")


class Act(Record):
    """One program with its words, as it would run at last.

    `via` are the wrappers it was taken out of. `opaque` says what hides what it does, `stern`
    whether that is reason enough to refuse it, `mild` that it is no reason to ask; `proven` says
    why it is harmless.
    """

    simple: Simple
    via: tuple[str, ...] = ()
    opaque: str = ""
    stern: bool = False
    proven: str = ""
    mild: bool = False


class Resolver:
    """Takes commands apart by the tables of a book; `front` reads a text into simples."""

    __slots__ = ("acts", "assigned", "copies", "doubt", "families", "files", "filled", "front",
                 "harmless", "place", "programs", "readers", "wrappers")  # fmt: skip

    def __init__(self, book: dict, front, place: Place) -> None:
        self.readers: dict[str, dict] = book["readers"]
        self.wrappers: dict[str, dict] = book.get("wrappers", {})
        self.families: dict[str, tuple] = book.get("families", {})
        self.harmless: dict[str, str] = book.get("harmless", {})
        self.front = front
        self.place = place
        self.doubt = ""  # what was taken off and is not known to its end
        self.programs: list[str] = []  # the paths of what was taken off
        self.acts: list[Act] = []
        self.assigned: list[tuple[str, str]] = []
        self.files: dict[str, tuple[str, tuple]] = {}
        self.copies: dict[str, str] = {}
        self.filled: list[str] = []  # folders that things were moved into

    def resolve(self, simple: Simple, via: tuple[str, ...] = ()) -> None:
        """Add what a command really runs."""
        if simple.assigns:
            self._assigns(simple, via)
        if not simple.words:
            if simple.redirects:
                self.acts.append(Act(simple, via))
            return
        if len(via) > MOST_LAYERS or len(self.acts) > _MOST_ACTS:
            self.acts.append(Act(simple, via, "there are too many programs around it", True))
            return
        name = base_name(simple.words[0])
        self._otherwise(simple, name, via)
        if self.files and self._runs_written(simple, via):
            return
        naming = name in _NAMING and not any("[" in each for each in simple.words[1:])
        taking = None if naming else self.reader(name)
        if "/" in simple.words[0]:
            self.programs.append(simple.words[0])
        if taking is not None:
            if simple.redirects:
                self.acts.append(Act(simple.saying(()), via))
            if taking(self, simple, via):
                return
        self._itself(simple, name, via)

    def _itself(self, simple: Simple, name: str, via: tuple[str, ...]) -> None:
        """Add a program as it stands, or what it is wrapped around."""
        wrapper = self.wrappers.get(name)
        if wrapper is not None and self._unwrap(name, wrapper, simple, via):
            return
        if not self.knows(name) and wrapper is None and len(simple.words) > 1:
            self._inside(simple, name, via)
        self.acts.append(Act(simple, via))

    def knows(self, name: str) -> bool:
        """Whether something is said of a program."""
        return name in self.families or name in self.harmless

    def reader(self, name: str):
        """The function that takes a program's words apart, or nothing; imported when needed."""
        known = self.readers.get(name) or self.readers.get(plain_name(name))
        if known is None and name not in _NAMING:
            return None
        where = "shells:names" if name in _NAMING else known["reader"]  # type: ignore[index]
        module, _, function = where.partition(":")
        full = f"paige.guard.shell.{module}"
        found = sys.modules.get(full)
        if found is None:
            __import__(full)
            found = sys.modules[full]
        return getattr(found, function)

    def _inside(self, simple: Simple, name: str, via: tuple[str, ...]) -> None:
        """A program nobody knows may start the command in its words: that may only be denied."""
        words = simple.words
        for at, word in enumerate(words[1:_MOST_INSIDE], start=1):
            if base_name(word) in _DANGEROUS and at + 1 < len(words):
                self.forbidden(simple.bare(words[at:]), (*via, name))
                return
            if words[at - 1] in _TEXT_OPTIONS and base_name(word.partition(" ")[0]) in _DANGEROUS:
                self.text(word, (*via, name), simple.bare(words))
                return

    def _assigns(self, simple: Simple, via: tuple[str, ...]) -> None:
        """Take in the variables set for a command; some programs run the value of some."""
        self.assigned += simple.assigns
        for name, value in simple.assigns:
            if name.endswith(_CODE_VALUES) and value not in _QUIET_VALUES:
                self.text(value, (*via, name), simple.bare(("",)))

    def _otherwise(self, simple: Simple, name: str, via: tuple[str, ...]) -> None:
        """What a command may be as well, and what it leaves for those behind it."""
        words = simple.words
        if words[0] == UNKNOWN:
            # What is unknown may be nothing, and then the next word is the program.
            known = next((at for at, word in enumerate(words) if word != UNKNOWN), 0)
            if known:
                self.resolve(simple.saying(words[known:]), via)
        if simple.feeds and any(UNKNOWN in word for word in words[1:]):
            self._guessed(simple, via)
        if self.copies:
            self._follow(simple, via)
        if name in _LEAVING:
            self._leaves(simple, name)
        elif name in _DECLARING:
            pairs = [word.partition("=") for word in words[1:]]
            self.assigned += [(key, value) for key, equals, value in pairs if equals]
        elif name in _RUNNING and words[1:2] and self.knows(words[1]):
            self.forbidden(simple.saying(words[1:]), (*via, name))
        elif name == "rm" and self.filled:
            self._empties(simple, via)

    def _guessed(self, simple: Simple, via: tuple[str, ...]) -> None:
        """Judge words that another command finds by what it looks for as well."""
        from paige.guard.shell.xargs_find import found_by  # noqa: PLC0415 - few commands have them

        found = found_by(simple.feeds)
        if found:
            words = [found if word == UNKNOWN else word for word in simple.words]
            self.forbidden(simple.bare(words), via)

    def text(
        self,
        text: str,
        via: tuple[str, ...],
        around: Simple,
        positional: list[str] | None = None,
    ) -> None:
        """Add what a text for a shell runs."""
        if not text.strip():
            return
        if UNKNOWN in text and not text.replace(UNKNOWN, "").strip():
            self.acts.append(Act(around.saying(around.words or ("",)), via, *hidden(around.feeds)))
            return
        if len(via) > MOST_LAYERS:
            self.acts.append(Act(around, via, "there are too many shells in each other", True))
            return
        for simple in self.front(text, around, positional):
            self.resolve(simple, via)

    def forbidden(self, simple: Simple, via: tuple[str, ...]) -> None:
        """Add a command that only matters where a rule denies it."""
        self.acts.append(Act(simple, via, proven="another command says what it does"))

    def opaque(
        self,
        simple: Simple,
        via: tuple[str, ...],
        why: str,
        *,
        stern: bool = False,
        mild: bool = False,
    ) -> None:
        """Add a command of which nobody can say what it does."""
        self.acts.append(Act(simple, via, why, stern, "", mild))

    def writes(self, path: str, via: tuple[str, ...], around: Simple) -> None:
        """Add a file that a command writes without a redirection."""
        redirects = ((">", path),)
        self.acts.append(Act(Simple((), (), redirects, "", around.feeds, around.cwds), via))

    def path(self, path: str, simple: Simple) -> str:
        """A path from the root, seen from where a command runs."""
        if simple.cwds and path[:1] not in ("/", "~"):
            path = f"{simple.cwds[0]}/{path}"
        return full_path(path, self.place)

    def held(self, path: str, simple: Simple) -> tuple[str, tuple] | None:
        """What a file holds that this line wrote, and who wrote it."""
        if not self.files or UNKNOWN in path:
            return None
        return self.files.get(path) or self.files.get(self.path(path, simple))

    def _follow(self, simple: Simple, via: tuple[str, ...]) -> None:
        """Judge a copy or a link by what it was made from as well."""
        words = tuple(
            self.copies.get(word) or self.copies.get(self.path(word, simple), word)
            if word and word[0] != "-" and UNKNOWN not in word
            else word
            for word in simple.words
        )
        if words != simple.words:
            copies, self.copies = self.copies, {}
            self.resolve(simple.saying(words), (*via, "a copy"))
            self.copies = copies

    def _runs_written(self, simple: Simple, via: tuple[str, ...]) -> bool:
        """Run a script that this line wrote by its path."""
        word = simple.words[0]
        held = self.held(word, simple) if "/" in word else None
        if held is None:
            return False
        self.run_file(held, word, simple, via)
        return True

    def run_file(
        self, held: tuple[str, tuple], path: str, simple: Simple, via: tuple[str, ...]
    ) -> None:
        """Add what a file runs that this line wrote."""
        content, feeds = held
        around = Simple(simple.words, simple.assigns, (), "", feeds, simple.cwds)
        first = content.partition("\n")[0]
        code = self.reader(interpreter_of(first)) if first.startswith("#!") else None
        if code is not None and interpreter_of(first) not in SHELLS:
            code(self, Simple((interpreter_of(first),), (), (), content, feeds), (*via, path))
            return
        self.text(content or UNKNOWN, (*via, path), around, list(simple.words[1:]))
        self.opaque(simple.saying((path,)), via, f"`{path}` is a script made in the same line")

    def _leaves(self, simple: Simple, name: str) -> None:
        """Remember what a command leaves behind under another name."""
        operands = [word for word in simple.words[1:] if word[:1] != "-"]
        if name in ("curl", "wget"):
            self._fetched(simple)
        elif name == "tee":
            for word in operands:
                self.files[self.path(word, simple)] = (simple.stdin or UNKNOWN, simple.feeds)
        elif name == "dd":
            self._dumped(operands, simple)
        elif name == "hash" and "-p" in simple.words and len(operands) > 1:
            self.copies[operands[1]] = operands[0]
        elif len(operands) > 1 and not any(UNKNOWN in each for each in operands):
            self._copied(operands, simple)

    def _fetched(self, simple: Simple) -> None:
        words = simple.words
        for at, word in enumerate(words[:-1]):
            if word in ("-o", "-O", "--output", "--output-document", "-LO", "-sLo", "-fsSLo"):
                path = self.path(words[at + 1], simple)
                self.files[path] = (UNKNOWN, (words,))
        for word in words[1:]:  # what it fetches may keep its own name
            name = word.partition("?")[0].rstrip("/").rpartition("/")[2]
            if "/" in word and word[:1] != "-" and name and UNKNOWN not in name:
                self.files.setdefault(self.path(name, simple), (UNKNOWN, (words,)))
                for at, option in enumerate(words[:-1]):
                    if option in ("-P", "--directory-prefix", "--output-dir"):
                        path = self.path(f"{words[at + 1]}/{name}", simple)
                        self.files.setdefault(path, (UNKNOWN, (words,)))

    def _dumped(self, operands: list[str], simple: Simple) -> None:
        """`dd if=… of=…`."""
        named = dict(word.split("=", 1) for word in operands if "=" in word)
        if "of" in named:
            held = self.held(named["if"], simple) if "if" in named else None
            kept = held or (simple.stdin or UNKNOWN, simple.feeds)
            self.files[self.path(named["of"], simple)] = kept

    def _empties(self, simple: Simple, via: tuple[str, ...]) -> None:
        """Deleting a folder takes what this line moved into it along."""
        for word in simple.words[1:]:
            path = self.path(word, simple) if word[:1] != "-" else "-"
            if any(each == path or each.startswith(f"{path.rstrip('/')}/") for each in self.filled):
                why = f"what this line moved into `{word}` would be deleted with it"
                self.opaque(simple, via, why, stern=True)

    def _copied(self, operands: list[str], simple: Simple) -> None:
        target = self.path(operands[-1], simple)
        if base_name(simple.words[0]) == "mv":
            self.filled.append(target)
        for source in operands[:-1]:
            held = self.held(source, simple)
            inside = f"{target}/{base_name(source)}"
            for path in (target, inside):
                if held is not None:
                    self.files[path] = held
                self.copies[path] = source if source[:1] == "/" else self.path(source, simple)

    def _unwrap(self, name: str, wrapper: dict, simple: Simple, via: tuple[str, ...]) -> bool:
        """Take a wrapper off; whether there was a command inside."""
        rest, assigns, text = after_options(simple.words[1:], wrapper)
        if text is None and "strings" in wrapper and rest:
            # Its options may stand behind its first words (`su - root -c text`).
            for start in range(1, min(len(rest), 4)):
                _, _, text = after_options(rest[start:], wrapper)
                if text is not None:
                    break
        if text is None and wrapper.get("subs"):
            inner = _started(rest, wrapper)
            if inner is None:
                return False
            rest, more, text = after_options(inner, wrapper)
            assigns += more
        if text is not None:
            self.doubt = f"a text for `{name}`"
            self.acts.append(Act(simple, via))
            self.text(text, (*via, name), simple, list(rest))
            return True
        rest = _behind(rest, wrapper, simple.words)
        if not rest:
            return False
        if wrapper.get("keeps"):
            self.acts.append(Act(simple, via))  # it does something of its own as well
        else:
            self._options(simple.words[1 : -len(rest)], wrapper, simple, via)
        self._inner(rest, wrapper, simple, assigns, (*via, name))
        return True

    def _options(
        self, words: tuple[str, ...], wrapper: dict, simple: Simple, via: tuple[str, ...]
    ) -> None:
        """Look at the options of a wrapper that is taken off."""
        why = f"an option of `{base_name(simple.words[0])}`"
        if "flags" in wrapper and not _all_known(words, wrapper):
            self.opaque(simple, via, f"{why} that nobody knows")
        if not _plain(words, wrapper):
            self.doubt = why
            self.forbidden(simple.bare((simple.words[0], *words)), via)

    def _inner(
        self, rest: list[str], wrapper: dict, simple: Simple, assigns: list, via: tuple[str, ...]
    ) -> None:
        inner = Simple(
            tuple(rest), (*simple.assigns, *assigns), simple.redirects, simple.stdin,
            simple.feeds, simple.cwds,
        )  # fmt: skip
        if wrapper.get("string"):
            self.text(" ".join(rest), via, inner)
        elif wrapper.get("unknown_end"):
            self.resolve(inner.saying((*rest, UNKNOWN)), via)
        else:
            self.resolve(inner, via)
        fetches = "dlx" in simple.words or via[-1] in _ALWAYS_FETCHING
        if fetches or (via[-1] in _FETCHERS and not _has_package(rest[0], self.place)):
            why = f"`{via[-1]}` would fetch a package called `{rest[0]}` and run it"
            self.opaque(inner, via, why, mild=True)


def _plain(words: tuple[str, ...], wrapper: dict) -> bool:
    """Whether a wrapper was given nothing but options that change how long or how loud it runs."""
    plain = wrapper.get("plain", ())
    return all(
        word[:1] != "-" or word.partition("=")[0] in plain or word[:2] in plain for word in words
    )


def _has_package(name: str, place: Place) -> bool:
    """Whether a program of npm's is installed in the project."""
    if "/" in name or not name or UNKNOWN in name or not place.root or place.apart:
        return False
    folder = full_path(".", place)
    while f"{folder}/".startswith(f"{place.root}/"):
        if exists(f"{folder}/node_modules/.bin/{name}"):
            return True
        folder = folder.rpartition("/")[0]
    return False


def _started(rest: list[str], wrapper: dict) -> list[str] | None:
    """The words behind a subcommand that starts a program, or of one started by its name."""
    for sub in wrapper["subs"]:
        if tuple(rest[: len(sub)]) == sub:
            return rest[len(sub) :]
    return rest if rest and rest[0] in wrapper.get("direct", ()) else None


def _behind(rest: list[str], wrapper: dict, words: tuple[str, ...]) -> list[str]:
    """The command behind a wrapper's own words."""
    if wrapper.get("dashes"):
        return list(words[words.index("--") + 1 :]) if "--" in words else []
    return rest[wrapper.get("operands", 0) :]


def base_name(word: str) -> str:
    """The name of a program without its folder and without `.exe`."""
    if "/" not in word and "\\" not in word and not word.endswith((".exe", ".EXE")):
        return word
    name = word.rpartition("/")[2].rpartition("\\")[2]
    return name[:-4] if name.lower().endswith(".exe") else name


def plain_name(name: str) -> str:
    """The name of a program without the number of its version."""
    if name and name[-1].isdigit():
        plain = name.rstrip("0123456789.-")
        if plain in _VERSIONED:
            return plain
    return name


def interpreter_of(first_line: str) -> str:
    """The program that a `#!` line names."""
    words = first_line[2:].split()
    if words and base_name(words[0]) == "env":
        words = [each for each in words[1:] if each[:1] != "-" and "=" not in each]
    return plain_name(base_name(words[0])) if words else "sh"


def hidden(feeds: tuple) -> tuple[str, bool]:
    """What to say of a shell that runs what nobody has read, and whether to refuse it."""
    names = [base_name(words[0]) for words in feeds if words]
    fetched = next((each for each in names if each in _FETCHING), "")
    if fetched:
        return f"a shell runs what `{fetched}` fetches", True
    decoded = next((each for each in names if plain_name(each) in _DECODING), "")
    if decoded:
        return f"a shell runs what `{decoded}` decodes", True
    return "a shell runs what nobody has read", False


def after_options(
    words: tuple[str, ...] | list[str], wrapper: dict
) -> tuple[list[str], list[tuple[str, str]], str | None]:
    """What is left of the words, the variables they set, and a text that an option holds."""
    values, strings = wrapper.get("values", ()), wrapper.get("strings", ())
    assigns: list[tuple[str, str]] = []
    at = 0
    while at < len(words):
        word = words[at]
        if word == "--":
            at += 1
            break
        name, equals, value = word.partition("=")
        if wrapper.get("assigns") and equals and name and _is_name(name):
            assigns.append((name, value))
        elif len(word) < 2 or word[0] not in "-+":
            break
        elif strings and _holds_text(word, name, strings):
            return _option_text(words, at, strings, assigns)
        elif word in values or _ends_in_value(word, values):
            at += 1
        at += 1
    return list(words[at:]), assigns, None


def _holds_text(word: str, name: str, strings: tuple[str, ...]) -> bool:
    if name in strings:
        return True
    if word.startswith("--"):
        return len(name) > 3 and any(each.startswith(name) for each in strings)
    return any(len(each) == 2 and each[1] in word[1:] for each in strings)


def _option_text(
    words: tuple[str, ...] | list[str], at: int, strings: tuple[str, ...], assigns: list
) -> tuple[list[str], list[tuple[str, str]], str]:
    """The text behind an option that holds one, and what stands after it."""
    word = words[at]
    _, equals, value = word.partition("=")
    if word.startswith("--") and equals:
        return list(words[at + 1 :]), assigns, value
    if word.startswith("--"):
        return list(words[at + 2 :]), assigns, " ".join(words[at + 1 : at + 2])
    sign = next(each[1] for each in strings if len(each) == 2 and each[1] in word[1:])
    rest = word[word.index(sign, 1) + 1 :]
    if rest:  # `env -S` takes the words behind it too
        return list(words[at + 1 :]), assigns, " ".join((rest, *words[at + 1 :]))
    return list(words[at + 2 :]), assigns, " ".join(words[at + 1 :])


def _ends_in_value(word: str, values: tuple[str, ...]) -> bool:
    """Whether a word is short options of which the last takes the next word (`-iu root`)."""
    return (
        len(word) > 2
        and word[1] != "-"
        and word[0] == "-"
        and f"-{word[-1]}" in values
        and f"-{word[1]}" not in values
    )


def _all_known(words: tuple[str, ...], wrapper: dict) -> bool:
    """Whether every short option is one that a wrapper has."""
    for word in words:
        if word[:1] != "-" or word[:2] == "--":
            continue
        for sign in word[1:]:
            if f"-{sign}" in wrapper.get("values", ()):
                break
            if sign not in wrapper["flags"]:
                return False
    return True


def _is_name(text: str) -> bool:
    return text.replace("_", "a").isalnum() and not text[0].isdigit()


_NAMING = frozenset(
    ("test", "[", "printf", "read", "unset", "declare", "typeset", "local", "export", "let",
     "readonly", "wait", "getopts")
)  # fmt: skip
_QUIET_VALUES = ("", "cat", "less", "more", "true", ":", "/bin/cat", "vim", "nano")
# Variables whose value some program runs.
_CODE_VALUES = (
    "PAGER", "EDITOR", "VISUAL", "BROWSER", "_COMMAND", "EXTERNAL_DIFF", "LESSOPEN", "LESSCLOSE",
    "ASKPASS", "PROMPT_COMMAND", "_SSH", "RSYNC_RSH", "RUSTC_WRAPPER", "FCEDIT",
)  # fmt: skip
