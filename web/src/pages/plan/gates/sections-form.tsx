/** A decision for every section: of a draft that is judged, of things that might be remembered. */

import { diffWordsWithSpace } from "diff";
import { TriangleAlert } from "lucide-react";
import { type ReactNode, useMemo, useRef, useState } from "react";

import { Button } from "../../../ui/button";
import { RadioPill } from "../../../ui/forms/choice";
import { Markdown } from "../../../ui/markdown";
import { Marked } from "../../../ui/marked";
import type { PlanGate } from "../../../wire/generated";
import { splitMinutes } from "../document/lesson-view";
import { planStrings } from "../strings";
import { ADJUDICATION, type FormProps } from "./gate-view";
import {
  type Option,
  type Picked,
  readable,
  readProposal,
  readSectionText,
  type Section,
  type Sections,
  textBefore,
  useDraft,
  useGateDrafts,
} from "./interaction";

const text = planStrings.gates.sections;

interface SectionsFormProps extends FormProps {
  sections: Sections;
  gate: PlanGate;
  /** All questions of the run, to see what a section said before. */
  gates: PlanGate[];
}

export function SectionsForm({ sections: asked, gate, gates, draftKey, isSending, onReply }: SectionsFormProps): ReactNode {
  const { picked } = useDraft(draftKey);
  const { pick } = useGateDrafts.getState();
  const [complaint, setComplaint] = useState<string | null>(null);
  const send = useRef<HTMLButtonElement>(null);
  const { sections, options } = asked;
  const undecided = sections.filter(({ id }) => picked[id] === undefined);
  const [first] = options;
  const isJudging = gate.hook === ADJUDICATION;
  const submit = (): void => {
    const missing = findMissing(asked, picked);
    setComplaint(missing?.why ?? null);
    if (missing === null) onReply({ picked: onlyAsked(asked, picked), texts: [] });
    else document.getElementById(sectionCardId(draftKey, missing.section.id))?.focus();
  };
  return (
    <form
      className="mt-3"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {asked.text !== "" && <Remarks words={asked.text} isJudging={isJudging} />}
      <fieldset disabled={isSending} className="flex flex-col divide-y divide-rule">
        <legend className="sr-only">{asked.title}</legend>
        {sections.map((section) => (
          <SectionCard
            key={section.id}
            section={section}
            options={options}
            gate={gate}
            gates={gates}
            draftKey={draftKey}
            picked={picked[section.id]}
            onPick={(choice) => {
              setComplaint(null);
              pick(draftKey, section.id, choice);
            }}
          />
        ))}
      </fieldset>
      <div className="sticky bottom-0 -mx-5 mt-2 -mb-4 flex flex-wrap items-center gap-2 rounded-b-xl border-t border-line bg-card px-5 py-3 max-lg:bottom-16 md:max-lg:bottom-0">
        <p className="mr-auto text-base text-ink-soft">{text.progress(sections.length - undecided.length, sections.length)}</p>
        {isJudging && first !== undefined && undecided.length > 0 && (
          <Button
            look="quiet"
            disabled={isSending}
            onClick={() => {
              setComplaint(null);
              for (const { id } of undecided) pick(draftKey, id, { option: first.id, text: "" });
              // This button goes with the last undecided section.
              send.current?.focus();
            }}
          >
            {undecided.length === sections.length ? text.acceptAll : text.acceptRest(undecided.length)}
          </Button>
        )}
        <Button ref={send} type="submit" disabled={isSending}>
          {isSending ? planStrings.gates.sending : planStrings.gates.goOn}
        </Button>
        <p role="alert" className="basis-full font-semibold text-fail empty:hidden">
          {complaint}
        </p>
      </div>
    </form>
  );
}

/** What Paige noticed about the whole draft. */
function Remarks({ words, isJudging }: { words: string; isJudging: boolean }): ReactNode {
  if (!isJudging) return <p className="text-ink-soft">{words}</p>;
  return (
    <div className="mb-2 flex gap-3 rounded-md border border-line bg-paper px-4 py-3">
      <TriangleAlert aria-hidden className="mt-1 size-5 shrink-0 text-warn" />
      <Markdown text={words} className="text-base" />
    </div>
  );
}

/** The first section without a decision, or without the words that its decision asks for. */
function findMissing(
  { sections, options }: Sections,
  picked: Record<string, Picked>,
): { section: Section; why: string } | null {
  for (const section of sections) {
    const choice = picked[section.id];
    if (choice === undefined) return { section, why: text.incomplete };
    const needsWords = options.some(({ id, wantsText }) => id === choice.option && wantsText);
    if (needsWords && choice.text.trim() === "") return { section, why: text.needsWords(section.title) };
  }
  return null;
}

function onlyAsked({ sections }: Sections, picked: Record<string, Picked>): Record<string, Picked> {
  return Object.fromEntries(sections.flatMap(({ id }) => (picked[id] === undefined ? [] : [[id, picked[id]]])));
}

const gatesText = planStrings.gates;
const MEMORY = "memory-capture";
const EDIT = "edit";

/** One section with the decision about it. */
function sectionCardId(draftKey: string, section: string): string {
  return `plan-section-${draftKey}-${section}`;
}

interface SectionCardProps {
  section: Section;
  options: Option[];
  gate: PlanGate;
  gates: PlanGate[];
  draftKey: string;
  picked: Picked | undefined;
  onPick: (picked: Picked) => void;
}

function SectionCard({ section, options, gate, gates, draftKey, picked, onPick }: SectionCardProps): ReactNode {
  const isMemory = gate.hook === MEMORY;
  const id = sectionCardId(draftKey, section.id);
  const wanted = options.find((option) => option.id === picked?.option && option.wantsText);
  const isOwn = isMemory || picked?.option === EDIT;
  const { name, minutes } = splitMinutes(section.title);
  return (
    <section aria-labelledby={id} className="py-5 first:pt-1">
      <h4 id={id} tabIndex={-1} className="flex scroll-mt-4 items-baseline justify-between gap-4 font-heading text-lg font-semibold outline-none">
        {name}
        {minutes !== null && (
          <span className="shrink-0 font-sans text-base font-normal text-ink-soft">{planStrings.document.minutes(minutes)}</span>
        )}
      </h4>
      {isMemory ? <Proposal words={section.text} /> : <Text section={section} before={textBefore(gates, gate, section.id)} />}
      <fieldset className="mt-3 flex flex-wrap gap-2">
        <legend className="sr-only">{gatesText.sections.legend(name)}</legend>
        {options.map((option) => (
          <RadioPill
            key={option.id}
            name={id}
            label={shortLabel(option)}
            isChosen={picked?.option === option.id}
            onChoose={() => {
              onPick({ option: option.id, text: option.wantsText ? firstWords(section, option, picked, isMemory) : "" });
            }}
          />
        ))}
      </fieldset>
      {wanted !== undefined && picked !== undefined && (
        <textarea
          aria-label={(isMemory ? gatesText.sections.words : isOwn ? gatesText.sections.own : gatesText.sections.revise)(
            name,
          )}
          placeholder={isOwn ? undefined : gatesText.what}
          rows={2}
          value={picked.text}
          onChange={(event) => {
            onPick({ option: picked.option, text: event.target.value });
          }}
          className="mt-3 block field-sizing-content min-h-18 w-full rounded-md border border-edge bg-paper px-3 py-2 placeholder:text-ink-soft"
        />
      )}
    </section>
  );
}

/** "Revise: say what should change" is as long as a sentence; the field below asks for the rest. */
function shortLabel({ label, wantsText }: Option): string {
  return wantsText ? (label.split(":")[0] ?? label) : label;
}

/** What was written already under the same choice; to say something in one's own words, one begins with those there are. */
function firstWords(section: Section, option: Option, picked: Picked | undefined, isMemory: boolean): string {
  if (picked?.option === option.id && picked.text !== "") return picked.text;
  if (isMemory) return readProposal(section.text).words;
  return option.id === EDIT ? readSectionText(section.text).text : "";
}

function Text({ section, before }: { section: Section; before: string | null }): ReactNode {
  const { problem, text: words } = readSectionText(section.text);
  const [isDiff, setIsDiff] = useState(true);
  return (
    <>
      {problem !== null && <Problem title={gatesText.sections.notYet} words={problem} />}
      {before !== null && (
        <p className="mt-1 flex flex-wrap items-center gap-3 text-base">
          <span className="font-semibold text-ok">{gatesText.sections.changed}</span>
          <button
            type="button"
            className="prose-link"
            onClick={() => {
              setIsDiff(!isDiff);
            }}
          >
            {isDiff ? gatesText.sections.reads : gatesText.sections.changes}
          </button>
        </p>
      )}
      {before !== null && isDiff ? (
        <WordDiff before={readable(before)} after={readable(words)} className="mt-2" />
      ) : (
        <Markdown text={words} deeper={3} className="mt-2" />
      )}
    </>
  );
}

function Proposal({ words: given }: { words: string }): ReactNode {
  const { words, why, problem } = readProposal(given);
  return (
    <>
      {problem !== "" && <Problem title={gatesText.memory.notKept} words={problem} />}
      <Marked className="mt-1 block" text={words} />
      {why !== "" && <p className="text-base text-ink-soft">{why}</p>}
    </>
  );
}

function Problem({ title, words }: { title: string; words: string }): ReactNode {
  return (
    <p className="mt-2 flex gap-2 rounded-md border border-l-4 border-line border-l-warn bg-paper px-3 py-2 text-base">
      <TriangleAlert aria-hidden className="mt-1 size-4 shrink-0 text-warn" />
      <span>
        <strong>{title}:</strong> <Marked text={words} />
      </span>
    </p>
  );
}

// What changed between two texts, word by word.

export function WordDiff({ before, after, className = "" }: { before: string; after: string; className?: string }): ReactNode {
  const pieces = useMemo(() => changesBetween(before, after), [before, after]);
  return (
    <p className={`plan-diff whitespace-pre-wrap ${className}`}>
      {pieces.map(({ kind, text }, place) => {
        if (kind === "added") return <ins key={place}>{text}</ins>;
        if (kind === "removed") return <del key={place}>{text}</del>;
        return <span key={place}>{text}</span>;
      })}
    </p>
  );
}

// What changed between two texts, in pieces that can be read: not every word by itself.

interface Piece {
  kind: "same" | "added" | "removed";
  text: string;
}

/**
 * The pieces of both texts in order. Where several words in a row were replaced, the old ones stand
 * together and the new ones after them: "Which shape starts" against "When does", not "WhichWhen shapedoes".
 */
export function changesBetween(before: string, after: string): Piece[] {
  const pieces: Piece[] = [];
  let removed = "";
  let added = "";
  const settle = (): void => {
    if (removed !== "") pieces.push({ kind: "removed", text: removed });
    if (added !== "") pieces.push({ kind: "added", text: added });
    removed = "";
    added = "";
  };
  const parts = diffWordsWithSpace(before.trim(), after.trim());
  parts.forEach((part, place) => {
    if (part.removed) removed += part.value;
    else if (part.added) added += part.value;
    else if (isGap(part.value) && removed !== "" && added !== "" && isChange(parts[place + 1])) {
      removed += part.value;
      added += part.value;
    } else {
      settle();
      pieces.push({ kind: "same", text: part.value });
    }
  });
  settle();
  return pieces;
}

/** Spaces within a line say nothing. */
function isGap(text: string): boolean {
  return /^[^\S\n]+$/.test(text);
}

function isChange(part: { added: boolean; removed: boolean } | undefined): boolean {
  return part !== undefined && (part.added || part.removed);
}
