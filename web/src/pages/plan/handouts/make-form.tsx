/** Handing out a lesson or worksheet: which, to whom, how many codes, for how long. */

import { type ReactNode, type SyntheticEvent, useState } from "react";
import { useLocation } from "wouter";

import { handoutPath } from "../../../routes";
import { handoutStrings } from "../../../strings-handouts";
import { notify } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import { Choice } from "../../../ui/choice";
import { TextField } from "../../../ui/field";
import { FormError } from "../../../ui/form-error";
import { Section } from "../../../ui/section";
import { useLessons, useOverview } from "../hooks";
import { useMake } from "./hooks";

const text = handoutStrings.make;
const MOST_TOKENS = 200;
const MOST_DAYS = 120;

export function MakeForm(): ReactNode {
  const [, go] = useLocation();
  const lessons = useLessons().data ?? [];
  const classes = useOverview().data?.classes ?? [];
  const [path, setPath] = useState<string | null>(null);
  const [classId, setClassId] = useState<string | null>(null);
  const [tokens, setTokens] = useState("25");
  const [days, setDays] = useState("7");
  const make = useMake((seen) => {
    notify(text.made(seen.codes.length));
    go(handoutPath(seen.item.id));
  });
  // A lesson says for which class it is, until somebody says otherwise.
  const meant = classId ?? lessons.find((each) => each.path === path)?.classId ?? null;
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (path !== null && meant !== null) make.mutate({ path, classId: meant, tokens: Number(tokens), days: Number(days) });
  };
  return (
    <Section heading={text.heading} lead={text.lead} className="mt-6">
      <form onSubmit={submit} className="grid max-w-3xl gap-4 sm:grid-cols-2">
        <Choice label={text.path} value={path} any={text.choose} options={lessons.map((each) => [each.path, each.title] as const)} onChoose={setPath} />
        <Choice label={text.class} value={meant} any={text.choose} options={classes.map((each) => [each.id, each.id] as const)} onChoose={setClassId} />
        <TextField label={text.tokens} type="number" min={1} max={MOST_TOKENS} required value={tokens} onChange={setTokens} />
        <TextField label={text.days} type="number" min={1} max={MOST_DAYS} required value={days} onChange={setDays} />
        {make.isError && <FormError id="handout-error" error={make.error} />}
        <div className="sm:col-span-2">
          <Button type="submit" disabled={path === null || meant === null || make.isPending}>
            {make.isPending ? text.submitting : text.submit}
          </Button>
        </div>
      </form>
    </Section>
  );
}
