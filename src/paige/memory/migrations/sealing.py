"""Seals lines that are carried over, with everything they hold.

The log seals events; a line of a newer version holds more than an event of this one knows, also
inside known fields, so here the line itself is sealed. The words of a forgotten event are gone, but
the digest that proved them stays.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import orjson

from paige.memory.event import SEAL_FIELDS
from paige.memory.log.chain import HEADER_FIELDS, header_hash

_NOT_CONTENT = frozenset(HEADER_FIELDS) | set(SEAL_FIELDS) | {"forgotten"}


def seal_line(fields: Mapping[str, Any], prev: str, salt: str) -> tuple[bytes, str]:
    """The line with its newline, and its hash, which the next one needs."""
    line = {"id": fields["id"], **{n: fields[n] for n in fields if n not in SEAL_FIELDS}}
    digest = fields.get("digest")
    if not fields.get("forgotten"):
        content = {name: line[name] for name in line.keys() - _NOT_CONTENT}
        written = orjson.dumps(content, option=orjson.OPT_SORT_KEYS)
        digest = sha256(salt.encode() + written).hexdigest()
        line["salt"] = salt
    line["digest"] = digest
    line["prev"] = prev
    line["hash"] = header_hash(line)
    return orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE), line["hash"]
