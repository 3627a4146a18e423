"""Evidence of test runs: one file for each run, sealed with a key of this machine.

Whoever writes such a file by hand has no seal, so what an agent types is no evidence. The key lies
with Paige's own data, which no agent may write.
"""

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from paige.base.errors import Unavailable
from paige.base.files import make_private, write_error
from paige.guard.state.files import Damaged, read_object, write_object

KEY = "guard/evidence.key"
MOST_RECORDS = 200
_PAUSE = "-"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One run of tests: what ran, how it ended, and with which files."""

    argv: tuple[str, ...]
    cwd: str
    exit_code: int
    tests: int
    tree_hash: str
    at: str
    tool_use_id: str | None
    session: str = ""
    agent: str | None = None
    feature: str | None = None
    seal: str = ""

    @property
    def good(self) -> bool:
        """Whether tests ran and all of them passed."""
        return self.exit_code == 0 and self.tests > 0


@dataclass(frozen=True, slots=True)
class EvidenceRecords:
    """The evidence of a project, the newest last, and what was left out with the reason."""

    records: tuple[Evidence, ...] = ()
    left_out: tuple[str, ...] = ()


def evidence_folder(root: Path | str) -> Path:
    """Where the evidence of a project lies."""
    return Path(root) / ".claude" / "progress" / "evidence"


def write_evidence(root: Path | str, data: Path | str, evidence: Evidence) -> Path:
    """Seal a run and keep it; its file. Raises: Refused, Unavailable."""
    sealed = replace(evidence, seal=_seal(evidence, machine_key(data)))
    folder = evidence_folder(root)
    stamp = sealed.at.replace(":", "").replace(".", _PAUSE)
    path = folder / f"{stamp}{_PAUSE}{sealed.seal[:8]}.json"
    write_object(path, asdict(sealed))
    _forget_old(folder)
    return path


def read_evidence(root: Path | str, data: Path | str) -> EvidenceRecords:
    """All evidence of a project that holds. Raises: Unavailable without a key."""
    folder = evidence_folder(root)
    paths = _paths(folder)
    if not paths:
        return EvidenceRecords()
    key = machine_key(data)
    records: list[Evidence] = []
    left_out: list[str] = []
    for path in paths:
        try:
            record = _load(read_object(path), path)
        except Damaged as error:
            left_out.append(error.message)
            continue
        if not hmac.compare_digest(
            _seal(record, key).encode(), record.seal.encode(errors="surrogatepass")
        ):
            left_out.append(f"`{path.name}` was not written by Paige on this machine")
            continue
        records.append(record)
    return EvidenceRecords(tuple(records), tuple(left_out))


def machine_key(data: Path | str) -> bytes:
    """The key of this machine, made at the first use. Raises: Refused, Unavailable."""
    if not str(data):
        raise Unavailable("There is no folder for Paige's data", hint="Set `DATA_DIR`.")
    path = Path(data) / KEY
    try:
        return path.read_bytes()
    except FileNotFoundError:
        pass
    except OSError as error:
        raise Unavailable(f"`{path}` cannot be read: {error.strerror or error}") from error
    make_private(path.parent)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        draft.write_bytes(secrets.token_hex(32).encode())
        draft.chmod(0o600)
        try:
            os.link(draft, path)  # whoever comes second takes the first one's
        except FileExistsError:
            pass
        finally:
            draft.unlink()
        return path.read_bytes()
    except OSError as error:
        raise write_error(path, error) from error


def fresh(records: Iterable[Evidence], feature: str, tree: str) -> Evidence | None:
    """The newest good evidence for a feature with the files as they are."""
    fitting = [
        each
        for each in records
        if each.good and each.tree_hash == tree and each.feature in (None, feature)
    ]
    return fitting[-1] if fitting else None


def _paths(folder: Path) -> list[Path]:
    try:
        return sorted(each for each in folder.iterdir() if each.suffix == ".json")
    except OSError:
        return []


def _forget_old(folder: Path) -> None:
    for path in _paths(folder)[:-MOST_RECORDS]:
        path.unlink(missing_ok=True)


def _seal(evidence: Evidence, key: bytes) -> str:
    body = {**asdict(evidence), "argv": list(evidence.argv)}
    del body["seal"]
    text = json.dumps(body, sort_keys=True, ensure_ascii=True)
    return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()


def _load(given: dict[str, Any] | None, path: Path) -> Evidence:
    try:
        value: dict[str, Any] = dict(given or {})
        record = Evidence(**{**value, "argv": tuple(value["argv"])})
        plain = isinstance(record.exit_code, int) and isinstance(record.tests, int)
        if not plain or not isinstance(record.seal, str):
            raise TypeError
    except (TypeError, KeyError) as error:
        raise Damaged(path, 1, "it is no evidence", "Run the tests again.") from error
    return record
