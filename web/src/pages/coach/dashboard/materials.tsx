/** What to read and watch, by the gap it helps with. */

import { ExternalLink } from "lucide-react";
import type { ReactNode } from "react";

import { coachStrings } from "../../../strings-coach";
import { Card } from "../../../ui/card";
import { EmptyLine } from "../../../ui/empty";
import { ErrorPanel } from "../../../ui/error-panel";
import { Section } from "../../../ui/section";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { Recommendation, Resource } from "../../../wire/generated";
import { useDashboard } from "../state/dashboard";

const text = coachStrings.dashboard;

export function Materials({ onRetry }: { onRetry: () => void }): ReactNode {
  return (
    <Section heading={text.materials}>
      <MaterialList onRetry={onRetry} />
    </Section>
  );
}

function MaterialList({ onRetry }: { onRetry: () => void }): ReactNode {
  const materials = useDashboard((dashboard) => dashboard.materials);
  const hasGaps = useDashboard((dashboard) => dashboard.state === null || dashboard.state.openGaps > 0);
  switch (materials.state) {
    case "none":
    case "asking":
      return hasGaps ? <Looking /> : <EmptyLine>{text.materialsEmpty}</EmptyLine>;
    case "failed":
      return (
        <ErrorPanel title={text.materialsFailed} message={materials.message} hint={materials.hint ?? text.materialsHint} onRetry={onRetry} />
      );
    case "answered":
      if (materials.answer.length === 0) return <EmptyLine>{text.materialsEmpty}</EmptyLine>;
      return (
        <div className="flex flex-col gap-6">
          {materials.answer.map((each) => (
            <Gap key={each.knowledgeGap} found={each} />
          ))}
        </div>
      );
  }
}

function Looking(): ReactNode {
  return (
    <Loading label={text.materialsLoading}>
      <Skeleton className="h-28" />
    </Loading>
  );
}

function Gap({ found }: { found: Recommendation }): ReactNode {
  return (
    <article>
      <h3 className="text-lg">{found.knowledgeGap}</h3>
      {found.studyOrder !== "" && <p className="text-ink-soft">{found.studyOrder}</p>}
      <ul className="mt-2 grid gap-3 lg:grid-cols-2">
        {found.resources.map((resource) => (
          <ResourceCard key={resource.url} resource={resource} />
        ))}
      </ul>
      {found.practiceConnection !== null && <p className="mt-2 text-ink-soft">{found.practiceConnection}</p>}
    </article>
  );
}

function ResourceCard({ resource }: { resource: Resource }): ReactNode {
  // An address that a model made up must not run as a script.
  const isSafe = /^https?:\/\//i.test(resource.url);
  return (
    <Card as="li">
      <p className="text-base text-ink-soft">
        {[text.kinds[resource.type], resource.estimatedTime, text.relevance[resource.relevance]].filter(Boolean).join(" · ")}
      </p>
      {isSafe ? (
        <a href={resource.url} target="_blank" rel="noreferrer" className="font-semibold text-accent underline underline-offset-4">
          {resource.title}
          <ExternalLink aria-hidden className="ml-1 inline size-4 align-[-0.125em]" />
          <span className="sr-only"> ({text.newTab})</span>
        </a>
      ) : (
        <p className="font-semibold">{resource.title}</p>
      )}
      <p className="mt-0.5">{resource.description}</p>
    </Card>
  );
}
