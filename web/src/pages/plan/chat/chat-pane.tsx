/** The middle: a new request, or a session with everything that happened in it. */

import { Cpu, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { QueryError } from "../../../ui/error-panel";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { PlanClass, PlanOverview } from "../../../wire/generated";
import { useAddress } from "../address";
import { useOverview, useTranscript } from "../hooks";
import { Proposals } from "../proposals";
import { planStrings } from "../strings";
import { Composer, useRequest } from "./composer";
import { Conversation, READING } from "./conversation";
import { focusComposer } from "./focus";

const text = planStrings.chat;

export function ChatPane({ session }: { session: string | null }): ReactNode {
  return session === null ? <NewRequest /> : <Session id={session} />;
}

function NewRequest(): ReactNode {
  return (
    <div className="flex flex-col lg:h-full">
      <div className="min-h-0 flex-1 lg:overflow-auto">
        <div className={`${READING} py-6 lg:py-10`}>
          <Welcome />
        </div>
      </div>
      <div className={READING}>
        <Composer session={null} />
      </div>
    </div>
  );
}

function Session({ id }: { id: string }): ReactNode {
  const found = useTranscript(id);
  if (found.data !== undefined) return <Conversation transcript={found.data} />;
  if (found.isError) {
    return (
      <div className={READING}>
        <QueryError title={text.failed} query={found} />
      </div>
    );
  }
  return (
    <Loading label={text.loading}>
      <div className={`${READING} flex flex-col gap-4 py-6`}>
        <Skeleton className="h-16 w-2/3" />
        <Skeleton className="h-64" />
      </div>
    </Loading>
  );
}

const welcomeText = planStrings.welcome;
const MOST_EXAMPLES = 4;
const MOST_PROBLEMS = 5;

/** A desk with nothing on it yet: what one can ask for, and for whom. */
function Welcome(): ReactNode {
  const overview = useOverview();
  return (
    <>
      <h2 className="text-2xl sm:text-3xl">{welcomeText.heading}</h2>
      <p className="mt-3 max-w-160 text-lg text-ink-soft">{welcomeText.lead}</p>
      {overview.data !== undefined ? (
        <Desk overview={overview.data} />
      ) : overview.isError ? (
        <QueryError title={planStrings.workspace.failed} query={overview} />
      ) : (
        <Loading label={planStrings.workspace.loading}>
          <Skeleton className="mt-8 h-48" />
        </Loading>
      )}
    </>
  );
}

function Desk({ overview }: { overview: PlanOverview }): ReactNode {
  const { classes, problems, local, provider } = overview;
  return (
    <>
      {classes.length === 0 ? (
        <Marked className="mt-6 block" text={welcomeText.noClasses} />
      ) : (
        <>
          <Examples classes={classes} />
          <Classes classes={classes} />
        </>
      )}
      <Proposals />
      {problems.length > 0 && <Problems problems={problems} />}
      <p className="mt-8 flex items-center gap-2 text-base text-ink-soft">
        <Cpu aria-hidden className="size-4 shrink-0" />
        <Marked text={local ? welcomeText.local : welcomeText.provider(provider)} />
      </p>
    </>
  );
}

function request({ id, subject }: PlanClass): string {
  return (welcomeText.requests[subject ?? ""] ?? welcomeText.anyRequest)(id);
}

function Examples({ classes }: { classes: PlanClass[] }): ReactNode {
  const { begin } = useRequest.getState();
  return (
    <section aria-labelledby="plan-examples" className="mt-8">
      <h3 id="plan-examples" className="text-lg">
        {welcomeText.examples}
      </h3>
      <ul className="mt-2 flex flex-wrap gap-2">
        {classes.slice(0, MOST_EXAMPLES).map((each) => (
          <li key={each.id}>
            <button
              type="button"
              onClick={() => {
                begin({ words: request(each), classId: each.id });
                focusComposer();
              }}
              className="min-h-11 rounded-full border border-edge bg-card px-4 py-1.5 text-left transition-colors hover:border-accent hover:text-accent"
            >
              {request(each)}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Classes({ classes }: { classes: PlanClass[] }): ReactNode {
  const { openFile } = useAddress();
  return (
    <section aria-labelledby="plan-classes" className="mt-8">
      <h3 id="plan-classes" className="text-lg">
        {welcomeText.classes}
      </h3>
      <p className="text-base text-ink-soft">{welcomeText.classesHint}</p>
      <ul className="mt-3 grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3">
        {classes.map((each) => (
          <li key={each.id}>
            <button
              type="button"
              title={welcomeText.open(each.id)}
              onClick={() => {
                openFile(`classes/${each.id}.md`);
              }}
              className="cover flex w-full flex-col py-3 pr-3 pl-7 text-left transition-[translate,box-shadow] hover:-translate-y-0.5 hover:shadow-md"
            >
              <span className="font-heading text-xl font-semibold">{each.id}</span>
              <span className="text-base">{about(each)}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function about({ year, subject, minutes }: PlanClass): string {
  const parts = [year, subject, minutes === null ? null : welcomeText.minutes(minutes)];
  return parts.filter((part) => part !== null).join(" · ");
}

function Problems({ problems }: { problems: PlanOverview["problems"] }): ReactNode {
  const { openFile } = useAddress();
  return (
    <section aria-labelledby="plan-problems" className="mt-8">
      <h3 id="plan-problems" className="flex items-center gap-2 text-lg">
        <TriangleAlert aria-hidden className="size-5 text-warn" />
        {welcomeText.problems}
      </h3>
      <ul className="mt-2 flex flex-col gap-1.5 text-base">
        {problems.slice(0, MOST_PROBLEMS).map(({ path, line, message }, place) => (
          <li key={place}>
            <button
              type="button"
              className="prose-link"
              onClick={() => {
                openFile(path, line);
              }}
            >
              {line === null ? path : `${path}, ${planStrings.document.line(line)}`}
            </button>{" "}
            <Marked text={message} />
          </li>
        ))}
      </ul>
    </section>
  );
}
