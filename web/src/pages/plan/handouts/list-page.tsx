/** What was handed out, and handing out something new. */

import { type ReactNode, type SyntheticEvent, useState } from "react";
import { Link, useLocation } from "wouter";

import { handoutPath } from "../../../routes";
import { Button } from "../../../ui/button";
import { Empty } from "../../../ui/data/answered";
import { When } from "../../../ui/data/when";
import { QueryError } from "../../../ui/error-panel";
import { Choice } from "../../../ui/forms/choice";
import { FormError, TextField } from "../../../ui/forms/field";
import { Section } from "../../../ui/section";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { notify } from "../../../ui/toasts";
import type { HandoutItem } from "../../../wire/generated";
import { useLessons, useOverview } from "../hooks";
import { State, useHandouts, useMake } from "./handouts";
import { handoutStrings as text, handoutStrings } from "./strings";

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

const makeText = handoutStrings.make;
const MOST_TOKENS = 200;
const MOST_DAYS = 120;

/** Handing out a lesson or worksheet: which, to whom, how many codes, for how long. */
function MakeForm(): ReactNode {
  const [, go] = useLocation();
  const lessons = useLessons().data ?? [];
  const classes = useOverview().data?.classes ?? [];
  const [path, setPath] = useState<string | null>(null);
  const [classId, setClassId] = useState<string | null>(null);
  const [tokens, setTokens] = useState("25");
  const [days, setDays] = useState("7");
  const make = useMake((seen) => {
    notify(makeText.made(seen.codes.length));
    go(handoutPath(seen.item.id));
  });
  // A lesson says for which class it is, until somebody says otherwise.
  const meant = classId ?? lessons.find((each) => each.path === path)?.classId ?? null;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (path !== null && meant !== null) make.mutate({ path, classId: meant, tokens: Number(tokens), days: Number(days) });
  };
  return (
    <Section heading={makeText.heading} lead={makeText.lead} className="mt-6">
      <form onSubmit={submit} className="grid max-w-3xl gap-4 sm:grid-cols-2">
        <Choice label={makeText.path} value={path} any={makeText.choose} options={lessons.map((each) => [each.path, each.title] as const)} onChoose={setPath} />
        <Choice label={makeText.class} value={meant} any={makeText.choose} options={classes.map((each) => [each.id, each.id] as const)} onChoose={setClassId} />
        <TextField label={makeText.tokens} type="number" min={1} max={MOST_TOKENS} required value={tokens} onChange={setTokens} />
        <TextField label={makeText.days} type="number" min={1} max={MOST_DAYS} required value={days} onChange={setDays} />
        {make.isError && <FormError id="handout-error" error={make.error} />}
        <div className="sm:col-span-2">
          <Button type="submit" disabled={path === null || meant === null || make.isPending}>
            {make.isPending ? makeText.submitting : makeText.submit}
          </Button>
        </div>
      </form>
    </Section>
  );
}
