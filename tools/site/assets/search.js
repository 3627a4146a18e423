// Search over all pages, here in the browser. The index is a script that is loaded when somebody
// begins to search; nothing is sent anywhere.
"use strict";
{
  const root = document.documentElement.dataset.root;
  const form = document.querySelector("form[role=search]");
  const field = document.getElementById("query");
  const found = document.getElementById("found");
  const status = found.querySelector("[role=status]");
  const list = found.querySelector("ol");
  const MOST = 12;
  const COMMON = new Set(
    ("a about all am an and any are as at be by can cannot could do does for from get has have how i if in into is it its " +
      "let like make may me my need of on one or our own paige should so that the their them there these they this to use want was we what " +
      "when where which who why will with without would you your").split(" "),
  );
  // What people call a thing, and what it is called here; stems, in any order.
  const SAME = [
    ["delet", "eras", "forget", "remov"],
    ["password", "passcod"],
    ["docker", "container"],
    ["upgrad", "updat"],
    ["telemetr", "metric", "trac"],
    ["languag", "translat"],
    ["repetition", "review"],
    ["teacher", "plan"],
    ["student", "learner", "pupil"],
    ["misconception", "wrong"],
    ["quiz", "question"],
    ["undo", "revert", "disabl", "retir"],
  ];
  const OTHER_WORD = 0.6;
  let index;

  // --- words ---------------------------------------------------------------------------------
  const normal = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

  /** The beginning that forms of a word share: gates and gate, planning and plan. */
  const stem = (word) => {
    if (word.length < 5) return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
    const cut = word.replace(/(?:ies|ied)$/, "y").replace(/(?:ing|ed|es|s)$/, "");
    const short = cut.length >= 3 ? cut : word;
    return short.replace(/([bdgmnprt])\1$/, "$1").replace(/[ey]$/, "");
  };

  const asked = (text) => {
    const words = normal(text).match(/[\p{L}\p{N}_]+/gu) ?? [];
    const telling = words.filter((word) => !COMMON.has(word));
    return [...new Set((telling.length > 0 ? telling : words).map(stem))];
  };

  /** A word that begins like the term; inside names such as PAIGE_PASSCODE too. */
  const pattern = (term) => new RegExp(`(?<![\\p{L}\\p{N}])${escaped(term)}`, "gu");

  // --- scores --------------------------------------------------------------------------------
  const count = (text, regex) => (text.match(regex) ?? []).length;

  const hitsOf = (term) => {
    const regex = pattern(term);
    const pages = index.pages.map((page) => count(page.plain, regex));
    return index.passages.map((passage) => ({
      page: pages[passage.page],
      title: count(passage.plainTitle, regex),
      text: count(passage.plainText, regex),
    }));
  };

  const hasAny = (hits) => hits.some(({ page, title, text }) => page + title + text > 0);

  /** Whether two words differ by one letter: added, left out, another one, or two that changed places. */
  const isNear = (one, other) => {
    if (Math.abs(one.length - other.length) > 1) return false;
    let start = 0;
    while (start < one.length && one[start] === other[start]) start += 1;
    const a = one.slice(start);
    const b = other.slice(start);
    return (
      a.slice(1) === b.slice(1) ||
      a.slice(1) === b ||
      a === b.slice(1) ||
      (a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2))
    );
  };

  /** What was meant by a word that stands nowhere. */
  const meant = (term) => {
    index.words ??= new Set(index.passages.flatMap((passage) => (passage.plainTitle + " " + passage.plainText).match(/\p{L}{4,}/gu) ?? []));
    return [...new Set([...index.words].map(stem))].filter((word) => isNear(word, term)).slice(0, 3);
  };

  /** How well each passage fits one word, between nothing and about five. */
  const fits = (word) => {
    const hits = hitsOf(word);
    const total = hits.length;
    const having = hits.filter(({ title, text }) => title + text > 0).length;
    const rarity = Math.log(1 + total / (1 + having));
    return hits.map(({ page, title, text }, place) => {
      if (page + title + text === 0) return 0;
      const passage = index.passages[place];
      const often = text / (text + 1 + passage.plainText.length / 1500);
      // A title counts more the more of it the word is.
      const inPage = page > 0 ? 1.6 + 2 / index.pages[passage.page].words : 0;
      const inTitle = title > 0 ? 1.2 + 1.5 / passage.words : 0;
      return rarity * (often + inPage + inTitle);
    });
  };

  /** The words to look for: the term itself, what else it is called here, or what was meant by it. */
  const wordsFor = (term) => {
    const others = SAME.filter((group) => group.includes(term)).flat();
    const words = [...new Set([term, ...others])];
    const isThere = words.some((word) => hasAny(hitsOf(word)));
    return isThere || term.length < 4 ? words : meant(term);
  };

  const rank = (query) => {
    const total = index.passages.length;
    const scores = new Float64Array(total);
    const matched = new Float64Array(total);
    const terms = asked(query);
    const used = [];
    for (const term of terms) {
      const words = wordsFor(term);
      used.push(...words);
      const each = words.map(fits);
      for (let place = 0; place < total; place += 1) {
        const best = Math.max(0, ...each.map((scored, number) => scored[place] * (number === 0 ? 1 : OTHER_WORD)));
        scores[place] += best;
        matched[place] += best > 0 ? 1 : 0;
      }
    }
    const ranked = [];
    scores.forEach((score, place) => {
      if (score === 0) return;
      const top = index.passages[place].anchor === "" ? 1.25 : 1; // the page before a part of it
      const whole = top * (matched[place] / Math.max(1, terms.length)) ** 1.5;
      ranked.push([score * whole * index.pages[index.passages[place].page].weight, place]);
    });
    ranked.sort((one, other) => other[0] - one[0] || one[1] - other[1]);
    return { places: ranked.map(([, place]) => place), terms: used };
  };

  // --- what is shown ---------------------------------------------------------------------------
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
    const first = terms.map((term) => passage.plainText.search(pattern(term))).filter((at) => at >= 0);
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
    const { places, terms } = rank(query);
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
  globalThis.paigeSearch = ({ pages, passages }) => {
    const size = (text) => Math.max(1, asked(text).length);
    index = {
      pages: pages.map(([address, title, weight]) => ({ address, title, weight, plain: normal(title), words: size(title) })),
      passages: passages.map(([page, anchor, title, text]) => ({
        page,
        anchor,
        title,
        text,
        plainTitle: normal(title),
        plainText: normal(text),
        words: size(title),
      })),
    };
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
