"""How much a browser has to fetch before it shows something."""

import gzip
import re
from pathlib import Path

from paige.base.paths import SHIPPED

WEB = SHIPPED / "web"
MOST = 200 * 1024
FETCHED_FIRST = re.compile(r'<(?:script|link)[^>]*?(?:src|href)="(/[^"]+\.(?:js|css))"')


def test_the_first_load_stays_small() -> None:
    index = WEB / "index.html"
    assert index.exists(), "The web app is not built. Run `make web`."
    paths = FETCHED_FIRST.findall(index.read_text(encoding="utf-8"))
    sizes = {path: _compressed(WEB / path.lstrip("/")) for path in paths}
    sizes["/index.html"] = _compressed(index)

    assert {Path(path).suffix for path in sizes} == {".html", ".js", ".css"}
    assert sum(sizes.values()) <= MOST, sizes


def _compressed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes()))
