/** Tells screen readers what is finished: a question, an answer, an end. Never words while they are written. */

import { type ReactNode, useState } from "react";

import { planStrings } from "../../../strings-plan";
import type { PlanRun } from "../../../wire/generated";
import { readInteraction } from "../gates/interaction";

const text = planStrings.chat.announce;

export function Announcer({ runs }: { runs: PlanRun[] }): ReactNode {
  const news = newsOf(runs.at(-1));
  // What was there when the session was opened is no news.
  const [first] = useState(news);
  const [said, setSaid] = useState("");
  if (news !== null && news !== said && (said !== "" || news !== first)) setSaid(news);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}

/** What a run has come to; null while it works. */
export function newsOf(run: PlanRun | undefined): string | null {
  if (run === undefined) return null;
  switch (run.state) {
    case "waiting": {
      const open = run.gates.find(({ answeredAt }) => answeredAt === null);
      return open === undefined ? null : text.asks(readInteraction(open.interaction)?.title ?? "");
    }
    case "ended":
      if (run.status !== "success") return text.failed(run.reason ?? "");
      return run.lesson === null ? text.done : text.saved;
    case "interrupted":
      return text.interrupted;
    case "running":
      return null;
  }
}
