/** Before a session: what kind, how long, and one big button. */

import { Play } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useSearchParams } from "wouter";

import { useStart } from "../../../api/study-cache";
import { type SessionKind, sessionStrings } from "../../../strings-study-session";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import type { StudyStart, StudyStep } from "../../../wire/generated";
import { useKeys } from "./keys";
import { Said } from "./said";
import { Sheet } from "./sheet";

const text = sessionStrings.start;
const MINUTES = [10, 15, 25, 40, 60];
const KINDS: SessionKind[] = ["study", "review", "quiz"];

export function Start({ step, anew }: { step: StudyStep; anew: boolean }): ReactNode {
  const [address] = useSearchParams();
  const asked = KINDS.find((kind) => kind === address.get("kind"));
  const [kind, setKind] = useState<SessionKind>(asked ?? "study");
  const [minutes, setMinutes] = useState<number | null>(null);
  const start = useStart();
  const begin = (ahead: boolean) => (): void => {
    if (start.isPending) return;
    start.mutate({ course: step.course, kind, minutes, ahead, anew, ...quizOf(kind, address) });
  };
  useKeys({ enter: begin(false) });
  const isNothing = start.data?.stage === "nothing";
  return (
    <Sheet aria-labelledby="study-start">
      <h2 id="study-start" className="text-2xl">
        {isNothing ? text.nothing : text.heading}
      </h2>
      <div role="status">
        {isNothing ? <Said says={start.data?.says ?? []} className="mt-3 text-lg" /> : <p className="mt-2 max-w-prose text-lg text-ink-soft">{text.lead}</p>}
      </div>
      <Kinds kind={kind} onChange={setKind} />
      <label className="mt-5 flex flex-wrap items-center gap-3 font-semibold">
        {text.minutes}
        <select
          value={minutes ?? ""}
          onChange={(event) => {
            setMinutes(event.target.value === "" ? null : Number(event.target.value));
          }}
          className="min-h-11 rounded-md border border-edge bg-paper px-3 font-normal"
        >
          <option value="">{text.usual}</option>
          {MINUTES.map((each) => (
            <option key={each} value={each}>
              {text.minutesOption(each)}
            </option>
          ))}
        </select>
      </label>
      {start.isError && (
        <div className="mt-4">
          <FormError id="study-start-error" error={start.error} />
        </div>
      )}
      <div className="mt-7 flex flex-wrap gap-2">
        <Button className="min-h-13 px-8 text-lg" aria-keyshortcuts="Enter" aria-disabled={start.isPending} onClick={begin(isNothing)}>
          <Play aria-hidden className="size-5" />
          {start.isPending ? text.beginning : isNothing ? text.ahead : text.begin}
        </Button>
      </div>
    </Sheet>
  );
}

function Kinds({ kind, onChange }: { kind: SessionKind; onChange: (kind: SessionKind) => void }): ReactNode {
  return (
    <fieldset className="mt-6">
      <legend className="font-semibold">{text.kind}</legend>
      <div className="mt-2 grid gap-2 sm:grid-cols-3">
        {KINDS.map((each) => (
          <label
            key={each}
            htmlFor={`study-kind-${each}`}
            className="grid min-h-16 cursor-pointer grid-cols-[auto_1fr] content-center items-center gap-x-3 rounded-lg border-2 border-edge/60 px-4 py-2 has-checked:border-accent has-checked:bg-cover/60 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-[var(--focus)]"
          >
            <input
              id={`study-kind-${each}`}
              type="radio"
              name="study-kind"
              checked={kind === each}
              className="size-4 shrink-0 accent-accent"
              onChange={() => {
                onChange(each);
              }}
            />
            <span className="font-semibold">{text.kinds[each].name}</span>
            <span className="col-start-2 text-base text-ink-soft">{text.kinds[each].hint}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A quiz about some concepts or a unit, when the link that led here named them. */
function quizOf(kind: SessionKind, address: URLSearchParams): Pick<StudyStart, "quiz"> {
  if (kind !== "quiz") return {};
  return { quiz: { concepts: address.getAll("concept"), unit: address.get("unit") ?? "" } };
}
