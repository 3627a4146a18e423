/** What waits and what is found, as a server says it. */

import type { Notice, Notices, SearchResults, SearchGroup } from "../../../wire/generated";

export const QUESTION: Notice = {
  id: "question:r1:g:1",
  kind: "question",
  door: "plan",
  title: "Loops for 3B",
  detail: "Is the draft right?",
  count: 1,
  since: "2026-03-02T12:00:00Z",
  link: "/plan?session=s1",
};

export const REVIEWS: Notice = {
  id: "reviews:malay:2026-03-02",
  kind: "reviews",
  door: "study",
  title: "Malay",
  detail: "",
  count: 12,
  since: "2026-03-01T12:00:00Z",
  link: "/study/malay",
};

export const NOTICES: Notices = { notices: [QUESTION, REVIEWS], problems: [] };

export const LESSONS: SearchGroup = {
  kind: "lesson",
  door: "plan",
  hits: [
    {
      id: "lessons/loops.md",
      title: [
        { text: "Loops", hit: true },
        { text: " for 3B", hit: false },
      ],
      snippet: [{ text: "Flowcharts first", hit: false }],
      within: "lessons/loops.md",
      origin: "the lesson lessons/loops.md",
      why: "Its title begins with your words",
      score: 0.9,
      at: null,
      link: "/plan?lesson=lessons%2Floops.md&pane=document",
    },
  ],
  more: false,
};

const MEMORIES: SearchGroup = {
  kind: "memory",
  door: "memory",
  hits: [
    {
      id: "m1",
      title: [{ text: "They like loops", hit: false }],
      snippet: [],
      within: "teacher",
      origin: "a memory with the scope teacher",
      why: "Your words are in its first line",
      score: 0.8,
      at: "2026-03-01T12:00:00Z",
      link: "/memory?id=m1",
    },
  ],
  more: true,
};

export const FOUND: SearchResults = { groups: [LESSONS, MEMORIES], problems: [] };
