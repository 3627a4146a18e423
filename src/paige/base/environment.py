"""What of Paige's own environment a program that it starts may know.

Paige's environment holds keys, passwords and the address of its database, under names that nobody
can list: providers, tools and operators add their own. So a program gets what is named here, and
nothing else.
"""

from collections.abc import Iterable, Mapping

# Where programs, homes and temporary files are, and how a person wants to be spoken to.
_NAMES = frozenset({
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "PWD", "LANG", "LANGUAGE", "TZ", "TERM",
    "COLORTERM", "NO_COLOR", "TMPDIR", "TEMP", "TMP", "EDITOR", "VISUAL", "PAGER", "DISPLAY",
    "WAYLAND_DISPLAY", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME",
    "XDG_RUNTIME_DIR", "VIRTUAL_ENV", "CONDA_PREFIX", "NVM_DIR", "PYENV_ROOT", "JAVA_HOME",
    "GOPATH", "CARGO_HOME", "RUSTUP_HOME", "SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS",
    "SYSTEMROOT", "SYSTEMDRIVE", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA", "LOCALAPPDATA",
})  # fmt: skip
_PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy")
# What coding CLIs sign in with and are set up by: they are agents of their own.
CODING_CLIS = {
    "claude-code": ("ANTHROPIC_", "CLAUDE_", "DISABLE_", *_PROXIES),
    "codex": ("OPENAI_", "CODEX_", *_PROXIES),
    "gemini": ("GEMINI_", "GOOGLE_", *_PROXIES),
}
GITHUB_CLI = ("GH_", "GITHUB_", *_PROXIES)


def passed_on(environ: Mapping[str, str], *, own: Iterable[str] = ()) -> dict[str, str]:
    """The part of an environment that a program gets; `own` are beginnings of names it needs."""
    beginnings = ("LC_", *own)
    return {
        name: value
        for name, value in environ.items()
        if name in _NAMES or name.startswith(beginnings)
    }
