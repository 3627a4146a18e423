/** The rules by family, with their examples and how often each decided. */

import { type ReactNode, useState } from "react";

import { guardStrings } from "../../../strings-guard";
import { guardRulesStrings } from "../../../strings-guard-rules";
import { Answered } from "../../../ui/answered";
import { Chips } from "../../../ui/chip";
import { NothingFound } from "../../../ui/empty";
import { Tick } from "../../../ui/field";
import { Marked } from "../../../ui/marked";
import { Notice } from "../../../ui/notice";
import { SearchField } from "../../../ui/search-field";
import { Skeleton } from "../../../ui/skeleton";
import type { GuardProblem, GuardRules } from "../../../wire/generated";
import { useRules } from "../hooks";
import { FileCard } from "./file-card";
import { byFile, narrowed, NOTHING, type RuleWish } from "./narrowed";
import { Gates, Others } from "./others";

const text = guardRulesStrings;
const DECISIONS = ["deny", "ask", "allow"] as const;
const OPEN_AT_ONCE = 25;

export function RulesTab(): ReactNode {
  return (
    <Answered query={useRules()} words={text} skeleton={<Skeleton className="h-96" />}>
      {(rules) => <Rules rules={rules} />}
    </Answered>
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
        <NothingFound
          words={text}
          isFiltered
          onTakeAway={() => {
            setWish(NOTHING);
          }}
        />
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
      <Chips
        label={text.decision}
        value={wish.decision}
        all={text.all}
        options={DECISIONS.map((decision) => [decision, guardStrings.judged[decision]])}
        onChoose={(decision) => {
          onWish({ ...wish, decision });
        }}
      />
      <Tick
        label={text.onlyHit}
        isTicked={wish.onlyHit}
        onTick={(onlyHit) => {
          onWish({ ...wish, onlyHit });
        }}
      />
    </div>
  );
}

function Problems({ problems }: { problems: GuardProblem[] }): ReactNode {
  return (
    <Notice tone="warn" title={text.problems} className="mt-5 max-w-3xl">
      <p className="text-ink-soft">{text.problemsLead}</p>
      <ul className="mt-2 divide-y divide-rule">
        {problems.map(({ path, rule, message }) => (
          <li key={`${path} ${rule} ${message}`} className="py-2">
            <code className="text-[0.9em] [overflow-wrap:anywhere]">{rule === "" ? path : `${path}: ${rule}`}</code>
            <Marked className="block" text={message} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}
