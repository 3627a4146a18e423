/** The log of handoffs: who was asked for what, what had to hold, and what became of it. */

import { type ReactNode, useState } from "react";

import { orchestraStrings } from "../../../strings-guard-orchestra";
import { Answered } from "../../../ui/answered";
import { Choice } from "../../../ui/choice";
import { Fact, Facts } from "../../../ui/facts";
import { Marked } from "../../../ui/marked";
import { Section } from "../../../ui/section";
import { ShowMore, useShown } from "../../../ui/shown";
import { Skeleton } from "../../../ui/skeleton";
import { When } from "../../../ui/when";
import type { OrchestraFeature, OrchestraHandoff, OrchestraHandoffs } from "../../../wire/generated";
import { useHandoffs } from "./hooks";

const text = orchestraStrings.handoffs;
const FIRST = 20;
const MOST = 500;
const COLOURS: Record<OrchestraHandoff["event"], string> = {
  sent: "text-ink",
  received: "text-accent",
  refused: "text-fail",
  returned: "text-ok",
  failed: "text-fail",
};

export function Handoffs({ features }: { features: readonly OrchestraFeature[] }): ReactNode {
  const [feature, setFeature] = useState<string | null>(null);
  const [limit, showMore] = useShown(feature ?? "", FIRST, MOST);
  const found = useHandoffs(feature, limit);
  return (
    <Section
      heading={text.heading}
      lead={text.lead}
      aside={
        <Choice
          label={text.feature}
          isInline
          any={text.everyFeature}
          value={feature}
          options={features.map(({ id, title }) => [id, title === "" ? id : `${id} ${title}`])}
          onChoose={setFeature}
        />
      }
    >
      <Answered query={found} words={text} skeleton={<Skeleton className="h-40" />}>
        {(page) => (
          <>
            <Lines found={page} />
            {page.handoffs.length < page.total && showMore !== null && (
              <ShowMore words={text.showMore} isBusy={found.isPlaceholderData} onMore={showMore} />
            )}
          </>
        )}
      </Answered>
    </Section>
  );
}

function Lines({ found: { handoffs, total } }: { found: OrchestraHandoffs }): ReactNode {
  if (total === 0) return <p className="text-ink-soft">{text.none}</p>;
  return (
    <>
      <p role="status" className="text-base text-ink-soft">
        {text.count(handoffs.length, total)}
      </p>
      <ol className="mt-1 divide-y divide-rule border-y border-rule">
        {handoffs.map((handoff) => (
          <li key={`${handoff.key} ${handoff.event} ${handoff.at}`}>
            <HandoffLine handoff={handoff} />
          </li>
        ))}
      </ol>
    </>
  );
}

function HandoffLine({ handoff }: { handoff: OrchestraHandoff }): ReactNode {
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer flex-wrap items-baseline gap-x-3 py-2 hover:bg-card">
        <span className={`w-20 font-semibold ${COLOURS[handoff.event]}`}>{text.events[handoff.event]}</span>
        <span>{handoff.agent}</span>
        <span className="text-ink-soft">{handoff.task}</span>
        {handoff.feature !== "" && <span>{handoff.feature}</span>}
        <span className="ml-auto text-base text-ink-soft">
          <When as="recent" at={handoff.at} />
        </span>
        {handoff.said !== "" && <Marked className="w-full text-base text-ink-soft" text={handoff.said} />}
      </summary>
      <div className="pb-3 pl-4">
        <Facts>
          <Fact name={text.previous}>{handoff.previousState}</Fact>
          <Fact name={text.before}>{handoff.precondition}</Fact>
          <Fact name={text.files}>{handoff.files.join(", ")}</Fact>
          <Fact name={text.artifacts}>{handoff.artifacts.join(", ")}</Fact>
          <Fact name={text.criteria}>{criteriaOf(handoff)}</Fact>
          <Fact name={text.after}>{handoff.postcondition}</Fact>
          <Fact name={text.rollback}>{handoff.rollback}</Fact>
          <Fact name={text.timeout}>{handoff.timeoutS !== null && text.seconds(handoff.timeoutS)}</Fact>
          <Fact name={text.next}>{handoff.nextAgent}</Fact>
          <Fact name={text.key}>
            <code className="text-[0.9em]">{handoff.key}</code>
          </Fact>
        </Facts>
      </div>
    </details>
  );
}

function criteriaOf({ criteria }: OrchestraHandoff): string {
  return Object.entries(criteria)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ");
}
