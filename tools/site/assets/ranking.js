// Which passage of which page fits some words best. Values in, values out; `search.js` shows them.
"use strict";
{
  const COMMON = new Set(
    ("a about all am an and any are as at be by can cannot could do does for from get has have how i if in into is it its " +
      "let like make may me my need of on one or our own paige should so that the their them there these they this to use want was we what " +
      "when where which who why will with without would you your").split(" "),
  );
  const WHOLE = new Set(["https"]); // not more than one of what it is without its end
  // How much something counts beside the word itself in the text.
  const OTHER_WORD = 0.5; // another word for the same thing; half of it where the word itself is used here too
  const IS_USED = 30; // passages that hold a word which is used here
  const LONGER_WORD = 0.2; // a longer word that begins like it: most people are still typing
  const SAME_PAGE = 0.25; // elsewhere on the page
  const NEIGHBOURS = 1.35; // two words that stand beside each other, as they were typed
  const WHOLE_PAGE = 1.25; // the page before a part of it
  const SHORTEST_BEGINNING = 3;

  // --- words ---------------------------------------------------------------------------------
  const normal = (text) => text.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "");
  const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const wordsIn = (text) => normal(text).replace(/['’]s(?!\p{L})/gu, "").match(/[\p{L}\p{N}]+/gu) ?? [];

  /** The beginning that forms of a word share: gates and gate, planning and plan. */
  const stem = (word) => {
    if (WHOLE.has(word)) return word;
    if (word.length < 5) return word.length > 3 && word.endsWith("s") && !word.endsWith("ss") ? word.slice(0, -1) : word;
    const cut = word.replace(/(?:ies|ied)$/, "y").replace(/(?:ing|ed|es|s)$/, "");
    const short = cut.length >= 3 ? cut : word;
    return short.replace(/([bdgmnprt])\1$/, "$1").replace(/[ey]$/, "");
  };

  /** The stems of what tells something; of all words where none does. */
  const telling = (text) => {
    const words = wordsIn(text);
    const some = words.filter((word) => !COMMON.has(word));
    return (some.length > 0 ? some : words).map(stem);
  };

  // --- the index -------------------------------------------------------------------------------
  const counted = (stems) => {
    const counts = new Map();
    for (const each of stems) counts.set(each, (counts.get(each) ?? 0) + 1);
    return counts;
  };

  const inRow = (stems) => ` ${stems.join(" ")} `;

  const preparedPassage = ([page, anchor, title, text]) => {
    const [head, body] = [telling(title), telling(text)];
    return { page, anchor, title, text, head: counted(head), body: counted(body), size: text.length, row: inRow([...head, "", ...body]) };
  };

  /** What comes with the site, taken apart into words once. */
  const prepared = ({ pages, passages, same }) => {
    const index = {
      pages: pages.map(([address, title, weight]) => ({ address, title, weight, head: counted(telling(title)) })),
      passages: passages.map(preparedPassage),
      same: same.map((group) => group.map(telling).map((stems) => stems.join(" "))),
      holders: new Map(),
    };
    index.passages.forEach(({ page, head, body }, place) => {
      for (const word of new Set([...head.keys(), ...body.keys(), ...index.pages[page].head.keys()])) {
        if (!index.holders.has(word)) index.holders.set(word, []);
        index.holders.get(word).push(place);
      }
    });
    return index;
  };

  // --- scores --------------------------------------------------------------------------------
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

  /** The words of the index that stand for one, each with how much it counts. */
  const standingFor = (index, word) => {
    const found = index.holders.has(word) ? [[word, 1]] : [];
    if (word.length < SHORTEST_BEGINNING) return found;
    for (const each of index.holders.keys()) if (each !== word && each.startsWith(word)) found.push([each, LONGER_WORD]);
    return found;
  };

  /** How well each passage fits one word, between nothing and about five. */
  const fits = (index, word) => {
    const words = standingFor(index, word);
    const having = new Set(words.flatMap(([each]) => index.holders.get(each)));
    const rarity = Math.log(1 + index.passages.length / (1 + having.size));
    const often = (counts) => words.reduce((sum, [each, weight]) => sum + weight * (counts.get(each) ?? 0), 0);
    const scores = new Map();
    for (const place of having) {
      const { page, head, body, size } = index.passages[place];
      const [inPage, inHead, inBody] = [often(index.pages[page].head), often(head), often(body)];
      // A title counts more the more of it the word is.
      const ofPage = Math.min(1, inPage) * (1.6 + 2 / Math.max(1, index.pages[page].head.size));
      const ofHead = Math.min(1, inHead) * (1.2 + 1.5 / Math.max(1, head.size));
      scores.set(place, rarity * (inBody / (inBody + 1 + size / 1500) + ofPage + ofHead));
    }
    return scores;
  };

  /** What was meant by a word that stands nowhere. */
  const meant = (index, term) => (term.length < 4 ? [] : [...index.holders.keys()].filter((word) => isNear(word, term)).slice(0, 3));

  /** The words to look for: the term itself, what else it is called here, or what was meant by it. */
  const wordsFor = (index, term) => {
    const others = index.same.filter((group) => group.includes(term)).flat();
    const words = [...new Set([term, ...others])];
    return words.some((word) => standingFor(index, word).length > 0) ? words : meant(index, term);
  };

  const best = (index, words) => {
    const scores = new Float64Array(index.passages.length);
    const isUsed = (index.holders.get(words[0]) ?? []).length >= IS_USED;
    words.forEach((word, number) => {
      const weight = number === 0 ? 1 : isUsed ? OTHER_WORD / 2 : OTHER_WORD;
      for (const [place, score] of fits(index, word)) scores[place] = Math.max(scores[place], weight * score);
    });
    return scores;
  };

  const bestOfPages = (index, scores) => {
    const pages = new Float64Array(index.pages.length);
    scores.forEach((score, place) => {
      const { page } = index.passages[place];
      pages[page] = Math.max(pages[page], score);
    });
    return pages;
  };

  /** The places of the passages that fit, the best first, and the words that were looked for. */
  const rank = (index, query) => {
    const terms = [...new Set(telling(query))];
    const words = terms.map((term) => wordsFor(index, term));
    const own = words.map((each) => best(index, each));
    const around = own.map((scores) => bestOfPages(index, scores));
    const ranked = [];
    index.passages.forEach(({ page, anchor, row }, place) => {
      let [score, matched, isHere] = [0, 0, false];
      own.forEach((scores, number) => {
        const elsewhere = around[number][page] - scores[place];
        score += scores[place] + SAME_PAGE * elsewhere;
        matched += scores[place] > 0 ? 1 : elsewhere > 0 ? SAME_PAGE : 0;
        isHere ||= scores[place] > 0;
      });
      if (!isHere) return;
      const isBeside = terms.some((term, number) => number > 0 && row.includes(` ${terms[number - 1]} ${term} `));
      const whole = (matched / terms.length) ** 1.5 * (isBeside ? NEIGHBOURS : 1) * (anchor === "" ? WHOLE_PAGE : 1);
      ranked.push([score * whole * index.pages[page].weight, place]);
    });
    ranked.sort((one, other) => other[0] - one[0] || one[1] - other[1]);
    return { places: ranked.map(([, place]) => place), terms: words.flat() };
  };

  globalThis.paigeRanking = { rank, prepared, normal, escaped };
}
