/** What Paige answered: what some code means, and what it thinks of the work so far. */

import { ClipboardCheck, X } from "lucide-react";
import type { ReactNode } from "react";

import { IconButton } from "../../../ui/button";
import { Markdown } from "../../../ui/markdown";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { ReviewView } from "../review-view";
import { useCoachActions } from "../state/actions";
import { type Explanation as Answer, NOT_ASKED, useQuestions } from "../state/stores";
import { coachStrings } from "../strings";
import { PanelSection, SmallButton } from "./panel-section";

const text = coachStrings.questions;

export function Explanation(): ReactNode {
  const asked = useQuestions((questions) => questions.explanation);
  if (asked.state === "none") return null;
  return (
    <PanelSection
      title={text.explain}
      isAlwaysOpen
      aside={
        asked.state !== "asking" && (
          <IconButton
            label={text.close}
            onClick={() => {
              useQuestions.setState({ explanation: NOT_ASKED });
            }}
          >
            <X aria-hidden className="size-4" />
          </IconButton>
        )
      }
    >
      {asked.state === "asking" && <Waiting label={text.explaining} />}
      {asked.state === "failed" && <Failed title={text.explainFailed} {...asked} />}
      {asked.state === "answered" && <Explained answer={asked.answer} />}
    </PanelSection>
  );
}

function Explained({ answer }: { answer: Answer }): ReactNode {
  const { openFile } = useCoachActions();
  const { explanation, keyConcepts, analogy, relatedFiles, phaseConnection } = answer;
  return (
    <div className="flex flex-col gap-2">
      <Markdown text={explanation} deeper={2} />
      {keyConcepts.length > 0 && (
        <p>
          <strong>{text.concepts}</strong> {keyConcepts.join(", ")}
        </p>
      )}
      {analogy !== null && (
        <p>
          <strong>{text.analogy}</strong> {analogy}
        </p>
      )}
      {phaseConnection !== null && (
        <p>
          <strong>{text.phase}</strong> {phaseConnection}
        </p>
      )}
      {relatedFiles !== null && relatedFiles.length > 0 && (
        <div className="flex flex-wrap items-center gap-1.5">
          <strong>{text.related}</strong>
          {relatedFiles.map((path) => (
            <SmallButton
              key={path}
              onClick={() => {
                openFile(path);
              }}
            >
              {path}
            </SmallButton>
          ))}
        </div>
      )}
    </div>
  );
}

export function Review(): ReactNode {
  const asked = useQuestions((questions) => questions.review);
  const { review } = useCoachActions();
  return (
    <PanelSection
      title={text.review}
      aside={
        <SmallButton disabled={asked.state === "asking"} onClick={review}>
          <ClipboardCheck aria-hidden className="size-4" />
          {text.reviewAsk}
        </SmallButton>
      }
    >
      {asked.state === "asking" && <Waiting label={text.reviewing} />}
      {asked.state === "failed" && <Failed title={text.reviewFailed} {...asked} />}
      {asked.state === "answered" && <ReviewView review={asked.answer} />}
    </PanelSection>
  );
}

function Waiting({ label }: { label: string }): ReactNode {
  return (
    <Loading label={label}>
      <p aria-hidden className="text-base text-ink-soft">
        {label}
      </p>
      <Skeleton className="mt-2 h-16" />
    </Loading>
  );
}

function Failed({ title, message, hint }: { title: string; message: string; hint: string | null }): ReactNode {
  return (
    <div role="alert">
      <p className="font-semibold text-fail">{title}</p>
      <Marked className="block" text={message} />
      <Marked className="block text-ink-soft" text={hint ?? text.failedHint} />
    </div>
  );
}
