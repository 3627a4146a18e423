"""What the input of a call names, whichever tool it is: files, and programs in some language.

Tools of servers that nobody here has seen are told by the names of their fields and by the verb in
their own name; a verb that is not known may do anything. Objects inside of objects, lists, and
texts that are objects themselves are looked through. This page is on the hook's fast path:
built-in modules only.
"""

from paige.base.record import Record
from paige.guard.fast.jsonic import loads

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
_CHANGING = frozenset((
    "write", "edit", "create", "delete", "remove", "move", "rename", "patch", "append", "replace",
    "insert", "put", "save", "update", "copy", "set", "add", "apply", "overwrite", "mkdir",
    "touch", "unlink", "rm", "mv", "cp", "download", "extract", "unzip", "modify", "change",
    "truncate", "clear", "format", "fix", "refactor", "generate", "record", "dump", "store",
    "export", "restore", "reset", "checkout", "clone", "init", "multiedit", "rmdir", "chmod",
    "chown", "symlink", "link",
))  # fmt: skip
_READING = frozenset((
    "read", "get", "view", "show", "cat", "head", "tail", "open", "load", "fetch", "inspect",
    "describe", "query", "lookup", "browse", "preview", "upload", "send", "attach", "import",
    "parse", "analyze", "analyse", "summarize", "summarise", "diff", "compare", "blame", "hover",
    "definition", "references", "symbols", "diagnostics", "check", "validate", "lint", "count",
    "hash", "transcribe", "ocr", "ask", "explain", "outline", "overview", "index", "scan", "watch",
    "print", "display", "search", "grep", "find", "resolve", "convert", "render", "retrieve",
    "navigate", "zip", "compress", "archive", "log", "status", "test", "review",
))  # fmt: skip
_LISTING = frozenset((
    "list", "ls", "dir", "tree", "stat", "exists", "glob", "info", "metadata", "status",
))  # fmt: skip
_CONTENT = frozenset((
    "grep", "rg", "ripgrep", "content", "contents", "text", "code", "pattern", "string", "lines",
))  # fmt: skip
_DELETING = frozenset(("delete", "remove", "rm", "unlink", "rmdir", "trash"))
_MOVING = frozenset(("move", "rename", "mv"))
_COPYING = frozenset(("copy", "cp"))
# How the names of fields end that hold a path, and those that are called otherwise.
_PATH_ENDS = (
    "path", "paths", "file", "files", "filename", "filenames", "dir", "dirs", "directory",
    "directories", "folder", "folders", "uri", "uris", "url", "urls",
)  # fmt: skip
_PATHS = frozenset((
    "target", "to", "from", "source", "sources", "src", "destination", "dest", "dst", "output",
    "location", "saveto", "attachments", "include", "includepattern", "link", "notebook", "archive",
))  # fmt: skip
_LEFT_OUT = ("exclude", "ignore")
_DESTINATIONS = ("dest", "dst", "new", "output", "save")
_SOURCES = ("source", "src", "from", "old")
# A folder that the rest of a call is about; naming it does nothing to it.
_BASES = (
    "cwd", "workdir", "workingdirectory", "workingdir", "basedir", "rootdir", "repopath",
    "projectpath", "projectroot", "dirpath", "directory", "basepath",
)  # fmt: skip
_TEXTS = frozenset((
    "content", "contents", "text", "newstring", "oldstring", "newstr", "oldstr", "newsource",
    "filetext", "newtext", "oldtext", "inserttext", "data", "body", "message", "prompt",
    "description", "title", "summary", "query", "pattern", "regex", "instruction", "instructions",
    "justification", "comment", "note", "html", "markdown", "question", "new", "old", "plan",
    "thought", "reason", "subject", "selector", "transcript",
))  # fmt: skip
# Fields whose text may be an object of its own.
_NESTED = frozenset((
    "arguments", "args", "input", "params", "parameters", "payload", "request", "json", "toolinput",
    "toolargs",
))  # fmt: skip
# Fields that only speak of a command.
_ABOUT = (
    "id", "name", "type", "description", "title", "reason", "timeout", "path", "dir", "output",
    "history", "ms", "count", "index", "prefix", "help",
)  # fmt: skip
_ARGUMENTS = ("args", "argv", "arguments")
_PROGRAMS = ("program", "executable", "binary", "exe")
_CODE_ENDS = ("script", "code", "snippet", "javascript", "python")
_CODE = frozenset((
    "function", "expression", "js", "py", "shell", "sh", "zsh", "scriptcontent", "codeblock",
    "cellsource", "cell",
))  # fmt: skip
_SQL = frozenset(("statement", "statements", "querystring", "ddl", "dml"))
_QUERIES = frozenset(("query", "queries"))
# What is typed into a shell that runs already.
_TYPED = frozenset(("input", "text", "keys", "keystrokes", "chars", "stdin", "line", "query"))
_SHELLS = frozenset((
    "shell", "bash", "terminal", "tmux", "console", "pty", "ssh", "process", "command", "commands",
    "cmd", "exec", "zsh", "sh", "stdin",
))  # fmt: skip
_LANGUAGES = {
    "python": PYTHON, "python3": PYTHON, "py": PYTHON, "jupyter": PYTHON, "ipython": PYTHON,
    "notebook": PYTHON, "javascript": NODE, "js": NODE, "node": NODE, "nodejs": NODE,
    "typescript": NODE, "bash": SHELL, "sh": SHELL,
    "shell": SHELL, "zsh": SHELL, "terminal": SHELL, "applescript": SCRIPT, "osascript": SCRIPT,
    "powershell": POWERSHELL, "pwsh": POWERSHELL, "sql": SQL,
}  # fmt: skip
_LANGUAGE_KEYS = ("language", "lang", "interpreter", "runtime", "kernel")
_LOOKING_UP = frozenset((
    "search", "find", "lookup", "docs", "web", "google", "browse", "recall", "research", "library",
    "fetch", "ask", "memory", "nodes",
))  # fmt: skip
_DATABASES = frozenset((
    "sql", "db", "database", "postgres", "postgresql", "mysql", "mariadb", "sqlite", "duckdb",
    "bigquery", "snowflake", "clickhouse", "execute", "motherduck", "warehouse", "redshift",
))  # fmt: skip
# A field `command` may say which of a tool's own actions is meant; these are no programs.
_ACTIONS = frozenset((
    "view", "create", "delete", "drop", "update", "insert", "replace", "read", "write", "edit",
    "list", "get", "set", "add", "remove", "move", "copy", "rename", "undo", "undo_edit", "open",
    "close", "start", "stop", "status", "search", "append", "clear", "reset", "str_replace",
))  # fmt: skip
# How statements of SQL begin, with what has to follow.
_STATEMENTS = {
    "select": (), "with": ("as",), "insert": ("into",), "update": ("set",), "delete": ("from",),
    "drop": ("table", "database", "schema", "view", "index", "user", "role", "column", "type",
             "function", "sequence", "trigger", "extension", "owned", "materialized", "keyspace",
             "collection", "policy", "tablespace", "publication", "subscription"),
    "truncate": (), "alter": ("table", "database", "schema", "user", "role", "view", "index"),
    "create": ("table", "database", "schema", "view", "index", "user", "role", "function",
               "trigger", "extension"),
    "grant": ("to",), "revoke": ("from",), "merge": ("into",), "replace": ("into",), "copy": (),
    "attach": (), "pragma": (), "vacuum": (), "explain": (), "exec": (), "begin": (), "set": (),
    "call": (), "do": (), "use": (), "flushall": (), "flushdb": (),
}  # fmt: skip


class Touch(Record):
    """A path in a call and what the call would do there.

    `named` says that the field's name is one of a file; a path in any other field may be an
    address of something else.
    """

    __slots__ = ("path", "does", "named")
    path: str
    does: str
    named: bool


class Program(Record):
    """A text in a call that would be run. `sure` says that the field can be nothing else.

    `folder` is where it would run; empty for where the agent is.
    """

    __slots__ = ("language", "text", "sure", "folder")
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
            value = _with_arguments(value, around)
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


def _with_arguments(command: str, around: dict[str, object]) -> str:
    given = _arguments(around)
    return " ".join((command, *map(quoted, given))) if given else command


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
