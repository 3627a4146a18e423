/** A decision for every section: of a draft that is judged, of things that might be remembered. */

import { TriangleAlert } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import type { PlanGate } from "../../../wire/generated";
import { Markdown } from "../../../ui/markdown/markdown";
import { useDraft, useGateDrafts } from "./gate-drafts";
import { ADJUDICATION, type FormProps } from "./gate-view";
import type { Picked, Section, Sections } from "./interaction";
import { SectionCard, sectionCardId } from "./section-card";

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
