"""Whether SQL given to a client only reads.

What can write, run or change is looked for in the words of every statement; what is not understood
does not count as reading. It decides only what may be allowed, so that a miss costs a question.
Built-in modules only.
"""

from paige.guard.shell.script import UNKNOWN

_SQL_READING = frozenset((
    "select", "show", "describe", "desc", "explain", "with", "values", "pragma", "use", "list",
    "summarize", "table", "help", "pivot", "\\l", "\\l+", "\\conninfo", "\\z", "\\timing", "\\?",
    "\\h", "\\q", "\\x", ".tables", ".schema", ".fullschema", ".databases", ".mode", ".headers",
    ".header", ".help", ".indexes", ".indices", ".show", ".width", ".dbinfo", ".quit", ".exit",
    ".dump",
))  # fmt: skip
# What a `pragma` may ask for.
_PRAGMAS = frozenset((
    "table_info", "table_xinfo", "table_list", "index_list", "index_info", "index_xinfo",
    "foreign_key_list", "foreign_key_check", "database_list", "user_version", "version",
    "compile_options", "integrity_check", "quick_check", "encoding", "page_count", "page_size",
    "journal_mode", "freelist_count", "collation_list", "function_list", "show_tables",
    "database_size", "show", "foreign_keys", "schema_version", "application_id", "storage_info",
    "platform", "show_databases", "pragma_list", "module_list",
))  # fmt: skip
# Functions that write, read files, wait or reach another server.
_SQL_REACHING = (
    "dblink", "lo_", "pg_read", "pg_ls", "pg_write", "pg_cancel", "pg_rotate", "pg_advisory",
    "pg_try_advisory", "pg_switch", "pg_start", "pg_stop", "pg_create", "pg_drop", "pg_promote",
    "pg_logical", "pg_replication_origin", "pg_wal_re", "pg_export", "pg_notify", "pg_file",
    "pg_backup", "pg_stat_reset", "pg_stat_file", "sys_e", "utl_", "dbms_", "sp_", "xp_",
    "opendatasource", "openrowset", "benchmark", "http_", "shell",
)  # fmt: skip
_SQL_BAD = frozenset((
    "insert", "update", "delete", "drop", "truncate", "alter", "create", "grant", "revoke", "merge",
    "replace", "copy", "call", "do", "vacuum", "reindex", "attach", "detach", "load", "install",
    "into", "outfile", "dumpfile", "lock", "rename", "set", "unload", "exec", "execute", "kill",
    "load_extension", "writefile", "pg_read_file", "lo_import", "lo_export", "dblink", "edit",
    "pg_terminate_backend", "pg_sleep", "xp_cmdshell", "import", "export", "system", "begin",
    "commit", "nextval", "setval", "shutdown", "load_file", "pg_ls_dir", "pg_reload_conf",
    "listen", "notify", "handler", "flush", "purge", "repair", "start",
    "fts3_tokenizer", "analyze", "optimize", "msck", "refresh", "comment", "declare",
))  # fmt: skip


def sql_is_plain(text: str) -> bool:
    """SQL whose every statement only reads."""
    if UNKNOWN in text or "/*!" in text:  # MySQL runs what stands in such a comment
        return False
    statements = [each.strip() for each in _without_strings(text).split(";")]
    kept = [each for each in statements if each]
    return bool(kept) and all(_reads(each) for each in kept)


def _reads(statement: str) -> bool:
    """Whether one statement only reads."""
    first, _, rest = statement.partition(" ")
    first = first.strip("()\n")
    words = _words(statement)
    if not words or not _SQL_BAD.isdisjoint(words):
        return False
    if first not in _SQL_READING and not (first[:2] == "\\d" and first != "\\do"):
        return False
    if "\\" in rest or any(each.startswith(_SQL_REACHING) for each in words):
        return False
    if first == "pragma":
        asked = rest.strip().partition("(")[0].split(".")[-1].strip()
        return asked in _PRAGMAS and "=" not in rest
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
