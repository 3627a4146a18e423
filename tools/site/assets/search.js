// The search box: what is typed, found and shown, here in the browser. The index is a script that is
// loaded when somebody begins to search; nothing is sent anywhere. `ranking.js` says what fits best.
"use strict";
{
  const root = document.documentElement.dataset.root;
  const form = document.querySelector("form[role=search]");
  const field = document.getElementById("query");
  const found = document.getElementById("found");
  const status = found.querySelector("[role=status]");
  const list = found.querySelector("ol");
  const MOST = 12;
  let index;

  const { rank, prepared, normal, escaped } = globalThis.paigeRanking;

  // --- what is shown ---------------------------------------------------------------------------
  /** A word that begins like the term; inside names such as PAIGE_PASSCODE too. */
  const pattern = (term) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(term)}`, "u");

  const marked = (text, terms) => {
    const piece = document.createDocumentFragment();
    const regex = terms.length > 0 ? new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.map(escaped).join("|")})[\\p{L}]*`, "giu") : null;
    let from = 0;
    for (const match of regex ? text.matchAll(regex) : []) {
      piece.append(text.slice(from, match.index));
      const mark = document.createElement("mark");
      mark.textContent = match[0];
      piece.append(mark);
      from = match.index + match[0].length;
    }
    piece.append(text.slice(from));
    return piece;
  };

  const snippet = (passage, terms) => {
    const first = terms.map((term) => normal(passage.text).search(pattern(term))).filter((at) => at >= 0);
    const start = Math.max(0, Math.min(...first, Infinity) - 50);
    const from = Number.isFinite(start) && start > 0 ? passage.text.indexOf(" ", start) + 1 : 0;
    const part = passage.text.slice(from, from + 170);
    return (from > 0 ? "… " : "") + part + (from + 170 < passage.text.length ? " …" : "");
  };

  const shownHit = (place, terms) => {
    const passage = index.passages[place];
    const page = index.pages[passage.page];
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = root + page.address + (passage.anchor ? `#${passage.anchor}` : "");
    const title = document.createElement("strong");
    title.append(marked(page.title, terms));
    link.append(title);
    if (passage.title) {
      const below = document.createElement("span");
      below.append(" › ", marked(passage.title, terms));
      link.append(below);
    }
    const words = document.createElement("small");
    words.append(marked(snippet(passage, terms), terms));
    link.append(words);
    item.append(link);
    return item;
  };

  const close = () => {
    found.hidden = true;
  };

  const show = () => {
    if (!index) return;
    const query = field.value.trim();
    if (query === "") {
      close();
      return;
    }
    const { places, terms } = rank(index, query);
    const seen = new Map();
    const best = places.filter((place) => {
      const times = (seen.get(index.passages[place].page) ?? 0) + 1;
      seen.set(index.passages[place].page, times);
      return times === 1;
    });
    list.replaceChildren(...best.slice(0, MOST).map((place) => shownHit(place, terms)));
    status.textContent =
      best.length === 0 ? `Nothing was found for “${query}”.` : `${best.length} ${best.length === 1 ? "page" : "pages"} for “${query}”`;
    found.hidden = false;
  };

  /** Called by the script that holds the index. */
  globalThis.paigeSearch = (given) => {
    index = prepared(given);
    show();
  };

  let loading = false;
  const load = () => {
    if (loading) return;
    loading = true;
    const script = document.createElement("script");
    script.src = `${root}search-index.js`;
    script.addEventListener("error", () => {
      loading = false;
      status.textContent = "The index of the search could not be read.";
      found.hidden = false;
    });
    document.head.append(script);
  };

  // --- keys ------------------------------------------------------------------------------------
  field.addEventListener("focus", load);
  field.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.click();
  });
  addEventListener("keydown", (event) => {
    const target = event.target;
    const isTyping = target instanceof HTMLElement && target.matches("input, textarea, [contenteditable]");
    const isSearch = (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) || (event.key === "k" && (event.ctrlKey || event.metaKey));
    if (isSearch) {
      event.preventDefault();
      field.focus();
      field.select();
    } else if (event.key === "Escape" && !found.hidden) {
      close();
      field.focus();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !found.hidden && document.querySelector("header").contains(target)) {
      const stops = [field, ...list.querySelectorAll("a")];
      const next = stops[stops.indexOf(target) + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) {
        event.preventDefault();
        next.focus();
      }
    }
  });
  addEventListener("click", (event) => {
    if (!event.target.closest("header")) close();
  });
  list.addEventListener("click", close);
  form.hidden = false;
}
