/** One section with the decision about it. */

import { TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";

import { planStrings } from "../../../strings-plan";
import { Marked } from "../../../ui/marked";
import type { PlanGate } from "../../../wire/generated";
import { splitMinutes } from "../document/time-bar";
import { Markdown } from "../../../ui/markdown/markdown";
import type { Option, Picked, Section } from "./interaction";
import { RadioPill } from "../../../ui/radio-pill";
import { readable, readProposal, readSectionText, textBefore } from "./reading";
import { WordDiff } from "./word-diff";

const text = planStrings.gates;
const MEMORY = "memory-capture";

export function sectionCardId(draftKey: string, section: string): string {
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

export function SectionCard({ section, options, gate, gates, draftKey, picked, onPick }: SectionCardProps): ReactNode {
  const isMemory = gate.hook === MEMORY;
  const id = sectionCardId(draftKey, section.id);
  const wanted = options.find((option) => option.id === picked?.option && option.wantsText);
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
        <legend className="sr-only">{text.sections.legend(name)}</legend>
        {options.map((option) => (
          <RadioPill
            key={option.id}
            name={id}
            label={shortLabel(option)}
            isChosen={picked?.option === option.id}
            onChoose={() => {
              onPick({ option: option.id, text: option.wantsText ? firstWords(section, picked, isMemory) : "" });
            }}
          />
        ))}
      </fieldset>
      {wanted !== undefined && picked !== undefined && (
        <textarea
          aria-label={isMemory ? text.sections.words(name) : text.sections.revise(name)}
          placeholder={isMemory ? undefined : text.what}
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

/** What was written already; to remember something in other words, one begins with the words that are there. */
function firstWords(section: Section, picked: Picked | undefined, isMemory: boolean): string {
  if (picked !== undefined && picked.text !== "") return picked.text;
  return isMemory ? readProposal(section.text).words : "";
}

function Text({ section, before }: { section: Section; before: string | null }): ReactNode {
  const { problem, text: words } = readSectionText(section.text);
  const [isDiff, setIsDiff] = useState(true);
  return (
    <>
      {problem !== null && <Problem title={text.sections.notYet} words={problem} />}
      {before !== null && (
        <p className="mt-1 flex flex-wrap items-center gap-3 text-base">
          <span className="font-semibold text-ok">{text.sections.changed}</span>
          <button
            type="button"
            className="prose-link"
            onClick={() => {
              setIsDiff(!isDiff);
            }}
          >
            {isDiff ? text.sections.reads : text.sections.changes}
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
      {problem !== "" && <Problem title={text.memory.notKept} words={problem} />}
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
