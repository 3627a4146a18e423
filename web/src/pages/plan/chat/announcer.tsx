/**
 * Tells screen readers what is finished: a question, an answer, an end. While Paige writes, whole sentences
 * are told, some at a time and after a rest; of a document only the headings. Never single words.
 */

import { type ReactNode, useEffect, useState } from "react";

import type { PlanRun } from "../../../wire/generated";
import { readInteraction } from "../gates/interaction";
import { useLive } from "../live";
import { planStrings } from "../strings";
import { plainWords } from "./find";

const text = planStrings.chat.announce;
/** So long somebody is left to listen before more is told. */
const REST_MS = 4000;
/** Earlier ones have been read out. */
const MOST_LINES = 6;

export function Announcer({ runs }: { runs: PlanRun[] }): ReactNode {
  const last = runs.at(-1);
  const news = newsOf(last);
  // What was there when the session was opened is no news.
  const [first] = useState(news);
  const [said, setSaid] = useState("");
  if (news !== null && news !== said && (said !== "" || news !== first)) setSaid(news);
  return (
    <>
      <p role="status" aria-live="polite" className="sr-only">
        {said}
      </p>
      {last?.state === "running" && <Written key={last.id} run={last.id} />}
    </>
  );
}

interface Line {
  id: number;
  words: string;
}

function Written({ run }: { run: string }): ReactNode {
  const lines = useSpoken(run);
  return (
    <div role="log" aria-live="polite" className="sr-only">
      {lines.map(({ id, words }) => (
        <p key={id}>{words}</p>
      ))}
    </div>
  );
}

function useSpoken(run: string): Line[] {
  const [lines, setLines] = useState<Line[]>([]);
  useEffect(() => {
    // Who comes in the middle reads what is there; only what is written from now on is told.
    let { step = "", text: before = "" } = useLive.getState().writings[run] ?? {};
    let upto = before.length;
    const tell = (fresh: string[]): void => {
      if (fresh.length === 0) return;
      setLines((known) => {
        const next = (known.at(-1)?.id ?? 0) + 1;
        return [...known, ...fresh.map((words, at) => ({ id: next + at, words }))].slice(-MOST_LINES);
      });
    };
    const listen = (): void => {
      const writing = useLive.getState().writings[run];
      if (writing?.step !== step) {
        tell(restOf(before, upto, text.writes));
        ({ step = "", text: before = "" } = writing ?? {});
        upto = 0;
      }
      if (writing === undefined) return;
      before = writing.text;
      const complete = completeIn(before, Math.min(upto, before.length), text.writes);
      upto = complete.upto;
      tell(complete.lines);
    };
    const timer = setInterval(listen, REST_MS);
    return () => {
      clearInterval(timer);
    };
  }, [run]);
  return lines;
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

// What of an answer can be read out while it is written: whole sentences, and of a document its headings.

interface Spoken {
  /** What is new, in lines; empty when nothing is complete. */
  lines: string[];
  /** How much of the text has been taken. */
  upto: number;
}

/** Where a sentence or a line ends. */
const END = /[.!?…]["”’')\]]*(?=\s)|\n/g;
const HEADING = /^#{1,6}\s+(.+)$/;

/** What is complete in a text after what was taken before. `heading` says the heading of a document. */
export function completeIn(text: string, from: number, heading: (title: string) => string): Spoken {
  const fresh = text.slice(from);
  const last = [...fresh.matchAll(END)].at(-1);
  if (last === undefined) return { lines: [], upto: from };
  const length = last.index + last[0].length;
  const upto = from + length;
  return { lines: isDocument(text) ? headingsIn(fresh.slice(0, length), heading) : sentencesIn(fresh.slice(0, length)), upto };
}

/** What is left when nobody writes any more. */
export function restOf(text: string, from: number, heading: (title: string) => string): string[] {
  return completeIn(`${text}\n`, from, heading).lines;
}

/** A whole lesson is not read out while it is written; one hears how far it is. */
function isDocument(text: string): boolean {
  return /^#{1,2} /m.test(text);
}

function headingsIn(text: string, heading: (title: string) => string): string[] {
  return text.split("\n").flatMap((line) => {
    const title = HEADING.exec(line)?.[1];
    return title === undefined ? [] : [heading(plainWords(title))];
  });
}

function sentencesIn(text: string): string[] {
  const words = plainWords(text).replaceAll(/\s+/g, " ").trim();
  return words === "" ? [] : [words];
}
