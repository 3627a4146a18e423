"""Numbers and names that explanations tell are those of the code."""

import pytest

from paige.coach.prompts import QUESTIONS
from paige.doors.frame.web.hub import (
    HEARTBEAT_SECONDS,
    HELLO_SECONDS,
    MOST_OF_ONE,
    MOST_WINDOWS,
    QUEUE_FRAMES,
)
from paige.doors.site.many_servers import KEEP_EVENTS
from paige.doors.site.run import MAX_FRAME
from paige.models.http_provider import LONGEST_WAIT
from paige.models.wrappers import LONGEST_RETRY_AFTER, MAX_FAILURES, RETRIES
from paige.plan.hooks.kept_files import ASKED, REFUSED
from paige.store.bus import SAFETY_SECONDS
from paige.store.documents import MAX_BYTES
from paige.store.engine import BUSY_SECONDS, READERS
from paige.store.migrate import copy_path
from tests.docs.pages import ROOT

WORDS = {2: "two", 3: "three", 5: "five", 10: "ten"}
TIMES = {2: "twice"}
SOCKETS, STORAGE, MODELS, SECURITY = (
    "event-stream-and-sockets",
    "storage-and-durability",
    "working-with-models",
    "security",
)
CLAIMS = [
    (SOCKETS, f"{WORDS[int(HELLO_SECONDS)]} seconds at most"),
    (SOCKETS, f"a heartbeat every {HEARTBEAT_SECONDS:g} seconds"),
    (SOCKETS, f"a queue of {QUEUE_FRAMES} frames"),
    (SOCKETS, f"at most {MAX_FRAME // 2**20} MiB"),
    (SOCKETS, f"every {WORDS[int(SAFETY_SECONDS)]} seconds to be safe"),
    (SOCKETS, f"events older than {KEEP_EVENTS.days} days"),
    (STORAGE, f"| readers at once | {READERS} | {READERS} |"),
    (STORAGE, f"busy timeout {BUSY_SECONDS:g} s"),
    (STORAGE, f"at most {MAX_BYTES // 2**20} MiB"),
    (STORAGE, copy_path(ROOT / "paige.db", "0012").name),
    (MODELS, f"is tried {TIMES[RETRIES]} more"),
    (MODELS, f"{WORDS[MAX_FAILURES].capitalize()} requests in a row"),
    (MODELS, "more than a minute" if LONGEST_RETRY_AFTER == 60 else "?"),
    (MODELS, f"The time limit is {WORDS[int(LONGEST_WAIT) // 60]} minutes"),
    ("how-the-coach-thinks", f"The coach asks {WORDS[len(QUESTIONS)]} questions"),
    (SECURITY, f"open windows ({MOST_WINDOWS:,}"),
    (SECURITY, f"{MOST_OF_ONE} of one person"),
    *((SECURITY, each.removesuffix(".md")) for each in (*REFUSED, *ASKED)),
]


@pytest.mark.parametrize(("page", "claim"), CLAIMS)
def test_what_a_page_tells_is_what_the_code_has(page: str, claim: str) -> None:
    told = (ROOT / "docs" / "explanation" / f"{page}.md").read_text()
    assert claim in " ".join(told.split())
