/** The journal as it is kept: a page of entries at a time, each opened where it is wanted. */

import { ChevronLeft, ChevronRight } from "lucide-react";
import { type ReactNode, useId, useState } from "react";

import { stepStrings } from "../../../strings-trace-steps";
import { Answered } from "../../../ui/answered";
import { Mark } from "../../../ui/badge";
import { Button } from "../../../ui/button";
import { Empty } from "../../../ui/empty";
import { FormError } from "../../../ui/form-error";
import { More } from "../../../ui/more";
import { Section } from "../../../ui/section";
import { SkeletonRows } from "../../../ui/skeleton";
import type { TraceEntry, TraceJournal } from "../../../wire/generated";
import { JOURNAL_PAGE, useEntry, useJournal } from "../hooks";
import { pretty } from "./pretty";

const text = stepStrings.journal;

interface JournalProps {
  id: string;
  /** The number of the entry before the first that is shown. */
  after: number;
  goTo: (after: number) => void;
}

export function Journal({ id, after, goTo }: JournalProps): ReactNode {
  const journal = useJournal(id, after);
  return (
    <Section heading={text.heading} lead={text.lead} className="">
      <Answered query={journal} words={text} skeleton={<SkeletonRows />}>
        {(page) =>
          page.total === 0 ? (
            <Empty title={text.empty} hint={text.emptyHint} />
          ) : (
            <div aria-busy={journal.isPlaceholderData}>
              <Pages page={page} after={after} goTo={goTo} />
              <ol className="divide-y divide-rule border-y border-rule">
                {page.entries.map((entry) => (
                  <li key={entry.seq} className="py-2">
                    <Entry id={id} entry={entry} />
                  </li>
                ))}
              </ol>
            </div>
          )
        }
      </Answered>
    </Section>
  );
}

function Pages({ page, after, goTo }: { page: TraceJournal } & Pick<JournalProps, "after" | "goTo">): ReactNode {
  const last = Math.min(after + JOURNAL_PAGE, page.total);
  return (
    <nav data-unprinted aria-label={text.pages} className="mb-2 flex flex-wrap items-center gap-3">
      <span role="status" className="text-base text-ink-soft">
        {text.range(after + 1, last, page.total)}
      </span>
      {page.total > JOURNAL_PAGE && (
        <>
          <Button
            look="quiet"
            disabled={after === 0}
            onClick={() => {
              goTo(Math.max(after - JOURNAL_PAGE, 0));
            }}
          >
            <ChevronLeft aria-hidden className="size-4.5" />
            {text.earlier}
          </Button>
          <Button
            look="quiet"
            disabled={last >= page.total}
            onClick={() => {
              goTo(after + JOURNAL_PAGE);
            }}
          >
            {text.later}
            <ChevronRight aria-hidden className="size-4.5" />
          </Button>
        </>
      )}
    </nav>
  );
}

function Entry({ id, entry }: { id: string; entry: TraceEntry }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { seq, step, kind } = entry;
  return (
    <div className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-3 text-base">
      <span className="text-right text-ink-soft tabular-nums">{seq}</span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <code className="[overflow-wrap:anywhere]">{step}</code>
          <Mark tone={kind === "intent" ? "soft" : "ok"}>{text.kinds[kind]}</Mark>
        </p>
        <More words={text.show} about={text.about(seq, step)} onToggle={setOpen} className="">
          {isOpen && <Body id={id} entry={entry} />}
        </More>
      </div>
    </div>
  );
}

function Body({ id, entry }: { id: string; entry: TraceEntry }): ReactNode {
  const [isWanted, setWanted] = useState(false);
  const whole = useEntry(id, entry.seq, isWanted);
  const failure = useId();
  const shown = whole.data ?? entry;
  return (
    <>
      <pre className="mt-1 rounded bg-line/50 px-3 py-2 text-[0.9em] [overflow-wrap:anywhere] whitespace-pre-wrap">{pretty(shown.body)}</pre>
      {whole.isError && <FormError id={failure} error={whole.error} />}
      {shown.leftOut > 0 && (
        <Button
          look="quiet"
          className="mt-2"
          disabled={whole.isFetching}
          onClick={() => {
            setWanted(true);
          }}
        >
          {text.all(shown.leftOut)}
        </Button>
      )}
    </>
  );
}
