"""Finding things that look like secrets, so that logs, memories and writes can keep them out.

Patterns name well-known key shapes and assignments to telling names. A match is a span, not a
proof: callers redact (logs), refuse (a gate on writes) or ask.
"""

import re
from typing import NamedTuple


class Secret(NamedTuple):
    """One suspicious span of a text: `text[start:end]`."""

    kind: str
    start: int
    end: int


# Every shape can be tried at each character, so none may begin with an unbounded run: it would be
# read again from each of its characters, and a long line would take minutes.
_SHAPES: tuple[tuple[str, str], ...] = (
    ("anthropic key", r"\bsk-ant-[A-Za-z0-9_-]{16,}"),
    ("openai key", r"\bsk-(?!ant-)(?:proj-|svcacct-)?[A-Za-z0-9_-]{20,}"),
    ("aws key id", r"\b(?:AKIA|ASIA)[A-Z0-9]{16}\b"),
    ("github token", r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})"),
    ("gitlab token", r"\bglpat-[A-Za-z0-9_-]{20,}"),
    ("slack token", r"\bxox[abeprs]-[A-Za-z0-9-]{10,}"),
    ("google key", r"\bAIza[A-Za-z0-9_-]{35}"),
    ("stripe key", r"\b[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
    ("paige token", r"\bpaige_[a-z0-9-]{1,63}\.[A-Za-z0-9_-]{40,}"),
    ("json web token", r"\beyJ[A-Za-z0-9_-]{8,999}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"),
    (
        "private key",
        r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----"
        r"[\s\S]*?(?:-----END (?:[A-Z]+ )*PRIVATE KEY-----|\Z)",
    ),
    ("password in address", r"[a-z0-9]://[^\s/:@]+:(?P<value_a>[^\s/@]+)@"),
    ("bearer token", r"(?i:\bbearer)\s+(?P<value_b>[A-Za-z0-9._~+/=-]{16,})"),
    (
        "assigned secret",
        r"(?i:password|passwd|passcode|secret|(?:api|access|secret)[_-]?key|(?:access|auth)[_-]?token)"
        r"[\"']?\s*[:=]\s*[\"']?(?P<value_c>[^\s\"',;]{8,})",
    ),
)
_PATTERNS = tuple((kind, re.compile(pattern)) for kind, pattern in _SHAPES)
# What people write where a secret would stand.
_STAND_IN = re.compile(
    r"(?i)^(?:\$|<|\{|%|x{4,}$|\*{4,}|your[-_ ]|example|changeme|redacted|none$|null$|\.\.\.)"
    # What `redact` writes there itself.
    rf"|^\[(?:{'|'.join(kind.split()[0] for kind, _ in _SHAPES)})\b"
)


def find_secrets(text: str) -> list[Secret]:
    """Spans of `text` that look like secrets, in order, not overlapping."""
    found: list[Secret] = []
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            group = next((name for name, value in match.groupdict().items() if value), 0)
            if not _STAND_IN.match(match[group]):
                found.append(Secret(kind, match.start(group), match.end(group)))
    found.sort(key=lambda secret: (secret.start, -secret.end))
    kept: list[Secret] = []
    for secret in found:
        if not kept or secret.start >= kept[-1].end:
            kept.append(secret)
        elif secret.end > kept[-1].end:  # the tail of an overlapping one is a secret too
            kept[-1] = kept[-1]._replace(end=secret.end)
    return kept


def redact(text: str) -> str:
    """Replace every secret of `text` by its kind in brackets."""
    # Taking one out can bare another that was grown together with it.
    while secrets := find_secrets(text):
        parts: list[str] = []
        position = 0
        for secret in secrets:
            parts += [text[position : secret.start], f"[{secret.kind}]"]
            position = secret.end
        text = "".join([*parts, text[position:]])
    return text
