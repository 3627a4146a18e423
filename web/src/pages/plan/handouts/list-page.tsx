/** What was handed out, and handing out something new. */

import type { ReactNode } from "react";
import { Link } from "wouter";

import { handoutPath } from "../../../routes";
import { handoutStrings as text } from "../../../strings-handouts";
import { Empty } from "../../../ui/empty";
import { QueryError } from "../../../ui/error-panel";
import { Section } from "../../../ui/section";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { When } from "../../../ui/when";
import type { HandoutItem } from "../../../wire/generated";
import { useHandouts } from "./hooks";
import { MakeForm } from "./make-form";
import { State } from "./state";

export default function HandoutsPage(): ReactNode {
  const handouts = useHandouts();
  return (
    <>
      <MakeForm />
      <Section heading={text.list}>
        {handouts.isError && <QueryError title={text.failed} query={handouts} />}
        {handouts.isPending && (
          <Loading label={text.loading}>
            <Skeleton className="h-32" />
          </Loading>
        )}
        {handouts.data?.length === 0 && <Empty title={text.none} hint={text.noneHint} />}
        <ul className="flex flex-col gap-3">
          {handouts.data?.map((each) => (
            <li key={each.id} className="rounded-lg border border-line bg-card px-4 py-3">
              <Row item={each} />
            </li>
          ))}
        </ul>
      </Section>
    </>
  );
}

function Row({ item }: { item: HandoutItem }): ReactNode {
  return (
    <div className="flex flex-wrap items-baseline gap-x-4 gap-y-1">
      <Link href={handoutPath(item.id)} className="prose-link font-semibold">
        {text.seen.title(item.title, item.classId)}
      </Link>
      <State item={item} />
      <span className="text-ink-soft">{text.cameBack(item.handedIn, item.tokens)}</span>
      <span className="text-ink-soft">
        <When at={item.createdAt} />
      </span>
    </div>
  );
}
