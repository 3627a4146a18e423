"""Origins as browsers send them: scheme, host and port, in one form so that two can be compared."""

import re

from paige.base.errors import BadInput

# Nothing may follow: neither a path nor a second origin.
_ORIGIN = re.compile(
    r"(?P<scheme>https?)://(?P<host>\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(?P<port>[0-9]{0,5}))?"
)
_DEFAULT = {"http": 80, "https": 443}


def read_origin(text: str) -> str | None:
    """An origin in lower case, without its scheme's own port; nothing when it is none."""
    found = _ORIGIN.fullmatch(text.lower()) if text.isascii() else None
    if found is None:
        return None
    default = _DEFAULT[found["scheme"]]
    port = int(found["port"] or default)
    shown = "" if port == default else f":{port}"
    return f"{found['scheme']}://{found['host']}{shown}"


def parse_origins(text: str, place: str) -> tuple[str, ...]:
    """The origins that somebody listed, separated by commas. Raises: BadInput."""
    words = [word.strip().rstrip("/") for word in text.split(",")]
    origins = {word: read_origin(word) for word in words if word}
    for word, origin in origins.items():
        if origin is None:
            raise BadInput(
                f"{place}: `{word}` is not an origin",
                hint="Write scheme, host and port, such as `http://localhost:5173`.",
            )
    return tuple(origin for origin in origins.values() if origin)


def address_of(host: str, port: int) -> str:
    """The address a person opens."""
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
