/** The words of what waits for the person. */

import { words } from "../../locale/words";
import type { Notice, NoticeProblem } from "../../wire/generated";

export const noticeStrings = words("notices", {
  title: "Waiting for you",
  button: (unseen: number) => (unseen === 0 ? "Waiting for you" : `Waiting for you: ${unseen} new`),
  badge: (unseen: number) => (unseen > 99 ? "99+" : String(unseen)),
  tabTitle: (unseen: number, page: string) => `(${unseen}) ${page}`,
  loading: "Looking what waits…",
  failed: "What waits could not be read",
  empty: "Nothing waits for you",
  emptyHint: "Questions of a plan, reviews that are due, open coaching sessions and new guards show up here by themselves.",
  markAll: "Mark all as seen",
  isNew: "New",
  untitled: "Without a title",
  kinds: {
    question: "Waits for your answer",
    reviews: "Ready to review",
    coaching: "Coaching session is open",
    proposal: "Guard proposed: decide whether it may watch",
    shadow: "Guard saw enough: decide whether it may block",
    blocked: "Feature is blocked",
  } satisfies Record<Notice["kind"], string>,
  reviews: (count: number) => (count === 1 ? "1 review is due" : `${count} reviews are due`),
  problems: "Some doors could not be looked behind:",
  sources: {
    questions: "Plan",
    reviews: "Study",
    coaching: "Coach",
    guards: "Guards",
    orchestra: "Orchestra",
  } satisfies Record<NoticeProblem["source"], string>,
  /** Read out once when the page opens, and for what comes later. */
  atFirst: (unseen: number) => (unseen === 1 ? "1 thing waits for you" : `${unseen} things wait for you`),
  fresh: (title: string, what: string) => `${title}: ${what}`,
  alerts: {
    label: "Tell me when this tab is hidden",
    hint: "The browser shows a notification for what is new. It asks you once whether it may.",
    denied: "The browser does not allow it. Change that in its settings for this site.",
    missing: "This browser has no notifications here; they need https or localhost.",
  },
});
