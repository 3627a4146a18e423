/** Asks before the settings of a coding agent change, and shows every change first. */

import { AlertDialog } from "radix-ui";
import type { ReactNode } from "react";

import { guardHostsStrings } from "../../../strings-guard-hosts";
import { notify } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { GuardPlan } from "../../../wire/generated";
import { useCarryOut, usePlan, type Wish } from "../hooks";
import { Diff } from "./diff";

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
    <AlertDialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 bg-[rgb(10_20_16/0.55)]" />
        <AlertDialog.Content
          className={
            "fixed top-1/2 left-1/2 z-50 flex max-h-[88dvh] w-[min(56rem,calc(100vw-1.5rem))] -translate-x-1/2 -translate-y-1/2 " +
            "flex-col gap-4 rounded-xl border border-line bg-card p-5 shadow-2xl sm:p-6"
          }
        >
          <div>
            <AlertDialog.Title className="text-xl">{text[action](title, guardHostsStrings.levels[level])}</AlertDialog.Title>
            <AlertDialog.Description className="mt-1 text-ink-soft">{text.description}</AlertDialog.Description>
          </div>
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
          <div className="flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button look="quiet">{text.cancel}</Button>
            </AlertDialog.Cancel>
            <Button
              look={action === "install" ? "primary" : "danger"}
              disabled={plan.data === undefined || isEmpty || carryOut.isPending}
              onClick={() => {
                if (plan.data !== undefined) carryOut.mutate(plan.data.digest);
              }}
            >
              {carryOut.isPending ? text.working[action] : text.confirm[action]}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
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
