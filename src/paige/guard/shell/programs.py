"""Whether SQL given to a client only reads.

What can write, run or change is looked for in the words of every statement; what is not understood
does not count as reading. It decides only what may be allowed, so that a miss costs a question.
Built-in modules only.
"""

from paige.guard.shell.script import UNKNOWN

_SQL_READING = ("select", "show", "describe", "desc", "explain", "with", "values", "pragma", "\\d",
                "\\l", "\\dt", "\\conninfo", "\\z", "\\du", "\\timing", "\\?", "\\h", ".tables",
                ".schema", ".databases", ".mode", ".headers", ".help", ".indexes", ".show", "use",
                "list", "summarize", "table", "describe;", "help", "pivot")  # fmt: skip
_SQL_BAD = frozenset((
    "insert", "update", "delete", "drop", "truncate", "alter", "create", "grant", "revoke", "merge",
    "replace", "copy", "call", "do", "vacuum", "reindex", "attach", "detach", "load", "install",
    "into", "outfile", "dumpfile", "lock", "rename", "set", "unload", "exec", "execute", "kill",
    "load_extension", "writefile", "pg_read_file", "lo_import", "lo_export", "dblink", "edit",
    "pg_terminate_backend", "pg_sleep", "xp_cmdshell", "import", "export", "system", "begin",
    "commit", "nextval", "setval", "shutdown", "load_file", "pg_ls_dir", "pg_reload_conf",
    "fts3_tokenizer", "analyze", "optimize", "msck", "refresh", "comment", "declare",
))  # fmt: skip


def sql_is_plain(text: str) -> bool:
    """SQL whose every statement only reads."""
    said = _without_strings(text)
    statements = [each.strip() for each in said.split(";")]
    kept = [each for each in statements if each]
    if not kept or UNKNOWN in text:
        return False
    for each in kept:
        words = _words(each)
        if not words or not each.startswith(_SQL_READING) or not _SQL_BAD.isdisjoint(words):
            return False
        if each.startswith("pragma") and "=" in each:
            return False
    return True


def _without_strings(text: str) -> str:
    """SQL in lower case without texts and comments."""
    made: list[str] = []
    at, low = 0, text.lower()
    while at < len(low):
        if low[at] in "'\"":
            close = low.find(low[at], at + 1)
            made.append(" text ")
            at = len(low) if close < 0 else close + 1
        elif low.startswith("--", at):
            found = low.find("\n", at)
            at = len(low) if found < 0 else found
        elif low.startswith("/*", at):
            close = low.find("*/", at)
            at = len(low) if close < 0 else close + 2
        else:
            made.append(low[at])
            at += 1
    return "".join(made)


def _words(text: str) -> set[str]:
    made = "".join(sign if sign.isalnum() or sign == "_" else " " for sign in text)
    return set(made.split())
