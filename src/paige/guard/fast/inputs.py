"""What the input of a call names, whichever tool it is: files, and programs in some language.

Tools of servers that nobody here has seen are told by the names of their fields and by the verb in
their own name; a verb that is not known may do anything. Objects inside of objects, lists, and
texts that are objects themselves are looked through. This page is on the hook's fast path:
built-in modules only.
"""

from paige.base.record import Record
from paige.guard.fast.jsonic import lists_of, loads

_LISTS = lists_of("inputs")

READS = "reads"
WRITES = "writes"
SEARCHES = "searches"
UNSURE = "unsure"
LISTS = "lists"
SHELL, SQL, PYTHON, NODE, SCRIPT, POWERSHELL, ANY = (
    "shell", "sql", "python", "node", "osascript", "powershell", "any",
)  # fmt: skip
_MOST_PATH = 4096
_VERB = 4  # shorter ones begin too many other words
_CHANGING = frozenset(_LISTS["changing"])
_READING = frozenset(_LISTS["reading"])
_LISTING = frozenset(_LISTS["listing"])
_CONTENT = frozenset(_LISTS["content"])
_DELETING = frozenset(("delete", "remove", "rm", "unlink", "rmdir", "trash"))
_MOVING = frozenset(("move", "rename", "mv"))
_COPYING = frozenset(("copy", "cp"))
# How the names of fields end that hold a path, and those that are called otherwise.
_PATH_ENDS = tuple(_LISTS["path_ends"])
_PATHS = frozenset(_LISTS["paths"])
_LEFT_OUT = ("exclude", "ignore")
_DESTINATIONS = ("dest", "dst", "new", "output", "save")
_SOURCES = ("source", "src", "from", "old")
# A folder that the rest of a call is about; naming it does nothing to it.
_BASES = tuple(_LISTS["bases"])
_TEXTS = frozenset(_LISTS["texts"])
# Fields whose text may be an object of its own.
_NESTED = frozenset(_LISTS["nested"])
# Fields that only speak of a command.
_ABOUT = tuple(_LISTS["about"])
_ARGUMENTS = ("args", "argv", "arguments")
_PROGRAMS = ("program", "executable", "binary", "exe")
_CODE_ENDS = ("script", "code", "snippet", "javascript", "python")
_CODE = frozenset(_LISTS["code"])
_SQL = frozenset(("statement", "statements", "querystring", "ddl", "dml"))
_QUERIES = frozenset(("query", "queries"))
# What is typed into a shell that runs already.
_TYPED = frozenset(("input", "text", "keys", "keystrokes", "chars", "stdin", "line", "query"))
_SHELLS = frozenset(_LISTS["shells"])
_LANGUAGES = _LISTS["languages"]
_LANGUAGE_KEYS = ("language", "lang", "interpreter", "runtime", "kernel")
_LOOKING_UP = frozenset(_LISTS["looking_up"])
_DATABASES = frozenset(_LISTS["databases"])
# A field `command` may say which of a tool's own actions is meant; these are no programs.
_ACTIONS = frozenset(_LISTS["actions"])
# How statements of SQL begin, with what has to follow.
_STATEMENTS = {name: tuple(each) for name, each in _LISTS["statements"].items()}


class Touch(Record):
    """A path in a call and what the call would do there.

    `named` says that the field's name is one of a file; a path in any other field may be an
    address of something else.
    """

    path: str
    does: str
    named: bool


class Program(Record):
    """A text in a call that would be run. `sure` says that the field can be nothing else.

    `folder` is where it would run; empty for where the agent is.
    """

    language: str
    text: str
    sure: bool
    folder: str


def name_words(tool: str) -> frozenset[str]:
    """The words of a tool's name, without its server's where that can be told."""
    name = tool.rpartition("__")[2] or tool
    made = ""
    for at, sign in enumerate(name):
        if sign.isupper() and at and not name[at - 1].isupper():
            made += " "
        made += sign.lower() if sign.isalnum() else " "
    return frozenset(made.split())


def does_what(words: frozenset[str], given: dict[str, object]) -> str:
    """What a tool does to the files it is given, by the words of its name."""
    changes, reads = _verbs(words, _CHANGING), _verbs(words, _READING)
    if changes:
        return UNSURE if reads else WRITES
    if words & {"search", "find", "grep", "rg", "ripgrep"}:
        asked = {_plain(key): value for key, value in given.items()}
        names_only = asked.get("searchtype") == "files" or bool(words & {"files", "file", "name"})
        if words & _CONTENT or asked.get("searchtype") == "content" or not names_only:
            return SEARCHES
        return LISTS
    if words & _LISTING and not words & {"read", "cat", "content", "contents"}:
        return LISTS
    return READS if reads else UNSURE


def _verbs(words: frozenset[str], known: frozenset[str]) -> bool:
    """Whether one of the words is a verb, or begins with one: `readfile`."""
    if words & known:
        return True
    return any(word.startswith(each) for word in words for each in known if len(each) >= _VERB)


def named_paths(given: dict[str, object], does: str, words: frozenset[str]) -> list[Touch]:
    """The paths in an input, and what a tool that `does` this would do to each."""
    found: list[Touch] = []
    base = folder_of(given)
    for key, value, _ in _fields(given):
        if key.startswith(_LEFT_OUT) or value[:1] == "!":
            continue
        named = key in _PATHS or key.endswith(_PATH_ENDS)
        if not (named or _is_shaped(key, value)) or not _is_path(value):
            continue
        doing = _doing(key, does, words)
        if key in _BASES:
            doing = doing if doing == SEARCHES else ""
        elif base and value[:1] not in ("/", "~", "$", "%") and ":" not in value[:6]:
            value = f"{base}/{value}"
        if doing and doing != LISTS:
            found.append(Touch(value, doing, named))
    return list(dict.fromkeys(found))


def removes(words: frozenset[str]) -> str:
    """The program of the shell that does what a tool does, where that takes something away."""
    if words & _DELETING:
        return "rm -r"
    return "mv" if words & _MOVING else ""


def folder_of(given: dict[str, object]) -> str:
    """The folder a call says it runs in; empty when it does not say."""
    asked = {_plain(key): value for key, value in given.items()}
    return next((each for key in _BASES if isinstance(each := asked.get(key), str) and each), "")


def programs_in(tool: str, given: dict[str, object]) -> list[Program]:
    """The texts in an input that would be run, each in the language it seems to be in."""
    words = name_words(tool)
    # A server that is a terminal or an interpreter says so by its own name.
    whole = name_words(tool.replace("__", "_"))
    folder = folder_of(given)
    found: list[Program] = []
    for key, value, around in _fields(given):
        if not value.strip():
            continue
        language, sure = _language(key, value, around, (words, whole))
        if language == SHELL and _is_command(key):
            value = " ".join((value, *map(quoted, _arguments(around))))
        if language:
            found.append(Program(language, value, sure, folder))
        if key in _TYPED and language == SHELL:
            # What runs there may be another interpreter than a shell.
            found.append(Program(ANY, value, False, folder))
    found += [Program(SHELL, each, True, folder) for each in _argv(given, words)]
    return list(dict.fromkeys(found))


def quoted(word: str) -> str:
    """A word as the shell reads it as one."""
    plain = word and all(sign.isalnum() or sign in "@%+=:,./-_" for sign in word)
    return word if plain else "'" + word.replace("'", "'\"'\"'") + "'"


def looks_like_sql(text: str) -> bool:
    """Whether a text begins as a statement of SQL does; questions in plain words do not."""
    text = text.strip()
    while text.startswith(("--", "/*", "(")):
        end = {"--": "\n", "/*": "*/"}.get(text[:2], "(")
        text = text.partition(end)[2].strip()
    words = text.lower().replace("(", " ").replace(";", " ; ").split()
    wanted = _STATEMENTS.get(words[0]) if words else None
    if wanted is None:
        return False
    return not wanted or any(each in words[1:8] for each in wanted)


def _is_command(key: str) -> bool:
    """Whether a field holds a command for a shell, however it is called: `cmd`, `shell_command`."""
    called = "command" in key or key.startswith("cmd") or key.endswith(("cmd", "cmds"))
    return (called and not key.endswith(_ABOUT)) or key in ("bash", "exec")


def _is_code(key: str) -> bool:
    return (key.endswith(_CODE_ENDS) and key not in _TEXTS) or key in _CODE


def _is_sql(key: str) -> bool:
    return "sql" in key or key in _SQL


def _language(
    key: str,
    value: str,
    around: dict[str, object],
    names: tuple[frozenset[str], frozenset[str]],
) -> tuple[str, bool]:
    """The language a field's text would be run in, and whether it is sure to be run."""
    words, whole = names
    if _is_command(key):
        own = value.strip().lower() in _ACTIONS and not _arguments(around)
        return ("", False) if own else (SHELL, True)
    if _is_sql(key):
        return SQL, True
    if key in _TYPED and whole & _SHELLS:
        return SHELL, True
    if key in _QUERIES:
        looks_up = words & _LOOKING_UP and not words & _DATABASES
        return (SQL, True) if not looks_up and looks_like_sql(value) else ("", False)
    if _is_code(key):
        said = {_plain(name): each for name, each in around.items()}
        named = [str(said[name]).lower() for name in _LANGUAGE_KEYS if name in said]
        shut_in = words & {"browser", "page", "evaluate"}  # a page's script reaches no file
        begins = [each for each in _LANGUAGES if key == each or (each[2:] and key.startswith(each))]
        for word in (*named, *begins, *sorted(words), *sorted(whole)):
            if word in _LANGUAGES and not shut_in:
                return _LANGUAGES[word], True
        return ANY, False
    return "", False


def _arguments(around: dict[str, object]) -> list[str]:
    asked = {_plain(key): value for key, value in around.items()}
    for key in _ARGUMENTS:
        value = asked.get(key)
        if isinstance(value, list):
            return [each for each in value if isinstance(each, str)]
        if isinstance(value, str) and value[:1] not in ("{", "["):
            return value.split()
    return []


def _argv(given: dict[str, object], words: frozenset[str]):
    """Commands that are spread over a list: of words, or of arguments beside a program."""
    for around in _objects(given):
        asked = {_plain(key): value for key, value in around.items()}
        for key, value in asked.items():
            spread = key == "argv" or (_is_command(key) and not key.endswith("s"))
            if spread and isinstance(value, list) and all(isinstance(one, str) for one in value):
                yield " ".join(map(quoted, value))
        given_words = _arguments(around)
        if not given_words or any(map(_is_command, asked)):
            continue
        named = [one for key in _PROGRAMS if isinstance(one := asked.get(key), str)]
        # Without a program the tool is one itself, as a server for `git` or `kubectl` is.
        for program in named or sorted(words - _CHANGING - _READING):
            yield " ".join((program, *map(quoted, given_words)))
        if not named:
            yield " ".join(map(quoted, given_words))  # or the first of them is one


def _doing(key: str, does: str, words: frozenset[str]) -> str:
    if key.startswith(_DESTINATIONS):
        return WRITES
    if key.startswith(_SOURCES) and does in (WRITES, UNSURE):
        return READS if words & _COPYING else UNSURE
    return does


def _is_path(value: str) -> bool:
    """Whether a text may be a path at all; addresses are not, but for those of files."""
    if not value or len(value) > _MOST_PATH or "\n" in value:
        return False
    scheme, colon, rest = value.partition(":")
    if colon and (rest.startswith("//") or scheme.lower() in ("data", "mailto", "urn")):
        return scheme.lower() == "file"
    return True


def _is_shaped(key: str, value: str) -> bool:
    """Whether a text in a field of any other name is written as a path is."""
    if key in _TEXTS or _is_code(key) or _is_command(key) or _is_sql(key):
        return False
    begins = ("/", "~/", "./", "../", "$HOME", "${HOME}", "file:", "\\\\", ".env", ".ssh/")
    if "/." in value and " " not in value:
        return True
    return value.startswith(begins) or (value[1:3] in (":\\", ":/") and value[:1].isalpha())


def _objects(given: dict[str, object]):
    """Every object in an input, itself first; what would be written down is not looked into."""
    waiting: list[object] = [given]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += reversed(value)
        elif isinstance(value, dict):
            yield value
            for name, each in reversed(list(value.items())):
                key = _plain(name)
                if isinstance(each, str):
                    each = _inside(each) if key in _NESTED else None
                if key not in _TEXTS:
                    waiting.append(each)


def _fields(given: dict[str, object]):
    """Every text in an input: the name of its field, the text, and the object it stands in."""
    for around in _objects(given):
        for name, value in around.items():
            key = _plain(name)
            if isinstance(value, str):
                yield key, value, around
            elif isinstance(value, list) and (key.endswith("s") or not _is_command(key)):
                # A list of words for one command is put together elsewhere.
                yield from ((key, each, around) for each in value if isinstance(each, str))
            if "/" in name or name[:1] in (".", "~"):
                yield "path", name, around  # a table of files by their paths


def _inside(text: str) -> object:
    """The object or list that a text is; nothing when it is none."""
    if text[:1] not in ("{", "["):
        return None
    try:
        return loads(text)
    except (ValueError, RecursionError):
        return None


def _plain(key: object) -> str:
    return "".join(sign for sign in str(key).lower() if sign.isalnum())
