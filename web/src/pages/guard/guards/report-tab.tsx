/** The known ways for learning to go wrong, each with its number. */

import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";

import { guardsStrings } from "../../../strings-guard-guards";
import { QueryError } from "../../../ui/error-panel";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { LearnedSign } from "../../../wire/generated";
import { useLessons } from "./hooks";

const text = guardsStrings.report;

export function ReportTab(): ReactNode {
  const lessons = useLessons();
  if (lessons.data === undefined) {
    if (lessons.isError) return <QueryError title={guardsStrings.lessons.failed} query={lessons} />;
    return (
      <Loading label={guardsStrings.lessons.loading}>
        <Skeleton className="h-96" />
      </Loading>
    );
  }
  return (
    <section aria-labelledby="report">
      <h2 id="report" className="text-xl">
        {text.heading}
      </h2>
      <p className="mt-1 mb-4 text-ink-soft">{text.lead}</p>
      <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {lessons.data.report.map((sign) => (
          <li key={sign.name} className="rounded-lg border border-line bg-card p-4">
            <Sign sign={sign} />
          </li>
        ))}
      </ul>
    </section>
  );
}

const LOOKS = {
  warning: [CircleAlert, "text-warn"],
  ok: [CircleCheck, "text-ok"],
  unknown: [CircleDashed, "text-ink-soft"],
} as const;

function Sign({ sign }: { sign: LearnedSign }): ReactNode {
  const [Icon, colour] = LOOKS[sign.verdict];
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-lg">{sign.name}</h3>
        <span className={`flex items-center gap-1.5 font-semibold ${colour}`}>
          <Icon aria-hidden className="size-4.5 shrink-0" />
          {text.verdicts[sign.verdict]}
        </span>
      </div>
      <p className="text-base text-ink-soft">{sign.symptom}</p>
      <p className="mt-2 tabular-nums">
        <span className="text-xl font-semibold">{text.number(sign.measured)}</span>
        <span className="text-base text-ink-soft">
          {" "}
          · {text.threshold(text.number(sign.threshold))} · {text.cases(sign.cases)}
        </span>
      </p>
      <p className="mt-1 text-base">{sign.detection}</p>
      {sign.verdict === "warning" && <Marked className="mt-2 block border-l-4 border-warn pl-3" text={sign.advice} />}
    </>
  );
}
