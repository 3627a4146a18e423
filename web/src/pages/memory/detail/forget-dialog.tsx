/** Forgets a memory for good, after showing everything that goes with it. */

import type { ReactNode } from "react";

import { strings } from "../../../strings";
import { notify } from "../../../toasts/toasts";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { When } from "../../../ui/when";
import type { MemoryForgotten } from "../../../wire/generated";
import { useForget, useForgetPlan } from "../hooks";

const text = strings.memory.forget;

interface ForgetDialogProps {
  id: string;
  onCancel: () => void;
  onForgotten: () => void;
}

export function ForgetDialog({ id, onCancel, onForgotten }: ForgetDialogProps): ReactNode {
  const plan = useForgetPlan(id);
  const forget = useForget(id, ({ lines, remains }) => {
    notify(text.done(lines));
    remains.forEach((where) => {
      notify(where);
    });
    onForgotten();
  });
  const count = plan.data?.going.length ?? 1;
  return (
    <ConfirmDialog
      title={text.title}
      description={text.description}
      confirm={forget.isPending ? text.forgetting : text.confirm(count)}
      cancel={text.cancel}
      busy={plan.data === undefined || forget.isPending}
      error={forget.error ?? plan.error}
      onCancel={onCancel}
      onConfirm={() => {
        forget.mutate();
      }}
    >
      {plan.data === undefined ? !plan.isError && <Planning /> : <Plan plan={plan.data} />}
    </ConfirmDialog>
  );
}

function Planning(): ReactNode {
  return (
    <Loading label={text.planning}>
      <Skeleton className="h-16" />
    </Loading>
  );
}

function Plan({ plan }: { plan: MemoryForgotten }): ReactNode {
  return (
    <div>
      <p className="font-semibold">{text.plan(plan.going.length)}</p>
      <ul className="mt-1 divide-y divide-rule border-y border-rule">
        {plan.going.map((going) => (
          <li key={going.id} className="py-2">
            <p>{going.shown}</p>
            <p className="text-base text-ink-soft">
              <When at={going.at} /> · <Marked text={going.why} />
            </p>
          </li>
        ))}
      </ul>
    </div>
  );
}
