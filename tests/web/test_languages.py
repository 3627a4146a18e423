"""The app in another language: every word can be translated, and longer words have room."""

import contextlib
import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Error, Page, Response, expect

from tests.live import Live
from tests.web.browser import Problems, is_wider_than_the_window
from tests.web.full_desk import full_desk

pytestmark = pytest.mark.browser
COURSE = "/study/bahasa-melayu"
PATHS = (
    *("/", "/plan", "/plan?pane=document"),
    *("/study", "/study/courses", "/study/settings", COURSE),
    *(f"{COURSE}/session", f"{COURSE}/progress"),
    *("/coach", "/coach/work", "/coach/practice/nobody", "/coach/wrap-up"),
    *("/guard", "/guard?tab=rules", "/guard?tab=explain", "/guard?tab=hosts", "/guard/graph"),
    *("/guard/guards", "/guard/guards?tab=patterns", "/guard/guards?tab=report"),
    *("/guard/orchestra", "/memory", "/memory?tab=documents", "/memory?tab=policies"),
    *("/traces", "/costs", "/search?q=loop", "/nowhere"),
    *("/settings", "/settings/passcode", "/settings/agents", "/settings/checks", "/settings/data"),
)
# Texts with letters that are not of the pseudo-language; code, keys and moments are no words.
UNTRANSLATED = r"""() => {
  const said = /[⟦⟧áƀçđéƒĝĥíĵķĺɱñóþɋŕšţúṽŵẋýžÁƁÇĐÉƑĜĤÍĴĶĹṀÑÓÞɊŔŠŢÚṼŴẊÝŽ]/;
  const apart = "code, pre, kbd, time, script, style, noscript, .cm-editor, .xterm";
  const found = new Set();
  const look = (text, element) => {
    const plain = text.replace(/\s+/g, " ").trim();
    const isWords = /\p{L}/u.test(plain) && element.closest(apart) === null;
    if (isWords && !said.test(plain)) found.add(plain);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    look(node.data, node.parentElement);
  }
  const names = ["aria-label", "aria-description", "title", "placeholder", "alt"];
  for (const element of document.querySelectorAll(names.map((name) => `[${name}]`).join())) {
    for (const name of names) look(element.getAttribute(name) ?? "", element);
  }
  look(document.title, document.body);
  return [...found];
}"""
# What is still being read has two seconds; then the words that stand in its place are looked at.
SETTLED = """() => new Promise((done) => {
  const look = (left) => {
    const isReading = document.querySelector("[data-skeleton]") !== null;
    if (isReading && left > 0) setTimeout(look, 20, left - 1);
    else done(null);
  };
  look(100);
})"""
TOO_WIDE = """() => [...document.querySelectorAll("body *")]
  .filter((each) => each.getBoundingClientRect().right > innerWidth + 1)
  .slice(0, 5).map((each) => each.outerHTML.slice(0, 200))"""
NAMES = {"paige", "english"}
# A day, a month or a moment, as Intl writes them.
DAY = r"(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?"
MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*"
WHEN = re.compile(rf"(?:{DAY}|{MONTH}|[AP]M|[\d:,.\s-])+", re.IGNORECASE)


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A server with something behind every door."""
    with full_desk(tmp_path_factory.mktemp("full")) as live:
        yield live


def test_every_page_is_translated_and_has_room_for_longer_words(
    browser: Browser, full: Live
) -> None:
    problems = Problems()
    problems.expect("/api/coach/katas/nobody", "404")
    left: dict[str, list[str]] = {}
    with browser.new_context(viewport={"width": 375, "height": 812}) as context:
        page = context.new_page()
        problems.watch(page)
        heard = Heard(page)
        for path in PATHS:
            page.goto(_in_pseudo(full.url + path))
            expect(page.locator("main h1"), path).to_be_attached()
            page.evaluate(SETTLED)
            texts = [_plain(text) for text in page.evaluate(UNTRANSLATED)]
            heard.catch_up()
            found = [text for text in texts if not (_is_plain(text) or heard.has(text))]
            if is_wider_than_the_window(page):
                found += ["too wide", *page.evaluate(TOO_WIDE)]
            if found:
                left[path] = found
        # A text that nobody looked up would have been found.
        page.locator("main h1").evaluate("h1 => h1.append('Nobody translated this sentence')")
        stray = [_plain(text) for text in page.evaluate(UNTRANSLATED)]
        heard.catch_up()
        assert [text for text in stray if not heard.has(text)] == [
            "nobody translated this sentence"
        ]
    assert left == {}, json.dumps(left, indent=1, ensure_ascii=False)
    assert problems.unexpected() == []


def test_the_page_says_which_language_it_is_in(browser: Browser, paige: Live) -> None:
    with browser.new_context(locale="fr-CA") as context:
        page = context.new_page()
        page.goto(paige.url)
        expect(page.get_by_role("heading", level=1)).to_have_text("Bienvenue dans Paige")
        expect(page.locator("html")).to_have_attribute("lang", "fr")
        expect(page.locator("html")).to_have_attribute("dir", "ltr")
        expect(page.get_by_role("banner")).to_contain_text("Connecté")
        # What French does not have yet is there in English.
        page.goto(f"{paige.url}/memory")
        expect(page.get_by_text("Nothing is remembered yet.")).to_be_visible()
        # The choice of the person counts more than the wish of the browser.
        page.evaluate("localStorage.setItem('paige-language', 'en')")
        page.goto(paige.url)
        expect(page.get_by_role("heading", level=1)).to_have_text("Welcome to Paige")
        expect(page.locator("html")).to_have_attribute("lang", "en")


def test_a_language_that_cannot_be_fetched_leaves_the_app_in_english(
    page: Page, problems: Problems, paige: Live
) -> None:
    problems.expect("/assets/fr-")
    page.route("**/assets/fr-*", lambda route: route.abort("connectionrefused"))
    page.goto(f"{paige.url}?lang=fr")

    expect(page.get_by_role("heading", level=1)).to_have_text("Welcome to Paige")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def _is_plain(text: str) -> bool:
    """Whether it is the same in every language: a name, a value in JSON, a moment."""
    return text in NAMES or text.startswith("{") or WHEN.fullmatch(text) is not None


def _in_pseudo(address: str) -> str:
    return f"{address}{'&' if '?' in address else '?'}lang=en-XA"


class Heard:
    """Every text that the server said to a page."""

    def __init__(self, page: Page) -> None:
        self.texts: set[str] = set()
        self._answers: list[Response] = []
        page.on("response", lambda answer: self._answers.append(answer))
        page.on("websocket", lambda socket: socket.on("framereceived", self._take_in))

    def has(self, text: str) -> bool:
        """Whether it came from the server: a text, a part of one, or several joined together."""
        if self._said(text):
            return True
        parts = [part for part in re.split(r"\s*·\s*|, |: ", text) if re.search(r"\w", part)]
        words = text.split(" ")
        halves = [(" ".join(words[:at]), " ".join(words[at:])) for at in range(1, len(words))]
        return all(map(self._said, parts)) or any(self.texts.issuperset(half) for half in halves)

    def _said(self, text: str) -> bool:
        return any(text in said for said in self.texts)

    def catch_up(self) -> None:
        """Read the answers that came so far: before the page is left, which loses them."""
        answers, self._answers = self._answers, []
        for response in answers:
            with contextlib.suppress(Error):  # of a request that the page itself has given up
                self._take_in(response.text() if "/api/" in response.url else "")

    def _take_in(self, body: str | bytes) -> None:
        with contextlib.suppress(ValueError):  # a file, or nothing at all
            self.texts.update(_texts_in(json.loads(body)))


def _texts_in(value: object) -> Iterator[str]:
    """All texts of a JSON value, as a page shows them."""
    match value:
        case str():
            yield _plain(value)
        case list():
            for item in value:
                yield from _texts_in(item)
        case dict():
            for name, item in value.items():
                yield _plain(str(name))
                yield from _texts_in(item)
        case _:
            yield json.dumps(value)


def _plain(text: str) -> str:
    """As a page shows it, however it is marked: words of the server may be names in code."""
    return " ".join(text.replace("`", "").replace("_", " ").casefold().split())
