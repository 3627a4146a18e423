/** One trace: what happened, what is right and why, and the drawing of what stands around it. */

import { type ReactNode, useEffect, useRef } from "react";

import { graphStrings } from "../../../strings-guard-graph";
import { Answered } from "../../../ui/answered";
import { BackLink } from "../../../ui/back-link";
import { Fact, Facts } from "../../../ui/facts";
import { Marked } from "../../../ui/marked";
import { Skeleton } from "../../../ui/skeleton";
import { When } from "../../../ui/when";
import type { GraphTrace } from "../../../wire/generated";
import { useAddress } from "./address";
import { AroundSection } from "./around-section";
import { useAround } from "./hooks";
import { TypeMark } from "./marks";

const text = graphStrings.one;

export function TraceView({ id }: { id: string }): ReactNode {
  const { depth, href } = useAddress();
  const around = useAround(id, depth);
  return (
    <div className="mt-5">
      <BackLink href={href({ id: null, depth: null })}>{text.back}</BackLink>
      <Answered query={around} words={text} skeleton={<Skeleton className="mt-4 h-96" />}>
        {(found) => (
          <>
            <TraceText trace={found.trace} />
            <AroundSection around={found} isBusy={around.isPlaceholderData} />
          </>
        )}
      </Answered>
    </div>
  );
}

function TraceText({ trace }: { trace: GraphTrace }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const { event, context } = trace;
  useEffect(() => {
    // Another trace was opened in place of this page's last one: readers hear which.
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section aria-labelledby="trace-heading" className="mt-1">
      <p className="flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft">
        <TypeMark type={trace.type} />
        <When as="recent" at={trace.timestamp} />
        <code className="text-[0.9em]">{trace.id}</code>
      </p>
      <h2 id="trace-heading" ref={heading} tabIndex={-1} className="mt-1 max-w-4xl text-xl outline-none [overflow-wrap:anywhere]">
        <Marked text={event.whatHappened === "" ? trace.action || graphStrings.list.untold : event.whatHappened} />
      </h2>
      <div className="mt-4 grid grid-cols-1 gap-x-10 gap-y-4 lg:grid-cols-2">
        <div className="flex flex-col gap-3">
          <Said name={text.correct} words={event.whatWasCorrect} />
          <Said name={text.why} words={event.why} />
        </div>
        <Facts>
          <Fact name={text.action}>{trace.action}</Fact>
          <Fact name={text.target}>{trace.target !== "" && <code className="text-[0.95em]">{trace.target}</code>}</Fact>
          <Fact name={text.rule}>{trace.rule !== "" && <code className="text-[0.95em]">{trace.rule}</code>}</Fact>
          <Fact name={text.agent}>{context.agent}</Fact>
          <Fact name={text.feature}>{context.feature}</Fact>
          <Fact name={text.task}>{context.task}</Fact>
          <Fact name={text.files}>{trace.files.join(", ")}</Fact>
          <Fact name={text.session}>{trace.session}</Fact>
          <Fact name={text.scope}>{trace.scope !== null && text.scopes[trace.scope]}</Fact>
          <Fact name={text.source}>{sourceOf(trace)}</Fact>
        </Facts>
      </div>
    </section>
  );
}

function sourceOf({ source, confidence }: GraphTrace): string {
  if (source === null) return "";
  const sure = confidence !== null && confidence < 1 ? ` (${text.sure(confidence)})` : "";
  return `${graphStrings.sources[source]}${sure}`;
}

function Said({ name, words }: { name: string; words: string }): ReactNode {
  if (words === "") return null;
  return (
    <div className="border-l-4 border-spine pl-4">
      <p className="text-base text-ink-soft">{name}</p>
      <Marked className="block text-lg" text={words} />
    </div>
  );
}
