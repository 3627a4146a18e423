/** The known ways for learning to go wrong, each with its number. */

import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";

import { guardsStrings } from "../../../strings-guard-guards";
import { Answered } from "../../../ui/answered";
import { Mark } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { Marked } from "../../../ui/marked";
import { Section } from "../../../ui/section";
import { Skeleton } from "../../../ui/skeleton";
import type { LearnedSign } from "../../../wire/generated";
import { useLessons } from "./hooks";

const text = guardsStrings.report;

export function ReportTab(): ReactNode {
  return (
    <Answered query={useLessons()} words={guardsStrings.lessons} skeleton={<Skeleton className="h-96" />}>
      {({ report }) => (
        <Section heading={text.heading} lead={text.lead} className="">
          <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
            {report.map((sign) => (
              <Card as="li" key={sign.name}>
                <Sign sign={sign} />
              </Card>
            ))}
          </ul>
        </Section>
      )}
    </Answered>
  );
}

const LOOKS = {
  warning: [CircleAlert, "warn"],
  ok: [CircleCheck, "ok"],
  unknown: [CircleDashed, "soft"],
} as const;

function Sign({ sign }: { sign: LearnedSign }): ReactNode {
  const [icon, tone] = LOOKS[sign.verdict];
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-lg">{sign.name}</h3>
        <Mark tone={tone} icon={icon}>
          {text.verdicts[sign.verdict]}
        </Mark>
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
