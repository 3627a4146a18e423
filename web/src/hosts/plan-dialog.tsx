/** Asks before the settings of a coding agent change, and shows every change first. */

import type { ReactNode } from "react";

import { guardHostsStrings } from "../strings-guard-hosts";
import { notify } from "../toasts/toasts";
import { AlertAnswers, AlertFrame } from "../ui/alert-frame";
import { Button } from "../ui/button";
import { FormError } from "../ui/form-error";
import { Marked } from "../ui/marked";
import { Loading, Skeleton } from "../ui/skeleton";
import type { GuardPlan } from "../wire/generated";
import { Diff } from "./diff";
import { useCarryOut, usePlan, type Wish } from "./hooks";

const text = guardHostsStrings.dialog;

interface PlanDialogProps {
  wish: Wish;
  title: string;
  onClose: () => void;
}

export function PlanDialog({ wish, title, onClose }: PlanDialogProps): ReactNode {
  const plan = usePlan(wish);
  const carryOut = useCarryOut(wish, ({ notes }) => {
    notify([text.done[wish.action](title), ...notes].join(". ").replaceAll("`", ""));
    onClose();
  });
  const isEmpty = plan.data?.changes.length === 0;
  const { level, action } = wish;
  return (
    <AlertFrame
      isWide
      title={text[action](title, guardHostsStrings.levels[level])}
      description={text.description}
      onCancel={onClose}
    >
      <div className="min-h-0 flex-1 overflow-auto" data-plan>
        {plan.data !== undefined && <Changes plan={plan.data} />}
        {plan.isPending && (
          <Loading label={text.planning}>
            <Skeleton className="h-40" />
          </Loading>
        )}
        {plan.isError && <FormError id="plan-error" error={plan.error} />}
      </div>
      {carryOut.isError && <FormError id="carry-out-error" error={carryOut.error} />}
      <AlertAnswers cancel={text.cancel}>
        <Button
          look={action === "install" ? "primary" : "danger"}
          disabled={plan.data === undefined || isEmpty || carryOut.isPending}
          onClick={() => {
            if (plan.data !== undefined) carryOut.mutate(plan.data.digest);
          }}
        >
          {carryOut.isPending ? text.working[action] : text.confirm[action]}
        </Button>
      </AlertAnswers>
    </AlertFrame>
  );
}

function Changes({ plan: { changes, notes } }: { plan: GuardPlan }): ReactNode {
  return (
    <>
      <p className="font-semibold">{changes.length === 0 ? text.nothing : text.files(changes.length)}</p>
      {notes.length > 0 && (
        <ul className="mt-1 list-disc pl-5">
          {notes.map((note) => (
            <li key={note}>
              <Marked text={note} />
            </li>
          ))}
        </ul>
      )}
      <ul className="mt-2 flex flex-col gap-2 empty:hidden">
        {changes.map((change, place) => (
          <li key={change.path}>
            <Diff change={change} isOpen={place === 0} />
          </li>
        ))}
      </ul>
    </>
  );
}
