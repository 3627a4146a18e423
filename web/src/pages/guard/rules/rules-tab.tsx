/** The rules by family, with their examples and how often each decided. */

import { TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";

import { guardStrings } from "../../../strings-guard";
import { guardRulesStrings } from "../../../strings-guard-rules";
import { Button } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { GuardProblem, GuardRules } from "../../../wire/generated";
import { Empty } from "../../../ui/empty";
import { useRules } from "../hooks";
import { Chip, SearchField } from "../parts";
import { FileCard } from "./file-card";
import { Gates, Others } from "./others";
import { byFile, narrowed, NOTHING, type RuleWish } from "./narrowed";

const text = guardRulesStrings;
const DECISIONS = ["deny", "ask", "allow"] as const;
const OPEN_AT_ONCE = 25;

export function RulesTab(): ReactNode {
  const rules = useRules();
  if (rules.data !== undefined) return <Rules rules={rules.data} />;
  if (rules.isError) return <QueryError title={text.failed} query={rules} />;
  return (
    <Loading label={text.loading}>
      <Skeleton className="h-96" />
    </Loading>
  );
}

function Rules({ rules }: { rules: GuardRules }): ReactNode {
  const [wish, setWish] = useState<RuleWish>(NOTHING);
  const families = narrowed(rules.families, wish);
  const files = byFile(families);
  const count = families.reduce((sum, family) => sum + family.rules.length, 0);
  return (
    <>
      <p className="max-w-2xl text-ink-soft">{text.lead}</p>
      {rules.problems.length > 0 && <Problems problems={rules.problems} />}
      <div className="mt-5">
        <SearchField
          label={text.search}
          placeholder={text.placeholder}
          clear={text.clear}
          value={wish.words}
          onChange={(words) => {
            setWish({ ...wish, words });
          }}
        />
      </div>
      <Narrowing wish={wish} onWish={setWish} />
      <p role="status" className="mt-5 text-base text-ink-soft">
        {count === 0 ? text.nothing : text.found(count, files.length)}
      </p>
      {count === 0 && (
        <Empty title={text.nothing} hint={text.nothingHint}>
          <Button
            look="quiet"
            className="mt-4"
            onClick={() => {
              setWish(NOTHING);
            }}
          >
            {text.takeAway}
          </Button>
        </Empty>
      )}
      <ul aria-label={text.families} className="mt-2 flex flex-col gap-2 empty:hidden">
        {files.map((file) => (
          <li key={file.path}>
            {/* Few enough to be read at once. */}
            <FileCard key={String(count <= OPEN_AT_ONCE)} file={file} isOpen={count <= OPEN_AT_ONCE} />
          </li>
        ))}
      </ul>
      <Gates gates={rules.gates} />
      <Others others={rules.others} />
    </>
  );
}

function Narrowing({ wish, onWish }: { wish: RuleWish; onWish: (wish: RuleWish) => void }): ReactNode {
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3">
      <div role="group" aria-label={text.decision} className="flex flex-wrap gap-2">
        <Chip
          chosen={wish.decision === null}
          onChoose={() => {
            onWish({ ...wish, decision: null });
          }}
        >
          {text.all}
        </Chip>
        {DECISIONS.map((decision) => (
          <Chip
            key={decision}
            chosen={wish.decision === decision}
            onChoose={() => {
              onWish({ ...wish, decision: wish.decision === decision ? null : decision });
            }}
          >
            {guardStrings.judged[decision]}
          </Chip>
        ))}
      </div>
      <label className="flex min-h-11 items-center gap-2">
        <input
          type="checkbox"
          checked={wish.onlyHit}
          onChange={(event) => {
            onWish({ ...wish, onlyHit: event.target.checked });
          }}
          className="size-5 accent-accent"
        />
        {text.onlyHit}
      </label>
    </div>
  );
}

function Problems({ problems }: { problems: GuardProblem[] }): ReactNode {
  return (
    <section aria-labelledby="rule-problems" className="mt-5 max-w-3xl rounded-lg border border-line border-l-4 border-l-warn bg-card p-5">
      <h2 id="rule-problems" className="flex items-center gap-2 text-lg">
        <TriangleAlert aria-hidden className="size-5 shrink-0 text-warn" />
        {text.problems}
      </h2>
      <p className="mt-1 text-ink-soft">{text.problemsLead}</p>
      <ul className="mt-2 divide-y divide-rule">
        {problems.map(({ path, rule, message }) => (
          <li key={`${path} ${rule} ${message}`} className="py-2">
            <code className="text-[0.9em] [overflow-wrap:anywhere]">{rule === "" ? path : `${path}: ${rule}`}</code>
            <Marked className="block" text={message} />
          </li>
        ))}
      </ul>
    </section>
  );
}
