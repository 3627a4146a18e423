/** What of an answer can be read out while it is written: whole sentences, and of a document its headings. */

import { plainWords } from "./find/plain";

export interface Spoken {
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
