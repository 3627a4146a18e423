/** Things that might be remembered and wait for a decision. */

import { Brain } from "lucide-react";
import { type ReactNode, useState } from "react";

import { Button } from "../../ui/button";
import { FormError } from "../../ui/forms/field";
import { Marked } from "../../ui/marked";
import { notify } from "../../ui/toasts";
import type { PlanProposal } from "../../wire/generated";
import { useAddress } from "./address";
import type { Decision } from "./api";
import { useDecide, useProposals } from "./hooks";
import { planStrings } from "./strings";

const text = planStrings.proposals;

export function Proposals(): ReactNode {
  const proposals = useProposals().data ?? [];
  if (proposals.length === 0) return null;
  return (
    <section aria-labelledby="plan-proposals" className="mt-8">
      <h3 id="plan-proposals" className="flex items-center gap-2 text-lg">
        <Brain aria-hidden className="size-5 text-door-ink" />
        {text.heading}
      </h3>
      <p className="text-base text-ink-soft">{text.lead}</p>
      <ul className="mt-3 flex flex-col gap-3">
        {proposals.map((each) => (
          <li key={each.key} className="rounded-lg border border-line bg-card px-4 py-3">
            <Proposal proposal={each} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Proposal({ proposal }: { proposal: PlanProposal }): ReactNode {
  const { openSession } = useAddress();
  const { session } = proposal;
  return (
    <>
      <p className="text-sm font-semibold text-ink-soft">
        {proposal.classId === null ? text.teacher : text.class(proposal.classId)}
      </p>
      <Marked className="block" text={proposal.text} />
      {proposal.asked && session !== null ? (
        <p className="mt-2 text-base text-ink-soft">
          {text.asked}{" "}
          <button
            type="button"
            className="prose-link"
            onClick={() => {
              openSession(session);
            }}
          >
            {text.toSession}
          </button>
        </p>
      ) : (
        <Decision proposal={proposal} />
      )}
    </>
  );
}

function Decision({ proposal }: { proposal: PlanProposal }): ReactNode {
  const [words, setWords] = useState<string | null>(null);
  const decide = useDecide(proposal.key);
  const send = (decision: Decision): void => {
    decide.mutate(decision, {
      onSuccess: () => {
        notify(decision.decision === "dismissed" ? text.dismissed : text.confirmed);
      },
    });
  };
  const field = `plan-proposal-${proposal.key}`;
  return (
    <form
      className="mt-3 flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        if (words !== null) send({ decision: "edited", text: words });
      }}
    >
      {words !== null && (
        <>
          <label htmlFor={field} className="text-base">
            {text.words}
          </label>
          <textarea
            id={field}
            rows={2}
            value={words}
            onChange={(event) => {
              setWords(event.target.value);
            }}
            className="w-full rounded-md border border-edge bg-paper p-3"
          />
        </>
      )}
      {decide.isError && <FormError id={`${field}-error`} error={decide.error} />}
      <div className="flex flex-wrap gap-2">
        {words === null ? (
          <>
            <Button
              disabled={decide.isPending}
              onClick={() => {
                send({ decision: "confirmed" });
              }}
            >
              {text.confirm}
            </Button>
            <Button
              look="quiet"
              onClick={() => {
                setWords(proposal.text);
              }}
            >
              {text.edit}
            </Button>
            <Button
              look="quiet"
              disabled={decide.isPending}
              onClick={() => {
                send({ decision: "dismissed" });
              }}
            >
              {text.dismiss}
            </Button>
          </>
        ) : (
          <>
            <Button type="submit" disabled={decide.isPending || words.trim() === ""}>
              {text.save}
            </Button>
            <Button
              look="quiet"
              onClick={() => {
                setWords(null);
              }}
            >
              {text.cancel}
            </Button>
          </>
        )}
      </div>
    </form>
  );
}
