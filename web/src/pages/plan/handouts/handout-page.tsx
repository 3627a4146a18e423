/** One handout: how many answered, how each question went, what several got wrong, and its codes. */

import type { ReactNode } from "react";

import { Button, PrintButton } from "../../../ui/button";
import { EmptyLine } from "../../../ui/data/answered";
import { formatMoment } from "../../../ui/data/when";
import { QueryError } from "../../../ui/error-panel";
import { FormError } from "../../../ui/forms/field";
import { Marked } from "../../../ui/marked";
import { ShareBars } from "../../../ui/plots/bars";
import { Section } from "../../../ui/section";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { HandoutSeen } from "../../../wire/generated";
import { Proposals } from "../proposals";
import { State, useChange, useHandout } from "./handouts";
import { handoutStrings } from "./strings";

const text = handoutStrings.seen;

export default function HandoutPage({ id }: { id: string }): ReactNode {
  const handout = useHandout(id);
  if (handout.data !== undefined) return <Seen seen={handout.data} />;
  if (handout.isError) return <QueryError title={handoutStrings.failed} query={handout} />;
  return (
    <Loading label={handoutStrings.loading}>
      <Skeleton className="mt-6 h-96" />
    </Loading>
  );
}

function Seen({ seen }: { seen: HandoutSeen }): ReactNode {
  const { item } = seen;
  return (
    <>
      <div data-unprinted>
        <h2 className="mt-4 flex flex-wrap items-center gap-3 text-2xl">
          {text.title(item.title, item.classId)} <State item={item} />
        </h2>
        <p className="text-ink-soft">
          <Marked text={text.from(`\`${item.source}\``)} />. {text.openUntil(formatMoment(item.closesAt))}.
        </p>
        <p className="mt-2 text-lg">
          {handoutStrings.cameBack(item.handedIn, item.tokens)}
          {item.handedIn > 0 && `, ${text.right(percent(seen.share))}`}
        </p>
        <Doing seen={seen} />
        {item.kept && <Proposals />}
        {seen.questions.length === 0 ? <EmptyLine>{text.few(seen.fewest)}</EmptyLine> : <Figures seen={seen} />}
      </div>
      <Codes seen={seen} />
    </>
  );
}

function Doing({ seen }: { seen: HandoutSeen }): ReactNode {
  const { item } = seen;
  const change = useChange(item.id);
  return (
    <div className="my-4 flex flex-col gap-2">
      {!item.kept && (
        <div className="flex flex-wrap gap-2">
          <Button
            look="quiet"
            disabled={change.isPending}
            onClick={() => {
              change.mutate(item.open ? "close" : "open");
            }}
          >
            {item.open ? text.close : text.open}
          </Button>
          <Button
            disabled={change.isPending || item.handedIn === 0}
            aria-describedby="handout-keep"
            onClick={() => {
              change.mutate("keep");
            }}
          >
            {text.keep}
          </Button>
        </div>
      )}
      <p id="handout-keep" className="max-w-2xl text-ink-soft">
        {item.kept ? text.kept : text.keepHint}
      </p>
      {change.isError && <FormError id="handout-change" error={change.error} />}
    </div>
  );
}

function Figures({ seen }: { seen: HandoutSeen }): ReactNode {
  const all = seen.item.handedIn;
  const rows = seen.questions.map((each) => ({
    id: each.id,
    name: <Marked text={`${each.id} ${each.asked}`} />,
    share: each.right / all,
    shown: text.rightOf(each.right, all),
  }));
  return (
    <>
      <Section heading={text.questions}>
        <ShareBars caption={text.questions} columns={text.columns} rows={rows} isWordy />
      </Section>
      <Section heading={text.errors}>
        {seen.errors.length === 0 && <EmptyLine>{text.noErrors(seen.fewest)}</EmptyLine>}
        <ul className="flex flex-col gap-3">
          {seen.errors.map((error) => (
            <li key={error.question} className="rounded-lg border border-line bg-card px-4 py-3">
              <Marked className="block font-semibold" text={`${error.question} ${error.asked}`} />
              <p>
                {text.error(error.count, all)}
                {error.answer !== null && `; ${text.same(error.same, error.answer)}`}. {text.correct(error.right)}
              </p>
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

const codesText = handoutStrings.codes;

/** The codes of a handout as strips to print, cut and give out. */
function Codes({ seen }: { seen: HandoutSeen }): ReactNode {
  return (
    <Section heading={codesText.heading} lead={codesText.lead} aside={<PrintButton words={codesText.print} />}>
      <ul className="grid gap-px sm:grid-cols-2">
        {seen.codes.map((code) => (
          <li key={code} className="border border-dashed border-edge p-4">
            <p>{seen.item.title}</p>
            <p className="font-mono text-xl font-semibold">{code}</p>
            <p className="text-base break-all">{`${window.location.origin}/answer/${code}`}</p>
            <p className="text-base text-ink-soft">
              {handoutStrings.seen.openUntil(formatMoment(seen.item.closesAt))}. {codesText.noName}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
